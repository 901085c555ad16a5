"""A bot that searches: information-set Monte Carlo tree search over imagined matches.

Each pass takes an imagined match, goes down a tree of answers by an upper confidence bound, adds a leaf, lets chance play on for
a while, and notes the reward of everybody on the way (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012: of a bound, the times that an answer was offered count, not the visits of its parent). The tree knows answers
and not outcomes of chance. In most passes, those who answer at the same time are thought to answer as a greedy player would
(Camerer, Ho and Chong, "A Cognitive Hierarchy Model of Games", 2004); in the others they have tables of their own that do not
know each other's answers (decoupled selection). Of selections and long lists, the tree knows more the more often it comes by
(progressive widening).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from math import log, sqrt
from random import Random

from houserule import Option
from houserule.bots import greedy
from houserule.bots.bot import Seat
from houserule.bots.worlds import Key, Question, Thinking, World

EXPLORATION = 1.0
"""The weight of what is not known, in deviations of the rewards at a question."""
LEAST_DEVIATION = 0.01
LISTED = 8
"""Options that are all tried; of more, as many as twice the root of the visits."""
ATTEMPTS = 4
"""How often a selection is drawn that the tree does not know."""
ROUNDS = (4, 8)
"""How far chance plays on behind a leaf, in decisions a player, where points tell how everybody stands: what it is worth is the
mean over these moments, in which the first counts most: what is near is less a matter of chance."""
FUTURES = 4
"""So often chance plays on behind a leaf."""
USES = 4
"""So many passes go through one imagined match, each with another future: imagining takes longer than copying."""
FORESEEN = 0.75
"""The share of passes in which those who answer at the same time answer as a greedy player would."""
MOST_PASSES = 10_000_000
MOST_COUNTED = 20_000
"""Passes for which there is work where seconds are counted."""


class Arm:
    """What has been learned of one answer."""

    __slots__ = ("offered", "taken", "total")

    def __init__(self) -> None:
        self.offered = 0
        self.taken = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        """What it has been worth."""
        return self.total / self.taken

    def bound(self, deviation: float) -> float:
        """How good it may be: the mean and what is not known of it."""
        return self.mean + EXPLORATION * deviation * sqrt(log(self.offered) / self.taken)


class Table:
    """What has been learned of one question: its answers by key."""

    __slots__ = ("arms", "squares", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = self.squares = 0.0
        self.arms: dict[Key, Arm] = {}

    @property
    def deviation(self) -> float:
        """The standard deviation of the rewards."""
        mean = self.total / self.visits
        return sqrt(max(0.0, self.squares / self.visits - mean * mean)) + LEAST_DEVIATION

    def learn(self, arm: Arm, reward: float) -> None:
        """Note what an answer was worth this time."""
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
        """An answer that is not known yet; None where there is none, or none was found."""
        if not question.is_of_several:
            untried = [key for key in singles if key not in self.arms]
            return random.choice(untried) if untried else None
        for _ in range(ATTEMPTS):
            if (drawn := question.drawn(singles, random)) not in self.arms:
                return drawn
        return None


class Habit:
    """What a greedy player would answer to a question that comes at the same time as others."""

    __slots__ = ("totals", "worlds")

    def __init__(self) -> None:
        self.worlds = 0
        self.totals: dict[Key, float] = {}

    def answer(self, world: World, question: Question, singles: dict[Key, int], random: Random) -> Key:
        """The answer that did best in the first few worlds, of those that this one allows; any where none of them is known."""
        if self.worlds < greedy.WORLDS:
            self.worlds += 1
            future = random.getrandbits(32)
            for key in greedy.tried(question, random):
                value = greedy.worth(world.copy(), key, question.seat, future)
                self.totals[key] = self.totals.get(key, 0.0) + value
        known = [key for key in self.totals if question.allows(key, singles)]
        if known:
            return max(known, key=lambda key: self.totals[key])
        return question.drawn(singles, random) if question.is_of_several else random.choice(list(singles))


class Stage:
    """A node of the tree: the tables of those who are asked there, and what follows, by all their answers."""

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
        """One pass, in a world that it uses up."""
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
        """Everybody who is asked at a stage answers; the next stage, or None behind a new leaf."""
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
        """Whether it is thought to be known what somebody answers: another who is asked at the same time."""
        return self.is_foreseen and question.seat != self.seat and world.state.forks is not None

    def turn(self, asked: list[Question], given: dict[int, tuple[Key, ...]]) -> Question:
        """Whose answer is next: ours first, then those of the others, in a race by chance."""
        if not given:
            for question in asked:
                if question.seat == self.seat:
                    return question
        return self.random.choice(asked) if asked[0].is_race else asked[0]

    def best(self, question: Question) -> Key:
        """The answer that is surely worth most: by its mean less the error of that. Copies in different places are one answer."""
        key = only(question, question.singles())
        if key is not None:
            return key
        table = self.root.tables[question.place, ()]
        deviation = table.deviation
        known = {key: arm.mean - deviation / sqrt(arm.taken) for key, arm in table.arms.items()}
        return max(known, key=lambda key: known[key])


def only(question: Question, singles: dict[Key, int]) -> Key | None:
    """The answer where there is only one."""
    if question.is_of_several:
        return () if question.state.bounds[1] <= 0 else None
    return next(iter(singles)) if len(singles) == 1 else None


class SearchingBot:
    """Searches so many passes, or so many seconds, before each answer."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        number = re.fullmatch(r"(\d{1,7})|(\d{1,4}(?:\.\d{1,3})?)s", argument)
        if number is None or float(argument.rstrip("s")) == 0:
            raise ValueError("a number of passes follows its name, or of seconds: mcts:400, mcts:2s")
        self.passes = int(number[1]) if number[1] else MOST_PASSES
        self.seconds = float(number[2]) if number[2] else float("inf")
        self.random = Random(f"mcts {seed}")

    def choose(self, seat: Seat) -> Option:
        """The option that the search followed most often."""
        if seat.only is not None:
            return seat.only
        search = Search(seat.number, self.random)
        thinking = Thinking(self.passes if self.seconds == float("inf") else MOST_COUNTED)
        for number in self.allowed(thinking):
            if number % USES == 0:
                world = seat.world(self.random.getrandbits(32), thinking)
            search.run(world.copy(self.random.getrandbits(32)))
        return seat.option(search.best(seat.question))

    def allowed(self, thinking: Thinking) -> Iterator[int]:
        """As many passes as it may take, while there is work left; one at least."""
        until = time.perf_counter() + self.seconds
        for number in range(self.passes):
            yield number
            if thinking.is_done:
                return
            if self.seconds < float("inf") and time.perf_counter() >= until:
                return
