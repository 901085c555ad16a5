"""What a player can know about hidden things from everything they have been shown since the match began.

A *place* is named after the piece that truly lies there. `may[piece]` is the set of places, as bits, where
a piece may be. A piece that is seen is at its own place, and stays there as long as the player can track it; a shuffle
mixes the places of a zone, and so does a face-down piece that leaves a zone without order.

Pieces start in the zones that the rules name, face down in unknown order. Conclusions from
sentences, scores and other players' behaviour are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
from typing import Any

from houserule.compiler.program import Program
from houserule.language.types import Bool, Int, Member, Piece, Player, Type, none_of, plain
from houserule.running import log
from houserule.running.state import State
from houserule.telling.events import Laid, Shadow, amount_known, sees_variable

MOST_GUESSED = 12
"""A hidden variable with more possible values, set by neither a roll nor an answer, keeps its value."""

MOST_REMEMBERED = 30
"""The number of answers searched for the one that a variable was set to: more than a together has."""

MOST_LOOKED_AT = 50_000
"""The most pieces that are checked for changes since the last time: a player who saw more at once only knows what they see now."""


DIGITS, FROM_DIGITS = bytes.maketrans(b"\0\1", b"01"), bytes.maketrans(b"01", b"\0\1")


class Knowledge:
    """What one player knows; `follow` a log to update it."""

    def __init__(self, program: Program, viewer: int) -> None:
        self.program = program
        self.viewer = viewer
        self.shadow = Shadow(program)
        self.told = 0
        self.looked_at = 0
        self.may = [1 << piece for piece in range(len(program.places))]
        self.everything = self.settled = (1 << len(program.places)) - 1
        """The pieces that are certainly at their own places, as bits: at first all."""
        self.astray: dict[int, frozenset[int]] = {}  # by place: the zones where it may be after an unannounced move
        self.values: dict[int, tuple[int, ...]] = {}  # by slot of a variable that was set unseen: its possible values
        self.rolled: tuple[str, Sequence[int]] = ("", ())
        self.answers: list[log.Answered] = []  # the latest answers, of which a together has several
        self.alike = alike_behind(program)
        self.in_doubt = [slot for slot, sight in enumerate(program.zone_sight) if callable(sight)]
        shut = [sight == "none" or (isinstance(sight, int) and sight != viewer) for sight in program.zone_sight]
        self.is_blind = [*shut, False]
        """By slot of a zone: whether the player never sees what lies there; last, of what lies nowhere."""
        for pile in self.shadow.z:
            self.mix(piece for piece in pile if not self.sees(piece))

    def copy(self) -> Knowledge:
        made = Knowledge.__new__(Knowledge)
        made.__dict__.update(self.__dict__)
        made.shadow = self.shadow.copy()
        made.may, made.astray, made.values = self.may[:], dict(self.astray), dict(self.values)
        made.answers = self.answers[:]
        return made

    def follow(self, noted: Sequence[log.Noted]) -> None:
        self.shadow.rest()
        self.looked_at = 0
        for entry in log.entries(noted, self.told):
            self.one(entry)
        self.told = len(noted)
        if self.has_lost_track:
            self.forget()

    @property
    def has_lost_track(self) -> bool:
        return self.looked_at > MOST_LOOKED_AT

    def forget(self) -> None:
        """Forget everything about pieces except what is seen now, and the zones where they may be."""
        self.looked_at = 0
        self.may = [1 << piece for piece in range(len(self.may))]
        self.settled = self.everything
        self.mix(piece for pile in self.shadow.z for piece in pile if not self.sees(piece))

    def renamed(self, of: Mapping[int, int], shadow: Shadow) -> Knowledge:
        """What the player would know of a table with permuted pieces and an empty log."""
        made = self.copy()
        made.shadow, made.told = shadow, 0
        pieces = self.unsettled
        named: dict[int, int] = {}
        for piece in pieces:
            bits = self.may[piece]
            if bits not in named:
                named[bits] = of_bits(of.get(place, place) for place in in_bits(bits & ~self.settled))
            made.may[piece] = named[bits]
        made.astray = {of.get(place, place): zones for place, zones in self.astray.items()}
        for slot, values in self.values.items():
            if isinstance(plain(self.program.variable_of[slot].type), Piece):
                made.values[slot] = tuple(of.get(value, value) for value in values)
        made.answers = []
        return made

    @property
    def unsettled(self) -> list[int]:
        return in_bits(self.everything & ~self.settled)

    # --- what is seen -----------------------------------------------------------------------------------------------------

    def sees(self, piece: int) -> bool:
        return self.program.sees(self.shadow, self.viewer, piece)

    def look(self, pieces: Iterable[int]) -> None:
        hidden, w, is_blind = self.everything & ~self.settled, self.shadow.w, self.is_blind
        for piece in pieces:
            if hidden >> piece & 1 and not is_blind[w[piece]] and self.sees(piece):
                self.settle(piece)

    def settle(self, piece: int) -> None:
        """A piece is known to be at its own place, and no other is there."""
        bit = 1 << piece
        if self.settled & bit or self.has_lost_track:
            return
        self.looked_at += len(self.alike[piece])
        self.settled |= bit
        others = ~bit
        for other in self.alike[piece]:
            self.may[other] &= others
        self.may[piece] = bit

    def mix(self, places: Iterable[int]) -> None:
        """Whatever is at one of these places may be at each of them, if the backs are alike."""
        left = set(places)
        while left:
            alike = self.alike[next(iter(left))]
            mixed = left.intersection(alike)
            left -= mixed
            bits = of_bits(mixed)
            if len(mixed) > 1:
                self.looked_at += len(alike)
                self.settled &= ~bits
                joined: dict[int, int] = {}  # thousands of pieces share one integer of thousands of bits
                for piece in alike:
                    if (may := self.may[piece]) & bits:
                        self.may[piece] = joined.setdefault(may, may | bits)
                        self.settled &= ~(1 << piece)

    # --- what happens -----------------------------------------------------------------------------------------------------

    def one(self, entry: log.Entry) -> None:
        has_changed = True
        match entry:
            case log.Moved() | log.Swapped():
                self.moved(entry)
            case log.Exchanged(sources, targets):
                onward = dict(zip(sources, targets, strict=True))
                for place, zones in self.astray.items():
                    self.astray[place] = frozenset(onward.get(zone, zone) for zone in zones)
                self.put(entry, mixed=False)
            case log.Shuffled() | log.Arranged():
                self.put(entry, mixed=True)
            case log.Shown(pieces, to):
                for piece in pieces if self.viewer in to else ():
                    self.settle(piece)
            case log.VariableSet(slot, value):
                has_changed = self.shadow.v[slot] != value
                self.set(slot, value)
            case log.VariableReset(slot, value):
                has_changed = self.shadow.v[slot] != value
                self.shadow.v[slot] = value
                self.values.pop(slot, None)
            case log.Answered():
                has_changed = False
                self.answers = [*self.answers[-MOST_REMEMBERED:], entry]
            case log.Rolled(name, _, values):
                has_changed = False
                self.rolled = (name, values)
            case _:
                return  # nothing moves or changes
        if self.settled != self.everything and not self.has_lost_track:
            z = self.shadow.z
            lying = [piece for slot in self.in_doubt for piece in z[slot]]
            self.looked_at += len(lying)
            if has_changed:  # or they see what they saw before
                self.look(lying)

    def moved(self, entry: log.Moved | log.Swapped) -> None:
        """Pieces have moved: those that the player has seen on the way are known, the others may be any from the same zone."""
        ways = entry.ways
        seen = {piece for piece, _, _ in ways if self.sees(piece)}
        told = [self.counts(source) and self.counts(target) for _, source, target in ways]
        beside = [self.beside(source) if piece not in seen else () for piece, source, _ in ways]
        self.shadow.take_place(entry)
        for (piece, source, target), is_told, lay in zip(ways, told, beside, strict=True):
            if piece in seen or self.sees(piece):
                self.settle(piece)
                self.astray.pop(piece, None)
                continue
            self.mix(lay)
            if is_told:
                self.astray.pop(piece, None)
            else:
                self.astray[piece] = self.astray.get(piece, frozenset((source,))) | {target}

    def beside(self, slot: int) -> Sequence[int]:
        """The pieces in a zone without order that the player does not see: any of them may be the one that leaves."""
        if not self.program.unordered[slot] or self.has_lost_track:
            return ()
        self.looked_at += len(self.shadow.z[slot])
        return [piece for piece in self.shadow.z[slot] if not self.sees(piece)]

    def put(self, entry: Laid, mixed: bool) -> None:
        pieces = [piece for pieces in entry.contents for piece in pieces]
        self.looked_at += len(pieces)
        self.shadow.take_place(entry)
        if self.has_lost_track:
            return
        if mixed:
            self.mix(pieces)
        self.look(pieces)

    def counts(self, slot: int) -> bool:
        return amount_known(self.program, self.shadow, self.viewer, slot)

    # --- variables --------------------------------------------------------------------------------------------------------

    def set(self, slot: int, value: int) -> None:
        """A variable has a new value: one that the player sees, or one of those that were rolled from, offered or possible."""
        self.shadow.v[slot] = value
        name, values = self.rolled
        self.rolled = ("", ())
        if sees_variable(self.program, self.shadow, self.viewer, slot):
            self.values.pop(slot, None)
            return
        variable = self.program.variable_of[slot]
        type = plain(variable.type)
        if values and name.split("[")[0].rsplit(".", 1)[-1] == variable.name:
            found = tuple(dict.fromkeys(values))
        else:
            found = self.offered(type, value, slot) or possible(self.program, type, value)
        if value == none_of(variable.type) and value not in found:
            found = (value,)
        self.values[slot] = found

    def offered(self, type: Any, value: int, slot: int) -> tuple[int, ...]:
        """What was offered besides a value to whoever chose it, preferably the variable's owner; empty if nobody did."""
        variable = self.program.variable_of[slot]
        owner = variable.index(slot)[0] if variable.owned else -1
        latest = self.answers[::-1]
        for answer in sorted(latest, key=lambda answer: answer.seat != owner):
            asked = self.program.sites[answer.site]  # in a race it is the last one, which has no options
            if answer.options and asked.kind == "pick" and answer.value == value and is_alike(plain(asked.type), type):
                return tuple(answer.options)
        return ()


