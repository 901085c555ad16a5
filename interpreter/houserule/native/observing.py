"""Translates what a player is shown of a match, and lays out the records of many: see `observing.wat`."""

from __future__ import annotations

from collections.abc import Callable

from houserule.native.functions import STATE, Area, Function, Module, Scope, call_function
from houserule.native.memory import GENERATOR, RECORDS, WORD, Memory, named
from houserule.native.values import INT, Value, get_local, of_known
from houserule.running.observing import Layout, numbered, numbered_pieces, see

MOST_STORED = 4096
"""Room for what a stored state has more than that of the first step, in bytes."""


class Record:
    """Where the parts of a record are, from its beginning: see `observing.wat`."""

    def __init__(self, memory: Memory, layout: Layout, row: int) -> None:
        """`row` is the number of words of the row of a result."""
        self.row = 3 * WORD
        self.seen = self.row + row * WORD
        self.legal = self.seen + layout.size * WORD
        self.legal_bytes = (layout.actions + WORD - 1) // WORD * WORD
        self.chance_kept = self.legal + self.legal_bytes
        self.answers_kept = self.chance_kept + GENERATOR
        self.stored = self.answers_kept + GENERATOR
        self.stored_bytes = len(memory.image()) + MOST_STORED
        self.size = self.stored + self.stored_bytes
        self.count = RECORDS // self.size
        """How many fit into a sandbox."""


def emit(module: Module, plain: Callable[[Callable[[Scope], None]], Function], layout: Layout) -> tuple[int, int]:
    """Write the functions of `running.observing`; returns where the numbers of those for questions are, and those of passing."""

    def write(scope: Scope) -> None:
        scope.function.parameters = [("$p0", "i64")]
        viewer = Value(INT, (get_local("$p0"),))
        call_function(scope, see, [of_known(STATE), viewer, of_known(layout), of_known(Area("observed"))])

    plain(write).name = "$see"
    askings = []
    for asking in layout.questions:
        known = [of_known(STATE), of_known(asking)]
        if asking.kind:
            made = module.instance(numbered_pieces, [*known, of_known(module.blueprint.unordered)])
        else:
            made = module.instance(numbered, known)
        askings.append(module.element(made.name))
    return module.memory.constant(askings), module.memory.constant([asking.passing for asking in layout.questions])


def constants(memory: Memory, layout: Layout, row: int, tables: tuple[int, int]) -> dict[str, float]:
    """The constants of `observing.wat`, with what `emit` returned."""
    record = Record(memory, layout, row)
    askings, passing = tables
    return {
        **named(record),
        "RECORD": record.size,
        "ASKINGS": askings + WORD,
        "PASSING": passing + WORD,
        "OBSERVED_BYTES": layout.size * WORD,
        "ASKED_SEATS": memory.observed + layout.players * WORD,
        "ASKED_SITES": memory.observed + layout.asks * WORD,
    }
