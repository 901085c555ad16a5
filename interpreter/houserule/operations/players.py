"""Functions about order, players and the places of boards: rows of the table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from houserule.language.types import Int, List, Type
from houserule.operations.fuel import GRAINS, spend
from houserule.operations.table import Function

MOST_STEPS = 20_000
"""No two places of a board are further apart."""
HEAD = 5
"""So many numbers come before the rows of a grid: see `Kind.geometry`."""


def _same(types: list[Type]) -> Type:
    return types[0]


def _steps(_: list[Type]) -> Type:
    return Int(0, MOST_STEPS)


def distance(a: int, b: int, grid: Sequence[int]) -> int:
    """How many steps one place of a grid is from another."""
    rows = HEAD - grid[0]
    columns = rows + grid[1]
    down = grid[rows + b] - grid[rows + a]
    right = grid[columns + b] - grid[columns + a]
    width = grid[2]
    if width > 0:
        down = (down + width + width // 2) % width - width // 2
        right = (right + width + width // 2) % width - width // 2
    if grid[3] == 0 or down * right >= 0:  # a step on hexagons may change both, in opposite directions
        return abs(down) + abs(right)
    return max(abs(down), abs(right))


def group(places: Sequence[int], start: int, grid: Sequence[int]) -> list[int]:
    """The places of a list that are connected with one of them by neighbours in the list, the nearest first."""
    ordered = sorted(places)
    reached = [0 for _ in ordered]
    found: list[int] = []
    at = bisect_left(ordered, start)
    if at < len(ordered) and ordered[at] == start:
        reached[at] = 1
        found.append(start)
    done = 0
    while done < len(found):
        first = HEAD + 2 * grid[1] + grid[4] * (found[done] - grid[0])
        done += 1
        for near in grid[first : first + grid[4]]:
            at = bisect_left(ordered, near)
            if at < len(ordered) and ordered[at] == near and reached[at] == 0:
                reached[at] = 1
                found.append(near)
    return found


@lru_cache(maxsize=8)
def around(grid: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each place, in rows of the same length: where there are fewer, the place itself stands for the rest."""
    low, size, most = grid[0], grid[1], grid[4]
    near = grid[HEAD + 2 * size :]
    rows = (near[most * row : most * row + most] for row in range(size))
    return tuple(tuple(one if one >= low else low + row for one in ones) for row, ones in enumerate(rows))


def flood(
    s: Any, a_place: int, board: Sequence[int], holds: Callable[[int], Any], start: int, near: Sequence[Sequence[int]]
) -> Iterator[int]:
    """The group of a place on a whole board among those for which a condition holds, the nearest first; `near` is what is `around` each.

    They come one by one, so that nobody looks further than is asked, and each costs so many grains.
    """
    if start < board[0] or not holds(start):
        return
    place, done, many = start, 0, 1
    while True:
        if s is not None:
            spend(s, a_place // GRAINS)
        yield place
        if done == 0:  # no sooner, as many a group is asked for one place only
            is_known, found = [0] * len(board), [0] * len(board)
            is_known[start - board[0]] = 1
        done += 1
        for other in near[place - board[0]]:
            if is_known[other - board[0]] == 0:
                is_known[other - board[0]] = 1
                found[many] = other  # not appended, which takes a sixth longer natively
                if holds(other):
                    many += 1
        if done == many:
            return
        place = found[done]


FUNCTIONS = [
    Function(
        "next",
        ("thing", "number?"),
        _same,
        "(({0} - {2} + {1}) % {3} + {2})",
        "The next member, player or piece of its kind, going round; or the n-th next.",
        example="next(me).score += 1",
        constants=("low", "size"),
    ),
    Function(
        "previous",
        ("thing", "number?"),
        _same,
        "(({0} - {2} - {1}) % {3} + {2})",
        "The previous one, going round.",
        example="previous(me, 2).score += 1",
        constants=("low", "size"),
    ),
    Function(
        "distance",
        ("board place", "board place"),
        _steps,
        "distance({0}, {1}, {2})",
        "How many steps one place of a grid is from another, from neighbour to neighbour.",
        example="if distance(field[1, 1], field[2, 3]) == 3: me.score += 1",
        constants=("grid",),
        gives_way=True,
    ),
    Function(
        "group",
        ("list", "board place"),
        lambda types: List(types[1], types[0].most if isinstance(types[0], List) else None),
        "group({0}, {1}, {2})",
        "The places of a list that are connected with one of them, from neighbour to neighbour in the list; the nearest first.",
        example="me.score += count(group((f in field where f.row == 1), field[1, 1]))",
        in_turn="flood",
        constants=("grid",),
        work=(0, -1),
        each=32,
        each_found=1200,
        gives_way=True,
    ),
]
