"""The default layout of a game, inferred from the names, visibilities and counts of its zones and pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping

from houserule.definition.table_layout import SHAPES, PieceLook, TableLayout, VariableLook, ZoneLook
from houserule.diagnostics import NOWHERE
from houserule.language.checked import Expression, Kind, Local, Parameter, Printed, Variable, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.types import Bool, Int, Member, Piece, Player, Type, plain

ROWS = frozenset("row y rank line".split())
COLUMNS = frozenset("column col x file".split())
LAYERS = frozenset("layer z height floor storey".split())
SCORES = frozenset("score points".split())
MOST_IN_A_ROW = 12
MOST_OF_A_GAUGE = 12
WORDS = re.compile(r"[a-z]+")


def whole_layout(symbols: SymbolTable, said: TableLayout | None = None) -> TableLayout:
    """A complete layout: what is written, and defaults for the rest."""
    said = said or TableLayout()
    kinds = {name: kind for name, kind in symbols.kinds.items() if kind.is_piece}
    return TableLayout(
        {name: piece_look(symbols, kind, said.pieces.get(name)) for name, kind in kinds.items()},
        said.members,
        {name: said.zones.get(name) or zone_look(symbols, zone) for name, zone in symbols.zones.items()},
        {name: said.variables.get(name) or variable_look(variable) for name, variable in symbols.variables.items()},
        said.table,
        said.player,
    )


# --- pieces -----------------------------------------------------------------------------------------------------------


def piece_look(symbols: SymbolTable, kind: Kind, said: PieceLook | None) -> PieceLook:
    """The default look of the pieces of a kind."""
    said = said or PieceLook()
    by_type = [name for name, type in kind.attribute_types.items() if isinstance(plain(type), Member | Player)]
    numbers = [name for name, type in kind.attribute_types.items() if isinstance(type, Int)]
    marks = [*by_type[1:2], *numbers[:1]]
    return PieceLook(
        said.shape or shape_of(symbols, kind),
        said.fill or (printed(kind, by_type[0]) if by_type else None),
        said.pattern,
        said.symbol or (printed(kind, marks[0]) if marks else None),
        said.words,
        said.back,
        said.stands_for,
    )


def printed(kind: Kind, attribute: str) -> Expression:
    """A printed value of `it`."""
    return Printed(NOWHERE, kind.attribute_types[attribute], kind, attribute, Local(NOWHERE, kind.type, "it"))


def shape_of(symbols: SymbolTable, kind: Kind) -> str:
    """The shape of a kind, inferred from its name, or else from its seat, its back, and its zones."""
    words = WORDS.findall(kind.name.lower())
    named = next((shape for shape in SHAPES if shape in words or f"{shape}s" in words), None)
    if named is not None:
        return named
    if kind.attribute_types.get("seat") == Player():
        return "pawn"
    zones = [zone for zone in symbols.zones.values() if zone.holds in (None, kind.name)]
    if kind.back or any(zone.owned and zone.visible == "owner" for zone in zones):
        return "card"
    return "tile" if any(zone.capacity == 1 and zone.size > 1 for zone in zones) else "stone"


# --- zones ------------------------------------------------------------------------------------------------------------


def zone_look(symbols: SymbolTable, zone: Zone) -> ZoneLook:
    """The default look of a family of zones."""
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


def pile_arrangement(zone: Zone) -> str:
    """The arrangement of the pieces of one zone: ordered and hidden as a stack, an owner's as a hand, others by whether order counts."""
    if zone.owned and zone.visible == "owner":
        return "hand"
    if zone.visible == "none":
        return "stack"
    return "row" if zone.ordered else "heap"


def lies(symbols: SymbolTable, type: Type) -> bool:
    """Whether a type is that of pieces that lie in zones themselves."""
    return isinstance(type, Piece) and type.kind is not None and symbols.kinds[type.kind].lies


def names_of(name: str | None, type: Type) -> frozenset[str]:
    """The names of indices: their own, or those of their types."""
    kind = type.kind if isinstance(type, Member | Piece) else None
    return frozenset(word for word in (name, kind) if word)


def index(position: int, parameter: Parameter) -> Expression:
    """An index of a family as an expression."""
    return Local(NOWHERE, parameter.type, f"index_{position}")


def columns_of(size: int) -> int:
    """How many of `size` places are in a row."""
    if size <= MOST_IN_A_ROW:
        return size
    return next((c for c in range(MOST_IN_A_ROW, 3, -1) if size % c == 0), round(size**0.5))


def by_attributes(symbols: SymbolTable, type: Type, position: int) -> ZoneLook | None:
    """A grid, or layers, by printed attributes of the places of a family: their rows, columns and layers."""
    if not isinstance(type, Member | Piece) or type.kind is None:
        return None
    kind = symbols.kinds[type.kind]
    found: dict[str, Expression] = {}
    for attribute, printed_type in kind.attribute_types.items():
        if not isinstance(printed_type, Int | Member):
            continue
        for what, names in (("row", ROWS), ("column", COLUMNS), ("layer", LAYERS)):
            if attribute in names:
                found[what] = Printed(
                    NOWHERE, printed_type, kind, attribute, Local(NOWHERE, kind.type, f"index_{position}")
                )
    if "row" not in found or "column" not in found:
        return None
    if "layer" in found:
        return ZoneLook("layers", found["row"], found["column"], found["layer"], offset=0.5)
    return ZoneLook("grid", found["row"], found["column"])


# --- variables --------------------------------------------------------------------------------------------------------


def variable_look(variable: Variable) -> VariableLook:
    """The default look of a family of variables."""
    words = set(WORDS.findall(variable.name.lower()))
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
