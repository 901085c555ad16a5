"""The optimisations of the compiler, and why each is there: a program without one of them plays the same, only slower.

`compile_game(…, without=…)` leaves some out, so that tests can compare and `make bench ARGS="--without NAME"` can measure.
"""

from __future__ import annotations

OPTIMISATIONS = {
    "answering": "in random play, chance answers a question in the function that asks it",  # 2.02
    "columns": "whether a condition holds for a member of a narrow relation is written out column by column",  # 1.27
    "drawing": "a single answer of chance is drawn without a call",  # 1.11
    "flooding": "a group on a board is followed from place to place, and no further than is asked",  # 3.2
    "inlining": "small functions, and those that certainly run, are written into the rules that call them",  # 1.55
    "invariants": "what is the same in each pass of a loop, or for all players in a score line, is worked out once",  # 1.68, in quilt of the tests
    "last_calls": "the last call of a routine takes the place of its frame",  # 1.05
    "parts": "parts of a together that share one state are passes of a loop",  # 1.10
    "quick_verbs": "verbs that nothing waits for move pieces without events and triggers",  # 1.36
    "relations": "a loop over a long list that a tabulated function restricts visits only the related members",  # 8.99
    "sharing": "parts of a together that cannot tell the difference share one state, without a copy each",  # 4.29
    "stopping": "whether a long list has members is asked one by one up to the answer, if each test takes long",  # 2.14
    "tables": "functions of printed values become tables",  # 20.3
    "tails": "short code that several ways lead to is repeated on each",  # 1.17
    "unrolling": "a sum, a test of all or any, or a filter, over a short list is written out member by member",  # 1.22
}
"""By name, what each does, and how many times as many instructions of Python a match takes without it in the game
that gains most. One that gains under a twentieth in every game goes."""

NATIVE = {
    "search": "searches of a hundred passes and more run in the sandbox, tree and all",  # 9
    "inside": "a search that deals anew what its player cannot know begins at the match, and not at an imagined one",  # 1.4
    "filters": "a filter and a count use their last comparisons, or all tests that are foreseen, as a number, not for a branch",  # 1.19
    "rows": "few members, in a row of a table, are gone through without a loop, and a short test is asked of all at once",  # 1.18, in go
    "tallies": "all that the lines of a score sheet count in a zone is counted in one loop",  # 1.38, in studies
    "lanes": "the generators of sixteen matches of a batch are seeded together",  # 4.2
    "runtime": "small functions of the runtime are written into those that call them",  # 1.24
}
"""Those of native play, and how many times as long a match takes without it in the bundled game that gains most."""


def checked_names(without: frozenset[str]) -> frozenset[str]:
    """The names of optimisations. Raises ValueError if one of them is no optimisation."""
    known = OPTIMISATIONS | NATIVE
    for name in sorted(without - known.keys()):
        raise ValueError(f"there is no optimisation '{name}'; there are {', '.join(known)}")
    return without
