"""What a search knows of questions, in Python and natively: how answers are told apart in different imagined matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houserule.compiler.positions import digest

State = Any

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
    """The same for things that are chosen together."""
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
