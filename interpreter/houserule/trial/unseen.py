"""Facts about states, and checks that players learn nothing that they may not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import zip_longest
from random import Random
from typing import Any

from houserule import Choice, Match, Option, RuleFault
from houserule.compiler.program import Program
from houserule.language.types import Piece
from houserule.running.faults import FAULTS
from houserule.running.log import Entry, Shown, entries, noted
from houserule.running.renaming import Renaming
from houserule.running.state import State
from houserule.telling.events import Event, Narrator, begun_with, sees_variable
from houserule.telling.knowledge import alike_behind, with_something_beside
from houserule.telling.labels import Labels
from houserule.telling.view import View


class Broken(Exception):
    """An invariant did not hold."""


def hold(condition: object, sentence: str) -> None:
    if not condition:
        raise Broken(sentence)


def an_answer(match: Match, random: Random) -> tuple[Choice, Option]:
    choice = random.choice(match.pending)
    return choice, choice.drawn(random)


SIMPLE = [
    declared.name
    for declared in fields(State)
    if declared.compare and declared.name not in ("v", "z", "w", "kept", "frames", "log", "forks")
]


def facts(s: State, shared: State | None = None) -> tuple[Any, ...]:
    """Everything in a state in comparable form: states with equal facts are at the same point of the same match.

    Lists that a part of a together shares with the whole state count once.
    """
    simple = (getattr(s, name) for name in SIMPLE)
    return (
        None if shared is not None and shared.v is s.v else s.v[:],
        None if shared is not None and shared.z is s.z else [pile[:] for pile in s.z],
        None if shared is not None and shared.w is s.w else s.w[:],
        [known[:] for known in s.kept],
        [[list(entry) if isinstance(entry, list | tuple) else entry for entry in frame] for frame in s.frames],
        None if s.log is None else s.log[:],
        None if s.forks is None else [facts(part, s) for part in s.forks],
        [list(value) if isinstance(value, Sequence) else value for value in simple],
        s.generator.getstate() if s.generator is not None else None,
    )


def match_facts(match: Match) -> tuple[Any, ...]:
    return (facts(match.state), match.is_over, match.answers[:])


def check_places(s: State) -> None:
    """Check that every piece is in exactly one zone, and that zones and places of pieces agree."""
    program = s.program
    lying = 0
    for slot, pile in enumerate(s.z):
        lying += len(pile)
        if pile:
            hold(len(pile) <= program.capacities.get(slot, len(pile)), f"zone {slot} is too full")
            for piece in pile:
                hold(s.w[piece] == slot, f"piece {piece} lies in zone {slot} and is said to lie in {s.w[piece]}")
            hold(len(set(pile)) == len(pile), f"a piece lies twice in zone {slot}")
    # Each piece knows its zone and is in that one only: with the right total none is missing.
    expected = 0
    for piece, where in enumerate(program.places):
        if where >= 0:
            expected += 1
        else:
            hold(s.w[piece] == where, f"piece {piece}, which lies nowhere, was moved")
    hold(lying == expected, "pieces were lost or made")
    for part in s.forks or ():
        if part.z is not s.z:
            check_places(part)


class Watcher(Narrator):
    """A narrator for one viewer that also keeps what the viewer has seen."""

    def __init__(self, program: Program, labels: Labels, viewer: int) -> None:
        super().__init__(program, labels, (viewer,))
        self.viewer = viewer
        self.seen: set[int] = set()
        self.in_doubt = any(callable(sight) for sight in program.zone_sight)
        self.look(range(len(self.shadow.w)))

    def look(self, pieces: Iterable[int]) -> None:
        self.seen.update(piece for piece in pieces if piece not in self.seen and self.sees(self.viewer, piece))

    def one(self, entry: Entry) -> None:
        """Tell one entry, and note what it shows the viewer."""
        if isinstance(entry, Shown) and self.viewer in entry.to:
            self.seen.update(entry.pieces)
        everything = range(len(self.shadow.w))
        if self.in_doubt:  # before the entry all were checked after the one before it
            super().one(entry)
            self.look(everything)
            return
        touched = [number for number in flat(noted(entry)) if number in everything]
        self.look(touched)
        super().one(entry)
        self.look(touched)


def flat(values: Iterable[Any]) -> list[int]:
    found: list[int] = []
    for value in values:
        if isinstance(value, list | tuple):
            found += flat(value)
        elif isinstance(value, int):
            found.append(value)
    return found


def exchange(match: Match, pieces: Iterable[int], random: Random, seat: int | None = None) -> Renaming:
    """A random renaming among these pieces, of one kind and one back each; a player at `seat` sees the same values of both."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    alike = alike_behind(match.program, with_something_beside(match.program, match.state))
    values = values_in_sight(match, seat) if seat is not None else {}
    for piece in pieces:
        groups.setdefault((alike[piece][0], *values.get(piece, ())), []).append(piece)
    of: dict[int, int] = {}
    for group in groups.values():
        others = group[:]
        random.shuffle(others)
        of.update((a, b) for a, b in zip(group, others, strict=True) if a != b)
    return Renaming(match.program, of)


