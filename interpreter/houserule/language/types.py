"""The types of the effect language, how they fit each other, and the primitive operators over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule.frozen import by_value, frozen

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


def indefinite(noun: str) -> str:
    """A noun with its article: `an event`, `a card`."""
    return f"an {noun}" if noun[:1] in "aeiou" and noun[:3] not in ("uni", "use") else f"a {noun}"


@by_value
class Member:
    """A member of an enum."""

    kind: str

    def __str__(self) -> str:
        return indefinite(self.kind)


@by_value
class Piece:
    """A piece of a kind; of any kind if `kind` is None."""

    kind: str | None = None

    def __str__(self) -> str:
        return indefinite(self.kind) if self.kind else "a piece"


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
        return values_at(value, self.lows, self.sizes)

    def parts_of(self, values: Sequence[int]) -> list[tuple[int, ...]]:
        """The parts of many values, each by all of them at once."""
        columns = []
        for low, size in zip(reversed(self.lows), reversed(self.sizes), strict=True):
            columns.append([low + value % size for value in values])
            values = [value // size for value in values]
        return list(zip(*reversed(columns), strict=True))

    def whole(self, parts: Iterable[int]) -> int:
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
    return fits(plain(a), plain(b)) or fits(plain(b), plain(a)) or NoValue() in (a, b)


def plain(kind: Type) -> Type:
    return kind.of if isinstance(kind, Maybe) else kind


def element(kind: Type) -> Type:
    """The type of the members of a list; any other type itself."""
    return kind.of if isinstance(kind, List) else kind


def maybe(kind: Type) -> Type:
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
        case (Maybe(), _) | (_, Maybe()):
            inner = join(plain(a), plain(b))
            return None if inner is None else maybe(inner)
        case Piece(), Piece():
            return a if a == b else Piece(None)
        case _:
            return a if a == b else None


def none_of(kind: Type) -> int:
    return NONE_NUMBER if isinstance(plain(kind), Int) else NONE


@by_value
class Moves:
    """Pieces of `what` go to `to`: those from its top, as many as `number` says, if that is a word; perhaps to a position, `at`."""

    what: str
    to: str
    at: str = ""
    number: str = ""


@by_value
class Exchanges:
    """Two pieces, zones or variables change places."""

    one: str
    other: str


@by_value
class Passes:
    """The zone of each player goes on to another player, `by` seats away."""

    what: str
    by: str


@by_value
class Mixes:
    """Chance gives a zone another order."""

    what: str


@by_value
class Picks:
    """Chance picks one of these, for the place that the verb's argument names."""

    source: str


@by_value
class Shows:
    """Players see what pieces are, which stay where they are; without `to`, everybody does."""

    what: str
    to: str = ""


Effect = Moves | Exchanges | Passes | Mixes | Picks | Shows


@by_value
class Doing:
    """What a verb does: all that passes know about it. Effects name arguments by word, as they stand in an act in the order of `words`.

    `is_own` says that a player can do it alone, in a `together`; `seen` is what everybody sees, as the subject of a sentence.
    """

    effects: tuple[Effect, ...]
    words: tuple[str, ...]
    uses_chance: bool
    seen: str

    @property
    def is_own(self) -> bool:
        return not self.uses_chance and not any(isinstance(one, Passes) for one in self.effects)


NOTHING_DONE = Doing((), (), False, "")


@frozen
class Operator:
    """The operator of an `Apply`.

    `python` is its text in Python: `{0}`, `{1}` … stand for the arguments, `{*}` for all of them, `{s}` for the state.
    `lazy` says that some arguments are evaluated only when they are needed, `reads_state` that the result depends on the
    state beyond the arguments. `gathers` is how a list is reduced, so that a short one can be unrolled: `or`, `nor`,
    `and`, `count`, `sum`. `keeps_some` says that the result of a nonempty list is not empty either.
    `unwatched` is the text of a verb when no event is recorded, no trigger waits for it and no zone can be full.
    `work` are the numbers of the arguments that it iterates over in full, -1 for its result, which counts as work: `each` is
    that of one element, in sixteenths of a unit, and `each_found` that of one of the result, if it differs. `doing` is what a verb does.
    `in_turn` is the function that takes a condition in place of a filter of a whole board, and gives its results one by one.
    """

    name: str
    python: str
    lazy: bool = False
    reads_state: bool = False
    gathers: str = ""
    keeps_some: bool = False
    unwatched: str = ""
    work: tuple[int, ...] = ()
    each: int = 2
    doing: Doing = NOTHING_DONE
    each_found: int = 0
    in_turn: str = ""

    def price(self, position: int) -> int:
        """The work of an element of an argument, or of the result, -1."""
        return self.each_found if position < 0 and self.each_found else self.each


NEGATE = Operator("negate", "(-{0})")
ARITHMETIC = {sign: Operator(sign, f"({{0}} {sign} {{1}})") for sign in ("+", "-", "//", "%")}
ARITHMETIC["*"] = Operator("*", "times({0}, {1})")
ADD, SUBTRACT, MULTIPLY = ARITHMETIC["+"], ARITHMETIC["-"], ARITHMETIC["*"]
SHORT_PRODUCT = Operator("short product", "({0} * {1})")
"""A product of two numbers that are surely as small as those of variables."""
LARGEST = 2**256
"""A product beyond this is a fault: no rule needs it, and squares of squares would soon have millions of digits."""

