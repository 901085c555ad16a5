"""A web site without a server: games to read, to play and to change, in pages that hold the whole interpreter."""
