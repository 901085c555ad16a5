"""Scenario files: checking and running them, and their coverage of the rules."""