NOT = Operator("not", "(not {0})")
AND = Operator("and", "({0} and {1})", lazy=True)
OR = Operator("or", "({0} or {1})", lazy=True)
OR_NOT = Operator("or not", "({0} or not {1})", lazy=True)
CONDITIONAL = Operator("if else", "({0} if {1} else {2})", lazy=True)
COMPARISONS = {
    sign: Operator(sign, f"({{0}} {sign} {{1}})", work=(1,) if sign.endswith("in") else (0, 1), each=8)
    for sign in ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
}
EQUAL, NOT_EQUAL, LESS, GREATER = (COMPARISONS[sign] for sign in ("==", "!=", "<", ">"))
PRESENT = Operator("present", "({0} >= 0)")
"""Whether a member, piece or player is not none."""
PRESENT_NUMBER = Operator("present number", "({0} != {1})")
"""Whether a number differs from the second argument, which represents none."""
SURE = Operator("sure", "sure({0}, {1})")
"""A value that differs from the second argument, which represents none; otherwise a fault."""
WITHIN = Operator("within", "({1} <= {0} < {2})")
"""Whether a number is at least the second argument and less than the third."""
INSIDE = Operator("inside", "inside({0}, {1}, {2}, {3})")
"""The number itself; a fault if it is outside the two bounds and is not the last argument."""

SPAN = Operator("span", "span({0}, {1})")
"""The integers from the first argument to the second."""
JOINED = Operator("joined", "joined({0}, {1})", work=(0, 1))
WITHOUT = Operator("without", "without({0}, {1})", work=(0, 1), each=48)
DISTINCT = Operator("distinct", "distinct({0})", keeps_some=True, work=(0,), each=24)
ITEM = Operator("item", "item({0}, {1}, {2})")
"""The item at a position counted from 1; the last argument if there is none."""
AT = Operator("at", "{0}[{1}]")
"""The item at a position counted from 0, which exists."""
LENGTH = Operator("length", "len({0})")
ANY_LIE = Operator("any lie", "(len({0}) > 0)")
"""Whether a list is not empty."""
SNAPSHOT = Operator("snapshot", "{0}[:]", work=(0,))
"""A copy of a pile as it is now."""
AS_LIST = Operator("as list", "list({0})", work=(0,))
LIVE = Operator("live", "{0}")
"""A value that is not copied: a pile is read in place."""
ALONE = Operator("alone", "[{0}]")
"""A list of one."""
PAIR = Operator("pair", "({0}, {1})")
PACKED = Operator("packed", "({0} * {3} + {1} - {2})")
"""The number of a tuple (`types.Tuple`), from that of its beginning, the next part, its least value, and its number of values."""
UNPACKED = Operator("unpacked", "({0} // {1} % {2} + {3})")
"""A part of such a number: the number, the weight of the part, its number of values, its least value."""
CHAINED = Operator("chained", "chained({0})")
"""Lists joined in order."""
IN_ORDER = Operator("in order", "in_order({0})", work=(0,), each=80)
"""The values of a list of pairs of key and value, sorted by key."""
CELL = Operator("cell", "cell_of({0}, {1}, {2}, {3})")
"""The piece at the indices of a product: flat cells, least indices, sizes, indices."""
TOTAL = Operator("total", "sum({0})", gathers="sum", work=(0,), each=6)

SEATING = Operator("seating", "SEATING[{0}]")
"""All players in seat order, beginning with one."""
OPPONENTS = Operator("opponents", "OPPONENTS[{0}]")
"""All players but one, in the same order."""
PARTNERS = Operator("partners", "{0}")
"""A list that is all partners of the player in the second argument: certainly some."""
RIVALS = Operator("rivals", "{0}")
"""A list that is all players of other teams than the player in the second argument: certainly some."""
WINNERS = Operator("winners", "WINNERS({s})", reads_state=True)
POINTS = Operator("points", "POINTS({s}, {0})", reads_state=True)
IDLE = Operator("idle", "({0} not in {s}.running)", reads_state=True)
"""Whether a trigger, by its number, is not running."""

MARKED = Operator("marked", "(mark({s}, {0}) or {1})", lazy=True, reads_state=True)
"""The second argument, after marking the probe whose number is the first."""
WAY = Operator("way", "way({s}, {0}, {1}, {2})", reads_state=True)
"""A condition that marks one of two probes, by its outcome."""

MARK = Operator("mark", "mark({s}, {0})")
PASS = Operator("pass", "endless_loop()")
"""Counts a pass of a loop that may ask."""
DRAIN = Operator("drain", "({s}.queue and drain({s}))")
"""Runs the waiting triggers that ask nobody."""
BEGIN = Operator("begin", "{s}.begin({0})")
END = Operator("end", "{s}.end()")
"""A trigger, by its number, begins or ends."""
