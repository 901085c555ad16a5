"""The table as one player sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.program import Program
from houserule.language.checked import Variable
from houserule.language.types import Piece, plain
from houserule.running.state import State
from houserule.telling.events import EVERYTHING, amount_known, sees_variable
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
    index: tuple[str, ...] = ()

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


class Eyes:
    """What one viewer sees of a match at a moment: the viewer is the seat of a player, `SPECTATOR`, or `EVERYTHING`."""

    def __init__(self, program: Program, state: State, viewer: int) -> None:
        self.program = program
        self.state = state
        self.viewer = viewer
        self._seen: dict[int, bool] = {}

    def sees(self, piece: int) -> bool:
        """Whether the viewer sees the face of a piece."""
        found = self._seen.get(piece)
        if found is None:
            all_seen = self.viewer == EVERYTHING
            found = self._seen[piece] = all_seen or self.program.sees(self.state, self.viewer, piece)
        return found

    def counts(self, slot: int) -> bool:
        return self.viewer == EVERYTHING or amount_known(self.program, self.state, self.viewer, slot)

    def finds(self, slot: int) -> bool:
        """Whether the viewer sees that a variable has a value, perhaps of a piece that is hidden."""
        return self.viewer == EVERYTHING or sees_variable(self.program, self.state, self.viewer, slot)

    def knows(self, slot: int) -> bool:
        """Whether the viewer knows the value of a variable that is seen: another one's hidden piece is not known."""
        type, value = plain(self.program.variable_of[slot].type), self.state.v[slot]
        return not isinstance(type, Piece) or value < 0 or self.sees(value)

    def reads(self, slot: int) -> bool:
        """Whether the viewer sees a variable, and the piece that it refers to."""
        return self.finds(slot) and self.knows(slot)

    def marked(self, piece: int) -> Iterator[int]:
        """The variables of a piece that differ from their starts and that the viewer finds."""
        for slot in self.program.piece_slots[piece]:
            if self.state.v[slot] != self.program.variables[slot] and self.finds(slot):
                yield slot


def make_view(eyes: Eyes, labels: Labels) -> View:
    """What somebody sees."""
    program, s, viewer = eyes.program, eyes.state, eyes.viewer
    definition, zones = program.game.definition, []
    for zone in program.symbols.zones.values():
        title = definition.zones[zone.name].title
        for slot in range(zone.base, zone.base + zone.size):
            shown, knows = [show_piece(eyes, labels, piece) for piece in s.z[slot]], eyes.counts(slot)
            pieces = shown if knows else [p for p in shown if p.face_up]
            if not zone.ordered:
                pieces = sorted(pieces, key=lambda p: (not p.face_up, p.id or "", p.label, sorted(p.variables.items())))
            titles = labels.family(zone, slot, title), labels.family(zone, slot, title, owned=False)
            owner = labels.names[zone.index(slot)[0]] if zone.owned else None
            amount, index = len(s.z[slot]) if knows else None, labels.index(zone, slot)
            family = labels.prose(title, zone.name)
            zones.append(ZoneView(zone.name, *titles, owner, pieces, amount, index, zone.ordered, family))
    out = [name for seat, name in enumerate(labels.names) if program.is_out(s, seat)]
    return View(labels.names[viewer] if viewer >= 0 else None, zones, shown_variables(eyes, labels), out)


def shown_variables(eyes: Eyes, labels: Labels) -> list[VariableView]:
    """The variables that somebody sees, except those that are shown with their pieces."""
    program, v, variables = eyes.program, eyes.state.v, []
    for variable in program.symbols.variables.values():
        if shown_with_pieces(program, variable) or variable.positions:
            continue
        title = program.game.definition.variables[variable.name].title
        for slot in filter(eyes.finds, range(variable.base, variable.base + variable.size)):
            titles = labels.family(variable, slot, title), labels.family(variable, slot, title, owned=False)
            owner = labels.names[variable.index(slot)[0]] if variable.owned else None
            words, value = labels.value(variable.type, v[slot], eyes.sees), v[slot] if eyes.knows(slot) else UNSEEN
            is_default = v[slot] == program.variables[slot]
            index = labels.index(variable, slot)
            variables.append(VariableView(variable.name, *titles, owner, words, value, is_default, index))
    return variables


def shown_with_pieces(program: Program, variable: Variable) -> bool:
    """Whether a variable is shown with its pieces, because these lie in zones; board spaces do not."""
    kind = program.symbols.kinds.get(variable.of_kind or "")
    return kind is not None and kind.is_piece and any(program.places[piece] >= 0 for piece in kind.numbers)


def show_piece(eyes: Eyes, labels: Labels, piece: int) -> PieceView:
    if not eyes.sees(piece):
        return PieceView(labels.backs[piece], None, False)
    variables = {}
    for slot in eyes.marked(piece):
        variable = eyes.program.variable_of[slot]
        title = labels.prose(eyes.program.game.definition.variables[variable.name].title, variable.name)
        variables[title] = labels.value(variable.type, eyes.state.v[slot], eyes.sees)
    return PieceView(labels.pieces[piece], eyes.program.kind_of[piece].id_of(piece), True, variables)
