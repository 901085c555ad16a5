"""The syntax tree of the effect language: `parse` makes it, and every later pass matches on it.

One class for each alternative of `effects.lark` (the alias `-> some_name` is the class `SomeName`). The docstring of a
class is its paragraph in the manual. Nodes compare by identity, so that a pass can keep facts about one of them.
"""

from __future__ import annotations

from houserule.diagnostics import Span
from houserule.frozen import frozen


@frozen
class Node:
    """A piece of effect text, with its place in the file."""

    span: Span


# --- expressions ------------------------------------------------------------------------------------------------------


@frozen
class Number(Node):
    """A whole number: `5`."""

    value: int


@frozen
class Truth(Node):
    """`true` or `false`."""

    value: bool


@frozen
class Absent(Node):
    """`none`: nobody, no piece, no value."""


@frozen
class Name(Node):
    """A name: of a local, a variable, a zone, a member, a player, a piece, or `me`, `it`, `this`."""

    id: str


@frozen
class Copy(Node):
    """One copy of a piece: `bronze_emerald#2` is the second."""

    id: str
    number: int


@frozen
class Every(Node):
    """All members of a kind as a list: `every card`."""

    kind: str


@frozen
class ListOf(Node):
    """A list written out: `[a, b]`."""

    items: tuple[Expression, ...]


@frozen
class Range(Node):
    """All whole numbers from `low` to `high`, both included: `1..6`."""

    low: Expression
    high: Expression


@frozen
class Negative(Node):
    """`-x`."""

    operand: Expression


@frozen
class Not(Node):
    """`not x`: true where the condition does not hold."""

    operand: Expression


@frozen
class Binary(Node):
    """Arithmetic on two numbers; also `+` and `-` on lists. `operator` is one of `+ - * // %`."""

    left: Expression
    operator: str
    right: Expression


@frozen
class Compare(Node):
    """A comparison; `operator` is one of `== != < <= > >= in`, or `not in`."""

    left: Expression
    operator: str
    right: Expression


@frozen
class Is(Node):
    """`x is mushroom`: tests for a kind, a piece's id or a member, and narrows; `negated` for `x is not mushroom`.

    `x is none` is understood: `kind` is then "none".
    """

    operand: Expression
    kind: str
    negated: bool


@frozen
class Logic(Node):
    """`a and b`, `a or b`: the right side is evaluated only if it matters."""

    left: Expression
    operator: str
    right: Expression


@frozen
class Conditional(Node):
    """`a if c else b`."""

    then: Expression
    test: Expression
    otherwise: Expression


@frozen
class Attribute(Node):
    """`x.f`: a printed attribute of x, else the zone or variable `f[x]`, else the function `f(x)`."""

    of: Expression
    name: str
    name_span: Span


@frozen
class Index(Node):
    """`patch[wood]`: one of a family of zones or variables, an entry of a table, or the piece of a product."""

    of: Expression
    arguments: tuple[Expression, ...]


@frozen
class Call(Node):
    """`f(a, b)`: a function of the game or an operation."""

    function: Expression
    arguments: tuple[Expression, ...]


@frozen
class Sure(Node):
    """`x!`: x, which could be none but never is here. A fault if it is none after all."""

    operand: Expression


@frozen
class PlayersFrom(Node):
    """`players from p`: all players in seat order, beginning with p."""

    first: Expression


@frozen
class Selection(Node):
    """`E for x in S where P by K`: the members of S that satisfy P, in ascending order of K, mapped to E.

    Every part but `source` may be missing. Without a `binder` the member is `it`. `by` is one key, or a `ListOf`
    of several. In `E for x in S for y in T where P` every x is combined with every y: the lists before the last, each with its
    name and a condition of its own if it has one, are `around` it.
    """

    value: Expression | None
    binder: str | None
    binder_span: Span | None
    source: Expression
    where: Expression | None
    by: Expression | None
    around: tuple[Selection, ...] = ()


@frozen
class WhatIf(Node):
    """`E after move card to discard`: the value that E would have after that. The state does not change."""

    value: Expression
    effect: tuple[Statement, ...]


Expression = (
    Number
    | Truth
    | Absent
    | Name
    | Copy
    | Every
    | ListOf
    | Range
    | Negative
    | Not
    | Binary
    | Compare
    | Is
    | Logic
    | Conditional
    | Attribute
    | Index
    | Call
    | Sure
    | PlayersFrom
    | Selection
    | WhatIf
)


# --- statements -------------------------------------------------------------------------------------------------------


@frozen
class Block(Node):
    """Statements, one after another."""

    statements: tuple[Statement, ...]
    is_partial: bool = False  # some of its lines could not be read


@frozen
class Assign(Node):
    """`x = e`, `x += e`: sets the variable of that name, else a local name of this block. `operator`: `= += -= *= //= %=`."""

    target: Expression
    operator: str
    value: Expression


@frozen
class Preposition(Node):
    """An argument of a command: `to discard`. For `as card` the value is a `Name`."""

    word: str
    value: Expression


@frozen
class Command(Node):
    """A verb of the table of operations: `move card to discard`, `draw 2 from deck to me.hand as cards`."""

    verb: str
    verb_span: Span
    argument: Expression
    prepositions: tuple[Preposition, ...]


@frozen
class Say(Node):
    """`say "{me} opens the basket"`, `say to p "…"`: tells everybody, or one player."""

    to: Expression | None
    text: Text


@frozen
class Text(Node):
    """A sentence for people. `parts` alternate between strings and the expressions that stood in braces."""

    raw: str
    parts: tuple[str | Expression, ...]


