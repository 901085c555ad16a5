"""Bots that imagine what they cannot see: one that looks a little ahead, and one that searches (information-set Monte Carlo tree search).

Each pass takes an imagined match, descends a tree of answers by an upper confidence bound, adds a leaf, runs a random playout
for a while, and adds everybody's reward to the nodes on the way (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012: the bound counts how often an answer was available, not the visits of its parent). The tree has nodes for answers
and not for chance. In most passes, simultaneous players are assumed to answer as a greedy player would
(Camerer, Ho and Chong, "A Cognitive Hierarchy Model of Games", 2004); in the others each has a table of their own that is
independent of the others' answers (decoupled selection). Of selections and long lists, the tree tries more answers the more visits
it has (progressive widening).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from math import log, sqrt
from random import Random

from houserule.bots.quick import AT_ONCE, MOST_TRIED, SHORT_ROUNDS, WORLDS, machine_for, quick, quickly_tried
from houserule.bots.simple import Seat, see_nothing_follows
from houserule.bots.worlds import Key, Question, Thinking, World
from houserule.core import Option
from houserule.running.observing import ATTEMPTS, FORESEEN, LEAST_DEVIATION, LISTED

MOST_WORK = 150_000_000
"""The most work before an answer: three seconds in Python. In the bundled games it is less than half of that."""


class GreedyBot:
    """Takes the option with the best average over short random playouts in a few imagined matches."""

    deals_anew = True

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        see_nothing_follows(argument)
        self.random = Random(f"greedy {seed}")

    def choose(self, seat: Seat) -> Option:
        if seat.only is not None:
            return seat.only
        machine = machine_for(seat)
        quick = quickly_tried(machine, seat, self.random.getrandbits(64)) if machine is not None else None
        if quick is not None:
            return quick
        seat = seat.outer
        found = tried(seat.question, self.random)
        totals: dict[Key, float] = {}
        thinking = Thinking(WORLDS * len(found), MOST_WORK)
        for _ in range(WORLDS):
            world = seat.world(self.random.getrandbits(32), thinking)
            future = self.random.getrandbits(32)
            values: dict[Key, float] = {}
            for key in found:
                values[key] = worth(world.copy(), key, seat.number, future)
                if thinking.is_done:
                    break
            if not totals or len(values) == len(found):  # a world in which not all were tried cannot be compared
                totals = {key: totals.get(key, 0.0) + value for key, value in values.items()}
            if thinking.is_done:
                break
        return seat.option(max(totals, key=lambda key: totals[key]))


def tried(question: Question, random: Random) -> list[Key]:
    """The answers that are tried, in the order in which they are offered."""
    singles = question.singles()
    if question.is_of_several:
        return list(dict.fromkeys(question.drawn(singles, random) for _ in range(MOST_TRIED)))
    keys = list(singles)
    return keys if len(keys) <= MOST_TRIED else [keys[at] for at in sorted(random.sample(range(len(keys)), MOST_TRIED))]


def worth(world: World, key: Key, seat: int, future: int) -> float:
    """The value of an answer for a player in one world after a short playout."""
    return world.look_ahead(future, SHORT_ROUNDS)[seat] if answers(world, key, seat) else 0.0


def answers(world: World, key: Key, seat: int) -> bool:
    """Give an answer in a world; whether the world allows it."""
    question = next((one for one in world.asked() if one.seat == seat), None)
    if question is None or not question.allows(key, singles := question.singles()):
        return False
    world.answer(question, question.value(key, singles))
    return True


# --- the search -------------------------------------------------------------------------------------------------------


EXPLORATION = 1.0
"""The weight of exploration, in standard deviations of the rewards at a question."""
ROUNDS = (4, 8)
"""The length of playouts, in decisions per player, if points show the standing: the value of a leaf is the
mean over these moments, in which the first counts most, since chance matters less there."""
FUTURES = 4
"""The number of playouts per leaf."""
USES = 4
"""Passes per imagined match, each with another future: imagining takes longer than copying."""
QUICK_PASSES = 100
"""Searches with fewer passes stay in Python, where no rules have to be translated first."""
MOST_PASSES = 10_000_000
MOST_COUNTED = 20_000
"""The most passes that the work limit allows when seconds are counted."""


class Arm:
    """The statistics of one answer."""

    __slots__ = ("offered", "taken", "total")

    def __init__(self) -> None:
        self.offered = 0
        self.taken = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.taken

    def bound(self, deviation: float) -> float:
        return self.mean + EXPLORATION * deviation * sqrt(log(self.offered) / self.taken)


class Table:
    """The statistics of one question: its answers by key."""

    __slots__ = ("arms", "squares", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = self.squares = 0.0
        self.arms: dict[Key, Arm] = {}

    @property
    def deviation(self) -> float:
        mean = self.total / self.visits
        return sqrt(max(0.0, self.squares / self.visits - mean * mean)) + LEAST_DEVIATION

    def learn(self, arm: Arm, reward: float) -> None:
        arm.taken += 1
        arm.total += reward
        self.total += reward
        self.squares += reward * reward

    def pick(self, question: Question, singles: dict[Key, int], random: Random) -> tuple[Key, bool]:
        """The answer to follow, and whether it is new."""
        self.visits += 1
        offered = [key for key in self.arms if question.allows(key, singles)]
        for key in offered:
            self.arms[key].offered += 1
        if len(offered) < max(LISTED, 2 * sqrt(self.visits)):
            fresh = self.fresh(question, singles, random)
            if fresh is not None:
                self.arms[fresh] = Arm()
                self.arms[fresh].offered = 1
                return fresh, True
        deviation = self.deviation
        return max(offered, key=lambda key: self.arms[key].bound(deviation)), False

    def fresh(self, question: Question, singles: dict[Key, int], random: Random) -> Key | None:
        """An answer without statistics; None if there is none, or none was found."""
        if not question.is_of_several:
            untried = [key for key in singles if key not in self.arms]
            return random.choice(untried) if untried else None
        for _ in range(ATTEMPTS):
            if (drawn := question.drawn(singles, random)) not in self.arms:
                return drawn
        return None


class Habit:
    """What a greedy player would answer to a simultaneous question."""

    __slots__ = ("totals", "worlds")

    def __init__(self) -> None:
        self.worlds = 0
        self.totals: dict[Key, float] = {}

    def answer(self, world: World, question: Question, singles: dict[Key, int], random: Random) -> Key:
        """The best answer in the first few worlds, of those that this one allows; a random one if none of them has statistics."""
        if self.worlds < WORLDS:
            self.worlds += 1
            future = random.getrandbits(32)
            for key in tried(question, random):
                value = worth(world.copy(), key, question.seat, future)
                self.totals[key] = self.totals.get(key, 0.0) + value
        known = [key for key in self.totals if question.allows(key, singles)]
        if known:
            return max(known, key=lambda key: self.totals[key])
        return question.drawn(singles, random) if question.is_of_several else random.choice(list(singles))


class Stage:
    """A node of the tree: the tables of the players who are asked there, and its children by all their answers."""

    __slots__ = ("next", "tables")

    def __init__(self) -> None:
        self.tables: dict[Key, Table] = {}
        self.next: dict[Key, Stage] = {}


class Search:
    """One search: the tree, and the passes through it."""

    def __init__(self, seat: int, random: Random) -> None:
        self.seat = seat
        self.random = random
        self.root = Stage()
        self.habits: dict[Key, Habit] = {}
        self.is_foreseen = False

    def run(self, world: World) -> None:
        """One pass, which consumes a world."""
        self.is_foreseen = self.random.random() < FORESEEN
        path: list[tuple[Table, Arm, int]] = []
        stage: Stage | None = self.root
        while stage is not None and (asked := world.asked()):
            stage = self.through(stage, world, asked, path)
        rewards = world.look_ahead(self.random.getrandbits(32), ROUNDS, FUTURES)
        for table, arm, seat in path:
            table.learn(arm, rewards[seat])

    def through(
        self, stage: Stage, world: World, asked: list[Question], path: list[tuple[Table, Arm, int]]
    ) -> Stage | None:
        """Let all players who are asked at a node answer; returns the next node, or None after a new leaf."""
        given: dict[int, tuple[Key, ...]] = {}
        moment = world.moment
        is_new = False
        while asked:
            question = self.turn(asked, given)
            singles = question.singles()
            own = given.get(question.seat, ())
            key = only(question, singles)
            if key is None and self.foresees(world, question):
                habit = self.habits.setdefault((question.place, own), Habit())
                key = habit.answer(world, question, singles, self.random)
            elif key is None:
                table = stage.tables.setdefault((question.place, own), Table())
                key, is_new = table.pick(question, singles, self.random)
                path.append((table, table.arms[key], question.seat))
            given[question.seat] = (*own, key)
            world.answer(question, question.value(key, singles))
            asked = world.asked() if world.moment == moment else []
            if is_new:
                asked = [question for question in asked if self.foresees(world, question)]
        return None if is_new else stage.next.setdefault(tuple(given.items()), Stage())

    def foresees(self, world: World, question: Question) -> bool:
        """Whether this pass foresees a player's answer: another's, to a simultaneous question."""
        return self.is_foreseen and question.seat != self.seat and world.state.forks is not None

    def turn(self, asked: list[Question], given: dict[int, tuple[Key, ...]]) -> Question:
        """Whose answer is next: the bot's first, then those of the others, in a race at random."""
        if not given:
            for question in asked:
                if question.seat == self.seat:
                    return question
        return self.random.choice(asked) if asked[0].is_race else asked[0]

    def best(self, question: Question) -> Key:
        """The best answer, by the mean less its standard error. Copies in different places are one answer."""
        key = only(question, question.singles())
        if key is not None:
            return key
        table = self.root.tables[question.place, ()]
        deviation = table.deviation
        known = {key: arm.mean - deviation / sqrt(arm.taken) for key, arm in table.arms.items()}
        return max(known, key=lambda key: known[key])


