"""Plays a study: a plan in, its matches as columns out; matches that a folder has are read from it, new ones are written to it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

from houserule.core import Game
from houserule.study.plan import Plan
from houserule.study.rows import Columns
from houserule.study.workers import Source, in_this_process, in_threads, in_workers

if TYPE_CHECKING:
    from houserule.study.folder import Folder


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
    game: Game,
    plan: Plan,
    workers: int = 1,
    cluster: str | None = None,
    folder: Folder | None = None,
    progress: Callable[[int], None] | None = None,
    before: Columns | None = None,
) -> Columns:
    """Play the matches of a plan, except those that a folder has already or that were played `before`.

    The columns depend on the plan alone, never on where the matches are played. `progress` is called with the number of
    matches played since its last call. Raises FaultInMatch if a rule fails, WorkerLost, Stopped on Ctrl-C, and Unwritten if the folder
    cannot be written; the folder then has what was played before.
    """
    whole = folder.columns if folder is not None else before if before is not None else Columns(plan.players)
    if progress is not None and folder is not None and len(whole):
        progress(len(whole))
    source = source_of(plan, workers, cluster, len(whole))
    try:
        for columns in source(game, plan, plan.batches(whole.end)):
            whole.extend(columns)
            if folder is not None:
                folder.add(columns)
            if progress is not None:
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
    except BaseException:
        unwritten(folder)
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
    """The reason of an error of the system, in words."""
    name = f"'{reason.filename}': " if reason.filename else ""
    return f"{name}{reason.strerror or reason}"


def source_of(plan: Plan, workers: int, cluster: str | None, after: int) -> Source:
    """The source of the matches of a plan. Raises MissingExtra, and WorkersLost if there is no such cluster."""
    if cluster is not None:
        from houserule.study.cluster import on_cluster

        return on_cluster(cluster)
    batches = sum(1 for _ in plan.batches(after))
    workers = max(1, min(workers, batches))
    if workers == 1:
        return in_this_process
    return in_threads(workers) if plan.is_random and plan.engine == "native" else in_workers(workers)
