"""The log of a match: what happened, as a class for each kind of entry.

Programs record plain tuples, a word for the kind and then its fields, which is quick; `entries` converts them to
entries, and `noted` converts them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from houserule.frozen import by_value

Noted = tuple[Any, ...]


@by_value
class Answered:
    """A player answers a choice: its site, the value, the offered values, and the player; -1 and no others in a race.

    `said` are the values in the chosen line of a menu, none for a pass, if everybody may know at once that it was chosen.
    """

    site: int = -1
    value: int | Sequence[int] = -1
    options: Sequence[int] = ()
    seat: int = -1
    said: Sequence[Any] | None = None


@by_value
class StepBegun:
    """A step begins, or another pass of it."""

    path: str


@by_value
class TurnBegun:
    """It is a player's turn."""

    player: int


@by_value
class Moved:
    """A piece moves from a zone to a position in another zone or the same one."""

    piece: int
    source: int
    target: int
    position: int

    @property
    def ways(self) -> tuple[tuple[int, int, int], ...]:
        """Each piece, with where it comes from and where it goes."""
        return ((self.piece, self.source, self.target),)


@by_value
class Swapped:
    """Two pieces swap places; each has a position in a zone."""

    piece: int
    zone: int
    position: int
    other: int
    other_zone: int
    other_position: int

    @property
    def ways(self) -> tuple[tuple[int, int, int], ...]:
        return (self.piece, self.zone, self.other_zone), (self.other, self.other_zone, self.zone)


@by_value
class Exchanged:
    """All pieces of the source zones move to the targets, which then hold `contents`."""

    sources: Sequence[int]
    targets: Sequence[int]
    contents: Sequence[Sequence[int]]

    @property
    def zones(self) -> Sequence[int]:
        return self.targets


@by_value
class Shuffled:
    """A zone is shuffled into `order`."""

    zone: int
    order: Sequence[int]

    @property
    def zones(self) -> Sequence[int]:
        return (self.zone,)

    @property
    def contents(self) -> Sequence[Sequence[int]]:
        return (self.order,)


@by_value
class Arranged:
    """A scenario arranges zones, unseen."""

    zones: Sequence[int]
    contents: Sequence[Sequence[int]]


@by_value
class VariableSet:
    """A variable gets a value."""

    slot: int
    value: int


@by_value
class VariableReset:
    """A variable returns to its start value; nobody is told."""

    slot: int
    value: int


@by_value
class Rolled:
    """A die rolls a value for a variable or a local name, one of `values`."""

    name: str
    value: int
    values: Sequence[int] = ()


@by_value
class Said:
    """A sentence with its values for one player, or for all if `to` is -1; `text` is its number in the program."""

    text: int
    values: Sequence[Any]
    to: int


@by_value
class Shown:
    """Pieces are shown to some players."""

    pieces: Sequence[int]
    to: Sequence[int]


Entry = (
    Answered | StepBegun | TurnBegun | Moved | Swapped | Exchanged | Shuffled | Arranged
    | VariableSet | VariableReset | Rolled | Said | Shown
)  # fmt: skip
KINDS: dict[str, type[Entry]] = {
    "answer": Answered,
    "step": StepBegun,
    "turn": TurnBegun,
    "move": Moved,
    "swap": Swapped,
    "exchange": Exchanged,
    "shuffle": Shuffled,
    "arrange": Arranged,
    "set": VariableSet,
    "reset": VariableReset,
    "roll": Rolled,
    "say": Said,
    "show": Shown,
}
WORDS: dict[type[Entry], str] = {made: word for word, made in KINDS.items()}


def entries(log: Sequence[Noted], since: int = 0) -> Iterator[Entry]:
    for word, *fields in log[since:]:
        yield KINDS[word](*fields)


def noted(entry: Entry) -> Noted:
    return (WORDS[type(entry)], *(getattr(entry, name) for name in type(entry).__match_args__))
