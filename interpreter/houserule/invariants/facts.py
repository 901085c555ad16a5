"""Facts about states: everything in one that can be compared, and the consistency of pieces and zones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from random import Random
from typing import Any

from houserule import Choice, Match, Option
from houserule.running.state import State


class Broken(Exception):
    """An invariant did not hold."""


def hold(condition: object, sentence: str) -> None:
    if not condition:
        raise Broken(sentence)


def an_answer(match: Match, random: Random) -> tuple[Choice, Option]:
    choice = random.choice(match.pending)
    return choice, choice.drawn(random)


SIMPLE = [
    declared.name
    for declared in fields(State)
    if declared.compare and declared.name not in ("v", "z", "w", "kept", "frames", "log", "forks")
]


def facts(s: State, shared: State | None = None) -> tuple[Any, ...]:
    """Everything in a state in comparable form: states with equal facts are at the same point of the same match.

    Lists that a part of a together shares with the whole state count once.
    """
    simple = (getattr(s, name) for name in SIMPLE)
    return (
        None if shared is not None and shared.v is s.v else s.v[:],
        None if shared is not None and shared.z is s.z else [pile[:] for pile in s.z],
        None if shared is not None and shared.w is s.w else s.w[:],
        [known[:] for known in s.kept],
        [[list(entry) if isinstance(entry, list | tuple) else entry for entry in frame] for frame in s.frames],
        None if s.log is None else s.log[:],
        None if s.forks is None else [facts(part, s) for part in s.forks],
        [list(value) if isinstance(value, Sequence) else value for value in simple],
        s.generator.getstate() if s.generator is not None else None,
    )


def match_facts(match: Match) -> tuple[Any, ...]:
    return (facts(match.state), match.is_over, match.answers[:])


def check_places(s: State) -> None:
    """Check that every piece is in exactly one zone, and that zones and places of pieces agree."""
    program = s.program
    lying = 0
    for slot, pile in enumerate(s.z):
        lying += len(pile)
        if pile:
            hold(len(pile) <= program.capacities.get(slot, len(pile)), f"zone {slot} is too full")
            for piece in pile:
                hold(s.w[piece] == slot, f"piece {piece} lies in zone {slot} and is said to lie in {s.w[piece]}")
            hold(len(set(pile)) == len(pile), f"a piece lies twice in zone {slot}")
    # Each piece knows its zone and is in that one only: with the right total none is missing.
    expected = 0
    for piece, where in enumerate(program.places):
        if where >= 0:
            expected += 1
        else:
            hold(s.w[piece] == where, f"piece {piece}, which lies nowhere, was moved")
    hold(lying == expected, "pieces were lost or made")
    for part in s.forks or ():
        if part.z is not s.z:
            check_places(part)