def values_in_sight(match: Match, seat: int) -> dict[int, list[tuple[Any, ...]]]:
    """By piece: the values of variables with an index for pieces that a player sees, wherever the pieces lie."""
    program, s = match.program, match.state
    found: dict[int, list[tuple[Any, ...]]] = {}
    for variable in program.symbols.variables.values():
        places = [place for place, one in enumerate(variable.parameters) if isinstance(one.type, Piece)]
        if variable.of_kind is not None or not places:
            continue
        for slot in range(variable.base, variable.base + variable.size):
            if sees_variable(program, s, seat, slot):
                index = variable.index(slot)
                for place in places:
                    others = *index[:place], *index[place + 1 :]
                    found.setdefault(index[place], []).append((variable.name, place, others, s.v[slot]))
    return found


def shown_to(match: Match, seat: int) -> tuple[Any, ...]:
    """What a player is shown now: the table, and their own question with its options."""
    mine = [c for c in match.pending if c.seat == seat]
    return (
        match.view(seat).to_json(),
        [(c.kind, c.prompt, c.at_least, c.at_most, [(o.label, o.key) for o in c.single]) for c in mine],
    )


def hold_alike(match: Match, own: tuple[Any, ...], other: Match, seat: int) -> None:
    """Check that a player is shown in another match what is shown to them in theirs."""
    if shown_to(other, seat) != own:
        raise Broken(f"{match.players[seat]} is shown what they may not see: {difference(match, other, (), seat)}")


def question(match: Match) -> list[tuple[Any, ...]]:
    return [(c.player, c.kind, c.name, c.at_least, c.at_most, len(c.single)) for c in match.pending]


LONGEST = 120
"""The characters of a text that are shown."""


def difference(one: Match, two: Match, events: Sequence[Sequence[Event]], seat: int) -> str:
    """What a player is shown in one match, and what in another: an event, a question, or something on the table."""
    for first, second in zip_longest(*events):
        if first != second:
            return opposed("are told", *(event.text if event is not None else None for event in (first, second)))
    return questions_differ(one, two, seat) or tables_differ(one, two, seat) or "their questions have other limits"


def questions_differ(one: Match, two: Match, seat: int) -> str | None:
    """How it differs who is asked, and what a player is."""
    asked = [" and ".join(c.player for c in match.pending) or "nobody" for match in (one, two)]
    if asked[0] != asked[1]:
        return f"{asked[0]} is asked, and {asked[1]} where other things are hidden"
    for mine in zip(*([c for c in match.pending if c.seat == seat] for match in (one, two)), strict=False):
        if mine[0].prompt != mine[1].prompt:
            return opposed("are asked", *(choice.prompt for choice in mine))
        labels = [", ".join(option.label for option in choice.single) for choice in mine]
        if labels[0] != labels[1]:
            return opposed("may choose", *labels)
    return None


def tables_differ(one: Match, two: Match, seat: int) -> str | None:
    """The first zone or variable in which a player sees something else."""
    parts = [dict(seen(match.view(seat))) for match in (one, two)]
    for name in parts[0] | parts[1]:
        if parts[0].get(name) != parts[1].get(name):
            return opposed(f"see {name}", parts[0].get(name), parts[1].get(name))
    return None


def opposed(how: str, one: str | None, two: str | None) -> str:
    return f"they {how} {brief(one)}, and {brief(two)} where other things are hidden"


def brief(text: str | None) -> str:
    if text is None:
        return "nothing"
    return f"'{text}'" if len(text) <= LONGEST else f"'{text[:LONGEST]}…'"


def seen(view: View) -> Iterator[tuple[str, str]]:
    """The zones and variables of a view by title and id, with what is seen of them."""
    for zone in view.zones:
        pieces = [", ".join((piece.label, *map(" ".join, piece.variables.items()))) for piece in zone.pieces]
        amount = "?" if zone.amount is None else zone.amount
        yield f"in {zone.title} ({zone.id})", f"{amount}: {'; '.join(pieces)}"
    for variable in view.variables:
        yield f"{variable.title} ({variable.id})", variable.value_label
    yield "among those who are out", ", ".join(view.out)


# --- the whole history ----------------------------------------------------------------------------------------------


