"""A match in numbers, at the speed of the quiet program: who may answer, what is legal, what each player sees, and what it was worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any

from houserule import Game, OtherRules, load
from houserule.compiler.blocks import ASK, FORKED, GAME_OVER
from houserule.compiler.chance import any_answer
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd
from houserule.running.faults import FAULTS, rule_fault
from houserule.running.playout import answers_of, finish
from houserule.running.state import State, run
from houserule.spaces.answers import Actions, Asked
from houserule.spaces.sights import Observations

UTILITIES = ("wins", "points")
"""What a match is worth to a player: 1 for winning, -1 for losing and 0 for a draw; or the points of the score sheet."""

SLAPS = 0.5
"""How likely a player who need not slap in a race does so at random."""


def rules_of(game: Game | str, rules: str | None = None) -> Game:
    """A loaded game, or one by its id or path; `rules` is the hash that it must have. Raises OtherRules."""
    found = game if isinstance(game, Game) else load(game)
    if rules is not None and rules != found.rules_hash:
        raise OtherRules(
            f"these are other rules of '{found.id}': their hash is {found.rules_hash}, and {rules} was asked for"
        )
    return found


def checked_players(game: Game, players: int | None) -> int:
    """The number of players, by default the smallest. Raises ValueError."""
    number = game.players[0] if players is None else players
    game.program(number, told=False)
    return number


def go(s: State, pc: int) -> bool:
    """Run to the next question; returns whether the match is over. Raises what rules raise."""
    try:
        code = run(s, pc)
    except GameEnd:
        code = GAME_OVER
    assert code in (ASK, FORKED, GAME_OVER)
    return code == GAME_OVER


def utilities(program: Program, s: State, kind: str) -> list[float]:
    """What a finished match is worth to each player. Raises RuleFault."""
    outcome = finish(program, s, 0)
    if kind == "points":
        return [float(score) for score in outcome.scores]
    if outcome.ending in ("draw", "undecided"):
        return [0.0] * program.symbols.players
    return [1.0 if seat in outcome.winners else -1.0 for seat in range(program.symbols.players)]


class Play:
    """One match, answered in numbers."""

    def __init__(self, spaces: Observations, seed: int, utility: str = "wins") -> None:
        self.spaces, self.utility = spaces, utility
        self.actions: Actions = spaces.actions
        self.program: Program = spaces.program
        self.seed = seed
        self.state = State(self.program, Random(seed))
        self.decisions = 0
        self.is_over = False
        self.is_endless = False
        self.seats: list[int] = []
        self._asked: dict[int, Asked] = {}
        self.proceed(self.program.entry)

    @cached_property
    def order(self) -> Random:
        """Chance for the order in which hidden pieces are offered."""
        return Random(f"order {self.seed}")

    @cached_property
    def answers(self) -> Random:
        """Chance for answers at random, as those of `simulate`."""
        return answers_of(self.seed)

    def proceed(self, pc: int | None) -> None:
        """Go on to the next question. Raises RuleFault."""
        if pc is not None:
            try:
                self.is_over = go(self.state, pc)
            except FAULTS as error:
                raise rule_fault(self.program, error) from error
        self.seats = [] if self.is_over else self.state.seats_asked

    def asked(self, seat: int) -> Asked:
        """The question of a seat. Raises ValueError if it is not asked."""
        found = self._asked.get(seat)
        if found is None:
            if seat not in self.seats:
                raise ValueError(
                    "the match is over" if self.is_over else f"player {seat + 1} is not asked anything now"
                )
            s = self.state.at(seat)
            mixed = self.actions.mixing(s, seat, self.order)
            found = self._asked[seat] = self.actions.asked(s, seat, mixed)
        return found

    def legal(self, seat: int) -> list[int]:
        """The numbers that a seat may take; none if it is not asked."""
        return self.asked(seat).legal if seat in self.seats else []

    def take(self, seat: int, number: int) -> None:
        """Take a number for a seat. Raises ValueError, and changes nothing, if it is not legal; RuleFault if a rule fails."""
        asked = self.asked(seat)
        if asked.take(number):
            self.answer(seat, asked.answer)

    def answer(self, seat: int, answer: Any) -> None:
        """Answer for a seat by the value of an answer. Raises RuleFault."""
        self._asked.pop(seat, None)
        self.decisions += 1
        try:
            pc = self.state.give(seat, answer)
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        self.proceed(pc)
        self.is_endless = not self.is_over and self.decisions >= LONGEST_MATCH

    def answer_at_random(self, seat: int) -> None:
        """Answer for a seat as `simulate` does: all options are equally likely. Raises RuleFault."""
        s = self.state.at(seat)
        site = self.program.sites[s.site]
        if site.kind == "race":
            self.answer(seat, seat in s.must or self.answers.random() < SLAPS)
        else:
            self.answer(seat, any_answer(s, site, self.answers.random))

    def wait_for(self, seat: int) -> None:
        """Let all others answer at random until a seat is asked."""
        while not self.is_over and not self.is_endless and seat not in self.seats:
            self.answer_at_random(self.seats[0])

    def vector(self, seat: int) -> list[int]:
        s = self.state.at(seat)
        own = s.site if seat in self.seats else -1
        taken: Sequence[int] = self._asked[seat].taken if seat in self._asked else ()
        acting = self.state.seats_acting if self.seats else ()
        return self.spaces.vector(s, seat, acting, own, taken)

    def utilities(self) -> list[float]:
        """What the finished match is worth to each player."""
        return utilities(self.program, self.state, self.utility)

    def __str__(self) -> str:
        if self.is_over:
            return f"over after {self.decisions} decisions: {self.utilities()}"
        return f"{', '.join(f'player {seat + 1}' for seat in self.seats)} to answer"
