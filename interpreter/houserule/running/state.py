"""The state of a match: flat lists of integers, the frames of running rules, and no names; and how copies of it are merged.

A player's own variables and zones come from that player's part. Pieces that several players put into a common zone end up
as if the players had acted in seat order: each piece lies where its player put it among the pieces that were there before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, Protocol

from houserule.compiler.blocks import ASK, DONE, FORKED
from houserule.compiler.program import Program
from houserule.compiler.questions import Watch
from houserule.operations import Fault
from houserule.operations.fuel import ALONE, FUEL, OPTION, QUESTION, Drawn, between_answers, reserve
from houserule.running.log import Entry, Moved, Noted, Swapped, entries, noted


class Table(Protocol):
    """What merging needs of a state and of its parts."""

    program: Program
    v: list[int]
    z: list[list[int]]
    w: list[int]
    log: list[Noted] | None
    queue: list[tuple[int, int, int]]
    player: int

    def part(self, table: None) -> Table:
        """A copy."""


MANY = 1 << 30
"""More pieces than there are."""


def put_together(s: Table, parts: Sequence[Table]) -> None:
    """Apply to a state what each part changed on its copy, in seat order. Raises Fault."""
    before = s.part(None)
    for part in parts:
        take_part(s, before, part, part.player)


# --- in the subset that is translated: see `native` ---------------------------------------------------------------------------


def take_part(s: Table, before: Table, part: Table, player: int) -> None:
    """Apply to a state what one part changed on its copy. Raises Fault."""
    take_variables(s, before, part, player)
    take_pieces(s, before, part, player)
    queue_triggers(s, before, part)


def changed(values: Sequence[int], before: Sequence[int]) -> list[int]:
    return [at for at, value in enumerate(values) if value != before[at]]


def take_variables(s: Table, before: Table, part: Table, player: int) -> None:
    """Apply the variables that a part has changed: its player's own, and those of pieces that came from its player's zones."""
    program = s.program
    for slot in changed(part.v, before.v):
        owner = program.variable_owner[slot]
        piece = program.variable_piece[slot]
        if owner != player and (owner >= 0 or piece < 0 or program.zone_holder[before.w[piece]] != player):
            raise Fault(f"in a together somebody changed '{program.variable_of[slot].name}', which is not their own")
        s.v[slot] = part.v[slot]


def take_pieces(s: Table, before: Table, part: Table, player: int) -> None:
    """Apply the pieces that a part has moved."""
    program = s.program
    holder = program.zone_holder
    moved = changed(part.w, before.w)
    for piece in moved:
        if holder[before.w[piece]] != player or holder[part.w[piece]] not in (player, -1):
            raise Fault("in a together somebody moved a piece that is not their own, or into another's zone")
    if part.log:
        part.log = log_of_all(part.log, lambda slot: holder[slot] == player, before.z, s.z)
    for slot in range(len(s.z)):
        old = before.z[slot]
        pile = part.z[slot]
        if pile == old:
            continue
        if holder[slot] == player:
            s.z[slot][:] = pile
            continue
        lay = frozenset(old)
        if [piece for piece in pile if piece in lay] != old:
            raise Fault(f"in a together somebody rearranged '{program.zone_of[slot].name}', which is not their own")
        found = put_among(s.z[slot], old, pile)
        if len(found) > program.capacities.get(slot, MANY):
            raise Fault(f"'{program.zone_of[slot].name}' is full: it holds {program.capacities[slot]}")
        s.z[slot][:] = found
    for piece in moved:
        s.w[piece] = part.w[piece]


def put_among(lies: Sequence[int], old: Sequence[int], pile: Sequence[int]) -> list[int]:
    """A zone with the pieces that one more player put among its `old` pieces; `pile` is that player's copy of the zone.

    A new piece lies right above the old piece that it was put on, or at the bottom if it was put below all of them. Pieces
    put above all others, or into an empty zone, come to the top.
    """
    lay = frozenset(old)
    made: list[int] = []
    at = 0
    highest = -1
    for piece in old:
        highest = piece
    while highest >= 0 and at < len(pile) and pile[at] not in lay:
        made.append(pile[at])
        at += 1
    for piece in lies:
        made.append(piece)
        if at < len(pile) and pile[at] == piece:
            at += 1
            while piece != highest and at < len(pile) and pile[at] not in lay:
                made.append(pile[at])
                at += 1
    made += pile[at:]
    return made


def queue_triggers(s: Table, before: Table, part: Table) -> None:
    """Queue the triggers of what a part has changed, in its order.

    A `together` is one simple statement: what was changed and changed back has not changed, and of several equal changes
    the last one counts.
    """
    happenings = s.program.happenings
    found = [
        (trigger, before.v[slot] if happenings[trigger] == "changes" else value, slot)
        for trigger, value, slot in part.queue
        if has_changed(s, before, happenings[trigger], value, slot)
    ]
    for at in sorted({row: at for at, row in enumerate(found)}.values()):
        s.queue.append(found[at])


def has_changed(s: Table, before: Table, happening: str, value: int, slot: int) -> bool:
    """Whether what a trigger waits for is so after all: a variable has changed, or a piece has left or entered a zone."""
    if happening == "changes":
        return s.v[slot] != before.v[slot]
    if happening == "leaves":
        return before.w[value] == slot != s.w[value]
    return before.w[value] != slot == s.w[value]


# --- what is told of parts ----------------------------------------------------------------------------------------------------


def log_of_all(
    log: Sequence[Noted],
    is_own: Callable[[int], bool],
    before: Sequence[list[int]],
    lies: Sequence[list[int]],
) -> list[Noted]:
    """The log of a part, with positions in common zones corrected for the pieces that others put there."""
    seen: dict[int, list[int]] = {}  # by zone of all: the zone as that player has it

    def look(zone: int) -> None:
        if not is_own(zone):
            seen.setdefault(zone, before[zone][:])

    def place(zone: int, piece: int) -> int:
        return put_among(lies[zone], before[zone], seen[zone]).index(piece)

    def among_others(entry: Entry) -> Entry:
        match entry:
            case Moved(piece, source, target, position):
                look(source)
                look(target)
                if source in seen:
                    seen[source].remove(piece)
                if target in seen:
                    seen[target].insert(position, piece)
                    return Moved(piece, source, target, place(target, piece))
            case Swapped(a, first, i, b, second, j):
                look(first)
                at = place(first, seen[first][i]) if first in seen else i
                look(second)
                other_at = place(second, seen[second][j]) if second in seen else j
                for zone, position, piece in ((first, i, b), (second, j, a)):
                    if zone in seen:
                        seen[zone][position] = piece
                return Swapped(a, first, at, b, second, other_at)
        return entry

    return [noted(among_others(entry)) for entry in entries(log)]


# --- the state --------------------------------------------------------------------------------------------------------


class Script(Protocol):
    """Prepared results of chance."""

    def rolled(self, s: State, name: str, values: Sequence[int], /) -> int | None:
        """The prepared result of a roll, or None for a random one."""

    def shuffled(self, s: State, slot: int, /) -> None:
        """Called after a zone was shuffled."""


@dataclass(slots=True, eq=False, repr=False)
class State:
    """Everything about a match that changes.

    Each field is declared here only. Copies take all fields; two states are at the same point of a match if all
    fields except those with `compare=False` are equal.
    """

    program: Program = field(compare=False)
    generator: Random | None = field(compare=False)
    random: Callable[[], float] | None = field(init=False, compare=False)
    v: list[int] = field(init=False)  # variables
    z: list[list[int]] = field(init=False)  # zones: the pieces in each, the topmost last
    w: list[int] = field(init=False)  # where each piece is
    kept: list[list[int]] = field(init=False)  # values of variables by position, two lists for each
    frames: list[list[Any]] = field(init=False)  # frames of running rules, the innermost last
    log: list[Noted] | None = field(init=False)  # events; None in a quiet program
    script: Script | None = field(default=None, compare=False)

    # the pending question, and its answer or the result of a call
    pc: int = field(init=False)
    site: int = -1
    asker: int = -1
    options: Sequence[int] = ()
    bounds: tuple[int, int] = (1, 1)
    answer: Any = field(default=-1, compare=False)
    must: Sequence[int] = ()
    slapped: list[int] = field(default_factory=list)
    declined: list[int] = field(default_factory=list)
    said: tuple[Any, ...] = ()
    waits: bool = False

    ending: tuple[str, Sequence[int]] | None = None  # the end by the rules, whatever the score, and the winners

    # a together
    forks: list[State] | None = None  # its parts
    shared: bool = False  # whether they share one state
    player: int = -1  # whose part this is
    parts: int = field(default=0, compare=False)  # how many of them there are
    inside: int = -1  # the segment where the parts begin
    binder: int = -1  # and the place in the frame of the player
    to_act: Sequence[int] = field(default=(), compare=False)  # the players, while parts run in turn
    place: int = field(default=0, compare=False)  # of the next of them
    then: int = field(default=-1, compare=False)  # the segment that follows
    before: list[Any] = field(default_factory=list, compare=False)  # the frame with which each part begins
    before_passes: int = field(default=0, compare=False)
    before_chances: int = field(default=0, compare=False)

    # triggers
    queue: list[tuple[int, int, int]] = field(default_factory=list)
    running: tuple[int, ...] = ()
    draining: bool = False
    leaves: Any = field(init=False, compare=False)
    enters: Any = field(init=False, compare=False)
    capacities: Any = field(init=False, compare=False)
    refills: Any = field(init=False, compare=False)

    # work
    chances: int = field(default=0, compare=False)  # how many questions chance may still answer in generated code
    chance: Callable[[], float] | None = field(default=None, compare=False)  # the generator that answers them
    watch: Watch | None = field(default=None, compare=False)  # the records of a watched program
    fuel: int = field(default=FUEL, compare=False)
    reserve: int = field(default_factory=reserve, compare=False)
    between: int = field(default_factory=between_answers, compare=False)  # the limit between two answers
    since: int = field(default=0, compare=False)
    spent: Drawn | None = field(default=None, compare=False)  # the purposes of draws of units, the latest first
    noted: int = field(default=0, compare=False)  # how many entries of the log have been counted as work
    unasked: int = field(default=0, compare=False)  # how many questions chance could still answer at the last count
    passes: int = field(default=0, compare=False)
    depth: int = 0

    def __post_init__(self) -> None:
        program, generator = self.program, self.generator
        self.random = generator.random if generator is not None else None
        self.v = program.variables[:]
        self.z = [pile[:] for pile in program.zones]
        self.w = program.places[:]
        self.kept = [[] for _ in range(2 * len(program.memories))]
        self.frames = [[-1] * program.flow_frame]
        self.log = [] if program.told else None
        self.pc = program.entry
        self.leaves, self.enters = program.leaves, program.enters
        self.capacities, self.refills = program.capacities, program.refills

    # --- questions ----------------------------------------------------------------------------------------------------

    def asked(self) -> list[tuple[State, int]]:
        """Who may answer now: what each answers on, and the seat."""
        if self.forks is not None:
            return [(part, part.player) for part in self.forks if part.waits]
        if self.program.sites[self.site].kind == "race":
            return [(self, seat) for seat in self.options if seat not in self.slapped and seat not in self.declined]
        return [(self, self.asker)]

    @property
    def seats_asked(self) -> list[int]:
        """The seats that may answer now."""
        return [seat for _, seat in self.asked()]

    @property
    def seats_acting(self) -> list[int]:
        """The seats that may answer, in seat order, and of simultaneous choosers those who have chosen: that is nobody's to know."""
        if self.forks is not None:
            return sorted(part.player for part in self.forks)
        return sorted(self.options if self.program.sites[self.site].kind == "race" else [self.asker])

    def at(self, seat: int) -> State:
        """What a seat answers on: its part, while several act at once."""
        return self if self.forks is None else next((part for part in self.forks if part.player == seat), self)

    def give(self, seat: int, answer: Any) -> int | None:
        """Give an answer; returns the next segment, or None while others have to answer. Raises what rules raise."""
        if self.forks is not None:
            part = self.at(seat)
            part.answer = answer
            part.advance(part.pc)
            return None if any(one.waits for one in self.forks) else self.merge()
        if self.program.sites[self.site].kind == "race":
            (self.slapped if answer else self.declined).append(seat)
            if len(self.slapped) + len(self.declined) < len(self.options):
                return None
            self.answer = list(self.slapped)
        else:
            self.answer = answer
        return self.pc

    # --- triggers -----------------------------------------------------------------------------------------------------

    def begin(self, trigger: int) -> None:
        self.running = (*self.running, trigger)

    def end(self) -> None:
        self.running = self.running[:-1]

    def shallower(self) -> None:
        self.depth -= 1

    # --- copies -------------------------------------------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> State:
        """An independent copy; its chance continues in the same way, or starts anew with a seed."""
        made = self.copy_at(None)
        if seed is not None:
            made.generator = Random(seed)
            made.random = made.generator.random
        elif self.generator is not None:
            generator = Random.__new__(Random)
            generator.setstate(self.generator.getstate())
            made.generator = generator
            made.random = generator.random
        if self.forks is not None:
            made.forks = [fork.copy_at(made if self.shared else None) for fork in self.forks]
        return made

    def copy_at(self, table: State | None) -> State:
        """A copy with the same generator, and with the variables and zones of `table` or copies of its own."""
        made = self.part(table)
        made.frames = [frame[:] for frame in self.frames]
        if self.log is not None:
            made.log = self.log[:]
        return made

    def part(self, table: State | None) -> State:
        """A copy with the variables and zones of `table` or copies of its own, which shares the frames and the log."""
        made = State.__new__(State)
        take_fields(made, self)
        if table is not None:
            made.v, made.z, made.w, made.kept = table.v, table.z, table.w, table.kept
        else:
            made.v, made.z, made.w = self.v[:], [pile[:] for pile in self.z], self.w[:]
            made.kept = self.kept[:]
        made.slapped, made.declined, made.queue = self.slapped[:], self.declined[:], self.queue[:]
        made.forks, made.to_act, made.chances, made.unasked, made.chance = None, (), 0, 0, None
        return made

    def bare(self, table: State | None, program: Program) -> State:
        """A copy at the same point of another flavour of its program, without its parts and its log, and with work counted anew."""
        made = self.part(table)
        made.frames = [frame[:] for frame in self.frames]
        made.program = program
        made.leaves, made.enters = program.leaves, program.enters
        made.capacities, made.refills = program.capacities, program.refills
        made.log = [] if program.told else None
        made.said = self.said if program.told else ()
        made.script = None
        made.fuel, made.reserve, made.since, made.noted, made.unasked = FUEL, reserve(), 0, 0, 0
        return made

    # --- together -------------------------------------------------------------------------------------------------------

    def begins_turns(self) -> bool:
        """Whether the parts of a together that cannot tell the difference run in turn, without a state for each."""
        return self.chances > 0

    def split(self, shared: bool) -> int:
        """Begin each player's part; returns the next segment, or FORKED while somebody is asked."""
        players, self.to_act = self.to_act, ()
        self.pc = self.then
        self.shared = shared
        forks = self.forks = [self.part_of(player, len(players)) for player in players]
        for part in forks:
            part.advance(self.inside)
        return FORKED if any(part.waits for part in forks) else self.merge()

    def part_of(self, player: int, parts: int) -> State:
        """A player's part of a together, one of so many, before it begins."""
        part = self.part(self if self.shared else None)
        part.frames = [self.frames[-1][:]]
        if self.binder >= 0:
            part.frames[0][self.binder] = player
        part.player, part.parts = player, parts
        part.log = [] if self.log is not None else None
        part.noted = 0
        part.generator, part.random = None, no_chance
        # A together is one simple statement: triggers run after the merge.
        part.draining = True
        part.queue = []
        return part

    @property
    def worked(self) -> int:
        """The units that it has used up since its match began."""
        return reserve() + FUEL - self.fuel - self.reserve

    @property
    def offered(self) -> int:
        """The work of telling the options of the last question; 0 in a quiet program."""
        return 0 if self.log is None else OPTION * len(self.options)

    def advance(self, pc: int) -> None:
        """Run a part to its next question or its end."""
        segments = self.program.segments
        final = self.program.final
        # Where something is told, all parts are copied before each answer.
        self.fuel -= ALONE if self.log is None else QUESTION + self.parts * len(self.w) // 4
        self.reserve -= self.offered
        self.since = 0
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
        """Merge all parts in seat order; returns the segment that follows."""
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
        left = self.fuel + self.reserve
        self.reserve -= sum(left - part.fuel - part.reserve for part in forks)
        self.forks = None
        self.shared = False
        return self.pc


def assignments() -> Callable[[State, State], None]:
    """A function that copies all fields from one state to another, unrolled because a loop takes five times as long."""
    made: dict[str, Any] = {}
    lines = [f"    to.{declared.name} = of.{declared.name}" for declared in fields(State)]
    exec("\n".join(["def take_fields(to, of):", *lines]), made)
    found: Callable[[State, State], None] = made["take_fields"]
    return found


take_fields = assignments()


def no_chance() -> float:
    """Chance in a part of a together: none, and the checker rejects rules that need it."""
    raise Fault("there is no chance in a together")


def run(s: State, pc: int) -> int:
    """Run from a segment to the next question; returns the code that stopped it."""
    segments = s.program.segments
    s.reserve -= s.offered
    s.fuel -= QUESTION + len(s.w) + len(s.log or ()) // 4  # the match is copied before each answer
    s.since = 0
    s.passes = 0
    s.depth = 0
    while pc >= 0:
        pc = segments[pc](s)
    return pc
