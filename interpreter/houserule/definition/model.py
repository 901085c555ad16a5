"""A game as written, before players and options are known, with the keys of its files; `game_of` makes it from the merged tree.

Each field made by `key` is a key of the file: its sort, its sentence, examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import partial
from typing import TypeVar

from houserule.definition.looks import LayoutDefinition, layout
from houserule.definition.reader import Assumption, Prose, Reader, Word, check_parameters
from houserule.definition.sorts import (
    BINDING,
    EFFECT,
    ENTRY,
    EVENT,
    EXPRESSION,
    EXPRESSIONS,
    FLAG,
    GRAMMAR,
    NOTES,
    PROSE,
    RESULT,
    RULE,
    SENTENCE,
    SIGHT,
    SIGNATURE,
    SORTS,
    SPOKEN,
    TYPE,
    TYPE_OF_OPTION,
    VALUE,
    Sort,
    declare,
    entry,
    key,
    languages,
    map_of,
    name_of,
    name_or_names_of,
    names_of,
    number,
    one_of,
    path_of_step,
    structure,
    unread,
)
from houserule.diagnostics import Related, Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.secrecy.labels import Revelation, start_of
from houserule.source import Mapping, Scalar, Sequence, Yaml, text_at, value_at

MaybeExpression = nodes.Expression | None
ITS_NAME = ("Its name for people.", {"en": "Mushroom", "de": "Pilz"})
TEXT = unread("text", PROSE, "What it is for.", {"en": "It lies in the forest."})
TITLE = unread("title", PROSE, *ITS_NAME)
CONDITION = ("Only if this holds.", "me.score > 0")
# Each key is a row.
# fmt: off


@entry("game/in_box", "a map such as {count: 4, title: …}", beside=ENTRY)
@frozen
class BoxDefinition:
    """Things of one sort that are in the box."""

    name: str
    span: Span
    amount: Scalar | None = key(number(1), "How many there are, by default 1.", 4, name="count", default=None)
    title: Prose = key(PROSE, "Their name for people, in the plural if there are several.", "Screens")

    @property
    def count(self) -> int:
        return self.amount.value if self.amount is not None and isinstance(self.amount.value, int) else 1


@entry("game/option", "a map such as {type: 1..6, default: 3}", {"type": "1..6", "default": 3}, beside=ENTRY)
@frozen
class OptionDefinition:
    """A setting of the rules, fixed when a match starts."""

    name: str
    span: Span
    type: nodes.TypeName = key(TYPE_OF_OPTION, "The type of the setting, such as 1..10, bool or an enum.", "1..10", "bool")
    default: nodes.Expression = key(EXPRESSIONS, "Its value by default.", 3)
    title: Prose | None = key(PROSE, "The name that people read.", "Long walk", default=None)
    text: Prose | None = key(PROSE, "What it changes.", {"en": "The walk takes more rounds."}, default=None)


@entry("game/variable", "a type, or keys such as type and start", "int", "0..20 = 3", "bool", types=("string", "object"), text="declaration", bare="type", beside=(GRAMMAR, unread("text", PROSE, "What it means.", {"en": "The points so far."}), *RULE))
@frozen
class VariableDefinition:
    """TYPE, TYPE = START, or the long form with keys.

    `parameters` are its indices; `of_kind` is the kind that declares it for its pieces.
    """

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    of_kind: str | None = None
    declaration: nodes.Declaration = key(TYPE, "The type of the variable.", "0..20", "player or none", name="type")
    given: MaybeExpression = key(EXPRESSIONS, "Its value at the start; by default false, 0 or none.", 3, name="start", default=None)
    reset: Word | None = key(name_of("step"), "Resets the variable before each pass of this step.", "round", default=None)
    per_position: tuple[Word, ...] = key(names_of("zone", "variable"), "Zones and variables: the variable has a value for each of their positions.", ["forest"], default=())
    visible: str | nodes.Expression = key(SIGHT, "Who sees the value; by default all.", "owner", "team", default="all")
    for_people: bool = key(FLAG, "A mark that people read and no rule does; you are not warned that no rule reads it.", True, default=False)
    quiet: bool = key(FLAG, "Bookkeeping: the table does not show it, and nobody is told when it changes. It hides nothing from rules and programs.", True, default=False)
    title: Prose | None = key(PROSE, "The name that people read.", "Long walk", default=None)

    @property
    def type(self) -> nodes.TypeName:
        return self.declaration.type

    @property
    def start(self) -> nodes.Expression | None:
        return self.given or self.declaration.start


@entry("game/zone", "a map such as {holds: card, visible: all}", {"holds": "mushroom", "visible": "all"}, beside=(GRAMMAR, TEXT, *ENTRY))
@frozen
class ZoneDefinition:
    """A place for pieces: an ordered pile whose last piece is the top."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    holds: Word | None = key(name_of("kind"), "The kind of pieces here; 'piece' for any.", "mushroom", needed=True, default=None)
    visible: str | nodes.Expression = key(SIGHT, "Who sees the pieces: all, none, owner, team, or an expression that uses it, viewer and the index.", "all", "none", "owner", "team", needed=True, default="all")
    amount: str | nodes.Expression = key(SIGHT, "Who knows how many there are; by default all.", "all", "owner", default="all")
    order: Word | None = key(one_of("none", "none"), "none: the order means nothing here.", "none", default=None)
    capacity: MaybeExpression = key(EXPRESSION, "How many fit; with 1, the zone as a value is its piece or none.", 1, "2 * player_count", default=None)
    sort: tuple[nodes.Expression, ...] = key(EXPRESSIONS, "How the pieces are laid out for whoever sees them, and numbered as options: by these values of 'it', which are printed.", ["it.habitat", "it.worth"], read=Reader.one_or_more, default=())
    refill: Word | None = key(name_of("zone"), "The zone that is shuffled into this one when a draw finds no piece.", "compost", default=None)
    quiet: bool = key(FLAG, "Bookkeeping: the table does not show it, and nobody is told of moves from one quiet zone to another. It hides nothing from rules and programs.", True, default=False)
    title: Prose | None = key(PROSE, *ITS_NAME, default=None)


