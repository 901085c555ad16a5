"""The bots of rooms: their words and levels, and what one of them answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from houserule.bots.playing import UnknownSeat, bot_of, bots, see_word
from houserule.bots.simple import asking
from houserule.serve.protocol import Refused

if TYPE_CHECKING:
    from houserule import Choice, Match

MOST_THOUGHT = 2000
"""The greatest argument of a bot: the creator of a room decides how long the server thinks."""
WORD = re.compile(r"[\w.-]{1,40}(:[0-9]{1,5})?")


def see_bot(word: str) -> None:
    """Check that a word names a bot on this server. Raises Refused."""
    if not is_bot_word(word):
        raise Refused("bot")
    try:
        see_word(word, people=False)
    except UnknownSeat as unknown:
        raise Refused("bot") from unknown


def is_bot_word(word: str) -> bool:
    """Whether a word has the form of a bot's, and does not ask for too much."""
    argument = word.partition(":")[2]
    return WORD.fullmatch(word) is not None and (not argument or int(argument) <= MOST_THOUGHT)


LEVELS = {"easy": "random", "medium": "greedy", "hard": "mcts:200"}
"""How strong bots are, and the word of the bot of each level."""
ARGUMENTS = {word.partition(":")[0]: word for word in LEVELS.values()}


def bots_here() -> list[str]:
    """The words of all bots; one that needs an argument has that of its level."""
    return [ARGUMENTS.get(name, name) for name in bots()]


def level_of(word: str | None) -> str | None:
    """The level of a bot, if it has one."""
    return next((level for level, one in LEVELS.items() if one == word), None)


def asked(match: Match, seat: int) -> Choice:
    """The question to a seat. Raises Refused if there is none any more: an answer may have been taken back meanwhile."""
    found = next((choice for choice in match.pending if choice.seat == seat), None)
    if found is None:
        raise Refused("not-asked")
    return found


def chosen(match: Match, seat: int, bot: str) -> str:
    """The key of a bot's answer; the seed of the match and the number of the answer determine its chance. Raises Refused."""
    choice = asked(match, seat)
    made = bot_of(bot, match.seed * 1000 + seat * 100_003 + match.answered[seat] * 7919)
    return asking(made, match, choice)().key
