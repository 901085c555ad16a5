"""Chance whose outcomes are chosen one by one, and shuffled piles whose order is drawn when it matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houserule.running.state import State


class Wanted(Exception):
    """Chance has to draw one of so many outcomes."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class Draw(float):
    """A number of chance that is made when it is multiplied by a number of outcomes."""

    chance: Chance

    def __mul__(self, outcomes: Any) -> Any:
        return self.chance.drawn(outcomes)


class Chance:
    """Chance with prepared outcomes; raises Wanted when there are no more. `shown` is what players were shown."""

    __slots__ = ("outcomes", "shown", "used")

    def __init__(self, outcomes: Sequence[int]) -> None:
        self.outcomes = outcomes
        self.used = 0
        self.shown: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def random(self) -> Draw:
        number = Draw(0.5)
        number.chance = self
        return number

    def drawn(self, outcomes: int) -> int:
        """The next outcome."""
        if outcomes < 2:
            return 0
        if self.used == len(self.outcomes):
            raise Wanted(outcomes)
        self.used += 1
        return self.outcomes[self.used - 1]


class Loose(list[int]):
    """A shuffled pile whose order is drawn when it matters: the lowest `loose` pieces lie in any order."""

    def __init__(self, pieces: Sequence[int], chance: Chance, loose: int) -> None:
        super().__init__(pieces)
        self.chance = chance
        self.loose = loose

    def settle(self, left: int = 0) -> None:
        """Draw pieces from the top until at most so many lie in any order."""
        while self.loose > left:
            at, top = self.chance.drawn(self.loose), self.loose - 1
            one, other = list.__getitem__(self, at), list.__getitem__(self, top)
            list.__setitem__(self, at, other)
            list.__setitem__(self, top, one)
            self.loose = top

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            start = at.start if at.start is not None and at.start < 0 and at.stop is None and at.step is None else None
            self.settle(0 if start is None else max(len(self) + start, 0))
        else:
            self.settle(at if at >= 0 else max(len(self) + at, 0))
        return list.__getitem__(self, at)

    def pop(self, at: Any = -1) -> int:
        self.settle(max(len(self) - 1, 0) if at == -1 else 0)
        return list.pop(self, at)

    def remove(self, piece: int) -> None:
        place = list.index(self, piece)
        if place < self.loose:
            self.settle()
        list.remove(self, piece)

    def clear(self) -> None:
        self.loose = 0
        list.clear(self)

    def __delitem__(self, at: Any) -> None:
        self[at]
        list.__delitem__(self, at)
        self.loose = min(self.loose, len(self))


def settled(name: str) -> Any:
    """A method of lists that needs the whole order."""
    method = getattr(list, name)

    def wrapped(self: Loose, *words: Any) -> Any:
        self.settle()
        return method(self, *words)

    return wrapped


for _name in (
    "__iter__",
    "__reversed__",
    "__setitem__",
    "__eq__",
    "index",
    "insert",
    "reverse",
    "sort",
    "copy",
    "__add__",
):
    setattr(Loose, _name, settled(_name))


def as_they_lie(piles: Sequence[list[int]]) -> list[list[int]]:
    """The piles as lists, without drawing their order."""
    return [list(list.__iter__(pile)) if type(pile) is Loose else pile for pile in piles]


def copied(s: State, chance: Chance) -> State:
    """A copy of a state in which this chance goes on."""
    piles = s.z
    if Loose not in map(type, piles):
        made = s.copy()
        made.random = chance.random
        return made
    s.z = as_they_lie(piles)
    try:
        made = s.copy()
    finally:
        s.z = piles
    for slot, pile in enumerate(piles):
        if type(pile) is Loose:
            made.z[slot] = Loose(made.z[slot], chance, pile.loose)
    for part in made.forks or () if made.shared else ():
        part.z = made.z
    made.random = chance.random
    return made
