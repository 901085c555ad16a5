"""The runtime of generated code, beside the operations: checks, lists, calls, triggers, values by position, and simultaneous play.

A position is identified by a digest: for each zone its pieces, in order if the order counts, with
their own variables; for each variable its values. Copies with the same printed values are the same. For each slot
of such a variable, a state has two lists in `s.kept`: the digests in ascending order, and their values. The lists never change,
so that copies of a state share them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from math import floor
from operator import itemgetter
from typing import Any

from houserule.compiler.chance import drawn, drawn_anyhow, drawn_or_passed, selected
from houserule.language.checked import Family, Variable, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.types import GREATEST, LARGEST, LEAST, Piece, Tuple, plain
from houserule.operations import RUNTIME, Fault
from houserule.operations.fuel import GRAINS, LOOP, PART, TRIGGER, refuel, spend
from houserule.operations.table import by_name
from houserule.operations.zones import in_use, quick_swap_places

State = Any

MOST_POSITIONS = 10_000
"""The most positions with a value other than the start, for each slot of a variable."""
Position = Callable[[State], int]


def position_of(families: Sequence[Family], symbols: SymbolTable, identity: Sequence[int]) -> Position:
    """The function that identifies the position of some zones and variables: equal positions give equal numbers."""
    zones = []
    for family in families:
        if isinstance(family, Zone):
            few = symbols.few_in(family) or range(0)
            zones.append(
                (family.base, family.base + family.size, family.ordered, few.start, few.stop, family.capacity == 1)
            )
    variables = [f for f in families if isinstance(f, Variable)]
    with_pieces = [v for v in variables if v.of_kind in symbols.kinds and symbols.kinds[v.of_kind].lies]
    slots: list[list[int]] = [[] for _ in identity]
    for variable in with_pieces:
        for slot in variable.slots:
            slots[variable.index(slot)[0]].append(slot)
    stretches = [(v.base, v.base + v.size, isinstance(plain(v.type), Piece)) for v in variables if v not in with_pieces]
    is_flat = not with_pieces
    looked_at = sum(end - first for _, _, _, first, end, _ in zones)

    # complex: each form of a family has its shortest loop, in one function that is translated
    def number(s: State) -> int:
        v = s.v
        told: list[int] = []
        for low, high, is_ordered, first, end, is_single in zones:
            if is_single and is_flat and first == end:
                told += [identity[pile[0]] if pile else -1 for pile in s.z[low:high]]
                continue
            used = in_use(s, low, high, first, end) if first < end else list(range(low, high))
            if first < end:
                told.append(len(used))
            for place in used:
                pile = s.z[place]
                if first < end:
                    told.append(place)
                if is_flat:
                    copies = [identity[piece] for piece in pile]
                    told.append(len(copies))
                    told += copies if is_ordered else sorted(copies)
                    continue
                lying = [(identity[piece], *[v[slot] for slot in slots[piece]]) for piece in pile]
                if not is_ordered:
                    lying.sort()
                told.append(len(lying))
                for piece in lying:
                    told += piece
        in_zones = len(told)
        for low, high, is_of_pieces in stretches:
            told += [identity[x] if x >= 0 else x for x in v[low:high]] if is_of_pieces else v[low:high]
        spend(s, 4 * in_zones + len(told) + looked_at)
        return digest(told)

    return number


def digest(told: Sequence[int]) -> int:
    return int.from_bytes(blake2b(array("q", told).tobytes(), digest_size=8).digest(), "little", signed=True)


def memories(symbols: SymbolTable, identity: Sequence[int]) -> tuple[dict[int, int], dict[int, Position]]:
    """By slot of each variable with a value per position: the number of the first of its lists, and what identifies the position."""
    numbers: dict[int, int] = {}
    positions: dict[int, Position] = {}
    for variable in symbols.variables.values():
        if variable.positions:
            position = position_of(variable.positions, symbols, identity)
            for slot in variable.slots:
                numbers[slot] = 2 * len(numbers)
                positions[slot] = position
    return numbers, positions


# --- in the subset that is translated: see `native` ---------------------------------------------------------------------------


def recalled(s: State, slot: int) -> int:
    """The value of a variable for the current position."""
    number = s.program.memories[slot]
    known = s.kept[number]
    told = s.program.positions[slot](s)
    at = bisect_left(known, told)
    if at < len(known) and known[at] == told:
        return int(s.kept[number + 1][at])
    return int(s.program.variables[slot])


def remember(s: State, slot: int, value: int) -> None:
    """Set a variable for the current position."""
    number = s.program.memories[slot]
    known = s.kept[number]
    values = s.kept[number + 1]
    told = s.program.positions[slot](s)
    at = bisect_left(known, told)
    if at < len(known) and known[at] == told:
        spend(s, len(known) // 8)
        s.kept[number + 1] = [*values[:at], value, *values[at + 1 :]]
        return
    if value == s.program.variables[slot]:
        return
    if len(known) >= MOST_POSITIONS:
        raise Fault(f"more than {MOST_POSITIONS} positions have a value here, and that is the limit")
    spend(s, len(known) // 8)
    s.kept[number] = [*known[:at], told, *known[at:]]
    s.kept[number + 1] = [*values[:at], value, *values[at:]]


def forget(s: State, low: int, high: int) -> None:
    for slot, number in s.program.memories.items():
        if low <= slot < high:
            s.kept[number] = []
            s.kept[number + 1] = []


# --- the runtime ------------------------------------------------------------------------------------------------------


LONGEST = 10_000
DEEPEST = 100
MOST_PASSES = 10_000
ENDLESS_LOOP = f"this loop went through {MOST_PASSES} passes without a choice"
ENDLESS_TRIGGERS = "triggers set each other off without an end"
LONGEST_MATCH = 10_000
"""Decisions after which a match is stopped; far more than any match that ends."""
ENDLESS = f"this match goes on and on: after {LONGEST_MATCH} decisions nothing has ended it"


class GameEnd(BaseException):
    """`end game`: neither an error nor anything a rule could catch."""


OVER = GameEnd
"""Raised as a class, so that each end of a game is a new exception without traces of another."""


def at(value: int, low: int, size: int) -> int:
    """An index, checked to be inside its family."""
    if not low <= value < low + size:
        raise Fault(f"there is no entry {value}: the index goes from {low} to {low + size - 1}")
    return value


def entry(table: Sequence[Any], index: int) -> Any:
    """An entry of a table, which counts from 0."""
    if not 0 <= index < len(table):
        raise Fault(f"the table has no entry {index}: it counts from 0 and has the entries 0..{len(table) - 1}")
    return table[index]


def span(low: int, high: int) -> Sequence[int]:
    if high - low >= LONGEST:
        raise Fault(f"a range of {high - low + 1} numbers is too long; the limit is {LONGEST}")
    return range(low, high + 1)


def joined(a: Sequence[int], b: Sequence[int]) -> list[int]:
    if len(a) + len(b) > LONGEST:
        raise Fault(f"a list of {len(a) + len(b)} is too long; the limit is {LONGEST}")
    return [*a, *b]


def sure(value: int, none: int) -> int:
    """A value that a rule asserts to exist."""
    if value == none:
        raise Fault("this is none, and its '!' says that it never is")
    return value


def chained(lists: Iterable[Sequence[int]]) -> list[int]:
    """Several lists joined."""
    found: list[int] = []
    for one in lists:
        found += one
        if len(found) > LONGEST:
            raise Fault(f"a list of more than {LONGEST} is too long; the limit is {LONGEST}")
    return found


def in_order(pairs: Iterable[tuple[Any, int]]) -> list[int]:
    return [value for _, value in sorted(pairs, key=itemgetter(0))]


def without(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The first list without what is in the second."""
    left_out = frozenset(b)
    return [x for x in a if x not in left_out]


