"""Games written by hand in plain Python: the yardstick for the same games run from their rule files."""
