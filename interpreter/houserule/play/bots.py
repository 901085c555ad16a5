"""Bots: players that answer choices by themselves."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from houserule import Choice, Match, Option


class Bot(Protocol):
    """A program that answers choices. The same seed and match give the same answers."""

    def choose(self, choice: Choice, match: Match) -> Option:
        """The chosen option; a selection of several options is one option."""
        ...


class RandomBot:
    """Takes any option with equal chance; slaps in a race only if it must."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = random.Random(seed)

    def choose(self, choice: Choice, match: Match) -> Option:  # noqa: ARG002  other bots look at the match
        """Any option, or any selection of several."""
        if choice.kind == "slap":
            return pass_of(choice) or choice.single[0]
        return choice.drawn(self.chance)


class FirstBot:
    """Takes the first option, or as few as possible of several."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, choice: Choice, match: Match) -> Option:  # noqa: ARG002  other bots look at the match
        """The first option, or the first few."""
        if choice.kind == "slap":
            return pass_of(choice) or choice.single[0]
        return choice.options[0]


BOTS: Mapping[str, Callable[[int], Bot]] = {"random": RandomBot, "first": FirstBot}


def pass_of(choice: Choice) -> Option | None:
    """The option to pass, if there is one."""
    return next((option for option in choice.single if option.is_pass), None)


def in_order(match: Match, chance: random.Random) -> list[Choice]:
    """The pending choices in the order of their answers: at random in a race, otherwise by seat."""
    pending = list(match.pending)
    if any(choice.kind == "slap" for choice in pending):
        chance.shuffle(pending)
    return pending
