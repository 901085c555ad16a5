"""The four games in Python as tight as it gets: whole numbers in flat lists, one function for each game, no objects."""
