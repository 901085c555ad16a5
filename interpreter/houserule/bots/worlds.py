"""A match as a player imagines it, in the quiet program: a state, without objects for choices, options and events."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any

from houserule.compiler.blocks import FORKED, GAME_OVER
from houserule.compiler.chance import any_answer
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd
from houserule.language.checked import Site
from houserule.language.types import Piece, Tuple, none_of, plain
from houserule.native.engines import machine_for_search
from houserule.operations.fuel import ALLOWANCE, BETWEEN_ANSWERS, FUEL, reserve
from houserule.running.faults import FAULTS, RuleFault
from houserule.running.playout import LEVEL, answer_parts, finish, part_of_win, play_on, rewards
from houserule.running.state import State, run

SHORT = 30
"""So few decisions are played in Python: transferring the state would take longer."""
IN_A_PASS = 4_000_000
"""The work limit of a bot per pass, on average: in the bundled games a pass takes less, mostly a tenth."""
DEALT = 20
"""The work of each piece in a match that is imagined: its place is drawn."""
Key = Any
"""The hashable key of an answer in all worlds, from what its player can distinguish."""
Answer = int | list[int]


class Question:
    """What one player is asked in a world."""

    __slots__ = ("seat", "site", "state")

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.site: Site = state.program.sites[state.site]

    @property
    def place(self) -> tuple[int, int]:
        return self.seat, self.state.site

    @property
    def is_race(self) -> bool:
        return self.site.kind == "race"

    @property
    def is_of_several(self) -> bool:
        """Whether the answer is a selection of options, of which there may be too many to list."""
        return self.site.kind == "several"

    def singles(self) -> dict[Key, int]:
        """The single options by key, including passing: a piece by its name and place, a hidden one by its position."""
        s, site = self.state, self.site
        if self.is_race:
            return {1: 1} if self.seat in s.must else {0: 0, 1: 1}
        found: dict[Key, int] = {}
        type = plain(site.type)
        if isinstance(type, Piece):
            found.update((self.key_of(piece, position), piece) for position, piece in enumerate(s.options))
        elif isinstance(type, Tuple) and any(isinstance(plain(of), Piece) for of in type.of):
            found.update((self.key_of_parts(type, answer, at), answer) for at, answer in enumerate(s.options))
        else:
            found.update((option, option) for option in s.options)
        if not self.is_of_several and (site.may_pass or not found):
            found["pass"] = none_of(site.type) if site.kind == "pick" else -1
        return found

    def key_of(self, piece: int, position: int) -> tuple[int, int]:
        program, s = self.state.program, self.state
        is_seen = program.sees(s, self.seat, piece)
        return program.identity[piece] if is_seen else -1 - position, s.w[piece]

    def key_of_parts(self, type: Tuple, answer: int, position: int) -> Key:
        """The key of things chosen together, or of the line of a menu with its values."""
        parts = zip(type.of, type.parts(answer), strict=True)
        return tuple(self.key_of(v, position) if isinstance(plain(of), Piece) and v >= 0 else v for of, v in parts)

    def drawn(self, singles: dict[Key, int], random: Random) -> Key:
        """The key of a random selection of several, all equally likely."""
        answer = any_answer(self.state, self.site, random.random)
        chosen = set(answer if isinstance(answer, list) else (answer,))
        return tuple(key for key, value in singles.items() if value in chosen)

    def allows(self, key: Key, singles: dict[Key, int]) -> bool:
        """Whether an answer is among the options."""
        if not self.is_of_several:
            return key in singles
        low, high = self.state.bounds
        return all(one in singles for one in key) and (low <= len(key) <= high or (not key and self.site.may_pass))

    def value(self, key: Key, singles: dict[Key, int]) -> Answer:
        return [singles[one] for one in key] if self.is_of_several else singles[key]


def unspent(s: State) -> int:
    """The work that a state may still do, less what the parts of a together have done."""
    left = s.fuel + s.reserve
    return left - sum(left - part.fuel - part.reserve for part in s.forks or ())


class Thinking:
    """The remaining work before one answer, in units (`operations.fuel`), shared by everything that the bot imagines."""

    __slots__ = ("left",)

    def __init__(self, passes: int, most: float = inf) -> None:
        self.left = int(min(BETWEEN_ANSWERS + passes * IN_A_PASS, most) * ALLOWANCE.times)

    @property
    def is_done(self) -> bool:
        return self.left <= 0


class World:
    """One imagined match. Players answer with values of its state, or chance does; its work comes from a `Thinking`."""

    __slots__ = ("allowed", "is_over", "is_wrecked", "moment", "state", "thinking")

    def __init__(self, state: State, thinking: Thinking) -> None:
        self.state = state
        self.thinking = thinking
        self.allowed = unspent(state)
        self.moment = 0  # how often all simultaneous questions have been answered
        self.is_over = False
        self.is_wrecked = False  # whether a rule has failed

    def copy(self, seed: int | None = None) -> World:
        """An independent copy, with the same future, or with one that a seed decides."""
        s = self.state
        made = World(s.copy(seed), self.thinking)
        self.thinking.left -= len(s.w) * (1 + len(s.forks or ())) // 4
        made.count()
        made.is_over, made.is_wrecked = self.is_over, self.is_wrecked
        return made

    def begin(self) -> None:
        """Start counting the work of a match that was imagined just now."""
        fresh = FUEL + reserve()
        s = self.state
        self.thinking.left -= DEALT * len(s.w) + sum(fresh - one.fuel - one.reserve for one in (s, *(s.forks or ())))
        self.count()

    def count(self) -> None:
        """Subtract the work since the last time from the remaining work, which limits the state."""
        s = self.state
        self.thinking.left -= self.allowed - unspent(s)
        for one in (s, *(s.forks or ())):
            one.reserve = min(one.reserve, self.thinking.left)
        self.allowed = unspent(s)

    def asked(self) -> list[Question]:
        """The pending questions; several if they are simultaneous."""
        if self.is_over or self.is_wrecked:
            return []
        return [Question(part, seat) for part, seat in self.state.asked()]

    def answer(self, question: Question, answer: Answer) -> None:
        """Answer a question, and run to the next ones."""
        try:
            if (pc := self.state.give(question.seat, answer)) is not None:
                self.go(pc)
        except GameEnd:
            self.is_over = True
        except FAULTS:
            self.is_wrecked = True

    def go(self, pc: int) -> None:
        """Run to the next question."""
        self.moment += 1
        code = run(self.state, pc)
        self.is_over = code == GAME_OVER
        self.state.waits = code not in (GAME_OVER, FORKED)

    def play_on(self, random: Random, most: int = LONGEST_MATCH) -> None:
        """Answer at random, to the end or `most` times."""
        s = self.state
        self.finish_race(random)
        if not self.is_over and not self.is_wrecked:
            try:
                self.is_over = play_on(s.program, s, random, most)
            except RuleFault:
                self.is_wrecked = True

    def finish_race(self, random: Random) -> None:
        """Answer at random for those who have not answered yet in a race that has begun."""
        s = self.state
        while s.forks is None and (s.slapped or s.declined) and (asked := self.asked()) and asked[0].is_race:
            question = random.choice(asked)
            self.answer(question, int(question.seat in s.must))

    @staticmethod
    def marks(program: Program, rounds: Sequence[int]) -> list[tuple[int, float]]:
        """The moments after these rounds at which a playout is valued: decisions since the one before, and how much each counts."""
        rule = program.game.winner
        if not program.points or (rule is not None and rule.rule not in ("most", "least")):
            rounds = (LONGEST_MATCH,)
        shares = [number / sum(range(len(rounds) + 1)) for number in range(len(rounds), 0, -1)]
        players = program.symbols.players
        lengths = [(number - before) * players for number, before in zip(rounds, (0, *rounds), strict=False)]
        return [(min(length, LONGEST_MATCH), share) for length, share in zip(lengths, shares, strict=True)]

    def look_ahead(self, seed: int, rounds: Sequence[int], futures: int = 1) -> list[float]:
        """The value for each player after random playouts: the mean over the moments after these rounds.

        Earlier moments count more. If no points show before the end who is ahead, it is the value
        at the end. It is the mean over `futures` playouts, all decided by the seed. It consumes the world.
        """
        program = self.state.program
        (first, share), *rest = self.marks(program, rounds)
        left = self.finish_amid(seed, first)
        self.count()
        if self.is_over or self.is_wrecked:
            return self.rewards()
        marks = [(left, share), *rest]
        machine = (
            machine_for_search(program) if futures * (first + sum(length for length, _ in rest)) >= SHORT else None
        )
        found = machine.ahead(self.state, seed + 1, seed + 2, futures, marks) if machine is not None else None
        if machine is not None and found is not None:
            self.thinking.left -= futures * max(0, self.allowed - machine.unspent)
        else:
            found = self.ahead_in_python(Random(seed + 1), Random(seed + 2), futures, marks)
        return [total / futures for total in found]

    def ahead_in_python(
        self, chance: Random, answers: Random, futures: int, marks: Sequence[tuple[int, float]]
    ) -> list[float]:
        """The weighted value at each mark, a number of decisions after the one before; summed over all playouts."""
        self.state.generator, self.state.random = chance, chance.random
        totals = [0.0] * self.state.program.symbols.players
        for more in range(futures - 1, -1, -1):
            world = World(self.state.copy_at(None), self.thinking) if more else self
            world.count()
            for mark, share in marks:
                if not world.is_over and not world.is_wrecked:
                    world.play_on(answers, mark)
                totals = [total + share * one for total, one in zip(totals, world.rewards(), strict=True)]
            world.count()
        return totals

    def finish_amid(self, seed: int, most: int) -> int:
        """Answer at random the other questions that are simultaneous with an answered one; returns how many decisions remain."""
        s = self.state
        if (s.forks is None and not s.slapped and not s.declined) or self.is_over or self.is_wrecked:
            return most
        random = Random(seed)
        s.generator, s.random = random, random.random
        self.finish_race(random)
        if s.forks is None or self.is_over or self.is_wrecked:
            return most
        s.chances, s.chance = most, random.random
        try:
            s.pc = answer_parts(s, random.random)
        except GameEnd:
            self.is_over = True
        except FAULTS:
            self.is_wrecked = True
        s.waits = False
        return s.chances

    def victories(self, seed: int) -> list[float] | None:
        """The part of the victory that each player has after a random playout to the end, which the seed decides; None if
        a rule fails. It consumes the world."""
        left = self.finish_amid(seed, LONGEST_MATCH)
        self.count()
        if not self.is_over and not self.is_wrecked:
            s, chance = self.state, Random(seed + 1)
            s.generator, s.random = chance, chance.random
            self.play_on(Random(seed + 2), left)
            self.count()
        if self.is_wrecked or not self.is_over:
            return None
        s, program = self.state, self.state.program
        try:
            outcome = finish(program, s, 0)
        except RuleFault:
            return None
        part = part_of_win(outcome.winners, outcome.ending, program.teams_now(s))
        return [part if player in outcome.winners else 0.0 for player in range(program.symbols.players)]

    def rewards(self) -> list[float]:
        """The current value for each player."""
        if self.is_wrecked:
            return [LEVEL] * self.state.program.symbols.players
        return rewards(self.state.program, self.state, self.is_over)
