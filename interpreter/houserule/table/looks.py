"""How things look to one viewer: what the viewer sees, what the layout says, and defaults for the rest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from houserule.compiler.folding import evaluate
from houserule.definition.looks import (
    FILLS,
    PATTERNS,
    SHAPES,
    MemberLook,
    PieceLook,
    TableLayout,
    Value,
    VariableLook,
    ZoneLook,
)
from houserule.diagnostics import NOWHERE
from houserule.language import checked as c
from houserule.language.scope import Budget, OverBudget
from houserule.language.symbols import SymbolTable
from houserule.language.trees import expressions
from houserule.language.types import NONE, Bool, Int, Maybe, Member, Piece, Player, Type, none_of, plain
from houserule.telling import view

if TYPE_CHECKING:
    from houserule.compiler.program import Program
    from houserule.running.state import State
    from houserule.table.places import Part, Spot
    from houserule.table.scene import Value as Shown
    from houserule.telling.labels import Labels

PLAYER_FILLS = ("red", "sky", "green", "gold", "violet", "orange", "teal", "brown")
PLAYER_PATTERNS = ("plain", "stripes", "dots", "checks", "waves", "cross", "rings", "bricks")
LONGEST_SYMBOL = 2
DIGITS = frozenset("123456789")
"""What is drawn as pips on a die."""
WIDE = "\u2e80"
"""From this code point on, one character counts as a word."""


class Look(NamedTuple):
    """A look; `ink` is the colour of what is on it, and `text` says what the thing does."""

    shape: str
    fill: str | None
    pattern: str | None
    symbol: str
    icon: str
    ink: str | None
    corner: str
    words: str
    text: str


def player_fills(said: tuple[str, ...], players: int) -> list[str]:
    """The colours of the players: as the layout says, then those that it does not use."""
    others = [fill for fill in (*PLAYER_FILLS, *FILLS) if fill not in said]
    return [*said, *others, *FILLS][:players]


def distinct_fills(said: list[str | None]) -> list[str]:
    """The colours of members: as is said, else by position; where that colour is taken, one that none of them has."""
    taken = {fill for fill in said if fill is not None}
    usual = [fill or FILLS[position % len(FILLS)] for position, fill in enumerate(said)]
    free = iter([fill for fill in FILLS if fill not in taken and fill not in usual])
    found: list[str] = []
    for fill, own in zip(usual, said, strict=True):
        found.append(fill if own is not None or fill not in taken else next(free, fill))
    return found


class Looks:
    """The looks of a game in one language; those that depend only on printed values are cached."""

    def __init__(self, program: Program, labels: Labels, layout: TableLayout) -> None:
        self.program = program
        self.labels = labels
        self.layout = layout
        self.players = [
            MemberLook(fill, PLAYER_PATTERNS[seat % 8], str(seat + 1))
            for seat, fill in enumerate(player_fills(layout.players, program.symbols.players))
        ]
        self.has_quiet_pieces = any(kind.quiet for kind in program.symbols.kinds.values())
        self.parts: dict[str, list[Part]] = {}  # by zone: its regions
        self.spots: dict[str, list[Spot]] = {}  # by region: the positions of its places, if constant
        self.lines: dict[str, list[list[int]]] = {}  # likewise: the joined ones
        self.places: dict[int, tuple[str, str, int]] = {}  # by slot of a zone: its title, and the thing it is for
        self.values: dict[tuple[int, int, bool], Shown] = {}  # variables by slot, value and whether it is new
        self.arranged: dict[tuple[str, ...], tuple[list[list[str]], list[list[str]]]] = {}  # what is shown, by its ids
        self._pieces: dict[int, Look] = {}
        self.slots, self.is_still, self.back = cache(self._slots), cache(self._is_still), cache(self._back)
        self._members_of, self._ranks_of = cache(self._members), cache(self._ranks)

    # --- zones --------------------------------------------------------------------------------------------------------

    def _slots(self, zone: c.Zone, seat: int | None) -> list[int]:
        """The slots of a zone, or of those that a player has of it."""
        return [slot for slot in zone.slots if seat is None or zone.index(slot)[0] == zone.lows[0] + seat]

    def _is_still(self, zone: c.Zone) -> bool:
        """Whether the look of a zone to a viewer depends only on its content, and on what has moved."""
        program, look = self.program, self.layout.zones[zone.name]
        sights = [sight[slot] for slot in zone.slots for sight in (program.zone_sight, program.zone_amount)]
        kinds = [kind for kind in program.symbols.kinds.values() if kind.is_piece and zone.holds in (None, kind.name)]
        said = look.row, look.column, look.layer, look.order, look.up, look.joined, look.lid, *titles_of(look)
        return (
            not any(map(callable, sights))
            and not any(map(changes, said))
            and all(is_printed(self.layout.pieces[kind.name]) for kind in kinds)
            and not any(program.piece_slots[piece] for kind in kinds for piece in kind.numbers)
        )

    # --- members ------------------------------------------------------------------------------------------------------

    def member(self, kind: c.Kind, number: int) -> MemberLook:
        """The look of a member of an enum: as the layout says, else by its name and its position among the others."""
        return self._members_of(kind).get(number, MemberLook())

    def _members(self, kind: c.Kind) -> dict[int, MemberLook]:
        said = self.layout.members.get(kind.name, {})
        titles = [self.labels.member(kind, number) for number in kind.numbers]
        looks = [said.get(number, MemberLook()) for number in kind.numbers]
        ids = map(kind.id_of, kind.numbers)
        fills = distinct_fills(
            [look.fill or (id if id in FILLS else None) for look, id in zip(looks, ids, strict=True)]
        )
        patterns = [look.pattern or PATTERNS[position % len(PATTERNS)] for position, look in enumerate(looks)]
        symbols = [look.symbol or symbol for look, symbol in zip(looks, abbreviations(titles), strict=True)]
        made = map(MemberLook, fills, patterns, symbols, (look.icon for look in looks))
        return dict(zip(kind.numbers, made, strict=True))

    def of_value(self, type: Type, value: int) -> MemberLook:
        if isinstance(type, Maybe) and value == none_of(type):
            return MemberLook()
        match plain(type):
            case Player():
                return self.players[value] if 0 <= value < len(self.players) else MemberLook()
            case Member(name):
                return self.member(self.program.symbols.kinds[name], value)
            case Int():
                return MemberLook(FILLS[value % len(FILLS)], PATTERNS[value % len(PATTERNS)], str(value))
        return MemberLook(symbol=self.labels.value(type, value)[:LONGEST_SYMBOL])

    def of(self, said: Value | None, eyes: Eyes, names: dict[str, int]) -> MemberLook | None:
        """The look of a name or an expression; None if there is none, or if the viewer cannot know it."""
        if said is None or isinstance(said, str):
            return None if said is None else MemberLook(said, None, said)
        value = eyes.value(said, names)
        return None if value is None else self.of_value(said.type, value)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def piece(self, piece: int, eyes: Eyes) -> Look:
        found = self._pieces.get(piece)
        if found is None:
            kind = self.program.kind_of[piece]
            said = self.layout.pieces[kind.name]
            found = self._look(piece, said, eyes)
            case = next((look for when, look in said.cases if eyes.value(when, {"it": piece})), None)
            if case is not None:
                found = self._in_case(found, case, piece, eyes)
            if found.shape == "die" and not found.icon and found.symbol in DIGITS:
                found = found._replace(icon=f"pips/{found.symbol}")
            if is_printed(said):
                self._pieces[piece] = found
        return found

    def _look(self, piece: int, said: PieceLook, eyes: Eyes) -> Look:
        names = {"it": piece}
        kind = self.program.kind_of[piece]
        fill = self.of(said.fill, eyes, names) or MemberLook()
        symbol = self.of(said.symbol, eyes, names) or MemberLook()
        own = self.layout.members.get(kind.name, {}).get(piece, MemberLook())
        ink, corner = self.of(said.ink, eyes, names), self.of(said.corner, eyes, names)
        icon = own.icon or said.icon or ("" if own.symbol else symbol.icon) or ""
        marks = own.fill or fill.fill, own.pattern or said.pattern or fill.pattern, own.symbol or symbol.symbol or ""
        drawn = icon, ink.fill if ink else None, (corner.symbol or "") if corner else ""
        return Look(said.shape or "tile", *marks, *drawn, self._words(said, kind, piece, eyes), self.text(kind, piece))

    def _in_case(self, look: Look, case: PieceLook, piece: int, eyes: Eyes) -> Look:
        """The look of a piece with what is different while a condition holds."""
        names = {"it": piece}
        fill, symbol = self.of(case.fill, eyes, names), self.of(case.symbol, eyes, names)
        ink, kind = self.of(case.ink, eyes, names), self.program.kind_of[piece]
        return look._replace(
            shape=case.shape or look.shape,
            fill=(fill and fill.fill) or look.fill,
            pattern=case.pattern or (fill and fill.pattern) or look.pattern,
            symbol=(symbol and symbol.symbol) or look.symbol,
            icon=case.icon or ((symbol.icon or "") if symbol else look.icon),
            ink=(ink and ink.fill) or look.ink,
            words=self._words(case, kind, piece, eyes) if case.words is not None else look.words,
        )

    def _words(self, said: PieceLook, kind: c.Kind, piece: int, eyes: Eyes) -> str:
        return self.labels.member(kind, piece) if said.words is None else self.said(said.words, eyes, {"it": piece})

    def said(self, words: Mapping[str, c.Parts], eyes: Eyes, names: Mapping[str, int]) -> str:
        """A short title with its values in the language of the match."""
        parts = []
        for part in words.get(self.labels.language) or next(iter(words.values())):
            if isinstance(part, str):
                parts.append(part)
                continue
            value = eyes.value(part, names)
            parts.append("" if value is None else self.labels.value(part.type, value))
        return "".join(parts)

    def zone_title(self, zone: c.Zone, look: ZoneLook, seat: int | None, eyes: Eyes) -> str:
        """What a zone, or what a player has of a family, is called at this moment."""
        names = {"it": zone.lows[0] + seat} if seat is not None else {}
        words = next((words for when, words in look.cases if eyes.value(when, names)), look.words)
        if words is not None:
            return self.said(words, eyes, names)
        return self.labels.titled(zone)

    def _back(self, piece: int) -> Look:
        kind = self.program.kind_of[piece]
        said = self.layout.pieces[kind.name]
        printed = MemberLook()
        for attribute in kind.back[-1:]:
            value: Any = kind.attributes[attribute][piece - kind.base]
            printed = self.of_value(kind.attribute_types[attribute], value)
        back = said.back
        fill, pattern = back.fill or printed.fill or "grey", back.pattern or printed.pattern or "checks"
        symbol, icon = back.symbol or printed.symbol or "", back.icon or ("" if back.symbol else printed.icon) or ""
        return Look(said.shape or "tile", fill, pattern, symbol, icon, None, "", self.labels.backs[piece], "")

    def rank(self, kind: c.Kind, piece: int) -> tuple[str, int]:
        """Where a piece comes among those of its kind: as they are declared. Copies of a piece have one rank."""
        return kind.name, self._ranks_of(kind)[kind.id_of(piece)]

    def _ranks(self, kind: c.Kind) -> dict[str, int]:
        return {kind.id_of(number): number for number in reversed(kind.numbers)}

    def text(self, kind: c.Kind, number: int) -> str:
        """The text of a piece or member: its own, or those of the members printed on it."""
        own = self.labels.text(kind, number)
        if own is not None:
            return own
        found: dict[str, None] = {}
        for attribute, type in kind.attribute_types.items():
            value = kind.attributes[attribute][number - kind.base]
            match plain(type):
                case Member(name) if isinstance(value, int) and value >= 0:
                    text = self.labels.text(self.program.symbols.kinds[name], value)
                    if text is not None:
                        found[text] = None
        return " ".join(found)


def titles_of(look: ZoneLook) -> Iterator[Value]:
    """The values and conditions in what a zone is called."""
    yield from chain(*(look.words or {}).values())
    for when, words in look.cases:
        yield when
        yield from chain(*words.values())


def is_printed(said: PieceLook) -> bool:
    values = (said.fill, said.symbol, said.ink, said.corner, *chain(*(said.words or {}).values()))
    in_cases = all(not changes(when) and is_printed(look) for when, look in said.cases)
    return in_cases and not any(map(changes, values))


def changes(value: Value | None) -> bool:
    """Whether the value of an expression can change during a match."""
    reading = c.ReadVariable | c.Pile | c.Single | c.AllPieces | c.Call
    return value is not None and any(isinstance(node, reading) for node in expressions(value))


def abbreviations(titles: list[str]) -> list[str]:
    """A letter or two for each title: the shortest distinct prefixes, else initials."""
    found: list[str] = []
    taken: set[str] = set()
    for title in titles:
        words = title.split()
        ways = [title[:1].upper(), title[:2].capitalize()]
        if len(words) > 1:
            ways.insert(1, (words[0][:1] + words[-1][:1]).upper())
        ways += [title[:1].upper() + letter for letter in title[2:] if letter.isalnum()]
        if title[:1] >= WIDE:
            ways = [*title, title[:2]]
        elif title.lstrip("+-").isdigit():
            ways.insert(0, title)
        found.append(next((way for way in ways if way and way not in taken), title[:LONGEST_SYMBOL]))
        taken.add(found[-1])
    return found


ROWS = frozenset("row y rank line".split())
COLUMNS = frozenset("column col x file".split())
LAYERS = frozenset("layer z height floor storey".split())
SCORES = frozenset("score points".split())
MOST_IN_A_ROW = 12
MOST_OF_A_GAUGE = 12
MOST_ON_A_SHEET = 30
"""The most lines of a sheet that no layout asks for."""
WORDS = re.compile(r"[a-z]+")


def whole_layout(symbols: SymbolTable, said: TableLayout | None = None) -> TableLayout:
    """A complete layout: what is written, and defaults for the rest."""
    said = said or TableLayout()
    kinds = {name: kind for name, kind in symbols.kinds.items() if kind.is_piece}
    pieces = {name: piece_look(symbols, kind, said.pieces.get(name)) for name, kind in kinds.items()}
    quiet = {kind.name for kind in kinds.values() if kind.quiet}

    def zone_of(name: str, zone: c.Zone) -> ZoneLook:
        if name in said.zones:
            return in_its_cells(said.zones[name], symbols, zone)
        return ZoneLook("none") if zone.quiet or zone.holds in quiet else zone_look(symbols, zone)

    zones = {name: zone_of(name, zone) for name, zone in symbols.zones.items()}
    found = {name: variable_look(one) for name, one in symbols.variables.items()}
    variables = found | sheets(symbols, said) | dict(said.variables)
    return replace(said, pieces=pieces, zones=zones, variables=variables)


# --- pieces -----------------------------------------------------------------------------------------------------------


def piece_look(symbols: SymbolTable, kind: c.Kind, said: PieceLook | None) -> PieceLook:
    said = said or PieceLook()
    by_type = [name for name, type in kind.attribute_types.items() if isinstance(plain(type), Member | Player)]
    numbers = [name for name, type in kind.attribute_types.items() if isinstance(type, Int)]
    shape = said.shape or shape_of(symbols, kind)
    marks = [*by_type[1:2], *numbers[:1]] if shape != "disc" else []
    return replace(
        said,
        shape=shape,
        fill=said.fill or (printed(kind, by_type[0]) if by_type else None),
        symbol=said.symbol or (printed(kind, marks[0]) if marks else None),
    )


def printed(kind: c.Kind, attribute: str, of: str = "it") -> c.Expression:
    return c.Printed(NOWHERE, kind.attribute_types[attribute], kind, attribute, c.Local(NOWHERE, kind.type, of))


def shape_of(symbols: SymbolTable, kind: c.Kind) -> str:
    """The shape of a kind, inferred from its name, or else from its seat, its back, and its zones."""
    words = WORDS.findall(kind.name.lower())
    named = next((shape for shape in SHAPES if shape in words or f"{shape}s" in words), None)
    if named is not None:
        return named
    if kind.attribute_types.get("seat") == Player():
        return "pawn"
    zones = [zone for zone in symbols.zones.values() if zone.holds in (None, kind.name)]
    if kind.back or any(map(is_own_hand, zones)):
        return "card"
    return "tile" if any(zone.capacity == 1 and zone.size > 1 for zone in zones) else "stone"


def can_be_hidden(symbols: SymbolTable, kind: c.Kind) -> bool:
    """Whether a piece of a kind can lie where not everybody sees it."""
    return any(zone.visible != "all" for zone in symbols.zones.values() if zone.holds in (None, kind.name))


# --- zones ------------------------------------------------------------------------------------------------------------


def zone_look(symbols: SymbolTable, zone: c.Zone) -> ZoneLook:
    places = [(position, p) for position, p in enumerate(zone.parameters) if not isinstance(p.type, Player)]
    if places and lies(symbols, places[0][1].type):
        return ZoneLook("upon")
    if len(places) == 1:
        position, parameter = places[0]
        found = by_attributes(symbols, parameter.type, position)
        if found is not None:
            return found
        return ZoneLook("grid", columns=columns_of(zone.sizes[position]))
    if len(places) == 2:
        named = [names_of(p.name, p.type) for _, p in places]
        crosswise = bool(named[0] & COLUMNS or named[1] & ROWS)
        row, column = (places[1], places[0]) if crosswise else (places[0], places[1])
        return ZoneLook("grid", row=index(*row), column=index(*column))
    if places:
        return ZoneLook("grid")
    return ZoneLook(pile_arrangement(zone))


def in_its_cells(look: ZoneLook, symbols: SymbolTable, zone: c.Zone) -> ZoneLook:
    """A look of which only is said that places lie in rows and columns: which these are is found as without a layout."""
    if look.arrange not in ("grid", "hex") or (look.row or look.column or look.layer or look.columns or look.joined):
        return look
    found = zone_look(symbols, zone)
    return replace(look, row=found.row, column=found.column) if found.arrange == "grid" else look


def is_own_hand(zone: c.Zone) -> bool:
    """Whether a zone is for its owner's eyes, or for those of the owner's team."""
    return zone.owned and (zone.visible == "owner" or zone.of_team)


def pile_arrangement(zone: c.Zone) -> str:
    """The arrangement of the pieces of one zone: ordered and hidden as a stack, an owner's as a hand, others by whether order counts."""
    if is_own_hand(zone):
        return "hand"
    if zone.visible == "none":
        return "stack"
    return "row" if zone.ordered else "heap"


