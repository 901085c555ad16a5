"""Searches in the sandbox of native play: what is to be imagined is found out here, and everything else is done there."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from houserule.bots.simple import Seat
from houserule.bots.worlds import IN_A_PASS, World
from houserule.compiler.program import Program
from houserule.core import Option
from houserule.match.imagining import Imagination
from houserule.native.engines import NotNative, is_installed, machine_of
from houserule.native.memory import WORD
from houserule.native.tree import EACH, IN_TREE, TRIED, Tree
from houserule.native.values import Failed, Untranslatable
from houserule.operations.fuel import ALLOWANCE
from houserule.running.renaming import Renaming
from houserule.running.state import State

if TYPE_CHECKING:
    from houserule.native.machine import Machine

SHORT_ROUNDS = (2,)
"""The length of a short playout, in decisions per player."""
WORLDS = 6
"""Imagined matches in which `greedy` tries each option."""
MOST_TRIED = 30
"""The most options that are tried; of more, a random sample."""
IN_ONE = 10 * IN_A_PASS
"""The work limit of a single pass,"""
IN_A_TRIAL = 8_000_000
"""and of a single trial of `greedy`: all of one answer take at most about two seconds."""
TRIALS, TRIAL_USES = 12, 10
"""Imagined matches in which chance tries what others may do at the same time, and how often in each."""
AT_ONCE = 16
"""Imagined matches between two looks at the clock."""


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

    def table(self, imagination: Imagination, start: int) -> bytes:
        """What is to be dealt, as the sandbox reads it from an address on: see `dealing.wat`."""
        looks = imagination.sight[0] if imagination.is_delicate else []
        size = sum(2 + len(pieces) + len(places) for pieces, places in imagination.classes)
        start += 4 * (2 + size + 3 * len(looks))
        records = array("i")
        at: dict[int, int] = {}
        for place, held in self.held.items():
            moved = self.moved[place]
            at[place] = start + 4 * len(records)
            records.extend((0, place, place, len(held), len(moved), *[WORD * word for word in (*held, *moved)]))
        words = array("i", [len(imagination.classes), len(looks)])
        for pieces, places in imagination.classes:
            words.extend((len(pieces), len(places), *pieces, *[at[place] for place in places]))
        for piece, is_seen in looks:
            words.extend((at.get(piece, 0), piece, is_seen))
        return (words + records).tobytes()


class QuickSearch:
    """A search for one answer. Raises Untranslatable or Failed where only Python can search."""

    def __init__(
        self,
        machine: Machine,
        seat: Seat,
        random: Random,
        rounds: tuple[int, ...],
        futures: int,
        work: int = IN_ONE,
    ) -> None:
        self.work = int(work * ALLOWANCE.times)
        """The work limit of a pass."""
        self.machine, self.seat, self.random = machine, seat, random
        imagination = seat.imagination
        marks = World.marks(seat.program, rounds)
        self.origin = self.packed(imagination.beginning(seat.program))
        self.tree = Tree(machine, seat.number, self.origin, marks, futures, [one.value for one in imagination.answered])
        if self.tree.options != list(seat.question.state.options) or len({*self.tree.keys}) < 2:
            raise Failed
        self.plan = self.planned()
        if self.plan is not None:
            self.tree.to_deal(self.plan.table(imagination, machine.memory.deals))

    def packed(self, s: State) -> bytes:
        s.reserve = min(s.reserve, self.work)
        return self.machine.packed(s)

    def planned(self) -> Plan | None:
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

    def run(self, worlds: int, uses: int, mode: int = IN_TREE, trial: int = 0) -> None:
        """Pass so many times through each of a number of imagined matches."""
        seed = self.random.getrandbits(32)
        if self.plan is not None:
            self.tree.search(worlds, uses, seed, mode, trial)
            return
        imagination, program = self.seat.imagination, self.seat.program
        made = [self.packed(imagination.beginning(program, self.random)) for _ in range(worlds)]
        self.tree.search(made, uses, seed, mode, trial)

    def search(self, worlds: int, uses: int) -> None:
        """The same in the tree: through half as many matches that are hard to imagine, twice as often."""
        if self.plan is None:
            worlds, uses = -(-worlds // 2), 2 * uses
        self.run(worlds, uses)

    def try_others(self) -> None:
        """Find out what others may do at the same time: what is best for them while everybody else is left to chance."""
        ((length, _), *_) = World.marks(self.seat.program, SHORT_ROUNDS)
        planted = self.tree.planted
        for worlds in (1, TRIALS - 1):
            self.run(worlds, TRIAL_USES, TRIED, length)
            if self.tree.planted == planted:
                return

    def try_each(self) -> None:
        """Try all answers in the same few imagined matches."""
        is_of_several = self.seat.question.is_of_several
        self.run(1 + WORLDS, MOST_TRIED if is_of_several else min(MOST_TRIED, len(self.tree.keys)), EACH)

    def best(self, doubt: float = 1.0) -> Option:
        """The best answer, by the mean less a number of standard errors. Raises Failed."""
        arms, deviation = self.tree.arms()
        best = max(arms, key=lambda arm: arm.mean - doubt * deviation / sqrt(arm.taken))
        return self.seat.option_of(self.value(best.keys))

    def value(self, keys: list[int]) -> int | list[int]:
        """The answer with a key, or the selection with several."""
        question, options = self.seat.question, self.tree.options
        if not question.is_of_several:
            at = self.tree.keys.index(keys[0])
            return options[at] if at < len(options) else question.singles()["pass"]
        left = list(enumerate(self.tree.keys))
        found = []
        for key in keys:
            one = next(pair for pair in left if pair[1] == key)
            left.remove(one)
            found.append(options[one[0]])
        return found


def quick(
    machine: Machine, seat: Seat, random: Random, rounds: tuple[int, ...], futures: int, runs: Iterator[tuple[int, int]]
) -> Option | None:
    """The best option after runs of so many imagined matches and uses; None where only Python can search."""
    try:
        search = QuickSearch(machine, seat, random, rounds, futures)
        search.try_others()
        for worlds, uses in runs:
            search.search(worlds, uses)
            if search.tree.is_full:
                break
        return search.best()
    except (Untranslatable, Failed):
        return None


def quickly_tried(machine: Machine, seat: Seat, random: Random) -> Option | None:
    """The best option by short playouts; None where only Python can try."""
    try:
        search = QuickSearch(machine, seat, random, SHORT_ROUNDS, 1, IN_A_TRIAL)
        search.try_each()
        return search.best(0)
    except (Untranslatable, Failed):
        return None
