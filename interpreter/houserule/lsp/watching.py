"""Looks for what is wrong while people type: soon in what a keystroke can have changed, later in everything.

One thread looks, so requests are answered meanwhile. A look at everything ends as soon as somebody types again.
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
"""Seconds after a keystroke in which its other requests are answered first."""
QUIET = 0.6
"""Seconds without a keystroke after which everything is looked at."""
MOST_LOOKS = 400
"""Looks after which all that is no longer used is looked for, and not only among what is new: whoever types waits for that."""

Look = Callable[[Path, bool, Callable[[], None]], None]
"""What looks at a file, or with True at its whole game; it calls what it is handed between its steps."""


class Superseded(Exception):
    """Somebody types again: what is being looked at is no longer what there is."""


class Watcher:
    """Knows which files wait to be looked at, and looks at them."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.changed = threading.Condition()
        self.soon: dict[Path, float] = {}  # files that have changed, and since when they wait
        self.later: dict[Path, float] = {}  # files whose games have changed, and when everything is to be looked at
        self.is_over = False
        self.is_held = False
        self.thread: threading.Thread | None = None

    def touch(self, path: Path, at_once: bool = True) -> None:
        """Have a file looked at soon, and its game later."""
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
        """Look at nothing any more."""
        with self.changed:
            self.is_over = True
            self.changed.notify()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """A time in which a look at everything ends at its next step and none begins: others want its turn."""
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
        """Look at what waits, until it is over. What fails is logged."""
        gc.collect()
        gc.freeze()  # what was imported stays
        gc.disable()  # a collection in the middle of a look would take longer than the look
        looks = 0
        while (found := self.next()) is not None:
            path, whole = found
            looks += 1
            try:
                self.look(path, whole, self.go_on if whole else lambda: None)
            except Superseded:
                self.touch(path, at_once=False)
                continue  # whoever types again would wait for a collection
            except Exception:
                log.exception("looking at %s failed", path)
            if looks > MOST_LOOKS:
                looks = 0
                gc.collect()
            else:
                gc.collect(0)  # of what is new, which takes a few milliseconds

    def next(self) -> tuple[Path, bool] | None:
        """The next file to look at, and whether at its whole game, when its time has come; None when it is over."""
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
