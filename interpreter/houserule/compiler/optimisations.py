"""The optimisations of the compiler, and why each is there: a program without one of them plays the same, only slower.

`compile_game(…, without=…)` leaves some out, so that tests can compare and `make bench ARGS="--without NAME"` can measure.
"""

from __future__ import annotations

OPTIMISATIONS = {
    "answering": "in random play, chance answers a question in the function that asks it",
    "columns": "whether a condition holds for a member of a narrow relation is written out column by column",
    "drawing": "a single answer of chance is drawn without a call",
    "inlining": "small functions, and those that certainly run, are written into the rules that call them",
    "invariants": "parts of a score line that are the same for all players are worked out once",
    "last_calls": "the last call of a routine takes the place of its frame",
    "parts": "parts of a together that share one state are passes of a loop",
    "picking": "a short list of those that satisfy a condition is written out member by member",
    "quick_verbs": "verbs that nothing waits for move pieces without events and triggers",
    "relations": "a loop over a long list that a tabulated function restricts visits only the related members",
    "sharing": "parts of a together that cannot tell the difference share one state, without a copy each",
    "tables": "functions of printed values become tables",
    "tails": "short code that several ways lead to is repeated on each",
    "unrolling": "a sum, or a test of all or any, over a short list is written out member by member",
}
"""By name, what each does."""


def checked_names(without: frozenset[str]) -> frozenset[str]:
    """The same names. Raises ValueError if one of them is no optimisation."""
    for name in sorted(without - OPTIMISATIONS.keys()):
        raise ValueError(f"there is no optimisation '{name}'; there are {', '.join(OPTIMISATIONS)}")
    return without
