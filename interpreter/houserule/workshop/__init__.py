"""Tools for authors of rule files: find, check, compare and format them."""
