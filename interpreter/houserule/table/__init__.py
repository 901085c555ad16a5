"""The table as a picture: a match and a layout in, the scene that a viewer sees out, for the terminal and the browser to paint."""
