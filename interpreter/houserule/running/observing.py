"""What a player sees of a state in numbers, and what a search knows of questions: for native play, and in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from houserule.compiler.runtime import digest

State = Any

UNKNOWN = -1
"""The number of what a player does not know."""
ALL, NOBODY = -1, -2
"""Who knows an amount or a variable: everybody, nobody, or a seat."""
NUMBER, OPTIONAL, PIECE = range(3)
"""What a variable holds: a number, a number or none, or a piece."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The numbers of a question: `numbers` by option, from the option `low` on; of hidden and equal pieces, further ones.

    `kind` is 0 where the numbers are those; 1 for pieces, of which copies follow each other, and hidden ones from `hidden` on.
    """

    kind: int
    low: int
    numbers: tuple[int, ...]
    is_alone: tuple[int, ...]
    hidden: int
    passing: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Which entry of the vector is what. `starts` are by zone and kind the entry of its first id, and `group` by piece the number of its id."""

    size: int
    actions: int
    players: int
    asks: int
    amounts: tuple[int, ...]
    amount_known_by: tuple[int, ...]
    tops: tuple[int, ...]
    firsts: tuple[int, ...]
    kinds: int
    starts: tuple[int, ...]
    kind_of: tuple[int, ...]
    group: tuple[int, ...]
    slots: tuple[int, ...]
    """Of the variables, one after another: slot, entry, who sees it, what it holds, the value of none, and its piece or -1;"""
    entries: tuple[int, ...]
    known_by: tuple[int, ...]
    holds: tuple[int, ...]
    nones: tuple[int, ...]
    pieces: tuple[int, ...]
    unseen: tuple[int, ...]
    """and what stands for one that is not seen."""
    questions: tuple[Asking, ...]


# --- in the subset that is translated: see `native` ---------------------------------------------------------------------------


def see(s: State, viewer: int, layout: Layout, found: list[int]) -> None:
    """Fill in what a player sees of zones and variables."""
    for slot in range(len(layout.amounts)):
        known_by = layout.amount_known_by[slot]
        found[layout.amounts[slot]] = len(s.z[slot]) if known_by in (ALL, viewer) else UNKNOWN
        see_pieces(s, viewer, layout, found, slot)
    for at in range(len(layout.slots)):
        known_by = layout.known_by[at]
        piece = layout.pieces[at]
        if known_by in (ALL, viewer) and (piece < 0 or s.program.sees(s, viewer, piece)):
            found[layout.entries[at]] += value_of(s, viewer, layout, at)
        else:
            found[layout.entries[at]] += layout.unseen[at]


def see_pieces(s: State, viewer: int, layout: Layout, found: list[int], slot: int) -> None:
    last = 0
    for piece in s.z[slot]:
        last = UNKNOWN
        if s.program.sees(s, viewer, piece):
            at = layout.starts[slot * layout.kinds + layout.kind_of[piece]] + layout.group[piece]
            found[at] += 1
            last = at - layout.firsts[slot] + 1
    if layout.tops[slot] >= 0:
        found[layout.tops[slot]] = last


def value_of(s: State, viewer: int, layout: Layout, at: int) -> int:
    value: int = s.v[layout.slots[at]]
    holds = layout.holds[at]
    if holds == PIECE:
        if value < 0:
            return UNKNOWN
        return layout.group[value] if s.program.sees(s, viewer, value) else UNKNOWN
    return UNKNOWN if holds == OPTIONAL and value == layout.nones[at] else value


def numbered(s: State, asking: Asking) -> list[int]:
    """The numbers of the options of the pending question, in their order."""
    return [asking.numbers[option - asking.low] for option in s.options]


def numbered_pieces(s: State, asking: Asking, unordered: Sequence[int]) -> list[int]:
    """The numbers of options that are pieces. Hidden ones that lie in no order are mixed, which only Python can do."""
    hidden = asking.hidden
    found: list[int] = []
    for piece in s.options:
        number = asking.numbers[piece - asking.low]
        if not s.program.sees(s, s.asker, piece):
            if unordered[s.w[piece]]:
                raise ValueError("hidden pieces are mixed")
            number = hidden
            hidden += 1
        elif not asking.is_alone[piece - asking.low]:
            number = next_free(found, number)
        found.append(number)
    return found


def next_free(found: list[int], number: int) -> int:
    while number in found:
        number += 1
    return number


# --- what a search knows ----------------------------------------------------------------------------------------------


FORESEEN = 0.75
"""The share of passes in which simultaneous players answer as a greedy player would."""
LEAST_DEVIATION = 0.01
LISTED = 8
"""Options that are all tried; of more, as many as twice the square root of the visits."""
ATTEMPTS = 4
"""How often a selection is drawn to find a new one."""
MOST_DEALS = 20
"""The most deals if the player would see one of the pieces in its new place."""

# --- in the subset that is translated: see `native` ---------------------------------------------------------------------------

PLACES = 1 << 16
"""More than there are zones."""


def keys_of_pieces(s: State) -> list[int]:
    """The keys of the options of the pending question: a piece by its name and place, a hidden one by its position."""
    return [key_of(s, piece, position) for position, piece in enumerate(s.options)]


def seen(s: State, viewer: int, piece: int) -> int:
    return int(s.program.sees(s, viewer, piece))


def key_of(s: State, piece: int, position: int) -> int:
    program = s.program
    name = program.identity[piece] if program.sees(s, s.asker, piece) else -1 - position
    return int(name * PLACES + s.w[piece])


def keys_of_tuples(s: State, lows: Sequence[int], sizes: Sequence[int], are_pieces: Sequence[bool]) -> list[int]:
    """The keys of options that are things chosen together."""
    return [key_of_parts(s, option, at, lows, sizes, are_pieces) for at, option in enumerate(s.options)]


def key_of_parts(
    s: State, option: int, position: int, lows: Sequence[int], sizes: Sequence[int], are_pieces: Sequence[bool]
) -> int:
    found: list[int] = []
    for low, size, is_piece in zip(lows[::-1], sizes[::-1], are_pieces[::-1], strict=True):
        part = low + option % size
        option //= size
        if is_piece and part >= 0:
            found.append(key_of(s, part, position))
        else:
            found.append(part)
    return digest(found)
