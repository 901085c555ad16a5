"""Bots: programs that answer choices in any game."""