COORDINATES = ("row", "column")
NEIGHBOURS = "neighbours"
"""The attributes of the places of a grid."""

# --- kinds --------------------------------------------------------------------------------------------------------------

def bonuses(reader: Reader, node: Yaml) -> dict[str, nodes.Expression]:
    """What a piece adds to functions, by their names."""
    return {name.text: made for name, inner in reader.entries(node) if (made := reader.expression(inner)) is not None}


BONUS = Sort("a map such as {power: 1}", (*VALUE, "array", "object"), bonuses, "game/bonus", "What the piece adds to functions of other pieces: 'this' is the piece that adds, 'it' the one that is asked about.", ({"power": "1 if it != this else 0"},), "expression", others=EXPRESSION, items=EXPRESSION, mentions_keys=("function",))
VALUE_OR_EFFECT = Sort("the value of an attribute, an effect, or an expression", (*VALUE, "array"), says="The value of an attribute (a list: one copy for each entry), an effect, or the expression of a function.", examples=(3, [1, 1, 2]), text="value", items=EXPRESSION)


@entry("game/member", "a map of keys, or nothing", {"value": 3, "count": 2}, types=("object", "null"), beside=(GRAMMAR, *RULE), others=VALUE_OR_EFFECT, named=SIGNATURE, called="a name: letters, digits and _, not beginning with a digit", mentions_keys=("attribute", "effect", "function"))
@frozen
class MemberDefinition:
    """A piece or a member: the values of its attributes, its effects and its functions."""

    name: str
    span: Span
    attributes: dict[str, tuple[nodes.Expression, ...] | nodes.Expression] = field(default_factory=dict)  # a tuple: one copy for each entry
    effects: dict[str, nodes.Block] = field(default_factory=dict)
    functions: dict[str, nodes.Block | nodes.Expression] = field(default_factory=dict)
    key_spans: dict[str, Span] = field(default_factory=dict)
    bonus: dict[str, nodes.Expression] = key(BONUS, "What it adds to functions of pieces: {power: 1 if it != this else 0}.", {"power": 1}, default_factory=dict)
    title: Prose | None = key(PROSE, "Its name for people; {it} is its own name.", {"en": "Morel", "de": "Morchel"}, default=None)
    text: Prose | None = key(PROSE, "What is printed on it.", {"en": "Draw another card."}, default=None)
    count: MaybeExpression = key(EXPRESSION, "The number of copies; by default 1.", 4, default=None)


@entry("game/attribute", "a type, or a type and a value, such as 0..60 = 10", "int", "0..6 = 1", "bool", types=("string", "object"), text="declaration", bare="type", offers=("int", "bool", "player", "piece"), beside=(GRAMMAR,))
@frozen
class AttributeDefinition:
    """TYPE, or TYPE = DEFAULT, the value of pieces that give none; or the long form with keys."""

    name: str
    span: Span
    declaration: nodes.Declaration = key(Sort("a type, or a type and a value, such as 0..60 = 10", ("string",), Reader.declaration, text="declaration"), "TYPE, or TYPE = DEFAULT.", "0..6 = 1", name="type")
    title: Prose | None = key(PROSE, "Its name for people, in the rulebook.", {"en": "Value"}, default=None)


def members(reader: Reader, node: Yaml) -> tuple[tuple[Scalar, Yaml], ...]:
    """Members as a map, or as a list of names."""
    return (*((name, name) for name in node.items if isinstance(name, Scalar)), *reader.entries(node))


def signatures(reader: Reader, node: Yaml) -> tuple[nodes.Signature, ...]:
    found = [made for item in node.items if isinstance(item, Scalar) and (made := reader.signature(item, may_give=True)) is not None]
    for signature in found:
        check_parameters(signature, reader.report)
    return tuple(found)


def lists(reader: Reader, node: Yaml) -> tuple[tuple[str, nodes.Expression, Span], ...]:
    """The lists of `each`."""
    return tuple(
        (name.text, source, name.span)
        for name, value in reader.entries(node)
        if (source := reader.expression(value)) is not None
    )


MEMBERS = map_of(MemberDefinition, "member", "a map of members, or a list of their names", types=("object", "array"), place="game/members", says="Members or pieces by id, or a list of their names.", examples=({"morel": {"value": 3}}, ["red", "blue"]), items=name_of(), read=members)
PIECES = replace(MEMBERS, declares="piece")


ROUTINE = (unread("title", PROSE, "Its name in the rulebook.", {"en": "The harvest"}), *RULE)


