"""Which lines of the rules take the time: what is at work is looked at a thousand times a second while matches are played.

Generated code knows the line of the rule file that each of its parts comes from, so the innermost of its frames says which
line is at work. What a line makes operations and the state do counts for the line.
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
"""Seconds between two looks."""
SWITCH = 0.0002
"""Seconds after which who plays lets who looks have a turn."""

Place = tuple[str, int]
"""A file of rules and a line in it, from 1."""


@dataclass(frozen=True, slots=True)
class ProfiledLine:
    """A line of the rules and the shares of all time that it took, from 0 to 1: by itself, and with the functions and actions that it calls."""

    file: str
    line: int
    text: str
    share: float
    with_calls: float


@dataclass(slots=True)
class Profile:
    """How often each line was seen at work, innermost (`at`) or anywhere (`within`); frames of generated code are those in files that were read as rules."""

    looks: int = 0
    at: Counter[Place] = field(default_factory=Counter)
    within: Counter[Place] = field(default_factory=Counter)

    def look(self, frame: FrameType | None) -> None:
        """Count the lines that are at work."""
        places = [place for place in frames(frame) if line_of(*place) is not None]
        self.looks += 1
        self.at.update(places[:1])
        self.within.update(set(places))

    @property
    def lines(self) -> list[ProfiledLine]:
        """The lines that were seen, the one with the greatest share first."""
        return [
            ProfiledLine(file, line, (line_of(file, line) or "").strip(), seen / self.looks, whole / self.looks)
            for (file, line), whole in sorted(
                self.within.items(), key=lambda pair: (-self.at[pair[0]], -pair[1], pair[0])
            )
            for seen in (self.at[file, line],)
        ]

    @property
    def elsewhere(self) -> float:
        """The share in which no rule was at work: bots, counting, chance, answers."""
        return 1 - self.at.total() / self.looks if self.looks else 0.0

    def to_json(self) -> dict[str, Any]:
        """The profile as plain data."""
        return {"looks": self.looks, "elsewhere": self.elsewhere, "lines": list(map(asdict, self.lines))}


def frames(frame: FrameType | None) -> Iterator[Place]:
    """Where a thread is, from the innermost call to the outermost."""
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno or 0  # between two lines it is on none
        frame = frame.f_back


@contextmanager
def profiled() -> Iterator[Profile]:
    """Profile what this thread plays; the profile is whole when the block is left."""
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
