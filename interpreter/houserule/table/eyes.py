"""What one viewer sees of a match at a moment, and the values of layout expressions over only that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from houserule.compiler.folding import evaluate
from houserule.language.checked import Constant, Expression, Family, Pile, ReadVariable, Single
from houserule.language.scope import Budget, OverBudget
from houserule.language.types import NONE, Piece, plain
from houserule.telling.events import EVERYTHING, amount_known, sees_variable

if TYPE_CHECKING:
    from houserule.compiler.program import Program
    from houserule.running.state import State


MOST_UNITS = 50_000
"""The most work of all layout expressions of one table, in units of ten visited expressions; a large game takes a hundredth."""


class Eyes:
    """The eyes of a viewer: the seat of a player, `SPECTATOR`, or `EVERYTHING`."""

    def __init__(self, program: Program, state: State, viewer: int) -> None:
        self.program = program
        self.state = state
        self.viewer = viewer
        self._seen: dict[int, bool] = {}
        self._budget = Budget(MOST_UNITS)

    def sees(self, piece: int) -> bool:
        found = self._seen.get(piece)
        if found is None:
            all_seen = self.viewer == EVERYTHING
            found = self._seen[piece] = all_seen or self.program.sees(self.state, self.viewer, piece)
        return found

    def counts(self, slot: int) -> bool:
        return self.viewer == EVERYTHING or amount_known(self.program, self.state, self.viewer, slot)

    def reads(self, slot: int) -> bool:
        """Whether the viewer sees a variable, and the piece that it refers to."""
        if self.viewer != EVERYTHING and not sees_variable(self.program, self.state, self.viewer, slot):
            return False
        value = self.state.v[slot]
        type = plain(self.program.variable_of[slot].type)
        return not isinstance(type, Piece) or value < 0 or self.sees(value)

    def value(self, expression: Expression, names: Mapping[str, int]) -> int | None:
        """The value of an expression; None if the viewer cannot know it, or if it has none."""
        if isinstance(expression, Constant):
            return expression.value if isinstance(expression.value, int) else None
        self._budget.left -= 1
        if self._budget.left < 0:
            return None
        try:
            found = evaluate(expression, names, self._budget, self.look, self.program.symbols.players)
        except (ValueError, OverBudget):
            return None
        return found if isinstance(found, int) else None

    def look(self, node: ReadVariable | Pile | Single) -> int | tuple[int, ...] | None:
        """The content of a variable or zone, as far as the viewer sees it."""
        if isinstance(node, ReadVariable):
            slot = slot_of(node.variable, node.index)
            return self.state.v[slot] if slot is not None and self.reads(slot) else None
        pile = node.pile if isinstance(node, Single) else node
        slot = slot_of(pile.zone, pile.index)
        if slot is None:
            return None
        pieces = self.state.z[slot]
        if not self.counts(slot) or not all(map(self.sees, pieces)):
            return None
        if isinstance(node, Single):
            return pieces[0] if pieces else NONE
        return tuple(pieces)


def slot_of(family: Family, index: tuple[Expression, ...]) -> int | None:
    """The slot for constant indices; None if there is none."""
    values = [node.value for node in index if isinstance(node, Constant) and isinstance(node.value, int)]
    if len(values) != len(family.lows):
        return None
    inside = all(low <= v < low + size for v, low, size in zip(values, family.lows, family.sizes, strict=True))
    return family.slot(tuple(values)) if inside else None
