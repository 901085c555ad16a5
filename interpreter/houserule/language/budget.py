"""The budget of checking: how much work the rules of a game may take, counted in units of work and never in time.

A unit is an expression or a statement that is checked; a step is worth a few. The work grows with the rules as they are
carried out: a step that is used twice is checked twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from houserule.diagnostics import Span

MOST_UNITS = 100_000
"""For all numbers of players together; the largest game we know takes a fortieth of it."""
STEP = 10
"""What a step takes, besides what stands in it."""


class OverBudget(Exception):
    """The budget is spent; `span` is the rule that spends it."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True, eq=False)
class Budget:
    """The units that are left."""

    left: int = MOST_UNITS
    spent_at: Span | None = None  # the rule that spent it all

    def spend(self, units: int, span: Span) -> None:
        """Take units away for a rule. Raises OverBudget below zero."""
        self.left -= units
        if self.left < 0:
            raise OverBudget(span)
