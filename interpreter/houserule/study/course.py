"""The course of a match, as it is played: who leads, how many questions are put, and who decides nothing.

Native play notes the same (`native/course.wat`). A match has `COURSE` words: since which round the winner has led (one more
than the last if only the end showed it, `NOBODY` without a single winner), the tallies of questions, and who leads
between the parts of its course.
"""

from __future__ import annotations

from collections.abc import Sequence

from houserule.compiler.program import Program
from houserule.compiler.questions import ASKER, SITE, Watch
from houserule.core import Outcome
from houserule.native.memory import STATIONS
from houserule.running.playout import beside_the_match, judged, sides, units_for_looks, with_greatest, with_partners
from houserule.running.state import State
from houserule.study.offers import Items

NOBODY = -1
SINCE, QUESTIONS, WAYS, FORCED, IDLE, LEADERS = range(6)
"""The places of the words; the last ones are the leaders."""


class Course:
    """Follows one match: its watch, and who leads.

    The player or team who would win alone if the match ended now leads, until somebody else does. If conditions decide who wins,
    and not a comparison, the highest score leads.
    """

    def __init__(self, program: Program, items: Items, watch: Watch) -> None:
        self.program, self.items, self.watch = program, items, watch
        self.leader = NOBODY
        self.changes = 0
        self.since = 0
        self.leaders: list[int] = []
        self.marks: list[tuple[int, ...]] = []  # how many questions there were when each round began
        self.left = units_for_looks()
        rule = program.game.winner
        self.is_compared = rule is None or rule.rule in ("most", "least")

    def look(self, s: State, rounds: int = 1) -> None:
        """Note the beginning of a round, or of several."""
        if self.left > 0:
            with beside_the_match(s, self.left) as used:
                self.look_who_leads(s)
            self.left -= used()
        watch = self.watch
        self.leaders += [self.leader] * rounds
        self.marks += [(len(watch.fixed), len(watch.questions), len(watch.several))] * rounds

    def look_who_leads(self, s: State) -> None:
        """Look who would win now."""
        lines = [points(s) for _, points in self.program.points]
        scores = [sum(line[seat] for line in lines) for seat in range(self.program.symbols.players)]
        teams = self.program.teams_now(s)
        leaders = (
            judged(self.program, s, scores)[1] if self.is_compared else with_partners(with_greatest(scores), teams)
        )
        if sides(leaders, teams) == 1:
            self.taken_by(leaders[0], len(self.leaders) + 1)

    def taken_by(self, leader: int, since: int) -> None:
        if leader != self.leader:
            self.changes += self.leader >= 0
            self.leader, self.since = leader, since

    def ended(self, outcome: Outcome) -> tuple[int, list[int]]:
        """How often the lead has changed, up to the winner, and the words."""
        rounds = len(self.leaders)
        has_winner = outcome.ending == "win"
        if has_winner:
            self.taken_by(outcome.winners[0], rounds + 1)
        words = [self.since if has_winner and rounds else NOBODY, *self.tallies()]
        return self.changes, words + [
            self.leaders[part * rounds // STATIONS] if rounds else NOBODY for part in range(1, STATIONS)
        ]

    def tallies(self) -> tuple[int, int, int, int]:
        """The questions, their options, those with one answer, and the rounds in which a player decides nothing."""
        watch, players = self.watch, self.program.symbols.players
        ends = [*self.marks, (len(watch.fixed), len(watch.questions), len(watch.several))]
        questions = options = forced = idle = 0
        begin: tuple[int, ...] = (0, 0, 0)
        for number, end in enumerate(ends):
            deciding = set()
            for seat, ways in self.put(begin, end):
                questions += 1
                options += ways
                forced += ways <= 1
                if ways > 1:
                    deciding.add(seat)
            idle += players - len(deciding) if number else 0  # before the first round, nothing counts as one
            begin = end
        return questions, options, forced, idle

    def put(self, begin: Sequence[int], end: Sequence[int]) -> list[tuple[int, int]]:
        """Who was asked between two marks, and with how many answers to choose from."""
        watch, ways = self.watch, self.items.ways
        found = []
        for note in watch.fixed[begin[0] : end[0]]:
            site = note >> SITE
            found.append((note >> ASKER & (1 << SITE - ASKER) - 1, ways(site, self.program.fixed[site])))
        for site, seat, offered, _ in watch.questions[begin[1] : end[1]]:
            found.append((seat, ways(site, offered)))
        for site, seat, offered, _ in watch.several[begin[2] : end[2]]:
            if self.items.sites[site].kind == "race":
                found += [(racer, 2) for racer in offered]
            else:
                found.append((seat, ways(site, offered)))
        return found
