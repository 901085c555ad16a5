"""Translates what a player is shown of a match, and lays out the records of many: see `observing.wat`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compiler.runtime import LONGEST_MATCH
from houserule.native.functions import STATE, Area, Scope, call_function
from houserule.native.memory import GENERATOR, RECORDS, WORD, Memory
from houserule.native.values import INT, Value, of_known
from houserule.native.wasm import get_local
from houserule.running.observing import Layout, numbered, numbered_pieces, see

if TYPE_CHECKING:
    from houserule.native.module import Written

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
        self.chance = self.legal + self.legal_bytes
        self.answers = self.chance + GENERATOR
        self.stored = self.answers + GENERATOR
        self.stored_bytes = len(memory.image()) + MOST_STORED
        self.size = self.stored + self.stored_bytes
        self.count = RECORDS // self.size
        """How many fit into a sandbox."""


def emit(written: Written, layout: Layout) -> None:
    """The functions of `running.observing`, for the questions and the views of a program."""
    module = written.module

    def write(scope: Scope) -> None:
        scope.function.parameters = [("$p0", "i64")]
        viewer = Value(INT, (get_local("$p0"),))
        call_function(scope, see, [of_known(STATE), viewer, of_known(layout), of_known(Area("observed"))])

    written.plain(write).name = "$see"
    askings = []
    for asking in layout.questions:
        known = [of_known(STATE), of_known(asking)]
        if asking.kind:
            made = module.instance(numbered_pieces, [*known, of_known(module.blueprint.unordered)])
        else:
            made = module.instance(numbered, known)
        askings.append(module.element(made.name))
    written.askings = module.memory.constant(askings)
    written.passing = module.memory.constant([asking.passing for asking in layout.questions])


def constants(written: Written, layout: Layout) -> dict[str, int]:
    """The constants of `observing.wat`."""
    memory = written.memory
    record = Record(memory, layout, written.row)
    return {
        "RECORDS": memory.records,
        "RECORD": record.size,
        "ASKINGS": written.askings + WORD,
        "PASSING": written.passing + WORD,
        "OBSERVED": memory.observed,
        "OBSERVED_BYTES": layout.size * WORD,
        "ASKED_SEATS": memory.observed + layout.players * WORD,
        "ASKED_SITES": memory.observed + layout.asks * WORD,
        "ROW": record.row,
        "SEEN": record.seen,
        "LEGAL": record.legal,
        "LEGAL_BYTES": record.legal_bytes,
        "CHANCE_KEPT": record.chance,
        "ANSWERS_KEPT": record.answers,
        "STORED": record.stored,
        "STORED_BYTES": record.stored_bytes,
        "GENERATOR": GENERATOR,
        "KEPT": memory.kept,
        "LONGEST_MATCH": LONGEST_MATCH,
    }
