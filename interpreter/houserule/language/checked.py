"""The checked tree, which the checker makes and the compiler reads, and the symbols that it refers to.

Names are resolved and types known. The tree is smaller than the syntax tree: thirteen kinds of expression and nineteen of
statement. Steps of the flow and scoring lines become the same statements, so the compiler handles only these. A routine has
a body, and a body calls routines: so both are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from houserule.diagnostics import NOWHERE, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.types import UNKNOWN, Int, Member, Operator, Piece, Player, Tuple, Type, place_of, values_at


@frozen
class Checked:
    """An expression with its place and its type."""

    span: Span
    type: Type


@frozen
class Constant(Checked):
    """A value known now: a number, a member, a player, a piece, or a tuple of them."""

    value: int | tuple[int, ...]


@frozen
class Local(Checked):
    """A local name, unique within its routine."""

    name: str


@frozen
class ReadVariable(Checked):
    """A variable, or one of a family."""

    variable: Variable
    index: tuple[Expression, ...]


@frozen
class Pile(Checked):
    """A zone as a pile; read as a list it is the live list of its pieces."""

    zone: Zone
    index: tuple[Expression, ...]


@frozen
class EitherPile(Checked):
    """One of two piles."""

    test: Expression
    yes: Pile | EitherPile
    no: Pile | EitherPile


@frozen
class Single(Checked):
    """The piece of a zone with a capacity of one, or none."""

    pile: Pile


@frozen
class AllPieces(Checked):
    """All pieces of a family of zones, in order."""

    zone: Zone


@frozen
class Printed(Checked):
    """A printed attribute."""

    kind: Kind
    attribute: str
    of: Expression


@frozen
class LookUp(Checked):
    """An entry of a table."""

    table: Table
    index: tuple[Expression, ...]


@frozen
class Call(Checked):
    """A call of the game's function. `me` is None if there is none."""

    function: Routine
    arguments: tuple[Expression, ...]
    me: Expression | None

    @property
    def callees(self) -> tuple[Routine, ...]:
        return (self.function,)


@frozen
class Apply(Checked):
    """An operator applied to arguments."""

    operator: Operator
    arguments: tuple[Expression, ...]


@frozen
class Select(Checked):
    """`value for binder in source where … by …`; `by` sorts stably. `value` is None for the member itself."""

    value: Expression | None
    binder: str
    source: Expression
    where: Expression | None
    by: tuple[Expression, ...]


@frozen
class Items(Checked):
    """A list literal."""

    items: tuple[Expression, ...]


Expression = (
    Constant
    | Local
    | ReadVariable
    | Pile
    | EitherPile
    | Single
    | AllPieces
    | Printed
    | LookUp
    | Call
    | Apply
    | Select
    | Items
)


# --- statements -------------------------------------------------------------------------------------------------------


@frozen
class Placed:
    """A statement with its place."""

    span: Span


Body = tuple["Statement", ...]
Parts = tuple["str | Expression", ...]


@frozen
class SetLocal(Placed):
    """Set a local; `bounded` if the program must check that the value is an `int`."""

    name: str
    value: Expression
    bounded: bool = False


@frozen
class SetVariable(Placed):
    """Set a variable; `check` if the program must check that the value is in its range."""

    target: ReadVariable
    value: Expression
    check: bool


@frozen
class Act(Placed):
    """A verb: its argument, then those of its prepositions in the order of its row, None for an omitted one.

    Piles and the variables that it changes are passed by slot. `result` is the local that it sets, `name` the name of a roll
    in events. `leaves` and `enters` are the zones that pieces may leave and enter; `mixed` are zones for one kind of pieces into which
    pieces of any kind would go.
    """

    operator: Operator
    arguments: tuple[Expression | None, ...] = ()
    result: str | None = None
    name: str = ""
    leaves: tuple[Zone, ...] = ()
    enters: tuple[Zone, ...] = ()
    mixed: tuple[Zone, ...] = ()
    changes: tuple[Variable, ...] = ()


@frozen
class Tell(Placed):
    """A sentence for everybody, or for one player."""

    to: Expression | None
    raw: str
    parts: Parts


@frozen
class Branch(Placed):
    """If."""

    test: Expression
    then: Body
    otherwise: Body


@frozen
class Each(Placed):
    """A loop over a list. `label` names the loop for jumps."""

    binder: str
    source: Expression
    body: Body
    label: str


@frozen
class Loop(Placed):
    """A loop with a test before each pass (while) and one after it (until), either of which may be None.

    `counter` is the local that counts passes without a choice.
    """

    test: Expression | None
    until: Expression | None
    body: Body
    label: str


@frozen
class Times(Placed):
    """A loop with a number of passes, evaluated once."""

    count: Expression
    body: Body
    label: str


