"""Random play at full speed: the state is answered directly, without objects for choices and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from houserule.compiler.answers import selection, shuffled
from houserule.compiler.blocks import ASK, DONE, FORKED, GAME_OVER
from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd
from houserule.language.types import none_of
from houserule.operations.fuel import FUEL
from houserule.running.faults import FAULTS, endless, rule_fault
from houserule.running.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: points in all and line by line of the score sheet, decisions, and who won, by seat."""

    scores: list[int]
    lines: list[list[int]]
    decisions: int
    winners: list[int]


def playout(program: Program, seed: int | str) -> Outcome:
    """Play one match at random. Bots and chance draw from one generator of that seed. Raises RuleFault."""
    generator = Random(seed)
    s = State(program, generator)
    straight = program.straight_through()
    if straight is None or not played_through(straight, s):
        generator = Random(seed)
        s = State(program, generator)
        s.decisions = play(program, s, generator)
    return finish(program, s, s.decisions)


def played_through(straight: Callable[[State], None], s: State) -> bool:
    """Play a match without a stop; whether it came to its end. What is at fault is said where it is played in segments."""
    try:
        straight(s)
    except GameEnd:
        pass
    except FAULTS:
        return False
    return True


def play(program: Program, s: State, generator: Random) -> int:
    """Play on from wherever a state is; how many decisions it took. Raises RuleFault where a rule asks for what cannot be."""
    segments = program.segments
    random = generator.random
    s.in_turn = True
    decisions = 0
    pc = FORKED if s.forks is not None else ASK if s.waits else s.pc
    s.waits = False
    try:
        while True:
            while pc >= 0:
                pc = segments[pc](s)
            if decisions >= LONGEST_MATCH:
                raise endless(program.sites[s.site])
            if pc == ASK:
                s.fuel = FUEL
                s.passes = 0
                decisions += choose(s, random)
                pc = s.pc
            elif pc == DONE:
                pc = s.next_to_act()
            elif pc == FORKED:
                assert s.forks is not None
                for part in s.forks:
                    while part.waits:
                        decisions += choose(part, random)
                        part.advance(part.pc)
                pc = s.merge()
            elif pc == GAME_OVER:
                break
            else:
                raise AssertionError(pc)
    except GameEnd:
        pass
    except FAULTS as error:
        raise rule_fault(program, error) from error
    return decisions


def choose(s: State, random: Callable[[], float]) -> int:
    """Answer a question at random, each option as likely, passing one of them; how many decisions that was."""
    site = s.program.sites[s.site]
    options = s.options
    if site.kind == "race":
        s.answer = shuffled(s.must, random)
        return len(s.answer)
    if site.kind == "several":
        s.answer = selection(options, *s.bounds, site.may_pass, random)
        return 1
    number = int(random() * (len(options) + (site.may_pass or not options)))
    s.answer = options[number] if number < len(options) else none_of(site.type) if site.kind == "pick" else -1
    return 1


def finish(program: Program, s: State, decisions: int) -> Outcome:
    """Score a match that is over. Raises RuleFault where a line or the winner cannot be worked out."""
    players = program.symbols.players
    try:
        lines = [points(s) for _, points in program.points]
        scores = [sum(line[p] for line in lines) for p in range(players)]
        return Outcome(scores, lines, decisions, winners(program, s, scores))
    except FAULTS as error:
        raise rule_fault(program, error) from error


def winners(program: Program, s: State, scores: list[int]) -> list[int]:
    """Who has won: the greatest key; for `when`, whoever it holds for."""
    players = range(program.symbols.players)
    if program.winner_key is None:
        return [p for p in players if scores[p] == max(scores)]
    keys = [program.winner_key(s, p, scores[p]) for p in players]
    if program.game.winner is not None and program.game.winner.rule == "when":
        return [p for p in players if keys[p][0]]
    return [p for p in players if keys[p] == max(keys)]
