"""Plays a study: in this process, in threads, in other processes or on a cluster; a folder keeps what is played."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from houserule.core import Game
from houserule.extras import MissingExtra, library
from houserule.study.figures import statistics
from houserule.study.matches import FaultInMatch, Playing
from houserule.study.plan import ALONE, Means, OtherRules, Plan
from houserule.study.rows import Columns

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from houserule.study.rows import Folder

STARTING = 5
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


def in_threads(workers: int, game: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:
    """Play natively in threads: native code shares no data, and releases the GIL while it runs. Raises FaultInMatch."""
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


def in_turn(hand_out: Callable[[Batch], Any], batches: Iterable[Batch], room: int) -> Iterator[Columns]:
    """Submit batches, `room` ahead of the results, and yield their columns in order."""
    coming = iter(batches)
    waiting = deque(map(hand_out, islice(coming, room)))
    prepare_summary()
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(map(hand_out, islice(coming, 1)))


def prepare_summary() -> None:
    """Import what the intervals of a summary need, while the matches are played elsewhere."""
    with suppress(MissingExtra):
        statistics()


def in_workers(workers: int, _: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:
    """Play in several processes, which load the files themselves. Raises WorkersLost and FaultInMatch."""
    # Each process has its own pipe, and nothing is shared: a process that dies leaves no lock that others wait for.
    team: dict[Connection, BaseProcess] = {}
    try:
        for _number in range(workers):
            pipe, process = started(plan)
            team[pipe] = process
        prepare_summary()
        yield from in_their_order(list(team), batches)
    except (EOFError, OSError) as lost:
        raise WorkersLost("a worker process ended early: memory ran out, or the game's files have changed") from lost
    finally:
        for process in team.values():
            process.terminate()
        for pipe, process in team.items():
            process.join(STARTING)
            if process.is_alive():
                process.kill()
            pipe.close()


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


class Unfinished(Exception):
    """A study has ended before its last match. `columns` has the matches that were counted; the message gives the reason."""

    def __init__(self, sentence: str, columns: Columns) -> None:
        super().__init__(sentence)
        self.columns = columns


class WorkerLost(Unfinished, BrokenExecutor):
    """The workers have ended before their matches did."""


class Stopped(Unfinished, KeyboardInterrupt):
    """Somebody has stopped the study."""


class Unwritten(Unfinished, OSError):
    """The folder of a study can no longer be written."""


def run(
    game: Game, plan: Plan, means: Means = ALONE, folder: Folder | None = None, before: Columns | None = None
) -> Columns:
    """Play the matches of a plan, except those that a folder has already or that were played `before`.

    The columns depend on the plan alone, never on where the matches are played. Raises FaultInMatch if a rule fails, WorkerLost, Stopped on Ctrl-C, and Unwritten if the folder
    cannot be written; the folder then has what was played before.
    """
    whole = folder.columns if folder is not None else before if before is not None else Columns(plan.players)
    progress = means.progress or (lambda _: None)
    if folder is not None and len(whole):
        progress(len(whole))
    source = source_of(plan, means, len(whole))
    try:
        for columns in source(game, plan, plan.batches(whole.end)):
            whole.extend(columns)
            if folder is not None:
                folder.add(columns)
            progress(len(columns))
        if folder is not None:
            folder.finish()
    except BrokenExecutor as reason:
        raise WorkerLost(f"{reason}{unwritten(folder)}", whole) from reason
    except KeyboardInterrupt:
        raise Stopped(f"stopped before the last match{unwritten(folder)}", whole) from None
    except OSError as reason:
        if folder is None:
            raise
        unwritten(folder)
        raise Unwritten(f"the matches cannot be written: {said_of(reason)}", whole) from reason
    except BaseException as reason:
        unwritten(folder)
        if isinstance(reason, FaultInMatch):
            reason.game, reason.players = game, plan.players
        raise
    return whole


def unwritten(folder: Folder | None) -> str:
    """Write what has been played so far; return the rest of a sentence if that fails."""
    try:
        if folder is not None:
            folder.flush()
    except OSError as reason:
        return f"; the last matches cannot be written: {said_of(reason)}"
    return ""


def said_of(reason: OSError) -> str:
    name = f"'{reason.filename}': " if reason.filename else ""
    return f"{name}{reason.strerror or reason}"


def source_of(plan: Plan, means: Means, after: int) -> Source:
    """The source of the matches of a plan. Raises MissingExtra, and WorkersLost if there is no such cluster."""
    if means.cluster is not None:
        return on_cluster(means.cluster)
    workers = max(1, sum(1 for _ in islice(plan.batches(after), means.workers)))
    if workers == 1:
        return in_this_process
    return partial(in_threads if plan.is_random and plan.engine == "native" else in_workers, workers)


PATIENCE = 20
"""Seconds to wait for a scheduler to answer, and for a first worker."""


class ClusterLost(WorkersLost):
    """A cluster cannot be reached, has no workers, or cannot play the rules."""


def on_cluster(address: str) -> Source:
    """Play on the cluster whose scheduler has this address.

    If a worker is lost, others play its batches, and give the same columns. Raises MissingExtra and ClusterLost;
    the iterator raises ClusterLost and FaultInMatch.
    """
    distributed = library("distributed", "cluster")
    try:
        see_scheduler(distributed.comm, address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError, MemoryError) as lost:
        raise ClusterLost(f"the cluster at '{address}' does not answer, or has no workers") from lost

    def source(game: Game, plan: Plan, batches: Iterable[Batch]) -> Iterator[Columns]:  # noqa: ARG001  called like the others
        try:
            room = AHEAD * max(1, sum(client.nthreads().values()))
            yield from in_turn(lambda batch: client.submit(played, plan, *batch, pure=False), batches, room)
        except (
            OSError,
            distributed.KilledWorker,
            distributed.CancelledError,
            distributed.scheduler.NoValidWorkerError,
        ) as lost:
            raise ClusterLost(f"the cluster at '{address}' was lost") from lost
        except OtherRules as other:
            raise ClusterLost(
                f"a worker of the cluster cannot play: {other}; every machine needs the same files"
            ) from other
        finally:
            client.close(timeout=PATIENCE)

    return source


def see_scheduler(comm: Any, address: str) -> None:
    """Raise OSError, ValueError or MemoryError if no scheduler listens: Dask's client would log much and give up late."""

    async def greeted() -> None:
        found = await asyncio.wait_for(comm.connect(address, timeout=PATIENCE), PATIENCE)
        await found.close()

    with ThreadPoolExecutor(1) as aside:  # a notebook already runs an event loop in this thread
        aside.submit(asyncio.run, greeted()).result()


_playing: dict[Plan, Playing] = {}


def played(plan: Plan, start: int, end: int) -> Columns:
    """On a worker: play a batch and return its columns. Raises FaultInMatch and OtherRules."""
    if plan not in _playing:
        _playing.clear()
        _playing[plan] = Playing(plan.loaded(), plan)
    return _playing[plan].batch(start, end)
