"""Checks the layout of a table: the names it uses exist, its expressions have types with a look, and it reads nothing hidden."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from houserule.definition import looks
from houserule.definition.families import names_of
from houserule.definition.reader import Prose, Word
from houserule.diagnostics import Related, Span
from houserule.icons import FILE, LIBRARY, drawings, known
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language.scope import Analysis, Context, bind
from houserule.language.symbols import SymbolTable
from houserule.language.trees import expressions
from houserule.language.typecheck import expr
from houserule.language.types import Bool, Int, Member, Piece, Player, Type, Unknown, plain
from houserule.printable import whole_number
from houserule.secrecy.taints import HOW_MANY
from houserule.source import Scalar

Names = list[tuple[str, Type]]
"""What an expression is over: names with their types."""
T = TypeVar("T")
L = TypeVar(
    "L", looks.MemberLookDefinition, looks.PieceLookDefinition, looks.VariableLookDefinition, looks.ZoneLookDefinition
)
LONGEST_LETTER = 2
LEAST_SIZE, GREATEST_SIZE = 5, 400
"""The least and the greatest side of what is printed, in millimetres."""
LONGEST_TRACK = 1000
"""The greatest number on a track or a gauge that ends where its variable does."""


def drawn_beside(file: str) -> Collection[str] | None:
    """The icons whose drawings are beside a file of a game, or of one of its house rules; None for a text that is no file."""
    folder = Path(file).parent
    if not Path(file).is_file():
        return None
    home = folder.parent if (folder.parent / "game.yaml").is_file() else folder
    return drawings(home)


class LayoutChecker:
    """Checks one layout for one number of players."""

    def __init__(self, analysis: Analysis, declared: Mapping[str, Sequence[str]]) -> None:
        self.analysis = analysis
        self.declared = declared  # the pieces of each kind that are written, also those of which there are none
        self.report = analysis.report
        self.symbols: SymbolTable = analysis.symbols
        self.drawn: dict[str, Collection[str] | None] = {}  # by file: the icons that have drawings
        self.shared: set[str] = set()  # what belongs to players, and lies in the middle

    def layout(self, layout: looks.LayoutDefinition) -> looks.TableLayout:
        symbols = self.symbols
        pieces = {name: kind for name, kind in symbols.kinds.items() if kind.is_piece}
        enums = {name: kind for name, kind in symbols.kinds.items() if not kind.is_piece}
        members: dict[str, dict[int, looks.MemberLook]] = {}
        self.shared = {name for name, look in layout.variables.items() if look.show in ("track", "sheet")}
        self.shared |= {name for name, look in layout.zones.items() if look.arrange == "trick"}
        for name, (span, written) in layout.enums.items():
            if self.is_there(name, span, enums, "enum", "enums"):
                members[name] = self.members(enums[name], written, f"enums.{name}")
        looking = list(self.known(layout.pieces, pieces, "kind of piece", "pieces"))
        for kind, look in looking:
            members[kind.name] = self.members(kind, look.pieces, f"pieces.{kind.name}.pieces")
        return looks.TableLayout(
            {kind.name: self.piece(kind, look) for kind, look in looking},
            members,
            {
                zone.name: self.zone(zone, look)
                for zone, look in self.known(layout.zones, symbols.zones, "zone", "zones")
            },
            {
                variable.name: self.variable(variable, look)
                for variable, look in self.known(layout.variables, symbols.variables, "variable", "variables")
            },
            tuple(self.names(row, is_owned=False) for row in layout.table),
            self.names(layout.player, is_owned=True),
            tuple(layout.players),
        )

    def has_owner(self, zone: c.Family) -> bool:
        """Whether each place of a family is a piece or member of some player."""
        kinds = [one.type.kind for one in zone.parameters if isinstance(one.type, Member | Piece)]
        types = [type for kind in kinds if kind for type in self.symbols.kinds[kind].attribute_types.values()]
        return Player() in types

    # --- names --------------------------------------------------------------------------------------------------------

    def is_there(self, name: str, span: Span, things: Iterable[str], what: str, at: str) -> bool:
        """Whether the game has something of that name; reports it, with the path of the layout, if not."""
        known = list(things)
        if name not in known:
            path = f"layout.{at}" if at.endswith(".on") or at == "table" else f"layout.{at}.{name}"
            help = f"take it out of '{path}'" if at == "table" else f"remove: [{path}]"
            message = f"there is no {what} '{name}', which '{path}' lays out"
            self.report.misnamed("HR501", message, span, name, known, help)
        return name in known

    def known(self, written: Mapping[str, L], things: Mapping[str, T], what: str, at: str) -> Iterator[tuple[T, L]]:
        for name, look in written.items():
            if self.is_there(name, look.span, things, what, at):
                yield things[name], look

    def names(self, row: Iterable[Word], is_owned: bool) -> tuple[str, ...]:
        """Zones and variables that lie side by side, of players or of nobody; tracks, sheets and tricks are nobody's."""
        symbols, found = self.symbols, []
        families: dict[str, c.Family] = {**symbols.variables, **symbols.zones}
        for name in row:
            if not self.is_there(name, name.span, families, "zone or variable", "player" if is_owned else "table"):
                continue
            family = families[name]
            of_player = family.owned and name not in self.shared
            if of_player != is_owned and not (is_owned and name in symbols.zones and self.has_owner(family)):
                message = f"'{name}' belongs to each player" if of_player else f"'{name}' belongs to no player"
                help = f"put it under {'player' if of_player else 'table'}"
                if of_player and name in symbols.zones:
                    help += f"; for a place on the shared table: zones: {{{name}: {{arrange: trick}}}}"
                related = [Related("it is declared here", family.span)]
                self.report.error("HR594", message, name.span, help, related)
                continue
            found.append(name)
        return tuple(found)

    # --- looks --------------------------------------------------------------------------------------------------------

    def members(
        self, kind: c.Kind, written: Mapping[str, looks.MemberLookDefinition], at: str
    ) -> dict[int, looks.MemberLook]:
        """The looks of the members of an enum, or of the pieces of a kind, including copies."""
        found = {}
        lettered: dict[str, Word] = {}
        for name, look in written.items():
            if not kind.is_piece and look.letter and lettered.setdefault(look.letter, look.letter) is not look.letter:
                message = f"two members of '{kind.name}' have the letter '{look.letter}', so nobody can tell them apart"
                related = [Related("the first one is here", lettered[look.letter].span)]
                self.report.warning("HR598", message, look.letter.span, "give each its own", related)
            if self.is_there(name, look.span, {*kind.ids, *self.declared.get(kind.name, ())}, f"'{kind.name}'", at):
                made = self.member_look(look)
                found.update({number: made for number in kind.numbers if kind.id_of(number) == name})
        return found

    def member_look(self, look: looks.MemberLookDefinition) -> looks.MemberLook:
        """A look of a member that is written out."""
        self.check_letter(look.letter)
        letter = look.letter[:LONGEST_LETTER] if look.letter else None
        return looks.MemberLook(look.fill, look.pattern, letter, self.icon(look.icon))

    def icon(self, name: Word | None) -> str | None:
        """The name of an icon, without that of its library; it is reported if there is none."""
        if name is None:
            return None
        if name not in known():
            message, among = f"there is no icon '{name}'", known()
            among = among if "/" in name else frozenset(one for one in among if one.rpartition("/")[2][:1] == name[:1])
            self.report.misnamed(
                "HR501",
                message,
                name.span,
                name,
                among,
                "`houserule icons WORD` lists those with a word in their names",
            )
            return None
        if name.span.file not in self.drawn:
            self.drawn[name.span.file] = drawn_beside(name.span.file)
        drawn = self.drawn[name.span.file]
        if name.startswith(f"{LIBRARY}/") and drawn is not None and name.removeprefix(f"{LIBRARY}/") not in drawn:
            message = f"nothing draws '{name}': '{FILE}' beside the game does not have it"
            help = "houserule icons --game FOLDER --from PACKAGE writes it; until then there is a letter"
            self.report.warning("HR599", message, name.span, help)
        return name.removeprefix(f"{LIBRARY}/")

    def check_letter(self, letter: Word | None) -> None:
        """Warn of a letter that is a word: an expression belongs in `symbol` or in a title."""
        if letter is not None and len(letter) > LONGEST_LETTER:
            message = f"'letter' is one or two characters, got the text '{letter}'"
            help = "symbol: … shows a value of the piece" if "." in letter else f"letter: {letter[0]}"
            self.report.warning("HR598", message, letter.span, help)

    def values(self, look: Any, of: Any, names: Names, **others: Names | None) -> dict[str, Any]:
        """What a checked look has in common with the written one, by field. Expressions are over `names`, or over others; None leaves a field out."""
        found: dict[str, Any] = {}
        for name in (field.name for field in fields(of) if hasattr(look, field.name)):
            value, over = getattr(look, name), others.get(name, names)
            if over is None:
                continue
            if isinstance(value, nodes.Name) and name in ("fill", "ink") and value.id in looks.FILLS:
                value = value.id
            elif isinstance(value, nodes.Expression):
                value = self.expression(name, value, over)
            elif isinstance(value, Prose):
                value = self.texts(value, over)
            elif isinstance(value, Scalar):
                value = number(value)
            found[name] = self.icon(value) if name == "icon" else value
        if hasattr(look, "letter"):
            self.check_letter(look.letter)
            found["symbol"] = found.get("symbol") or look.letter
        return found

    def piece(self, kind: c.Kind, look: looks.PieceLookDefinition) -> looks.PieceLook:
        names = [("it", kind.type)]
        back = self.member_look(look.back) if look.back is not None else looks.MemberLook()
        cases = tuple(case for one in look.cases if (case := self.case(one, names)) is not None)
        values = self.values(look, looks.PieceLook, names, back=None, cases=None)
        return looks.PieceLook(**values, back=back, cases=cases, printed=self.printed(kind, look.print_))

    def case(self, look: looks.CaseLookDefinition, names: Names) -> tuple[c.Expression, looks.PieceLook] | None:
        """How a piece looks while a condition holds."""
        when = self.expression("when", look.when, names)
        made = looks.PieceLook(**self.values(look, looks.PieceLook, names))
        return (when, made) if when is not None else None

    def zone(self, zone: c.Zone, look: looks.ZoneLookDefinition) -> looks.ZoneLook:
        names = names_of(zone) or [("it", zone.piece)]
        if look.arrange == "trick" and not (zone.owned and len(zone.parameters) == 1):
            message = f"a trick has a place for each player, and '{zone.name}' does not"
            self.report.error("HR594", message, look.span, f"declare it as {zone.name}(player)")
        others = {"parts": None, "joined": None, "cases": None, "lid": [], "words": owner_of(zone)}
        return looks.ZoneLook(
            **self.values(look, looks.ZoneLook, names, **others),
            joined=self.joined(zone, look.joined),
            parts=number(look.parts) or 1,
            printed=self.printed_board(look.print_, names_of(zone)),
            cases=tuple(case for one in look.cases if (case := self.zone_case(zone, one)) is not None),
        )

    def zone_case(self, zone: c.Zone, look: looks.ZoneCaseDefinition) -> tuple[c.Expression, dict[str, c.Parts]] | None:
        """What a zone is called while a condition holds."""
        when = self.expression("when", look.when, owner_of(zone))
        words = self.texts(look.words, owner_of(zone))
        return (when, words) if when is not None and words is not None else None

    def joined(self, zone: c.Zone, node: nodes.Expression | None) -> c.Expression | None:
        """Whether a line joins two places of a family, over its index and `other`."""
        names = names_of(zone)
        if node is None:
            return None
        if len(names) != 1:
            message = f"'joined' is about two places of a family over one index, and '{zone.name}' is not one"
            self.report.error("HR594", message, node.span, f"declare it as {zone.name}(PLACE)")
            return None
        return self.expression("joined", node, [*names, ("other", names[0][1])])

    def variable(self, variable: c.Variable, look: looks.VariableLookDefinition) -> looks.VariableLook:
        low, high, on = number(look.from_), number(look.to), look.on
        if on is not None and not self.is_there(
            on, on.span, self.symbols.variables, "variable", f"variables.{look.name}.on"
        ):
            on = None
        if look.show in ("track", "gauge") and high is None and look.on is None:
            low, high = self.range_of(variable, look, low)
        elif look.to is not None and high is not None and (low or 0) >= high:
            self.report.error(
                "HR594", nothing_between(low, high), look.to.span, "the last number comes after the first"
            )
        names = names_of(variable)
        values = self.values(look, looks.VariableLook, names, on=None)
        return looks.VariableLook(**values, low=low, high=high, on=on, printed=self.printed_board(look.print_, names))

    def range_of(
        self, variable: c.Variable, look: looks.VariableLookDefinition, low: int | None
    ) -> tuple[int | None, int | None]:
        """Where a track or a gauge begins and ends of which the layout does not say the end: as its variable is declared."""
        type = plain(variable.type)
        if isinstance(type, Int) and type.low >= -LONGEST_TRACK and type.high <= LONGEST_TRACK:
            first = low if low is not None else type.low
            if first < type.high:
                return first, type.high
            self.report.error("HR594", nothing_between(first, type.high), look.span, f"'{look.name}' is {type}")
        elif isinstance(type, Int | Unknown):
            message = f"nothing says where the {look.show} of '{look.name}' ends"
            help = f"write `to: …`, or `on: …` for that of another variable; or declare its range: {look.name}: 0..50"
            self.report.error("HR594", message, look.span, help)
        else:
            message = f"a {look.show} has numbers, and '{look.name}' is {type}"
            self.report.error("HR594", message, look.span, "write `show: mark`")
        return low, None

    # --- on paper -----------------------------------------------------------------------------------------------------

    def printed(self, kind: c.Kind, look: looks.PrintedPieceDefinition | None) -> looks.PrintedPiece:
        if look is None:
            return looks.PrintedPiece()
        names: Names = [("it", kind.type)]
        size = self.size(look.size)
        fixed = {"title": look.title, "symbol": look.symbol, "text": look.text, "corner": look.corner}
        fields_of = {name: one for name, one in fixed.items() if one is not None}
        for name, one in look.fields.items():
            if name in fixed:
                message = f"'{name}' stands on every piece"
                self.report.error("HR594", message, one.span, f"write it beside 'fields': {name}: {{at: top}}")
            else:
                fields_of[name] = one
        others = dict.fromkeys(("size", "fields", "sides"))
        return looks.PrintedPiece(
            **self.values(look, looks.PrintedPiece, names, **others),
            size=size,
            is_printed=look.size != "none",
            fields={name: self.printed_field(one, names, size) for name, one in fields_of.items()},
            has_back=None if look.back is None else look.back != "none",
            sides=self.sides(kind, look.sides) if look.sides is not None else None,
        )

    def sides(self, kind: c.Kind, name: Word) -> tuple[str, int, int] | None:
        """The variable that the two sides of a piece show, with its two values."""
        if not self.is_there(name, name.span, self.symbols.variables, "variable", f"pieces.{kind.name}.print.sides"):
            return None
        variable = self.symbols.variables[name]
        type = plain(variable.type)
        values = list(self.symbols.domain(type) or ())
        is_of_kind = [parameter.type for parameter in variable.parameters] in ([], [kind.type])
        if len(values) != 2 or not is_of_kind:
            message = f"the two sides of a {kind.name} cannot show '{name}'"
            help = f"a variable with two values, of the {kind.name} or of the table"
            self.report.error("HR594", message, name.span, help, [Related("it is declared here", variable.span)])
            return None
        return str(name), values[0], values[1]

    def size(self, said: Word | None) -> tuple[float, float] | None:
        """The width and the height of a piece; it is reported if it is neither a name nor two numbers."""
        if said is None or said == "none":
            return None
        if said in looks.CARD_SIZES:
            return looks.CARD_SIZES[said]
        measured = looks.MILLIMETRES.fullmatch(said)
        size = (float(measured[1]), float(measured[2])) if measured is not None else None
        if size is None or min(size) < LEAST_SIZE or max(size) > GREATEST_SIZE:
            message = f"a piece cannot be printed in the size '{said}'"
            help = f"size: 40 x 40 in millimetres, {LEAST_SIZE} to {GREATEST_SIZE}, or one of {', '.join(looks.SIZES)}"
            self.report.error("HR594", message, said.span, help)
            return None
        return size

    def printed_field(
        self, look: looks.PrintedFieldDefinition, names: Names, size: tuple[float, float] | None
    ) -> looks.PrintedField:
        """What stands somewhere on a printed piece."""
        at: str | tuple[float, float, float, float] | None = look.at
        if look.at is not None and look.at not in looks.AREAS:
            box = looks.BOX.fullmatch(look.at)
            left, top, width, height = map(float, box.groups()) if box is not None else (0.0, 0.0, 0.0, 0.0)
            at = (left, top, width, height)
            is_inside = size is None or (left + width <= size[0] and top + height <= size[1])
            if not (width and height and is_inside):
                message = f"nothing can stand at '{look.at}'" + ("" if box is None else " on this piece")
                help = (
                    f"at: {', '.join(looks.AREAS)}, or left, top, width and height in millimetres, inside of the piece"
                )
                self.report.error("HR594", message, look.at.span, help)
                at = None
        return looks.PrintedField(**self.values(look, looks.PrintedField, names, at=None), at=at)

    def printed_board(self, look: looks.PrintedBoardDefinition | None, names: Names) -> looks.PrintedBoard:
        """How what belongs to a zone or a variable is printed."""
        if look is None:
            return looks.PrintedBoard()
        size = whole_number(look.size) if look.size is not None and look.size != "none" else None
        if look.size not in (None, "none") and not (size and LEAST_SIZE <= size <= GREATEST_SIZE):
            message = f"a place cannot be printed '{look.size}' wide"
            help = f"size: 25 in millimetres, {LEAST_SIZE} to {GREATEST_SIZE}, or none"
            self.report.error("HR594", message, look.size.span if look.size is not None else look.span, help)
            size = None
        copies = self.expression("copies", look.copies, names)
        return looks.PrintedBoard(size, look.size != "none", copies)

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, key: str, node: nodes.Expression | None, names: Names) -> c.Expression | None:
        """An expression over some names whose type fits its key; otherwise a diagnostic says what is wanted."""
        if node is None:
            return None
        made, (types, wanted) = self.checked(node, names), FITTING[key]
        type = made.type if key in NEVER_NONE else plain(made.type)
        if not isinstance(type, types) and not isinstance(made.type, Unknown):
            self.report.error("HR510", f"'{key}' wants {wanted}, and this is {made.type}", node.span)
            return None
        return made

    def checked(self, node: nodes.Expression, names: Names) -> c.Expression:
        context: Context = self.analysis.context("me", nobody="a layout looks the same to all")
        for position, (name, type) in enumerate(names):
            unique = "it" if name == "it" else f"index_{position}"
            bind(context, name, type, node.span, "parameter").unique = unique
        if names and names[0][0] != "it":
            bind(context, "it", names[0][1], node.span, "parameter").unique = "index_0"
        made = expr(context, node)
        for family in hidden_in(made):
            what = "zone" if isinstance(family, c.Zone) else "variable"
            message = f"this layout reads '{family.name}', which not all players see"
            self.report.error(
                "HR593", message, node.span, "read what all see", [Related(f"the {what} is declared here", family.span)]
            )
        return made

    def texts(self, prose: Prose | None, names: Names) -> dict[str, c.Parts] | None:
        """A short title in each language."""
        if prose is None:
            return None
        return {
            language: tuple(part if isinstance(part, str) else self.checked(part, names) for part in text.parts)
            for language, text in prose.texts.items()
        }


