"""What one run has measured, as it goes into JSON."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import houserule
from benchmarks.c import compiler
from benchmarks.contenders import NATIVE, PYTHON
from benchmarks.growth import Step
from benchmarks.handling import Memory, Shares, Started
from benchmarks.measuring import Contender, Spread, ratio, spread
from benchmarks.promises import Promise
from benchmarks.twice import Twice


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast one way plays: matches and decisions in a second, decisions in a match, and how many times as fast as our Python and native."""

    way: str
    games: Spread
    decisions: Spread
    decisions_in_a_match: float
    matches: int
    by_python: Spread
    by_native: Spread | None


@dataclass(frozen=True, slots=True)
class Played:
    """A game with all ways to play it."""

    game: str
    players: int
    rates: list[Rate]

    def rate(self, way: str) -> Rate | None:
        """One of the ways."""
        return next((rate for rate in self.rates if rate.way == way), None)


@dataclass(slots=True)
class Results:
    """Everything, in the order of the page."""

    machine: dict[str, str]
    rounds: int
    seconds: float
    is_quick: bool
    missing: list[str] = field(default_factory=list)
    four: list[Played] = field(default_factory=list)
    classics: list[Played] = field(default_factory=list)
    searches: list[Played] = field(default_factory=list)
    """By game and bot: passes or answers instead of matches."""
    distances: dict[str, dict[str, float]] = field(default_factory=dict)
    agreement: list[Twice] = field(default_factory=list)
    shares: list[Shares] = field(default_factory=list)
    copying: dict[str, Spread] = field(default_factory=dict)
    starting: list[Started] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    growth: list[Step] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)


def rates(game: str, players: int, contenders: Sequence[Contender]) -> Played:
    """What contenders have shown."""
    named = {contender.name: contender for contender in contenders}
    native = named.get(NATIVE)
    return Played(
        game,
        players,
        [
            Rate(
                contender.name,
                spread(contender.rates),
                spread([sample.decisions / sample.seconds for sample in contender.samples]),
                contender.decisions,
                sum(sample.games for sample in contender.samples),
                ratio(contender, named[PYTHON]),
                ratio(contender, native) if native is not None else None,
            )
            for contender in contenders
        ],
    )


def machine(versions: Sequence[str], core: int | None) -> dict[str, str]:
    """What this runs on."""
    gcc = compiler()
    said = subprocess.run([gcc, "--version"], check=True, capture_output=True, text=True).stdout if gcc else ""
    found = {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": f"one of {os.cpu_count()}" if core is not None else f"any of {os.cpu_count()}",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Houserule": getattr(houserule, "__version__", "from this checkout"),
        "C": f"{said.splitlines()[0]}, -O2" if said else "no compiler",
    }
    if "wasmtime" in sys.modules:
        found["wasmtime"] = version("wasmtime")
    return found | dict(one.rsplit(" ", 1) for one in versions)


def processor() -> str:
    """The name of the processor, as the system gives it."""
    with_names = Path("/proc/cpuinfo")
    if with_names.exists():
        for line in with_names.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