@entry("game/piece_function", "an expression, or a map with 'do'", "this.value + 1", {"do": "this.value", "bonuses": "shelf"}, types=(*VALUE, "object"), text="value", bare="do", beside=(GRAMMAR, *ROUTINE))
@frozen
class PieceFunctionDefinition:
    """A function of a piece: an expression, and perhaps the pieces that may add to it."""

    name: str
    span: Span
    body: nodes.Block | nodes.Expression = key(RESULT, "The expression, if there are other keys as well.", "this.value", name="do")
    bonuses: MaybeExpression = key(EXPRESSIONS, "The pieces whose 'bonus' adds to it, in this order.", "shelf", ["morel", "truffle"], default=None)
    text: Prose | None = key(PROSE, TEXT.says, *TEXT.examples, default=None)


@entry("game/component", "a map with attributes, pieces and so on", {"attributes": {"value": "int"}, "pieces": {"morel": {"value": 3, "count": 4}}}, beside=(GRAMMAR, *ENTRY))
@frozen
class KindDefinition:
    """A kind of piece: its attributes, variables, effects and pieces."""

    name: str
    span: Span
    is_piece: bool
    members: tuple[MemberDefinition, ...] = ()
    grows: bool = False  # whether it is a board that grows: a grid without `each`
    title: Prose | None = key(PROSE, *ITS_NAME, default=None)
    text: Prose | None = key(PROSE, TEXT.says, *TEXT.examples, default=None)
    attributes: dict[str, AttributeDefinition] = key(map_of(AttributeDefinition, "attribute", "a map from names to types"), "What is printed on each: names with their types.", {"value": "int", "poisonous": "bool = false"}, default_factory=dict)
    variables: dict[str, VariableDefinition] = key(map_of(VariableDefinition, "variable", "a map from names to types", named=SIGNATURE), "What changes on each: TYPE or TYPE = START.", {"wormy": "bool"}, default_factory=dict)
    effects: tuple[nodes.Signature, ...] = key(Sort("a list of effects such as [found, change(player p)]", ("array",), signatures, items=Sort("a signature", ("string",), text="signature"), declares="effect"), "The effects that each may have; the pieces define them. After '=' stands what one gives that finishes without a value.", ["found", "eaten(player p)", "toll = 0"], default=())
    functions: dict[str, PieceFunctionDefinition] = key(map_of(PieceFunctionDefinition, "function", "a map from names to expressions"), "What is worked out for each when it is asked for; 'this' is the piece, and a piece may have an expression of its own.", {"worth": "this.value + count(this.spots)"}, default_factory=dict)
    back: tuple[Word, ...] = key(names_of("attribute"), "The attributes that the back of a piece shows.", ["habitat"], default=())
    back_title: Prose | None = key(PROSE, "The name for players who see only the back.", {"en": "A mushroom"}, default=None)
    starts_in: MaybeExpression = key(EXPRESSION, "The zone in which each piece begins; 'it' is the piece.", "forest", default=None)
    pieces: tuple[tuple[Scalar, Yaml], ...] = key(PIECES, "The pieces, by id.", {"morel": {"value": 3, "count": 4}}, default=())
    written: tuple[tuple[Scalar, Yaml], ...] = key(MEMBERS, "The members, by id, in order.", {"red": {"title": "Red"}}, ["red", "blue"], name="members", default=())
    each: tuple[tuple[str, nodes.Expression, Span], ...] = key(map_of(EXPRESSIONS, "", "a map from attributes to lists", mentions_keys=("attribute",), read=lists), "Makes one for every combination: {habitat: habitat, number: 1..3}.", {"habitat": "habitat", "number": "1..3"}, default=())
    where: MaybeExpression = key(EXPRESSION, "Which combinations of 'each' exist; 'it' is the piece.", "number < 3", read=Reader.condition, default=None)
    count: MaybeExpression = key(EXPRESSION, "Beside 'each': the number of identical copies of each.", 2, default=None)
    grid: Word | None = key(one_of("square or hexagonal", "square", "hexagonal"), "The pieces are places in rows and columns, with neighbours. Without 'each' there are as many as are needed: the board grows.", "square", default=None)
    reach: MaybeExpression = key(EXPRESSIONS, "How many steps apart two things on a board that grows can lie; by default as many as pieces fit on it, and at most 20.", 12, default=None)
    quiet: bool = key(FLAG, "Bookkeeping: the table does not show these pieces, and nobody is told of their moves. It hides nothing from rules and programs.", True, default=False)


ENUM = replace(SORTS[KindDefinition], title="a list of names, or a map with members", place="game/enum", says="A finite set: a list of names, or the same keys as a component.", examples=(["wood", "meadow"],), types=("object", "array"), items=name_of(), without=("back_title", "grid", "reach"), declares="member")
# fmt: on


def kind(reader: Reader, name: Scalar, node: Yaml, is_piece: bool) -> KindDefinition:
    """An enum or a kind of piece; its variables are families over it."""
    if not isinstance(node, Mapping):
        listed = tuple(MemberDefinition(one.text, one.span) for one, _ in members(reader, node))
        return KindDefinition(name.text, name.span, is_piece, listed)
    made = structure(KindDefinition, reader, node, name.text, name.span, is_piece)
    assert made is not None
    if is_piece and made.grid is not None:
        made = with_coordinates(made)
    of_kind = nodes.Parameter(name.span, nodes.TypeName(name.span, name.text, None, None, False, False), None)
    effects = {effect.name for effect in made.effects}
    return replace(
        made,
        members=tuple(member(reader, *one, made, effects) for one in (*made.pieces, *made.written)),
        variables={
            own: replace(one, parameters=(of_kind, *one.parameters), of_kind=name.text)
            for own, one in made.variables.items()
        },
    )


