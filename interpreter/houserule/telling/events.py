"""Events as each viewer may know them, from the log of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import NamedTuple, assert_never

from houserule.compiler.program import SPECTATOR, Program, allows
from houserule.language.types import NUMBER, Int, Maybe, none_of, plain
from houserule.operations.fuel import Laying
from houserule.running import log
from houserule.running.state import State
from houserule.telling.labels import Labels, plain_words

Laid = log.Exchanged | log.Shuffled | log.Arranged
"""Zones get new contents at once."""
MOST_DICE = 12
"""The most dice rolled after one answer that are still seen."""


class Following:
    """What one viewer has tracked: a number for each piece in view, and when things last changed.

    A piece keeps its number as long as the viewer has it in view. One that left the view, or was shuffled, gets a new
    number when it is seen again, so that no number reveals which of several pieces it is. `moved` and `set` have the
    log entry at which a piece, a zone or a variable was last told to have changed.
    """

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}  # by piece
        self.last = 0
        self.moved: dict[int, int] = {}  # by piece
        self.touched: dict[int, int] = {}  # by slot of a zone
        self.set: dict[int, int] = {}  # by slot of a variable
        # The numbers last rolled for no variable: when, after which answer, and what.
        self.rolls: list[tuple[int, int, str]] = []

    def see(self, pieces: Iterable[int]) -> None:
        """Pieces come into view, possibly again without being recognisable."""
        listed = list(pieces)
        self.numbers.update(zip(listed, count(self.last + 1)))
        self.last += len(listed)

    def lose(self, pieces: Iterable[int]) -> None:
        for piece in pieces:
            self.numbers.pop(piece, None)

    def move(self, piece: int, saw: bool, sees: bool, at: int) -> None:
        """A piece moves; it is tracked if it is seen before and after."""
        if not sees:
            self.lose((piece,))
        else:
            if not saw:
                self.see((piece,))
            self.moved[piece] = at

    def roll(self, at: int, answers: int, words: str) -> None:
        """A number is rolled: with those rolled after the same answer it is what lies on the table."""
        same = [one for one in self.rolls if one[1] == answers]
        self.rolls = [*same, (at, answers, words)][-MOST_DICE:]

    def look_again(self, pieces: Sequence[int], seen: Sequence[int], at: int) -> None:
        """Many pieces have moved at once: those in view get new numbers."""
        if len(seen) < len(pieces):
            self.lose(pieces)
        self.see(seen)
        self.moved.update(dict.fromkeys(seen, at))


Names = tuple[tuple[str, int], ...]
"""The names of pieces as the viewer knows them, each with its number."""


class Went(NamedTuple):
    """Pieces have gone from one zone to another, or to places of its family; if it is the same, they have moved within it."""

    names: Names
    source: int
    target: int
    to_family: bool = False


class Became(NamedTuple):
    """A variable has a new value, in words as the viewer knows it; `before` is None if the viewer did not see the old one."""

    kind: str  # set, roll, light
    slot: int
    value: int
    words: str
    before: int | None


class Drawn(NamedTuple):
    """A roll into a local name; `is_number` if it is no lot among players or pieces."""

    words: str
    is_number: bool


class Seen(NamedTuple):
    """Pieces come to light in a zone; or are shown to some players, `who`: then the slot is -1 unless they lie in one zone."""

    names: Names
    slot: int
    who: tuple[str, ...] = ()


class Mixed(NamedTuple):
    """A zone was shuffled; or, where there is a source, what lay there is now in the zone."""

    slot: int
    source: int = -1


class Picked(NamedTuple):
    """Somebody has chosen a line of a menu, or passed: then `line` is empty."""

    player: str
    line: str


Happened = Went | Became | Drawn | Seen | Mixed | Picked
"""What an event tells, for programs that put it in words of their own."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its kind, a sentence, and its step."""

    kind: str  # step, turn, answer, move, set, roll, shuffle, say, show, light, exchange
    text: str
    step: str = ""
    happened: Happened | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, str]:
        """Plain data."""
        return {"kind": self.kind, "text": self.text, "step": self.step}


