"""Measures what surrounds play: loading and compiling a game in a new process, copying a match, and the memory that matches take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import houserule
from benchmarks.contenders import (
    CLASSICS,
    FOUR,
    NATIVE,
    PYTHON,
    machine_of,
    native_is_installed,
    program_of,
    read_columns,
)
from benchmarks.measuring import Spread, spread, timed
from benchmarks.promises import DECISIONS, at_a_choice
from houserule.running.playout import Seeds

STARTING = """\
import json, sys
from time import perf_counter as now
game, players, native = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "native"
times = {}
begun = now()
import houserule
from houserule.running.playout import playout
times["import"], begun = now() - begun, now()
loaded = houserule.load(game)
times["load"], begun = now() - begun, now()
program = loaded.program(players, told=False)
times["compile to Python"], begun = now() - begun, now()
playout(program, 1)
times["first match in Python"] = now() - begun
if native:
    begun = now()
    from houserule.native.machine import Machine
    times["import wasmtime"], begun = now() - begun, now()
    machine = Machine(program)
    times["compile natively"], begun = now() - begun, now()
    list(machine.outcomes([1]))
    times["first native match"] = now() - begun
print(json.dumps(times))
"""
REPEATED = """\
(module
  (import "game" "pack" (func $pack (param i32) (result i32)))
  (import "game" "unpack" (func $unpack (param i32)))
  (func (export "copies") (param $times i32) (param $at i32)
    (loop $next
      (drop (call $pack (local.get $at)))
      (br_if $next (local.tee $times (i32.sub (local.get $times) (i32.const 1))))))
  (func (export "restores") (param $times i32) (param $at i32)
    (loop $next
      (call $unpack (local.get $at))
      (br_if $next (local.tee $times (i32.sub (local.get $times) (i32.const 1)))))))
"""
"""Copies a match in the sandbox, and restores one, as often as it is told to."""
HELD = (1000, 100_000)
"""So many matches are held at once; what one takes is known from the fewer."""


@dataclass(frozen=True, slots=True)
class Started:
    """How long a game takes to be ready in a new process, by step in seconds: the first time, and with all that is kept."""

    game: str
    cold: dict[str, Spread]
    warm: dict[str, Spread]


@dataclass(frozen=True, slots=True)
class Shares:
    """Where the time of a native match goes, in seconds: in the sandbox with its seeds, and its result, read in Python."""

    game: str
    sandbox: Spread
    results: Spread


@dataclass(frozen=True, slots=True)
class Memory:
    """The bytes that so many matches take that are held at once."""

    engine: str
    matches: int
    bytes: int


def starting(game: str, rounds: int) -> Started:
    """A game in new processes, each with an empty cache first, and then with what the process before has kept."""
    native = "native" if native_is_installed() else "python"
    found: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            surroundings = {**os.environ, "XDG_CACHE_HOME": folder}
            for kept in found:
                words = [sys.executable, "-c", STARTING, game, str(FOUR[game]), native]
                done = subprocess.run(words, check=True, capture_output=True, text=True, env=surroundings)
                kept.append(json.loads(done.stdout))
    cold, warm = ({step: spread([times[step] for times in kept]) for step in kept[0]} for kept in found)
    return Started(game, cold, warm)


def shares(rounds: int, matches: int = 200, games: Mapping[str, int] = FOUR | CLASSICS) -> list[Shares]:
    """What each part of native matches takes, for games and their numbers of players."""
    found = []
    for game, players in games.items():
        machine = machine_of(program_of(game, players))
        times: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds + 1):
            begun = perf_counter()
            machine.played(Seeds(number, 0, matches))
            ended = perf_counter()
            read_columns(machine.results(matches))
            for kept, seconds in zip(times, (ended - begun, perf_counter() - ended), strict=True):
                kept.append(seconds / matches)
        found.append(Shares(game, *(spread(kept[1:]) for kept in times)))
    return found


def copying(game: str, rounds: int) -> dict[str, Spread]:
    """The seconds that a copy takes in the middle of a match: in Python, and natively there and back."""
    match = at_a_choice(houserule.load(game), FOUR[game], told=False)
    work: dict[str, tuple[Callable[[], object], int]] = {
        f"{PYTHON}: copy": (lambda: [match.state.copy() for _ in range(300)], 300)
    }
    if native_is_installed():
        machine, copies, restores = copier(game)
        slot = machine.memory.slots
        for name, function in (("copy", copies), ("restore", restores)):
            work[f"{NATIVE}: {name}"] = (partial(function, machine.sandbox.store, 20_000, slot), 20_000)
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, (one, often) in work.items():
            times[name].append(timed(one) / often)
    return {name: spread(kept) for name, kept in times.items()}


def copier(game: str) -> tuple[Any, Any, Any]:
    """A native match in the middle, and what copies and restores it many times."""
    import wasmtime

    machine = machine_of(program_of(game, FOUR[game]))
    machine.begin(1)
    machine.play(DECISIONS)
    sandbox = machine.sandbox
    module = wasmtime.Module(sandbox.store.engine, wasmtime.wat2wasm(REPEATED))
    inside = [sandbox.exports["pack"], sandbox.exports["unpack"]]
    exports = wasmtime.Instance(sandbox.store, module, inside).exports(sandbox.store)
    return machine, exports["copies"], exports["restores"]


def memory(game: str, is_quick: bool) -> list[Memory]:
    """What matches of a game take, each number in a process of its own."""
    found = []
    for engine in (PYTHON, NATIVE) if native_is_installed() else (PYTHON,):
        taken = 0
        for matches in HELD[:1] if is_quick else HELD:
            if taken / HELD[0] * matches > available() / 2:
                break
            words = [sys.executable, "-m", "benchmarks.handling", game, engine, str(matches)]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            taken = int(done.stdout)
            found.append(Memory(engine, matches, taken))
    return found


def available() -> int:
    """The bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def held(game: str, engine: str, matches: int) -> int:
    """The bytes that so many copies of a match in the middle take in this process."""
    if engine == NATIVE:
        machine, _, _ = copier(game)
        slot = machine.memory.slots

        def one() -> object:
            return machine.read(slot, machine.calls["pack"](slot))
    else:
        match = at_a_choice(houserule.load(game), FOUR[game], told=False)

        def one() -> object:
            return match.state.copy()

    kept = [one()]
    before = resident()
    kept += [one() for _ in range(matches)]
    return resident() - before


def resident() -> int:
    """The bytes that this process has in memory."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    print(held(sys.argv[1], sys.argv[2], int(sys.argv[3])))
