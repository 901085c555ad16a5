"""What moves in a stored match when pieces change places."""

from __future__ import annotations

from houserule.compiler.program import Program
from houserule.language.types import Piece
from houserule.native.memory import Memory
from houserule.running.renaming import Renaming


class Moves:
    """What moves in a stored match with pieces of some kinds: the same for every match."""

    def __init__(self, program: Program, memory: Memory, kinds: frozenset[str]) -> None:
        variables = memory.word_of(memory.v) + 1
        renaming = Renaming(program, {piece: piece for piece, kind in enumerate(program.kind_of) if kind.name in kinds})
        self.holding = [(variables + slot, slot) for slots in renaming.holding for slot in slots]
        """The words whose values are pieces, with the slots of these variables,"""
        self.moved = {kind: [memory.word_of(memory.w) + 1] for kind in kinds}
        """and by kind where values of pieces begin of which a piece has one."""
        self.is_regular = True
        """Whether that is all."""
        for variable in program.symbols.variables.values():
            indexing = {p.type.kind for p in variable.parameters if isinstance(p.type, Piece)}
            if not (None in indexing or indexing & kinds):
                continue
            if variable.of_kind in kinds and variable.size == variable.sizes[0]:
                self.moved[variable.of_kind].append(variables + variable.base - variable.lows[0])
                self.is_regular &= (variables + variable.base, variable.base) not in self.holding
            else:
                self.is_regular = False