@frozen
class Labelled(Placed):
    """A block that a `Jump` can leave: the body of a turn, an action, a step.

    `role` says which text of an author it is: `do` of a step, `then` or `else` of an `if` that is constant; "" for none.
    """

    body: Body
    label: str
    role: str = ""


@frozen
class Jump(Placed):
    """A jump to just after the statement with that label."""

    label: str


@frozen
class Return(Placed):
    """Return from the routine, with a result or without."""

    value: Expression | None


@frozen
class EndGame(Placed):
    """End the game. `ending` says how it ends, whatever the score, and `winners` who has won; "" leaves it to the score sheet."""

    ending: str = ""
    winners: Expression | None = None


@dataclass(slots=True, eq=False, repr=False)
class Site:
    """A place in the rules that asks a player: what a front end needs to know about the question."""

    kind: str  # pick, several, menu, race
    name: str
    type: Type
    span: Span
    may_pass: bool
    raw: str  # the prompt as written, "" for none
    parts: Parts
    labels: tuple[tuple[str, Parts], ...] = ()
    label_spans: tuple[Span, ...] = ()
    names: tuple[str, ...] = ()  # of a choice of several things together
    step: str = ""
    spoken_for: frozenset[int] = frozenset()  # the lines of a menu, -1 for a pass, that say what is told of them
    values: tuple[tuple[Expression, ...], ...] = ()  # by line of a menu: its values and those in its label, as lists
    whole: tuple[Expression, ...] = ()  # the lists of its values, or of its options, with nothing left out
    counted: Site | None = None  # stands for the question whether these lists are empty
    slots: dict[int, int] = field(default_factory=dict)  # by line with values: which part of an answer its value is

    def has_values(self, line: int) -> bool:
        """Whether a line of a menu stands for each value of a list."""
        return line in self.slots

    def line(self, answer: int) -> int:
        """The line of a menu that an answer takes; -1 for a pass."""
        if not isinstance(self.type, Tuple) or answer < 0:
            return answer
        return answer % self.type.sizes[-1]


@frozen
class Ask(Placed):
    """Ask a player. `result` is the local for the answer (None if there was nobody or nothing to ask).

    For a menu `source` is None and `whens` are the conditions of its lines; the answer is the number of a line. A menu with
    values has a source of tuples, which end with the line; that of a pass would be the one after the last.

    With `passes`, the question may be passed only if that holds; otherwise `strict` stands for it, the same without `or pass`.
    """

    site: Site
    chooser: Expression
    source: Expression | None
    whens: tuple[Expression | None, ...]
    low: Expression | None
    high: Expression | None
    result: str
    passes: Expression | None = None
    strict: Site | None = None

    @property
    def sites(self) -> tuple[Site, ...]:
        """The question with `or pass`, and that without, if it depends."""
        return (self.site,) if self.strict is None else (self.site, self.strict)

    @property
    def prompts(self) -> tuple[Parts, ...]:
        if self.site.values:
            return (self.site.parts, *self.site.values)
        return (self.site.parts, *(parts for _, parts in self.site.labels))


@frozen
class Perform(Placed):
    """Perform an action, or an effect of whichever member `of` is."""

    action: Routine | None
    effect: EffectSlot | None
    of: Expression | None
    arguments: tuple[Expression, ...]
    me: Expression | None
    result: str | None

    @property
    def callees(self) -> tuple[Routine, ...]:
        """The possible callees: for an effect, that of any member."""
        if self.action is not None:
            return (self.action,)
        return tuple(self.effect.bodies.values()) if self.effect is not None else ()

    @property
    def asks(self) -> bool:
        return any(callee.asks for callee in self.callees)

    @property
    def gives(self) -> Type:
        by = self.action or self.effect
        return by.result or UNKNOWN if by is not None else UNKNOWN


@frozen
class Together(Placed):
    """Each player in `source` runs the body separately, as `binder`; then all changes are merged."""

    binder: str
    source: Expression
    body: Body
    label: str


@frozen
class Race(Placed):
    """A race: who slaps, fastest first."""

    site: Site
    entrants: Expression
    must: Expression
    result: str


@frozen
class Reset(Placed):
    """Reset variables to their starts without setting off triggers."""

    variables: tuple[Variable, ...]


@frozen
class Enter(Placed):
    """A step of the flow begins, or in it the turn of `me`; everybody is told."""

    step: str
    me: Expression | None = None


@frozen
class Pause(Placed):
    """The program pauses, so that a scenario can arrange things before it plays."""


Statement = (
    SetLocal
    | SetVariable
    | Act
    | Tell
    | Branch
    | Each
    | Loop
    | Times
    | Labelled
    | Jump
    | Return
    | EndGame
    | Ask
    | Perform
    | Together
    | Race
    | Reset
    | Enter
    | Pause
)