def gather(z: list[list[int]], low: int, high: int) -> list[int]:
    return [piece for pile in z[low:high] for piece in pile]


def gather_few(s: State, low: int, high: int, first: int, end: int) -> list[int]:
    """The pieces of some zones, where there are far fewer, with the numbers from `first` to before `end`, than zones."""
    return [piece for slot in in_use(s, low, high, first, end) for piece in s.z[slot]]


def cell_of(flat: Sequence[int], lows: Sequence[int], sizes: Sequence[int], index: Sequence[int]) -> int:
    position = 0
    for value, low, size in zip(index, lows, sizes, strict=True):
        if not low <= value < low + size:
            return -1
        position = position * size + value - low
    return flat[position]


def inside(value: int, low: int, high: int, none: int | None) -> int:
    """A number, checked to be in its range."""
    if value != none and not low <= value <= high:
        raise Fault(f"{value} is out of its range {low}..{high}")
    return value


def whole(value: Any) -> Any:
    """A number, checked to be an `int`; lists and others pass."""
    if type(value) is int and not LEAST - 1 <= value <= GREATEST:
        bound = f"large: the limit is {GREATEST}" if value > 0 else f"small: the limit is {LEAST}"
        raise Fault(f"the number is too {bound}")
    return value


def times(a: int, b: int) -> int:
    """A product, checked: each could have twice the digits of its factors."""
    found = a * b
    if not -LARGEST <= found <= LARGEST:
        raise Fault("the product is too large: the limit is 2 to the power of 256")
    return found


