"""A layout, checked for a number of players: how the zones, pieces, members and variables of a game look on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from houserule.frozen import frozen
from houserule.language.checked import Expression, Parts

SHAPES = ("card", "tile", "cube", "pawn", "die", "stone")
"""What a piece looks like."""
FILLS = (
    "red", "sky", "green", "gold", "violet", "orange", "teal", "rose", "lime", "brown", "blue", "yellow", "grey",
    "black", "white", "silver", "bronze", "pink", "purple", "cyan",
)  # fmt: skip
"""The names of the colours that both painters know."""
PATTERNS = ("plain", "dots", "waves", "stripes", "checks", "cross", "bricks", "rings", "steps", "stars")
"""What stands beside a colour for those who do not see it."""

Value = str | Expression
"""A colour, pattern or symbol by its name, or an expression whose member, player or number has one."""


@frozen
class MemberLook:
    """How something looks wherever it colours or marks a piece; None where nothing is said."""

    fill: str | None = None
    pattern: str | None = None
    symbol: str | None = None


@frozen
class PieceLook:
    """How the pieces of a kind look, by expressions over `it`; `stands_for` is the piece at which one is picked."""

    shape: str | None = None
    fill: Value | None = None
    pattern: str | None = None
    symbol: Value | None = None
    words: Mapping[str, Parts] | None = None  # by language
    back: MemberLook = field(default_factory=MemberLook)
    stands_for: Expression | None = None


@frozen
class ZoneLook:
    """How a family of zones lies there. Expressions are over its index; those of a single zone over `it`, a piece in it.

    `up` is the piece of a die that lies on top. `joined` says of two places of a graph whether a line joins them. `parts` says in how many parts of a piece rows and columns are
    counted, `offset` how far a layer lies off the one below, in pieces.
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


@frozen
class VariableLook:
    """How a family of variables looks: on a track from `low` to `high`, which may be that of another (`on`)."""

    show: str
    low: int | None = None
    high: int | None = None
    on: str | None = None
    fill: Value | None = None
    symbol: Value | None = None


@frozen
class TableLayout:
    """The layout of a game. What it does not mention looks as names, shapes and counts suggest."""

    pieces: Mapping[str, PieceLook] = field(default_factory=dict)
    members: Mapping[str, Mapping[int, MemberLook]] = field(default_factory=dict)  # by enum or kind, then member
    zones: Mapping[str, ZoneLook] = field(default_factory=dict)
    variables: Mapping[str, VariableLook] = field(default_factory=dict)
    table: tuple[tuple[str, ...], ...] = ()
    player: tuple[str, ...] = ()