def in_bits(bits: int) -> list[int]:
    """The places in a bit set, in ascending order, in time linear in the number of bits."""
    return list(compress(count(), bin(bits)[:1:-1].encode().translate(FROM_DIGITS)))


def of_bits(places: Iterable[int]) -> int:
    digits = bytearray()
    for place in places:
        if place >= len(digits):
            digits.extend(bytes(place + 1 - len(digits)))
        digits[place] = 1
    return int(digits[::-1].translate(DIGITS) or b"0", 2)


def is_alike(asked: Type, type: Type) -> bool:
    """Whether the numbers of two types mean the same: those of two enums do not."""
    return asked.__class__ is type.__class__ and (asked == type or not isinstance(type, Member))


def possible(program: Program, type: Any, value: int) -> tuple[int, ...]:
    """All values of a type if they are few; otherwise the value itself. `none` is not among them."""
    found: Sequence[int] = ()
    match type:
        case Int(low, high):
            found = range(low, high + 1)
        case Bool():
            found = (0, 1)
        case Player():
            found = range(program.symbols.players)
        case Member(kind):
            found = program.symbols.kinds[kind].numbers
    return tuple(found) if 0 < len(found) <= MOST_GUESSED else (value,)


def with_something_beside(program: Program, s: State) -> frozenset[int]:
    """The pieces that index a zone in which something lies."""
    found: set[int] = set()
    for zone in program.symbols.zones.values():
        places = [place for place, one in enumerate(zone.parameters) if isinstance(one.type, Piece)]
        for slot in zone.slots if places else ():
            if s.z[slot]:
                found.update(zone.index(slot)[place] for place in places)
    return frozenset(found)


@lru_cache(maxsize=8)
def alike_behind(program: Program, alone: frozenset[int] | None = None) -> list[list[int]]:
    """By piece: the pieces with the same back, including itself. Pieces that a zone is indexed by are alone, or else those in `alone`."""
    indexing = {
        p.type.kind for zone in program.symbols.zones.values() for p in zone.parameters if isinstance(p.type, Piece)
    }
    groups: dict[tuple[Any, ...], list[int]] = {}
    found: list[list[int]] = []
    for piece, where in enumerate(program.places):
        kind = program.kind_of[piece]
        back: tuple[Any, ...] = tuple(kind.attributes[attribute][piece - kind.base] for attribute in kind.back)
        is_alone = kind.name in indexing or None in indexing if alone is None else piece in alone
        if is_alone or where < 0:
            back = ("alone", piece)
        group = groups.setdefault((kind.name, *back), [])
        group.append(piece)
        found.append(group)
    return found
