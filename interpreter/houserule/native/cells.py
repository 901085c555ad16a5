"""The item number of each option, for a translation that counts options."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm


@dataclass(frozen=True, slots=True)
class Cells:
    """The item number of each option, from `study.items`, and how many items there are."""

    number: tuple[int, ...]
    sites: tuple[tuple[int, int, int, int, int], ...]
    """By site: its first item, the item of passing or -1, the answer that passes, whether it is a race, and whether it is one item."""
    width: int
    always: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    """Sites with constant options, with their items, and how often they offer each."""
    looks: bool
    """Whether the lead is also tracked at the beginning of each round."""

    def bytes(self, players: int) -> int:
        """The size of the cells of a match."""
        return 8 * players * max(1, self.width)

    def put_bytes(self, players: int) -> int:
        """The size of the counts how often each site was put to whom."""
        return 8 * players * len(self.sites)

    def constants(self, players: int) -> dict[str, int]:
        """The constants of `noting.wat`, besides addresses."""
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
