"""The numbers of the values of a type: of numbers, players, members, and of pieces without telling copies or hidden ones apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence

from houserule.compiler.program import Program
from houserule.language.checked import Kind
from houserule.language.types import Bool, Int, Maybe, Member, Piece, Player, Type, none_of

MOST_NUMBERS = 1024
"""A range of numbers that is wider is numbered by the place among the options."""
MOST_LISTED = 100_000
"""The most answers, and the most entries of what a player sees, that a game has as numbers; the largest known game has a tenth."""
Sees = Callable[[int], bool]


def see_amount(number: int, what: str) -> None:
    """Raises ValueError for more numbers than a game may have."""
    if number > MOST_LISTED:
        raise ValueError(f"{what} of this game would be more than {MOST_LISTED:,} numbers")


class Domain(ABC):
    """Numbers from 0 for the values of a type."""

    size: int

    @abstractmethod
    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        """The number of each of these values, which are offered together; all are different."""

    def values(self) -> list[int] | None:
        """All values, where the number of each depends on nothing else; None where it does."""
        return None

    @abstractmethod
    def word(self, slot: int) -> str:
        """What a number stands for, as answers are written."""


class Offset(Domain):
    """Values that follow each other."""

    def __init__(self, low: int, size: int) -> None:
        self.low = low
        self.size = size

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:  # noqa: ARG002  all of them are known
        low = self.low
        return [value - low for value in values]

    def values(self) -> list[int] | None:
        return list(range(self.low, self.low + self.size))

    def word(self, slot: int) -> str:
        return str(slot + self.low)


class Named(Offset):
    """Values that follow each other and have names."""

    def __init__(self, low: int, words: Sequence[str]) -> None:
        super().__init__(low, len(words))
        self.words = words

    def word(self, slot: int) -> str:
        return self.words[slot]


class OrNone(Domain):
    """The values of another domain, and none as the last number."""

    def __init__(self, inner: Domain, none: int) -> None:
        self.inner, self.none = inner, none
        self.size = inner.size + 1

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        found = iter(self.inner.slots([value for value in values if value != self.none], sees))
        return [self.inner.size if value == self.none else next(found) for value in values]

    def values(self) -> list[int] | None:
        inner = self.inner.values()
        return None if inner is None else [*inner, self.none]

    def word(self, slot: int) -> str:
        return "none" if slot == self.inner.size else self.inner.word(slot)


class ByPlace(Domain):
    """Numbers without narrow bounds: each has that of its place among the options."""

    size = MOST_NUMBERS

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:  # noqa: ARG002  all of them are known
        if len(values) > self.size:
            raise ValueError(f"{len(values)} numbers are offered at once, and {self.size} can be told apart")
        return list(range(len(values)))

    def word(self, slot: int) -> str:
        return f"option {slot + 1}"


class Pieces(Domain):
    """Pieces by id. Copies are numbered in the order in which they are offered, and so are hidden pieces, which have numbers of their own."""

    def __init__(self, program: Program, kinds: Sequence[Kind]) -> None:
        self.words: list[str] = []
        self.first: dict[int, int] = {}  # by piece: the number of the first with its id
        self.is_alone: dict[int, bool] = {}
        for kind in kinds:
            times = Counter(kind.ids)
            starts: dict[str, int] = {}
            for number in kind.numbers:
                id = kind.id_of(number)
                if id not in starts:
                    starts[id] = len(self.words)
                    self.words += [id] if times[id] == 1 else [f"{id}#{copy + 1}" for copy in range(times[id])]
                self.first[number], self.is_alone[number] = starts[id], times[id] == 1
        self.seen = len(self.words)
        names = {kind.name for kind in kinds}
        lying = [number for kind in kinds for number in kind.numbers if program.places[number] >= 0]
        self.may_hide = any(
            program.zone_sight[slot] != "all" and (zone.holds is None or zone.holds in names)
            for slot, zone in enumerate(program.zone_of)
        )
        hidden = len(lying) if self.may_hide else 0
        self.words += [f"hidden#{copy + 1}" for copy in range(hidden)]
        self.size = len(self.words)
        self.is_plain = not hidden and all(self.is_alone.values())

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        first = self.first
        if self.is_plain:
            return [first[value] for value in values]
        found, times, hidden = [], Counter[int](), self.seen
        for value in values:
            if self.may_hide and not sees(value):
                found.append(hidden)
                hidden += 1
            elif self.is_alone[value]:
                found.append(first[value])
            else:
                found.append(first[value] + times[first[value]])
                times[first[value]] += 1
        return found

    def values(self) -> list[int] | None:
        return list(self.first) if self.is_plain else None

    def word(self, slot: int) -> str:
        return self.words[slot]


Domains = dict[Type, Domain]
"""The domains of one program by type: that of pieces takes long to make."""


def domain_of(program: Program, type: Type, kept: Domains) -> Domain:
    """The numbers of the values of a type."""
    if type not in kept:
        kept[type] = new_domain(program, type, kept)
    return kept[type]


def new_domain(program: Program, type: Type, kept: Domains) -> Domain:
    symbols = program.symbols
    match type:
        case Maybe(of):
            return OrNone(domain_of(program, of, kept), none_of(type))
        case Int(low, high):
            return Offset(low, high - low + 1) if high - low < MOST_NUMBERS else ByPlace()
        case Bool():
            return Named(0, ("false", "true"))
        case Player():
            return Named(0, [f"player {seat + 1}" for seat in range(symbols.players)])
        case Member(name):
            return Named(symbols.kinds[name].base, symbols.kinds[name].ids)
        case Piece(None):
            return Pieces(program, [kind for kind in symbols.kinds.values() if kind.is_piece])
        case Piece(str(name)):
            return Pieces(program, [symbols.kinds[name]])
    raise AssertionError(type)
