"""Tracks which pieces a viewer has kept in sight, and their last changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count


class Following:
    """What one viewer has tracked: a number for each piece in view, and when things last changed.

    A piece keeps its number as long as the viewer has it in view. One that left the view, or was shuffled, gets a new
    number when it is seen again, so that no number reveals which of several pieces it is. `moved` and `set` have the
    log entry at which a piece, a zone or a variable was last told to have changed.
    """

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}  # by piece
        self.last = 0
        self.moved: dict[int, int] = {}  # by piece
        self.touched: dict[int, int] = {}  # by slot of a zone
        self.set: dict[int, int] = {}  # by slot of a variable

    def see(self, pieces: Iterable[int]) -> None:
        """Pieces come into view, possibly again without being recognisable."""
        listed = list(pieces)
        self.numbers.update(zip(listed, count(self.last + 1)))
        self.last += len(listed)

    def lose(self, pieces: Iterable[int]) -> None:
        for piece in pieces:
            self.numbers.pop(piece, None)

    def move(self, piece: int, saw: bool, sees: bool, at: int) -> None:
        """A piece moves; it is tracked if it is seen before and after."""
        if not sees:
            self.lose((piece,))
        else:
            if not saw:
                self.see((piece,))
            self.moved[piece] = at

    def look_again(self, pieces: Sequence[int], seen: Sequence[int], at: int) -> None:
        """Many pieces have moved at once: those in view get new numbers."""
        if len(seen) < len(pieces):
            self.lose(pieces)
        self.see(seen)
        self.moved.update(dict.fromkeys(seen, at))
