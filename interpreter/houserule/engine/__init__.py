"""Runs programs: games, matches, and what their players see."""
