"""Bots that do not think: a random option, or the first. They see only the options, so that no match is imagined for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from houserule.bots.bot import Bot, Seat
from houserule.core import Choice, Match, Option


class RandomBot:
    """Takes any option with equal chance; slaps in a race only if it must."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        see_nothing_follows(argument)
        self.chance = random.Random(seed)

    def choose(self, seat: Seat) -> Option:
        """A random option, or a random selection of several."""
        return self.chosen_of(seat.choice)

    def chosen_of(self, choice: Choice) -> Option:
        """The same, given only the options."""
        if choice.kind == "slap":
            return pass_of(choice) or choice.single[0]
        return choice.drawn(self.chance)


class FirstBot:
    """Takes the first option, or as few as possible of several."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:  # noqa: ARG002  every bot is made with a seed
        see_nothing_follows(argument)

    def choose(self, seat: Seat) -> Option:
        """The first option, or the first few."""
        return self.chosen_of(seat.choice)

    def chosen_of(self, choice: Choice) -> Option:
        """The same, given only the options."""
        if choice.kind == "slap":
            return pass_of(choice) or choice.single[0]
        return choice.options[0]


def asking(bot: Bot, match: Match, choice: Choice) -> Callable[[], Option]:
    """A function that asks a bot. Its seat is at an imagined match, where face-down pieces have other numbers; the keys of options are the same."""
    if isinstance(bot, RandomBot | FirstBot):
        return partial(bot.chosen_of, choice)
    return partial(bot.choose, Seat(match, choice))


def see_nothing_follows(argument: str) -> None:
    """Reject an argument. Raises ValueError."""
    if argument:
        raise ValueError("it takes no argument")


def pass_of(choice: Choice) -> Option | None:
    """The option to pass, if there is one."""
    return next((option for option in choice.single if option.is_pass), None)
