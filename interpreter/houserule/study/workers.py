"""Plays the batches of a study in this process, in threads, or in several processes: a game, a plan and batches in, columns in order out."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from houserule.core import Game
from houserule.extras import MissingExtra
from houserule.study.extras import statistics
from houserule.study.matches import FaultInMatch, Playing
from houserule.study.plan import OtherRules, Plan
from houserule.study.rows import Columns

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

PATIENCE = 5
"""Seconds that a worker has to end when it is asked to."""
AHEAD = 4
"""Batches submitted per thread, so that no thread waits."""
Batch = tuple[int, int]
Source = Callable[[Game, Plan, Iterable[Batch]], Iterator[Columns]]
"""A place that plays the batches of a plan. They come back in order, whichever ends first."""


class WorkersLost(BrokenExecutor):
    """The workers have ended before their matches did; the message says which and why."""


def in_this_process(game: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:
    """Play batch after batch. Raises FaultInMatch."""
    playing = Playing(game, plan)
    for start, end in batches:
        yield playing.batch(start, end)


def in_threads(workers: int) -> Source:
    """Play natively in threads: native code shares no data, and releases the GIL while it runs.

    The iterator raises FaultInMatch.
    """

    def source(game: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:
        first = Playing(game, plan)
        idle: SimpleQueue[Playing] = SimpleQueue()
        for _ in range(workers):
            idle.put(first.beside())

        def played(batch: Batch) -> Columns:
            playing = idle.get()
            try:
                return playing.batch(*batch)
            finally:
                idle.put(playing)

        pool = ThreadPoolExecutor(workers)
        try:
            yield from in_turn(lambda batch: pool.submit(played, batch), batches, AHEAD * workers)
        finally:
            pool.shutdown(cancel_futures=True)

    return source


def in_turn(hand_out: Callable[[Batch], Any], batches: Iterable[Batch], room: int) -> Iterator[Columns]:
    """Submit batches, `room` ahead of the results, and yield their columns in order."""
    waiting: deque[Any] = deque()
    for batch in batches:
        waiting.append(hand_out(batch))
        if len(waiting) >= room:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def in_workers(workers: int) -> Source:
    """Play in several processes.

    A compiled game cannot be pickled: each process loads the files itself. The iterator raises WorkersLost
    and FaultInMatch.
    """

    def source(game: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:  # noqa: ARG001  called like the others
        # Each process has its own pipe, and nothing is shared: a process that dies leaves no lock that others wait for.
        team: dict[Connection, BaseProcess] = {}
        try:
            for _ in range(workers):
                pipe, process = started(plan)
                team[pipe] = process
            with suppress(MissingExtra):
                statistics()  # needed for intervals at the end, and imported while the workers load the game
            yield from in_their_order(list(team), batches)
        except (EOFError, OSError) as lost:
            raise WorkersLost(
                "a worker process ended early: memory ran out, or the game's files have changed"
            ) from lost
        finally:
            for process in team.values():
                process.terminate()
            for pipe, process in team.items():
                process.join(PATIENCE)
                if process.is_alive():
                    process.kill()
                pipe.close()

    return source


def in_their_order(pipes: list[Connection], batches: Iterable[Batch]) -> Iterator[Columns]:
    """Give each worker a batch as soon as it is idle, and yield the columns in the order of the batches."""
    coming = iter(enumerate(batches))
    working: dict[Connection, int] = {}
    done: dict[int, Columns | FaultInMatch] = {}
    given = 0

    def give(pipe: Connection) -> None:
        following = next(coming, None)
        if following is not None:
            working[pipe] = following[0]
            pipe.send(following[1])

    for pipe in pipes:
        give(pipe)
    while working:
        for ready in wait(list(working)):
            pipe = next(one for one in working if one is ready)
            done[working.pop(pipe)] = pipe.recv()
            give(pipe)
        while given in done:
            columns = done.pop(given)
            if isinstance(columns, FaultInMatch):
                raise columns
            given += 1
            yield columns


def started(plan: Plan) -> tuple[Connection, BaseProcess]:
    """A worker process for a plan, and the pipe to it. It ignores Ctrl-C; this process ends its workers."""
    spawn = multiprocessing.get_context("spawn")
    pipe, other = spawn.Pipe()
    process = spawn.Process(target=work, args=(other, plan), daemon=True)
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # a new process would look for modules in the current folder first
    try:
        process.start()
    finally:
        if safe is None:
            del os.environ["PYTHONSAFEPATH"]
        if is_main:
            signal.signal(signal.SIGINT, before)
    other.close()
    return pipe, process


def work(pipe: Connection, plan: Plan) -> None:
    """In a worker process: load the game and play batches as long as they are requested.

    It ends if the files of the game no longer contain those rules, or memory runs out; the parent notices that.
    """
    with suppress(EOFError, OSError, MemoryError, OtherRules):
        playing = Playing(plan.loaded(), plan)
        while True:
            start, end = pipe.recv()
            try:
                pipe.send(playing.batch(start, end))
            except FaultInMatch as fault:
                pipe.send(fault)
