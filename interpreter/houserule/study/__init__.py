"""Studies: many matches of a game, what they come to, comparisons of rules, and reports."""
