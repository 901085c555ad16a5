"""What a bot is, and what it is given: a seat at a match, with the view from there and a choice to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from houserule import Choice, Match, Option, View


class Seat:
    """A seat at which a choice waits to be answered: all that a bot gets, and never the match."""

    def __init__(self, match: Match, choice: Choice) -> None:
        self._match = match
        self.choice = choice
        self.player = choice.player
        self.players = tuple(match.players)

    @property
    def options(self) -> Sequence[Option]:
        """All answers to the choice; those of a choice of several are made on demand, because there may be many."""
        return self.choice.options

    @property
    def view(self) -> View:
        """The table as the player may see it."""
        return self._match.view(self.player)


class Bot(Protocol):
    """A program that answers choices. What it is shown, its argument and its seed decide its answers."""

    def choose(self, seat: Seat) -> Option:
        """The chosen option; a selection of several options is one option."""
        ...


class Maker(Protocol):
    """Makes a bot. `argument` is what follows the colon in `mcts:400`, empty without one; ValueError says what is wrong with it."""

    def __call__(self, argument: str, seed: int, /) -> Bot:
        """A bot for one seat in one match."""
        ...
