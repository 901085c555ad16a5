"""Swaps pieces: in a state, in its variables, frames and questions, and in the log.

A *renaming* permutes pieces. Printed attributes stay with the pieces; places and variables
stay with the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from houserule.compiler.program import Program
from houserule.language.checked import Variable
from houserule.language.types import NUMBER, Piece, Tuple, plain
from houserule.running import log
from houserule.running.state import State


class Renaming:
    """A permutation of pieces. `of[piece]` takes its place."""

    def __init__(self, program: Program, of: dict[int, int], with_variables: bool = True) -> None:
        self.program = program
        self.of = of
        self.slots: dict[int, int] = {}  # by slot of a piece's variable: the slot of its replacement
        self.holding: list[range] = []  # the slots whose values are pieces
        kinds = {program.kind_of[piece].name for piece in of}
        for variable in program.symbols.variables.values() if of and with_variables else ():
            if (value := plain(variable.type)) == Piece(None) or (isinstance(value, Piece) and value.kind in kinds):
                self.holding.append(variable.slots)
            indexing = [p.type.kind for p in variable.parameters if isinstance(p.type, Piece)]
            if len(variable.parameters) == 1 and indexing and indexing[0] in kinds:
                ahead = variable.base - variable.lows[0]
                kind = indexing[0]
                self.slots.update((a + ahead, b + ahead) for a, b in of.items() if program.kind_of[a].name == kind)
            elif any(kind is None or kind in kinds for kind in indexing):
                slots = variable.slots
                self.slots.update((slot, variable.slot(self.index(variable, slot))) for slot in slots)

    def changes(self, s: State) -> bool:
        """Whether running rules or the question of a state hold a piece that is renamed. They do not from then on."""
        frames, options = [frame[:] for frame in s.frames], list(s.options)
        self.frames(s)
        self.question(s)
        return frames != s.frames or options != list(s.options)

    def index(self, variable: Variable, slot: int) -> tuple[int, ...]:
        return tuple(
            self.of.get(value, value) if isinstance(parameter.type, Piece) else value
            for parameter, value in zip(variable.parameters, variable.index(slot), strict=True)
        )

    def piece(self, piece: int) -> int:
        return self.of.get(piece, piece)

    def pieces(self, pieces: Iterable[int]) -> list[int]:
        of = self.of
        return [of.get(piece, piece) for piece in pieces]

    def typed(self, type: Any, value: Any) -> Any:
        if isinstance(type, Tuple):
            return self.tuples(type, value)
        inner = getattr(type, "of", type)
        return self.held(value) if isinstance(plain(inner), Piece) else value

    def tuples(self, type: Tuple, value: Any) -> Any:
        """Permute the pieces in a tuple, in several, or in none."""
        if isinstance(value, list | tuple):
            return [self.tuples(type, one) for one in value]
        if value < 0:
            return value
        return type.whole(self.typed(of, part) for of, part in zip(type.of, type.parts(value), strict=True))

    def held(self, value: Any) -> Any:
        """Permute a piece or several."""
        if isinstance(value, list | tuple):
            return self.pieces(value)
        return self.of.get(value, value)

    def value(self, slot: int, value: int) -> int:
        return self.of.get(value, value) if any(slot in slots for slots in self.holding) else value

    def variables(self, v: Sequence[int]) -> list[int]:
        made = list(v)
        for slots in self.holding:
            for slot in slots:
                made[slot] = self.of.get(v[slot], v[slot])
        if self.slots:
            kept = made[:]
            for slot, other in self.slots.items():
                made[other] = kept[slot]
        return made

    def places(self, w: Sequence[int]) -> list[int]:
        made = list(w)
        for piece, other in self.of.items():
            made[other] = w[piece]
        return made

    def state(self, s: State) -> None:
        """Rename in a state, and in the parts of a together."""
        for part in (s, *(s.forks or ())):
            if part is s or not s.shared:
                part.v[:] = self.variables(part.v)
                for zone in {part.w[piece] for piece in self.of}:
                    if zone >= 0:
                        part.z[zone][:] = self.pieces(part.z[zone])
                part.w[:] = self.places(part.w)
            self.frames(part)
            self.question(part)
            part.queue = [self.waiting(*entry) for entry in part.queue]
        for part in s.forks or ():
            if part.log is not None:
                part.log = [log.noted(self.entry(entry)) for entry in log.entries(part.log)]

    def frames(self, s: State) -> None:
        """Rename in the local names of running rules."""
        held = self.program.held
        resumed = [int(frame[0]) for frame in s.frames[1:]]
        for frame, segment in zip(s.frames, [*resumed, s.pc], strict=True):
            places = set(held.get(segment, ()))
            if (s.forks is not None or s.to_act) and frame is s.frames[-1]:
                places.update(held.get(s.inside, ()))  # each part begins with a copy of it
            for place in places:
                if place < len(frame):  # after the end of a match in the middle of rules, frames are obsolete
                    frame[place] = self.held(frame[place])

    def question(self, s: State) -> None:
        site = self.program.sites[s.site] if s.site >= 0 else None
        if site is None:
            return
        if site.kind in ("pick", "several") or site.values:
            s.options = self.typed(site.type, list(s.options))
        if s.said:
            sentences = [(site.raw, site.parts), *site.labels]
            s.said = tuple(
                self.lists(site.values[number - 1], v)
                if number and site.has_values(number - 1)
                else self.sentence(parts, v)
                for number, ((_, parts), v) in enumerate(zip(sentences, s.said, strict=False))
            )

    def lists(self, listed: Sequence[Any], values: Sequence[Any]) -> tuple[Any, ...]:
        """The lists of what a line of a menu says for each of its values."""
        return tuple(self.typed(of.type, value) for of, value in zip(listed, values, strict=True))

    def waiting(self, trigger: int, value: int, slot: int) -> tuple[int, int, int]:
        """Rename in a waiting trigger: the piece that moved, or the old value of a variable."""
        if self.program.symbols.triggers[trigger].event.happening == "changes":
            return trigger, self.value(slot, value), self.slots.get(slot, slot)
        return trigger, self.piece(value), slot

    def sentence(self, parts: Sequence[Any], values: Sequence[Any]) -> tuple[Any, ...]:
        types = [part for part in parts if not isinstance(part, str)]
        return tuple(self.typed(t, v) for t, v in zip(types, values, strict=True))

    def entry(self, entry: log.Entry) -> log.Entry:
        match entry:
            case log.Moved(piece):
                return replace(entry, piece=self.piece(piece))
            case log.Swapped():
                return replace(entry, piece=self.piece(entry.piece), other=self.piece(entry.other))
            case log.Exchanged() | log.Arranged():
                return replace(entry, contents=tuple(tuple(self.pieces(pieces)) for pieces in entry.contents))
            case log.Shuffled(zone, order):
                return log.Shuffled(zone, tuple(self.pieces(order)))
            case log.VariableSet(slot, value) | log.VariableReset(slot, value):
                return type(entry)(self.slots.get(slot, slot), self.value(slot, value))
            case log.Said(text, values):
                return replace(entry, values=self.sentence(self.program.texts[text][1], values))
            case log.Shown(pieces, to):
                return log.Shown(tuple(self.pieces(pieces)), to)
            case log.Rolled(name, value, values):
                type_ = self.program.game.analysis.rolled.get(name, NUMBER)
                return log.Rolled(name, self.typed(type_, value), tuple(self.typed(type_, each) for each in values))
            case log.Answered(site, value, options) if site >= 0:
                type_ = self.program.sites[site].type
                offered = tuple(self.typed(type_, each) for each in options)
                labels, said = self.program.sites[site].labels, entry.said
                if said and isinstance(value, int):
                    said = self.sentence(labels[self.program.sites[site].line(value)][1], said)
                return replace(entry, value=self.typed(type_, value), options=offered, said=said)
        return entry
