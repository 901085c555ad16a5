"""Bots: who answers choices by themselves, for every game alike."""
