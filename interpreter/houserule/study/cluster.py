"""Plays the batches of a study on a Dask cluster: an address, a plan and batches in, columns in order out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from houserule.core import Game
from houserule.extras import library
from houserule.study.matches import Playing
from houserule.study.plan import OtherRules, Plan
from houserule.study.rows import Columns
from houserule.study.workers import AHEAD, Batch, Source, WorkersLost, in_turn

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
