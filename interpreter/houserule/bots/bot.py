"""The interface of bots: a seat at a match, with its view and a choice to answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Protocol

from houserule.bots.worlds import Key, Question, Thinking, World
from houserule.compiler.program import Program
from houserule.core import Choice, Match, Option, View
from houserule.match.imagining import Imagination
from houserule.telling.choices import Selections

LONE = 1_000
"""The work limit of a single world, in passes."""


class Seat:
    """A seat with a choice to answer: all that a bot gets, and never the match.

    Behind it is a match as the player imagines it, so that nothing reachable from here reveals what is hidden.
    """

    def __init__(self, match: Match, choice: Choice) -> None:
        self.player = choice.player
        self.players = tuple(match.players)
        self.number = choice.seat
        self._match = match.imagine(self.number, match.answered[self.number])
        self.choice = next(choice for choice in self._match.pending if choice.seat == self.number)

    @property
    def options(self) -> Sequence[Option]:
        """All answers to the choice; those of a choice of several are made on demand, because there may be many."""
        return self.choice.options

    @property
    def only(self) -> Option | None:
        """The answer if there is only one."""
        options = self.options
        ways = options.ways if isinstance(options, Selections) else len(options)
        return options[0] if ways == 1 else None

    @property
    def view(self) -> View:
        """The table as the player may see it."""
        return self._match.view(self.player)

    def imagine(self, seed: int) -> Match:
        """A match as the player may imagine it, one for each seed: `Match.imagine`."""
        return self._match.imagine(self.player, seed)

    # --- at full speed ----------------------------------------------------------------------------------------------------

    @cached_property
    def question(self) -> Question:
        """The choice as a question of worlds."""
        s = self._match.state
        return Question(next((part for part in s.forks or () if part.player == self.number), s), self.number)

    def option(self, key: Key) -> Option:
        """The option with a key of the question. Raises LookupError."""
        value = self.question.value(key, self.question.singles())
        values = value if isinstance(value, list) else [value]
        chosen = [option for option in self.choice.single if option.value in values]
        found = self.choice.find([option.key for option in chosen]) if isinstance(value, list) else chosen[0]
        if found is None:
            raise LookupError(key)
        return found

    def world(self, seed: int, thinking: Thinking | None = None) -> World:
        """A match like that of `imagine` without titles and events, in the quiet program: for many thousands of playouts.

        All worlds of one `Thinking` share its work; one without has work of its own.
        """
        world = World(self._imagination.world(Random(seed), self._quiet)[0], thinking or Thinking(LONE))
        world.begin()
        return world

    @cached_property
    def _imagination(self) -> Imagination:
        return self._match.imagination(self.player)

    @cached_property
    def _quiet(self) -> Program:
        return self._match.game.program(len(self.players), told=False)


class Bot(Protocol):
    """A program that answers choices. Its view, its argument and its seed determine its answers."""

    def choose(self, seat: Seat) -> Option:
        """The chosen option; a selection of several options is one option."""
        ...


class Maker(Protocol):
    """Makes a bot. `argument` is the text after the colon in `mcts:400`, or empty; ValueError says what is wrong with it."""

    def __call__(self, argument: str, seed: int, /) -> Bot:
        """A bot for one seat in one match."""
        ...
