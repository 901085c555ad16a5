"""Random play at full speed: the state is answered directly, without objects for choices and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from houserule.compiler.blocks import ASK, DONE, FORKED, GAME_OVER
from houserule.compiler.chance import any_answer
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd
from houserule.operations.fuel import QUESTION
from houserule.running.faults import FAULTS, endless, rule_fault
from houserule.running.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match by seat: scores, points by line of the score sheet, and winners; and how many decisions it took."""

    scores: list[int]
    lines: list[list[int]]
    decisions: int
    winners: list[int]


def playout(program: Program, seed: int | str) -> Outcome:
    """Play one match at random. Raises RuleFault.

    Chance draws from a generator with that seed, as in a match that is told, and answers from one of their own; so the seed
    and the answers are a record of the match.
    """
    s = State(program, Random(seed))
    return finish(program, s, play(program, s, answers_of(seed)))


def answers_of(seed: int | str) -> Random:
    """The generator of the answers of a match."""
    return Random(f"answers {seed}")


def play(program: Program, s: State, generator: Random) -> int:
    """Play on from any state; returns the number of decisions. Raises RuleFault."""
    segments = program.segments
    sites = program.sites
    random = generator.random
    s.chances, s.chance = LONGEST_MATCH, random
    pc = FORKED if s.forks is not None else ASK if s.waits else s.pc
    s.waits = False
    try:
        while True:
            while pc >= 0:
                pc = segments[pc](s)
            if pc == DONE:
                pc = s.next_to_act()
                continue
            if pc == GAME_OVER:
                break
            if s.chances <= 0:
                raise endless(sites[s.site])
            if pc == ASK:
                answer_at_random(s, s, random)
                s.fuel -= QUESTION
                s.since = 0
                s.passes = 0
                pc = s.pc
            elif pc == FORKED:
                assert s.forks is not None
                for part in s.forks:
                    while part.waits:
                        answer_at_random(part, s, random)
                        part.advance(part.pc)
                pc = s.merge()
            else:
                raise AssertionError(pc)
    except GameEnd:
        pass
    except FAULTS as error:
        raise rule_fault(program, error) from error
    return LONGEST_MATCH - s.chances


def answer_at_random(asked: State, match: State, random: Callable[[], float]) -> None:
    """Answer the question at which a state of a match waits; who slaps in a race is as many decisions as they are."""
    site = asked.program.sites[asked.site]
    asked.answer = any_answer(asked, site, random)
    match.chances -= len(asked.answer) if site.kind == "race" else 1


def finish(program: Program, s: State, decisions: int) -> Outcome:
    """Score a finished match. Raises RuleFault."""
    players = program.symbols.players
    try:
        lines = [points(s) for _, points in program.points]
        scores = [sum(line[p] for line in lines) for p in range(players)]
        return Outcome(scores, lines, decisions, winners(program, s, scores))
    except FAULTS as error:
        raise rule_fault(program, error) from error


def winners(program: Program, s: State, scores: list[int]) -> list[int]:
    """The winners: everyone with the greatest key, or for `when` everyone for whom it holds."""
    players = range(program.symbols.players)
    if program.winner_key is None:
        return [p for p in players if scores[p] == max(scores)]
    keys = [program.winner_key(s, p, scores[p]) for p in players]
    if program.game.winner is not None and program.game.winner.rule == "when":
        return [p for p in players if keys[p][0]]
    return [p for p in players if keys[p] == max(keys)]
