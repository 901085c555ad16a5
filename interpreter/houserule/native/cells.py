"""Which item each value is that can be offered, for a translation that counts what is offered and taken."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm


@dataclass(frozen=True, slots=True)
class Cells:
    """Which item each value is that can be offered: the numbers of `study.items`, and how many items there are."""

    number: tuple[int, ...]
    sites: tuple[tuple[int, int, int, int, int], ...]
    """By site: where its items begin, the item of passing or -1, the answer that passes, and whether it is a race, and one item."""
    width: int
    looks: bool
    """Whether it is also seen who leads at the beginning of each round."""

    def bytes(self, players: int) -> int:
        """The room of the cells of a match."""
        return 8 * players * max(1, self.width)

    def constants(self, players: int) -> dict[str, int]:
        """What `noting.wat` asks for, beside where things lie."""
        return {
            "WIDTH": self.width,
            "WIDTH_BYTES": 8 * self.width,
            "CELL_BYTES": self.bytes(players),
            "WHOLE": lcm(*range(1, players + 1)),
            "TAKEN": 1 << 32,
        }
