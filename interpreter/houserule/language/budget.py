"""The budget of one game: the work that reading, checking and compiling its rules may take, counted in units, never in time.

A unit is what one expression takes that is checked and compiled, about forty microseconds. Whatever can grow spends from
the same budget, at the place in the rules that makes it grow. The work follows the rules as they run: a step that is used twice
is checked twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from houserule.diagnostics import Diagnostic, Span

MOST_UNITS = 120_000
"""For all files of a game and all numbers of players together; the largest known game takes a tenth of it."""
MOST_OF_SCENARIOS = 240_000
"""For one file of scenarios, with which a game is checked again and again; the largest known file takes a tenth of it."""
MOST_TOGETHER = 3_000_000
"""For a game with each of its variants and all of its scenarios; the largest known takes a tenth of it."""
STATEMENT = 6
QUESTION, LINE, TOGETHER = 40, 10, 100
"""The units for a question, a line of a menu, and a `together`: what is written for them is long."""
ROUTINE = 4
STEP = 10
"""The units for a step or a line of the score sheet itself, besides its content."""
WORDS_A_UNIT = 2
"""The words and signs of a text that are parsed for a unit."""
MISTAKE = 20
"""The units for a mistake in a text, besides parsing it again."""
VISITS_A_UNIT = 10
"""The expressions visited for a unit, where one is worked out before the game starts."""


WORD = re.compile(r"\w+|[^\w\s]")


class OverBudget(Exception):
    """The budget is spent; `span` is the rule that exceeded it."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True, eq=False)
class Budget:
    """The units that are left."""

    left: int = field(default_factory=lambda: MOST_UNITS)
    spent_at: Span | None = None  # the rule that exceeded the budget
    spent: int = 0

    def spend(self, units: int, span: Span) -> None:
        """Spend units on a rule. Raises OverBudget below zero."""
        self.left -= units
        self.spent += units
        if self.left < 0:
            raise OverBudget(span)

    def spend_on_text(self, text: str, span: Span) -> None:
        """Spend what it takes to parse a text. Raises OverBudget."""
        self.spend(2 + len(WORD.findall(text)) // WORDS_A_UNIT, span)

    def spend_on_mistakes(self, text: str, found: Sequence[Diagnostic]) -> None:
        """Spend what it takes to explain the mistakes in a text, after each of which it is parsed again. Raises OverBudget."""
        for one in found:
            self.spend_on_text(text, one.span)
            self.spend(MISTAKE, one.span)
