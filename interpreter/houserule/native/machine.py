"""Runs translated programs: batches of random matches, by their seeds."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from struct import pack
from typing import NamedTuple

from houserule.compiler.blocks import ASK, DONE, FORKED
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.extras import signals_held_back
from houserule.frozen import without_collecting
from houserule.native import host
from houserule.native.blueprint import Blueprint
from houserule.native.memory import (
    KEYS,
    MEASURES,
    MOST_BEGUN,
    NUMBERS,
    ROWS,
    WORD,
    Memory,
    Results,
    Watched,
    key_of,
    list_image,
)
from houserule.native.module import Written
from houserule.native.moving import Moves
from houserule.native.values import LIST, Failed, Outside, Untranslatable
from houserule.operations.fuel import between_answers, for_looks, reserve
from houserule.reading import read
from houserule.running.observing import Layout
from houserule.running.playout import Outcome, Seeds, playout, seed_of_answers
from houserule.running.state import State
from houserule.writing import keep_private, kept_file, write_file

TAKEN = ("fuel", "reserve", "since", "passes", "depth", "site", "asker", "pc", "draining")
"""The integers of a state that are copied from Python unchanged."""
MOST_KEPT = 100
"""The most modules in the cache; the oldest are removed."""


class Machine:
    """One program in its own sandbox: it reaches nothing outside its memory. Raises Untranslatable."""

    def __init__(self, program: Program, observed: Layout | None = None) -> None:
        self.program = program
        blueprint = Blueprint.of(program, observed)
        self.memory = Memory(blueprint)
        self.module, self.row, self.arena, self.is_from_cache = compiled(blueprint)
        self.replayed = 0
        """Matches that trapped, and were replayed in Python."""
        self.moves: dict[frozenset[str], Moves] = {}
        self.open()

    def open(self) -> None:
        """Create its memory."""
        self.sandbox = host.Sandbox(self.module)
        self.size = 0
        self.calls = self.sandbox.calls
        self.allowed: dict[str, int] = {}
        self.allow()

    def another(self) -> Machine:
        """Its program in another sandbox, for another thread: the code is shared, the memory is not."""
        made = copy(self)
        made.open()
        return made

    def allow(self) -> None:
        """Set the work that rules may do in this process."""
        allowed = {"reserve": reserve(), "between": between_answers(), "looks": for_looks()}
        if allowed == self.allowed:
            return
        self.allowed = allowed
        first = self.memory.first - self.memory.state  # integers come first in a stored state
        for name, value in allowed.items():
            self.write(self.memory.fields[name] + first, value.to_bytes(WORD, "little"))

    def write(self, at: int, content: bytes) -> None:
        """Write to the memory. Raises Outside where it would leave its place."""
        if not self.memory.mersenne <= at <= at + len(content) <= self.arena:
            raise Outside(f"{len(content)} bytes have no room there")
        self.sandbox.write(at, content)

    def read(self, start: int, stop: int) -> bytes:
        """What is in the memory. Raises Outside where it is not."""
        if stop > self.size:
            self.size = self.sandbox.size  # a memory never shrinks, so it is asked only for what lies beyond
        if not 0 <= start <= stop <= self.size:
            raise Outside(f"there is no memory from {start} to {stop}")
        return self.sandbox.read(start, stop)

    def outcomes(self, seeds: Sequence[int | str]) -> Iterator[Outcome]:
        """The results of random matches, as `playout` returns them. Raises RuleFault."""
        return (found[0] for found in self.watched(seeds, lambda seed: (playout(self.program, seed), 0, 0, ())))

    def watched(self, seeds: Sequence[int | str], in_python: Callable[[int | str], Watched]) -> Iterator[Watched]:
        """The results with what was watched: rounds, changes of lead and the course; those of a program that is not watched mean nothing.

        A match that traps is replayed in Python, which reports the fault, or plays on: some things only Python can do.
        """
        for results, trapped in self.stretches(seeds):
            yield from results.outcomes()
            if trapped is not None:
                yield in_python(trapped)

    def stretches(self, seeds: Sequence[int | str]) -> Iterator[tuple[Results, int | str | None]]:
        """The results of consecutive matches, and the seed of the next one if it trapped."""
        at = 0
        while at < len(seeds):
            taken, done = self.played(seeds[at : at + ROWS // (self.row * WORD)])
            yield self.results(done), seeds[at + done] if done < taken else None
            self.replayed += done < taken
            at += done + (done < taken)

    @signals_held_back()
    def played(self, seeds: Sequence[int | str]) -> tuple[int, int]:
        """Play the first of some matches; returns how many, and how many ended before one that trapped. Seeds of a study are made in the sandbox.

        Ctrl-C waits for the end of the batch: Python ignores it while wasmtime cleans up after a call.
        """
        if isinstance(seeds, Seeds) and len(seeds.begun) <= MOST_BEGUN:
            taken, is_numbers = min(len(seeds), KEYS // WORD), True
            self.write(self.memory.text, seeds.begun)
            self.calls["seeds"](len(seeds.begun), seeds.start, taken)
        else:
            keys, taken, is_numbers = packed(seeds)
            if len(keys) > KEYS:
                return taken, 0
            self.write(self.memory.keys, keys)
        self.ran("batch", taken, is_numbers, LONGEST_MATCH, self.memory.rows)
        return taken, self.sandbox.number("done")

    def counted(self) -> bytes:
        """The counts of options since the last call: six words for each seat and item, as in `study.offers`."""
        cells = self.program.cells
        start = self.memory.counts
        stop = start + MEASURES * cells.bytes(self.program.symbols.players)
        found = self.read(start, stop)
        self.write(start, bytes(stop - start))
        return found

    def moves_of(self, kinds: frozenset[str]) -> Moves:
        """What moves in a stored state with pieces of some kinds."""
        if kinds not in self.moves:
            self.moves[kinds] = Moves(self.program, self.memory, kinds)
        return self.moves[kinds]

    # --- one match ------------------------------------------------------------------------------------------------------------

    def begin(self, seed: int | str) -> None:
        """The state before the first step of a match with a seed."""
        self.write(self.memory.keys, pair_of(seed))
        self.calls["start"]()

    def play(self, most: int = LONGEST_MATCH) -> bool:
        """Continue the match until about `most` decisions were made; returns whether it has ended. Raises host.Trap."""
        return bool(self.calls["play"](most))

    def load(self, s: State) -> None:
        """Load a state that waits at a question, or before a segment, from Python. Raises Untranslatable."""
        if s.to_act:
            raise Untranslatable("a state in the midst of what everyone does at once")
        self.write(self.memory.loaded, self.packed(s))

    def packed(self, s: State) -> bytes:
        """A state as it is stored; with players `to_act`, one where they begin what they do at the same time. Raises Untranslatable."""
        if s.forks is not None or any(s.kept):
            raise Untranslatable("a state in the midst of what everyone does at once, or with values by position")
        memory = self.memory
        arena = bytearray()

        def listed(items: Sequence[int]) -> int:
            if not items:
                return memory.nothing
            at = self.arena + len(arena)
            arena.extend(list_image(items, len(items)))
            return LIST + at

        numbers = dict.fromkeys(NUMBERS, 0)
        for name in TAKEN:
            numbers[name] = int(getattr(s, name))
        waits = (DONE if s.shared else FORKED) if s.to_act else ASK if s.waits else 0
        numbers |= {"waits": waits, "ending": -1, "leader": -1, "low": s.bounds[0], "high": s.bounds[1]}
        numbers["between"] = between_answers()
        lists = {name: listed(getattr(s, name)) for name in ("options", "must", "slapped", "declined")}
        lists["winners"], lists["to_act"] = listed(()), listed(s.to_act)
        if s.to_act:
            numbers |= {name: int(getattr(s, name)) for name in ("inside", "binder", "then")}
        frames = [[word if isinstance(word, int) else listed(word) for word in frame] for frame in s.frames]
        queue = [word for row in s.queue for word in row]
        before = frames[-1] if s.to_act else ()
        packed = memory.packed(numbers, lists, s.v, s.w, s.z, queue, s.running, frames, bytes(arena), before)
        if len(packed) > memory.slot:
            raise Untranslatable("a state that is too large")
        return packed

    def ahead(
        self, s: State, chance: int, answers: int, futures: int, marks: Sequence[tuple[int, float]]
    ) -> list[float] | None:
        """The value of a state for each player after random play: the weighted value at each mark, a number of decisions after the one before.

        It is summed over a number of playouts. The match's chance and the answers have two seeds. The state
        does not change. None if a rule fails, or only Python can go on.
        """
        try:
            self.load(s)
            self.mark(futures, marks)
            self.write(self.memory.keys, key_of(chance) + key_of(answers))
        except (Untranslatable, Failed):
            return None
        totals = self.memory.totals
        if not self.ran("ahead"):
            return None
        return array("d", self.read(totals, totals + WORD * self.program.symbols.players)).tolist()

    def mark(self, futures: int, marks: Sequence[tuple[int, float]]) -> None:
        """Say how far a search looks ahead, and how often. Raises Outside."""
        listed = [number for mark in marks for number in mark]
        self.write(self.memory.marks, pack(f"<qq{'qd' * len(marks)}", len(marks), futures, *listed))

    def ran(self, name: str, *arguments: int) -> bool:
        """Call a function of the module; returns whether it came to its end, or has trapped."""
        try:
            self.calls[name](*arguments)
        except host.Trap:
            return False
        return True

    @property
    def unspent(self) -> int:
        """The work that the match may still do."""
        return sum(self.words(self.memory.fields[name], 1)[0] for name in ("fuel", "reserve"))

    def copy(self) -> int:
        """Save the match, without its chance, for `restore`. The next copy overwrites it."""
        self.calls["pack"](self.memory.kept)
        return self.memory.kept

    def restore(self, copy: int) -> None:
        self.calls["unpack"](copy)

    def table(self) -> tuple[list[int], list[list[int]], list[int]]:
        """The variables, the contents of the zones, and the place of each piece."""
        memory = self.memory
        v, *zones, w = (self.listed(at) for at in (memory.v, *memory.zones, memory.w))
        return v, zones, w

    def remembered(self) -> list[list[int]]:
        """The variables with a value for each position, as a state has them."""
        words = self.words(self.memory.remembered, 2 * len(self.program.memories))
        return [self.listed(word & 0xFFFFFFFF) for word in words]

    def words(self, at: int, count: int) -> list[int]:
        """So many numbers in memory."""
        return array("q", self.read(at, at + WORD * count)).tolist()

    def listed(self, at: int) -> list[int]:
        """A list in memory."""
        return self.words(at + WORD, int.from_bytes(self.read(at, at + 4), "little"))

    def results(self, matches: int) -> Results:
        """The rows of a number of matches."""
        start, size = self.memory.rows, self.row
        return Results(self.program, array("q", self.read(start, start + matches * size * WORD)), size)


def packed(seeds: Sequence[int | str]) -> tuple[bytes, int, bool]:
    """The first of these seeds as a batch takes them, how many they are, and whether as numbers: else each as two keys."""
    try:
        numbers = array("Q", seeds[: KEYS // WORD])  # type: ignore[type-var]  # texts are refused
    except (TypeError, OverflowError):
        keys = bytearray()
        taken = 0
        for seed in seeds:
            pair = pair_of(seed)
            if taken and len(keys) + len(pair) > KEYS:
                break
            keys += pair
            taken += 1
        return bytes(keys), taken, False
    return numbers.tobytes(), len(numbers), True


def pair_of(seed: int | str) -> bytes:
    """The seeds of the match's chance and of the answers."""
    return key_of(seed) + key_of(seed_of_answers(seed))


