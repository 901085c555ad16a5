"""Summarises the matches of a study: columns in, wins by seat and bot, scores and lengths out."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from houserule.core import ENDINGS, Game
from houserule.study.figures import Interval, numpy, of_mean, of_part, of_share
from houserule.study.plan import Plan
from houserule.study.rows import UNKNOWN, Columns, part_of_win

SPREAD_HEADS = ("mean", "deviation", "lowest", "median", "highest")


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of numbers, exact for integers in any order. `interval` is that of the mean."""

    mean: float
    deviation: float
    lowest: int
    median: float
    highest: int
    interval: Interval | None = None

    @classmethod
    def of(cls, values: Sequence[int], with_interval: bool = False) -> Spread:
        """The distribution of numbers."""
        counted = Counter(values)
        numbers = sorted(counted.elements())
        return cls(
            statistics.fmean(numbers),
            statistics.pstdev(numbers),
            numbers[0],
            statistics.median(numbers),
            numbers[-1],
            of_mean(numpy().array(values, dtype=float)) if with_interval else None,
        )

    def shown(self, digits: int) -> tuple[str, str, str, str, str]:
        """The figures under `SPREAD_HEADS`, as text."""
        mean, deviation = f"{self.mean:.{digits}f}", f"{self.deviation:.{digits}f}"
        return mean, deviation, str(self.lowest), f"{self.median:g}", str(self.highest)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"interval": self.interval.to_json() if self.interval is not None else None}


@dataclass(frozen=True, slots=True)
class Wins:
    """Wins: alone, shared, and both as a share of the matches, where a shared victory counts in parts.

    All members of a winning team have a whole victory each.

    `interval` is that of the wins alone, as a share of the matches; `share_interval` that of the share.
    """

    matches: int
    alone: int
    shared: int
    share: float
    interval: Interval | None = None
    share_interval: Interval | None = None

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "matches": self.matches,
            "wins": self.alone,
            "shared": self.shared,
            "share": self.share,
            "interval": self.interval.to_json() if self.interval is not None else None,
            "share_interval": self.share_interval.to_json() if self.share_interval is not None else None,
        }


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat over all matches; `lines` has the mean of each line of the score sheet."""

    seat: int
    wins: Wins
    score: Spread
    lines: dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """The statistics of a study. `length` is in decisions; `endings` counts matches by how they ended."""

    game: str
    seats_taken: tuple[str, ...]
    seed: int
    matches: int
    endings: dict[str, int]
    length: Spread
    rounds: Spread | None
    seats: tuple[SeatSummary, ...]
    bots: dict[str, Wins]
    titles: dict[str, str]

    @property
    def players(self) -> int:
        return len(self.seats_taken)

    def to_json(self) -> dict[str, Any]:
        """The figures by key; equal for the same game, seats, number of matches and seed."""
        return {
            "game": self.game,
            "players": self.players,
            "bots": list(self.seats_taken),
            "seed": self.seed,
            "matches": self.matches,
            "won": self.endings["win"],
            "shared": self.endings["shared"],
            "victories": self.endings["victory"],
            "draws": self.endings["draw"],
            "defeats": self.endings["defeat"],
            "undecided": self.endings["undecided"],
            "length": self.length.to_json(),
            "rounds": self.rounds.to_json() if self.rounds is not None else None,
            "seats": [
                {"seat": seat.seat, **seat.wins.to_json(), "score": seat.score.to_json(), "lines": seat.lines}
                for seat in self.seats
            ],
            "by_bot": {bot: wins.to_json() for bot, wins in self.bots.items()},
        }


def summary_of(game: Game, plan: Plan, columns: Columns) -> Summary | None:
    """The figures of a study; None if nothing was counted. Without SciPy they have no intervals."""
    if not len(columns):
        return None
    sure = has_scipy()
    lines = game.line_titles(plan.players)
    seats = []
    for seat in range(plan.players):
        numbers = [columns.of_seat(columns.lines, seat, line, len(lines)) for line in range(len(lines))]
        seats.append(
            SeatSummary(
                seat + 1,
                wins_of([(columns, seat, 0, 1)], sure),
                Spread.of(columns.of_seat(columns.scores, seat), sure),
                {key: statistics.fmean(column) for key, column in zip(lines, numbers, strict=True)},
            )
        )
    is_counted = columns.rounds[0] != UNKNOWN
    return Summary(
        plan.game,
        plan.seats,
        plan.seed,
        len(columns),
        {ending: columns.endings.count(number) for number, ending in enumerate(ENDINGS)},
        Spread.of(columns.decisions, sure),
        Spread.of(columns.rounds, sure) if is_counted else None,
        tuple(seats),
        by_bot(plan, columns, sure),
        lines,
    )


def has_scipy() -> bool:
    return all(find_spec(module) is not None for module in ("numpy", "scipy"))


def by_bot(plan: Plan, columns: Columns, sure: bool) -> dict[str, Wins]:
    """The wins of each bot over all its seats; empty if all bots are the same."""
    places: dict[str, list[tuple[Columns, int, int, int]]] = {}
    for rotation in range(plan.rotations):
        for seat, bot in enumerate(plan.bots(rotation)):
            places.setdefault(bot, []).append((columns, seat, rotation, plan.rotations))
    return {bot: wins_of(where, sure) for bot, where in places.items()} if len(places) > 1 else {}


def wins_of(places: Sequence[tuple[Columns, int, int, int]], sure: bool) -> Wins:
    """The wins at some seats, each in every n-th match from some match on."""
    credit: list[float] = []
    alone = shared = 0
    for columns, seat, first, step in places:
        players = columns.players
        for match in range(first, len(columns), step):
            winners = columns.won[match * players : (match + 1) * players]
            if not winners[seat]:
                credit.append(0.0)
                continue
            number = sum(winners)
            alone += number == 1
            shared += number > 1
            credit.append(part_of_win(number, ENDINGS[columns.endings[match]]))
    trials = len(credit)
    return Wins(
        trials,
        alone,
        shared,
        statistics.fmean(credit) if credit else 0.0,
        of_share(alone, trials) if sure else None,
        of_part(numpy().array(credit)) if sure else None,
    )
