"""Determinization: a match as one player might imagine it, with what they cannot know dealt anew, and what they are shown unchanged.

Pieces take any places that they could have (`telling.knowledge`), all deals equally likely where they can be counted:
that is, if the sets of places that pieces may have are nested or disjoint, as they are after any number of shuffles of whole
zones. Otherwise random exchanges approximate that. Hidden variables take any value that was rolled from, offered, or possible.
Players who answer at the same time start anew, and those who have answered do so at random.

Not changed: local names of running rules, except pieces; how many pieces lie in zones whose
number the player is not told, unless pieces were moved between them; hidden numbers that rules have computed; values
by position; and the question that somebody else is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random

from houserule.compiler.chance import any_answer
from houserule.compiler.program import Program
from houserule.language.types import Piece, plain
from houserule.running.log import WORDS, Answered, entries
from houserule.running.observing import MOST_DEALS
from houserule.running.renaming import Renaming
from houserule.running.state import State
from houserule.telling.events import Event, Narrator, amount_known, sees_variable
from houserule.telling.knowledge import Knowledge, in_bits
from houserule.telling.labels import Labels


@dataclass(frozen=True, slots=True)
class Beginning:
    """The start of an imagined match: a table, after what its player was told."""

    program: Program
    events: tuple[Event, ...]
    step: str
    passes: dict[str, int]
    laid_open: Mapping[int, frozenset[int]]
    """`LaidOpen.to`."""
    answered: tuple[Answered, ...] = ()
    """What the player has answered before while others act at the same time."""

    def narrator(self, labels: Labels, viewers: Sequence[int]) -> Narrator:
        made = Narrator(self.program, labels, viewers)
        made.step = self.step
        made.passes.update(self.passes)
        made.laid_open.to.update(self.laid_open)
        made.tables = {viewer: list(self.events) for viewer in viewers}
        return made


class Imagination:
    """What one player can imagine at one moment of a match; it deals any number of worlds, told or quiet."""

    def __init__(self, s: State, knowledge: Knowledge, answered: Sequence[Answered] = ()) -> None:
        """`answered` is what the player had answered at once with others when the log began."""
        self.s = s
        self.before = answered
        self.seat = knowledge.viewer
        self.is_undealt = False
        """Whether the true state stood for one that was not found."""
        self.own = next((part for part in s.forks or () if part.player == self.seat), None)
        self.knowledge = knowledge.copy()
        self.knowledge.look(self.knowledge.unsettled)
        if self.own is not None:
            for piece in self.knowledge.unsettled:
                if s.program.sees(self.own, self.seat, piece):
                    self.knowledge.settle(piece)

    @cached_property
    def alike(self) -> dict[int, list[int]]:
        """By the places where they may be, as bits: pieces."""
        found: dict[int, list[int]] = {}
        for piece in self.knowledge.unsettled:
            found.setdefault(self.knowledge.may[piece], []).append(piece)
        return found

    @cached_property
    def who(self) -> dict[int, list[int]]:
        """By place that may be another piece's: the first of each class of pieces that may be there."""
        found: dict[int, list[int]] = {place: [] for place in self.knowledge.unsettled}
        for bits, pieces in self.alike.items():
            for place in in_bits(bits & ~self.knowledge.settled):
                found[place].append(pieces[0])
        return found

    @cached_property
    def places(self) -> list[int]:
        """The places that may be another piece's, in an order independent of what is there."""
        s, who = self.s, self.who
        found: list[int] = []
        for zone in sorted({s.w[place] for place in who}):
            lying = [place for place in s.z[zone] if place in who]
            found += sorted(lying, key=who.__getitem__) if s.program.unordered[zone] else lying
        return found

    @cached_property
    def classes(self) -> list[tuple[list[int], list[int]]]:
        """Pieces that may be in the same places, with these places; those with the fewest come first."""
        found: dict[int, list[int]] = {pieces[0]: [] for pieces in self.alike.values()}
        for place in self.places:
            for piece in self.who[place]:
                found[piece].append(place)
        classes = [(pieces, found[pieces[0]]) for pieces in self.alike.values()]
        return sorted(classes, key=lambda one: (len(one[1]), one[0]))

    @cached_property
    def is_nested(self) -> bool:
        """Whether the places of any two classes are disjoint or nested."""
        sets = [bits & ~self.knowledge.settled for bits in self.alike]
        return all(a & b in (0, a, b) for a, b in combinations(sets, 2))

    @cached_property
    def sight(self) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
        """What decides during the match whether the player sees something: pieces by place, and variables; and whether they do."""
        s, program, seat = self.s, self.s.program, self.seat
        piles = [s.z[slot] for slot in self.knowledge.in_doubt]
        kinds = enumerate(program.variable_sight) if program.variables_in_doubt else ()
        slots = [slot for slot, sight in kinds if callable(sight)]
        return (
            [(piece, program.sees(s, seat, piece)) for pile in piles for piece in pile],
            [(slot, sees_variable(program, s, seat, slot)) for slot in slots],
        )

    @cached_property
    def is_delicate(self) -> bool:
        """Whether a deal may change what the player sees, because variables or the pieces themselves decide it."""
        sight = self.s.program.zone_sight
        return bool(self.variables) or any(callable(sight[self.s.w[place]]) for place in self.places)

    def looks_the_same(self, made: State, renaming: Renaming) -> bool:
        """Whether the player sees exactly what they saw before."""
        pieces, slots = self.sight
        sees = made.program.sees
        return all(sees(made, self.seat, renaming.piece(place)) == seen for place, seen in pieces) and all(
            sees_variable(made.program, made, self.seat, renaming.slots.get(slot, slot)) == seen for slot, seen in slots
        )

    @cached_property
    def variables(self) -> list[tuple[int, list[int]]]:
        """The hidden variables with several possible values, and these; pieces by their possible places."""
        s, program = self.s, self.s.program
        rank = {place: number for number, place in enumerate(self.places)}
        found = []
        for slot, values in sorted(self.knowledge.values.items()):
            if not sees_variable(program, s, self.seat, slot) and self.is_guessed(slot):
                if isinstance(plain(program.variable_of[slot].type), Piece):
                    places = set(self.beside(s.v[slot], values))
                    found.append((slot, sorted(places, key=lambda place: (rank.get(place, -1), place))))
                else:
                    found.append((slot, sorted(set(values))))
        return [(slot, values) for slot, values in found if len(values) > 1]

    def is_guessed(self, slot: int) -> bool:
        """Whether a hidden variable may have another value; those of hidden pieces stay with their places."""
        variable = self.s.program.variable_of[slot]
        indices = zip(variable.parameters, variable.index(slot), strict=True)
        return all(self.s.program.sees(self.s, self.seat, at) for p, at in indices if isinstance(p.type, Piece))

    def beside(self, piece: int, values: Sequence[int]) -> Sequence[int]:
        """The pieces that somebody may have meant instead of a piece: options in the same zone, or any piece in a zone without order."""
        s = self.s
        if piece < 0 or s.w[piece] < 0 or s.program.sees(s, self.seat, piece):
            return [piece]
        if s.program.unordered[s.w[piece]] and len(values) < 2:
            values = [other for other in s.z[s.w[piece]] if not s.program.sees(s, self.seat, other)]
        return [value for value in values if value >= 0 and s.w[value] == s.w[piece]]

    # --- dealing ----------------------------------------------------------------------------------------------------------

    def dealt(self, random: Random) -> dict[int, int]:
        """A way to deal the hidden pieces: the piece at each place."""
        if not self.places:
            return {}
        if not self.is_nested:
            return self.exchanged(random)
        of: dict[int, int] = {}
        for pieces, places in self.classes:
            left = places if len(pieces) == len(places) else [place for place in places if place not in of]
            of.update(zip(random.sample(left, len(pieces)), pieces, strict=True))
        return of

    def exchanged(self, random: Random) -> dict[int, int]:
        """A way to deal pieces whose sets of places overlap: a possible one, after many random exchanges."""
        allowed = {piece: places for pieces, places in self.classes for piece in pieces}
        of: dict[int, int] = {}
        for piece, places in allowed.items():
            self.give_place(piece, allowed, of, random, set(places))
        at = {piece: place for place, piece in of.items()}
        may = {piece: frozenset(places) for piece, places in allowed.items()}
        pieces = sorted(at)
        for _ in range(8 * len(pieces)):
            a, b = random.choice(pieces), random.choice(pieces)
            if at[b] in may[a] and at[a] in may[b]:
                at[a], at[b] = at[b], at[a]
        return {place: piece for piece, place in at.items()}

    def give_place(
        self, piece: int, allowed: dict[int, list[int]], of: dict[int, int], random: Random, untried: set[int]
    ) -> bool:
        """Give a piece a place, moving others if necessary (augmenting paths, Kuhn 1955)."""
        for place in random.sample(allowed[piece], len(allowed[piece])):
            if place in untried:
                untried.discard(place)
                other = of.get(place)
                if other is None or self.give_place(other, allowed, of, random, untried):
                    of[place] = piece
                    return True
        return False

    def world(self, random: Random, program: Program) -> tuple[State, Renaming]:
        """A state of the told or quiet program that the player could not distinguish from the true one, with fresh chance."""
        made, renaming = self.dealt_anew(random, program)
        made.generator = Random(random.getrandbits(64))
        made.random = made.generator.random
        self.ask_others(made, random)
        return made, renaming

    def beginning(self, program: Program, random: Random | None = None, dealt: dict[int, int] | None = None) -> State:
        """Such a state without chance, in which those who act at the same time are about to begin: dealt anew, or as it is said, or the true one."""
        if random is not None:
            made = self.dealt_anew(random, program)[0]
        else:
            made = self.attempt(dealt, Random(0), program)[0] if dealt is not None else self.bare(program)
        if self.s.forks is not None:
            made.forks, made.to_act = None, [part.player for part in self.s.forks]
        return made

    @cached_property
    def answered(self) -> list[Answered]:
        """What the player has answered already while others act at the same time: nothing else is told until all have."""
        if self.own is None:
            return []
        log = self.s.log or ()
        start = next((at for at in range(len(log), 0, -1) if log[at - 1][0] != WORDS[Answered]), 0)
        since = [one for one in entries(log, start) if isinstance(one, Answered) and one.seat == self.seat]
        return since if start else [*self.before, *since]

    @property
    def is_simple(self) -> bool:
        """Whether worlds differ only in the places of pieces, and at most pieces decide what the player sees."""
        return (
            self.is_nested
            and not self.variables
            and not self.knowledge.astray
            and not self.s.program.variables_in_doubt
        )

    def dealt_anew(self, random: Random, program: Program) -> tuple[State, Renaming]:
        """A state in which the player would see what they see, before anybody else is asked."""
        for _ in range(MOST_DEALS):
            made, renaming = self.attempt(self.dealt(random), random, program)
            if not (program.told or self.is_delicate) or self.looks_the_same(made, renaming):
                break
        else:
            made, renaming = self.bare(program), Renaming(program, {})
            self.is_undealt = True
        self.lead_astray(made, renaming, random)
        return made, renaming

    def attempt(self, dealt: dict[int, int], random: Random, program: Program) -> tuple[State, Renaming]:
        """A state with pieces dealt this way, and other values in hidden variables."""
        renaming = Renaming(self.s.program, {place: piece for place, piece in dealt.items() if place != piece})
        made = self.bare(program)
        renaming.state(made)
        for slot, values in self.variables:
            value = renaming.value(slot, random.choice(values))
            for part in (made, *(made.forks or ())):
                part.v[slot] = value
        return made, renaming

    def bare(self, program: Program) -> State:
        """A copy of the state without its history."""
        s = self.s
        made = s.bare(None, program)
        if s.forks is not None:
            made.forks = [part.bare(made if s.shared else None, program) for part in s.forks if part is self.own]
            for part in made.forks if program.told else ():
                assert self.own is not None and self.own.log is not None
                part.log = self.own.log[:]  # told once all have acted
        return made

    def lead_astray(self, made: State, renaming: Renaming, random: Random) -> None:
        """Put pieces that have moved unnoticed into any of the zones where they may be."""
        if made.forks is not None or not self.knowledge.astray:
            return
        program = made.program
        for place in self.places:
            piece, here = renaming.piece(place), made.w[renaming.piece(place)]
            zones = [
                zone
                for zone in sorted(self.knowledge.astray.get(place, ()))
                if zone == here or len(made.z[zone]) < program.capacities.get(zone, len(made.z[zone]) + 1)
                if not amount_known(program, made, self.seat, zone)
            ]
            if here in zones and (there := random.choice(zones)) != here:
                made.z[here].remove(piece)
                made.z[there].insert(random.randint(0, len(made.z[there])), piece)
                made.w[piece] = there

    def ask_others(self, made: State, random: Random) -> None:
        """Let others who act at the same time start anew; those who have answered do so at random."""
        s = self.s
        if s.forks is not None:
            assert made.forks is not None
            own = {part.player: part for part in made.forks}
            made.forks = [own.get(part.player) or made.part_of(part.player, part.parts) for part in s.forks]
            for part, true in zip(made.forks, s.forks, strict=True):
                if true is not self.own:
                    part.advance(made.inside)
                    while part.waits and not true.waits:
                        part.answer = any_answer(part, made.program.sites[part.site], random.random)
                        part.advance(part.pc)
        elif s.waits and s.program.sites[s.site].kind == "race":
            self.race_again(made, random)

    def race_again(self, made: State, random: Random) -> None:
        """Let others who have answered in a race do so at random, in any order."""
        s = self.s
        answered = [seat for seat in sorted((*s.slapped, *s.declined)) if seat != self.seat]
        made.declined = [seat for seat in s.declined if seat == self.seat]
        made.slapped = [seat for seat in s.slapped if seat == self.seat]
        for seat in answered:
            if seat in s.must or random.random() < 0.5:
                made.slapped.insert(random.randint(0, len(made.slapped)), seat)
            else:
                made.declined.append(seat)
