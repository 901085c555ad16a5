"""What holds for every game, whatever its rules: a game, a number of players and a seed in; Broken out where it does not."""