@frozen
class If(Node):
    """`if c: …`, with `elif` as an `If` alone in `otherwise`."""

    test: Expression
    then: Block
    otherwise: Block | None


@frozen
class For(Node):
    """`for x in S: …`: the list is evaluated once, before the first pass."""

    binder: str
    binder_span: Span
    source: Expression
    body: Block


@frozen
class While(Node):
    """`while c: …`."""

    test: Expression
    body: Block


@frozen
class Repeat(Node):
    """`repeat 3 times: …`."""

    count: Expression
    body: Block


@frozen
class Leave(Node):
    """`leave`: ends the innermost loop; `leave round`: the repetition of that step."""

    step: str | None


@frozen
class Finish(Node):
    """`finish`: ends this action, effect or turn; `finish round`: this pass of that step."""

    step: str | None


@frozen
class FinishWith(Node):
    """`finish with e`: ends this action or function with that result."""

    value: Expression


@frozen
class EndGame(Node):
    """`end game`: the game ends at once and is scored. `end game with draw`: it ends that way, whatever the score.

    `ending` is what it ends with, and `of` whose victory or defeat that is.
    """

    ending: str | None = None
    ending_span: Span | None = None
    of: Expression | None = None


@frozen
class Nothing(Node):
    """`nothing`: does nothing."""


@frozen
class ChosenPart(Node):
    """`, target from T` in a `choose`: what is chosen in the same question."""

    name: str
    name_span: Span
    source: Expression


@frozen
class Choose(Node):
    """`choose card from S "prompt": … else: …`, `rival chooses 1..3 cards or pass from S`, `choose card from S, target from T`.

    `chooser` is None for `me`. `count` is None for one; a number or a `Range` makes the answer a list. `also` is what is chosen
    in the same question: each of S is combined with each of T, which may depend on it. `pass_when` limits `or pass`.
    """

    chooser: Expression | None
    name: str
    name_span: Span
    count: Expression | None
    may_pass: bool
    source: Expression
    prompt: Text | None
    body: Block | None
    otherwise: Block | None
    also: tuple[ChosenPart, ...] = ()
    pass_when: Expression | None = None


@frozen
class MenuItem(Node):
    """One line of a menu: `"Draw" when n < limit: …`; `"Draw" tell "{me} draws a card.": …` says what is told of it.

    `"Pay {n}" for n in 1..3: …` is a line for each value of a list.
    """

    label: Text
    values: Selection | None
    when: Expression | None
    told: Text | None
    body: Block


@frozen
class Menu(Node):
    """`choose "Draw another card?":` with a block of labels; `or pass` lets the chooser decline (`otherwise` runs then)."""

    chooser: Expression | None
    prompt: Text
    may_pass: bool
    items: tuple[MenuItem, ...]
    otherwise: Block | None
    pass_when: Expression | None = None


@frozen
class Perform(Node):
    """`perform rest`, `perform m.found`, `ok = perform pay(2)` (then `result` is the name `ok`).

    `callee` is a `Name` or an `Attribute`.
    """

    result: Name | None
    callee: Expression
    arguments: tuple[Expression, ...]


@frozen
class As(Node):
    """`as victim: …`: `me` is someone else inside."""

    player: Expression
    body: Block


@frozen
class Together(Node):
    """`together p in opponents: …`: everyone at once, unseen; `me` is p inside. `binder` may be missing."""

    binder: str | None
    binder_span: Span | None
    source: Expression
    body: Block


@frozen
class Race(Node):
    """`race p in players must entitled(p) as order`: who slaps, fastest first."""

    binder: str | None
    binder_span: Span | None
    source: Expression
    must: Expression | None
    result: str
    result_span: Span


Statement = (
    Assign
    | Command
    | Say
    | If
    | For
    | While
    | Repeat
    | Leave
    | Finish
    | FinishWith
    | EndGame
    | Nothing
    | Choose
    | Menu
    | Perform
    | As
    | Together
    | Race
)


# --- small texts that are neither: declarations in YAML keys and values -------------------------------------------------


@frozen
class TypeName(Node):
    """A type: `int`, `0..20`, `bool`, an enum, a kind, `player`, `piece`; `or none`; `list of T`.

    `name` is "range" for a range, whose ends are `low` and `high`.
    """

    name: str
    low: Expression | None
    high: Expression | None
    optional: bool
    is_list: bool


@frozen
class Declaration(Node):
    """A variable's value in YAML: `TYPE` or `TYPE = START`."""

    type: TypeName
    start: Expression | None


@frozen
class Parameter(Node):
    """`mushroom picked`: a type before a name. The index of a zone or variable may be a type alone: then `name` is None."""

    type: TypeName
    name: str | None


@frozen
class Signature(Node):
    """A YAML key that declares: `pick(mushroom m, int limit)`, `basket(player)`, `discard`.

    `otherwise` is what an effect gives where it gives nothing else: `toll(player p) = 0`.
    """

    name: str
    name_span: Span
    parameters: tuple[Parameter, ...]
    otherwise: Expression | None = None


@frozen
class Binding(Node):
    """A step's `for: h in habitat`, `turns: players from starter`, `together: p in players where …`."""

    binder: str | None
    binder_span: Span | None
    source: Expression


@frozen
class Event(Node):
    """A trigger's `whenever`: `c leaves basket of p`, `c enters compost`, `score of p changes`, `before pick`, `after pick as ok`.

    `happening` is one of `leaves enters changes before after`. `subject` is the piece's name (None for the others), `place`
    the zone, variable or action, `of` the names of its indices, `result` what follows `as`.
    """

    happening: str
    subject: str | None
    place: str
    place_span: Span
    of: tuple[str, ...]
    result: str | None
