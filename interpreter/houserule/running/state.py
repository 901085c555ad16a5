"""The state of a match: flat lists of small ints, the frames of what is going on, and nothing that has a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Protocol

from houserule.compiler.blocks import ASK, DONE, FORKED
from houserule.compiler.program import Program
from houserule.compiler.runtime import each_once
from houserule.language.types import Player
from houserule.operations import Fault
from houserule.operations.fuel import FUEL, RESERVE
from houserule.running.parts import put_together


class Script(Protocol):
    """Chance that is not left to the generator."""

    def rolled(self, s: State, name: str, values: Sequence[int], /) -> int | None:
        """The result of a roll, or None to leave it to the generator."""

    def shuffled(self, s: State, slot: int, /) -> None:
        """After a zone was shuffled."""


class State:
    """A match at rest or at work.

    `v` variables, `z` zones, `w` the zone of each piece; `frames` what is going on; `site`, `asker`, `options` and
    `bounds` the question that waits, `answer` its answer or the result of a call; `forks` the parts of a together.
    """

    __slots__ = (
        "answer",
        "asker",
        "bounds",
        "capacities",
        "decisions",
        "declined",
        "depth",
        "draining",
        "enters",
        "forks",
        "frames",
        "fuel",
        "generator",
        "in_turn",
        "leaves",
        "log",
        "must",
        "options",
        "passes",
        "pc",
        "player",
        "program",
        "queue",
        "random",
        "refills",
        "reserve",
        "running",
        "said",
        "script",
        "shared",
        "site",
        "slapped",
        "to_act",
        "v",
        "w",
        "waits",
        "z",
    )

    def __init__(self, program: Program, generator: Random | None) -> None:
        self.program = program
        self.v = program.variables[:]
        self.z = [pile[:] for pile in program.zones]
        self.w = program.places[:]
        self.frames: list[list[Any]] = [[-1] * program.flow_frame]
        self.generator = generator
        self.random: Callable[[], float] | None = generator.random if generator is not None else None
        self.log: list[tuple[Any, ...]] | None = [] if program.told else None
        self.script: Script | None = None
        self.pc = program.entry
        self.site = -1
        self.asker = -1
        self.options: Sequence[int] = ()
        self.bounds = (1, 1)
        self.answer: Any = -1
        self.must: Sequence[int] = ()
        self.slapped: list[int] = []
        self.declined: list[int] = []
        self.said: tuple[Any, ...] = ()
        self.forks: list[State] | None = None
        self.in_turn = False  # random play: parts that cannot tell follow one another, without a state for each
        self.to_act: tuple[Iterator[int], int, int, int, list[Any]] | None = None
        self.shared = False
        self.player = -1
        self.waits = False
        self.queue: list[tuple[int, int, int]] = []
        self.running: tuple[int, ...] = ()
        self.draining = False
        self.decisions = 0  # of a match that is played straight through
        self.fuel = FUEL
        self.reserve = RESERVE
        self.passes = 0
        self.depth = 0
        self.leaves = program.leaves
        self.enters = program.enters
        self.capacities = program.capacities
        self.refills = program.refills

    def begin(self, trigger: int) -> None:
        """A trigger before or after an action begins: it does not restart itself."""
        self.running = (*self.running, trigger)

    def end(self) -> None:
        """It is done."""
        self.running = self.running[:-1]

    def shallower(self) -> None:
        """A recursive call is done."""
        self.depth -= 1

    def owner_of(self, piece: int) -> int:
        """Whose a piece is: by its attribute `seat`, or by the zone it lies in."""
        kind = self.program.kind_of[piece]
        if isinstance(kind.attribute_types.get("seat"), Player):
            seat = kind.attributes["seat"][piece - kind.base]
            return seat if isinstance(seat, int) else -1
        where = self.w[piece]
        return self.program.zone_owner[where] if where >= 0 else -1

    # --- copies -------------------------------------------------------------------------------------------------------

    def copy(self) -> State:
        """The same state again, with chance that goes on alike and nothing in common."""
        made = self.copy_at(None)
        if self.generator is not None:
            generator = Random.__new__(Random)
            generator.setstate(self.generator.getstate())
            made.generator = generator
            made.random = generator.random
        if self.forks is not None:
            made.forks = [fork.copy_at(made if self.shared else None) for fork in self.forks]
        return made

    def copy_at(self, table: State | None) -> State:
        """A copy without chance of its own, with the variables and zones of another state or with copies of its own."""
        made = State.__new__(State)
        made.program = self.program
        if table is not None:
            made.v, made.z, made.w = table.v, table.z, table.w
        else:
            made.v, made.z, made.w = self.v[:], [pile[:] for pile in self.z], self.w[:]
        self.share(made)
        made.frames = [frame[:] for frame in self.frames]
        if self.log is not None:
            made.log = self.log[:]
        return made

    def share(self, made: State) -> None:
        """Everything that is no list of the table."""
        made.generator = self.generator
        made.random = self.random
        made.log = self.log
        made.script = self.script
        made.pc = self.pc
        made.site = self.site
        made.asker = self.asker
        made.options = self.options
        made.bounds = self.bounds
        made.answer = self.answer
        made.must = self.must
        made.slapped = self.slapped[:]
        made.declined = self.declined[:]
        made.said = self.said
        made.forks = None
        made.in_turn = False
        made.to_act = None
        made.shared = self.shared
        made.player = self.player
        made.waits = self.waits
        made.queue = self.queue[:]
        made.running = self.running
        made.draining = self.draining
        made.decisions = self.decisions
        made.fuel = self.fuel
        made.reserve = self.reserve
        made.passes = self.passes
        made.depth = self.depth
        made.leaves = self.leaves
        made.enters = self.enters
        made.capacities = self.capacities
        made.refills = self.refills

    # --- everyone at once ---------------------------------------------------------------------------------------------

    def fork(self, players: Sequence[int], inside: int, binder: int, then: int, shared: bool) -> int:
        """Each player's part begins; the code of what follows, or FORKED while somebody is asked."""
        players = each_once(players)
        frame = self.frames[-1]
        if shared and self.in_turn:
            self.to_act = (iter(players), inside, binder, then, frame[:])
            return self.next_to_act()
        self.pc = then
        self.shared = shared
        forks: list[State] = []
        for player in players:
            part = State.__new__(State)
            part.program = self.program
            if shared:
                part.v, part.z, part.w = self.v, self.z, self.w
            else:
                part.v, part.z, part.w = self.v[:], [pile[:] for pile in self.z], self.w[:]
            self.share(part)
            part.frames = [frame[:]]
            if binder >= 0:
                part.frames[0][binder] = player
            part.player = player
            part.log = [] if self.log is not None else None
            part.generator, part.random = None, no_chance
            # A together is one simple statement: triggers have their turn after the merge.
            part.draining = True
            part.queue = []
            forks.append(part)
        self.forks = forks
        for part in forks:
            part.advance(inside)
        return FORKED if any(part.waits for part in forks) else self.merge()

    def next_to_act(self) -> int:
        """In turn: where the next player's part begins, with the names as they were; after the last, what follows."""
        assert self.to_act is not None
        players, inside, binder, then, before = self.to_act
        frame = self.frames[-1]
        frame[:] = before
        for player in players:
            if binder >= 0:
                frame[binder] = player
            return inside
        self.to_act = None
        return then

    def advance(self, pc: int) -> None:
        """Run one player's part to its next question, or to its end."""
        segments = self.program.segments
        final = self.program.final
        self.fuel = FUEL
        self.passes = 0
        while pc >= 0:
            if self.shared and pc in final:
                break
            pc = segments[pc](self)
        if pc not in (ASK, DONE) and pc < 0:
            raise Fault("this cannot happen in a together")
        self.waits = pc == ASK
        if pc != ASK:
            self.pc = pc

    def merge(self) -> int:
        """All have answered: their changes, in seat order, become those of all; where it goes on."""
        assert self.forks is not None
        forks = sorted(self.forks, key=lambda part: part.player)
        if self.shared:
            segments = self.program.segments
            for part in forks:
                pc = part.pc
                while pc >= 0:
                    pc = segments[pc](part)
        else:
            try:
                put_together(self, forks)
            except Fault as fault:
                fault.place = self.program.together_at.get(self.pc)
                raise
        if self.log is not None:
            for part in forks:
                self.log.extend(part.log or ())
        self.reserve -= sum(self.reserve - part.reserve for part in forks)
        self.forks = None
        self.shared = False
        return self.pc


def no_chance() -> float:
    """What a part of a together gets in place of chance. The checker has refused what would ask for it."""
    raise Fault("there is no chance in a together")


def run(s: State, pc: int) -> int:
    """Run from a segment to the next question; the code it stopped with."""
    segments = s.program.segments
    s.fuel = FUEL
    s.passes = 0
    s.depth = 0
    while pc >= 0:
        pc = segments[pc](s)
    return pc
