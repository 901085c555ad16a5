"""What a game can ask for and show, as numbers: every answer has one, and so has everything that a player sees."""
