"""A search in the sandbox: passes through imagined matches, and what their tree says about the answers to one question."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from struct import pack, unpack

import wasmtime

from houserule.native.machine import Machine, key_of
from houserule.native.memory import MOST_GIVEN, PLANTED, WORD, WORLDS
from houserule.running.searching import LEAST_DEVIATION

IN_TREE, TRIED = 1, 3
"""The ways to search: see `search.wat`."""
MOST_FAILURES = 20


class Failed(Exception):
    """Only Python can search here."""


@dataclass(frozen=True, slots=True)
class Arm:
    """The statistics of an answer: the keys that it selects, or its own."""

    keys: list[int]
    taken: int
    mean: float


class Tree:
    """A tree in a machine, until somebody else plants another there."""

    def __init__(
        self, machine: Machine, seat: int, marks: Sequence[tuple[int, float]], futures: int, given: Sequence[object]
    ) -> None:
        """`given` are the answers of the player to earlier questions of what all do at the same time. Raises Failed."""
        self.machine, self.seat = machine, seat
        numbers = [one for one in given if isinstance(one, int)]
        if len(numbers) < len(given) or len(given) > MOST_GIVEN:
            raise Failed
        machine.write(machine.memory.given, pack(f"<q{len(numbers)}q", len(numbers), *numbers))
        self.failures = 0
        self.is_full = False
        """Whether there is no room for more: the search is over."""
        machine.exports["plant"](machine.store)
        listed = [number for mark in marks for number in mark]
        machine.write(machine.memory.marks, pack(f"<qq{'qd' * len(marks)}", len(marks), futures, *listed))

    @property
    def planted(self) -> int:
        """The bytes of the tree."""
        return int(self.machine.exports["planted"].value(self.machine.store)) - self.machine.memory.planted

    def search(self, worlds: Sequence[bytes], uses: int, seed: int, mode: int = IN_TREE, trial: int = 0) -> None:
        """Pass several times through each of these imagined matches. Raises Failed where rules fail too often."""
        size = max(map(len, worlds))
        at_once = max(1, WORLDS // size)
        if size > WORLDS:
            raise Failed
        for start in range(0, len(worlds), at_once):
            some = worlds[start : start + at_once]
            self.machine.write(self.machine.memory.worlds, b"".join(world.ljust(size, b"\0") for world in some))
            done, passes = 0, len(some) * uses
            while done < passes:
                self.machine.write(self.machine.memory.keys, key_of(seed + start) + key_of(seed + start + done + 1))
                done = self.passed(done, passes, uses, size, mode, trial)

    def passed(self, first: int, passes: int, uses: int, size: int, mode: int, trial: int) -> int:
        """Make passes until a rule fails; returns the number of the next one. Raises Failed."""
        machine = self.machine
        try:
            machine.exports["search"](machine.store, self.seat, mode, first, passes, uses, size, trial)
        except wasmtime.Trap:
            if self.planted > PLANTED:
                self.is_full = True
                return passes
            self.failures += 1
            if self.failures > MOST_FAILURES:
                raise Failed from None
            machine.exports["wrecked"](machine.store)
            return int(machine.exports["passed"].value(machine.store)) + 1
        return passes

    def root(self, world: bytes) -> tuple[list[int], list[int], int]:
        """The options of the question that is searched for, the keys of all answers, and the table of the question or 0. Raises Failed."""
        machine, memory = self.machine, self.machine.memory
        machine.write(memory.worlds, world)
        machine.write(memory.found, bytes(2 * WORD))
        machine.write(memory.keys, 2 * key_of(0))
        try:
            machine.exports["root"](machine.store, self.seat)
        except wasmtime.Trap:
            count, table = self.words(memory.found, 2)
            (options,) = self.words(memory.fields["options"], 1)
            if count:
                return machine.listed(options & 0xFFFFFFFF), self.words(memory.option_keys, count), table
        raise Failed

    def arms(self, table: int) -> tuple[list[Arm], float]:
        """The answers of a table that were taken, and the deviation of their rewards."""
        first, _, visits, total, squares = unpack("<4xiqqdd", self.machine.read(table, table + 40))
        mean = total / visits
        found: list[Arm] = []
        at = first
        while at:
            at, listed, key, _, taken, total = unpack("<iiqqqd", self.machine.read(at, at + 40))
            if taken:
                found.append(Arm(self.machine.listed(listed) if listed else [key], taken, total / taken))
        return found, sqrt(max(0.0, squares / visits - mean * mean)) + LEAST_DEVIATION

    def words(self, at: int, count: int) -> list[int]:
        return array("q", self.machine.read(at, at + WORD * count)).tolist()
