"""What holds for every game, whatever its rules."""