def lies(symbols: SymbolTable, type: Type) -> bool:
    return isinstance(type, Piece) and type.kind is not None and symbols.kinds[type.kind].lies


def names_of(name: str | None, type: Type) -> frozenset[str]:
    """The names of indices: their own, or those of their types."""
    kind = type.kind if isinstance(type, Member | Piece) else None
    return frozenset(word for word in (name, kind) if word)


def index(position: int, parameter: c.Parameter) -> c.Expression:
    return c.Local(NOWHERE, parameter.type, f"index_{position}")


def columns_of(size: int) -> int:
    """How many of `size` places are in a row."""
    if size <= MOST_IN_A_ROW:
        return size
    divisors = (n for n in range(MOST_IN_A_ROW, 3, -1) if size % n == 0 and size <= n * 2 * MOST_IN_A_ROW)
    return next(divisors, round(size**0.5))


def by_attributes(symbols: SymbolTable, type: Type, position: int) -> ZoneLook | None:
    """A grid, or layers, by printed attributes of the places of a family: their rows, columns and layers."""
    if not isinstance(type, Member | Piece) or type.kind is None:
        return None
    kind = symbols.kinds[type.kind]
    if kind.grid:
        return ZoneLook("hex" if kind.grid == "hexagonal" else "grid")
    found: dict[str, c.Expression] = {}
    for attribute, printed_type in kind.attribute_types.items():
        if not isinstance(printed_type, Int | Member):
            continue
        for what, names in (("row", ROWS), ("column", COLUMNS), ("layer", LAYERS)):
            if attribute in names:
                found[what] = printed(kind, attribute, f"index_{position}")
    if "row" not in found or "column" not in found:
        return None
    if "layer" in found:
        return ZoneLook("layers", found["row"], found["column"], found["layer"], offset=0.5)
    return ZoneLook("grid", found["row"], found["column"])


