"""Whatever rules are made of, played straight through they come to the same as in segments: outcome, table, events, faults.

A few rules run with the tests, always the same. With `HOUSERULE_FUZZ=5000` so many others do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule
from houserule import Game, InvalidGame, RuleFault
from houserule.compiler.program import Program
from houserule.running.playout import Outcome, finish, play, played_through, playout
from houserule.running.state import State
from tests.any_rules import Rules

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))


def by_segments(program: Program, seed: int) -> tuple[Outcome | str, State]:
    """A match at random that stops at each question, or the fault in which it ends."""
    generator = Random(seed)
    s = State(program, generator)
    try:
        return finish(program, s, play(program, s, generator)), s
    except RuleFault as fault:
        return str(fault), s


def events(s: State) -> Iterator[tuple[object, ...]]:
    """What is told of a match; a sentence by its text."""
    for kind, *values in s.log or ():
        yield (kind, s.program.texts[values[0]][0], *values[1:]) if kind == "say" else (kind, *values)


def check_both_ways(game: Game, seed: int) -> bool:
    """Whether the game is played straight through; if so it comes to the same."""
    for told in (True, False):
        program = game.program(2, told)
        straight = program.straight_through()
        if straight is None:
            return False
        outcome, stopping = by_segments(program, seed)
        s = State(program, Random(seed))
        if isinstance(outcome, str):
            with pytest.raises(RuleFault) as fault:
                playout(program, seed)
            assert str(fault.value) == outcome
            assert not played_through(straight, s)
            continue
        assert played_through(straight, s)
        assert finish(program, s, s.decisions) == outcome == playout(program, seed)
        assert (s.v, s.z, s.w) == (stopping.v, stopping.z, stopping.w)
        assert list(events(s)) == list(events(stopping))
    return True


@settings(
    max_examples=EXAMPLES or 15,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_any_rules_come_to_the_same_both_ways(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    rules = Rules(Random(seed)).game()
    path = tmp_path_factory.getbasetemp() / "any_rules.yaml"
    path.write_text(rules, encoding="utf-8")
    try:
        game = houserule.load(path)
    except InvalidGame as invalid:
        raise AssertionError(f"{rules}\n{invalid}") from invalid
    for match in range(2):
        check_both_ways(game, match)
