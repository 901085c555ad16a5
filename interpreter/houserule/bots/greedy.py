"""A bot that tries each option on imagined matches and takes the one after which it stands best."""

from __future__ import annotations

from random import Random

from houserule import Option
from houserule.bots.bot import Seat
from houserule.bots.simple import see_nothing_follows
from houserule.bots.worlds import Key, Question, Thinking, World

WORLDS = 6
"""Imagined matches in which each option is tried."""
MOST_TRIED = 30
"""Options that are tried; of more, so many are drawn."""
MOST_WORK = 150_000_000
"""How much work it may do before an answer: three seconds in Python. In the bundled games it is less than half of that."""
ROUNDS = (2,)
"""How long a continuation is: so many decisions a player."""


class GreedyBot:
    """Takes the option after which it stands best, on average over a few imagined matches that chance plays on for a while."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        see_nothing_follows(argument)
        self.random = Random(f"greedy {seed}")

    def choose(self, seat: Seat) -> Option:
        """The option that did best; the first of several that did."""
        if seat.only is not None:
            return seat.only
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
            if not totals or len(values) == len(
                found
            ):  # a world in which not all were tried tells nothing beside others
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
    """What an answer is worth to a player in one world, which is played on for a while."""
    question = next((one for one in world.asked() if one.seat == seat), None)
    if question is None or not question.allows(key, singles := question.singles()):
        return 0.0
    world.answer(question, question.value(key, singles))
    return world.look_ahead(future, ROUNDS)[seat]
