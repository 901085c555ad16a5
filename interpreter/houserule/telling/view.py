"""The table as one player sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from houserule.compiler.program import Program
from houserule.frozen import frozen
from houserule.language.checked import Family, Variable, Zone
from houserule.language.types import Bool, Int, List, Maybe, Member, Piece, Player, Tuple, Type, element, none_of, plain
from houserule.running.state import State
from houserule.telling.choices import Choice
from houserule.telling.events import EVERYTHING, amount_known, sees_variable
from houserule.telling.labels import Labels

Plain = int | str | bool | list[Any] | None
FORMAT = 1
"""The version of what `to_dict` gives; a new key does not change it."""
UNSEEN = -2
"""The value of a variable whose piece the viewer does not see; -1 is none."""


@dataclass(frozen=True, slots=True)
class PieceView:
    """A visible piece: its title and id, or only its back.

    `variables` are those that differ from their starts, in words by title. `kind`, `attributes` and `values` (all of its variables,
    defaults too) are by id, with numbers as numbers; `option` is the key of the option that it is, if its viewer is asked for it.
    """

    label: str
    id: str | None
    face_up: bool
    variables: dict[str, str] = field(default_factory=dict)
    kind: str = ""
    attributes: dict[str, Plain] = field(default_factory=dict)
    values: dict[str, Plain] = field(default_factory=dict)
    option: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data, with titles."""
        return {"label": self.label, "id": self.id, "face_up": self.face_up, "variables": dict(self.variables)}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with ids and titles; `schema/view.schema.json` describes it."""
        return {
            "id": self.id,
            "title": self.label,
            "kind": self.kind,
            "face_up": self.face_up,
            "attributes": dict(self.attributes),
            "variables": dict(self.values),
            "option": self.option,
        }


def indexed(keys: Sequence[Plain], titles: Sequence[str]) -> list[dict[str, Any]]:
    """The indices of a zone or variable as plain data."""
    return [{"id": key, "title": title} for key, title in zip(keys, titles, strict=False)]


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A visible zone. `pieces` go from the bottom to the top; `amount` is None if it is not known.

    `own_title` leaves out the owner, and `family` the index as well. `id` is its name with its index, as rules write it;
    `option` is the key of the option that its place is, if its viewer is asked for it.
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
    id: str = ""
    keys: tuple[Plain, ...] = ()
    option: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with ids and titles."""
        return {
            "id": self.id,
            "name": self.name,
            "title": self.title,
            "owner": self.owner,
            "index": indexed(self.keys, self.index),
            "amount": self.amount,
            "ordered": self.is_ordered,
            "option": self.option,
            "pieces": [piece.to_dict() for piece in self.pieces],
        }