# --- variables --------------------------------------------------------------------------------------------------------


def variable_look(variable: c.Variable) -> VariableLook:
    words = set(WORDS.findall(f"{variable.name} {variable.of_kind or ''}".lower()))
    if variable.quiet:
        return VariableLook("none")
    match plain(variable.type):
        case Bool():
            return VariableLook("flag")
        case Int() if words & SCORES:
            return VariableLook("score")
        case Int(1 | 0 as low, 6) if words & {"die", "dice"}:
            return VariableLook("die", low, 6)
        case Int(low, high) if 0 < high - low <= MOST_OF_A_GAUGE:
            return VariableLook("gauge", low, high)
        case Piece() | Member() | Player():
            return VariableLook("mark")
    return VariableLook("number")


def sheets(symbols: SymbolTable, said: TableLayout) -> dict[str, VariableLook]:
    """The looks of variables of which each member of a kind has several: one sheet, unless there are places for the members on the table."""
    placed = {plain(parameter.type) for zone in symbols.zones.values() for parameter in zone.parameters}
    found: dict[Type, list[str]] = {}
    for name, variable in symbols.variables.items():
        kinds = [plain(parameter.type) for parameter in variable.parameters]
        if len(kinds) != 1 or variable.quiet or variable.visible != "all" or name in said.variables:
            continue
        if isinstance(kinds[0], Member) and kinds[0] not in placed and variable.size <= MOST_ON_A_SHEET:
            found.setdefault(kinds[0], []).append(name)
    return {
        name: VariableLook("sheet", on=None if name == names[0] else names[0])
        for names in found.values()
        if len(names) > 1
        for name in names
    }


