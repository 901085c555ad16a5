"""Plays matches with bots at their seats."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout

from houserule.bots.bot import Bot
from houserule.bots.seating import bot_of, said_of
from houserule.bots.simple import asking
from houserule.core import Choice, Match, Option

LONGEST_ANSWER = 200


def bots_at(match: Match, words: Sequence[str], seed: int) -> dict[str, Bot]:
    """A bot for each player, from one word a seat; `seed` decides everything random about the bots. Raises UnknownSeat."""
    return {
        player: bot_of(word, seed * 100 + seat)
        for seat, (player, word) in enumerate(zip(match.players, words, strict=True))
    }


class BotFault(RuntimeError):
    """A bot has failed, or its answer is not an option; the match is unchanged."""


def chosen(match: Match, choice: Choice, bot: Bot) -> Option:
    """The option that a bot takes. Raises BotFault."""
    ask = asking(bot, match, choice)
    try:
        with redirect_stdout(sys.stderr):  # what a command prints may be JSON
            option = ask()
            found = choice.find(option)
            answered = "" if found is not None else repr(option)[:LONGEST_ANSWER]
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:  # a bot of somebody else may fail in any way, and so may what it answers
        raise BotFault(f"the bot at the seat of {choice.player} has failed: {said_of(wrong)}") from wrong
    if found is None:
        raise BotFault(f"the bot at the seat of {choice.player} has given an answer that is not an option: {answered}")
    return found


def answer(match: Match, choice: Choice, bot: Bot) -> None:
    """Let a bot answer a choice. Raises BotFault and RuleFault."""
    match.answer(choice.player, chosen(match, choice, bot))


def play(match: Match, bots: Mapping[str, Bot], seed: int) -> None:
    """Play a match to its end with a bot for each player; `seed` decides who is fastest in a race. Raises BotFault and RuleFault."""
    chance = random.Random(f"races {seed}")
    while not match.is_over:
        choice = in_order(match, chance)[0]
        answer(match, choice, bots[choice.player])


def in_order(match: Match, chance: random.Random) -> list[Choice]:
    """The pending choices in the order of their answers: at random in a race, otherwise by seat."""
    pending = list(match.pending)
    if any(choice.kind == "slap" for choice in pending):
        chance.shuffle(pending)
    return pending
