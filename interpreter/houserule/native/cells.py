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
    always: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    """Sites that always offer the same, with the items, and how often they offer each."""
    looks: bool
    """Whether it is also seen who leads at the beginning of each round."""

    def bytes(self, players: int) -> int:
        """The room of the cells of a match."""
        return 8 * players * max(1, self.width)

    def put_bytes(self, players: int) -> int:
        """The room to note how often each site was put to whom."""
        return 8 * players * len(self.sites)

    def constants(self, players: int) -> dict[str, int]:
        """What `noting.wat` asks for, beside where things lie."""
        return {
            "WIDTH": self.width,
            "WIDTH_BYTES": 8 * self.width,
            "CELL_BYTES": self.bytes(players),
            "PUT_BYTES": self.put_bytes(players),
            "SITE_COUNT": len(self.sites),
            "LAST_ROW": 8 * self.width * (players - 1),
            "WHOLE": lcm(*range(1, players + 1)),
            "TAKEN": 1 << 32,
        }
