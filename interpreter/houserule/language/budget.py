"""The budget of checking: the work that checking a game may take, counted in units, never in time.

A unit is one expression or statement checked; a step costs a few. The work follows the rules as they
run: a step that is used twice is checked twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from houserule.diagnostics import Span

MOST_UNITS = 100_000
"""For all numbers of players together; the largest known game takes a fortieth of it."""
STEP = 10
"""The units for a step itself, besides its content."""


class OverBudget(Exception):
    """The budget is spent; `span` is the rule that exceeded it."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True, eq=False)
class Budget:
    """The units that are left."""

    left: int = MOST_UNITS
    spent_at: Span | None = None  # the rule that exceeded the budget

    def spend(self, units: int, span: Span) -> None:
        """Spend units on a rule. Raises OverBudget below zero."""
        self.left -= units
        if self.left < 0:
            raise OverBudget(span)
