"""A game as written: the definition that `build` makes from merged YAML, before players and options are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.secrecy.labels import Revelation
from houserule.source import Scalar


@frozen
class Prose:
    """A text for people, by language; a text without a language is under ""."""

    span: Span
    texts: dict[str, nodes.Text]

    def raw(self, language: str = "en") -> str:
        """The text as written in that language, else in the first one given."""
        found = self.texts.get(language) or next(iter(self.texts.values()))
        return found.raw

    @property
    def shows_values(self) -> bool:
        return any(not isinstance(part, str) for text in self.texts.values() for part in text.parts)


@frozen
class Assumption:
    """Something the rulebook does not say: where, and the reason by language; "" is for everybody."""

    span: Span
    texts: Mapping[str, str]

    @property
    def reason(self) -> str:
        return next(iter(self.texts.values()))

    def reason_in(self, language: str) -> str:
        return self.texts.get(language, self.reason)


@frozen
class BoxDefinition:
    """Things of one sort in the box that no rule moves."""

    name: str
    span: Span
    count: int
    title: Prose | None


@frozen
class OptionDefinition:
    """A knob of the rules."""

    name: str
    span: Span
    type: nodes.TypeName
    default: nodes.Expression
    title: Prose | None
    text: Prose | None


@frozen
class VariableDefinition:
    """A variable or a family of them; `of_kind` where a kind declares it for its pieces."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    type: nodes.TypeName
    start: nodes.Expression | None
    reset: str | None
    reset_span: Span | None
    visible: str | nodes.Expression
    title: Prose | None
    of_kind: str | None = None
    per_position: tuple[tuple[str, Span], ...] = ()
    for_people: bool = False


@frozen
class ZoneDefinition:
    """A zone or a family of them."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    holds: str
    holds_span: Span
    visible: str | nodes.Expression
    amount: str | nodes.Expression
    ordered: bool
    capacity: nodes.Expression | None
    refill: str | None
    refill_span: Span | None
    title: Prose | None


@frozen
class MemberDefinition:
    """One member or piece: the values of its attributes, its effects, how many copies."""

    name: str
    span: Span
    title: Prose | None
    text: Prose | None
    count: nodes.Expression | None
    attributes: dict[str, tuple[nodes.Expression, ...] | nodes.Expression]  # a tuple: one copy for each entry
    effects: dict[str, nodes.Block]
    key_spans: dict[str, Span]


@frozen
class KindDefinition:
    """An enum or a kind of piece."""

    name: str
    span: Span
    is_piece: bool
    title: Prose | None
    text: Prose | None
    attributes: dict[str, tuple[nodes.TypeName, Span]]
    effects: tuple[nodes.Signature, ...]
    back: tuple[tuple[str, Span], ...]
    starts_in: nodes.Expression | None
    members: tuple[MemberDefinition, ...]
    each: tuple[tuple[str, nodes.Expression, Span], ...]
    where: nodes.Expression | None
    count: nodes.Expression | None
    back_title: Prose | None = None
    defaults: dict[str, nodes.Expression] = field(default_factory=dict)  # of attributes that may be left out


@frozen
class TableDefinition:
    """A constant look-up table as written: nested tuples (the first entry is for 0) or maps from members."""

    name: str
    span: Span
    values: TableValues
    places: dict[str, Span] = field(default_factory=dict)  # of the entries for members


TableValues = nodes.Expression | tuple["TableValues", ...] | dict[str, "TableValues"]


@frozen
class CallableDefinition:
    """A function or an action."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    body: nodes.Block | nodes.Expression
    text: Prose | None


@frozen
class TriggerDefinition:
    """A trigger."""

    name: str
    span: Span
    event: nodes.Event
    when: nodes.Expression | None
    body: nodes.Block


@frozen
class StepDefinition:
    """A step of the flow, with the steps inside it. `repeat` is "forever" or an expression."""

    name: str
    path: str
    span: Span
    title: Prose | None
    text: Prose | None
    when: nodes.Expression | None
    while_: nodes.Expression | None
    until: nodes.Expression | None
    repeat: str | nodes.Expression | None
    for_: nodes.Binding | None
    turns: nodes.Binding | None
    together: nodes.Binding | None
    do: nodes.Block | None
    steps: tuple[StepDefinition, ...]
    use: str | None
    use_span: Span | None


@frozen
class ScoreLineDefinition:
    """A line of the score sheet."""

    name: str
    span: Span
    title: Prose | None
    for_: nodes.Binding | None
    when: nodes.Expression | None
    points: nodes.Expression


@frozen
class WinnerDefinition:
    """Who wins: `most` or `least` of an expression over me, ties by `then`; whoever `when` holds for; or all together."""

    span: Span
    rule: str  # most, least, when, all
    value: nodes.Expression
    then: tuple[nodes.Expression, ...]
    tie: str = "shared"  # if several are even: shared, draw
    nobody: str = ""  # if nobody wins: draw, defeat


@frozen
class LookDefinition:
    """The look of one kind, member, zone or variable: its names and numbers, and its expressions, each by its key."""

    name: str
    span: Span
    words: dict[str, Scalar]
    expressions: dict[str, nodes.Expression]
    title: Prose | None = None
    back: LookDefinition | None = None
    pieces: dict[str, LookDefinition] = field(default_factory=dict)


Looks = dict[str, LookDefinition]


@frozen
class LayoutDefinition:
    """The layout of a game as written."""

    span: Span
    enums: dict[str, tuple[Span, Looks]] = field(default_factory=dict)
    pieces: Looks = field(default_factory=dict)
    zones: Looks = field(default_factory=dict)
    variables: Looks = field(default_factory=dict)
    table: tuple[tuple[Scalar, ...], ...] = ()
    player: tuple[Scalar, ...] = ()


@frozen
class GameDefinition:
    """A whole game as written."""

    name: str
    span: Span
    title: Prose | None
    text: Prose | None
    players: tuple[int, int]
    box: dict[str, BoxDefinition] = field(default_factory=dict)
    options: dict[str, OptionDefinition] = field(default_factory=dict)
    kinds: dict[str, KindDefinition] = field(default_factory=dict)
    zones: dict[str, ZoneDefinition] = field(default_factory=dict)
    variables: dict[str, VariableDefinition] = field(default_factory=dict)
    tables: dict[str, TableDefinition] = field(default_factory=dict)
    functions: dict[str, CallableDefinition] = field(default_factory=dict)
    actions: dict[str, CallableDefinition] = field(default_factory=dict)
    triggers: dict[str, TriggerDefinition] = field(default_factory=dict)
    flow: tuple[StepDefinition, ...] = ()
    scoring: tuple[ScoreLineDefinition, ...] = ()
    winner: WinnerDefinition | None = None
    eliminated: nodes.Expression | None = None
    translations: dict[str, dict[str, nodes.Text]] = field(default_factory=dict)  # by language, then sentence
    assumptions: tuple[Assumption, ...] = ()
    revelations: tuple[Revelation, ...] = ()
    languages: tuple[str, ...] = ()
    counting: tuple[nodes.Node, ...] = ()  # the texts that mention the number of players
    proses: tuple[Prose, ...] = ()  # all titles and texts
    sentences: dict[str, nodes.Text] = field(default_factory=dict)  # the sentences in effects, as written
    layout: LayoutDefinition | None = None
    added: tuple[tuple[str, frozenset[str]], ...] = ()  # by file, in order: the variables that a variant adds
