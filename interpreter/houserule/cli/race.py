"""Races at one keyboard: against bots by the clock, among people by what they type afterwards."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from houserule.cli.phrases import say
from houserule.cli.screen import one_line

if TYPE_CHECKING:
    from rich.console import Console

COUNTED = 3
BEAT = 0.7
"""Seconds between the numbers of the countdown."""
LONGEST = 2.0
"""Seconds after which a touch no longer counts."""
FASTEST, SLOWEST = 0.35, 1.1
"""The reaction times of bots, in seconds."""


def can_be_timed(console: Console) -> bool:
    """Whether touches can be timed: somebody is at a terminal that supports it."""
    try:
        import select  # noqa: F401  not for terminals everywhere
        import termios  # noqa: F401
    except ImportError:
        return False
    return console.file.isatty() and sys.stdin.isatty()


def timed_touch(console: Console, language: str) -> float | None:
    """Count down; the seconds until Enter is pressed, or None if it is not."""
    import select
    import termios

    for number in range(COUNTED, 0, -1):
        console.print(one_line(f"  {number} …", style="bold yellow"))
        time.sleep(BEAT)
    termios.tcflush(sys.stdin, termios.TCIFLUSH)  # earlier keys do not count
    console.print(one_line(say(language, "race_now"), style="bold green"))
    begun = time.monotonic()
    ready, _, _ = select.select([sys.stdin], [], [], LONGEST)
    if not ready:
        return None
    taken = time.monotonic() - begun
    sys.stdin.readline()
    console.print(one_line(say(language, "race_took", seconds=f"{taken:.2f}"), style="dim"))
    return taken


def arrivals(human: str, touch: float | None, bots: Sequence[str], chance: Random) -> list[str]:
    """The order of reactions: bots after their times, a person after theirs, or last."""
    times = {name: chance.uniform(FASTEST, SLOWEST) for name in bots}
    times[human] = touch if touch is not None else LONGEST
    return sorted(times, key=times.__getitem__)


def read_order(line: str, names: Sequence[str], bound: set[str], tell: Callable[..., str]) -> tuple[list[str], str]:
    """Who touched, fastest first, from a line of numbers or beginnings of names; and what is wrong with it, if anything is."""
    order: list[str] = []
    for word in re.split(r"[\s,]+", line) if line else ():
        found = [
            name
            for number, name in enumerate(names, 1)
            if word == str(number) or name.casefold().startswith(word.casefold())
        ]
        if len(found) != 1 or found[0] in order:
            return order, tell("who" if found else "nobody_so", text=word)
        order.append(found[0])
    missing = bound - set(order)
    if len(missing) == 1:
        order += missing  # the last one left of those who must touch was the slowest
    elif missing:
        return order, tell("must_touch", players=tell("comma").join(sorted(missing)))
    return order, ""
