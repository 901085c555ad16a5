"""A program at work: the state of a match, random play at full speed, and what goes wrong."""
