"""Merges the forks of a `together`, in which each player has acted on a copy of the state.

A player's own variables and zones come from that player's part. Pieces that several players put into a common zone end up
as if the players had acted in seat order: each piece lies where its player put it among the pieces that were there before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from houserule.compiler.program import Program
from houserule.operations import Fault
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
