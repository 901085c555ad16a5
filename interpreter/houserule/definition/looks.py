"""The layout of a table: as written, with its keys, and as checked for a number of players."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from dataclasses import field
from typing import Any

from houserule.definition.reader import Prose, Reader, Word
from houserule.definition.sorts import (
    EXPRESSION,
    FLAG,
    NOTES,
    PROSE,
    SORTS,
    Read,
    Sort,
    entry,
    key,
    map_of,
    name_of,
    names_of,
    number,
    one_of,
    structure,
)
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.checked import Expression, Parts
from houserule.source import Mapping, Scalar, Sequence, Yaml

MaybeExpression = nodes.Expression | None

SHAPES = ("card", "tile", "cube", "pawn", "die", "stone", "disc", "gem", "coin")
"""The shapes of a piece."""
FILLS = (
    "red", "sky", "green", "gold", "violet", "orange", "teal", "rose", "lime", "brown", "blue", "yellow", "grey",
    "black", "white", "silver", "bronze", "pink", "purple", "cyan",
)  # fmt: skip
"""The names of the colours that both renderers know."""
PATTERNS = ("plain", "dots", "waves", "stripes", "checks", "cross", "bricks", "rings", "steps", "stars")
"""The patterns beside a colour, for people who do not see it."""
BOARDS = ("chequered", "squares", "holes", "lines")
"""What the places of a region can be drawn as."""
AREAS = ("top", "middle", "bottom", "left", "right", "top left", "top right", "bottom left", "bottom right", "none")
"""Where something can stand on a printed piece."""
CARD_SIZES = {
    "micro": (32, 44), "mini": (44, 63), "bridge": (57, 89), "euro": (59, 92), "poker": (63, 88), "square": (70, 70),
    "tarot": (70, 121), "jumbo": (89, 140),
}  # fmt: skip
"""The width and the height of cards by name, in millimetres."""
SIZES = (*CARD_SIZES, "none")
LENGTH = r"[0-9]{1,3}(?:\.[0-9])?"
MILLIMETRES = re.compile(rf"({LENGTH}) *x *({LENGTH})")
BOX = re.compile(rf"({LENGTH}) +({LENGTH}) +({LENGTH}) +({LENGTH})")


# --- as written ---------------------------------------------------------------------------------------------------------

# Each key is a row.
# fmt: off
FILL = ("Its colour: the name of one (" + ", ".join(FILLS) + "), or an expression whose member, player or number has one.", "red", "it.habitat")
SYMBOL = ("What is written on it: an expression whose member, player or number has a letter, or is one.", "it.value")
PATTERN = (one_of("the name of a pattern", *PATTERNS), "A pattern that stands for the colour where colours cannot be seen.", "dots")
LETTER = (Sort("one or two characters", ("string", "integer"), Reader.word), "What is written on it.", "M")
ICON = (Sort("the name of an icon", ("string",), Reader.word), "What is drawn on it, with the letter for those who cannot show it: an icon of the library (`houserule icons` searches it), pips/0 to pips/9, or suit/club, suit/diamond, suit/heart, suit/spade.", "game-icons/magic-lamp", "pips/3", "suit/heart")
INK = ("The colour of what is written and drawn on it, likewise.", "black", "it.suit")


def one(definition: Any, *named: str) -> Read:
    """How to read a map."""
    return lambda reader, node: structure(definition, reader, node, *named, node.span)


def each(definition: Any) -> Read:
    """How to read a list of maps."""

    def read(reader: Reader, node: Yaml) -> tuple[Any, ...]:
        found = (structure(definition, reader, item, item.span) for item in node.items)
        return tuple(made for made in found if made is not None)

    return read


@entry("layout/look", "a map such as {fill: rose, pattern: dots, letter: R}", {"fill": "red", "pattern": "dots"})
@frozen
class MemberLookDefinition:
    """How a member looks wherever it gives a piece its colour or symbol; or how the back of a piece looks."""

    name: str
    span: Span
    fill: Word | None = key(one_of("the name of a colour", *FILLS), "Its colour.", "red", default=None)
    pattern: Word | None = key(*PATTERN, default=None)
    letter: Word | None = key(*LETTER, default=None)
    icon: Word | None = key(*ICON, default=None)


def looks(definition: Any, title: str, called: str, *mentions: str, **given: Any) -> Sort:
    """A map from names of the game to looks."""
    return map_of(definition, "", title, called=called, mentions_keys=mentions, **given)


MEMBER_LOOKS = looks(MemberLookDefinition, "a map from members to looks", "the name of a member", "member", "piece", place="layout/members", says="How the members of an enum look: {pink: {fill: rose, letter: P}}.", examples=({"pink": {"fill": "rose", "letter": "P"}},))


PRINTED_PLACE = Sort("a place such as top, or four numbers such as 4 60 55 24", ("string",), Reader.word, offers=AREAS)
PRINTED_SIZE = Sort("a size such as poker, or 40 x 40", ("string",), Reader.word, offers=SIZES)


@entry("layout/printed_field", "a place, or a map such as {at: top right, symbol: it.worth}", "top", {"at": "top right", "symbol": "it.worth", "fill": "gold"}, types=("object", "string"), bare="at")
@frozen
class PrintedFieldDefinition:
    """Something on a printed piece: what it is, where it stands, and how large."""

    name: str
    span: Span
    at: Word | None = key(PRINTED_PLACE, "Where it stands: " + ", ".join(AREAS) + "; or a box: its distance from the left and from the top, its width and its height, in millimetres.", "top right", "4 60 55 24", default=None)
    size: Scalar | None = key(number(3, 200), "The size of its letters, or of its symbol, in points of 0.35 mm. Letters shrink if there are too many.", 9, default=None)
    symbol: MaybeExpression = key(EXPRESSION, *SYMBOL, default=None)
    letter: Word | None = key(*LETTER, default=None)
    icon: Word | None = key(*ICON, default=None)
    words: Prose | None = key(PROSE, "What is written there; {…} shows the value of an expression over 'it'.", {"en": "{it.habitat}"}, default=None)
    fill: MaybeExpression = key(EXPRESSION, *FILL, default=None)
    ink: MaybeExpression = key(EXPRESSION, *INK, default=None)
    when: MaybeExpression = key(EXPRESSION, "Only on the pieces for which this holds; 'it' is the piece.", "it.worth > 0", read=Reader.condition, default=None)


PRINTED_FIELD = SORTS[PrintedFieldDefinition]
PRINTED_FIELDS = map_of(PrintedFieldDefinition, "", "a map from names to places and what stands there", place="layout/printed_fields", says="What else stands on it, by names of your own: {worth: {at: top right, symbol: it.worth}}.", examples=({"worth": {"at": "top right", "symbol": "it.worth"}},), beside=())


@entry("layout/print", "a size, or a map such as {size: poker, title: top}", "poker", {"size": "poker", "border": 4, "title": "top"}, types=("object", "string"), bare="size")
@frozen
class PrintedPieceDefinition:
    """How the pieces of a kind are printed: their size, and what stands where on them."""

    span: Span
    size: Word | None = key(PRINTED_SIZE, "The size of a piece: " + ", ".join(SIZES[:-1]) + ", or its width and its height in millimetres, such as 40 x 40; none if it is not printed.", "poker", "40 x 40", default=None)
    border: Scalar | None = key(number(0, 30), "How wide its coloured border is, in millimetres; 0 if the colour is everywhere.", 4, default=None)
    radius: Scalar | None = key(number(0, 100), "The radius of its corners, in millimetres.", 3, default=None)
    fill: MaybeExpression = key(EXPRESSION, *FILL, default=None)
    title: PrintedFieldDefinition | None = key(PRINTED_FIELD, "Its title.", "top", {"at": "top", "size": 12}, read=one(PrintedFieldDefinition, ""), default=None)
    symbol: PrintedFieldDefinition | None = key(PRINTED_FIELD, "Its symbol, or the icon in its place.", "middle", {"at": "middle", "size": 60}, read=one(PrintedFieldDefinition, ""), default=None)
    text: PrintedFieldDefinition | None = key(PRINTED_FIELD, "Its text.", "bottom", {"at": "bottom", "size": 9}, read=one(PrintedFieldDefinition, ""), default=None)
    corner: PrintedFieldDefinition | None = key(PRINTED_FIELD, "What is written in its corners: `top left` repeats it at the bottom right, the other way up.", "top left", read=one(PrintedFieldDefinition, ""), default=None)
    fields: dict[str, PrintedFieldDefinition] = key(PRINTED_FIELDS, "What else stands on it, by names of your own.", {"worth": {"at": "top right", "symbol": "it.worth", "fill": "gold"}}, default_factory=dict)
    back: Word | None = key(one_of("printed or none", "printed", "none"), "Whether its back is printed; by default it is if the piece can lie face down.", "none", default=None)
    sides: Word | None = key(name_of("variable"), "A variable with two values, of the piece or of the table: its two sides are printed as they look with each, as of a disc that is turned over.", "colour", default=None)


@entry("layout/printed_board", "a number of millimetres, none, or a map such as {size: 25}", 25, {"copies": "player_count"}, types=("object", "integer", "string"), bare="size")
@frozen
class PrintedBoardDefinition:
    """How what belongs to a zone or a variable is printed: a board, a track, a sheet, dice, or counters."""

    span: Span
    size: Word | None = key(Sort("a number of millimetres, or none", ("integer", "string"), Reader.word, offers=("none",)), "The width of a place on it in millimetres, or of a die or counter; none if it is not printed.", 25, "none", default=None)
    copies: MaybeExpression = key(EXPRESSION, "How many there are: of a board, of dice, or of counters for each index.", "player_count", 5, default=None)


PRINTED_BOARD = (SORTS[PrintedBoardDefinition], "How it is printed, as a board, track, sheet, dice or counters.", 25, {"copies": "player_count"})


@entry("layout/case", "a map such as {when: it.wormy, fill: brown}", {"when": "it.wormy", "fill": "brown"})
@frozen
class CaseLookDefinition:
    """How a piece looks while a condition holds: what is said here takes the place of the rest."""

    span: Span
    when: nodes.Expression = key(EXPRESSION, "Only while this holds; 'it' is the piece.", "it.wormy", read=Reader.condition, required=True)
    shape: Word | None = key(one_of("the name of a shape", *SHAPES), "What a piece looks like.", "card", default=None)
    fill: MaybeExpression = key(EXPRESSION, *FILL, default=None)
    pattern: Word | None = key(*PATTERN, default=None)
    symbol: MaybeExpression = key(EXPRESSION, *SYMBOL, default=None)
    letter: Word | None = key(*LETTER, default=None)
    icon: Word | None = key(*ICON, default=None)
    ink: MaybeExpression = key(EXPRESSION, *INK, default=None)
    words: Prose | None = key(PROSE, "A short title.", {"en": "Wormy"}, default=None)


@entry("layout/piece", "a map such as {shape: card, fill: it.suit}", {"shape": "card", "fill": "it.habitat"})
@frozen
class PieceLookDefinition:
    """How the pieces of a kind look, by expressions over 'it'."""

    name: str
    span: Span
    shape: Word | None = key(one_of("the name of a shape", *SHAPES), "What a piece looks like.", "card", default=None)
    fill: MaybeExpression = key(EXPRESSION, *FILL, default=None)
    pattern: Word | None = key(*PATTERN, default=None)
    symbol: MaybeExpression = key(EXPRESSION, *SYMBOL, default=None)
    letter: Word | None = key(*LETTER, default=None)
    icon: Word | None = key(*ICON, default=None)
    ink: MaybeExpression = key(EXPRESSION, *INK, default=None)
    corner: MaybeExpression = key(EXPRESSION, "What is written in its corners, as on a playing card: an expression like that of the symbol.", "it.rank", default=None)
    words: Prose | None = key(PROSE, "A short title, if the title of the piece is too long for it.", {"en": "Morel"}, default=None)
    back: MemberLookDefinition | None = key(SORTS[MemberLookDefinition], "How its back looks.", {"fill": "grey"}, read=one(MemberLookDefinition, ""), default=None)
    pieces: dict[str, MemberLookDefinition] = key(MEMBER_LOOKS, "How single pieces of the kind look, by their ids.", {"morel": {"fill": "brown"}}, default_factory=dict)
    stands_for: MaybeExpression = key(EXPRESSION, "The piece where it is picked: for places that are not on the table themselves.", "it.card", default=None)
    cases: tuple[CaseLookDefinition, ...] = key(Sort("a list of cases", ("array",), each(CaseLookDefinition), items=SORTS[CaseLookDefinition]), "How they look while a condition holds: the first case that holds counts.", [{"when": "it.wormy", "fill": "brown", "letter": "W"}], default=())
    print_: PrintedPieceDefinition | None = key(SORTS[PrintedPieceDefinition], "How they are printed.", "poker", {"size": "poker", "title": "top"}, read=one(PrintedPieceDefinition), default=None)


@entry("layout/zone case", "a map such as {when: is_night, words: At rest}", {"when": "is_night", "words": "At rest"})
@frozen
class ZoneCaseDefinition:
    """What a zone is called while a condition holds."""

    span: Span
    when: nodes.Expression = key(EXPRESSION, "Only while this holds; in a zone of each player, 'it' is the player.", "rain > 3", read=Reader.condition, required=True)
    words: Prose | None = key(PROSE, "A short title.", {"en": "At rest"}, required=True, default=None)


@entry("layout/zone", "a map such as {arrange: grid, row: rank, column: file}", {"arrange": "fan"})
@frozen
class ZoneLookDefinition:
    """How a zone, or a family of zones, lies on the table."""

    name: str
    span: Span
    arrange: str = key(one_of("the name of an arrangement", "grid", "hex", "graph", "layers", "track", "ring", "stack", "fan", "row", "hand", "heap", "piles", "box", "solid", "die", "trick", "upon", "none"), "How things lie there.", "fan", default="row")
    row: MaybeExpression = key(EXPRESSION, "The row: in a family, of each zone by its index; in a single zone, of each piece by 'it'.", "it.row", default=None)
    column: MaybeExpression = key(EXPRESSION, "The column, likewise.", "it.column", default=None)
    layer: MaybeExpression = key(EXPRESSION, "The layer, likewise; higher layers lie on top.", "it.layer", default=None)
    order: MaybeExpression = key(EXPRESSION, "The place in a ring, likewise.", "it.number", default=None)
    joined: MaybeExpression = key(EXPRESSION, "For a graph: whether a line joins two places, the index and 'other'.", "other in neighbours[it]", default=None)
    up: MaybeExpression = key(EXPRESSION, "The piece that lies on top: the face of a die that was rolled.", "face", default=None)
    lid: MaybeExpression = key(EXPRESSION, "For a solid: what is seen on its lid, an expression like that of a symbol. When it changes, the solid has been turned over.", "side_on_top", default=None)
    parts: Scalar | None = key(number(1, 12, "a number such as 2"), "The parts of a piece in which rows and columns are counted: 2 for halves; 1 by default.", 2, default=None)
    words: Prose | None = key(PROSE, "What it is called on the table, with values: of what all players see, and in a zone of each player of 'it', the player.", {"en": "Day {day}"}, default=None)
    cases: tuple[ZoneCaseDefinition, ...] = key(Sort("a list of cases", ("array",), each(ZoneCaseDefinition), items=SORTS[ZoneCaseDefinition]), "What it is called while a condition holds: the first case that holds counts.", [{"when": "rain > 3", "words": "Flooded"}], default=())
    keep: bool = key(FLAG, "Whether it keeps its room on the table while it is empty; by default an empty zone takes none.", True, default=False)
    columns: Scalar | None = key(number(1, 100), "How many lie in a row.", 4, default=None)
    board: Word | None = key(one_of("the name of a kind of board", *BOARDS), "What the places are drawn as: squares of two shades, squares of one, round holes, or fields between lines. Their titles are then not written on them.", "chequered", default=None)
    fill: Word | None = key(one_of("the name of a colour", *FILLS), "The colour of its board.", "green", default=None)
    print_: PrintedBoardDefinition | None = key(*PRINTED_BOARD, read=one(PrintedBoardDefinition), default=None)


@entry("layout/variable", "a map such as {show: track, to: 50}", {"show": "track", "to": 50})
@frozen
class VariableLookDefinition:
    """How a variable, or a family of them, looks."""

    name: str
    span: Span
    show: str = key(one_of("the name of a way to show it", "number", "score", "gauge", "flag", "mark", "die", "spinner", "track", "sheet", "none"), "How it is shown.", "number", default="number")
    from_: Scalar | None = key(number(-1000, 1000), "The first number of its track or gauge; by default 0, or where its variable begins if `to` is left out.", 1, default=None)
    to: Scalar | None = key(number(-1000, 1000), "The last number of its track or gauge; by default where its variable ends, if its type says so.", 50, default=None)
    on: Word | None = key(name_of("variable"), "The variable whose track or sheet it shares.", "score", default=None)
    fill: MaybeExpression = key(EXPRESSION, *FILL, default=None)
    symbol: MaybeExpression = key(EXPRESSION, *SYMBOL, default=None)
    icon: Word | None = key(*ICON, default=None)
    print_: PrintedBoardDefinition | None = key(*PRINTED_BOARD, read=one(PrintedBoardDefinition), default=None)


def looks_of_enums(reader: Reader, node: Yaml) -> dict[str, tuple[Span, dict[str, MemberLookDefinition]]]:
    read = MEMBER_LOOKS.read
    assert read is not None
    return {name.text: (name.span, read(reader, value)) for name, value in reader.entries(node)}


def rows(reader: Reader, node: Yaml) -> tuple[tuple[Word, ...], ...]:
    return tuple(reader.words(row) for row in node.items if isinstance(row, Sequence))


@entry("layout/layout", "a map with pieces, zones and so on", {"zones": {"forest": {"arrange": "stack"}}}, beside=NOTES)
@frozen
class LayoutDefinition:
    """How the table looks. It changes no rule, and reads only what all players see."""

    span: Span
    enums: dict[str, tuple[Span, dict[str, MemberLookDefinition]]] = key(looks(MEMBER_LOOKS, "a map from enums to members", "the name of an enum", "enum", read=looks_of_enums), "How the members of enums look.", {"habitat": {"wood": {"fill": "green"}}}, default_factory=dict)
    pieces: dict[str, PieceLookDefinition] = key(looks(PieceLookDefinition, "a map from kinds of pieces to looks", "the name of a kind of piece", "kind"), "How pieces look.", {"mushroom": {"shape": "card"}}, default_factory=dict)
    zones: dict[str, ZoneLookDefinition] = key(looks(ZoneLookDefinition, "a map from zones to arrangements", "the name of a zone", "zone"), "How zones lie on the table.", {"forest": {"arrange": "stack"}}, default_factory=dict)
    variables: dict[str, VariableLookDefinition] = key(looks(VariableLookDefinition, "a map from variables to looks", "the name of a variable", "variable"), "How variables look.", {"score": {"show": "number"}}, default_factory=dict)
    players: tuple[Word, ...] = key(Sort("a list of colours", ("array",), Reader.words, items=one_of("the name of a colour", *FILLS)), "The colours of the players, in seat order.", ["white", "black"], default=())
    table: tuple[tuple[Word, ...], ...] = key(Sort("a list of rows", ("array",), rows, items=names_of("zone", "variable")), "What lies beside each other on the table: rows of zones and variables, from the top.", [["forest", "compost"]], default=())
    player: tuple[Word, ...] = key(names_of("zone", "variable"), "What lies in front of each player, in order: zones and variables.", ["basket", "score"], default=())
# fmt: on


def layout(reader: Reader, node: Yaml) -> LayoutDefinition | None:
    return structure(LayoutDefinition, reader, node, node.span) if isinstance(node, Mapping) else None


# --- as checked ---------------------------------------------------------------------------------------------------------

Value = str | Expression
"""A colour, pattern or symbol by name, or an expression whose member, player or number has one."""


@frozen
class MemberLook:
    """How something looks wherever it colours or marks a piece; None for what is unspecified."""

    fill: str | None = None
    pattern: str | None = None
    symbol: str | None = None
    icon: str | None = None


@frozen
class PrintedField:
    """Something on a printed piece; `at` is an area by its name, or a box in millimetres, None for the usual place, and `size` is in points."""

    at: str | tuple[float, float, float, float] | None = None
    size: int | None = None
    symbol: Value | None = None
    icon: str | None = None
    words: MappingOf[str, Parts] | None = None  # by language
    fill: Value | None = None
    ink: Value | None = None
    when: Expression | None = None


@frozen
class PrintedPiece:
    """How the pieces of a kind are printed. Lengths are in millimetres; None is for what is unspecified."""

    size: tuple[float, float] | None = None
    is_printed: bool = True
    border: int | None = None
    radius: int | None = None
    fill: Value | None = None
    fields: MappingOf[str, PrintedField] = field(default_factory=dict)
    has_back: bool | None = None
    sides: tuple[str, int, int] | None = None
    """A variable, and its value for the front and for the back."""


@frozen
class PrintedBoard:
    """How what belongs to a zone or a variable is printed: the width of a place in millimetres, and the number of copies."""

    size: int | None = None
    is_printed: bool = True
    copies: Expression | None = None


@frozen
class PieceLook:
    """How the pieces of a kind look, by expressions over `it`; `stands_for` is the piece to pick one at."""

    shape: str | None = None
    fill: Value | None = None
    pattern: str | None = None
    symbol: Value | None = None
    words: MappingOf[str, Parts] | None = None  # by language
    back: MemberLook = field(default_factory=MemberLook)
    stands_for: Expression | None = None
    icon: str | None = None
    ink: Value | None = None
    corner: Expression | None = None
    cases: tuple[tuple[Expression, PieceLook], ...] = ()  # while a condition holds, the first that does: what differs
    printed: PrintedPiece = PrintedPiece()


@frozen
class ZoneLook:
    """How a family of zones is laid out. Expressions are over its index; those of a single zone over `it`, a piece in it.

    `up` is the upper face of a die. `joined` says whether a line joins two places of a graph. `parts` is the number of parts of a piece in which rows and columns are
    counted, `offset` the distance of a layer from the one below, in pieces.
    """

    arrange: str
    row: Expression | None = None
    column: Expression | None = None
    layer: Expression | None = None
    order: Expression | None = None
    up: Expression | None = None
    joined: Expression | None = None
    parts: int = 1
    offset: float = 0.0
    columns: int | None = None
    board: str | None = None
    fill: str | None = None
    lid: Expression | None = None
    printed: PrintedBoard = PrintedBoard()
    words: MappingOf[str, Parts] | None = None  # by language, over `it`, the owner
    cases: tuple[tuple[Expression, MappingOf[str, Parts]], ...] = ()  # what it is called while a condition holds
    keep: bool = False


@frozen
class VariableLook:
    """How a family of variables looks: on a track from `low` to `high`, which may be that of another (`on`)."""

    show: str
    low: int | None = None
    high: int | None = None
    on: str | None = None
    fill: Value | None = None
    symbol: Value | None = None
    icon: str | None = None
    printed: PrintedBoard = PrintedBoard()


@frozen
class TableLayout:
    """The layout of a game. What it does not mention gets a look from names, shapes and counts."""

    pieces: MappingOf[str, PieceLook] = field(default_factory=dict)
    members: MappingOf[str, MappingOf[int, MemberLook]] = field(default_factory=dict)  # by enum or kind, then member
    zones: MappingOf[str, ZoneLook] = field(default_factory=dict)
    variables: MappingOf[str, VariableLook] = field(default_factory=dict)
    table: tuple[tuple[str, ...], ...] = ()
    player: tuple[str, ...] = ()
    players: tuple[str, ...] = ()  # their colours, by seat
