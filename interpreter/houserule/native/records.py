"""Many matches side by side in a sandbox: what one player sees of each and may answer, while the others answer by chance."""

from __future__ import annotations

import ctypes

from houserule.compiler.program import Program
from houserule.extras import signals_held_back
from houserule.native.machine import Machine
from houserule.native.memory import WORD
from houserule.native.observing import Record
from houserule.running.observing import Layout

LEAVE, BEGIN = -1, -2
"""Commands: leave a match alone, or begin another. Any other number is an answer."""


class Observed(Machine):
    """A program with many matches in it. Raises Untranslatable."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.layout = layout
        super().__init__(program, layout)
        self.record = Record(self.memory, layout, self.row)

    def observe(self, commands: bytes, seeds: bytes, seat: int, first: int = 0) -> int:
        """Carry out a command for each match from the first on, with a seed for those that begin: words of 64 bits.

        Returns the number of the match that trapped, or how many there are.
        """
        with signals_held_back():
            self.write(self.memory.rows, commands)
            self.write(self.memory.keys, seeds)
            self.ran("observe", first, len(commands) // WORD, seat)
            return self.sandbox.number("done")

    def content(self) -> ctypes.Array[ctypes.c_ubyte]:
        """All records, as they lie in memory until the next call."""
        return (ctypes.c_ubyte * (self.record.count * self.record.size)).from_address(
            self.sandbox.address + self.memory.records
        )
