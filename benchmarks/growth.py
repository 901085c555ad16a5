"""Measures how the time for a match grows: with the players of the four games, and with pieces and length of one that has any number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import houserule
from benchmarks.contenders import FOUR, ours
from benchmarks.measuring import Spread, measure_by_turns, spread

FORAGING = Path(__file__).parent / "foraging"
PIECES = (16, 64, 256, 1024)
LENGTHS = (25, 100, 400)
FEW = (64,)
SHORT = (25,)


@dataclass(frozen=True, slots=True)
class Step:
    """One game of a series: what grows and how far, and by way to play the time for a decision, in seconds."""

    game: str
    grows: str
    to: int
    decisions: float
    seconds: dict[str, Spread]


def growth(rounds: int, seconds: float, is_quick: bool, tick: Callable[[], None]) -> list[Step]:
    """All series."""
    found = []
    for name in FOUR:
        game = houserule.load(name)
        counts = [FOUR[name]] if is_quick else list(game.players)
        found += [step(game, "players", count, count, rounds, seconds, tick) for count in counts]
    for grows, values, few in (("pieces", PIECES, FEW), ("length", LENGTHS, SHORT)):
        for value in few if is_quick else values:
            game = houserule.load(FORAGING, options={grows: value})
            found.append(step(game, grows, value, 4, rounds, seconds, tick))
    return found


def step(
    game: houserule.Game, grows: str, to: int, players: int, rounds: int, seconds: float, tick: Callable[[], None]
) -> Step:
    """One game of a series."""
    contenders = ours(game.program(players, told=False))
    measure_by_turns(contenders, rounds, seconds, tick)
    times = {
        contender.name: spread([sample.seconds / sample.decisions for sample in contender.samples])
        for contender in contenders
    }
    return Step(game.id, grows, to, contenders[0].decisions, times)


def steps(is_quick: bool) -> int:
    """How many games there are in all series."""
    counts = sum(1 if is_quick else len(houserule.load(name).players) for name in FOUR)
    return counts + (len(FEW) + len(SHORT) if is_quick else len(PIECES) + len(LENGTHS))
