"""A whole game tried out: its matches at random, the invariants that hold for every game, and what its scenarios cover."""