def only(question: Question, singles: dict[Key, int]) -> Key | None:
    """The answer if there is only one."""
    if question.is_of_several:
        return () if question.state.bounds[1] <= 0 else None
    return next(iter(singles)) if len(singles) == 1 else None


class SearchingBot:
    """Searches for a number of passes or seconds before each answer."""

    deals_anew = True

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        number = re.fullmatch(r"(\d{1,7})|(\d{1,4}(?:\.\d{1,3})?)s", argument)
        if number is None or float(argument.rstrip("s")) == 0:
            raise ValueError("its argument is a number of passes or seconds: mcts:400, mcts:2s")
        self.passes = int(number[1]) if number[1] else MOST_PASSES
        self.seconds = float(number[2]) if number[2] else float("inf")
        self.random = Random(f"mcts {seed}")

    def choose(self, seat: Seat) -> Option:
        """The best option of the search."""
        if seat.only is not None:
            return seat.only
        if self.passes >= QUICK_PASSES:
            seed = self.random.getrandbits(64)
            machine = machine_for(seat)
            found = quick(machine, seat, seed, ROUNDS, FUTURES, self.runs) if machine is not None else None
            if found is not None:
                return found
        seat = seat.outer
        search = Search(seat.number, self.random)
        thinking = Thinking(self.passes if self.seconds == float("inf") else MOST_COUNTED)
        for number in self.allowed(thinking):
            if number % USES == 0:
                world = seat.world(self.random.getrandbits(32), thinking)
            search.run(world.copy(self.random.getrandbits(32)))
        return seat.option(search.best(seat.question))

    def runs(self) -> Iterator[tuple[int, int]]:
        """The imagined matches of a native search, a few at a time, and how often each serves."""
        if self.seconds == float("inf"):
            worlds = -(-self.passes // USES)
            for start in range(0, worlds, AT_ONCE):
                yield min(AT_ONCE, worlds - start), USES
            return
        until = time.perf_counter() + self.seconds
        while True:
            yield AT_ONCE, USES
            if time.perf_counter() >= until:
                return

    def allowed(self, thinking: Thinking) -> Iterator[int]:
        """The passes it may take while there is work left; at least one."""
        until = time.perf_counter() + self.seconds
        for number in range(self.passes):
            yield number
            if thinking.is_done:
                return
            if self.seconds < float("inf") and time.perf_counter() >= until:
                return