class Shadow(Laying):
    """The state at the moment being told, which counts the work of determining who sees what."""

    __slots__ = ("v", "w", "z")

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.reserve //= 3
        self.v = program.variables[:]
        self.z = [pile[:] for pile in program.zones]
        self.w = program.places[:]

    def copy(self) -> Shadow:
        made = Shadow.__new__(Shadow)
        Laying.__init__(made, self.program)
        made.v, made.z, made.w = self.v[:], [pile[:] for pile in self.z], self.w[:]
        return made

    def take_place(self, entry: log.Moved | log.Swapped | Laid) -> None:
        """Move a piece, let two pieces change places, or give zones their contents."""
        match entry:
            case log.Moved(piece, source, target, position):
                self.z[source].remove(piece)
                self.z[target].insert(position, piece)
                self.w[piece] = target
            case log.Swapped(piece, zone, position, other, other_zone, other_position):
                self.z[zone][position], self.z[other_zone][other_position] = other, piece
                self.w[piece], self.w[other] = other_zone, zone
            case _:
                for slot, pieces in zip(entry.zones, entry.contents, strict=True):
                    self.z[slot][:] = pieces
                    for piece in pieces:
                        self.w[piece] = slot


def begun_with(program: Program, v: list[int], z: list[list[int]], w: list[int]) -> Program:
    return replace(program, variables=v[:], zones=[pile[:] for pile in z], places=w[:])


EVERYTHING = -1
"""The viewer who sees everything."""
MOST_ALIKE = 4
"""The most face-down pieces dealt to zones of one family that are told one by one."""
MOST_LIT = 100
"""Of more pieces that come to light at the same time, those of a zone are told together."""


class LaidOpen:
    """Pieces that were shown in this step and turn and have not moved since: whoever was shown them knows what lies there.

    Where a piece leaves a zone without order, nobody knows which of those that were shown are left.
    """

    def __init__(self, program: Program) -> None:
        self.players, self.unordered = program.symbols.players, program.unordered
        self.to: dict[int, frozenset[int]] = {}
        """To whom, by piece: seats, and `SPECTATOR` if it was shown to all."""

    def one(self, entry: log.Entry, w: Sequence[int]) -> None:
        """Take in what happens next; `w` are the zones of the pieces before it."""
        gone: Iterable[int] = ()
        left: Collection[int] = ()
        match entry:
            case log.Shown(pieces, to):
                seats = {*to, SPECTATOR} if len(to) == self.players else set(to)
                for piece in pieces:
                    self.to[piece] = self.to.get(piece, frozenset()) | seats
            case log.StepBegun() | log.TurnBegun():
                self.to.clear()
            case log.Moved() | log.Swapped():
                gone, left, _ = zip(*entry.ways, strict=True)
            case log.Exchanged() | log.Shuffled() | log.Arranged():
                gone = chain.from_iterable(entry.contents)
        if self.to:
            for piece in (*gone, *(one for one in self.to if w[one] in left and self.unordered[w[one]])):
                self.to.pop(piece, None)


