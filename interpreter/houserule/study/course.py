"""What is worked out while a match is played: its course, and what each answer of a decision is worth.

Native play notes the same (`native/course.wat`). A match has `COURSE` words: since which round the winner has led (one more
than the last if only the end showed it, `NOBODY` without a single winner), the tallies of questions, and one of who leads
between the parts of its course.

All answers are tried in the same imagined matches with the same futures. Half of these choose what is compared and the other
half measures it, and the other way round: the best of several noisy numbers would seem better than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from houserule.bots.mcts import answers, tried
from houserule.bots.simple import Seat
from houserule.bots.worlds import Thinking
from houserule.compiler.program import Program
from houserule.compiler.questions import ASKER, SITE, Watch
from houserule.core import Choice, Match, Outcome
from houserule.native.memory import LEADER_BITS, STATIONS
from houserule.running.playout import (
    beside_the_match,
    judged,
    score_sheet,
    sides,
    units_for_looks,
    with_greatest,
    with_partners,
)
from houserule.running.state import State
from houserule.study.offers import Items

NOBODY = -1
SINCE, QUESTIONS, WAYS, FORCED, IDLE, LEADERS = range(6)
"""The places of the words."""


def word_of_leaders(leaders: Sequence[int]) -> int:
    """Who leads at each station, as one word."""
    return sum(leader + 1 << LEADER_BITS * place for place, leader in enumerate(leaders))


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
            self.left -= beside_the_match(s, self.left, self.look_who_leads)
        watch = self.watch
        self.leaders += [self.leader] * rounds
        self.marks += [(len(watch.fixed), len(watch.questions), len(watch.several))] * rounds

    def look_who_leads(self, s: State) -> None:
        """Look who would win now."""
        _, scores = score_sheet(self.program, s)
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
        leaders = [self.leaders[part * rounds // STATIONS] for part in range(1, STATIONS)] if rounds else []
        return self.changes, [
            self.since if has_winner and rounds else NOBODY,
            *self.tallies(),
            word_of_leaders(leaders),
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


# --- weighing decisions -----------------------------------------------------------------------------------------------


MATCHES, GAP, STAKE, HOPELESS, SWAY = range(5)
"""The words of a match: how many questions were weighed, the sums of their gaps and stakes, how many of them were put to a player
who cannot win, and the sum of what these decide about the others; sums are in millionths of a victory."""
WEIGHED = 5
WHOLE = 1_000_000
PLAYOUTS = 24
"""At least so many playouts a question, over all answers,"""
WORLDS = 8
"""in at least so many imagined matches, an even number."""

Values = Sequence[Sequence[Sequence[float]]]
"""The part of a victory that each player has, by answer and imagined match."""


class Weigher:
    """Weighs some of the questions of one match: each with the chance `rate`."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate = rate
        self.random = Random(f"weighing {seed}")
        self.words = [0] * WEIGHED

    def look(self, match: Match, choice: Choice) -> None:
        """Weigh the answers to a choice, if chance wants it and there are several."""
        if self.random.random() >= self.rate:
            return
        seat = Seat(match, choice)
        if seat.only is not None:
            return
        values = tried_out(seat, self.random)
        if len(values) < 2:
            return
        gap, stake = gap_and_stake(values, seat.number)
        self.words[MATCHES] += 1
        self.words[GAP] += round(gap * WHOLE)
        self.words[STAKE] += round(stake * WHOLE)
        if not any(world[seat.number] for worlds in values for world in worlds):
            self.words[HOPELESS] += 1
            self.words[SWAY] += round(sway(values, seat.number) * WHOLE)


def tried_out(seat: Seat, random: Random) -> list[list[list[float]]]:
    """What each answer comes to, in each of the imagined matches that allow all of them."""
    keys = tried(seat.question, random)
    worlds = max(WORLDS, 2 * ceil(PLAYOUTS / len(keys) / 2))
    thinking = Thinking(worlds * len(keys) * 4)
    values: list[list[list[float]]] = [[] for _ in keys]
    for _ in range(worlds):
        world = seat.world(random.getrandbits(32), thinking)
        future = random.getrandbits(32)
        found = []
        for key in keys:
            tried_in = world.copy(future)
            parts = tried_in.victories(future) if answers(tried_in, key, seat.number) else None
            if parts is None:  # it does not allow the answer, or a rule fails
                break
            found.append(parts)
        if len(found) == len(keys):
            for column, parts in zip(values, found, strict=True):
                column.append(parts)
        if thinking.is_done:
            break
    return values if len(values[0]) >= 2 else []


def mean(worlds: Sequence[Sequence[float]], player: int) -> float:
    return sum(world[player] for world in worlds) / len(worlds)


def halves(values: Values) -> list[tuple[Values, Values]]:
    """Both ways to choose by one half of the imagined matches and to measure by the other."""
    even, odd = [worlds[::2] for worlds in values], [worlds[1::2] for worlds in values]
    return [(even, odd), (odd, even)]


def gap_and_stake(values: Values, player: int) -> tuple[float, float]:
    """By how much the best answer is better than the next, and than a random one."""
    gap = stake = 0.0
    for chosen, measured in halves(values):
        order = sorted(range(len(values)), key=lambda answer: -mean(chosen[answer], player))
        shares = [mean(worlds, player) for worlds in measured]
        gap += shares[order[0]] - shares[order[1]]
        stake += shares[order[0]] - sum(shares) / len(shares)
    return gap / 2, stake / 2


def sway(values: Values, player: int) -> float:
    """By how much an answer changes the chance of the rival on whom it bears most."""
    total = 0.0
    for chosen, measured in halves(values):
        best = (0.0, 0.0)
        for rival in range(len(values[0][0])):
            shares = [mean(worlds, rival) for worlds in chosen]
            high, low = shares.index(max(shares)), shares.index(min(shares))
            spread = shares[high] - shares[low]
            if rival != player and spread > best[0]:
                best = spread, mean(measured[high], rival) - mean(measured[low], rival)
        total += best[1]
    return total / 2