LARGEST_SCORE = 2**50
"""The points of a line; all lines together stay whole numbers for every program that reads them."""


def scored(points: int) -> int:
    """Points, checked to be no more than a table of results can hold."""
    if not -LARGEST_SCORE <= points <= LARGEST_SCORE:
        raise Fault(f"the points are too many: the limit is {LARGEST_SCORE}")
    return points


def out_of_range(value: int, name: str, low: int, high: int) -> None:
    """Report the variable and the value that it cannot have."""
    if (low, high) == (LEAST, GREATEST):
        raise Fault(f"'{name}' would become too large: {low}..{high} is possible")
    raise Fault(f"'{name}' would become {value}, and its range is {low}..{high}")


def metered(s: State, items: Sequence[int], a_pass: int) -> Sequence[int]:
    """A list to iterate over; each element costs so many grains."""
    s.fuel -= LOOP + len(items) * a_pass // GRAINS
    if s.fuel < 0:
        refuel(s)
    return items


def mark(s: State | None, number: int) -> None:
    """Mark a probe. Without a state, pieces are being laid out and nobody plays."""
    if s is not None:
        s.program.marks[number] = 1


def way(s: State | None, test: Any, yes: int, no: int) -> Any:
    """A condition with a probe for each outcome, -1 for none."""
    number = yes if test else no
    if s is not None and number >= 0:
        s.program.marks[number] = 1
    return test


def passes(s: State, count: int, a_pass: int) -> range:
    """The passes of `repeat`, each of which costs so many grains."""
    if count > MOST_PASSES:
        raise Fault(f"{count} passes without a choice are too many; the limit is {MOST_PASSES}")
    s.fuel -= LOOP + max(count, 0) * a_pass // GRAINS
    if s.fuel < 0:
        refuel(s)
    return range(count)


def counted(s: State, count: int, a_pass: int) -> int:
    """Count a pass of a loop that asks nobody, and its work."""
    s.fuel -= a_pass
    if s.fuel < 0:
        refuel(s)
    if count >= MOST_PASSES:
        endless_loop()
    return count + 1


def endless_loop() -> None:
    raise Fault(ENDLESS_LOOP)


def deeper(s: State, work: int) -> None:
    """Count one more nested call, and its work; recursive routines do this themselves."""
    s.depth += 1
    s.fuel -= work
    if s.depth > DEEPEST:
        s.depth = 0
        raise Fault(f"calls are nested deeper than {DEEPEST}")
    if s.fuel < 0:
        refuel(s)


def without_effect(*_: Any) -> None:
    """The effect of a member that has none."""


def see_kind(s: State, first: int, end: int, low: int, high: int) -> None:
    """See that some zones hold pieces of one kind, which have these numbers."""
    for zone in range(first, end):
        s.fuel -= len(s.z[zone])
        for piece in s.z[zone]:
            if not low <= piece < high:
                raise Fault(f"'{s.program.zone_of[zone].name}' holds no pieces of this kind")


def reset(s: State, low: int, high: int) -> None:
    """Reset variables to their starts without setting off triggers."""
    start = s.program.variables
    if s.log is not None:
        for slot in range(low, high):
            if s.v[slot] != start[slot]:
                s.log.append(("reset", slot, start[slot]))
    s.v[low:high] = start[low:high]
    if s.kept:
        forget(s, low, high)


# --- frames -------------------------------------------------------------------------------------------------------------------


def enter(s: State, segment: int, frame: list[Any]) -> int:
    """Push a new frame; returns the first segment of its rules."""
    if len(s.frames) > DEEPEST:
        raise Fault(f"calls are nested deeper than {DEEPEST}")
    frame += (0,) * (s.program.frame_sizes[segment] - len(frame))
    s.frames.append(frame)
    return segment


