"""Checks files while people type: soon what a keystroke can have changed, later everything.

One thread checks, so requests are answered meanwhile. A check of everything stops as soon as somebody types again.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

log = logging.getLogger(__name__)

SOON = 0.015
"""Seconds after a keystroke that are left to its other requests."""
QUIET = 0.6
"""Seconds without a keystroke before everything is checked."""
MOST_LOOKS = 400
"""Checks between two full garbage collections; in between only new objects are collected, since typing has to wait for it."""

Look = Callable[[Path, bool, Callable[[], None]], None]
"""Checks a file, or with True its whole game; it calls the given function between its steps."""


class Superseded(Exception):
    """Somebody types again, so the running check is obsolete."""


class Watcher:
    """Keeps the files that wait for a check, and checks them."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.changed = threading.Condition()
        self.soon: dict[Path, float] = {}  # changed files, and since when they wait
        self.later: dict[Path, float] = {}  # files whose games have changed, and when these are to be checked
        self.is_over = False
        self.is_held = False
        self.thread: threading.Thread | None = None

    def touch(self, path: Path, at_once: bool = True) -> None:
        """Schedule a check of a file soon, and of its game later."""
        now = monotonic()
        with self.changed:
            if at_once:
                self.soon.setdefault(path, now + SOON)
            self.later = {**dict.fromkeys(self.later, now + QUIET), path: now + QUIET}
            if self.thread is None:
                self.thread = threading.Thread(target=self.run, name="watcher", daemon=True)
                self.thread.start()
            self.changed.notify()

    def stop(self) -> None:
        """Stop checking."""
        with self.changed:
            self.is_over = True
            self.changed.notify()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """A context in which a check of everything stops at its next step and none begins: others need the lock."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False

    def go_on(self) -> None:
        """Raises Superseded if somebody has typed since, or waits."""
        if self.soon or self.is_over or self.is_held:
            raise Superseded

    def run(self) -> None:
        """Check what waits, until stopped. Exceptions are logged."""
        gc.collect()
        gc.freeze()  # imported modules stay
        gc.disable()  # a collection in the middle of a check would take longer than the check
        looks = 0
        while (found := self.next()) is not None:
            path, whole = found
            looks += 1
            try:
                self.look(path, whole, self.go_on if whole else lambda: None)
            except Superseded:
                self.touch(path, at_once=False)
                continue  # somebody who types again would wait for a collection
            except Exception:
                log.exception("looking at %s failed", path)
            if looks > MOST_LOOKS:
                looks = 0
                gc.collect()
            else:
                gc.collect(0)  # of new objects, which takes a few milliseconds

    def next(self) -> tuple[Path, bool] | None:
        """The next file to check, and whether to check its whole game, once its time has come; None after the stop."""
        with self.changed:
            while not self.is_over:
                waiting = self.soon or self.later
                path = min(waiting, key=waiting.__getitem__, default=None)
                left = waiting[path] - monotonic() if path is not None else None
                if path is not None and left is not None and left <= 0:
                    del waiting[path]
                    return path, waiting is self.later
                self.changed.wait(left)
        return None
