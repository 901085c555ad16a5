"""Runs translated programs: batches of matches at random, by their seeds."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import FunctionType
from typing import Any

import wasmtime

from houserule.cache import keep_private, kept_file
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.native.memory import KEYS, ROWS, WORD, Memory, seed_key
from houserule.native.module import HEAD, Written, has_keys
from houserule.native.state import HOW
from houserule.operations.fuel import ALLOWANCE, BETWEEN_ANSWERS, reserve
from houserule.running.playout import Outcome, judged_by, playout, won_by
from houserule.writing import write_file

TRANSLATED = ("native", "compiler", "operations", "language")
"""The packages whose sources decide about what is translated."""
ROUNDS, LEADER = 4, 5
"""The words of a row with the number of rounds, and with who leads; the next says how often that has changed."""
MOST_KEPT = 100
"""So many modules are kept; the oldest make room."""
EXPORTS = ("memory", "batch", "done", "play", "result", "pack", "unpack", "start")


@cache
def engine() -> wasmtime.Engine:
    """The compiler of modules."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    return wasmtime.Engine(config)


class Machine:
    """One program in a sandbox of its own: it reaches nothing outside its memory. Raises Untranslatable."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.memory = Memory(program)
        self.module, self.row, self.is_from_cache = compiled(program)
        self.replayed = 0
        """Matches that trapped, and were played again in Python."""
        self.store = wasmtime.Store(engine())
        exports = wasmtime.Instance(self.store, self.module, []).exports(self.store)
        self.exports: dict[str, Any] = {name: exports[name] for name in EXPORTS}
        self.has_keys = has_keys(program)
        self.allow()

    def allow(self) -> None:
        """Let rules work as much as they may in this process."""
        first = self.memory.first - self.memory.state  # numbers come first in what is kept
        for name, value in (("reserve", reserve()), ("between", int(BETWEEN_ANSWERS * ALLOWANCE.times))):
            self.write(self.memory.fields[name] + first, value.to_bytes(WORD, "little"))

    def write(self, at: int, content: bytes) -> None:
        """Put something into the memory."""
        self.exports["memory"].write(self.store, content, at)

    def outcomes(self, seeds: Sequence[int | str]) -> Iterator[Outcome]:
        """The results of matches at random, as `playout` has them. Raises RuleFault."""
        return (outcome for outcome, _, _ in self.watched(seeds, None))

    def watched(
        self, seeds: Sequence[int | str], in_python: Callable[[int | str], tuple[Outcome, int, int]] | None
    ) -> Iterator[tuple[Outcome, int, int]]:
        """The results with the number of rounds, and how often the lead has changed; both are 0 where nobody looks.

        A match that traps is played again in Python, which says what is wrong; there are also things that only Python can.
        """
        waiting = list(seeds)
        while waiting:
            keys = bytearray()
            most = ROWS // (self.row * WORD)
            taken = 0
            for seed in waiting[:most]:
                pair = key_of(seed) + key_of(f"answers {seed}")
                if taken and len(keys) + len(pair) > KEYS:
                    break
                keys += pair
                taken += 1
            done = self.played(bytes(keys), taken) if len(keys) <= KEYS else 0
            yield from self.rows(done)
            if done < taken:
                seed = waiting[done]
                self.replayed += 1
                yield in_python(seed) if in_python is not None else (playout(self.program, seed), 0, 0)
                done += 1
            del waiting[:done]

    def played(self, keys: bytes, matches: int) -> int:
        """Play a batch; how many matches ended, up to one that trapped."""
        self.write(self.memory.keys, keys)
        with suppress(wasmtime.Trap):
            self.exports["batch"](self.store, matches, LONGEST_MATCH, self.memory.rows)
        return int(self.exports["done"].value(self.store))

    # --- one match ------------------------------------------------------------------------------------------------------------

    def begin(self, seed: int | str) -> None:
        """The state before the first step of a match with a seed."""
        self.write(self.memory.keys, key_of(seed) + key_of(f"answers {seed}"))
        self.exports["start"](self.store)

    def play(self, most: int = LONGEST_MATCH) -> bool:
        """Play on from where the match is until about so many decisions were made; whether it has ended. Raises wasmtime.Trap."""
        return bool(self.exports["play"](self.store, most))

    def copy(self) -> int:
        """Keep the match as it stands, apart from its chance; what `restore` takes. The next copy takes its place."""
        at = self.memory.slots + 2 * self.memory.slot
        self.exports["pack"](self.store, at)
        return at

    def restore(self, copy: int) -> None:
        """The match as it was kept."""
        self.exports["unpack"](self.store, copy)

    def table(self) -> tuple[list[int], list[list[int]], list[int]]:
        """The variables, what lies in the zones, and where each piece is."""
        memory = self.memory
        v, *zones, w = (self.listed(at) for at in (memory.v, *memory.zones, memory.w))
        return v, zones, w

    def listed(self, at: int) -> list[int]:
        """A list in memory."""
        read = self.exports["memory"].read
        size = int.from_bytes(read(self.store, at, at + 4), "little")
        return array("q", bytes(read(self.store, at + WORD, at + WORD + size * WORD))).tolist()

    # --- results --------------------------------------------------------------------------------------------------------------

    def rows(self, matches: int) -> Iterator[tuple[Outcome, int, int]]:
        """The results that lie in memory."""
        size = self.row
        content = self.exports["memory"].read(self.store, self.memory.rows, self.memory.rows + matches * size * WORD)
        words = array("q", bytes(content)).tolist()
        for start in range(0, len(words), size):
            row = words[start : start + size]
            outcome = self.outcome(row)
            leader, changes = row[LEADER : LEADER + 2]
            if len(outcome.winners) == 1 and outcome.winners[0] != leader >= 0:
                changes += 1
            yield outcome, row[ROUNDS], changes

    def outcome(self, row: list[int]) -> Outcome:
        """What a row says."""
        players = self.program.symbols.players
        chances, how, by_rule, leaders = row[:ROUNDS]
        ends = range(HEAD + players, HEAD + players * (len(self.program.points) + 2), players)
        *lines, scores = [row[end - players : end] for end in ends]
        if how < 0 and self.has_keys:
            found = row[ends[-1] :]
            width = len(found) // players
            keys = [tuple(found[width * p : width * (p + 1)]) for p in range(players)]
            ending, winners = judged_by(self.program, scores, keys)
        elif how < 0:
            winners = [p for p in range(players) if leaders >> p & 1]
            rule = self.program.game.winner
            if rule is not None and rule.tie == "draw" and len(winners) > 1:
                ending, winners = "draw", []
            else:
                ending = won_by(len(winners))
        else:
            winners = [p for p in range(players) if by_rule >> p & 1]
            ending = HOW[how] if HOW[how] != "won" else won_by(len(winners))
        return Outcome(scores, lines, LONGEST_MATCH - chances, winners, ending)


def key_of(seed: int | str) -> bytes:
    """A seed as a batch takes it: the number of its words, and the words."""
    key = seed_key(seed)
    return (len(key) // 4).to_bytes(4, "little") + key


# --- what is kept of compiled modules -------------------------------------------------------------------------------------


def compiled(program: Program) -> tuple[wasmtime.Module, int, bool]:
    """The module of a program, the words of its rows, and whether they came from the cache. Raises Untranslatable.

    What is read from the cache runs as it is, so only the user can have written it; an entry that is damaged, or of another
    version, is made anew.
    """
    file = kept_file(f"native-{digest_of(program)}.bin")
    if file is not None and (found := kept(file)) is not None:
        return *found, True
    written = Written(program)
    module = wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(written.text)))
    if file is not None:
        content = bytes(module.serialize())
        head = json.dumps({"row": written.row, "sha256": hashlib.sha256(content).hexdigest()}).encode()
        with suppress(OSError):
            write_file(file, head + b"\n" + content)
            keep_private(str(file))
            others = sorted(file.parent.glob("native-*.bin"), key=lambda one: one.stat().st_mtime)
            for old in others[:-MOST_KEPT]:
                old.unlink()
    return module, written.row, False


def kept(file: Path) -> tuple[wasmtime.Module, int] | None:
    """A module out of the cache; None if there is none, or a damaged one."""
    with suppress(OSError, ValueError, KeyError, TypeError, wasmtime.WasmtimeError):
        head, _, content = file.read_bytes().partition(b"\n")
        said = json.loads(head)
        if said["sha256"] == hashlib.sha256(content).hexdigest():
            return wasmtime.Module.deserialize(engine(), content), int(said["row"])
    return None


def digest_of(program: Program) -> str:
    """What tells a program from all others: its code, its constants, and what the runtime is made of."""
    digest = hashlib.sha256(runtime_digest())
    known: dict[int, str] = {}
    for name in sorted(program.namespace):
        value = program.namespace[name]
        if isinstance(value, FunctionType) and value.__globals__ is program.namespace:
            code = value.__code__
            digest.update(repr((name, code.co_code, code.co_names, code.co_varnames, constants_of(code))).encode())
        elif isinstance(value, tuple | int):
            digest.update(repr((name, named(value, known))).encode())
    for part in (
        program.variables, program.zones, program.places, program.entry, program.flow_frame, program.frame_sizes,
        program.changes, program.trigger_segments, program.leaves, program.enters, program.capacities, program.refills,
        program.zone_owner, program.alike, program.unordered, program.identity, program.piece_slots, program.drain_segment,
        [(site.kind, site.may_pass, repr(site.type)) for site in program.sites], program.symbols.players, program.watched,
        [(event, indices) for event, _, indices in program.trigger_events], [(number, sorted(names)) for number, names in sorted(program.lists.items())],
        [sight if isinstance(sight, str | int) else (sight.function.__name__, sight.index) for sight in program.zone_sight],
        [repr(kind.attributes.get("seat")) for kind in program.kind_of], has_keys(program), len(program.points),
    ):  # fmt: skip
        digest.update(repr(part).encode())
    return digest.hexdigest()[:32]


def constants_of(code: Any) -> list[Any]:
    """The constants of code, with those of code inside it."""
    return [[*constants_of(one), one.co_code] if hasattr(one, "co_code") else one for one in code.co_consts]


def named(value: Any, known: dict[int, str]) -> Any:
    """A constant in which functions go by their names."""
    if isinstance(value, tuple):
        return tuple(named(one, known) for one in value)
    return getattr(value, "__name__", value)


@cache
def runtime_digest() -> bytes:
    """A digest of the sources that are translated, or translate, and of the compiler of modules."""
    from importlib.metadata import version

    digest = hashlib.sha256(version("wasmtime").encode())
    for package in TRANSLATED:
        folder = files(f"houserule.{package}")
        for file in sorted(folder.iterdir(), key=lambda one: one.name):
            if file.name.endswith((".py", ".wat")):
                digest.update(file.read_bytes())
    return digest.digest()
