"""A search in the sandbox: passes through imagined matches, and what their tree says about the answers to one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from struct import pack, unpack_from
from typing import TYPE_CHECKING

from houserule.native.memory import DEALS, MOST_GIVEN, ORDERED, PLANTED, WORD, WORLDS, key_of
from houserule.native.values import Failed
from houserule.running.observing import LEAST_DEVIATION

if TYPE_CHECKING:
    from houserule.native.machine import Machine

IN_TREE, TRIED, EACH = 1, 3, 5
"""The ways to search: see `search.wat`."""
MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Arm:
    """The statistics of an answer: the keys that it selects, or its own."""

    keys: list[int]
    taken: int
    mean: float


class Tree:
    """A tree in a machine, until somebody else plants another there: the options of its question, and the keys of all answers."""

    def __init__(
        self,
        machine: Machine,
        seat: int,
        origin: bytes,
        marks: Sequence[tuple[int, float]],
        futures: int,
        given: Sequence[object],
        table: bytes = b"",
    ) -> None:
        """`given` are the answers of the player to earlier questions of what all do at the same time, `table` says what is dealt anew in
        imagined matches: see `dealing.wat`. Raises Failed."""
        self.machine, self.seat, self.origin = machine, seat, origin
        numbers = [one for one in given if isinstance(one, int)]
        if len(numbers) < len(given) or len(given) > MOST_GIVEN:
            raise Failed
        self.failures = 0
        self.is_full = False
        """Whether there is no room for more: the search is over."""
        memory = machine.memory
        if len(table) > DEALS:
            raise Failed
        machine.write(memory.found, pack(f"<3q{len(numbers)}q", 0, 0, len(numbers), *numbers))
        machine.mark(futures, marks)
        machine.write(memory.kept, origin)
        machine.write(memory.deals, table)
        self.order((0, 0), seat)
        count, self.table = machine.words(memory.found, 2) if machine.ran("root") else (0, 0)
        if not count:
            raise Failed
        self.options = machine.listed(machine.words(memory.fields["options"], 1)[0] & 0xFFFFFFFF)
        self.keys = machine.words(memory.option_keys, count)

    def order(self, seeds: tuple[int, int], *numbers: int) -> None:
        """Say what to search, and with which chance and answers."""
        words = pack(f"<{ORDERED}q", *numbers, *(0,) * (ORDERED - len(numbers)))
        self.machine.write(self.machine.memory.order, words + key_of(seeds[0]) + key_of(seeds[1]))

    @property
    def planted(self) -> int:
        return self.machine.sandbox.number("planted") - self.machine.memory.planted

    def search(self, worlds: Sequence[bytes] | int, uses: int, seed: int, mode: int = IN_TREE, trial: int = 0) -> None:
        """Pass several times through each of these imagined matches, or of so many that are dealt here. Raises Failed where rules fail too often."""
        if isinstance(worlds, int):
            self.make_passes(worlds, uses, len(self.origin), seed, mode, trial, True)
            return
        size = max(map(len, worlds))
        at_once = max(1, WORLDS // size)
        for start in range(0, len(worlds), at_once):
            some = worlds[start : start + at_once]
            self.machine.write(self.machine.memory.worlds, b"".join(world.ljust(size, b"\0") for world in some))
            self.make_passes(len(some), uses, size, seed + start, mode, trial, False)

    def make_passes(self, worlds: int, uses: int, size: int, seed: int, mode: int, trial: int, are_dealt: bool) -> None:
        """Make all passes, also after rules have failed in some. Raises Failed."""
        machine, done = self.machine, 0
        if size > WORLDS:
            raise Failed
        while done < worlds * uses:
            self.order((seed, seed + done + 1), self.seat, mode, done, worlds * uses, uses, size, trial, are_dealt)
            if machine.ran("search"):
                return
            if self.planted > PLANTED:
                self.is_full = True
                return
            self.failures += 1
            if self.failures > MOST_FAILURES or not machine.ran("wrecked"):
                raise Failed
            done = machine.sandbox.number("passed") + 1

    def arms(self) -> tuple[list[Arm], float]:
        """The answers to the question that were taken, and the deviation of their rewards."""
        start = self.machine.memory.planted
        tree = self.machine.read(start, start + self.planted)
        at, _, visits, total, squares = unpack_from("<4xiqqdd", tree, self.table - start)
        found: list[Arm] = []
        while at:
            at, listed, key, _, taken, reward = unpack_from("<iiqqqd", tree, at - start)
            if taken:
                size = unpack_from("<i", tree, listed - start)[0] if listed else 0
                keys = [*unpack_from(f"<{size}q", tree, listed + WORD - start)] if listed else [key]
                found.append(Arm(keys, taken, reward / taken))
        if not found:
            raise Failed
        mean = total / max(1, visits)
        return found, sqrt(max(0.0, squares / max(1, visits) - mean * mean)) + LEAST_DEVIATION
