"""A sampling profiler for rules: while matches are played, it looks a thousand times a second which line of the rules is running.

Generated code knows the line of the rule file for each of its parts, so its innermost frame says which
line is running. Time in operations and the state counts for the line that called them.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from types import FrameType
from typing import Any

from houserule.reading import line_of

PAUSE = 0.001
"""Seconds between two samples."""
SWITCH = 0.0002
"""Seconds after which the playing thread yields to the profiler."""

Place = tuple[str, int]
"""A file of rules and a line in it, from 1."""


@dataclass(frozen=True, slots=True)
class ProfiledLine:
    """A line of the rules and its shares of all time, from 0 to 1: by itself, and with the functions and actions that it calls."""

    file: str
    line: int
    text: str
    share: float
    with_calls: float


@dataclass(slots=True)
class Profile:
    """In how many samples each line was running, innermost (`at`) or anywhere (`within`). Generated frames are those of files read as rules."""

    looks: int = 0
    at: Counter[Place] = field(default_factory=Counter)
    within: Counter[Place] = field(default_factory=Counter)

    def look(self, frame: FrameType | None) -> None:
        """Count the lines that are running."""
        places = [place for place in frames(frame) if line_of(*place) is not None]
        self.looks += 1
        self.at.update(places[:1])
        self.within.update(set(places))

    @property
    def lines(self) -> list[ProfiledLine]:
        """The sampled lines, the one with the greatest share first."""
        return [
            ProfiledLine(file, line, (line_of(file, line) or "").strip(), seen / self.looks, whole / self.looks)
            for (file, line), whole in sorted(
                self.within.items(), key=lambda pair: (-self.at[pair[0]], -pair[1], pair[0])
            )
            for seen in (self.at[file, line],)
        ]

    @property
    def elsewhere(self) -> float:
        return 1 - self.at.total() / self.looks if self.looks else 0.0

    def to_json(self) -> dict[str, Any]:
        return {"looks": self.looks, "elsewhere": self.elsewhere, "lines": list(map(asdict, self.lines))}


def frames(frame: FrameType | None) -> Iterator[Place]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno or 0  # between two lines it has none
        frame = frame.f_back


@contextmanager
def profiled() -> Iterator[Profile]:
    """Profile this thread; the profile is complete when the block ends."""
    profile = Profile()
    watched, over = threading.get_ident(), threading.Event()

    def watch() -> None:
        while not over.wait(PAUSE):
            profile.look(sys._current_frames().get(watched))  # noqa: SLF001  it is documented, and there is no other way

    watcher = threading.Thread(target=watch, name="profile", daemon=True)
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    watcher.start()
    try:
        yield profile
    finally:
        over.set()
        watcher.join()
        sys.setswitchinterval(before)
