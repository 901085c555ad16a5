"""Who sits where, and matches with bots at their seats."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module, metadata

from houserule.bots.simple import Bot, Maker, asking
from houserule.core import Choice, Game, Match, Option
from houserule.diagnostics import did_you_mean

HUMAN = "human"
GROUP = "houserule.bots"
"""The group of entry points for bots of other packages."""
OURS: Mapping[str, tuple[str, str]] = {
    "random": ("simple", "RandomBot"),
    "first": ("simple", "FirstBot"),
    "greedy": ("mcts", "GreedyBot"),
    "mcts": ("mcts", "SearchingBot"),
}
"""The built-in bots by name: module and class, imported when it first plays."""


class UnknownSeat(ValueError):
    """An invalid seat list: one sentence, and in `help` what to do."""

    def __init__(self, sentence: str, help: str | None = None) -> None:
        super().__init__(sentence)
        self.help = help


def bots() -> list[str]:
    """The names of all bots: the built-in ones, then those of other packages."""
    return [*OURS, *sorted(set(others()) - set(OURS))]


@cache
def others() -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group=GROUP)}


def players_for(game: Game, text: str) -> int:
    """As many players as seats are named, or the nearest number that the game allows."""
    return min(max(min(game.players), text.count(",") + 1), max(game.players))


def words_of(text: str) -> list[str]:
    """The words of a text with commas between them, such as the names of bots."""
    return [word.strip() for word in text.split(",") if word.strip()]


def seated(text: str, players: int, people: bool = False) -> tuple[str, ...]:
    """The word for each seat: the name of a bot with its argument, or `human`.

    The last word also fills the remaining seats. With `people`, players can be `human`, which is the default
    for those who are not named. Raises UnknownSeat.
    """
    words = words_of(text)
    if not words and not people:
        raise UnknownSeat("no bot is named", f"use {', '.join(bots())}")
    words = words or [HUMAN]
    for word in dict.fromkeys(words):
        if word != HUMAN or not people:
            see_word(word, people)
    if len(words) > players:
        raise UnknownSeat(f"{len(words)} seats are named for {players} players")
    return (*words, *[words[-1]] * (players - len(words)))


def see_word(word: str, people: bool) -> None:
    """Check that there is such a bot, and that its argument is valid. Raises UnknownSeat."""
    name = word.partition(":")[0]
    if name not in bots():
        if word == HUMAN:
            raise UnknownSeat("'human' cannot take a seat here", f"use {', '.join(bots())}")
        known = [HUMAN, *bots()] if people else bots()
        raise UnknownSeat(f"'{word}' cannot take a seat", did_you_mean(name, known) or f"use {', '.join(known)}")
    bot_of(word, 0)


def bot_of(word: str, seed: int) -> Bot:
    """The bot for a word, for one seat in one match. Raises UnknownSeat."""
    name, _, argument = word.partition(":")
    make = maker(name)
    try:
        return make(argument, seed)
    except ValueError as wrong:
        raise UnknownSeat(f"'{word}' cannot take a seat: {wrong}") from wrong
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:  # a third-party package may fail in any way
        raise UnknownSeat(f"the bot '{name}' cannot be made: {said_of(wrong)}") from wrong


@cache
def maker(name: str) -> Maker:
    """The factory of the bots with that name. Raises UnknownSeat."""
    if name in OURS:
        module, title = OURS[name]
        ours: Maker = getattr(import_module(f"houserule.bots.{module}"), title)
        return ours
    entry = others().get(name)
    if entry is None:
        raise UnknownSeat(f"'{name}' cannot take a seat", f"use {', '.join(bots())}")
    try:
        theirs: Maker = entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:  # a third-party package may fail in any way
        raise UnknownSeat(f"the bot '{name}' cannot be loaded from '{entry.value}': {wrong}") from wrong
    return theirs


def said_of(wrong: BaseException) -> str:
    try:
        return " ".join(f"{type(wrong).__name__}: {wrong}".split())
    except Exception:  # noqa: BLE001  # the message of somebody else's exception may fail in any way
        return type(wrong).__name__


LONGEST_ANSWER = 200


def bots_at(match: Match, words: Sequence[str], seed: int) -> dict[str, Bot]:
    """The bots by player, from one word a seat; `seed` decides everything random about the bots. Raises UnknownSeat."""
    seats = enumerate(zip(match.players, words, strict=True))
    return {player: bot_of(word, seed * 100 + seat) for seat, (player, word) in seats if word != HUMAN}


class BotFault(RuntimeError):
    """A bot has failed, or its answer is not an option; the match is unchanged."""


def chosen(match: Match, choice: Choice, bot: Bot) -> Option:
    """The option that a bot takes. Raises BotFault."""
    ask = asking(bot, match, choice, at_once=True)
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
