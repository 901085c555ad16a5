"""Scenario files: checked, run, and how many of the rules they reach."""
