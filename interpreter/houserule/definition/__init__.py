"""A game as written and as checked: files in, a definition out that compiles."""
