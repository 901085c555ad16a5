"""What a bot is, and what it is given: a seat at a match, with the view from there and a choice to answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Protocol

from houserule import Choice, Match, Option, View
from houserule.bots.worlds import Key, Question, Thinking, World
from houserule.compiler.program import Program
from houserule.match.imagining import Imagination
from houserule.telling.choices import Selections

LONE = 1_000
"""As many passes as a world by itself has work for."""


class Seat:
    """A seat at which a choice waits to be answered: all that a bot gets, and never the match.

    What stands behind it is a match as the player imagines it, so that nothing that can be reached from here tells what is hidden.
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
        """The answer where there is only one."""
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
        """The choice as worlds put it."""
        s = self._match.state
        return Question(next((part for part in s.forks or () if part.player == self.number), s), self.number)

    def option(self, key: Key) -> Option:
        """The option that a key of the question means. Raises LookupError."""
        value = self.question.value(key, self.question.singles())
        values = value if isinstance(value, list) else [value]
        chosen = [option for option in self.choice.single if option.value in values]
        found = self.choice.find([option.key for option in chosen]) if isinstance(value, list) else chosen[0]
        if found is None:
            raise LookupError(key)
        return found

    def world(self, seed: int, thinking: Thinking | None = None) -> World:
        """The same as `imagine` without titles and events, in the quiet program: for many thousands of passes.

        All worlds of one thinking share its work; one without has work of its own.
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
    """A program that answers choices. What it is shown, its argument and its seed decide its answers."""

    def choose(self, seat: Seat) -> Option:
        """The chosen option; a selection of several options is one option."""
        ...


class Maker(Protocol):
    """Makes a bot. `argument` is what follows the colon in `mcts:400`, empty without one; ValueError says what is wrong with it."""

    def __call__(self, argument: str, seed: int, /) -> Bot:
        """A bot for one seat in one match."""
        ...