def with_coordinates(made: KindDefinition) -> KindDefinition:
    """A grid with its attribute `neighbours`; if it grows, also with its rows and columns, and a place for each of both."""
    span = made.grid.span if made.grid is not None else made.span
    every = nodes.Number(span, 0)  # how far they go is known when all other pieces are
    each = made.each or tuple((name, every, span) for name in COORDINATES)
    own = COORDINATES if not made.each else ()
    number = nodes.TypeName(span, "int", None, None, False, False)
    near = nodes.TypeName(span, made.name, None, None, False, True)
    types = {**dict.fromkeys(own, number), NEIGHBOURS: near}
    added = {
        name: AttributeDefinition(name, span, declaration=nodes.Declaration(span, type, None))
        for name, type in types.items()
    }
    return replace(made, each=each, grows=not made.each, attributes={**added, **made.attributes})


def member(reader: Reader, name: Scalar, node: Yaml, of: KindDefinition, effects: set[str]) -> MemberDefinition:
    made = structure(MemberDefinition, reader, node, name.text, name.span) if isinstance(node, Mapping) else None
    if made is None or not isinstance(node, Mapping):
        return MemberDefinition(name.text, name.span)
    names = {*of.attributes, *effects, *of.functions}
    fixed = SORTS[MemberDefinition].keys.keys() - ({"bonus"} & names)
    written = {key: one for key, one in node.entries.items() if key not in fixed}
    made.key_spans.update({key: one.key.span for key, one in written.items()})
    for word, one in written.items():
        if word in of.attributes and isinstance(one.value, Sequence):
            made.attributes[word] = reader.expressions(one.value.items)
        elif word in of.attributes:
            if (value := reader.expression(one.value)) is not None:
                made.attributes[word] = value
        elif word in of.functions and (own := reader.result(one.value)) is not None:
            made.functions[word] = own
        elif word in effects and (body := reader.block(one.value)) is not None:
            made.effects[word] = body
    if "bonus" in names:
        return replace(made, bonus={})
    bonus = value_at(node, "bonus")
    if bonus is not None and not isinstance(bonus, Mapping):
        message = f"'bonus' expects {BONUS.title}"
        reader.report.error("HR202", message, bonus.span, "bonus: {power: …}, or attributes: {bonus: …}")
    return made


# --- tables and routines ------------------------------------------------------------------------------------------------

TableValues = nodes.Expression | tuple["TableValues", ...] | dict[str, "TableValues"]


def table_values(reader: Reader, node: Yaml) -> TableValues | None:
    """The entries of a table or of one of its rows."""
    if isinstance(node, Sequence):
        return tuple(found for item in node.items if (found := table_values(reader, item)) is not None)
    if isinstance(node, Mapping):
        entries = reader.entries(node)
        return {name.text: found for name, value in entries if (found := table_values(reader, value)) is not None}
    return reader.expression(node)


# fmt: off
CELL: Sort = Sort("a value, a list or a map", (*VALUE, "array", "object"), table_values, "game/cell", "An entry of a table; with two indices, a list or a map again.", (3,), "expression", mentions_keys=("member", "piece"), others=lambda: CELL, items=lambda: CELL)


@entry("game/table", "a list or a map of values", [0, 1, 3, 6], {"wood": 2, "meadow": 1}, types=("array", "object"), bare="values", mentions_keys=("member", "piece"), others=CELL, items=CELL, beside=(TITLE, TEXT, *ENTRY))
@frozen
class TableDefinition:
    """A constant look-up: a list (its first entry is for 0), or a map from every member."""

    name: str
    span: Span
    places: dict[str, Span]  # of the entries for members
    values: TableValues = key(CELL, "The entries, if the table has other keys as well.", {"wood": 2, "meadow": 1}, needed=False)


def table(reader: Reader, name: Scalar, node: Yaml) -> TableDefinition | None:
    """One entry of `tables`: its values, or keys with its values under `values`."""
    if isinstance(node, Mapping) and "values" in node.entries:
        reader.note(node)
        known = [key for key, one in SORTS[TableDefinition].keys.items() if not one.is_of_variants]
        for word, inner in node.entries.items():
            if word not in known:
                message, listed = f"'{name.text}' has no key '{word}'", f"keys here: {', '.join(known)}"
                reader.report.misnamed("HR201", message, inner.key.span, word, known, listed)
        node = node.entries["values"].value
    values = table_values(reader, node)
    places = {word: inner.key.span for word, inner in node.entries.items()}
    return TableDefinition(name.text, name.span, places, values=values) if values is not None else None


