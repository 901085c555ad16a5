"""The numbers of players, as written: `3` or `2..5`."""

from __future__ import annotations

import re

from houserule.diagnostics import Report
from houserule.source import Scalar, Yaml

RANGE = re.compile(r"\s*([0-9]{1,3})(?:\s*\.\.\s*([0-9]{1,3}))?\s*")
ALMOST_RANGE = re.compile(r"\s*(\d{1,2})\s*(?:-|–|—|to|\.|\.{3,}|…|,)\s*(\d{1,2})\s*")
"""A range in another common notation."""
MOST_PLAYERS = 20


def bounds(node: Yaml | None) -> tuple[int, int] | None:
    """The fewest and the most players; None if that cannot be read."""
    match = RANGE.fullmatch(node.text) if isinstance(node, Scalar) else None
    return (int(match[1]), int(match[2] or match[1])) if match else None


def players_of(node: Yaml | None, report: Report) -> tuple[int, int]:
    """The fewest and the most players; two, after a diagnostic."""
    found = bounds(node)
    if found is not None and 1 <= found[0] <= found[1] <= MOST_PLAYERS:
        return found
    if isinstance(node, Scalar):
        meant = ALMOST_RANGE.fullmatch(node.text)
        message = f"'players' expects a number or a range such as 2..5, got '{node.text}'"
        report.error("HR212", message, node.span, f"players: {meant[1]}..{meant[2]}" if meant else "players: 2..5")
    return 2, 2
