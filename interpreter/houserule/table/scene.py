"""A scene: the table as one viewer sees it, as plain data, sufficient for rendering."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, ClassVar

FORMAT = 1
"""The version of the dictionary; adding a key does not change it."""


class AsDict:
    """An object that converts to a dictionary of plain data."""

    __slots__: tuple[str, ...] = ()
    _values: ClassVar[Any]  # the values of all slots, which are the fields of a data class

    def __init_subclass__(cls) -> None:
        if cls.__slots__:
            cls._values = attrgetter(*cls.__slots__)

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data: lists, texts, numbers, truth values and None."""
        return {name: as_plain(part) for name, part in self.items()}

    def items(self) -> zip[tuple[str, Any]]:
        """The names of the fields, and their values."""
        return zip(self.__slots__, self._values(self), strict=True)

    def differences(self, before: AsDict) -> Iterator[tuple[str, Any, Any]]:
        """The fields in which it differs from another of its class: the name, the former value, and its own."""
        for name, old, part in zip(self.__slots__, before._values(before), self._values(self), strict=True):
            if old is not part and old != part:
                yield name, old, part


def as_plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [as_plain(one) for one in value]
    return value.as_dict() if isinstance(value, AsDict) else value


@dataclass(slots=True)
class Sign(AsDict):
    """A title, and how that for which it stands looks: the head of a line of a sheet, or a sector of a spinner."""

    title: str
    fill: str | None = None
    symbol: str = ""
    icon: str = ""


@dataclass(slots=True)
class Thing(AsDict):
    """A piece, several that look alike, or the pawn of a variable. x, y is the upper left corner of its cell in the region."""

    id: str
    region: str
    place: str | None
    x: float
    y: float
    layer: int
    rotation: int
    shape: str
    fill: str | None
    pattern: str | None
    symbol: str
    icon: str
    ink: str | None
    corner: str
    words: str
    text: str
    is_face_up: bool
    is_covered: bool = False
    is_up: bool = False
    is_changed: bool = False
    count: int = 1
    on: str | None = None
    marks: Sequence[str] = ()
    mark_icons: Sequence[str] = ()
    options: Sequence[int] = ()


@dataclass(slots=True)
class Place(AsDict):
    """A place of a region where something lies or can lie."""

    id: str
    title: str
    x: float
    y: float
    layer: int
    amount: int | None
    is_changed: bool = False
    options: Sequence[int] = ()


@dataclass(slots=True)
class Region(AsDict):
    """A zone, a family of zones, or a track: an area of the table with a title. `lines` join two places each, by their indices; `rows` and `columns` head a sheet."""

    id: str
    title: str
    seat: int | None
    arrangement: str
    width: float
    height: float
    amount: int | None
    is_ordered: bool
    is_changed: bool = False
    places: list[Place] = field(default_factory=list)
    lines: Sequence[list[int]] = ()
    options: Sequence[int] = ()
    board: str | None = None
    fill: str | None = None
    rows: list[Sign] = field(default_factory=list)
    columns: Sequence[Sign] = ()
    is_solid: bool = False
    lid: Sign | None = None
    is_kept: bool = False


@dataclass(slots=True)
class Value(AsDict):
    """A variable: its value, and its look."""

    id: str
    title: str
    seat: int | None
    show: str
    words: str
    number: int | None
    low: int | None
    high: int | None
    fill: str | None
    symbol: str
    icon: str
    is_default: bool
    is_changed: bool = False
    sectors: Sequence[Sign] = ()


@dataclass(slots=True)
class Seat(AsDict):
    """A player, and what lies before them: the ids of regions and variables, in order."""

    seat: int
    name: str
    fill: str | None
    pattern: str | None
    symbol: str
    is_viewer: bool
    is_next: bool
    lies_here: list[str] = field(default_factory=list)
    options: Sequence[int] = ()


@dataclass(slots=True)
class OptionShown(AsDict):
    """An option of the viewer's question. `at` is where it is picked: `thing`, `place`, `region`, `player` or `button`."""

    key: str
    label: str
    text: str
    is_pass: bool
    at: str = "button"


@dataclass(slots=True)
class Question(AsDict):
    """The viewer's question, whose options have `parts` parts each. `number` counts the viewer's answers so far, so that duplicate and late ones are recognised."""

    number: int
    kind: str
    prompt: str
    text: str
    at_least: int
    at_most: int
    may_pass: bool
    options: list[OptionShown]
    parts: int = 1


@dataclass(slots=True)
class SheetLine(AsDict):
    """A line of the score sheet: points by seat."""

    title: str
    points: list[int]


@dataclass(slots=True)
class TeamShown(AsDict):
    """A team: its title, empty if it has none, and its seats."""

    title: str
    seats: list[int]


@dataclass(slots=True)
class Scene(AsDict):
    """The table as one viewer sees it at a moment."""

    format: int
    game: str
    title: str
    language: str
    viewer: int | None
    is_spectator: bool
    step: str
    turn: list[int]
    seats: list[Seat]
    table: list[list[str]]
    regions: list[Region]
    things: list[Thing]
    variables: list[Value]
    question: Question | None
    changes: list[str]
    is_over: bool
    winners: list[int]
    sheet: list[SheetLine]
    teams: list[TeamShown] = field(default_factory=list)
    ending: str = ""

    def region(self, id: str) -> Region:
        """The region with that id; LookupError if there is none."""
        found = next((region for region in self.regions if region.id == id), None)
        if found is None:
            raise LookupError(id)
        return found