# --- the cache of compiled modules ----------------------------------------------------------------------------------------


class Compiled(NamedTuple):
    """A module, the words of its rows, the start of its arena, and whether it came from the cache."""

    module: host.Module
    row: int
    arena: int
    is_from_cache: bool


def compiled(blueprint: Blueprint) -> Compiled:
    """The module of a program, from the cache if it is there. Raises Untranslatable.

    Cached code runs as it is, so only the user can have written it; a damaged entry, or one of another
    version, is replaced.
    """
    file = kept_file(f"native-{blueprint.digest()}.bin") if host.KEEPS else None
    if file is not None and (found := kept(file)) is not None:
        return found
    with without_collecting():
        written = Written(blueprint)
    module = host.made(written.text)
    if file is not None:
        content = host.kept(module)
        head = json.dumps(
            {"row": written.row, "arena": written.arena, "sha256": hashlib.sha256(content).hexdigest()}
        ).encode()
        with suppress(OSError):
            write_file(file, head + b"\n" + content)
            keep_private(str(file))
            others = sorted(file.parent.glob("native-*.bin"), key=lambda one: one.stat().st_mtime)
            for old in others[:-MOST_KEPT]:
                old.unlink()
    return Compiled(module, written.row, written.arena, False)


def kept(file: Path) -> Compiled | None:
    """A module from the cache; None if there is none, or a damaged one."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        head, _, content = read(file, "native").partition(b"\n")
        said = json.loads(head)
        if said["sha256"] == hashlib.sha256(content).hexdigest():
            return Compiled(host.again(content), int(said["row"]), int(said["arena"]), True)
    return None
