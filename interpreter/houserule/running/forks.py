"""Merges the forks of a `together`, in which each player has acted on a copy of the state.

A player's own variables and zones come from that player's part. Pieces that several players put into a common zone end up
as if the players had acted in seat order: each piece lies where its player put it among the pieces that were there before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from houserule.compiler.program import Program
from houserule.language.checked import Variable
from houserule.language.types import Player
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


def put_together(s: Table, parts: Sequence[Table]) -> None:
    """Apply to a state what each part changed on its copy, in seat order. Raises Fault."""
    before_v, before_z, before_w = s.v[:], [pile[:] for pile in s.z], s.w[:]
    for part in parts:
        take_variables(s, part, before_v, before_w)
        take_pieces(s, part, before_z, before_w)
    notice(s, parts, before_v, before_w)


def take_variables(s: Table, part: Table, before_v: list[int], before_w: list[int]) -> None:
    """Apply the variables that a part has changed."""
    for variable in s.program.symbols.variables.values() if part.v != before_v else ():
        for slot in range(variable.base, variable.base + variable.size):
            if part.v[slot] != before_v[slot]:
                own = variable.owned and variable.index(slot)[0] == part.player
                if not own and not is_of_own_piece(s, variable, slot, part, before_w):
                    raise Fault(f"in a together somebody changed '{variable.name}', which is not their own")
                s.v[slot] = part.v[slot]


def is_of_own_piece(s: Table, variable: Variable, slot: int, part: Table, before_w: list[int]) -> bool:
    """Whether a variable belongs to a piece that came from the player's own zone."""
    if variable.of_kind is None:
        return False
    kind = s.program.symbols.kinds[variable.of_kind]
    piece = kind.base + (slot - variable.base) // max(1, variable.size // max(1, len(kind.ids)))
    if isinstance(kind.attribute_types.get("seat"), Player):
        return bool(kind.attributes["seat"][piece - kind.base] == part.player)
    return kind.is_piece and s.program.zone_holder[before_w[piece]] == part.player


def take_pieces(s: Table, part: Table, before_z: list[list[int]], before_w: list[int]) -> None:
    """Apply the pieces that a part has moved."""
    program, holder, player = s.program, s.program.zone_holder, part.player
    moved = [piece for piece, where in enumerate(part.w) if where != before_w[piece]]
    for piece in moved:
        if holder[before_w[piece]] != player or holder[part.w[piece]] not in (player, -1):
            raise Fault("in a together somebody moved a piece that is not their own, or into another's zone")
    found: dict[int, list[int]] = {}
    for slot, pile in enumerate(part.z):
        old, zone = before_z[slot], program.zone_of[slot]
        if pile == old:
            continue
        if holder[slot] == player:
            found[slot] = pile[:]
            continue
        lay = set(old)
        if [piece for piece in pile if piece in lay] != old:
            raise Fault(f"in a together somebody rearranged '{zone.name}', which is not their own")
        found[slot] = put_among(s.z[slot], old, pile)
        if zone.capacity is not None and len(found[slot]) > zone.capacity:
            raise Fault(f"'{zone.name}' is full: it holds {zone.capacity}")
    if part.log:
        part.log = log_of_all(part.log, lambda slot: holder[slot] == player, before_z, s.z)
    for slot, pile in found.items():
        s.z[slot][:] = pile
    for piece in moved:
        s.w[piece] = part.w[piece]


def put_among(lies: Sequence[int], old: Sequence[int], pile: Sequence[int]) -> list[int]:
    """A zone with the pieces that one more player put among its `old` pieces; `pile` is that player's copy of the zone.

    A new piece lies right above the old piece that it was put on, or at the bottom if it was put below all of them. Pieces
    put above all others, or into an empty zone, come to the top.
    """
    lay = set(old)
    added: dict[int, list[int]] = {}  # by the old piece right below, -1 for none
    below = -1
    for piece in pile:
        if piece in lay:
            below = piece
        else:
            added.setdefault(below, []).append(piece)
    top = added.pop(old[-1] if old else -1, [])
    made = added.pop(-1, [])
    for piece in lies:
        made += (piece, *added.get(piece, ()))
    return made + top


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


def notice(s: Table, parts: Sequence[Table], before_v: list[int], before_w: list[int]) -> None:
    """Queue the triggers of the overall changes, by seat, then in the order of each part.

    A `together` is one simple statement: what was changed and changed back has not changed.
    """
    happenings = [trigger.event.happening for trigger in s.program.symbols.triggers]
    for part in parts:
        found: list[tuple[int, int, int]] = []
        for trigger, value, slot in part.queue:
            match happenings[trigger]:
                case "changes":
                    if s.v[slot] != before_v[slot]:
                        found.append((trigger, before_v[slot], slot))
                case "leaves":
                    if before_w[value] == slot != s.w[value]:
                        found.append((trigger, value, slot))
                case _:
                    if before_w[value] != slot == s.w[value]:
                        found.append((trigger, value, slot))
        s.queue += reversed(dict.fromkeys(reversed(found)))  # of several equal changes, the last one counts
