"""The checked tree, which the checker makes and the compiler reads. Names are resolved and types known.

It is smaller than the syntax tree: thirteen kinds of expression and nineteen of statement. Steps of the flow and
scoring lines become the same statements, so the compiler handles only these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.primitives import Operator
from houserule.language.trees import Inside, children, walk
from houserule.language.types import Int, Type

if TYPE_CHECKING:
    from houserule.language import symbols


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

    variable: symbols.Variable
    index: tuple[Expression, ...]


@frozen
class Pile(Checked):
    """A zone as a pile; read as a list it is the live list of its pieces."""

    zone: symbols.Zone
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

    zone: symbols.Zone


@frozen
class Printed(Checked):
    """A printed attribute."""

    kind: symbols.Kind
    attribute: str
    of: Expression


@frozen
class LookUp(Checked):
    """An entry of a table."""

    table: symbols.Table
    index: tuple[Expression, ...]


@frozen
class Call(Checked):
    """A call of the game's function. `me` is None if there is none."""

    function: symbols.Routine
    arguments: tuple[Expression, ...]
    me: Expression | None

    @property
    def callees(self) -> tuple[symbols.Routine, ...]:
        """What is called."""
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
    in events. `leaves` and `enters` are the zones that pieces may leave and enter.
    """

    operator: Operator
    arguments: tuple[Expression | None, ...] = ()
    result: str | None = None
    name: str = ""
    leaves: tuple[symbols.Zone, ...] = ()
    enters: tuple[symbols.Zone, ...] = ()
    changes: tuple[symbols.Variable, ...] = ()


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


@frozen
class Ask(Placed):
    """Ask a player. `result` is the local for the answer (None if there was nobody or nothing to ask).

    For a menu `source` is None and `whens` are the conditions of its lines; the answer is the number of a line.
    """

    site: Site
    chooser: Expression
    source: Expression | None
    whens: tuple[Expression | None, ...]
    low: Expression | None
    high: Expression | None
    result: str

    @property
    def prompts(self) -> tuple[Parts, ...]:
        """The sentences of the question."""
        return (self.site.parts, *(parts for _, parts in self.site.labels))


@frozen
class Perform(Placed):
    """Perform an action, or an effect of whichever member `of` is."""

    action: symbols.Routine | None
    effect: symbols.EffectSlot | None
    of: Expression | None
    arguments: tuple[Expression, ...]
    me: Expression | None
    result: str | None

    @property
    def callees(self) -> tuple[symbols.Routine, ...]:
        """The possible callees: for an effect, that of any member."""
        if self.action is not None:
            return (self.action,)
        return tuple(self.effect.bodies.values()) if self.effect is not None else ()

    @property
    def asks(self) -> bool:
        """Whether a callee may ask somebody."""
        return any(callee.asks for callee in self.callees)


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

    variables: tuple[symbols.Variable, ...]


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


# --- traversal ----------------------------------------------------------------------------------------------------------------

ASIDE = frozenset(
    "span type operator site zone variable table kind function action effect leaves enters changes variables".split()
)
PLAIN = frozenset({"str", "str | None", "bool", "int | tuple[int, ...]"})
"""The annotations of fields that hold no part of the tree."""


@cache
def inner_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a class of the checked tree that can hold other nodes."""
    prompts = ("prompts",) if kind is Ask else ()
    return (*[f.name for f in fields(kind) if f.name not in ASIDE and f.type not in PLAIN], *prompts)


@cache
def bodies_in(kind: Any) -> tuple[str, ...]:
    """The fields of a class of statements that hold statements, the last one first."""
    return tuple(f.name for f in reversed(fields(kind)) if f.type == "Body")


IN_EVERYTHING = Inside((Checked, Placed), inner_fields)
IN_STATEMENTS = Inside(Placed, bodies_in)


def everything(node: object) -> list[Checked | Placed]:
    """Every statement and every expression in one, or in several, including those in prompts."""
    return walk(node, IN_EVERYTHING)


def expressions(node: object) -> list[Expression]:
    """Every expression in a statement, an expression, or several, including those in prompts."""
    return [inner for inner in everything(node) if isinstance(inner, Checked)]  # type: ignore[misc]  # all are in `Expression`


def statements(body: object) -> list[Statement]:
    """Every statement in a body, nested ones included, in order."""
    return walk(body, IN_STATEMENTS)


def parts(value: Expression) -> list[Expression]:
    """The direct subexpressions of one."""
    return children(value, IN_EVERYTHING)


def called_among(inside: Iterable[Checked | Placed]) -> Iterator[symbols.Routine]:
    """The routines that these statements and expressions call."""
    for one in inside:
        if isinstance(one, Call | Perform):
            yield from one.callees


def occasions(statement: object) -> tuple[symbols.Occasion, ...]:
    """The occasions of triggers that a statement itself can be."""
    match statement:
        case Act(leaves=leaves, enters=enters, changes=changes):
            return (*named("leaves", leaves), *named("enters", enters), *named("changes", changes))
        case SetVariable(target=target):
            return (("changes", target.variable.name),)
        case Perform(action=action) if action is not None:
            return (("before", action.name), ("after", action.name))
        case _:
            return ()


@lru_cache(maxsize=256)
def named(happening: str, families: tuple[symbols.Family, ...]) -> tuple[symbols.Occasion, ...]:
    """These occasions by name; a verb whose pieces may lie anywhere counts for all zones."""
    return tuple((happening, family.name) for family in families)


def piles_of(value: Expression | None) -> tuple[Pile, ...]:
    """The pile that an expression denotes, or all that it can denote; none if it denotes no pile."""
    match value:
        case Pile():
            return (value,)
        case EitherPile(yes=yes, no=no):
            return (*piles_of(yes), *piles_of(no))
        case _:
            return ()


def zones_of(value: Expression | None) -> tuple[symbols.Zone, ...]:
    """The zones of the piles that an expression can denote."""
    return tuple(pile.zone for pile in piles_of(value))


def known_number(span: Span, value: int) -> Constant:
    """A constant number."""
    return Constant(span, Int(value, value), value)


def numbers_of(values: Sequence[Expression]) -> tuple[int, ...] | None:
    """The values of constants; None if not all are constant."""
    numbers = tuple(v.value for v in values if isinstance(v, Constant) and isinstance(v.value, int))
    return numbers if len(numbers) == len(values) else None