def enter_effect(s: State, table: Sequence[tuple[int, tuple[int, ...]]], of: int, frame: list[Any]) -> int:
    """Push a new frame for the effect of a member, given its first segment and the size of its locals; a member without one does nothing."""
    segment, room = table[of]
    if segment < 0:
        s.answer = -1
        return int(frame[0])
    frames = s.frames
    if len(frames) > DEEPEST:
        raise Fault(f"calls are nested deeper than {DEEPEST}")
    frame[2] = of
    frame += room
    frames.append(frame)
    return segment


def bounds(low: int, high: int, options: Sequence[int]) -> tuple[int, int]:
    """How many of the options may be chosen: three cards of two means two."""
    most = max(0, min(high, len(options)))
    return max(0, min(low, most)), most


def alike_once(s: State, chooser: int, pieces: Sequence[int]) -> Sequence[int]:
    """Copies that the chooser cannot distinguish are one option, represented by the topmost."""
    program = s.program
    names = program.identity
    lying = s.w[pieces[0]] if pieces else -1
    if lying >= 0 and program.alike[lying] and pieces == s.z[lying]:
        topmost = {names[piece]: piece for piece in pieces}
        return list(topmost.values())
    w = s.w
    apart = {(w[piece], names[piece]): piece for piece in pieces}
    if len(apart) == len(pieces):
        return pieces
    alike = program.alike
    if all(where >= 0 and alike[where] for where, _ in apart):
        return list(apart.values())
    seen = {told_apart_by(s, chooser, piece): piece for piece in pieces}
    return list(seen.values()) if len(seen) < len(pieces) else pieces


def told_apart_by(s: State, chooser: int, piece: int) -> tuple[int, ...]:
    """What distinguishes a piece for the chooser: copies with the same value are alike."""
    program, where = s.program, s.w[piece]
    if where < 0 or not program.unordered[where] or program.hides[piece]:
        return (-2, piece)
    if program.zone_sight[where] != "all" and not program.sees(s, chooser, piece):
        return (-2, piece)
    return (where, program.identity[piece], *[s.v[slot] for slot in program.piece_slots[piece]])


def tuples_once(s: State, chooser: int, options: Sequence[int], type: Tuple, alike: Sequence[bool]) -> Sequence[int]:
    """Tuples that differ only in copies that the chooser cannot distinguish are one option, represented by the last."""
    s.fuel -= len(options) * len(alike)
    seen = {tuple_told_apart_by(s, chooser, option, type, alike): option for option in options}
    return list(seen.values())


def tuple_told_apart_by(s: State, chooser: int, option: int, type: Tuple, alike: Sequence[bool]) -> tuple[int, ...]:
    """What distinguishes a tuple for the chooser, its last part first; `type.parts` unpacks it the same way."""
    found: list[int] = []
    for low, size, is_piece in zip(type.lows[::-1], type.sizes[::-1], alike[::-1], strict=True):
        part = low + option % size
        option //= size
        if is_piece and part >= 0:
            found += told_apart_by(s, chooser, part)
        else:
            found.append(part)
    return tuple(found)


# --- triggers -------------------------------------------------------------------------------------------------------------------


def noticed(s: State, slot: int, value: int, triggers: Sequence[int]) -> None:
    """Queue the triggers of a variable that changes."""
    old = s.v[slot]
    if old != value:
        for trigger in triggers:
            if trigger not in s.running:
                s.queue.append((trigger, old, slot))


def drain(s: State) -> None:
    """Run the waiting triggers, none of which asks anybody."""
    queue = s.queue
    if not queue or s.draining:
        return
    s.draining = True
    count = 0
    try:
        while queue:
            count += 1
            if count > MOST_PASSES:
                raise Fault(ENDLESS_TRIGGERS)
            spend(s, TRIGGER)
            run_next(s)
    finally:
        s.draining = False
        s.running = ()


def run_next(s: State) -> None:
    """Run the first waiting trigger, which asks nobody."""
    trigger, value, slot = next_waiting(s)
    s.running = (trigger,)
    s.program.trigger_functions[trigger](s, -1, *trigger_arguments(s, trigger, value, slot))


