"""Invariants that hold for every game, whatever its rules."""