def retold(match: Match, seat: int, random: Random) -> tuple[int, tuple[Any, ...], tuple[Any, ...]]:
    """A match for a player, and with pieces they never saw renamed: how many were, and the two to compare.

    If a piece itself decides who sees it, another in its place may become visible: then nothing is compared.
    """
    assert match.state.log is not None
    watcher = Watcher(match.program, match.labels, seat)
    watcher.tell(match.state.log)
    never = [piece for piece in range(len(match.state.w)) if piece not in watcher.seen]
    renaming = exchange(match, never, random, seat)
    program = match.program
    dealt = [renaming.pieces(pile) for pile in program.zones]
    begun = begun_with(program, renaming.variables(program.variables), dealt, renaming.places(program.places))
    other = match.copy()
    renaming.state(other.state)
    again = Watcher(begun, match.labels, seat)
    for entry in entries(match.state.log):
        again.one(renaming.entry(entry))
    if again.seen != watcher.seen:
        hold(watcher.in_doubt, f"{match.players[seat]} saw other pieces")
        return 0, (), ()
    return (
        len(renaming.of),
        (watcher.tables[seat], *shown_to(match, seat)),
        (again.tables[seat], *shown_to(other, seat)),
    )


# --- another world --------------------------------------------------------------------------------------------------


def unseen_slots(match: Match, seat: int) -> list[list[int]]:
    """Variables that a player does not see, in families of one type, those of pieces left out."""
    program = match.program
    found = []
    for variable in program.symbols.variables.values():
        if variable.of_kind is None:
            slots = range(variable.base, variable.base + variable.size)
            found.append([slot for slot in slots if not sees_variable(program, match.state, seat, slot)])
    return [slots for slots in found if len(slots) > 1]


def sight(match: Match, seat: int) -> tuple[Any, ...]:
    """Which places of which zones, and which variables, a player sees."""
    s, program = match.state, match.program
    return (
        [[program.sees(s, seat, piece) for piece in pile] for pile in s.z],
        [sees_variable(program, s, seat, slot) for slot in range(len(s.v))],
    )


def put_anew(match: Match) -> bool:
    """Compute the pending questions anew for the current table; returns whether that succeeds. No other caller needs this.

    A rule may fail in a position that no match leads to.
    """
    try:
        ask_anew(match)
    except (*FAULTS, RuleFault):
        return False
    return True


def ask_anew(match: Match) -> None:
    """Put the pending questions again."""
    s, asked_at = match.state, match.program.asked_at
    if s.forks is None:
        slapped, declined = s.slapped, s.declined
        match._go(asked_at[s.site])  # noqa: SLF001  see above
        if match.program.sites[s.site].kind == "race":
            s.slapped, s.declined = slapped, declined
    else:
        for part in s.forks:
            if part.waits:
                part.advance(asked_at[part.site])
        match._pending = None  # noqa: SLF001  see above


def another_world(match: Match, seat: int, random: Random) -> tuple[Match, Renaming] | None:
    """The match with what a player does not see swapped; None if that would change what they see."""
    s, program = match.state, match.program
    states = [s, *(part for part in s.forks or () if part.player == seat)]
    shown = match.shown_to(seat)
    hidden = [piece for piece in range(len(s.w)) if not any(program.sees(state, seat, piece) for state in states)]
    hidden = [piece for piece in hidden if piece not in shown]
    renaming = exchange(match, hidden, random, seat)
    other = match.copy()
    renaming.state(other.state)
    if s.forks is None:
        for slots in unseen_slots(match, seat):
            values = [other.state.v[slot] for slot in slots]
            random.shuffle(values)
            for slot, value in zip(slots, values, strict=True):
                other.state.v[slot] = value
    changed = renaming.of or other.state.v != s.v
    return (other, renaming) if changed and sight(other, seat) == sight(match, seat) else None


def go_on_together(match: Match, other: Match, renaming: Renaming, seat: int, random: Random, most: int) -> int:
    """Continue both worlds with the same answers, and compare them for a player as long as they must agree; returns how many answers."""
    assert match.state.log is not None and other.state.log is not None
    one, two = (
        Watcher(begun_with(world.program, world.state.v, world.state.z, world.state.w), world.labels, seat)
        for world in (match, other)
    )
    begun = len(match.state.log)
    renamed = set(renaming.of)
    for number in range(most):
        if match.is_over or other.is_over or question(match) != question(other):
            return number
        choice = random.choice(match.pending)
        drawn = random.random()
        for world in (match, other):
            asked = next(c for c in world.pending if c.player == choice.player)
            try:
                world.answer(asked.player, asked.drawn(Random(drawn)))
            except RuleFault:
                return number  # perhaps no match leads to this world
        one.tell(match.state.log[begun:])
        two.tell(other.state.log[begun:])
        if (one.seen | two.seen) & renamed:
            return number
        logs = [list(entries(world.state.log or (), begun)) for world in (match, other)]
        if [renaming.entry(entry) for entry in logs[0]] != logs[1]:
            return number
        if one.tables[seat] != two.tables[seat]:
            what = difference(match, other, [one.tables[seat], two.tables[seat]], seat)
            raise Broken(f"{match.players[seat]} is told what they may not see: {what}")
        if number % 5 == 0 and question(match) == question(other):
            hold_alike(match, shown_to(match, seat), other, seat)
    return most