# --- what is written ----------------------------------------------------------------------------------------------------


def nothing_between(low: int | None, high: int) -> str:
    return f"there is nothing from {low or 0} to {high}"


def number(written: Scalar | None) -> int | None:
    return written.value if written is not None and isinstance(written.value, int) else None


def owner_of(zone: c.Zone) -> Names:
    """The name of the owner of a zone, in what it is called; none in a zone of nobody."""
    return [("it", zone.parameters[0].type)] if zone.owned else []


# --- types --------------------------------------------------------------------------------------------------------------


SHOWN: Any = Member | Player | Int | Bool
FITTING: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("fill", "ink", "symbol", "corner", "lid"), (SHOWN, "a member, a player or a number")),
    **dict.fromkeys(("row", "column", "layer", "order"), (SHOWN, "a number or a member")),
    **dict.fromkeys(("up", "stands_for"), (Piece, "a piece")),
    **dict.fromkeys(("when", "joined"), (Bool, "a condition")),
    "copies": (Int, "a number"),
}
"""What the value under a key is, as a type and in words."""
NEVER_NONE = frozenset({"when", "joined", "copies"})


# --- what is hidden -----------------------------------------------------------------------------------------------------


def hidden_in(expression: c.Expression) -> Iterator[c.Family]:
    """The zones and variables that an expression reads, itself or in functions, and that not all players see."""
    met: set[c.Routine] = set()
    waiting: list[object] = [expression]
    found: dict[c.Family, None] = {}
    while waiting:
        at = waiting.pop()
        counted = {
            id(inner)
            for node in expressions(at)
            if isinstance(node, c.Apply) and node.operator.name in HOW_MANY
            for inner in node.arguments
        }
        for node in expressions(at):
            match node:
                case c.ReadVariable(variable=variable) if variable.visible != "all":
                    found[variable] = None
                case c.Pile(zone=zone) if (zone.amount if id(node) in counted else zone.visible) != "all":
                    found[zone] = None
                case c.Single(pile=pile) if pile.zone.visible != "all":
                    found[pile.zone] = None
                case c.Call(function=function) if function not in met:
                    met.add(function)
                    waiting.append(function.body or ())
    yield from found
