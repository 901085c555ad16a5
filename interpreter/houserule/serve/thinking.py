"""Lets bots think without blocking anybody: quick ones at once, all others in a process of their own."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import threading
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from houserule.bots.playing import BotFault, said_of
from houserule.serve.levels import asked, chosen

if TYPE_CHECKING:
    from houserule import Match, Record

log = logging.getLogger("houserule.serve")
QUICK = ("random", "first")
"""Bots that answer faster than another process could be asked."""
LONGEST_THOUGHT = 100
"""Seconds after which the process of a bot that has not answered is ended: all others wait for it."""
MATCHES_KEPT = 32


class Thinkers:
    """The process in which bots think; the first question starts it."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None

    async def answer(self, room: str, match: Match, seat: int, bot: str) -> str:
        """The key of a bot's answer. Raises Refused if it is not asked."""
        if bot.partition(":")[0] in QUICK:
            return chosen(match, seat, bot)
        asked(match, seat)
        if self.pool is None:
            self.pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=end_with_the_server)
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self.pool, think, room, match.game, match.record, seat, bot
            )
        except BrokenProcessPool:
            self.pool = None  # killed from outside, or for its slowness; the next question starts another
        except Exception:  # a third-party bot may fail in any way, and the match goes on
            log.exception("the bot %s has failed", bot)
        return chosen(match, seat, QUICK[0])

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)


# --- in the other process ---------------------------------------------------------------------------------------------


def end_with_the_server() -> None:
    """End this process as soon as the server has ended, even if it was killed."""

    def wait() -> None:
        server = parent_process()
        if server is not None:
            server.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


_matches: OrderedDict[tuple[Any, ...], Match] = OrderedDict()


def think(room: str, game: Any, record: Record, seat: int, bot: str) -> str:
    """The key of a bot's answer at the end of a record. The match is kept, so that the next thought continues from there."""
    key = (room, record.rules, record.seed, *record.players)
    match = _matches.pop(key, None)
    if match is None or match.answers != record.answers[: len(match.answers)]:
        match = game.start(record.players, record.seed, record.language)
    for player, answer in record.answers[len(match.answers) :]:
        match.answer(player, answer)
    _matches[key] = match
    if len(_matches) > MATCHES_KEPT:
        _matches.popitem(last=False)
    faulthandler.dump_traceback_later(LONGEST_THOUGHT, exit=True, file=nowhere())
    try:
        return chosen(match, seat, bot)
    except BaseException as wrong:  # noqa: BLE001  # one that would end the server among them
        raise BotFault(said_of(wrong)) from None
    finally:
        faulthandler.cancel_dump_traceback_later()


@cache
def nowhere() -> IO[bytes]:
    return Path(os.devnull).open("wb")
