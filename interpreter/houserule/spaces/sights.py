"""What a player sees as a vector of numbers, with a name for each, and as plain tables for native play.

The numbers are of zones, counts, variables, and what is unknown. Copies are counted, never told apart, and a piece that is hidden counts
only as hidden. The order within a pile is not part of it, except for the top of a zone in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from types import SimpleNamespace
from typing import Any

from houserule.compiler.program import Program, allows
from houserule.language.checked import Kind, Variable, Zone
from houserule.language.types import Bool, Int, Maybe, Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.running.observing import ALL, NOBODY, NUMBER, OPTIONAL, PIECE, UNKNOWN, Asking, Layout, see
from houserule.running.state import State
from houserule.spaces.answers import Actions, Asked, Numbered, Pieces, see_amount
from houserule.telling.labels import Keys

SIGHT = "what a player sees"


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of the vector: its name, and its least and greatest value."""

    name: str
    low: int
    high: int


class Observations:
    """The vector of what a player sees, for a game and a number of players; it follows from the rules alone.

    >>> observations = game.observations(2)
    >>> vector = observations.of(match, "Ann")
    >>> len(vector) == observations.size, observations.named(vector)["stock[0]: amount"]
    (True, 5)
    """

    def __init__(self, actions: Actions) -> None:
        self.actions = actions
        self.program: Program = actions.program
        self.rules = actions.rules
        symbols = self.program.symbols
        self.players: int = symbols.players
        self.entries: list[Entry] = [Entry(f"viewer is player {seat + 1}", 0, 1) for seat in range(self.players)]
        self.entries += [Entry(f"player {seat + 1} is asked", 0, 1) for seat in range(self.players)]
        self.asks = len(self.entries)
        self.entries += [Entry(f"asked: {block.asks}", 0, 1) for block in actions.blocks]
        self.taken: dict[int, int] = {}  # by number of an answer that others follow: the entry that says it was taken
        self.add_taken()
        self.names = Keys(self.program, [f"player {seat + 1}" for seat in range(self.players)])
        self.group: list[int] = []
        """By piece: the number of its id among those of its kind."""
        self.ids: dict[str, list[str]] = {}
        self.add_groups()
        self.zones: list[tuple[int, int, int]] = []
        """By slot: the entries of its amount, of its top piece (or -1), and of its first id."""
        self.add_zones()
        self.variables: list[tuple[int, int, int, int]] = []
        """Slot, entry, the number where it is not seen, and its piece or -1."""
        self.add_variables()
        self.tell_apart()
        self.size = len(self.entries)
        self.translation: Any = None
        """What native play has made of it, once it has."""
        self.layout = layout_of(self)
        """Which entry is what; what a rule says at each moment is known by nobody there."""
        rules = [*self.program.zone_amount, *self.program.variable_sight]
        self.has_rules = any(map(callable, rules))

    def __repr__(self) -> str:
        return f"<Observations of {self.program.game.definition.name}, {self.players} players: {self.size}>"

    # --- the entries ------------------------------------------------------------------------------------------------------

    def add_taken(self) -> None:
        """What has been taken of answers that are given in parts."""
        for one, block in zip(self.actions.questions, self.actions.blocks, strict=True):
            if block.how != "at once":
                for number, word in zip(range(one.first, one.passing), one.words(), strict=False):
                    self.taken[number] = len(self.entries)
                    self.entries.append(Entry(f"taken: {block.asks} {word}", 0, 1))

    def add_groups(self) -> None:
        """The ids of pieces that lie in zones, kind by kind."""
        self.group = [0] * len(self.program.places)
        self.lying = {self.program.kind_of[piece].name for piece, at in enumerate(self.program.places) if at >= 0}
        self.copies = {name: Counter(kind.ids) for name, kind in self.program.symbols.kinds.items()}
        for kind in self.program.symbols.kinds.values():
            if kind.is_piece:
                self.ids[kind.name] = list(dict.fromkeys(kind.ids))
                places = {id: at for at, id in enumerate(self.ids[kind.name])}
                for number in kind.numbers:
                    self.group[number] = places[kind.id_of(number)]

    def kinds_in(self, zone: Zone) -> list[Kind]:
        """The kinds of pieces that may lie in a zone."""
        kinds = self.program.symbols.kinds.values()
        return [kind for kind in kinds if kind.name in self.lying and zone.holds in (None, kind.name)]

    def add_zones(self) -> None:
        """The amount, the top, and how many of each id are seen."""
        self.start_of_kind: list[dict[str, int]] = []
        for slot, zone in enumerate(self.program.zone_of):
            name, kinds = self.word_of(zone, slot), self.kinds_in(zone)
            most = zone.capacity if zone.capacity is not None else sum(len(kind.ids) for kind in kinds)
            amount = len(self.entries)
            self.entries.append(Entry(f"{name}: amount", UNKNOWN, most))
            top = -1
            ids = sum(len(self.ids[kind.name]) for kind in kinds)
            if zone.ordered and most > 1 and ids > 1:
                top = len(self.entries)
                self.entries.append(Entry(f"{name}: top", UNKNOWN, ids))
            first, starts = len(self.entries), {}
            for kind in kinds:
                starts[kind.name] = len(self.entries)
                see_amount(len(self.entries) + len(self.ids[kind.name]), SIGHT)
                for id in self.ids[kind.name]:
                    self.entries.append(Entry(f"{name}: {id}", 0, max(self.copies[kind.name][id], 1)))
            self.start_of_kind.append(starts)
            self.zones.append((amount, top, first))

    def word_of(self, family: Zone | Variable, slot: int) -> str:
        """The name of one of a family with its index, players by seat."""
        index = zip(family.parameters, family.index(slot), strict=True)
        words = [str(v) if isinstance(plain(p.type), Player) else self.names.word(p.type, v) for p, v in index]
        return f"{family.name}[{', '.join(words)}]" if words else family.name

    def add_variables(self) -> None:
        """A number for each variable; those of copies are added up."""
        shared: dict[tuple[str, str], int] = {}
        for variable in self.program.symbols.variables.values():
            if variable.positions:
                continue
            kind = self.program.symbols.kinds.get(variable.of_kind or "")
            low, high = bounds_of(self.program, variable.type)
            see_amount(len(self.entries) + variable.size, SIGHT)
            for slot in variable.slots:
                if kind is None or not kind.is_piece:
                    self.variables.append((slot, len(self.entries), low - 1, -1))
                    self.entries.append(Entry(self.word_of(variable, slot), low - 1, high))
                    continue
                piece = variable.index(slot)[0]
                word = self.word_of(variable, slot)
                key = variable.name, kind.id_of(piece) + word[word.find(",") :] * (", " in word)
                if key not in shared:
                    shared[key] = len(self.entries)
                    copies = self.copies[kind.name][kind.id_of(piece)]
                    name = word if copies == 1 else f"{variable.name}[{kind.id_of(piece)}]"
                    self.entries.append(Entry(name, min(low - 1, copies * (low - 1)), max(high, copies * high)))
                self.variables.append((slot, shared[key], 0, piece))

    def tell_apart(self) -> None:
        """Number entries whose names are those of earlier ones."""
        times: Counter[str] = Counter()
        for at, entry in enumerate(self.entries):
            times[entry.name] += 1
            if times[entry.name] > 1:
                self.entries[at] = replace(entry, name=f"{entry.name} ({times[entry.name]})")

    # --- the vector -------------------------------------------------------------------------------------------------------

    def vector(
        self, s: State, seat: int, acting: Sequence[int] = (), question: int = -1, taken: Sequence[int] = ()
    ) -> list[int]:
        """What a seat sees of a state: `acting` are those of `State.seats_acting`, `question` is the number of the seat's own."""
        found = [0] * self.size
        found[seat] = 1
        for other in acting:
            found[self.players + other] = 1
        if question >= 0:
            found[self.asks + question] = 1
        for number in taken:
            if number in self.taken:
                found[self.taken[number]] = 1
        see(s, seat, self._layout_now(s, seat) if self.has_rules else self.layout, found)
        return found

    def _layout_now(self, s: State, seat: int) -> Layout:
        """The layout with what the rules let a seat see at this moment."""

        def known(rule: Any) -> int:
            return seat if allows(rule, s, seat) else NOBODY

        amounts, slots, sights = self.program.zone_amount, self.layout.slots, self.program.variable_sight
        return replace(
            self.layout,
            amount_known_by=tuple(map(known, amounts)),
            known_by=tuple(known(sights[slot]) for slot in slots),
        )

    def of(self, match: object, player: str | int, taken: Sequence[int] = ()) -> list[int]:
        """What a player of a match sees. Raises ValueError for a match of other rules."""
        return list(self.seen_in(match, player, taken))

    def seen_in(self, match: object, player: str | int, taken: Sequence[int]) -> Iterator[int]:
        """The numbers of the vector one after another."""
        game, state, pending = (getattr(match, name) for name in ("game", "state", "pending"))
        if game.rules_hash != self.rules:
            raise ValueError(f"these numbers are of other rules: of {self.rules}, and not of {game.rules_hash}")
        seat: int = match.seat(player)  # type: ignore[attr-defined]  # a match, which the rooms above make
        own = next((choice for choice in pending if choice.seat == seat), None)
        acting = state.seats_acting if pending else ()
        yield from self.vector(state.at(seat), seat, acting, own.number if own else -1, taken)

    def named(self, vector: Sequence[int]) -> dict[str, int]:
        """A vector by the names of its entries."""
        return {entry.name: value for entry, value in zip(self.entries, vector, strict=True)}


