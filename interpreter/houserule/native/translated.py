"""Functions that are translated instead of others of the runtime: simultaneous play, remaining work, values by position.

The functions that they replace are outside the subset. These are never called in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houserule.compiler import runtime
from houserule.compiler.blocks import FORKED
from houserule.compiler.positions import MOST_POSITIONS
from houserule.native.functions import Area
from houserule.operations.fuel import ANSWERED, FUEL, PART, spend
from houserule.operations.table import Fault

State = Any


class Direct:
    """A call whose code is emitted directly: see `stand_ins`."""

    def __init__(self, promise: str) -> None:
        self.promise = promise

    def __call__(self, *_: Any) -> Any:
        raise AssertionError(self.promise)


keep_frame = Direct("Keep what is in the innermost frame.")
bring_frame_back = Direct("The innermost frame as it was kept.")
set_in_frame = Direct("Set a word of the innermost frame.")
count_of = Direct("How many variables (0), pieces (1), zones (2), or words of a part's queue (3) there are.")
owner_of_slot = Direct("The player whose variable it is, or -1.")
piece_of_slot = Direct("The piece whose variable it is, or -1.")
happening_of = Direct("What a trigger waits for.")
wait = Direct("A trigger waits until all parts are there.")
position_at = Direct("What tells the position in which the table stands, for a variable with a value for each.")
remembered = Direct("The positions (0) or the values (1) of such a variable.")
keep = Direct("Put a list in the place of these.")
start_of = Direct("What a variable starts with.")
all_waiting = Direct("All triggers that wait, four words each.")


def refuel(s: State) -> None:
    """Draw more units of work from the reserve. Raises Fault if the limit is reached."""
    drawn = FUEL - s.fuel
    s.fuel = FUEL
    if s.chances != s.unasked:
        drawn += ANSWERED * max(0, s.unasked - s.chances)
        s.unasked = s.chances
        s.since = 0
    s.reserve -= drawn
    s.since += drawn
    if s.since > s.between or s.reserve < 0:
        raise Fault("this takes too long")


def fork(s: State, players: Sequence[int], inside: int, binder: int, then: int, shared: int) -> int:
    """Run parts in turn if nobody can tell the difference; otherwise each on a copy of the state."""
    s.to_act = runtime.each_once(players)
    s.inside = inside
    s.binder = binder
    s.then = then
    if not shared:
        spend(s, PART * (count_of(s, 0) + count_of(s, 1) + count_of(s, 2)) * len(players))
        return FORKED
    s.place = 0
    s.before_passes = s.passes
    s.before_chances = s.chances
    if s.chances <= 0:
        s.whole = 1  # as in Python, where parts with separate states are played to their end
    keep_frame(s)
    return next_to_act(s)


def next_to_act(s: State) -> int:
    """The segment where the next player's part begins, with fresh local names; after the last, what follows."""
    bring_frame_back(s)
    s.passes = 0
    if s.place < len(s.to_act):
        if s.binder >= 0:
            set_in_frame(s, s.binder, s.to_act[s.place])
        s.place += 1
        inside: int = s.inside
        return inside
    s.whole = 0
    s.passes = s.before_passes if s.before_chances == s.chances else 0
    then: int = s.then
    return then


# --- simultaneous play on copies of the state: what `running.forks` does, part by part ---------------------------------------

BEFORE_V: Any = Area("v", 1)
BEFORE_W: Any = Area("w", 1)
BEFORE_Z: Any = Area("z", 1)
PART_V: Any = Area("v", 2)
PART_W: Any = Area("w", 2)
PART_Z: Any = Area("z", 2)
PART_QUEUE: Any = Area("queue", 2)
CHANGES, LEAVES, ENTERS = range(3)


def take_part(s: State, player: int, part: int) -> None:
    """Apply the changes that a part made on its copy. Raises Fault."""
    holders = s.program.zone_holder
    for slot in range(count_of(s, 0)):
        if PART_V[slot] != BEFORE_V[slot]:
            own = owner_of_slot(s, slot)
            piece = piece_of_slot(s, slot)
            if own != player and (own >= 0 or piece < 0 or holders[BEFORE_W[piece]] != player):
                raise Fault("in a together somebody changed what is not their own")
            s.v[slot] = PART_V[slot]
    for piece in range(count_of(s, 1)):
        if PART_W[piece] != BEFORE_W[piece]:
            to = holders[PART_W[piece]]
            if holders[BEFORE_W[piece]] != player or (to != player and to >= 0):
                raise Fault("in a together somebody moved a piece that is not their own, or into another's zone")
            s.w[piece] = PART_W[piece]
    for slot in range(count_of(s, 2)):
        if PART_Z[slot] != BEFORE_Z[slot]:
            if holders[slot] == player:
                s.z[slot][:] = PART_Z[slot]
            else:
                put_among(s, slot)
    for at in range(0, count_of(s, 3), 3):
        wait(s, part, PART_QUEUE[at], PART_QUEUE[at + 1], PART_QUEUE[at + 2])


