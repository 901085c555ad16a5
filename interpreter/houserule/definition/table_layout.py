"""A layout, checked for a number of players: how the zones, pieces, members and variables of a game look on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from houserule.frozen import frozen
from houserule.language.checked import Expression, Parts

SHAPES = ("card", "tile", "cube", "pawn", "die", "stone")
"""The shapes of a piece."""
FILLS = (
    "red", "sky", "green", "gold", "violet", "orange", "teal", "rose", "lime", "brown", "blue", "yellow", "grey",
    "black", "white", "silver", "bronze", "pink", "purple", "cyan",
)  # fmt: skip
"""The names of the colours that both renderers know."""
PATTERNS = ("plain", "dots", "waves", "stripes", "checks", "cross", "bricks", "rings", "steps", "stars")
"""The patterns beside a colour, for people who do not see it."""

Value = str | Expression
"""A colour, pattern or symbol by name, or an expression whose member, player or number has one."""


@frozen
class MemberLook:
    """How something looks wherever it colours or marks a piece; None for what is unspecified."""

    fill: str | None = None
    pattern: str | None = None
    symbol: str | None = None


@frozen
class PieceLook:
    """How the pieces of a kind look, by expressions over `it`; `stands_for` is the piece to pick one at."""

    shape: str | None = None
    fill: Value | None = None
    pattern: str | None = None
    symbol: Value | None = None
    words: Mapping[str, Parts] | None = None  # by language
    back: MemberLook = field(default_factory=MemberLook)
    stands_for: Expression | None = None


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
    """The layout of a game. What it does not mention gets a look from names, shapes and counts."""

    pieces: Mapping[str, PieceLook] = field(default_factory=dict)
    members: Mapping[str, Mapping[int, MemberLook]] = field(default_factory=dict)  # by enum or kind, then member
    zones: Mapping[str, ZoneLook] = field(default_factory=dict)
    variables: Mapping[str, VariableLook] = field(default_factory=dict)
    table: tuple[tuple[str, ...], ...] = ()
    player: tuple[str, ...] = ()
