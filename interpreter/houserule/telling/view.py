"""The table as one player sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.program import Program
from houserule.language.checked import Variable
from houserule.language.types import Piece, Type, plain
from houserule.running.state import State
from houserule.telling.events import amount_known, sees_variable
from houserule.telling.labels import Labels

UNSEEN = -2
"""The value of a variable whose piece the viewer does not see; -1 is none."""


@dataclass(frozen=True, slots=True)
class PieceView:
    """A visible piece: its title and id, or only its back."""

    label: str
    id: str | None
    face_up: bool
    variables: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"label": self.label, "id": self.id, "face_up": self.face_up, "variables": dict(self.variables)}


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A visible zone. `pieces` go from the bottom to the top; `amount` is None if it is not known.

    `own_title` leaves out the owner, and `family` the index as well.
    """

    name: str
    title: str
    own_title: str
    owner: str | None
    pieces: list[PieceView]
    amount: int | None
    index: tuple[str, ...] = ()
    is_ordered: bool = True
    family: str = ""


@dataclass(frozen=True, slots=True)
class VariableView:
    """A visible variable. `own_title` leaves out the owner; `value` is -2 for a piece that the viewer does not see."""

    name: str
    title: str
    own_title: str
    owner: str | None
    value_label: str
    value: int
    is_default: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"name": self.name, "title": self.title, "owner": self.owner, "value": self.value_label}


@dataclass(frozen=True, slots=True)
class View:
    """The table as one player sees it; without a viewer, as a spectator does, or everything. `out` are the eliminated players."""

    viewer: str | None
    zones: list[ZoneView]
    variables: list[VariableView]
    out: list[str] = field(default_factory=list)

    def zone(self, title_or_name: str) -> ZoneView:
        """The zone with that title or name; LookupError if there is none."""
        for zone in self.zones:
            if title_or_name in (zone.title, zone.name):
                return zone
        raise LookupError(title_or_name)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "viewer": self.viewer,
            "zones": [
                {
                    "name": z.name,
                    "title": z.title,
                    "owner": z.owner,
                    "index": list(z.index),
                    "amount": z.amount,
                    "pieces": [piece.to_json() for piece in z.pieces],
                }
                for z in self.zones
            ],
            "variables": [v.to_json() for v in self.variables],
            "out": self.out,
        }


def make_view(program: Program, s: State, labels: Labels, viewer: int | None) -> View:
    """What a player or `SPECTATOR` sees; everything for None."""
    symbols, definition = program.symbols, program.game.definition
    zones = []
    for zone in symbols.zones.values():
        title = definition.zones[zone.name].title
        family = labels.prose(title, zone.name)
        for slot in range(zone.base, zone.base + zone.size):
            owner = labels.names[zone.index(slot)[0]] if zone.owned else None
            shown = [show_piece(program, s, labels, viewer, piece) for piece in s.z[slot]]
            knows = viewer is None or amount_known(program, s, viewer, slot)
            pieces = shown if knows else [p for p in shown if p.face_up]
            if not zone.ordered:
                pieces = sorted(pieces, key=lambda p: (not p.face_up, p.id or "", p.label, sorted(p.variables.items())))
            zones.append(
                ZoneView(
                    zone.name,
                    labels.family(zone, slot, title),
                    labels.family(zone, slot, title, owned=False),
                    owner,
                    pieces,
                    len(s.z[slot]) if knows else None,
                    labels.index(zone, slot),
                    zone.ordered,
                    family,
                )
            )
    out = [name for seat, name in enumerate(labels.names) if program.is_out(s, seat)]
    name = labels.names[viewer] if viewer is not None and viewer >= 0 else None
    return View(name, zones, shown_variables(program, s, labels, viewer), out)


def shown_variables(program: Program, s: State, labels: Labels, viewer: int | None) -> list[VariableView]:
    """The variables that a player sees, except those that are shown with their pieces."""
    symbols, definition = program.symbols, program.game.definition
    sees = sight(program, s, viewer)
    variables = []
    for variable in symbols.variables.values():
        if shown_with_pieces(program, variable) or variable.positions:
            continue
        title = definition.variables[variable.name].title
        for slot in range(variable.base, variable.base + variable.size):
            if viewer is None or sees_variable(program, s, viewer, slot):
                owner = labels.names[variable.index(slot)[0]] if variable.owned else None
                variables.append(
                    VariableView(
                        variable.name,
                        labels.family(variable, slot, title),
                        labels.family(variable, slot, title, owned=False),
                        owner,
                        labels.value(variable.type, s.v[slot], sees),
                        s.v[slot] if is_known(variable.type, s.v[slot], sees) else UNSEEN,
                        s.v[slot] == program.variables[slot],
                    )
                )
    return variables


def sight(program: Program, s: State, viewer: int | None) -> Callable[[int], bool]:
    return lambda piece: viewer is None or program.sees(s, viewer, piece)


def is_known(type: Type, value: int, sees: Callable[[int], bool]) -> bool:
    return not isinstance(plain(type), Piece) or value < 0 or sees(value)


def shown_with_pieces(program: Program, variable: Variable) -> bool:
    """Whether a variable is shown with its pieces, because these lie in zones; board spaces do not."""
    kind = program.symbols.kinds.get(variable.of_kind or "")
    return kind is not None and kind.is_piece and any(program.places[piece] >= 0 for piece in kind.numbers)


def show_piece(program: Program, s: State, labels: Labels, viewer: int | None, piece: int) -> PieceView:
    if viewer is not None and not program.sees(s, viewer, piece):
        return PieceView(labels.backs[piece], None, False)
    kind = program.kind_of[piece]
    sees = sight(program, s, viewer)
    variables = {}
    for slot in program.piece_slots[piece]:
        if s.v[slot] != program.variables[slot] and (viewer is None or sees_variable(program, s, viewer, slot)):
            variable = program.variable_of[slot]
            title = program.game.definition.variables[variable.name].title
            variables[labels.prose(title, variable.name)] = labels.value(variable.type, s.v[slot], sees)
    return PieceView(labels.pieces[piece], kind.id_of(piece), True, variables)
