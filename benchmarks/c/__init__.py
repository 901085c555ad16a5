"""The four games in tight C: compiles them with the C compiler of the machine and runs them.

What they print is what `Played` holds, or how long so many matches took.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.agreement import Played

HERE = Path(__file__).parent
FLAGS = ("-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror")
AS_OURS: tuple[str, ...] = ()
"""Chance by two Mersenne Twisters seeded for each match, as Houserule has it."""
FAST = ("-DSPLIT",)
"""Chance by splitmix64, which takes next to no time."""


def compiler() -> str | None:
    """The C compiler of this machine, if there is one."""
    return next((found for name in ("gcc", "cc", "clang") if (found := shutil.which(name))), None)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A game as a command."""

    command: str

    def timed(self, players: int, seed: int, matches: int) -> dict[str, Any]:
        """Play matches with seeds from this one on: seconds, games, decisions and the sum of all points."""
        found: dict[str, Any] = json.loads(self._printed(players, seed, matches))
        return found

    def matches(self, players: int, seed: int, matches: int) -> list[Played]:
        """The same matches one by one."""
        rows = (list(map(int, row.split())) for row in self._printed(players, seed, matches, "each").splitlines())
        return [(points, decisions, [p for p in range(players) if won >> p & 1]) for decisions, won, *points in rows]

    def _printed(self, *words: object) -> str:
        done = subprocess.run([self.command, *map(str, words)], check=True, capture_output=True, text=True)
        return done.stdout


def compiled(game: str, folder: Path, chance: Sequence[str] = AS_OURS) -> Compiled:
    """Compile a game into a folder. Raises CalledProcessError, and FileNotFoundError where there is no compiler."""
    gcc = compiler()
    if gcc is None:
        raise FileNotFoundError("there is no C compiler")
    command = folder / "-".join([game, *(flag.strip("-") for flag in chance)])
    subprocess.run([gcc, *FLAGS, *chance, "-o", str(command), str(HERE / f"{game}.c")], check=True)
    return Compiled(str(command))
