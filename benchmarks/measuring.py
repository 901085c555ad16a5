"""Measures things by turns, so that the machine and its mood cancel out: A B C A B C, with the median and the quartiles of the rounds."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of several rounds, and the quartiles around it."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of some values."""
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(median(values), low, high)


@dataclass(frozen=True, slots=True)
class Sample:
    """How long so many matches took, or so many of something else, and how many decisions they had."""

    seconds: float
    games: int
    decisions: int = 0


Play = Callable[[int, int], Sample]
"""Plays matches: the first seed and how many."""


@dataclass(slots=True)
class Contender:
    """One way to play a game, with what was measured of it; a word for it, and what plays."""

    name: str
    play: Play
    matches: int = 1
    seed: int = 0
    samples: list[Sample] = field(default_factory=list)

    def warm_up(self, seconds: float) -> None:
        """Find out how many matches take about so many seconds, once what is only done the first time has been done."""
        self.play(self.seed, self.matches)
        while True:
            sample = self.play(self.seed, self.matches)
            self.seed += self.matches
            if sample.seconds > seconds / 3:
                self.matches = max(1, round(self.matches * seconds / sample.seconds))
                return
            faster = seconds / 2 / max(sample.seconds, 1e-6)
            self.matches = max(self.matches + 1, round(self.matches * min(faster, 20)))

    def go(self) -> None:
        """Play one round."""
        self.samples.append(self.play(self.seed, self.matches))
        self.seed += self.matches

    @property
    def rates(self) -> list[float]:
        """Matches in a second, by round."""
        return [sample.games / sample.seconds for sample in self.samples]

    @property
    def decisions(self) -> float:
        """How many decisions a match had on average."""
        return sum(sample.decisions for sample in self.samples) / sum(sample.games for sample in self.samples)


def measure_by_turns(contenders: Sequence[Contender], rounds: int, seconds: float, tick: Callable[[], None]) -> None:
    """Let all play by turns; each takes about so many seconds in a round. `tick` hears of each that has played."""
    for contender in contenders:
        contender.warm_up(seconds)
        tick()
    gc.collect()
    gc.freeze()  # or programs that are there from before are looked through again and again
    for _ in range(rounds):
        for contender in contenders:
            contender.go()
            tick()


def ratio(one: Contender, other: Contender) -> Spread:
    """How many times as many matches in a second the first plays, round by round."""
    return spread([first / second for first, second in zip(one.rates, other.rates, strict=True)])


def timed(work: Callable[[], object]) -> float:
    """How many seconds some work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def times_by_turns(work: Sequence[Callable[[], object]], rounds: int) -> list[Spread]:
    """How many seconds each of several pieces of work takes, measured by turns."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(rounds):
        for one, kept in zip(work, times, strict=True):
            kept.append(timed(one))
    return [spread(kept) for kept in times]


@contextmanager
def one_core() -> Iterator[int | None]:
    """Keep this process, and those that it starts, on one core; which it is, or None where that cannot be asked for."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)
