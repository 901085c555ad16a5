"""Bridges to other libraries: matches in notebooks, and games as environments to learn in."""