def next_waiting(s: State) -> tuple[int, int, int]:
    """Take the first trigger from the queue. More than may be run one after another need not be run until then."""
    if len(s.queue) > MOST_PASSES:
        raise Fault(ENDLESS_TRIGGERS)
    found: tuple[int, int, int] = s.queue.pop(0)
    return found


def drain_asking(s: State, then: int) -> int:
    """Run the waiting triggers, some of which may ask; then continue."""
    if not s.queue or s.draining:
        return then
    s.draining = True
    s.frames.append([then, -1, -1])
    return int(s.program.drain_segment)


def drain_next(s: State) -> int:
    """The segment between two triggers."""
    if not s.queue:
        s.draining = False
        s.running = ()
        return int(s.frames.pop()[0])
    s.passes += 1
    if s.passes > MOST_PASSES:
        raise Fault(ENDLESS_TRIGGERS)
    spend(s, TRIGGER)
    return enter_next(s)


def enter_next(s: State) -> int:
    """Push a frame for the first waiting trigger; returns its first segment."""
    trigger, value, slot = next_waiting(s)
    s.running = (trigger,)
    arguments = trigger_arguments(s, trigger, value, slot)
    return enter(s, s.program.trigger_segments[trigger], [s.program.drain_segment, -1, -1, *arguments])


def trigger_arguments(s: State, trigger: int, value: int, slot: int) -> tuple[int, ...]:
    """The arguments of an event: the piece or the old value, and the indices."""
    with_subject, _, indices = s.program.trigger_events[trigger]
    return (value, *indices[slot]) if with_subject else indices[slot]


def each_once(players: Sequence[int]) -> Sequence[int]:
    """The players, without anybody acting twice at the same time."""
    if len(set(players)) != len(players):
        raise Fault("a player is in the list of a together twice")
    return players


def fork(s: State, players: Sequence[int], inside: int, binder: int, then: int, shared: int) -> int:
    """Let all players act separately: in turn if nobody can tell the difference, otherwise each on a copy of the state."""
    s.to_act = each_once(players)
    s.inside = inside
    s.binder = binder
    s.then = then
    if shared:
        s.place = 0
        s.before_passes = s.passes
        s.before_chances = s.chances
        s.before = s.frames[-1][:]
        if s.begins_turns():
            return next_to_act(s)
    spend(s, PART * (len(s.v) + len(s.w) + len(s.z)) * len(s.to_act))
    return int(s.split(bool(shared)))


def next_to_act(s: State) -> int:
    """Parts in turn: the segment where the next player's part begins, with fresh local names; after the last, the next segment."""
    frame = s.frames[-1]
    frame[:] = s.before
    s.passes = 0  # each part has its own counters
    if s.place < len(s.to_act):
        if s.binder >= 0:
            frame[s.binder] = s.to_act[s.place]
        s.place += 1
        return int(s.inside)
    s.passes = s.before_passes if s.before_chances == s.chances else 0  # if nobody was asked, counting continues
    s.to_act = ()
    return int(s.then)


PURE: dict[str, Any] = {
    **by_name(len, sum, min, max, all, any, abs, floor, sorted, list, tuple, at, entry, span, joined, sure),
    **by_name(chained, in_order, without, gather, gather_few, cell_of, inside, whole, times, scored),
    "NOBODY": (-1,),
    "OVER": OVER,
    "metered": lambda s, items, a_pass: items if s is None else metered(s, items, a_pass),
}
LINKED: dict[str, Any] = {
    **by_name(metered, mark, way, refuel, passes, counted, endless_loop, see_kind, reset, recalled, remember, enter),
    **by_name(enter_effect, bounds, alike_once, tuples_once, noticed, drain, drain_asking),
    **by_name(each_once, fork, out_of_range, deeper, drawn, drawn_anyhow, drawn_or_passed, selected, quick_swap_places),
}


def world(players: int) -> dict[str, Any]:
    """All names that generated code can reach besides the program's own constants; no others, and no builtins."""
    seating = tuple(tuple((first + i) % players for i in range(players)) for first in range(players))
    return {
        "__builtins__": {},
        **PURE,
        **RUNTIME,
        "SEATING": seating,
        "OPPONENTS": tuple(seating[(p + 1) % players][: players - 1] for p in range(players)) if players > 1 else ((),),
    }


__all__ = ["LINKED", "OVER", "PURE", "GameEnd", "drain_next", "world"]
