"""The interface of bots, and the bots that do not think."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from random import Random
from typing import Any, Protocol

from houserule.bots.worlds import Key, Question, Thinking, World
from houserule.compiler.program import Program
from houserule.core import Choice, Match, Observations, Option, View
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
    def outer(self) -> Seat:
        """The seat as any bot gets it: this one, unless it is an `InnerSeat`."""
        return self

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
        return self._match.view(self.player)

    # --- in numbers -----------------------------------------------------------------------------------------------------

    def observation(self, taken: Sequence[int] = ()) -> list[int]:
        """What the player sees as a vector of numbers, those of `Game.observations`; after some numbers were taken."""
        return self._numbers.of(self._match, self.number, taken)

    def legal(self, taken: Sequence[int] = ()) -> list[int]:
        """The numbers that answer the choice, those of `Game.actions`; or that go on after some were taken, none if that is all."""
        return self._numbers.actions.legal(self._match, self.number, taken)

    def answer(self, *numbers: int) -> Option:
        """The option for numbers that answer the choice. Raises ValueError if they do not."""
        found = self.choice.find(self._numbers.actions.option(self._match, self.number, *numbers))
        assert found is not None
        return found

    @cached_property
    def _numbers(self) -> Observations:
        game: Any = self._match.game
        numbers: Observations = game.observations(len(self.players))
        return numbers

    # --- imagined -------------------------------------------------------------------------------------------------------

    def imagine(self, seed: int) -> Match:
        """A match as the player may imagine it, one for each seed: `Match.imagine`."""
        return self._match.imagine(self.player, seed)

    # --- at full speed ----------------------------------------------------------------------------------------------------

    @cached_property
    def question(self) -> Question:
        """The choice as a question of worlds."""
        return Question(self._match.state.at(self.number), self.number)

    def option(self, key: Key) -> Option:
        """The option with a key of the question. Raises LookupError."""
        return self.option_of(self.question.value(key, self.question.singles()))

    def option_of(self, value: int | list[int]) -> Option:
        """The option with a value of the question. Raises LookupError."""
        values = value if isinstance(value, list) else [value]
        chosen = [option for option in self.choice.single if option.value in values]
        found = self.choice.find([option.key for option in chosen]) if isinstance(value, list) else chosen[0]
        if found is None:
            raise LookupError(value)
        return found

    def world(self, seed: int, thinking: Thinking | None = None) -> World:
        """A match like that of `imagine` without titles and events, in the quiet program: for many thousands of playouts.

        All worlds of one `Thinking` share its work; one without has work of its own.
        """
        world = World(self.imagination.world(Random(seed), self.program)[0], thinking or Thinking(LONE))
        world.begin()
        return world

    @cached_property
    def program(self) -> Program:
        """The quiet program of its worlds."""
        return self._match.game.program(len(self.players), told=False)

    @cached_property
    def imagination(self) -> Imagination:
        """What the player can imagine, in terms of the match behind the seat."""
        return self._match.imagination(self.player)


class InnerSeat(Seat):
    """A seat at the match itself, for a search that deals anew all that its player cannot know: only those bots get it.

    It has the options of `outer`, and the same answers to them are found from it.
    """

    def __init__(self, match: Match, choice: Choice) -> None:
        self.player, self.players, self.number = choice.player, tuple(match.players), choice.seat
        self._match, self._asked = match, choice
        seed = match.answered[self.number]
        self.choice = choice.mixed_by(f"{seed} {self.number} {seed}") if match.mixes else choice

    @cached_property
    def outer(self) -> Seat:
        return Seat(self._match, self._asked)


class Bot(Protocol):
    """A program that answers choices. Its view, its argument and its seed determine its answers."""

    def choose(self, seat: Seat) -> Option:
        """The chosen option; a selection of several options is one option."""
        ...


Maker = Callable[[str, int], Bot]
"""Makes a bot for one seat in one match, from its argument and a seed. The argument is the text after the colon in `mcts:400`, or
empty; ValueError says what is wrong with it."""


class RandomBot:
    """Takes any option with equal chance; slaps in a race only if it must."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        see_nothing_follows(argument)
        self.chance = Random(seed)

    def choose(self, seat: Seat) -> Option:
        return self.chosen_of(seat.choice)

    def chosen_of(self, choice: Choice) -> Option:
        """The option that it takes of a choice, whatever the match."""
        if choice.kind == "slap":
            return next((option for option in choice.single if option.is_pass), choice.single[0])
        return self.one_of(choice)

    def one_of(self, choice: Choice) -> Option:
        return choice.drawn(self.chance)


class FirstBot(RandomBot):
    """Takes the first option, or as few as possible of several; in a race it does as `RandomBot`."""

    def one_of(self, choice: Choice) -> Option:
        return choice.options[0]


def asking(bot: Bot, match: Match, choice: Choice, at_once: bool = False) -> Callable[[], Option]:
    """A function that asks a bot; `at_once` if it is called before the match goes on.

    The seat is at an imagined match, where face-down pieces have other numbers; the keys of options are the same.
    """
    if isinstance(bot, RandomBot):
        return partial(bot.chosen_of, choice)
    is_inside = at_once and "deals_anew" in vars(type(bot))  # not inherited by bots of others
    return partial(bot.choose, (InnerSeat if is_inside else Seat)(match, choice))


def see_nothing_follows(argument: str) -> None:
    if argument:
        raise ValueError("it takes no argument")
