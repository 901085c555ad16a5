"""Searches in the sandbox of native play: what is to be imagined is found out here, and everything else is done there."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from houserule.bots.simple import InnerSeat, Seat
from houserule.bots.worlds import IN_A_PASS, World
from houserule.core import Option
from houserule.match.imagining import Imagination
from houserule.native.engines import NotNative, is_installed, machine_of
from houserule.native.memory import WORD
from houserule.native.moving import Moves
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
NOWHERE = -9
"""The number of no piece."""
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


class Undealt(Exception):
    """The match itself would stand for one that its player imagines."""


class Plan:
    """Where a stored match changes when pieces are dealt in another way."""

    def __init__(self, machine: Machine, imagination: Imagination, moves: Moves, made: State) -> None:
        self.imagination, self.moves, self.kind_of = imagination, moves, made.program.kind_of
        hidden = {*imagination.places}
        self.holding = [(at, made.v[slot]) for at, slot in moves.holding if made.v[slot] in hidden]
        """The words that hold a hidden piece, and this piece."""
        at = machine.memory.word_of(machine.memory.zones[0])
        for pile in made.z if hidden else ():
            at += 1
            self.holding += [(at + number, piece) for number, piece in enumerate(pile) if piece in hidden]
            at += len(pile)
        self.end = at

    def holds(self, origin: bytes, other: bytes, dealt: dict[int, int]) -> bool:
        """Whether one match can be dealt from another; its rules and its question may hold pieces, too."""
        old, new = array("q", origin), array("q", other)
        self.holding += [(at, old[at]) for at in range(self.end, len(old)) if new[at] != old[at] and old[at] in dealt]
        made = old[:]
        for place, piece in dealt.items():
            for moved in self.moves.moved[self.kind_of[place].name]:
                made[moved + piece] = old[moved + place]
        for at, place in self.holding:
            made[at] = dealt[place]
        return made == new

    def table(self) -> bytes:
        """What is to be dealt, as the sandbox reads it: see `dealing.wat`."""
        imagination, moved = self.imagination, self.moves.moved
        looks = imagination.sight[0] if imagination.is_delicate else []
        words = array("i", (len(imagination.classes), len(looks), len(self.holding)))
        for at, place in self.holding:
            words.extend((WORD * at, place))
        for pieces, places in imagination.classes:
            offsets = [WORD * at for at in moved[self.kind_of[pieces[0]].name]]
            words.extend((len(pieces), len(places), len(offsets), *pieces, *places, *offsets))
        for look in looks:
            words.extend(look)
        return words.tobytes()


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
        self.machine, self.random = machine, random
        self.begin(seat)
        if isinstance(seat, InnerSeat) and not self.deals_all:
            self.begin(seat.outer)
        seat = self.seat
        marks, given = World.marks(seat.program, rounds), [one.value for one in seat.imagination.answered]
        table = self.plan.table() if self.plan is not None else b""
        self.tree = Tree(machine, seat.number, self.origin, marks, futures, given, table)
        if self.tree.options != list(seat.question.state.options) or len({*self.tree.keys}) < 2:
            raise Failed

    def begin(self, seat: Seat) -> None:
        """Find out what can be imagined from a seat, and how it is dealt."""
        self.seat, self.holds_hidden = seat, False
        made = seat.imagination.beginning(seat.program)
        self.origin = self.packed(made)
        self.plan = self.planned(made)

    @property
    def deals_all(self) -> bool:
        """Whether nothing that the player cannot know is as it is at the origin, so that this may be the match itself."""
        is_dealt = self.plan is not None or self.seat.imagination.s.forks is None
        return is_dealt and not self.holds_hidden and "inside" not in self.seat.program.without

    def packed(self, s: State) -> bytes:
        s.reserve = min(s.reserve, self.work)
        return self.machine.packed(s)

    def planned(self, made: State) -> Plan | None:
        """How stored matches differ by the deal; None where they differ in more than that."""
        imagination, program, machine = self.seat.imagination, self.seat.program, self.machine
        if not imagination.is_simple or made.queue or not machine.memory.zones:
            return None
        kinds = frozenset([program.kind_of[pieces[0]].name for pieces, _ in imagination.classes])
        moves = machine.moves_of(kinds)
        plan = Plan(machine, imagination, moves, made)
        unknown = Renaming(imagination.s.program, dict.fromkeys(imagination.places, NOWHERE), with_variables=False)
        given = [(program.sites[one.site].type, one.value) for one in imagination.answered if one.site >= 0]
        self.holds_hidden = any(unknown.typed(type, value) != value for type, value in given)
        if moves.is_regular and not unknown.changes(made):
            return plan
        alike: dict[str, list[int]] = {}
        for place in imagination.places:
            alike.setdefault(program.kind_of[place].name, []).append(place)
        dealt = {place: piece for of in alike.values() for place, piece in zip(of, [*of[1:], *of[:1]], strict=True)}
        other = self.packed(imagination.beginning(program, dealt=dealt))
        return plan if plan.holds(self.origin, other, dealt) else None

    def run(self, worlds: int, uses: int, mode: int = IN_TREE, trial: int = 0) -> None:
        """Pass so many times through each of a number of imagined matches."""
        seed = self.random.getrandbits(32)
        if self.plan is not None:
            self.tree.search(worlds, uses, seed, mode, trial)
            if isinstance(self.seat, InnerSeat) and self.machine.sandbox.number("undealt"):
                raise Undealt
            return
        imagination, program = self.seat.imagination, self.seat.program
        made = [self.packed(imagination.beginning(program, self.random)) for _ in range(worlds)]
        if imagination.is_undealt and isinstance(self.seat, InnerSeat):
            raise Undealt
        self.tree.search(made, uses, seed, mode, trial)

    def search(self, worlds: int, uses: int) -> None:
        """Pass so many times through the tree in each of a number of matches: in half as many that are hard to imagine, twice as often."""
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
    machine: Machine,
    seat: Seat,
    seed: int,
    rounds: tuple[int, ...],
    futures: int,
    runs: Callable[[], Iterator[tuple[int, int]]],
) -> Option | None:
    """The best option after runs of so many imagined matches and uses; None where only Python can search."""
    try:
        search = QuickSearch(machine, seat, Random(seed), rounds, futures)
        search.try_others()
        for worlds, uses in runs():
            search.search(worlds, uses)
            if search.tree.is_full:
                break
        return search.best()
    except Undealt:
        return quick(machine, seat.outer, seed, rounds, futures, runs)
    except (Untranslatable, Failed):
        return None


def quickly_tried(machine: Machine, seat: Seat, seed: int) -> Option | None:
    """The best option by short playouts; None where only Python can try."""
    try:
        search = QuickSearch(machine, seat, Random(seed), SHORT_ROUNDS, 1, IN_A_TRIAL)
        search.try_each()
        return search.best(0)
    except Undealt:
        return quickly_tried(machine, seat.outer, seed)
    except (Untranslatable, Failed):
        return None
