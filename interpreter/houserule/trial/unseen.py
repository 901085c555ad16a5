"""Facts about states, what players see of a match, and how that differs from what they see of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import zip_longest
from random import Random
from typing import Any

from houserule import Choice, Match, Option
from houserule.compiler.program import Program
from houserule.running.log import Entry, Shown, Shuffled, noted
from houserule.running.state import State
from houserule.telling.events import Event, Narrator
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
            hold(len(pile) <= program.capacities.get(slot, len(pile)), f"'{program.zone_of[slot].name}' is too full")
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
    """A narrator for one viewer that also keeps what the viewer has seen: pieces, and variables that are not always seen."""

    def __init__(self, program: Program, labels: Labels, viewer: int) -> None:
        super().__init__(program, labels, (viewer,))
        self.viewer = viewer
        self.seen: dict[int, int] = {}  # by piece: how many shuffles had been told when it was seen last
        self.shuffles = 0
        self.seen_variables = set(self.known_variables[viewer])  # of those whose visibility varies
        self.look(range(len(self.shadow.w)))

    def look(self, pieces: Iterable[int]) -> None:
        last = self.shuffles
        self.seen.update(
            (piece, last) for piece in pieces if self.seen.get(piece) != last and self.sees(self.viewer, piece)
        )

    def has_seen(self, pieces: Iterable[int], after: int) -> bool:
        """Whether one of these pieces was seen after a shuffle; -1 stands for the beginning."""
        return any(self.seen.get(piece, -1) > after for piece in pieces)

    def one(self, entry: Entry) -> None:
        """Tell one entry, and note what it shows the viewer."""
        self.look_while_telling(entry)
        if self.variables_in_doubt:
            self.seen_variables |= self.variables_in_sight(self.viewer)

    def look_while_telling(self, entry: Entry) -> None:
        if isinstance(entry, Shown) and self.viewer in entry.to:
            self.seen.update(dict.fromkeys(entry.pieces, self.shuffles))
        pieces = range(len(self.shadow.w))
        touched = [number for number in flat(noted(entry)) if number in pieces]
        self.look(touched)
        super().one(entry)
        self.shuffles += isinstance(entry, Shuffled)
        self.look(touched)
        self.seen.update(dict.fromkeys(self.known[self.viewer], self.shuffles))


def flat(values: Iterable[Any]) -> list[int]:
    found: list[int] = []
    for value in values:
        if isinstance(value, list | tuple):
            found += flat(value)
        elif isinstance(value, int):
            found.append(value)
    return found


def exchange(match: Match, pieces: Iterable[int], random: Random) -> dict[int, int]:
    """By piece: which other one lies in its place, at random among these pieces of one kind and one back each."""
    groups: dict[int, list[int]] = {}
    alike = alike_behind(match.program, with_something_beside(match.program, match.state))
    for piece in pieces:
        groups.setdefault(alike[piece][0], []).append(piece)
    of: dict[int, int] = {}
    for group in groups.values():
        others = group[:]
        random.shuffle(others)
        of.update((a, b) for a, b in zip(group, others, strict=True) if a != b)
    return of


def shown_to(match: Match, seat: int) -> tuple[Any, ...]:
    """What a player is shown now: the table, and their own question with its options."""
    return (match.view(seat).to_json(), questions_to(match, seat))


def questions_to(match: Match, seat: int) -> list[tuple[Any, ...]]:
    mine = [c for c in match.pending if c.seat == seat]
    return [(c.kind, c.prompt, c.at_least, c.at_most, [(o.label, o.key) for o in c.single]) for c in mine]


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