@dataclass(frozen=True, slots=True)
class VariableView:
    """A visible variable. `own_title` leaves out the owner; `value` is -2 for a piece that the viewer does not see.

    `id` is its name with its index, and `plain` its value as a number, truth value, id, or None.
    """

    name: str
    title: str
    own_title: str
    owner: str | None
    value_label: str
    value: int
    is_default: bool = False
    index: tuple[str, ...] = ()
    id: str = ""
    keys: tuple[Plain, ...] = ()
    plain: Plain = None

    def to_json(self) -> dict[str, Any]:
        """Plain data, with titles."""
        return {"name": self.name, "title": self.title, "owner": self.owner, "value": self.value_label}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with ids and titles."""
        return {
            "id": self.id,
            "name": self.name,
            "title": self.title,
            "owner": self.owner,
            "index": indexed(self.keys, self.index),
            "value": self.plain,
            "label": self.value_label,
            "is_default": self.is_default,
        }


@dataclass(frozen=True, slots=True)
class View:
    """The table as one player sees it; without a viewer, as a spectator does, or everything. `out` are the eliminated players.

    `question` is what the viewer is asked, if they are.
    """

    viewer: str | None
    zones: list[ZoneView]
    variables: list[VariableView]
    out: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    question: Choice | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        whose = f"of {self.viewer}" if self.viewer is not None else "of the table"
        return f"<View {whose}: {len(self.zones)} zones, {len(self.variables)} variables>"

    def zone(self, title_or_name: str) -> ZoneView:
        """The zone with that title, id or name, the first of several; LookupError if there is none."""
        for zone in self.zones:
            if title_or_name in (zone.title, zone.id, zone.name):
                return zone
        raise LookupError(title_or_name)

    def to_json(self) -> dict[str, Any]:
        """Plain data, with titles."""
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with ids and titles, numbers as numbers, and defaults; `schema/view.schema.json` describes it."""
        return {
            "houserule view": FORMAT,
            "viewer": self.viewer,
            "players": list(self.players),
            "out": list(self.out),
            "zones": [zone.to_dict() for zone in self.zones],
            "variables": [variable.to_dict() for variable in self.variables],
            "question": self.question.to_dict() if self.question is not None else None,
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
        """Whether the viewer sees that a variable has a value, perhaps of a piece that is hidden. Nobody is shown one that has a
        value for each position."""
        if slot in self.program.memories:
            return False
        return self.viewer == EVERYTHING or sees_variable(self.program, self.state, self.viewer, slot)

    def knows(self, slot: int) -> bool:
        """Whether the viewer knows the value of a variable that is seen: another one's hidden piece is not known."""
        type, value = plain(self.program.variable_of[slot].type), self.state.v[slot]
        return not isinstance(type, Piece) or value < 0 or self.sees(value)

    def reads(self, slot: int) -> bool:
        """Whether the viewer sees a variable, and the piece that it refers to."""
        return self.finds(slot) and self.knows(slot)

    def outline(self, slot: int, backs: Mapping[int, str]) -> tuple[bool, list[tuple[int, str]]]:
        """What is drawn of a zone without the variables of its pieces: whether their number is known, the pieces seen, and other backs."""
        knows = self.counts(slot)
        pieces = [piece for piece in self.state.z[slot] if knows or self.sees(piece)]
        drawn = [(piece, "") if self.sees(piece) else (-1, backs[piece]) for piece in pieces]
        return knows, drawn if self.program.zone_of[slot].ordered else sorted(drawn)

    def marked(self, piece: int) -> Iterator[int]:
        """The variables of a piece that differ from their starts and that the viewer finds."""
        for slot in self.program.piece_slots[piece]:
            if self.state.v[slot] != self.program.variables[slot] and self.finds(slot):
                yield slot


def make_view(eyes: Eyes, labels: Labels, choice: Choice | None = None) -> View:
    """What somebody sees; with the question that they are asked."""
    program, s, viewer = eyes.program, eyes.state, eyes.viewer
    zones, names, asked = [], names_of(labels), Asked(choice)
    pieces_asked = asked.keys if isinstance(asked.type, Piece) else {}
    for zone in program.symbols.zones.values():
        for slot in zone.slots:
            knows = eyes.counts(slot)
            pieces = [show_piece(eyes, names, piece, zone.ordered, pieces_asked) for piece in s.z[slot]]
            pieces = pieces if knows else [p for p in pieces if p.face_up]
            if not zone.ordered:
                pieces = sorted(pieces, key=lambda p: (not p.face_up, p.id or "", p.label, sorted(p.variables.items())))
            at = names.of(zone, slot)
            amount = len(s.z[slot]) if knows else None
            family, option, named_as = labels.titled(zone), asked.at(zone, slot), (zone.name, *at.titles, at.owner)
            zones.append(ZoneView(*named_as, pieces, amount, at.index, zone.ordered, family, at.id, at.keys, option))
    out = [name for seat, name in enumerate(labels.names) if program.is_out(s, seat)]
    viewed = labels.names[viewer] if viewer >= 0 else None
    return View(viewed, zones, shown_variables(eyes, labels), out, list(labels.names), choice)


def surely_alike(one: Eyes, two: Eyes, labels: Labels) -> bool:
    """Whether one viewer certainly sees the same in two matches of a program. It is found without drawing: no need not mean a difference."""
    program, first, second = one.program, one.state, two.state
    for slot, (pile, other) in enumerate(zip(first.z, second.z, strict=True)):
        is_open = callable(program.zone_sight[slot]) or callable(program.zone_amount[slot])
        if (is_open or pile != other) and one.outline(slot, labels.backs) != two.outline(slot, labels.backs):
            return False
    for slot, values in enumerate(zip(first.v, second.v, strict=True)):
        is_same = values[0] == values[1]
        if not is_same or callable(program.variable_sight[slot]):
            finds = one.finds(slot)
            if finds != two.finds(slot) or (finds and not is_same):
                return False
    return all(program.is_out(first, seat) == program.is_out(second, seat) for seat in range(program.symbols.players))


class Asked:
    """The keys of single options by value, and their type; no type if nobody is asked, or for something else than a value."""

    def __init__(self, choice: Choice | None) -> None:
        self.type: Type | None = None
        self.keys: dict[int, str] = {}
        if choice is not None and choice.kind in ("pick", "several") and not isinstance(plain(choice.site.type), Tuple):
            self.type = plain(choice.site.type)
            self.keys = {option.number: option.key for option in choice.single if not option.is_pass}

    def at(self, zone: Zone, slot: int) -> str | None:
        """The key of the option that the place of a zone is, by its only index beside its owner's."""
        if not self.keys:
            return None
        index = list(zip(zone.parameters, zone.index(slot), strict=True))
        index = index[1:] if zone.owned and len(index) > 1 else index
        return self.keys.get(index[0][1]) if len(index) == 1 and plain(index[0][0].type) == self.type else None


@frozen
class Named:
    """How a view names one of a family, whatever is in it."""

    titles: tuple[str, str]
    owner: str | None
    index: tuple[str, ...]
    keys: tuple[Plain, ...]
    id: str


class Names:
    """What views call things, worked out once for all views of a match."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.of = cache(self._of)
        self.mark = cache(self._mark)
        self.printed = cache(self._printed)

    def _of(self, family: Family, slot: int) -> Named:
        labels, keys = self.labels, keys_of(self.labels, family, slot)
        titles = labels.family(family, slot), labels.family(family, slot, owned=False)
        owner = labels.names[family.index(slot)[0]] if family.owned else None
        return Named(titles, owner, labels.index(family, slot), keys, identified(family.name, keys))

    def _mark(self, slot: int) -> str:
        """The id of a variable of a piece, as one of its piece."""
        variable = self.labels.program.variable_of[slot]
        return identified(variable.name, keys_of(self.labels, variable, slot)[1:])

    def _printed(self, piece: int) -> dict[str, Plain]:
        """What is printed on a piece, as plain data."""
        kind = self.labels.program.kind_of[piece]
        return {
            name: plain_value(self.labels, type, kind.attributes[name][piece - kind.base])
            for name, type in kind.attribute_types.items()
        }


def names_of(labels: Labels) -> Names:
    found: Names | None = labels.kept.get(Names)
    if found is None:
        found = labels.kept[Names] = Names(labels)
    return found


def identified(name: str, keys: tuple[Plain, ...]) -> str:
    """The id of one of a family: `hand[0]`."""
    return f"{name}[{', '.join(str(key) for key in keys)}]" if keys else name


def keys_of(labels: Labels, family: Family, slot: int) -> tuple[Plain, ...]:
    """The indices of one of a family: ids, numbers, and players by seat."""
    index = zip(family.parameters, family.index(slot), strict=True)
    return tuple(
        value if isinstance(plain(p.type), Player) else plain_value(labels, p.type, value) for p, value in index
    )


def plain_value(labels: Labels, type: Type, value: Any, sees: Callable[[int], bool] | None = None) -> Plain:
    """A value as a number, truth value, id, list, or None; a player by name, and an unseen piece as `hidden`."""
    if isinstance(type, List) or isinstance(value, tuple | list):
        return [plain_value(labels, element(type), one, sees) for one in value]
    if value == none_of(type) and isinstance(type, Maybe):
        return None
    match plain(type):
        case Int():
            return int(value)
        case Bool():
            return bool(value)
        case Piece() if value < 0:
            return None
        case Piece() if sees is not None and not sees(value):
            return "hidden"
        case Member() | Player() if value < 0:
            return None
    return labels.keys.word(type, value)


def shown_variables(eyes: Eyes, labels: Labels) -> list[VariableView]:
    """The variables that somebody sees, except those that are shown with their pieces."""
    program, v, names, variables = eyes.program, eyes.state.v, names_of(labels), []
    for variable in program.symbols.variables.values():
        if shown_with_pieces(program, variable):
            continue
        for slot in filter(eyes.finds, variable.slots):
            at = names.of(variable, slot)
            words, value = labels.value(variable.type, v[slot], eyes.sees), v[slot] if eyes.knows(slot) else UNSEEN
            is_default = v[slot] == program.variables[slot]
            data = plain_value(labels, variable.type, v[slot], eyes.sees)
            variables.append(
                VariableView(
                    variable.name, *at.titles, at.owner, words, value, is_default, at.index, at.id, at.keys, data
                )
            )
    return variables


def shown_with_pieces(program: Program, variable: Variable) -> bool:
    """Whether a variable is shown with its pieces, because these lie in zones; board spaces do not."""
    kind = program.symbols.kinds.get(variable.of_kind or "")
    return kind is not None and kind.is_piece and any(program.places[piece] >= 0 for piece in kind.numbers)


def show_piece(eyes: Eyes, names: Names, piece: int, is_ordered: bool, asked: Mapping[int, str]) -> PieceView:
    """A piece as somebody sees it. What a hidden one in no order is called as an option would say where it lies."""
    program, kind = eyes.program, eyes.program.kind_of[piece]
    labels, option, printed = names.labels, asked.get(piece), names.printed(piece)
    if not eyes.sees(piece):
        backs = {name: printed[name] for name in kind.back}
        return PieceView(labels.backs[piece], None, False, {}, kind.name, backs, {}, option if is_ordered else None)
    variables, values = {}, {}
    for slot in eyes.marked(piece):
        variable = program.variable_of[slot]
        variables[labels.titled(variable)] = labels.value(variable.type, eyes.state.v[slot], eyes.sees)
    for slot in filter(eyes.finds, program.piece_slots[piece]):
        variable = program.variable_of[slot]
        values[names.mark(slot)] = plain_value(labels, variable.type, eyes.state.v[slot], eyes.sees)
    return PieceView(labels.pieces[piece], kind.id_of(piece), True, variables, kind.name, dict(printed), values, option)
