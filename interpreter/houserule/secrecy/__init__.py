"""Information flow: who may learn what from the rules of a checked game, and where a secret leaks."""