def put_among(s: State, slot: int) -> None:
    """A common zone with the pieces that one more player put between those that lay there. Raises Fault."""
    old = BEFORE_Z[slot]
    pile = PART_Z[slot]
    if [piece for piece in pile if piece in old] != list(old):
        raise Fault("in a together somebody rearranged what is not their own")
    highest = -1
    for piece in old:
        highest = piece
    made: list[int] = []
    if highest >= 0:
        made += put_on(pile, old, -1)
    for piece in s.z[slot]:
        made.append(piece)
        if piece != highest and piece in old:
            made += put_on(pile, old, piece)
    made += put_on(pile, old, highest)
    if len(made) > s.program.capacities.get(slot, 1 << 30):
        raise Fault("a zone is full")
    s.z[slot][:] = made


def put_on(pile: Sequence[int], old: Sequence[int], below: int) -> list[int]:
    """The pieces that a player put directly on top of an old one, or at the bottom."""
    found: list[int] = []
    last = -1
    for piece in pile:
        if piece in old:
            last = piece
        elif last == below:
            found.append(piece)
    return found


def queue_all(s: State) -> None:
    """Queue the triggers of the overall changes, by seat, then in the order of each part."""
    waiting = all_waiting(s)
    for at in range(0, len(waiting), 4):
        part, trigger, value, slot = waiting[at], waiting[at + 1], waiting[at + 2], waiting[at + 3]
        happening = happening_of(s, trigger)
        if happening == CHANGES:
            old = BEFORE_V[slot]
            if s.v[slot] != old and not comes_again(waiting, at, part, trigger, slot, 0, 0):
                s.queue.append((trigger, old, slot))
        elif happening == LEAVES:
            if (
                BEFORE_W[value] == slot
                and s.w[value] != slot
                and not comes_again(waiting, at, part, trigger, slot, 1, value)
            ):
                s.queue.append((trigger, value, slot))
        elif (
            BEFORE_W[value] != slot
            and s.w[value] == slot
            and not comes_again(waiting, at, part, trigger, slot, 1, value)
        ):
            s.queue.append((trigger, value, slot))


def comes_again(
    waiting: Sequence[int], at: int, part: int, trigger: int, slot: int, is_of_piece: int, value: int
) -> bool:
    """Whether the same change follows again in a part; the last one counts."""
    for other in range(at + 4, len(waiting), 4):
        is_same = waiting[other] == part and waiting[other + 1] == trigger and waiting[other + 3] == slot
        if is_same and (not is_of_piece or waiting[other + 2] == value):
            return True
    return False


# --- values by position: what `compiler.positions` does, with immutable lists ------------------------------------------------


def recalled(s: State, slot: int) -> int:
    """The value of a variable for the current position."""
    told = position_at(s, slot)
    known = remembered(s, slot, 0)
    at = place_in(known, told)
    if at < len(known) and known[at] == told:
        found: int = remembered(s, slot, 1)[at]
        return found
    start: int = start_of(s, slot)
    return start


def remember(s: State, slot: int, value: int) -> None:
    """Set a variable for the current position. Raises Fault."""
    told = position_at(s, slot)
    known = remembered(s, slot, 0)
    at = place_in(known, told)
    if at < len(known) and known[at] == told:
        spend(s, len(known) // 8)
        keep(s, slot, 1, with_one(remembered(s, slot, 1), at, value, 1))
        return
    if value == start_of(s, slot):
        return
    if len(known) >= MOST_POSITIONS:
        raise Fault("too many positions have a value here")
    spend(s, len(known) // 8)
    keep(s, slot, 1, with_one(remembered(s, slot, 1), at, value, 0))
    keep(s, slot, 0, with_one(known, at, told, 0))


def place_in(known: Sequence[int], told: int) -> int:
    """The index of a number in an ascending list, or its insertion point."""
    low = 0
    high = len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < told:
            low = middle + 1
        else:
            high = middle
    return low


def with_one(items: Sequence[int], at: int, item: int, instead_of: int) -> list[int]:
    """A list with one item inserted, or replaced."""
    found: list[int] = []
    found += items[:at]
    found.append(item)
    found += items[at + instead_of :]
    return found
