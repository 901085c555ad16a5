"""Other libraries that play games: finds those that are installed beside the benchmark, and plays on them.

They are no dependencies of Houserule and stay in a folder of their own, `.bench` or the one that HOUSERULE_BENCH names:
an environment of Python with OpenSpiel and PettingZoo, and `node_modules` with boardgame.io. `make bench-others` fills it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import Sample

HERE = Path(__file__).parent
SCRIPTS = {"OpenSpiel": "spiel.py", "PettingZoo": "zoo.py", "boardgame.io": "boardgame.cjs"}
SEARCH = "search"
"""The way that searches for an answer instead of playing matches."""
WAYS = {
    ("OpenSpiel", "bots"): "OpenSpiel, its bots in C++",
    ("OpenSpiel", "loop"): "OpenSpiel in C++, driven from Python",
    ("OpenSpiel", "python"): "OpenSpiel, its game in Python",
    ("OpenSpiel", SEARCH): "OpenSpiel, its search in C++",
    ("PettingZoo", "loop"): "PettingZoo",
    ("boardgame.io", "loop"): "boardgame.io",
}
"""What the ways to play are called."""


def folder() -> Path:
    """Where the other libraries are."""
    return Path(os.environ.get("HOUSERULE_BENCH") or Path(__file__).parents[2] / ".bench")


@dataclass(slots=True)
class Library:
    """Another library, running: its name with its version, and by game the ways in which it plays that."""

    name: str
    version: str
    ways: dict[str, list[str]]
    process: subprocess.Popen[str]

    def play(self, game: str, way: str, seed: int, matches: int) -> Sample:
        """Play so many matches from a seed on."""
        found = self._answer({"game": game, "way": way, "seed": seed, "matches": matches})
        return Sample(found["seconds"], found["games"], found["decisions"])

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def started(name: str) -> Library | None:
    """Start a library; None if it is not there."""
    script, place = HERE / SCRIPTS[name], folder()
    runs = shutil.which("node") if script.suffix == ".cjs" else str(place / "bin" / "python")
    if runs is None or not Path(runs).exists():
        return None
    surroundings = {
        **os.environ, "PYTHONPATH": "", "NODE_PATH": str(place / "node_modules"), "NODE_ENV": "production",
    }  # fmt: skip
    process = subprocess.Popen(
        [runs, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=surroundings
    )  # fmt: skip
    assert process.stdout is not None
    try:
        said = json.loads(process.stdout.readline())
    except ValueError:
        stop(process)
        return None
    return Library(name, said["version"], said["ways"], process)


def stop(process: subprocess.Popen[str]) -> None:
    """End a library that was started."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.terminate()
    process.wait()


@contextmanager
def libraries() -> Iterator[list[Library]]:
    """All libraries that are there, running."""
    running = [found for name in SCRIPTS if (found := started(name)) is not None]
    try:
        yield running
    finally:
        for library in running:
            stop(library.process)
