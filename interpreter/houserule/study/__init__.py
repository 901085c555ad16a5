"""Studies: many matches of a game, their results, comparisons of rules, and reports."""
