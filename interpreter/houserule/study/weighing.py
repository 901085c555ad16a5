"""Weighs decisions: what each answer is worth to everybody, by random playouts to the end of imagined matches.

All answers are tried in the same imagined matches with the same futures. Half of these choose what is compared and the other
half measures it, and the other way round: the best of several noisy numbers would seem better than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from houserule.bots.greedy import answers, tried
from houserule.bots.simple import Seat
from houserule.bots.worlds import Key, Thinking, World
from houserule.core import Choice, Match

MATCHES, GAP, STAKE, HOPELESS, SWAY = range(5)
"""The words of a match: how many questions were weighed, the sums of their gaps and stakes, how many of them were put to a player
who cannot win, and the sum of what these decide about the others; sums are in millionths of a victory."""
WEIGHED = 5
WHOLE = 1_000_000
PLAYOUTS = 24
"""At least so many playouts a question, over all answers,"""
WORLDS = 8
"""in at least so many imagined matches, an even number."""

Values = Sequence[Sequence[Sequence[float]]]
"""The part of a victory that each player has, by answer and imagined match."""


class Weigher:
    """Weighs some of the questions of one match: each with the chance `rate`."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate = rate
        self.random = Random(f"weighing {seed}")
        self.words = [0] * WEIGHED

    def look(self, match: Match, choice: Choice) -> None:
        """Weigh the answers to a choice, if chance wants it and there are several."""
        if self.random.random() >= self.rate:
            return
        seat = Seat(match, choice)
        if seat.only is not None:
            return
        values = tried_out(seat, self.random)
        if len(values) < 2:
            return
        gap, stake = gap_and_stake(values, seat.number)
        self.words[MATCHES] += 1
        self.words[GAP] += round(gap * WHOLE)
        self.words[STAKE] += round(stake * WHOLE)
        if not any(world[seat.number] for worlds in values for world in worlds):
            self.words[HOPELESS] += 1
            self.words[SWAY] += round(sway(values, seat.number) * WHOLE)


def tried_out(seat: Seat, random: Random) -> list[list[list[float]]]:
    """What each answer comes to, in each of the imagined matches that allow all of them."""
    keys = tried(seat.question, random)
    worlds = max(WORLDS, 2 * ceil(PLAYOUTS / len(keys) / 2))
    thinking = Thinking(worlds * len(keys) * 4)
    values: list[list[list[float]]] = [[] for _ in keys]
    for _ in range(worlds):
        world = seat.world(random.getrandbits(32), thinking)
        future = random.getrandbits(32)
        found = []
        for key in keys:
            parts = one_tried(world.copy(future), key, seat.number, future)
            if parts is None:
                break
            found.append(parts)
        if len(found) == len(keys):
            for column, parts in zip(values, found, strict=True):
                column.append(parts)
        if thinking.is_done:
            break
    return values if len(values[0]) >= 2 else []


def one_tried(world: World, key: Key, seat: int, future: int) -> list[float] | None:
    """The victories after one answer in one imagined match; None if it does not allow the answer, or a rule fails."""
    return world.victories(future) if answers(world, key, seat) else None


def mean(worlds: Sequence[Sequence[float]], player: int) -> float:
    return sum(world[player] for world in worlds) / len(worlds)


def halves(values: Values) -> list[tuple[Values, Values]]:
    """Both ways to choose by one half of the imagined matches and to measure by the other."""
    even, odd = [worlds[::2] for worlds in values], [worlds[1::2] for worlds in values]
    return [(even, odd), (odd, even)]


def gap_and_stake(values: Values, player: int) -> tuple[float, float]:
    """By how much the best answer is better than the next, and than a random one."""
    gap = stake = 0.0
    for chosen, measured in halves(values):
        order = sorted(range(len(values)), key=lambda answer: -mean(chosen[answer], player))
        shares = [mean(worlds, player) for worlds in measured]
        gap += shares[order[0]] - shares[order[1]]
        stake += shares[order[0]] - sum(shares) / len(shares)
    return gap / 2, stake / 2


def sway(values: Values, player: int) -> float:
    """By how much an answer changes the chance of the rival on whom it bears most."""
    total = 0.0
    for chosen, measured in halves(values):
        best = (0.0, 0.0)
        for rival in range(len(values[0][0])):
            shares = [mean(worlds, rival) for worlds in chosen]
            high, low = shares.index(max(shares)), shares.index(min(shares))
            spread = shares[high] - shares[low]
            if rival != player and spread > best[0]:
                best = spread, mean(measured[high], rival) - mean(measured[low], rival)
        total += best[1]
    return total / 2