def known_number(span: Span, value: int) -> Constant:
    return Constant(span, Int(value, value), value)


# --- what has a name -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Parameter:
    """One index of a family or one argument of a routine."""

    type: Type
    name: str | None
    span: Span = NOWHERE


@dataclass(slots=True, eq=False, repr=False)
class EffectSlot:
    """An effect that each member of a kind may have: its parameters, and the body of each member that has one.

    `otherwise` is what it gives where a body finishes without a value, and what members without a body give.
    """

    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    span: Span
    bodies: dict[int, Routine] = field(default_factory=dict)  # by position of the member in its kind
    otherwise: Constant | None = None
    result: Type | None = None  # what an effect of any member gives; None if nothing

    @property
    def asks(self) -> bool:
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
    functions: dict[str, Routine] = field(default_factory=dict)
    bonuses: dict[str, dict[int, tuple[str, nodes.Expression]]] = field(default_factory=dict)  # by name and position
    used_bonuses: set[str] = field(default_factory=set)
    product: tuple[Type, ...] = ()
    product_names: tuple[str, ...] = ()
    cells: dict[tuple[int, ...], int] = field(default_factory=dict)  # of a product: the first copies by index
    back: tuple[str, ...] = ()
    grid: str = ""  # of a grid: square or hexagonal
    reach: int = 0  # how far a board that grows goes in each direction; 0 for any other
    near: list[tuple[int, ...]] = field(default_factory=list)  # of a grid: the neighbours of each place
    lies: bool = False  # whether its pieces start in a zone
    quiet: bool = False  # bookkeeping, of whose pieces people are not told
    uses: int = 0  # how often something names it, a member or a piece of it

    @property
    def type(self) -> Type:
        return Piece(self.name) if self.is_piece else Member(self.name)

    @property
    def numbers(self) -> range:
        return range(self.base, self.base + len(self.ids))

    def first(self, id: str) -> int | None:
        try:
            return self.base + self.ids.index(id)
        except ValueError:
            return None

    def id_of(self, number: int) -> str:
        return self.ids[number - self.base]

    def copy_of(self, number: int) -> int:
        """Which copy of a piece or member it is, from 1; 0 if there is only one."""
        copy, *following = self.copies[number - self.base : number - self.base + 2]
        return copy if copy > 1 or 2 in following else 0

    def geometry(self) -> tuple[int, ...]:
        """A grid as numbers: its base, number of places, width if it goes round, shape, and most neighbours, then rows, columns and neighbours."""
        most = max(map(len, self.near), default=0)
        around = [near for one in self.near for near in (*one, *(-1,) * (most - len(one)))]
        rows, columns = (
            [value if isinstance(value, int) else 0 for value in self.attributes.get(name, ())]
            for name in ("row", "column")
        )
        head = self.base, len(self.ids), 2 * self.reach + 1 if self.reach else 0, int(self.grid == "hexagonal"), most
        return (*head, *rows, *columns, *around)

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
    writes: int = 0  # how often something sets it, or puts pieces there
    of_team: bool = False  # whether the owner's partners see it, too: `visible: team`

    @property
    def size(self) -> int:
        return prod(self.sizes)

    @property
    def slots(self) -> range:
        return range(self.base, self.base + self.size)

    @property
    def owned(self) -> bool:
        return bool(self.parameters) and self.parameters[0].type == Player()

    def slot(self, index: tuple[int, ...]) -> int:
        return self.base + place_of(index, self.lows, self.sizes)

    def index(self, slot: int) -> tuple[int, ...]:
        return values_at(slot - self.base, self.lows, self.sizes)


@dataclass(slots=True, eq=False, repr=False)
class Zone(Family):
    """A zone: an ordered pile of pieces, or a family of them."""

    holds: str | None = None  # None: pieces of any kind
    amount: str | Expression = "all"
    ordered: bool = True
    capacity: int | None = None
    refill: str | None = None
    quiet: bool = False  # bookkeeping, of which people are not told
    ranks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # by piece: its place for people, by `sort`

    @property
    def piece(self) -> Type:
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
    quiet: bool = False  # bookkeeping, of which people are not told
    reads: int = 0


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
    is_window: bool = False
    is_of_me: bool = False  # a condition whose only parameter is `me`: `eliminated`
    state: str = "unchecked"  # unchecked, checking, checked
    sets_off_triggers: bool = True  # not those that arrange a scenario
    otherwise: Constant | None = None  # of an effect: what it gives where it finishes without a value
    composed: Any = None  # what gives it a body, if no author wrote one
    imagined_in: str = ""  # the rule around it, if it is an imagined effect
    may_repeat: bool = True  # of a function: whether the list that it gives may have equal items


Occasion = tuple[str, str]
"""What triggers wait for: `leaves enters changes before after`, and the name of a zone, variable or action."""
