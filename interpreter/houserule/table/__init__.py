"""The table as a picture: a match and a layout in, a scene for one viewer out, which the terminal and the browser render."""
