"""Undo: the match before each answer, as long as nothing hidden has been revealed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houserule import Match

MOST_KEPT = 50
TELLING = ("roll", "show", "light", "shuffle")
"""Events that reveal something."""


@dataclass(frozen=True, slots=True)
class Before:
    """A match before an answer, and what those at the keyboard had been told by then."""

    match: Match
    told: dict[str | None, int]
    known: tuple[Any, ...]


class Past:
    """The answers that people have given, the last one last."""

    def __init__(self, humans: Sequence[str]) -> None:
        self.humans = humans
        self.kept: list[Before] = []

    def keep(self, match: Match, told: dict[str | None, int]) -> None:
        """Keep a match before somebody answers."""
        self.kept.append(Before(match.copy(), dict(told), known(match, self.humans)))
        del self.kept[:-MOST_KEPT]

    def take_back(self, match: Match) -> Before | None:
        """The match before the last answer; None if something has been revealed since, or a bot has answered."""
        if not self.kept:
            return None
        before = self.kept[-1]
        answered = match.answers[len(before.match.answers) :]
        if any(player not in self.humans for player, _ in answered) or known(match, self.humans) != before.known:
            return None
        return self.kept.pop()


def known(match: Match, humans: Sequence[str]) -> tuple[Any, ...]:
    """A value that changes when something is revealed: the chance used, the pieces each has seen, and what was told of it."""
    generator = match.state.generator
    found: list[Any] = [generator.getstate() if generator is not None else None]
    for name in humans:
        seat = match.seat(name)
        narrator = match.told(seat)
        found.append(narrator.following[seat].last)
        found.append(sum(event.kind in TELLING for event in narrator.tables[seat]))
    return tuple(found)
