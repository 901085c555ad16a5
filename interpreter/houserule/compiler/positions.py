"""Keeps variables by position: one value for each position that some zones and variables form.

A position is identified by a digest: for each zone its pieces, in order if the order counts, with
their own variables; for each variable its values. Copies with the same printed values are the same. For each slot
of such a variable, a state has two lists in `s.kept`: the digests in ascending order, and their values. The lists never change,
so that copies of a state share them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from houserule.language.checked import Family, Variable, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.types import Piece, plain
from houserule.operations.fuel import spend
from houserule.operations.table import Fault
from houserule.operations.zones import in_use

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
        for slot in range(variable.base, variable.base + variable.size):
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
            for slot in range(variable.base, variable.base + variable.size):
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
