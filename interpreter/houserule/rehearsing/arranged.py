"""The match of a scenario: it can be paused, arranged, and asked the same question again."""

from __future__ import annotations

from houserule.compiler.program import Program
from houserule.compiler.runtime import enter
from houserule.definition.scenario import Scenario
from houserule.language.checked import Routine
from houserule.match.match import Match
from houserule.rehearsing.prepared import Prepared
from houserule.running.state import State

RETURNED = -6
"""The code with which an effect that was run from outside ends."""


class ArrangedMatch(Match):
    """A match under the control of a scenario."""

    def __init__(self, prepared: Prepared, program: Program, state: State, scenario: Scenario) -> None:
        super().__init__(prepared.game, program, state, scenario.players, scenario.seed, "en")
        self.mixes = False
        self.waiting: list[int] = []  # below effects under test: the sites of the pending choices, -1 for a pause
        self.pause_at = -1
        self.is_at_rest = True

    def _go(self, pc: int) -> None:
        """Run to the next question, the end, or a pause; broken promises about chance may stop it in between."""
        self.is_at_rest = False
        super()._go(pc)
        self.is_at_rest = True

    def begin(self) -> None:
        """Run to the first question or the end of the set-up."""
        self._go(self.program.entry)

    def put_again(self) -> None:
        """Put the pending question again, because the table has changed."""
        self._pending = None
        if self.state.waits and self.state.forks is None and not self.is_paused and not self.is_over:
            self._go(self.program.asked_at[self.state.site])

    def perform(self, routine: Routine, me: int) -> None:
        """Run an effect that may ask, while another question is pending."""
        s = self.state
        if self.is_paused:
            self.waiting.append(-1)
            self.pause_at = s.pc
            self.is_paused = False
        else:
            self.waiting.append(s.site)
        self._go(enter(s, self.program.entries[routine.name], [RETURNED, me, -1]))

    def _returned(self, code: int) -> None:
        """Handle the end of an effect under test: put the earlier question again."""
        assert code == RETURNED
        site = self.waiting.pop()
        if site >= 0:
            self._go(self.program.asked_at[site])
        else:
            self.is_paused = True
            self.state.pc = self.pause_at