def bounds_of(program: Program, type: Type) -> tuple[int, int]:
    """The least and the greatest number that the value of a type has in the vector."""
    match plain(type):
        case Int(low, high):
            found = low, high
        case Bool():
            found = 0, 1
        case Player():
            found = 0, program.symbols.players - 1
        case Member(kind):
            base = program.symbols.kinds[kind].base
            found = base, base + len(program.symbols.kinds[kind].ids) - 1
        case Piece():
            found = 0, len(program.places)
        case _:
            found = 0, 1
    return min(found[0], 0), max(found[1], 0)


__all__ = ["Asked", "Entry", "Observations"]


MOST_VALUES = 1 << 16
"""A question whose options have a wider range is left to Python."""


def layout_of(observations: Observations) -> Layout:
    """The tables of a game, without its questions."""
    program = observations.program
    kinds = [*program.symbols.kinds]
    slots, entries, unseen, pieces = zip(*observations.variables, strict=True) if observations.variables else [()] * 4
    types = [program.variable_of[slot].type for slot in slots]
    return Layout(
        size=observations.size,
        actions=observations.actions.size,
        players=observations.players,
        asks=observations.asks,
        amounts=tuple(amount for amount, _, _ in observations.zones),
        amount_known_by=tuple(map(known_by, program.zone_amount)),
        tops=tuple(top for _, top, _ in observations.zones),
        firsts=tuple(first for _, _, first in observations.zones),
        kinds=len(kinds),
        starts=tuple(starts.get(kind, 0) for starts in observations.start_of_kind for kind in kinds),
        kind_of=tuple(kinds.index(kind.name) for kind in program.kind_of),
        group=tuple(observations.group),
        slots=slots,
        entries=entries,
        known_by=tuple(known_by(program.variable_sight[slot]) for slot in slots),
        holds=tuple(map(held_by, types)),
        nones=tuple(map(none_of, types)),
        pieces=pieces,
        unseen=unseen,
        questions=(),
    )


