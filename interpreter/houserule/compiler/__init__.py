"""The compiler: from a checked game to a program of segments."""
