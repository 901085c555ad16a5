"""Verbs, and functions about pieces and their zones: rows of the table, and their effects on a state.

A state `s` keeps a list of pieces for each zone in `s.z` (the last is on top), and in `s.w` the zone of each piece (-1:
nowhere). `s.log` is a list of events, or None in the quiet flavour.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from operator import itemgetter
from typing import Any

from houserule.language.types import Exchanges, Maybe, Mixes, Moves, Passes, Picks, Player, Shows, element
from houserule.operations.fuel import CARRIED, EXCHANGED, PIECE, spend, spend_telling
from houserule.operations.lists import distinct
from houserule.operations.table import Fault, Function, Verb

State = Any

FEW = 10
"""Moving more pieces at once counts as more work than moving one, without events and triggers."""
LONG_PILE = 20
"""Searching a pile longer than this counts as work,"""
SEARCHED = 2
"""a unit for so many pieces below the one that is found."""


def move(s: State, piece: int, zone: int, below: int | None = None) -> None:
    """Put a piece on a pile: on top, or so that `below` pieces lie under it."""
    if piece < 0:
        return
    source = s.w[piece]
    if source < 0:
        raise Fault("this piece lies nowhere, so it cannot be moved")
    piles = s.z
    pile = piles[source]
    if len(pile) > LONG_PILE:
        lift(s, pile, piece)
    else:
        pile.remove(piece)
    pile = piles[zone]
    if s.capacities and len(pile) >= s.capacities.get(zone, 1 << 30):
        piles[source].append(piece)
        raise Fault(f"'{s.program.zone_of[zone].name}' is full: it holds {s.capacities[zone]}")
    if below is None:
        pile.append(piece)
    else:
        if below < 0:
            raise Fault("a position in a pile is 0 (the bottom) or more")
        pile.insert(below, piece)
    s.w[piece] = zone
    if s.log is not None:
        top = len(pile) - 1
        s.log.append(("move", piece, source, zone, top if below is None else min(below, top)))
    if s.leaves is not None and (source in s.leaves or zone in s.enters):
        notice(s, piece, source, zone)


def lift(s: State, pile: list[int], piece: int) -> None:
    """Remove a piece from a long pile. The top one is found without a search."""
    if pile[-1] == piece:
        pile.pop()
    else:
        spend(s, pile.index(piece) // SEARCHED)
        pile.remove(piece)


def notice(s: State, piece: int, source: int, zone: int) -> None:
    """Queue the triggers of a move, in the order of the file; a move within a zone neither leaves nor enters it."""
    if source == zone:
        return
    if zone not in s.enters:
        for trigger in s.leaves.get(source, ()):
            if trigger not in s.running:
                s.queue.append((trigger, piece, source))
        return
    found = [(trigger, source) for trigger in s.leaves.get(source, ())]
    found = sorted(found + [(trigger, zone) for trigger in s.enters[zone]], key=itemgetter(0))
    for trigger, where in found:
        if trigger not in s.running:
            s.queue.append((trigger, piece, where))


def quick_move(s: State, piece: int, zone: int, below: int | None = None) -> None:
    """`move` without events, triggers and full zones."""
    if piece < 0:
        return
    w = s.w
    z = s.z
    pile = z[w[piece]]
    if len(pile) > LONG_PILE:
        lift(s, pile, piece)
    else:
        pile.remove(piece)
    if below is None:
        z[zone].append(piece)
    elif below < 0:
        raise Fault("a position in a pile is 0 (the bottom) or more")
    else:
        z[zone].insert(below, piece)
    w[piece] = zone


def move_all(s: State, pieces: list[int], zone: int, below: int | None = None) -> None:
    """Move pieces in order; at a position they keep their order, the last of them on top."""
    spend(s, PIECE * len(pieces))
    for piece in list(pieces):
        move(s, piece, zone, below)
        if below is not None:
            below += 1


def move_pile(s: State, source: int, zone: int, below: int | None = None) -> None:
    if source != zone:
        move_all(s, s.z[source], zone, below)


def quick_move_pile(s: State, source: int, zone: int, below: int | None = None) -> None:
    """`move_pile` without events, triggers and full zones."""
    z = s.z
    pile = z[source]
    if source == zone or not pile:
        return
    if below is not None:
        move_pile(s, source, zone, below)
        return
    if len(pile) > FEW:
        spend(s, CARRIED * len(pile))
    z[zone] += pile
    w = s.w
    for piece in pile:
        w[piece] = zone
    pile.clear()


def draw(s: State, number: int, source: int, zone: int) -> list[int]:
    """Move pieces one by one from the top, until there are none; returns them, first drawn first."""
    drawn: list[int] = []
    spend(s, PIECE * min(max(number, 0), len(s.w)))
    for _ in range(min(number, len(s.w))):
        piece = draw_one(s, source, zone)
        if piece < 0:
            break
        drawn.append(piece)
    return drawn


def quick_draw(s: State, number: int, source: int, zone: int) -> list[int]:
    """`draw` without events, triggers and full zones."""
    pile = s.z[source]
    if number <= 0 or len(pile) < number or source == zone:
        return draw(s, number, source, zone)
    if number > FEW:
        spend(s, CARRIED * number)
    drawn: list[int] = pile[-number:][::-1]
    del pile[-number:]
    s.z[zone] += drawn
    w = s.w
    for piece in drawn:
        w[piece] = zone
    return drawn


def quick_draw_one(s: State, source: int, zone: int) -> int:
    """`draw_one` without events, triggers and full zones."""
    pile = s.z[source]
    if not pile:
        return draw_one(s, source, zone)
    piece: int = pile.pop()
    s.z[zone].append(piece)
    s.w[piece] = zone
    return piece


def draw_one(s: State, source: int, zone: int) -> int:
    """Move the top piece; returns it, or -1 if there is none."""
    pile = s.z[source]
    if not pile:
        discard = s.refills.get(source)
        if discard is None or not s.z[discard]:
            return -1
        move_all(s, s.z[discard], source)
        shuffle(s, source)
    piece: int = pile[-1]
    move(s, piece, zone)
    return piece


def shuffle(s: State, zone: int) -> None:
    """Shuffle a pile uniformly (Fisher and Yates)."""
    pile = s.z[zone]
    spend(s, PIECE * len(pile))
    random = s.random
    for i in range(len(pile) - 1, 0, -1):
        j = floor(random() * (i + 1))
        pile[i], pile[j] = pile[j], pile[i]
    if s.log is not None:
        if s.script is not None:
            s.script.shuffled(s, zone)
        spend_telling(s, len(pile))
        s.log.append(("shuffle", zone, tuple(pile)))


def swap_pieces(s: State, a: int, b: int) -> None:
    if a < 0 or b < 0 or a == b:
        return
    first, second = s.w[a], s.w[b]
    if first < 0 or second < 0:
        raise Fault("a piece that lies nowhere cannot change places")
    i, j = s.z[first].index(a), s.z[second].index(b)
    if i + j > LONG_PILE:
        spend(s, (i + j) // SEARCHED)
    s.z[first][i], s.z[second][j] = b, a
    s.w[a], s.w[b] = second, first
    if s.log is not None:
        s.log.append(("swap", a, first, i, b, second, j))
    if s.leaves is not None:
        notice(s, a, first, second)
        notice(s, b, second, first)


def quick_swap_places(pile: list[int], a: int, b: int) -> None:
    """`swap_pieces` for two positions of one pile, counted from 1, if there is a piece at both."""
    if a <= len(pile) and b <= len(pile):
        pile[a - 1], pile[b - 1] = pile[b - 1], pile[a - 1]


def swap_piles(s: State, a: int, b: int) -> None:
    if a == b:
        return
    exchange(s, [a, b], [b, a])


def quick_swap_pieces(s: State, a: int, b: int) -> None:
    """`swap_pieces` without events and triggers."""
    if a < 0 or b < 0:
        return
    w = s.w
    z = s.z
    first, second = w[a], w[b]
    if first < 0 or second < 0:
        raise Fault("a piece that lies nowhere cannot change places")
    i, j = z[first].index(a), z[second].index(b)
    if i + j > LONG_PILE:
        spend(s, (i + j) // SEARCHED)
    z[first][i], z[second][j] = b, a
    w[a], w[b] = second, first


def quick_swap_piles(s: State, a: int, b: int) -> None:
    """`swap_piles` without events, triggers and full zones."""
    z = s.z
    z[a], z[b] = z[b], z[a]
    if len(z[a]) + len(z[b]) > FEW:
        spend(s, CARRIED * (len(z[a]) + len(z[b])))
    w = s.w
    for zone in (a, b):
        for piece in z[zone]:
            w[piece] = zone


def rotate(s: State, base: int, players: int, by: int = 1) -> None:
    exchange(s, [base + p for p in range(players)], [base + (p + by) % players for p in range(players)])


def exchange(s: State, sources: list[int], targets: list[int]) -> None:
    """Exchange whole piles."""
    contents = [list(s.z[source]) for source in sources]
    spend(s, EXCHANGED * len(sources) + PIECE * sum(map(len, contents)))
    for pieces, source, target in zip(contents, sources, targets, strict=True):
        if s.capacities and len(pieces) > s.capacities.get(target, 1 << 30):
            raise Fault(f"'{s.program.zone_of[target].name}' is full: it holds {s.capacities[target]}")
        s.z[target][:] = pieces
        for piece in pieces:
            s.w[piece] = target
        if s.leaves is not None:
            for piece in pieces:
                notice(s, piece, source, target)
    if s.log is not None:
        spend_telling(s, sum(map(len, contents)))
        s.log.append(("exchange", tuple(sources), tuple(targets), tuple(tuple(pieces) for pieces in contents)))


def owner(s: State, piece: int) -> int:
    """The owner of a piece: by its attribute `seat`, or by its zone."""
    seat: int | None = s.program.kind_of[piece].seat_of(piece)
    if seat is not None:
        return seat
    where = s.w[piece]
    return s.program.zone_owner[where] if where >= 0 else -1


def in_use(s: State, low: int, high: int, first: int, end: int) -> list[int]:
    """The zones of a family in which something lies, in order: found by the pieces that may lie there, from `first` to before `end`."""
    w = s.w
    return sorted(distinct([w[piece] for piece in range(first, end) if low <= w[piece] < high]))


def place(s: State, piece: int, family: tuple[int, int, int]) -> int:
    """The index of the zone of a family in which a piece lies, or -1; the family is given as a range of slots and its least index."""
    return s.w[piece] - family[0] + family[2] if family[0] <= s.w[piece] < family[1] else -1


def show(s: State, pieces: list[int], to: list[int]) -> None:
    """Show players what pieces are; they do not move."""
    shown = tuple(piece for piece in pieces if piece >= 0)
    spend(s, PIECE + CARRIED * len(shown))
    if s.log is not None and shown:
        spend_telling(s, len(shown))
        s.log.append(("show", shown, tuple(to)))


MOVED = "what is moved here, which can be seen,"


def roll(s: State, name: str, values: Sequence[int], none: int) -> int:
    """One of the values, all equally likely; none if there are none."""
    if not values:
        return none
    if s.log is None:
        place: int = floor(s.random() * len(values))
        return values[place]
    value: int | None = s.script.rolled(s, name, values) if s.script is not None else None
    if value is None:
        value = values[floor(s.random() * len(values))]
    s.log.append(("roll", name, value, tuple(values)))
    return value


def swap_variables(s: State, a: int, b: int) -> None:
    v = s.v
    v[a], v[b] = v[b], v[a]
    for slot, old in ((a, v[b]), (b, v[a])):
        for trigger in s.program.changes.get(slot, ()):
            if old != v[slot] and trigger not in s.running:
                s.queue.append((trigger, old, slot))
    if s.log is not None:
        s.log.append(("set", a, v[a]))
        s.log.append(("set", b, v[b]))


VERBS = [
    Verb(
        "move",
        "pieces",
        {"to": "pile", "at": "position?"},
        {
            "piece": "move({s}, {argument}, {to}, {at})",
            "list": "move_all({s}, {argument}, {to}, {at})",
            "pile": "move_pile({s}, {argument}, {to}, {at})",
        },
        "Puts a piece, a list of pieces or a whole zone on top of a pile, or at a position: `at bottom`, or `at 5` so that 5 lie below.",
        does=(Moves("argument", "to", at="at"),),
        uses_chance=False,
        seen=MOVED,
        example="move top(deck) to discard\nmove me.hand to deck at bottom",
        unwatched={
            "piece": "quick_move({s}, {argument}, {to}, {at})",
            "pile": "{s}.z[{argument}] and quick_move_pile({s}, {argument}, {to}, {at})",
        },
    ),
    Verb(
        "draw",
        "number",
        {"from": "pile", "to": "pile", "as": "name?"},
        {"any": "draw({s}, {argument}, {from}, {to})", "one": "draw_one({s}, {from}, {to})"},
        "Moves pieces one by one from the top of a pile until it runs out. With `as`, the literal 1 gives a piece or none, else a list.",
        result="drawn",
        does=(Moves("from", "to", number="argument"),),
        uses_chance=False,
        seen=MOVED,
        example="draw 2 from deck to me.hand\ndraw 1 from deck to discard as card\nif card: me.score += 1",
        unwatched={"any": "quick_draw({s}, {argument}, {from}, {to})", "one": "quick_draw_one({s}, {from}, {to})"},
    ),
    Verb(
        "shuffle",
        "pile",
        {},
        {"any": "shuffle({s}, {argument})"},
        "Brings a pile into a random order.",
        does=(Mixes("argument"),),
        uses_chance=True,
        seen="what is done here, which can be seen,",
        example="shuffle deck",
    ),
    Verb(
        "swap",
        "alike",
        {"with": "alike"},
        {
            "piece": "swap_pieces({s}, {argument}, {with})",
            "pile": "swap_piles({s}, {argument}, {with})",
            "variable": "swap_variables({s}, {argument}, {with})",
        },
        "Exchanges two pieces, two zones or two variables of one type.",
        does=(Exchanges("argument", "with"),),
        uses_chance=False,
        seen=MOVED,
        example="swap me.score with marker\nswap deck with discard",
        unwatched={
            "piece": "quick_swap_pieces({s}, {argument}, {with})",
            "pile": "quick_swap_piles({s}, {argument}, {with})",
        },
    ),
    Verb(
        "rotate",
        "hands",
        {"by": "number?"},
        {"any": "rotate({s}, {argument}, len(SEATING), {by})"},
        "Every player's zone goes to the next player; `by -1` to the previous one.",
        does=(Passes("argument", "by"),),
        uses_chance=False,
        seen=MOVED,
        example="rotate hand\nrotate hand by -1",
    ),
    Verb(
        "show",
        "pieces",
        {"to": "players"},
        {
            "piece": "show({s}, [{argument}], {to})",
            "list": "show({s}, {argument}, {to})",
            "pile": "show({s}, {s}.z[{argument}], {to})",
        },
        "Shows pieces to one or several players; the pieces stay where they are.",
        does=(Shows("argument", "to"),),
        uses_chance=False,
        seen="what is shown here",
        example="show me.hand to next(me)",
    ),
    Verb(
        "roll",
        "place",
        {"from": "list"},
        {"any": "roll({s}, {name}, {from}, {n})"},
        "Puts a uniformly random element of a list into a name or a variable.",
        result="elements",
        does=(Picks("from"),),
        uses_chance=True,
        seen="what is rolled here",
        example="roll n from 1..6\nme.score += n",
    ),
]

FUNCTIONS = [
    Function(
        "top",
        ("pile",),
        lambda t: Maybe(element(t[0])),
        "({0}[-1] if {0} else -1)",
        "The top piece of a pile, or none.",
        True,
        example="card = top(deck)\nif card: move card to discard",
    ),
    Function(
        "owner",
        ("piece",),
        lambda _: Maybe(Player()),
        "owner({s}, {0})",
        "The player whose zone a piece lies in, or who is its attribute `seat`; or none.",
        True,
        example="card = top(me.hand)\nif card and owner(card) == me: me.score += 1",
        reads_state=True,
    ),
    Function(
        "place",
        ("piece", "family"),
        lambda t: Maybe(t[1]),
        "place({s}, {0}, {1})",
        "The index of the zone of that family in which a piece lies, or none.",
        True,
        example="card = top(me.hand)\nif card:\n    holder = place(card, hand)\n    if holder: holder.score += 1",
        reads_state=True,
    ),
]
