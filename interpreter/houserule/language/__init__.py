"""The effect language: text to syntax tree to checked tree."""
