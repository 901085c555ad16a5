"""The bot that looks a little ahead: each option is tried in a few imagined matches."""

from __future__ import annotations

from random import Random

from houserule.bots.quick import MOST_TRIED, SHORT_ROUNDS, WORLDS, machine_for, quickly_tried
from houserule.bots.simple import Seat, see_nothing_follows
from houserule.bots.worlds import Key, Question, Thinking, World
from houserule.core import Option

MOST_WORK = 150_000_000
"""The most work before an answer: three seconds in Python. In the bundled games it is less than half of that."""


class GreedyBot:
    """Takes the option with the best average over short random playouts in a few imagined matches."""

    def __init__(self, argument: str = "", seed: int = 0) -> None:
        see_nothing_follows(argument)
        self.random = Random(f"greedy {seed}")

    def choose(self, seat: Seat) -> Option:
        """The best option."""
        if seat.only is not None:
            return seat.only
        machine = machine_for(seat)
        quick = quickly_tried(machine, seat, Random(self.random.getrandbits(64))) if machine is not None else None
        if quick is not None:
            return quick
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
