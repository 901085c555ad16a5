"""The symbol table of a game: the checker looks names up in it, and the compiler assigns slots from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from houserule.diagnostics import NOWHERE, Span
from houserule.language import nodes
from houserule.language.checked import Body, Expression
from houserule.language.types import UNKNOWN, Bool, Int, Member, Piece, Player, Type, place_of, values_at


@dataclass(slots=True, eq=False, repr=False)
class Parameter:
    """One index of a family or one argument of a routine."""

    type: Type
    name: str | None
    span: Span = NOWHERE


@dataclass(slots=True, eq=False, repr=False)
class EffectSlot:
    """An effect that each member of a kind may have: its parameters, and the body of each member that has one."""

    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    span: Span
    bodies: dict[int, Routine] = field(default_factory=dict)  # by position of the member in its kind

    @property
    def asks(self) -> bool:
        """Whether that of any member may ask somebody."""
        return any(body.asks for body in self.bodies.values())


@dataclass(slots=True, eq=False, repr=False)
class Kind:
    """An enum or a kind of piece, with all its members in order.

    The number of a member is `base` + its position. Enums have base 0; the pieces of all kinds share one numbering.
    """

    name: str
    is_piece: bool
    span: Span
    base: int = 0
    ids: list[str] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)  # the number of the copy, from 1
    spans: list[Span] = field(default_factory=list)
    attribute_types: dict[str, Type] = field(default_factory=dict)
    attribute_spans: dict[str, Span] = field(default_factory=dict)
    attributes: dict[str, list[int | tuple[int, ...]]] = field(default_factory=dict)
    effects: dict[str, EffectSlot] = field(default_factory=dict)
    product: tuple[Type, ...] = ()
    product_names: tuple[str, ...] = ()
    cells: dict[tuple[int, ...], int] = field(default_factory=dict)  # of a product: the first copies by index
    back: tuple[str, ...] = ()
    lies: bool = False  # whether its pieces start in a zone
    uses: int = 0  # how often something names it, a member or a piece of it

    @property
    def type(self) -> Type:
        """The type of a member."""
        return Piece(self.name) if self.is_piece else Member(self.name)

    @property
    def numbers(self) -> range:
        """The numbers of all members."""
        return range(self.base, self.base + len(self.ids))

    def first(self, id: str) -> int | None:
        """The number of the (first copy of the) member with that name, or None."""
        try:
            return self.base + self.ids.index(id)
        except ValueError:
            return None

    def id_of(self, number: int) -> str:
        """The name of the member with that number."""
        return self.ids[number - self.base]

    def seat_of(self, number: int) -> int | None:
        """The owner of a member, by an attribute `seat` that names a player; None without such an attribute."""
        if not isinstance(self.attribute_types.get("seat"), Player):
            return None
        seat = self.attributes["seat"][number - self.base]
        return seat if isinstance(seat, int) else -1


@dataclass(slots=True, eq=False, repr=False)
class Family:
    """The common part of zones and variables: a name, indices, and consecutive slots from `base`."""

    name: str
    parameters: tuple[Parameter, ...]
    span: Span
    base: int = 0
    lows: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    visible: str | Expression = "all"  # all, none, owner, or an expression over viewer and the index (and `it`)
    uses: int = 0

    @property
    def size(self) -> int:
        """The number of slots."""
        return prod(self.sizes)

    @property
    def owned(self) -> bool:
        """Whether the first index is the owner."""
        return bool(self.parameters) and self.parameters[0].type == Player()

    def slot(self, index: tuple[int, ...]) -> int:
        """The slot for some indices."""
        return self.base + place_of(index, self.lows, self.sizes)

    def index(self, slot: int) -> tuple[int, ...]:
        """The inverse of `slot`."""
        return values_at(slot - self.base, self.lows, self.sizes)


@dataclass(slots=True, eq=False, repr=False)
class Zone(Family):
    """A zone: an ordered pile of pieces, or a family of them."""

    holds: str | None = None  # None: pieces of any kind
    amount: str | Expression = "all"
    ordered: bool = True
    capacity: int | None = None
    refill: str | None = None

    @property
    def piece(self) -> Type:
        """The type of what lies in it."""
        return Piece(self.holds)


@dataclass(slots=True, eq=False, repr=False)
class Variable(Family):
    """A variable: a number, a truth value, a reference, or a family of them."""

    type: Type = UNKNOWN
    start: Expression | None = None
    reset: str | None = None
    of_kind: str | None = None  # declared by a kind of piece or an enum
    positions: tuple[Family, ...] = ()  # there is a value for each position of these zones and variables, if any
    for_people: bool = False  # whether it is shown to people, so that rules need not read it
    reads: int = 0
    writes: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """A constant look-up table with one or two indices; `lows` are the least values of these."""

    name: str
    span: Span
    indices: tuple[Type, ...]
    lows: tuple[int, ...]
    values: tuple[int, ...] | tuple[tuple[int, ...], ...]
    type: Type
    uses: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Option:
    """A setting of the game: a constant once a match starts."""

    name: str
    span: Span
    type: Type
    value: int
    uses: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Routine:
    """A function, an action, an effect of one member, or a trigger: parameters and a body."""

    name: str  # as an author names it: "pick", "mushroom.truffle.found"
    parameters: tuple[Parameter, ...]
    span: Span
    is_function: bool = False
    source: nodes.Block | nodes.Expression | None = None
    body: Body | None = None
    result: Type | None = None  # None until its body has been checked
    needs_me: bool = False
    asks: bool = False
    this: Type | None = None
    uses: int = 0
    recursive: bool = False
    is_trigger: bool = False
    is_of_me: bool = False  # a condition whose only parameter is `me`: `eliminated`
    state: str = "unchecked"  # unchecked, checking, checked
    sets_off_triggers: bool = True  # not those that arrange a scenario
    imagined_in: str = ""  # the rule around it, if it is an imagined effect


Occasion = tuple[str, str]
"""What triggers wait for: `leaves enters changes before after`, and the name of a zone, variable or action."""


@dataclass(slots=True, eq=False, repr=False)
class Trigger:
    """A trigger: what happens whenever something else does. Triggers are numbered in the order of the rules."""

    name: str
    number: int
    event: nodes.Event
    routine: Routine

    @property
    def is_around_action(self) -> bool:
        """Whether it waits for an action, and so is performed with that."""
        return self.event.happening in ("before", "after")


@dataclass(slots=True, eq=False, repr=False)
class SymbolTable:
    """All names of a game for one number of players."""

    players: int
    seats: tuple[str, ...] = ()  # names of players, if a scenario gives them
    kinds: dict[str, Kind] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    functions: dict[str, Routine] = field(default_factory=dict)
    actions: dict[str, Routine] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    imagined: list[Routine] = field(default_factory=list)
    waiting: dict[Occasion, list[Trigger]] = field(default_factory=dict)

    def add_trigger(self, trigger: Trigger) -> None:
        """Declare a trigger, which then waits for its event."""
        self.triggers.append(trigger)
        self.waiting.setdefault((trigger.event.happening, trigger.event.place), []).append(trigger)

    def members(self, id: str) -> Iterator[tuple[Kind, int]]:
        """Every enum member with that name."""
        for kind in self.kinds.values():
            if not kind.is_piece and id in kind.ids:
                yield kind, kind.base + kind.ids.index(id)

    def piece(self, id: str) -> tuple[Kind, int] | None:
        """The first copy of the piece with that id."""
        for kind in self.kinds.values():
            if kind.is_piece:
                number = kind.first(id)
                if number is not None:
                    return kind, number
        return None

    @property
    def pieces(self) -> int:
        """The total number of pieces."""
        return sum(len(kind.ids) for kind in self.kinds.values() if kind.is_piece)

    def domain(self, type: Type) -> range | None:
        """All values of a finite type, or None."""
        match type:
            case Bool():
                return range(2)
            case Player():
                return range(self.players)
            case Member(kind):
                return self.kinds[kind].numbers
            case Piece(None):
                return range(self.pieces)
            case Piece(str(kind)):
                return self.kinds[kind].numbers
            case Int(low, high) if high - low < 10_000:
                return range(low, high + 1)
            case _:
                return None

    def owned_by_player(self, name: str) -> bool:
        """Whether pieces of that kind have owners, by an attribute `seat`."""
        return self.kinds[name].attribute_types.get("seat") == Player()