class Narrator:
    """Turns a log into events. `tables[viewer]` are those for each viewer so far: a seat, `SPECTATOR`, or `EVERYTHING`.
    `following[viewer]` is what each has tracked.

    Consecutive moves between the same zones, without an answer in between, are one event.
    """

    def __init__(self, program: Program, labels: Labels, viewers: Sequence[int] | None = None) -> None:
        self.program = program
        self.labels = labels
        self.shadow = Shadow(program)
        self.viewers = range(-1, program.symbols.players) if viewers is None else viewers
        self.tables: dict[int, list[Event]] = {viewer: [] for viewer in self.viewers}
        self.told = 0
        self.step = ""
        self.last = Event("", "")
        self.passes: Counter[str] = Counter()
        self.inside: dict[str, list[str]] = {}  # the paths with passes below each path
        self.rolled = False  # whether the next change of a variable is the result of a roll
        self.going: dict[int, tuple[int, int, Counter[str], int]] = {}  # by viewer: from, to, content, number
        self.dealt: dict[int, tuple[tuple[int, str, str], int]] = {}  # by viewer: from, target family, content; number
        self.has_quiet = program.symbols.has_quiet
        self.zones_in_doubt = [slot for slot, sight in enumerate(program.zone_sight) if callable(sight)]
        self.personal_in_doubt = [slot for slot in self.zones_in_doubt if slot in program.personal]
        self.common_in_doubt = [slot for slot in self.zones_in_doubt if slot not in program.personal]
        self.variables_in_doubt = [slot for slot, sight in enumerate(program.variable_sight) if callable(sight)]
        self.known = {viewer: self.in_sight(viewer) for viewer in self.viewers}
        self.known_variables = {viewer: self.variables_in_sight(viewer) for viewer in self.viewers}
        self.at = 0  # the current log entry
        self.answers: list[int] = []  # the entries that are answers
        self.laid_open = LaidOpen(program)
        self.following = {viewer: Following() for viewer in self.viewers}
        for viewer, following in self.following.items():
            following.see(piece for piece, zone in enumerate(program.places) if zone >= 0 and self.sees(viewer, piece))

    def tell(self, noted: Sequence[log.Noted]) -> None:
        self.shadow.rest()
        for at, entry in enumerate(log.entries(noted, self.told), self.told):
            self.at = at
            self.one(entry)
        self.told = len(noted)

    def add(self, viewer: int, kind: str, text: str, happened: Happened | None = None) -> None:
        self.going.pop(viewer, None)
        self.dealt.pop(viewer, None)
        last = self.last
        if last.text != text or last.kind != kind or last.step != self.step or last.happened != happened:
            last = self.last = Event(kind, text, self.step, happened)
        self.tables[viewer].append(last)  # viewers with equal sentences share it

    def add_for_all(self, kind: str, text: str, happened: Happened | None = None) -> None:
        for viewer in self.viewers:
            self.add(viewer, kind, text, happened)

    # --- who sees what ------------------------------------------------------------------------------------------------

    def sees(self, viewer: int, piece: int) -> bool:
        return viewer == EVERYTHING or self.program.sees(self.shadow, viewer, piece)

    def sight(self, viewer: int) -> Callable[[int], bool]:
        return lambda piece: self.sees(viewer, piece) or viewer in self.laid_open.to.get(piece, ())

    def sees_variable(self, viewer: int, slot: int) -> bool:
        return viewer == EVERYTHING or sees_variable(self.program, self.shadow, viewer, slot)

    def in_sight(self, viewer: int, common: set[int] | None = None) -> set[int]:
        """The pieces that a viewer sees in zones with varying visibility; `common` are those that all see, if known already."""
        found = self.in_common_sight() if common is None else common
        if not self.personal_in_doubt:
            return found
        z = self.shadow.z
        return found | {piece for slot in self.personal_in_doubt for piece in z[slot] if self.sees(viewer, piece)}

    def in_common_sight(self) -> set[int]:
        """The pieces that all players see in zones whose visibility varies for all at once."""
        shadow, sights = self.shadow, self.program.zone_sight
        return {piece for slot in self.common_in_doubt for piece in shadow.z[slot] if sights[slot](shadow, 0, piece)}

    def variables_in_sight(self, viewer: int) -> set[int]:
        return {slot for slot in self.variables_in_doubt if self.sees_variable(viewer, slot)}

    def come_to_light(self, but: Collection[int] = (), but_variable: int = -1) -> None:
        """Tell what has become visible without moving or changing."""
        if self.zones_in_doubt:
            common = self.in_common_sight()
            for viewer in self.viewers:
                now = self.in_sight(viewer, common)
                if viewer != EVERYTHING:
                    self.lit(viewer, now - self.known[viewer] - set(but), self.known[viewer] - now - set(but))
                self.known[viewer] = now
        variable_of = self.program.variable_of
        if self.variables_in_doubt:
            for viewer in self.viewers:
                seen = self.variables_in_sight(viewer)
                new = seen - self.known_variables[viewer] - {but_variable}
                # Where others of its family have a value, what is none is no news.
                found = {variable_of[slot].name for slot in new if not self.is_none(slot)}
                for slot in sorted(new) if viewer != EVERYTHING else ():
                    self.following[viewer].set[slot] = self.at
                    is_told = not self.is_none(slot) or variable_of[slot].name not in found
                    if is_told and not variable_of[slot].quiet:
                        self.add(viewer, "light", *self.became("light", slot, self.shadow.v[slot], None, viewer))
                self.known_variables[viewer] = seen

    def is_none(self, slot: int) -> bool:
        """Whether a variable has no value just now."""
        type = self.program.variable_of[slot].type
        return isinstance(type, Maybe) and self.shadow.v[slot] == none_of(type)

    def lit(self, viewer: int, seen: Collection[int], unseen: Collection[int]) -> None:
        """Tell which pieces have come into a viewer's sight; those that left it are no longer tracked."""
        labels, w, z = self.labels, self.shadow.w, self.shadow.z
        together: dict[int, list[int]] = {}  # by zone where many come to light at once
        for piece in sorted(seen):
            if self.has_quiet and self.is_quiet(piece, w[piece], w[piece]):
                continue
            together.setdefault(w[piece] if len(seen) > MOST_LIT else -1 - piece, []).append(piece)
        for pieces in together.values():
            self.add(viewer, "light", *self.revealed(w[pieces[0]], [labels.pieces[piece] for piece in pieces]))
        following = self.following[viewer]
        following.lose(unseen)
        # In the order in which they lie, which the viewer sees; without order, by what they are.
        ordered = {piece: self.program.zone_of[w[piece]].ordered for piece in seen}
        at = {piece: number for slot in {w[p] for p in seen} for number, piece in enumerate(z[slot])}
        following.see(sorted(seen, key=lambda p: (w[p], at[p] if ordered[p] else 0, p)))
        following.moved.update(dict.fromkeys(seen, self.at))

    # --- what happens -------------------------------------------------------------------------------------------------

    def one(self, entry: log.Entry) -> None:
        self.laid_open.one(entry, self.shadow.w)
        if isinstance(entry, Laid):
            self.shadow.take_place(entry)
            self.look_again(entry)
        match entry:
            case log.Answered():
                self.answers.append(self.at)
                self.going.clear()
                self.dealt.clear()
                self.answered(entry)
            case log.StepBegun(path):
                self.begin(path)
            case log.TurnBegun(player):
                self.add_for_all("turn", self.labels.phrase("turn", player=self.labels.names[player]))
            case log.Moved() | log.Swapped():
                self.moved(entry)
            case log.Exchanged():
                self.exchanged(entry)
            case log.Shuffled():
                self.shuffled(entry)
            case log.Arranged():
                self.known = {viewer: self.in_sight(viewer) for viewer in self.viewers}
            case log.VariableSet(slot, value):
                self.set(slot, value)
            case log.VariableReset(slot, value):
                self.shadow.v[slot] = value
                self.come_to_light(but_variable=slot)
            case log.Rolled(name, value, _):
                self.roll(name, value)
            case log.Said():
                self.said(entry)
            case log.Shown():
                self.shown(entry)
            case _:
                assert_never(entry)

    def answered(self, entry: log.Answered) -> None:
        """A line of a menu was chosen, or somebody passed; told unless it says so itself, or everybody acts at once, or it is kept secret."""
        site = self.program.sites[entry.site] if entry.site >= 0 else None
        if site is None or entry.said is None or site not in self.program.game.secrets.told:
            return
        line = site.line(entry.value) if site.kind == "menu" and isinstance(entry.value, int) else -1
        labels = self.labels
        if line not in site.spoken_for:
            raw, parts = site.labels[line] if line >= 0 else ("", ())
            said = labels.sentence(raw, parts, entry.said) if raw else ""
            player = labels.names[entry.seat]
            text = labels.phrase("answer", player=player, answer=said or labels.phrase("pass"))
            self.add_for_all("answer", text, Picked(player, said))

    def moved(self, entry: log.Moved | log.Swapped) -> None:
        """A piece has moved, or two have changed places, which is told as two moves."""
        moves = [(viewer, *way, self.sees(viewer, way[0])) for viewer in self.viewers for way in entry.ways]
        knew = [saw or self.counts(viewer, source, target) for viewer, _, source, target, saw in moves]
        self.shadow.take_place(entry)
        for move, known in zip(moves, knew, strict=True):
            self.move(*move, known)
        self.come_to_light({piece for piece, _, _ in entry.ways})

    def exchanged(self, entry: log.Exchanged) -> None:
        labels, zone_of = self.labels, self.program.zone_of
        for source, target in zip(entry.sources, entry.targets, strict=True):
            text = labels.phrase("exchange", source=labels.zones[source], target=labels.zones[target])
            if not (zone_of[source].quiet and zone_of[target].quiet):
                self.add_for_all("exchange", text, Mixed(target, source))
        self.come_to_light({piece for pieces in entry.contents for piece in pieces})

    def shuffled(self, entry: log.Shuffled) -> None:
        """A zone was shuffled; told to those who know the number of its pieces."""
        for viewer in self.viewers if not self.program.zone_of[entry.zone].quiet else ():
            if viewer == EVERYTHING or amount_known(self.program, self.shadow, viewer, entry.zone):
                text = self.labels.phrase("shuffle", zone=self.labels.zones[entry.zone])
                self.add(viewer, "shuffle", text, Mixed(entry.zone))
        self.come_to_light()

    def said(self, entry: log.Said) -> None:
        """A sentence was said; each recipient gets it with the values that they may see."""
        raw, parts = self.program.texts[entry.text]
        for viewer in self.viewers:
            if entry.to in (-1, viewer) or viewer == EVERYTHING:
                self.add(viewer, "say", self.labels.sentence(raw, parts, entry.values, self.sight(viewer)))

    def shown(self, entry: log.Shown) -> None:
        """Pieces were shown; whoever did not see them is told their backs. Those that all are shown are revealed where they lie.

        That all see them already is no news.
        """
        labels, lies = self.labels, self.shadow.w
        if set(entry.to) >= set(range(self.program.symbols.players)):
            together: dict[int, list[str]] = {}
            for piece in entry.pieces:
                if not self.sees(SPECTATOR, piece):
                    together.setdefault(lies[piece], []).append(labels.pieces[piece])
            for slot, pieces in together.items():
                self.add_for_all("show", *self.revealed(slot, pieces))
            return
        names = tuple(labels.names[player] for player in entry.to)
        who = labels.read_out(names)
        slots = {lies[piece] for piece in entry.pieces}
        for viewer in self.viewers:
            what = Counter(
                labels.pieces[piece] if viewer in entry.to or self.sees(viewer, piece) else labels.backs[piece]
                for piece in entry.pieces
            )
            text = labels.phrase("show", what=labels.listed(what, len(entry.pieces)), who=who)
            # Whoever sees a piece also knows where it lies.
            sees_all = viewer in entry.to or all(self.sees(viewer, piece) for piece in entry.pieces)
            slot = next(iter(slots)) if len(slots) == 1 and sees_all else -1
            self.add(viewer, "show", text, Seen(tuple(what.items()), slot, names) if entry.to else None)

    def revealed(self, slot: int, pieces: Sequence[str]) -> tuple[str, Seen]:
        """The text of pieces that are seen in a zone, by their names, and what it says."""
        labels, names = self.labels, Counter(pieces)
        text = labels.phrase("light", what=labels.listed(names, len(pieces)), zone=labels.zones[slot])
        return text, Seen(tuple(names.items()), slot)

    def begin(self, path: str) -> None:
        """A step begins, or another pass of it; the passes of its inner steps are counted from 1 again."""
        self.step = path
        for inside in self.inside.pop(path, ()):
            self.passes.pop(inside, None)
        if path not in self.passes:
            around = path.rpartition(".")[0]
            while around:
                self.inside.setdefault(around, []).append(path)
                around = around.rpartition(".")[0]
        self.passes[path] += 1
        if title := self.labels.step(path, self.passes[path]):
            self.add_for_all("step", title)

    def look_again(self, entry: Laid) -> None:
        """What lies in some zones has been put there at once: nobody has followed any of it."""
        for viewer, following in self.following.items():
            for slot, pieces in zip(entry.zones, entry.contents, strict=True):
                following.look_again(pieces, self.seen_in(slot, pieces, viewer), self.at)

    def seen_in(self, slot: int, pieces: Sequence[int], viewer: int) -> Sequence[int]:
        sight = "all" if viewer == EVERYTHING else self.program.zone_sight[slot]
        if callable(sight):
            return [piece for piece in pieces if self.sees(viewer, piece)]
        return pieces if sight in ("all", viewer) else ()

    def counts(self, viewer: int, source: int, target: int) -> bool:
        """Whether a viewer knows the number of pieces in both zones."""
        if viewer == EVERYTHING:
            return True
        program, shadow = self.program, self.shadow
        return amount_known(program, shadow, viewer, source) and amount_known(program, shadow, viewer, target)

    def move(self, viewer: int, piece: int, source: int, target: int, saw: bool, counted: bool) -> None:
        """Tell a move: the name of the piece if it was or is seen; its back if only the numbers of pieces are known."""
        labels = self.labels
        number = 0
        before = self.going.get(viewer)
        sees = self.sees(viewer, piece)
        self.following[viewer].move(piece, saw, sees, self.at)
        if saw or sees or counted:
            self.following[viewer].touched.update({source: self.at, target: self.at})
        if self.has_quiet and self.is_quiet(piece, source, target):
            return
        if saw or sees:
            name = labels.pieces[piece]
        elif counted:
            name = labels.backs[piece]
            number = self.deal(viewer, name, source, target)
        else:
            return
        if number > MOST_ALIKE:
            return
        if before is not None and before[:2] == (source, target):
            _, _, names, total = before
            self.tables[viewer].pop()
        else:
            names, total = Counter(), 0
        names[name] += 1
        what = labels.listed(names, total + 1)
        if source == target:
            text = labels.phrase("inside", what=what, zone=labels.zones[target])
        else:
            text = labels.phrase("move", what=what, source=labels.zones[source], target=labels.zones[target])
        self.add(viewer, "move", text, Went(tuple(names.items()), source, target))
        self.going[viewer] = (source, target, names, total + 1)
        if number:
            self.dealt[viewer] = ((source, self.program.zone_of[target].name, name), number)

    def is_quiet(self, piece: int, source: int, target: int) -> bool:
        """Whether a move is bookkeeping: of a quiet kind, or between quiet zones."""
        zone_of = self.program.zone_of
        return self.program.kind_of[piece].quiet or (zone_of[source].quiet and zone_of[target].quiet)

    def deal(self, viewer: int, name: str, source: int, target: int) -> int:
        """The number of face-down pieces that have just been dealt, one each, to zones of one family that nobody owns.

        For many pieces, only the number is told: the place of each of fifty face-down tiles is no news, and the table shows it.
        """
        labels, zone = self.labels, self.program.zone_of[target]
        if self.program.zone_owner[target] >= 0 or zone.size <= MOST_ALIKE:
            return 0
        run = (source, zone.name, name)
        kept, number = self.dealt.get(viewer, (run, 0))
        if kept != run or self.going.get(viewer, (-1, -1))[:2] == (source, target):
            return 1 if kept != run else 0
        number += 1
        if number > MOST_ALIKE:
            del self.tables[viewer][-(MOST_ALIKE if number == MOST_ALIKE + 1 else 1) :]
            what = labels.phrase("several", number=number, what=name)
            text = labels.phrase("move", what=what, source=labels.zones[source], target=labels.titled(zone))
            self.add(viewer, "move", text, Went(((name, number),), source, target, to_family=True))
            self.dealt[viewer] = (run, number)
        return number

    def set(self, slot: int, value: int) -> None:
        """A variable has a new value; told to those who saw it before and see it now."""
        kind = "roll" if self.rolled else "set"
        changed = self.rolled or self.shadow.v[slot] != value
        self.rolled = False
        saw, before = [self.sees_variable(viewer, slot) for viewer in self.viewers], self.shadow.v[slot]
        self.shadow.v[slot] = value
        for viewer, seen in zip(self.viewers, saw, strict=True):
            if changed and seen and self.sees_variable(viewer, slot):
                self.following[viewer].set[slot] = self.at
                if not self.program.variable_of[slot].quiet:
                    self.add(viewer, kind, *self.became(kind, slot, value, before, viewer))
        self.come_to_light(but_variable=slot)

    def became(self, kind: str, slot: int, value: int, before: int | None, viewer: int) -> tuple[str, Became]:
        """The text of a change of a variable, and what it says."""
        sees = self.sight(viewer)
        words = self.labels.value(self.program.variable_of[slot].type, value, sees)
        return self.labels.change(slot, value, sees), Became(kind, slot, value, words, before)

    def roll(self, target: str, value: int) -> None:
        """A roll into a local name is told to all; a roll into a variable is told when the variable gets its value."""
        name = target.split("[")[0].rsplit(".", 1)[-1]
        if name in self.program.symbols.variables:
            self.rolled = True
            return
        type = self.program.game.analysis.rolled.get(target, NUMBER)
        for viewer in self.viewers:
            words = self.labels.value(type, value, self.sight(viewer))
            happened = Drawn(words, isinstance(plain(type), Int))
            if happened.is_number:
                self.following[viewer].roll(self.at, len(self.answers), words)
            key = "roll" if happened.is_number else "lot"
            self.add(viewer, "roll", self.labels.phrase(key, name=plain_words(target), value=words), happened)


def amount_known(program: Program, s: State | Shadow, viewer: int, slot: int) -> bool:
    """Whether a viewer knows the number of pieces in a zone."""
    return allows(program.zone_amount[slot], s, viewer)


def sees_variable(program: Program, s: State | Shadow, viewer: int, slot: int) -> bool:
    """Whether a viewer sees a variable; of a variable of a piece, the viewer must see the piece as well."""
    variable = program.variable_of[slot]
    if variable.of_kind is not None:
        kind = program.symbols.kinds[variable.of_kind]
        if kind.is_piece and not program.sees(s, viewer, variable.index(slot)[0]):
            return False
    return allows(program.variable_sight[slot], s, viewer)
