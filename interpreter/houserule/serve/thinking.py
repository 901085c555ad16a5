"""Lets bots think without blocking anybody: quick ones at once, all others in processes of their own."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from houserule.bots.playing import BotFault, said_of
from houserule.serve.levels import chosen

if TYPE_CHECKING:
    from houserule import Game, Match

log = logging.getLogger("houserule.serve")
QUICK = ("random", "first")
"""Bots that answer faster than another process could be asked."""
LONGEST_THOUGHT = 100
"""Seconds after which the process of a bot that has not answered is ended: all others wait for it."""
MATCHES_KEPT = 32


@dataclass(frozen=True, slots=True)
class Thought:
    """A question to a bot: all that another process needs to replay the match up to it."""

    room: str
    game: str
    rules: str
    house_rules: tuple[str, ...]
    options: tuple[tuple[str, int | str], ...]
    players: tuple[str, ...]
    language: str
    seed: int
    answers: tuple[tuple[str, str], ...]
    seat: int
    bot: str
    asks_anyway: bool = False


class Thinkers:
    """The processes in which bots think; the first question starts them."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self.pool: ProcessPoolExecutor | None = None

    async def answer(self, room: str, match: Match, seat: int, bot: str) -> str:
        if bot.partition(":")[0] in QUICK:
            return chosen(match, seat, bot)
        game = match.game
        thought = Thought(
            room,
            str(game.path),
            game.rules_hash,
            game.variants,
            tuple(game.settings.items()),
            tuple(match.players),
            match.language,
            match.seed,
            tuple(match.answers),
            seat,
            bot,
            game.asks_anyway,
        )
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.processes, mp_context=get_context("spawn"))
        try:
            return await asyncio.get_running_loop().run_in_executor(self.pool, think, thought)
        except BrokenProcessPool:
            self.pool = None  # killed from outside, or for its slowness; the next question starts another
        except Exception:  # a third-party bot may fail in any way, and the match goes on
            log.exception("the bot %s has failed", bot)
        return chosen(match, seat, QUICK[0])

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)


# --- in the other process ---------------------------------------------------------------------------------------------

_matches: OrderedDict[tuple[Any, ...], Match] = OrderedDict()


@cache
def rules_of(game: str, house_rules: tuple[str, ...], options: tuple[tuple[str, int | str], ...]) -> Game:
    import houserule

    return houserule.load(game, house_rules, dict(options))


def think(thought: Thought) -> str:
    """The key of the answer to a thought. The match is kept, so that the next thought continues from there."""
    key = (thought.room, thought.rules, thought.seed, thought.players)
    match = _matches.pop(key, None)
    if match is None or tuple(match.answers) != thought.answers[: len(match.answers)]:
        game = rules_of(thought.game, thought.house_rules, thought.options)
        if thought.asks_anyway:
            game = game.asking_anyway()
        match = game.start(list(thought.players), thought.seed, thought.language)
    for player, answer in thought.answers[len(match.answers) :]:
        match.answer(player, answer)
    _matches[key] = match
    if len(_matches) > MATCHES_KEPT:
        _matches.popitem(last=False)
    faulthandler.dump_traceback_later(LONGEST_THOUGHT, exit=True, file=nowhere())
    try:
        return chosen(match, thought.seat, thought.bot)
    except BaseException as wrong:  # noqa: BLE001  # one that would end the server among them
        raise BotFault(said_of(wrong)) from None
    finally:
        faulthandler.cancel_dump_traceback_later()


@cache
def nowhere() -> IO[bytes]:
    return Path(os.devnull).open("wb")
