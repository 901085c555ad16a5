"""Tracks who leads in a match: the state at the beginning of each round in, the number of changes of lead out."""

from __future__ import annotations

from houserule.compiler.program import Program
from houserule.core import Outcome
from houserule.running.playout import judged, with_greatest
from houserule.running.state import State


class Leads:
    """The player who would win alone if the match ended now leads. The lead changes when somebody else leads.

    If conditions decide who wins, and not a comparison, the highest score leads.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.leader = -1
        self.changes = 0
        rule = program.game.winner
        self.is_compared = rule is None or rule.rule in ("most", "least")

    def look(self, s: State) -> None:
        """Determine who leads."""
        lines = [points(s) for _, points in self.program.points]
        scores = [sum(line[seat] for line in lines) for seat in range(self.program.symbols.players)]
        if self.is_compared:
            self.found(judged(self.program, s, scores)[1])
        else:
            self.found(with_greatest(scores))

    def found(self, leaders: list[int]) -> None:
        """Note who leads now."""
        if len(leaders) == 1 and leaders[0] != self.leader:
            self.changes += self.leader >= 0
            self.leader = leaders[0]

    def ended(self, outcome: Outcome) -> int:
        """How often the lead has changed, up to the winner."""
        self.found(outcome.winners)
        return self.changes
