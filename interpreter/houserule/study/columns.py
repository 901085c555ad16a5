"""The matches of a study as columns of integers: what is kept of each match, and how columns grow."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import lcm
from typing import Any

from houserule.core import ENDINGS, Outcome
from houserule.native.memory import DECISIONS, ENDING, LEAD_CHANGES, ROUNDS, Results

UNKNOWN = -1
"""The value of a column that nobody asked for."""


def numbers() -> array[int]:
    """An empty column."""
    return array("q")


@dataclass(slots=True)
class Columns:
    """The matches from `start` on. Some columns have several entries per match: `scores` and `won` one for each seat, `lines`
    one for each line of the score sheet and each seat. `offers` has, for each bot, the counts of options by measure, seat and item.
    """

    players: int
    start: int = 0
    endings: array[int] = field(default_factory=numbers)
    won: array[int] = field(default_factory=numbers)
    scores: array[int] = field(default_factory=numbers)
    lines: array[int] = field(default_factory=numbers)
    decisions: array[int] = field(default_factory=numbers)
    rounds: array[int] = field(default_factory=numbers)
    leads: array[int] = field(default_factory=numbers)
    offers: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.endings)

    @property
    def end(self) -> int:
        """The number after the last match."""
        return self.start + len(self)

    def add(self, outcome: Outcome, rounds: int, leads: int) -> None:
        """Add the next match."""
        winners = outcome.winners
        self.endings.append(ENDINGS.index(outcome.ending))
        self.won.extend([1 if seat in winners else 0 for seat in range(self.players)])
        self.scores.extend(outcome.scores)
        for line in outcome.lines:
            self.lines.extend(line)
        self.decisions.append(outcome.decisions)
        self.rounds.append(rounds)
        self.leads.append(leads)

    def add_results(self, results: Results, with_rounds: bool, with_leads: bool) -> None:
        """Add the next matches, played natively; rounds and changes of lead only if they were asked for."""
        unknown = array("q", (UNKNOWN,)) * len(results)
        self.endings.extend(results.column(ENDING))
        self.won.extend(results.won())
        self.scores.extend(results.scores())
        self.lines.extend(results.lines())
        self.decisions.extend(results.column(DECISIONS))
        self.rounds.extend(results.column(ROUNDS) if with_rounds else unknown)
        self.leads.extend(results.column(LEAD_CHANGES) if with_leads else unknown)

    def extend(self, other: Columns) -> None:
        """Add the matches that follow."""
        assert other.start == self.end
        for declared in fields(self):
            mine, theirs = getattr(self, declared.name), getattr(other, declared.name)
            if isinstance(mine, array):
                mine.extend(theirs)
        for bot, counts in other.offers.items():
            self.offers[bot] = self.offers[bot] + counts if bot in self.offers else counts

    def of_seat(self, column: Sequence[int], seat: int, line: int = 0, lines: int = 1) -> Sequence[int]:
        """The entries of one seat, and of one of several lines."""
        return column[line * self.players + seat :: lines * self.players]


def whole_win(players: int) -> int:
    """The value of one victory, chosen so that every part of a shared one is an integer."""
    return lcm(*range(1, players + 1))


def part_of_win(winners: int, ending: str) -> float:
    """The part of a victory that each of several winners has: an equal share, or the whole if they win together as one team."""
    return 1.0 if ending == "victory" else 1 / winners if winners else 0.0
