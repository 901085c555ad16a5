"""Positions in regions: the cell of each place, computed from its index and the arrangement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from houserule.definition.looks import ZoneLook
from houserule.language.checked import Kind, Zone

MOST_ACROSS = 100
"""The most cells in a row or column of a region; empty ones between more distant things are left out."""
HEX_ROW = 0.866
"""The distance of rows of hexagons whose width is 1."""


class Spot(NamedTuple):
    """A position in a region: the centre of its cell, its layer, and its rotation."""

    x: float
    y: float
    layer: int = 0
    rotation: int = 0


class Part(NamedTuple):
    """The zones of a family that make a region: its id, whose it is, and what is said of it beside the title of the family."""

    id: str
    seat: int | None
    slots: Sequence[int]
    is_family: bool
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class At:
    """The layout's values for one place; None for a missing one."""

    row: int | None = None
    column: int | None = None
    layer: int | None = None
    order: int | None = None


def spots(look: ZoneLook, places: list[At]) -> list[Spot]:
    if look.arrange == "ring":
        ordered = sorted(range(len(places)), key=lambda at: (of(places[at].order, at), at))
        around = ring(len(places))
        found = [Spot(0, 0)] * len(places)
        for position, at in enumerate(ordered):
            found[at] = around[position]
        return found
    columns = look.columns or len(places)
    rows = any(place.row is not None for place in places)
    found = []
    for position, place in enumerate(places):
        wrapped = position // columns if look.columns and place.row is None and place.column is None else 0
        along = position % columns if place.column is None and not rows else 0
        x, y, layer = of(place.column, along), of(place.row, wrapped), of(place.layer, 0)
        if look.arrange == "hex":
            found.append(Spot(x + (0.5 if y % 2 else 0.0), round(y * HEX_ROW, 3), layer))
        else:
            found.append(Spot(x / look.parts, y / look.parts, layer))
    return from_origin(lifted(found, look.offset) if look.offset else found)


def around(number: int, first: int) -> list[Spot]:
    """A place for each player around the middle, clockwise in seat order, with the first one below."""
    angles = [pi / 2 + 2 * pi * ((seat - first) % number) / number for seat in range(number)]
    wide = 1.0 if number < 5 else 1.5
    return from_origin([Spot(round(wide * cos(angle), 3), round(0.8 * sin(angle), 3)) for angle in angles])


def on_board(board: Kind, zone: Zone, slots: Sequence[int]) -> list[Spot]:
    """The positions of a family's places on a grid; those of a board that goes round are cut where it is emptiest."""
    places = [zone.index(slot)[-1] for slot in slots]
    columns: tuple[list[int], ...] = ([], [])
    for axis, name in enumerate(("row", "column")):
        values = board.attributes[name]
        columns[axis].extend(at for place in places if isinstance(at := values[place - board.base], int))
    rows, columns_ = (unrolled(one, 2 * board.reach + 1 if board.reach else 0) for one in columns)
    if board.grid == "hexagonal":
        return from_origin(
            [Spot(round(x + y / 2, 3), round(y * HEX_ROW, 3)) for y, x in zip(rows, columns_, strict=True)]
        )
    return from_origin([Spot(x, y) for y, x in zip(rows, columns_, strict=True)])


def unrolled(values: Sequence[int], width: int) -> list[int]:
    """Coordinates that go round after `width`, in one stretch: it begins after the widest gap."""
    if not values or not width:
        return list(values)
    there = sorted(set(values))
    gaps = [(following - one, following) for one, following in pairwise([*there, there[0] + width])]
    start = max(gaps, key=lambda gap: (gap[0], gap[1] > there[-1]))[1]
    return [value if start > there[-1] or value >= start else value + width for value in values]


def of(value: int | None, default: int) -> int:
    return default if value is None else value


def lifted(found: list[Spot], offset: float) -> list[Spot]:
    """Positions with their layers shifted."""
    lowest = min((spot.layer for spot in found), default=0)
    return [
        Spot(spot.x + offset * (spot.layer - lowest), spot.y + offset * (spot.layer - lowest), spot.layer)
        for spot in found
    ]


def from_origin(found: list[Spot]) -> list[Spot]:
    """Shift positions so that the leftmost and topmost are at 0; large gaps are closed."""
    across, down = {s.x for s in found}, {s.y for s in found}
    if (
        max(across, default=0) - min(across, default=0) > MOST_ACROSS
        or max(down, default=0) - min(down, default=0) > MOST_ACROSS
    ):
        columns, rows = ({at: n for n, at in enumerate(sorted(places))} for places in (across, down))
        return [Spot(columns[s.x], rows[s.y], s.layer, s.rotation) for s in found]
    left, top = min((s.x for s in found), default=0), min((s.y for s in found), default=0)
    return [Spot(round(s.x - left, 3), round(s.y - top, 3), s.layer, s.rotation) for s in found]


def ring(number: int) -> list[Spot]:
    """Positions clockwise around a rectangle from its upper left corner, as square as possible."""
    if number < 4:
        return [Spot(x, 0) for x in range(number)]
    half = (number + 4 + 1) // 2  # width and height together
    width, height = (half + 1) // 2, half // 2
    around = [Spot(x, 0) for x in range(width)]
    around += [Spot(width - 1, y, rotation=90) for y in range(1, height)]
    around += [Spot(x, height - 1, rotation=180) for x in range(width - 2, -1, -1)]
    around += [Spot(0, y, rotation=270) for y in range(height - 2, 0, -1)]
    return around[:number]


def extent(found: list[Spot]) -> tuple[float, float]:
    return (round(max((s.x for s in found), default=-1) + 1, 3), round(max((s.y for s in found), default=-1) + 1, 3))


def covered(found: list[Spot]) -> list[bool]:
    return [any(o.layer > s.layer and abs(o.x - s.x) < 1 and abs(o.y - s.y) < 1 for o in found) for s in found]
