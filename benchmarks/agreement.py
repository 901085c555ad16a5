"""Sees whether two ways to play a game are the same game: how far their averages lie apart, in standard errors.

Both play at random with chance of their own, so they agree where no average is further apart than chance explains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from statistics import fmean

Played = tuple[Sequence[int], int, Sequence[int]]
"""A match: points by seat, the number of decisions, the seats that have won."""

FAR = 4.5
"""So many standard errors do not come about by chance: once in 150,000 comparisons."""


def points_of(seat: int, match: Played) -> float:
    """The points of a seat."""
    return match[0][seat]


def has_won(seat: int, match: Played) -> float:
    """Whether a seat has won."""
    return seat in match[2]


def averages(players: int) -> dict[str, Callable[[Played], float]]:
    """What is compared: of decisions and of all points the average and the spread, of each seat points and wins."""
    measured: dict[str, Callable[[Played], float]] = {
        "decisions": lambda match: match[1],
        "spread of decisions": lambda match: match[1] ** 2,
        "points": lambda match: sum(match[0]),
        "spread of points": lambda match: sum(points * points for points in match[0]),
        "most points": lambda match: max(match[0]),
        "winners": lambda match: len(match[2]),
    }
    for seat in range(players):
        measured[f"points of seat {seat + 1}"] = partial(points_of, seat)
        measured[f"wins of seat {seat + 1}"] = partial(has_won, seat)
    return measured


def average_of(values: Sequence[float]) -> tuple[float, float]:
    """The average, and the square of its standard error. `statistics.variance` counts in fractions, which takes four times as long."""
    average, number = fmean(values), len(values)
    return average, sum((value - average) ** 2 for value in values) / (number - 1) / number


def distances(one: Sequence[Played], other: Sequence[Played]) -> dict[str, float]:
    """How far each average of one sample lies above the other's, in standard errors of the difference (Welch)."""
    found = {}
    for name, number in averages(len(one[0][0])).items():
        (first, of_first), (second, of_second) = (
            average_of([number(match) for match in side]) for side in (one, other)
        )
        error = sqrt(of_first + of_second)
        found[name] = (first - second) / error if error else 0.0
    return found