def native_layout(observations: Observations) -> Layout | None:
    """The tables with those of the questions; None where players act at the same time or a question is answered in parts, or where a rule says who knows an amount or a variable."""
    questions = [asking_of(one) for one in observations.actions.questions]
    asked = tuple(one for one in questions if one is not None)
    if observations.program.together_at or len(asked) < len(questions) or observations.has_rules:
        return None
    return replace(observations.layout, questions=asked)


def held_by(type: Type) -> int:
    return PIECE if isinstance(plain(type), Piece) else OPTIONAL if isinstance(type, Maybe) else NUMBER


def known_by(rule: Any) -> int:
    """Who sees a variable or an amount: nobody for sure where a rule says it."""
    return ALL if rule == "all" else rule if isinstance(rule, int) else NOBODY


def asking_of(one: Numbered) -> Asking | None:
    """The numbers of a question that one option answers; None for others."""
    if one.is_long or one.is_staged or one.site.kind in ("race", "several") or (one.lines and one.domains):
        return None
    columns = [domain.values() for domain in one.domains]
    if None not in columns:
        numbers = numbers_of(one, columns)
        low, high = min(numbers, default=0), max(numbers, default=-1)
        if high - low >= MOST_VALUES:
            return None
        listed = tuple(numbers.get(value, one.first) for value in range(low, high + 1))
        return Asking(0, low, listed, (), 0, one.passing)
    domain = one.domains[0]
    if len(one.domains) > 1 or not isinstance(domain, Pieces):
        return None
    low, high = min(domain.first), max(domain.first)
    values = range(low, high + 1)
    listed = tuple(one.first + domain.first.get(value, 0) for value in values)
    is_alone = tuple(int(domain.is_alone.get(value, True)) for value in values)
    return Asking(1, low, listed, is_alone, one.first + domain.seen, one.passing)


def numbers_of(one: Numbered, columns: Sequence[Any]) -> dict[int, int]:
    """The number of each option that there can be."""
    if one.lines:
        options = list(range(len(one.site.labels)))
    elif isinstance(one.type, Tuple):
        options = [one.type.whole(parts) for parts in product(*columns)]
    else:
        options = columns[0]
    state: Any = SimpleNamespace(options=options)
    tree = one.tree(state, lambda _: True, lambda values: values)
    return {value: number for number, value in tree.items() if number != one.passing}
