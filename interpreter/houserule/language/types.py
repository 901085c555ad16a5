"""The types of the effect language, how they fit each other, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule.frozen import by_value

LEAST = -(2**31)
GREATEST = 2**31 - 1
NONE = -1
"""The representation of `none` for a player, a piece or a member."""
NONE_NUMBER = LEAST - 1
"""The representation of `none` for a number: outside `int`."""


def place_of(values: Iterable[int], lows: Iterable[int], sizes: Iterable[int]) -> int:
    """The rank of a tuple of values among all possible ones (mixed radix); `lows` are the least values."""
    place = 0
    for value, low, size in zip(values, lows, sizes, strict=True):
        place = place * size + value - low
    return place


def values_at(place: int, lows: Sequence[int], sizes: Sequence[int]) -> tuple[int, ...]:
    """The inverse of `place_of`."""
    found: list[int] = []
    for low, size in zip(reversed(lows), reversed(sizes), strict=True):
        place, rest = divmod(place, size)
        found.append(low + rest)
    return tuple(reversed(found))


@by_value
class Int:
    """An integer between two inclusive bounds."""

    low: int = LEAST
    high: int = GREATEST

    def __str__(self) -> str:
        if (self.low, self.high) == (LEAST, GREATEST):
            return "a number"
        if self.low <= LEAST or self.high >= GREATEST:
            return "a number"
        if self.low == self.high:
            return f"the number {self.low}"
        return f"a number {self.low}..{self.high}"


@by_value
class Bool:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"


@by_value
class Player:
    """Someone at the table."""

    def __str__(self) -> str:
        return "a player"


@by_value
class Member:
    """A member of an enum."""

    kind: str

    def __str__(self) -> str:
        return f"a {self.kind}"


@by_value
class Piece:
    """A piece of a kind; of any kind if `kind` is None."""

    kind: str | None = None

    def __str__(self) -> str:
        return f"a {self.kind}" if self.kind else "a piece"


@by_value
class Maybe:
    """A value or none; it must be tested before it is used."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@by_value
class List:
    """A list of values of one type; `most` bounds its length, if that is known."""

    of: Type
    most: int | None = None

    def __str__(self) -> str:
        return f"a list of {_plural(self.of)}"


@by_value
class Tuple:
    """Values that are chosen together, packed into one number: its digits are these, less their least values.

    `lows` and `sizes` are the least value of each and how many it can have.
    """

    of: tuple[Type, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.of))

    def parts(self, value: int) -> tuple[int, ...]:
        """The values packed in one number."""
        return values_at(value, self.lows, self.sizes)

    def whole(self, parts: Iterable[int]) -> int:
        """The inverse of `parts`."""
        return place_of(parts, self.lows, self.sizes)


@by_value
class Unknown:
    """The type of a mistake: it fits everything, so that one mistake gives one message."""

    def __str__(self) -> str:
        return "something unknown"


@by_value
class NoValue:
    """The type of the word `none` by itself, and of an action without a result."""

    def __str__(self) -> str:
        return "none"


Type = Int | Bool | Player | Member | Piece | Maybe | List | Tuple | Unknown | NoValue

NUMBER = Int()
BOOL = Bool()
PLAYER = Player()
UNKNOWN = Unknown()
NO_VALUE = NoValue()


def _plural(kind: Type) -> str:
    match kind:
        case Int():
            return "numbers"
        case Bool():
            return "conditions"
        case Player():
            return "players"
        case Member(name) | Piece(name):
            return f"{name or 'piece'}s"
        case _:
            return str(kind)


def spelled(kind: Type) -> str:
    """The type as written in rule files."""
    match kind:
        case Int():
            return "int" if str(kind) == "a number" else f"{kind.low}..{kind.high}"
        case Bool():
            return "bool"
        case Player():
            return "player"
        case Member(name) | Piece(name):
            return name or "piece"
        case Maybe(of):
            return f"{spelled(of)} or none"
        case List(of):
            return f"list of {spelled(of)}"
        case _:
            return str(kind)


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type can stand where the other is wanted (ranges are checked elsewhere)."""
    match given, wanted:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case NoValue(), Maybe():
            return True
        case Maybe(a), Maybe(b):
            return fits(a, b)
        case _, Maybe(b):
            return fits(given, b)
        case Int(), Int():
            return True
        case Piece(), Piece(None):
            return True
        case List(a), List(b):
            return fits(a, b)
        case _:
            return given == wanted


def comparable(a: Type, b: Type) -> bool:
    """Whether `==` between the two can ever hold."""
    return fits(plain(a), plain(b)) or fits(plain(b), plain(a)) or NoValue() in (a, b)


def plain(kind: Type) -> Type:
    """The type without `or none`."""
    return kind.of if isinstance(kind, Maybe) else kind


def maybe(kind: Type) -> Type:
    """The type with `or none`."""
    return kind if isinstance(kind, Maybe | Unknown) else Maybe(kind)


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that both fit, or None."""
    match a, b:
        case Unknown(), _:
            return b
        case _, Unknown():
            return a
        case NoValue(), NoValue():
            return a
        case NoValue(), _:
            return maybe(b)
        case _, NoValue():
            return maybe(a)
        case Int(), Int():
            return Int(min(a.low, b.low), max(a.high, b.high))
        case List(x), List(y):
            inner = join(x, y)
            return None if inner is None else List(inner)
        case Maybe(), _:
            inner = join(a.of, plain(b))
            return None if inner is None else maybe(inner)
        case _, Maybe():
            inner = join(a, b.of)
            return None if inner is None else maybe(inner)
        case Piece(), Piece():
            return a if a == b else Piece(None)
        case _:
            return a if a == b else None


def none_of(kind: Type) -> int:
    """The representation of `none` in a place of this type."""
    return NONE_NUMBER if isinstance(plain(kind), Int) else NONE