@frozen
class CallableDefinition:
    """A function or an action."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    body: nodes.Block | nodes.Expression
    text: Prose | None = key(PROSE, TEXT.says, *TEXT.examples, default=None)


@entry("game/function", "an expression, or a map with 'do'", "sum(value of m for m in me.basket)", types=(*VALUE, "object"), text="value", bare="do", beside=(GRAMMAR, *ROUTINE))
@frozen
class FunctionDefinition(CallableDefinition):
    """A named expression that changes nothing, or a block that ends with 'finish with'."""

    body: nodes.Block | nodes.Expression = key(RESULT, "The expression, if there are other keys as well.", "count(me.basket)", name="do")


@entry("game/action", "an effect, or a map with 'do'", "move it to compost", types=("string", "object"), text="effect", bare="do", beside=ROUTINE)
@frozen
class ActionDefinition(CallableDefinition):
    """A named effect, run by 'perform', or offered to players in a window."""

    body: nodes.Block | nodes.Expression = key(EFFECT, "The effect, if there are other keys as well.", "move it to compost", name="do")
    windows: tuple[Word, ...] = key(name_or_names_of("window"), "The window, or the windows, in which players may do this.", "responses", ["responses", "any_time"], name="in", default=())
    for_: nodes.Binding | None = key(BINDING, "In a window: offered once for each of these: m in me.basket.", "m in me.basket", default=None)
    when: MaybeExpression = key(EXPRESSION, "In a window: offered only if this holds.", "me.score > 0", read=Reader.condition, default=None)
    label: nodes.Text | None = key(SPOKEN, "In a window: what players read; by default the name of the action.", "Throw {m}", default=None)
    told: nodes.Text | None = key(SPOKEN, "In a window: what all are told of it, in place of the label; nothing if it is empty.", "{me} throws the {m}.", name="tell", default=None)


@entry("game/window", "a map such as {turns: players from me, ask: …}", {"turns": "players from next(me)", "ask": "Step in?"}, beside=(TITLE, TEXT, *RULE))
@frozen
class WindowDefinition:
    """Where players may step in with actions that are in it; 'perform' opens it."""

    name: str
    span: Span
    parameters: tuple[nodes.Parameter, ...]
    people: nodes.Binding | None = key(BINDING, "Who may step in, and in which order; by default players.", "players from next(me)", "p in players where not p.tired", name="turns", default=None)
    ask: nodes.Text | None = key(SPOKEN, "The question.", "Step in?", default=None)
    opens: tuple[nodes.Event, ...] = key(Sort("a list of events such as [before pick]", ("array",), Reader.events, items=EVENT), "The actions before or after which it opens by itself.", ["before harvest"], default=())


@entry("game/trigger", "a map such as {whenever: …, do: …}", {"whenever": "m enters basket of p", "do": "p.score += 1"}, beside=(TITLE, TEXT, *RULE))
@frozen
class TriggerDefinition:
    """An effect that runs whenever something else happens."""

    name: str
    span: Span
    event: nodes.Event = key(EVENT, "c leaves ZONE of p · c enters ZONE · score of p changes · before ACTION · after ACTION as result.", "m enters basket of p", "after harvest as found", name="whenever")
    when: MaybeExpression = key(EXPRESSION, *CONDITION, read=Reader.condition, default=None)
    body: nodes.Block = key(EFFECT, "What happens.", "me.score += 1", name="do")
# fmt: on


Signed = TypeVar("Signed", FunctionDefinition, ActionDefinition, WindowDefinition)


def routine(reader: Reader, name: Scalar, node: Yaml, of: type[Signed]) -> Signed | None:
    """A function, an action or a window."""
    signature = reader.signature(name)
    if signature is None:
        return None
    check_parameters(signature, reader.report)
    return structure(of, reader, node, signature.name, signature.name_span, signature.parameters)


# --- the flow, and the end ----------------------------------------------------------------------------------------------

RIVALS = (
    (("do", "steps", "use"), "what happens"),
    (("turns", "together"), "who acts"),
    (("repeat", "while"), "how often"),
    (("repeat", "until"), "how often"),
)
"""Keys of which a step has only one, and what they say."""


def is_forever(repeat: Yaml | None) -> bool:
    return text_at(repeat) == "forever"


def steps(reader: Reader, node: Yaml) -> tuple[StepDefinition, ...]:
    found = []
    for name, value in reader.entries(node):
        if isinstance(value, Mapping):
            check_rivals(value, reader.report)
            made = structure(StepDefinition, reader, value, name.text, name.text, name.span)
            assert made is not None
            found.append(made)
    return tuple(found)


def check_rivals(node: Mapping, report: Report) -> None:
    """Check that a step has only one of the keys that exclude each other; `repeat: forever` has no number."""
    is_endless = is_forever(value_at(node, "repeat"))
    for keys, what in RIVALS:
        given = [node.entries[key].key for key in keys if key in node.entries]
        if len(given) > 1 and not (is_endless and what == "how often"):
            first, second = given[:2]
            message = f"'{first.text}' and '{second.text}' both say {what}; a step has one of them"
            report.error("HR563", message, second.span, related=[Related("the other is here", first.span)])


def repeats(reader: Reader, node: Yaml) -> str | nodes.Expression | None:
    """How often a step happens."""
    return "forever" if is_forever(node) else reader.expression(node)


# fmt: off
STEPS = map_of(Sort("", ()), "step", "a map of steps", place="game/steps", says="Steps by id, in the order in which they happen.", examples=({"setup": {"do": "shuffle forest"}},), others=lambda: SORTS[StepDefinition], read=steps)


@entry("game/step", "a map such as {do: …} or {steps: …}", {"turns": "players", "do": "draw 1 from forest to me.basket"}, one_of=("do", "steps", "use"), beside=RULE)
@frozen
class StepDefinition:
    """A step of the game, or a phase with steps inside."""

    name: str
    path: str
    span: Span
    title: Prose | None = key(PROSE, *ITS_NAME, default=None)
    text: Prose | None = key(PROSE, "What happens in it.", {"en": "All pick mushrooms."}, default=None)
    when: MaybeExpression = key(EXPRESSION, "Only if this holds; evaluated first.", "count(forest) > 0", default=None)
    while_: MaybeExpression = key(EXPRESSION, "Repeats as long as this holds; evaluated before each pass.", "count(forest) > 0", default=None)
    until: MaybeExpression = key(EXPRESSION, "Repeats until this holds; evaluated after each pass.", "any(p in players where p.score >= 10)", default=None)
    repeat: str | MaybeExpression = key(EXPRESSION, "How often, or 'forever'.", 3, "forever", read=repeats, default=None)
    for_: nodes.Binding | None = key(BINDING, "Once for each element: h in habitat.", "h in habitat", default=None)
    turns: nodes.Binding | None = key(BINDING, "Each of these players in turn, as 'me': players from starter.", "players", "players from starter", default=None)
    together: nodes.Binding | None = key(BINDING, "All of these players at once, unseen, as 'me': players.", "players", default=None)
    do: nodes.Block | None = key(EFFECT, "What happens in this step.", "draw 1 from forest to me.basket", default=None)
    steps: tuple[StepDefinition, ...] = key(STEPS, "The steps inside, in order.", {"harvest": {"do": "draw 1 from forest to me.basket"}}, default=())
    use: Word | None = key(path_of_step(), "Performs that step again: day.morning.", "day.morning", default=None)


@entry("game/score_line", "an expression, or a map such as {title: …, points: …}", "me.score", {"for": "h in habitat", "points": "count(me.basket where habitat == h)"}, types=("object", "string", "integer"), text="expression", bare="points", beside=(unread("text", PROSE, "What it counts.", {"en": "The mushrooms in the basket."}), *ENTRY))
@frozen
class ScoreLineDefinition:
    """A line of the score sheet, for each player as 'me'."""

    name: str
    span: Span
    title: Prose | None = key(PROSE, "The title on the score sheet.", {"en": "Mushrooms"}, default=None)
    for_: nodes.Binding | None = key(BINDING, "One line for each element: h in habitat.", "h in habitat", default=None)
    when: MaybeExpression = key(EXPRESSION, *CONDITION, read=Reader.condition, default=None)
    points: nodes.Expression = key(EXPRESSION, "The number of points.", "me.score")


@entry("game/winner", "a map such as {most: points}", {"most": "points"}, one_of=("most", "least", "when", "all", "by"), beside=(unread("text", PROSE, "Who wins, in words.", {"en": "Whoever has the most points wins."}), *NOTES))
@frozen
class WinnerDefinition:
    """Who wins: the most or least of an expression, everyone for whom 'when' holds, or whom `end game` names."""

    span: Span
    most: MaybeExpression = key(EXPRESSION, "The player with the most of this.", "points", default=None)
    least: MaybeExpression = key(EXPRESSION, "The player with the least of this.", "me.penalty", default=None)
    when: MaybeExpression = key(EXPRESSION, "Every player for whom this holds.", "count(me.basket) == 0", default=None)
    all: MaybeExpression = key(EXPRESSION, "All win together if this holds for each player; otherwise `nobody` says how the game ends, by default as the defeat of all.", "count(forest) == 0", default=None)
    by: Word | None = key(one_of("end game", "end game"), "end game: only `end game with …` says who wins, and never the score.", "end game", default=None)
    then: tuple[nodes.Expression, ...] = key(EXPRESSIONS, "Tie-breakers, in order: the greater value wins.", ["count(me.basket)", "-seat(me)"], read=Reader.one_or_more, default=())
    tie: str = key(one_of("shared or draw", "shared", "draw"), "shared: players who are still tied win together. draw: nobody wins.", "shared", default="shared")
    nobody: str = key(one_of("draw or defeat", "draw", "defeat"), "The ending if nobody wins: a draw, or a defeat of all.", "draw", default="")

    @property
    def rule(self) -> str:
        """Which of its keys says who wins."""
        return next((rule for rule in SORTS[WinnerDefinition].one_of if getattr(self, rule) is not None), "")

    @property
    def value(self) -> nodes.Expression:
        if self.by is not None:
            return nodes.Truth(self.by.span, False)  # the score names nobody
        found: nodes.Expression = getattr(self, self.rule)
        return found
# fmt: on


def winner(reader: Reader, node: Yaml) -> WinnerDefinition | None:
    """Who wins: the first of the rules that are given."""
    made = structure(WinnerDefinition, reader, node, node.span) if isinstance(node, Mapping) else None
    if made is None or not isinstance(node, Mapping):
        return None
    rules = [rule for rule in SORTS[WinnerDefinition].one_of if rule in node.entries]
    if len(rules) > 1:
        first, second = (node.entries[rule].key for rule in rules[:2])
        message = f"'winner' has '{first.text}' and '{second.text}'; one of them says who wins"
        related = [Related("the other is here", first.span)]
        reader.report.error("HR213", message, second.span, "`then:` lists what breaks a tie", related)
    if made.then and made.rule not in ("most", "least"):
        message = f"'{made.rule}' alone decides who wins, so nothing breaks a tie"
        reader.report.warning(
            "HR560", message, made.then[0].span, "remove `then`, or say `most` or `least` of something"
        )
    return made if made.rule else None


# --- the game -----------------------------------------------------------------------------------------------------------

# fmt: off
PLAYERS = Sort("a number or a range such as 2..5", ("string", "integer"), Reader.players)
MINUTES = Sort("a number or a range such as 30..45", ("string", "integer"), Reader.minutes)
FILES = Sort("a list of files", ("array",), Reader.words, items=Sort("the name of a file", ("string",)))
RULEBOOK = Sort("a map with 'title'", ("object",), says="A rulebook.", examples=({"title": "Pilze, Regeln"},), beside=(unread("title", PROSE, "Its title.", "Pilze, Regeln"), unread("places", Sort("a map from places to their names", ("object",), others=PROSE, named=".+", called="a place that `at` names"), "What places in it are called in other languages.", {"set-up": {"de": "Aufbau"}}),))


def scoring(reader: Reader, node: Yaml) -> tuple[ScoreLineDefinition, ...]:
    """The lines of the score sheet."""
    made = (structure(ScoreLineDefinition, reader, value, name.text, name.span) for name, value in reader.entries(node))
    return tuple(line for line in made if line is not None)


def translations(reader: Reader, node: Yaml) -> dict[str, dict[str, nodes.Text]]:
    """Sentences inside effects, by language."""
    found: dict[str, dict[str, nodes.Text]] = {}
    for language, sentences in reader.entries(node):
        reader.languages.setdefault(language.text)
        for sentence, value in reader.entries(sentences):
            if isinstance(value, Scalar) and (text := reader.text(value)):
                found.setdefault(language.text, {})[sentence.text] = text
    return found


@frozen
class Widened:
    """Where a house rule lets more play: the most players before and now, and the things in the box that are as before."""

    span: Span
    before: int
    now: int
    box: frozenset[str]


@entry("game/game", "a map of keys", beside=(unread("sources", map_of(RULEBOOK, "rulebook", named="(?!(assumed)$)[A-Za-z_][A-Za-z0-9_-]*", called="a name: letters, digits and _, not beginning with a digit", beside=()), "The rulebooks that 'source' cites: {de: {title: …}}.", {"de": {"title": "Pilze, Regeln"}}), *NOTES))
@frozen
class GameDefinition:
    """The rules of a game, or a part of them, in the order of a rulebook."""

    name: str
    span: Span
    edition: Word | None = key(one_of("2026", 2026), "The edition of the language; the first line of game.yaml.", 2026, needed=True, default=None)
    id: Word | None = key(name_of("game"), "The id of the game, by which variants and scenarios name it; usually the name of its folder.", "mushrooms", name="game", needed=True, default=None)
    title: Prose | None = key(PROSE, "The name of the game.", {"en": "Mushrooms", "de": "Pilze"}, default=None)
    text: Prose | None = key(PROSE, "What it is about, in a sentence or two.", {"en": "Who finds the best mushrooms?"}, default=None)
    players: tuple[int, int] = key(PLAYERS, "How many can play: 2..5.", "2..5", 2, needed=True, default=(2, 2))
    age: Scalar | None = key(number(0, 99), "The least age of players, for the rulebook.", 8, default=None)
    minutes: tuple[int, int] | None = key(MINUTES, "How long a match takes, in minutes.", "30..45", 20, default=None)
    credits: Prose | None = key(PROSE, "Who made the game.", {"en": "Designed by Anna Wald."}, default=None)
    include: tuple[Word, ...] = key(FILES, "Other files of these rules, in the same folder or below it; their maps are merged.", ["forest.yaml"], default=())
    box: dict[str, BoxDefinition] = key(map_of(BoxDefinition, "box"), "Things in the box that no rule moves, for the rulebook: boards, screens, markers.", {"board": {"title": "Board"}}, default_factory=dict)
    options: dict[str, OptionDefinition] = key(map_of(OptionDefinition, "option"), "Settings that house rules may change.", {"rounds": {"type": "1..10", "default": 5}}, default_factory=dict)
    enums: dict[str, KindDefinition] = key(map_of(ENUM, "enum", make=partial(kind, is_piece=False)), "Finite sets: habitats, colours, weathers.", {"habitat": ["wood", "meadow"]}, default_factory=dict)
    components: dict[str, KindDefinition] = key(map_of(KindDefinition, "kind", make=partial(kind, is_piece=True)), "Kinds of pieces.", {"mushroom": {"starts_in": "forest", "pieces": {"morel": {"count": 4}}}}, default_factory=dict)
    zones: dict[str, ZoneDefinition] = key(map_of(ZoneDefinition, "zone", named=SIGNATURE), "Where pieces can be.", {"basket(player)": {"holds": "mushroom", "visible": "owner"}}, default_factory=dict)
    variables: dict[str, VariableDefinition] = key(map_of(VariableDefinition, "variable", named=SIGNATURE), "Numbers, flags and references that change.", {"score(player)": "int", "starter": "player or none"}, default_factory=dict)
    tables: dict[str, TableDefinition] = key(map_of(TableDefinition, "table", make=table), "Constant look-ups: price[n], bonus[m].", {"price": [0, 1, 3, 6]}, default_factory=dict)
    functions: dict[str, CallableDefinition] = key(map_of(FunctionDefinition, "function", named=SIGNATURE, make=partial(routine, of=FunctionDefinition)), "Named expressions.", {"worth(mushroom m)": "price[m.value]"}, default_factory=dict)
    actions: dict[str, CallableDefinition] = key(map_of(ActionDefinition, "action", named=SIGNATURE, make=partial(routine, of=ActionDefinition)), "Named effects with parameters.", {"pick(mushroom m)": "move m to me.basket"}, default_factory=dict)
    windows: dict[str, WindowDefinition] = key(map_of(WindowDefinition, "window", named=SIGNATURE, make=partial(routine, of=WindowDefinition)), "Where players may step in with actions that say `in`.", {"responses(mushroom m)": {"turns": "players from next(me)"}}, default_factory=dict)
    triggers: dict[str, TriggerDefinition] = key(map_of(TriggerDefinition, "trigger"), "An effect that runs whenever something else happens.", {"luck": {"whenever": "m enters basket of p", "do": "p.score += 1"}}, default_factory=dict)
    flow: tuple[StepDefinition, ...] = key(STEPS, "The steps of the game, set-up first.", {"setup": {"do": "shuffle forest"}, "round": {"repeat": 3, "turns": "players", "do": "draw 1 from forest to me.basket"}}, needed=True, default=())
    scoring: tuple[ScoreLineDefinition, ...] = key(map_of(ScoreLineDefinition, "line of the score sheet", read=scoring), "The score sheet, line by line.", {"points": "me.score"}, default=())
    winner: WinnerDefinition | None = key(SORTS[WinnerDefinition], read=winner, default=None)
    teams: MaybeExpression = key(EXPRESSION, "The team of each player, as 'me': players with the same value are partners, and win together. Whoever has none plays alone.", "position(players, me) % 2", "me.side", default=None)
    eliminated: MaybeExpression = key(EXPRESSION, "Who is out of the game: every player for whom this holds, as 'me'. They take no turns and are nobody's opponents.", "me.lives == 0", default=None)
    translations: dict[str, dict[str, nodes.Text]] = key(Sort("a map from languages to sentences", ("object",), translations, **languages(Sort("a map from sentences to their translation", ("object",), others=SENTENCE))), "Sentences inside effects in other languages: {de: {\"Draw?\": \"Ziehen?\"}}.", {"de": {"Draw?": "Ziehen?"}}, default_factory=dict)
    layout: LayoutDefinition | None = key(SORTS[LayoutDefinition], "How the table looks. It changes no rule.", {"zones": {"forest": {"arrange": "stack"}}}, read=layout, default=None)
    kinds: dict[str, KindDefinition] = field(default_factory=dict)  # enums, and kinds of pieces
    assumptions: tuple[Assumption, ...] = ()
    revelations: tuple[Revelation, ...] = ()
    languages: tuple[str, ...] = ()
    counting: tuple[nodes.Node, ...] = ()  # the texts that mention the number of players
    proses: tuple[Prose, ...] = ()  # all titles and texts
    sentences: dict[str, nodes.Text] = field(default_factory=dict)  # the sentences in effects, as written
    added: tuple[tuple[str, frozenset[str]], ...] = ()  # by file, in order: the variables that a variant adds
    widened: Widened | None = None  # by a variant, for more players
# fmt: on


def game_of(reader: Reader, node: Mapping, name: str) -> GameDefinition:
    made = structure(GameDefinition, reader, node, name, node.span)
    assert made is not None
    kinds: dict[str, KindDefinition] = {}
    variables: dict[str, VariableDefinition] = {}
    for one in (*made.enums.values(), *made.components.values()):
        declare(kinds, one, "kind", reader.report)
    for variable in (*(own for kind in kinds.values() for own in kind.variables.values()), *made.variables.values()):
        declare(variables, variable, "variable", reader.report)
    return replace(
        made,
        kinds=kinds,
        variables=variables,
        flow=placed(made.flow, ""),
        assumptions=tuple(reader.assumptions),
        revelations=tuple(revelations_in(node, SORTS[GameDefinition])),
        languages=tuple(reader.languages),
        counting=tuple(reader.counting),
        proses=tuple(reader.proses),
        sentences=reader.sentences,
    )


def revelations_in(node: Mapping, sort: Sort) -> Iterator[Revelation]:
    """Every `reveals` of a tree, with the rules that it covers: one of a member covers its effects."""
    for name, inner in node.entries.items():
        below = sort.inside(name)
        if below is None or not isinstance(inner.value, Mapping):
            continue
        found = inner.value.entries.get("reveals") if below.keys.get("reveals") is not None else None
        if found is not None and isinstance(found.value, Scalar):
            keys = (inner.key, *(one.key for one in inner.value.entries.values()))
            lines = range(inner.key.span.line, inner.value.span.end_line + 1)
            of = frozenset(start_of(key.span) for key in keys)
            yield Revelation(found.key.span, found.value.text.strip(), of, lines)
        yield from revelations_in(inner.value, below)


def placed(steps: tuple[StepDefinition, ...], above: str) -> tuple[StepDefinition, ...]:
    return tuple(
        replace(step, path=above + step.name, steps=placed(step.steps, f"{above}{step.name}.")) for step in steps
    )


def every_step(steps: tuple[StepDefinition, ...]) -> Iterator[StepDefinition]:
    """All steps, those inside of others included."""
    for step in steps:
        yield step
        yield from every_step(step.steps)
