"""Random values, and swapping variables: rows of the table, and their effects on a state."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from houserule.language.types import Picks
from houserule.operations.table import Verb

State = Any


def roll(s: State, name: str, values: Sequence[int], none: int) -> int:
    """One of the values, all equally likely; none if there are none."""
    if not values:
        return none
    if s.log is None:
        place: int = floor(s.random() * len(values))
        return values[place]
    value: int | None = s.script.rolled(s, name, values) if s.script is not None else None
    if value is None:
        value = values[floor(s.random() * len(values))]
    s.log.append(("roll", name, value, tuple(values)))
    return value


def swap_variables(s: State, a: int, b: int) -> None:
    v = s.v
    v[a], v[b] = v[b], v[a]
    for slot, old in ((a, v[b]), (b, v[a])):
        for trigger in s.program.changes.get(slot, ()):
            if old != v[slot] and trigger not in s.running:
                s.queue.append((trigger, old, slot))
    if s.log is not None:
        s.log.append(("set", a, v[a]))
        s.log.append(("set", b, v[b]))


VERBS = [
    Verb(
        "roll",
        "place",
        {"from": "list"},
        {"any": "roll({s}, {name}, {from}, {n})"},
        "Puts a uniformly random element of a list into a name or a variable.",
        result="elements",
        does=(Picks("from"),),
        uses_chance=True,
        seen="what is rolled here",
        example="roll n from 1..6\nme.score += n",
        runtime={"roll": roll},
    ),
]
RUNTIME = {"swap_variables": swap_variables}
