"""The reward of each player at the end of a match, and estimates before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houserule.compiler.program import Program
from houserule.running.faults import FAULTS
from houserule.running.playout import ended
from houserule.running.state import State

LEVEL = 0.5
"""The reward in a match where nobody is ahead of anybody."""
BY_MARGIN = 0.1
"""The share of a reward that the margin of points decides, so that a winning bot wins clearly, and a losing one fights on."""


def rewards(program: Program, s: State, is_over: bool = True) -> list[float]:
    """By seat, from 0 to 1: the share of the others whom a player is ahead of in the final ranking; ties count half.

    All who win together have 1, and all who lose together have 0. If points decide, a tenth of it is the margin; before
    the end, half of it is.
    """
    players = program.symbols.players
    try:
        scores = [sum(points) for points in zip(*(points(s) for _, points in program.points), strict=True)]
        scores = scores or [0] * players
        ending, winners = ended(program, s, scores) if is_over else ("", [])
        key = program.winner_key
        keys = [tuple(key(s, player, score)) for player, score in enumerate(scores)] if key is not None else []
    except FAULTS:
        return [LEVEL] * players
    return worth(program, is_over, ending, winners, standings(program, scores, keys))


def worth(
    program: Program, is_over: bool, ending: str, winners: Sequence[int], keys: list[tuple[int, ...]]
) -> list[float]:
    """What the current or final standing is worth to each player, by what decides who is ahead."""
    players = program.symbols.players
    if ending in ("victory", "defeat"):
        return [1.0 if ending == "victory" else 0.0] * players
    ranked = [(player in winners, *key) for player, key in enumerate(keys)]
    if not keys[0]:
        return [ahead(ranked, player) for player in range(players)]
    share = BY_MARGIN if is_over else LEVEL
    first = [key[0] for key in keys]
    return [(1 - share) * ahead(ranked, player) + share * lead(first, player) for player in range(players)]


def standings(program: Program, scores: list[int], keys: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """By seat: the number that decides who is ahead, the greater the better; None if no points do."""
    if not keys or program.game.winner is None:
        return [(score,) for score in scores]
    if program.game.winner.rule not in ("most", "least"):
        return [()] * len(scores)
    return keys


def ahead(ranked: list[tuple[Any, ...]], player: int) -> float:
    """The share of the others whom a player is ahead of; ties count half."""
    own = ranked[player]
    others = [key for place, key in enumerate(ranked) if place != player]
    if not others:
        return float(bool(own[0]))
    return sum(1.0 if own > key else LEVEL if own == key else 0.0 for key in others) / len(others)


def lead(points: list[int], player: int) -> float:
    """By how much a player is ahead of the best of the others, from 0 to 1."""
    others = [number for place, number in enumerate(points) if place != player]
    margin = points[player] - max(others, default=0)
    scale = 1 + max(map(abs, points)) / 2
    return LEVEL + LEVEL * margin / (abs(margin) + scale)