def order_of_table(
    symbols: SymbolTable, layout: Mapping[str, ZoneLook], rows: tuple[tuple[str, ...], ...]
) -> list[list[str]]:
    """The rows of what belongs to nobody: as the layout says, then the rest, small things side by side."""
    named = {name for row in rows for name in row}
    found = [list(row) for row in rows]
    small: list[str] = []
    for name, zone in symbols.zones.items():
        if name in named or zone.owned or layout[name].arrange in ("none", "upon"):
            continue
        if zone.size > 1:
            found.append([name])
        else:
            small.append(name)
    if small:
        found.append(small)
    return found


MOST_UNITS = 50_000
"""The most work of all layout expressions of one table, in units of ten visited expressions; a large game takes a hundredth."""


class Eyes(view.Eyes):
    """Eyes that also evaluate expressions of a layout, over what the viewer sees alone."""

    def __init__(self, program: Program, state: State, viewer: int, shown: Collection[int] = ()) -> None:
        super().__init__(program, state, viewer)
        self._seen.update(dict.fromkeys(shown, True))
        self._budget = Budget(MOST_UNITS)

    def value(self, expression: c.Expression, names: Mapping[str, int]) -> int | None:
        """The value of an expression; None if the viewer cannot know it, or if it has none."""
        if isinstance(expression, c.Constant):
            return expression.value if isinstance(expression.value, int) else None
        self._budget.left -= 1
        if self._budget.left < 0:
            return None
        try:
            found = evaluate(expression, names, self._budget, self.look, self.program.symbols.players)
        except (ValueError, OverBudget):
            return None
        return found if isinstance(found, int) else None

    def look(self, node: c.ReadVariable | c.Pile | c.Single) -> int | tuple[int, ...] | None:
        """The content of a variable or zone, as far as the viewer sees it."""
        if isinstance(node, c.ReadVariable):
            slot = slot_of(node.variable, node.index)
            return self.state.v[slot] if slot is not None and self.reads(slot) else None
        pile = node.pile if isinstance(node, c.Single) else node
        slot = slot_of(pile.zone, pile.index)
        if slot is None:
            return None
        pieces = self.state.z[slot]
        if not self.counts(slot) or not all(map(self.sees, pieces)):
            return None
        if isinstance(node, c.Single):
            return pieces[0] if pieces else NONE
        return tuple(pieces)


def slot_of(family: c.Family, index: tuple[c.Expression, ...]) -> int | None:
    """The slot for constant indices; None if there is none."""
    values = [node.value for node in index if isinstance(node, c.Constant) and isinstance(node.value, int)]
    if len(values) != len(family.lows):
        return None
    inside = all(low <= v < low + size for v, low, size in zip(values, family.lows, family.sizes, strict=True))
    return family.slot(tuple(values)) if inside else None
