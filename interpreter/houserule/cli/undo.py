"""Taking answers back: a match as it was before each, for as long as nothing hidden has come to light since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houserule import Match

MOST_KEPT = 50
TELLING = ("roll", "show", "light", "shuffle")
"""Events by which something is known that was not known before."""


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
        """The match before the last answer; None where something has come to light since, or a bot has answered."""
        if not self.kept:
            return None
        before = self.kept[-1]
        answered = match.answers[len(before.match.answers) :]
        if any(player not in self.humans for player, _ in answered) or known(match, self.humans) != before.known:
            return None
        return self.kept.pop()


def known(match: Match, humans: Sequence[str]) -> tuple[Any, ...]:
    """What says whether something has come to light: the chance that was used, what each has seen turn up, and what was told of it."""
    generator = match.state.generator
    found: list[Any] = [generator.getstate() if generator is not None else None]
    for name in humans:
        seat = match.seat(name)
        narrator = match.told(seat)
        found.append(narrator.following[seat].last)
        found.append(sum(event.kind in TELLING for event in narrator.tables[seat]))
    return tuple(found)
