"""The search of `mcts` in the sandbox of native play: matches are imagined here, and everything else is done there."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from houserule.bots.simple import ROUNDS as SHORT_ROUNDS
from houserule.bots.simple import Seat
from houserule.bots.worlds import IN_A_PASS, World
from houserule.compiler.program import Program
from houserule.core import Option
from houserule.native.engines import NotNative, is_installed, machine_of
from houserule.native.values import Untranslatable
from houserule.operations.fuel import ALLOWANCE
from houserule.running.renaming import Renaming
from houserule.running.state import State

if TYPE_CHECKING:
    from houserule.native.machine import Machine

IN_ONE = 10 * IN_A_PASS
"""The work limit of a single pass."""
TRIALS, TRIAL_USES = 12, 10
"""Imagined matches in which chance tries what others may do at the same time, and how often in each."""
AT_ONCE = 16
"""Imagined matches that are stored at once; then a search looks at the clock."""


def machine_for(seat: Seat) -> Machine | None:
    """The machine that searches for an answer; None where Python does."""
    if not is_installed() or seat.question.is_race or "search" in seat.program.without:
        return None
    try:
        return machine_of(seat.program)
    except NotNative:
        return None


class Plan:
    """Where a stored match changes when pieces are dealt in another way: found out by one example, and good if it gives that."""

    def __init__(self, program: Program, machine: Machine, origin: bytes, other: bytes, dealt: dict[int, int]) -> None:
        self.words = array("q", origin)
        variables, places, zones, end = machine.parts_of(origin)
        self.places = places
        renaming = Renaming(program, dealt)
        self.held: dict[int, list[int]] = {place: [] for place in dealt}
        """By place: the words that hold the piece there,"""
        self.moved: dict[int, list[int]] = {place: [places] for place in dealt}
        """and where values of pieces begin of which this one has one."""
        changed = [at for at, word in enumerate(array("q", other)[end:], end) if word != self.words[at]]
        holding = [variables + slot for slots in renaming.holding for slot in slots]
        for at in (*holding, *range(zones, end), *changed):
            if (piece := self.words[at]) in self.held:
                self.held[piece].append(at)
        for slot, other_slot in renaming.slots.items():
            place = program.variable_piece[slot]
            if place in dealt and other_slot - slot == dealt[place] - place:
                self.moved[place].append(variables + slot - place)

    def dealt(self, of: dict[int, int]) -> bytes:
        """The stored match with pieces in other places."""
        old = self.words
        made = old[:]
        for place, piece in of.items():
            if piece != place:
                for at in self.held[place]:
                    made[at] = piece
                for at in self.moved[place]:
                    made[at + piece] = old[at + place]
        return made.tobytes()


class QuickSearch:
    """A search for one answer. Raises Untranslatable or `tree.Failed` where only Python can search."""

    def __init__(self, machine: Machine, seat: Seat, random: Random, rounds: tuple[int, ...], futures: int) -> None:
        from houserule.native.tree import Failed, Tree

        self.machine, self.seat, self.random = machine, seat, random
        imagination = seat.imagination
        self.tree = Tree(
            machine,
            seat.number,
            World.marks(seat.program, rounds),
            futures,
            [one.value for one in imagination.answered],
        )
        self.origin = self.packed(imagination.beginning(seat.program))
        self.options, self.keys, _ = self.tree.root(self.origin)
        asked = seat.question.state
        if self.options != list(asked.options) or len({*self.keys}) < 2:
            raise Failed

    def packed(self, s: State) -> bytes:
        s.reserve = min(s.reserve, int(IN_ONE * ALLOWANCE.times))
        return self.machine.packed(s)

    def worlds(self, number: int) -> list[bytes]:
        """Imagined matches."""
        imagination, program = self.seat.imagination, self.seat.program
        if self.plan is not None:
            return [self.plan.dealt(imagination.dealt_quickly(self.random)) for _ in range(number)]
        return [self.packed(imagination.beginning(program, self.random)) for _ in range(number)]

    @cached_property
    def plan(self) -> Plan | None:
        """How stored matches differ by the deal; None where they differ in more than that."""
        imagination, program = self.seat.imagination, self.seat.program
        if not imagination.is_simple or not self.machine.is_plain(self.origin):
            return None
        kinds: dict[str, list[int]] = {}
        for place in imagination.places:
            kinds.setdefault(program.kind_of[place].name, []).append(place)
        dealt = {place: piece for of in kinds.values() for place, piece in zip(of, [*of[1:], *of[:1]], strict=True)}
        other = self.packed(imagination.beginning(program, dealt=dealt))
        plan = Plan(program, self.machine, self.origin, other, dealt)
        return plan if plan.dealt(dealt) == other else None

    def try_others(self) -> None:
        """Find out what others may do at the same time: what is best for them while everybody else is left to chance."""
        from houserule.native.tree import TRIED

        ((length, _), *_) = World.marks(self.seat.program, SHORT_ROUNDS)
        worlds = self.worlds(TRIALS)
        for start, end in ((0, 1), (1, TRIALS)):
            self.tree.search(worlds[start:end], TRIAL_USES, self.random.getrandbits(32), TRIED, length)
            if not self.tree.planted:
                return

    def run(self, worlds: int, uses: int) -> None:
        """Pass so many times through each of a number of imagined matches: of half as many that are hard to imagine, twice as often."""
        if self.plan is None:
            worlds, uses = -(-worlds // 2), 2 * uses
        self.tree.search(self.worlds(worlds), uses, self.random.getrandbits(32))

    def best(self) -> Option:
        """The best answer, by the mean less its standard error."""
        from houserule.native.tree import Failed

        _, _, table = self.tree.root(self.origin)
        if not table:
            raise Failed
        arms, deviation = self.tree.arms(table)
        best = max(arms, key=lambda arm: arm.mean - deviation / sqrt(arm.taken))
        return self.seat.option_of(self.value(best.keys))

    def value(self, keys: list[int]) -> int | list[int]:
        """The answer with a key, or the selection with several."""
        question = self.seat.question
        if not question.is_of_several:
            at = self.keys.index(keys[0])
            return self.options[at] if at < len(self.options) else question.singles()["pass"]
        left = list(enumerate(self.keys))
        found = []
        for key in keys:
            one = next(pair for pair in left if pair[1] == key)
            left.remove(one)
            found.append(self.options[one[0]])
        return found


def quick(
    machine: Machine, seat: Seat, random: Random, rounds: tuple[int, ...], futures: int, runs: Iterator[tuple[int, int]]
) -> Option | None:
    """The best option after runs of so many imagined matches and uses; None where only Python can search."""
    from houserule.native.tree import Failed

    try:
        search = QuickSearch(machine, seat, random, rounds, futures)
        search.try_others()
        for worlds, uses in runs:
            search.run(worlds, uses)
            if search.tree.is_full:
                break
        return search.best()
    except (Untranslatable, Failed):
        return None
