"""The check that native play gives the same as Python, for as much work."""

from __future__ import annotations

from random import Random

from houserule.compiler.program import Program
from houserule.native.engines import machine_of
from houserule.running.playout import answers_of, finish, play
from houserule.running.state import State


def hold_same_work(program: Program, matches: int = 6) -> None:
    """Check that random matches end alike in both, leave as much of the work, and never have to be played again in Python."""
    machine = machine_of(program)
    for seed in range(matches):
        s = State(program, Random(seed))
        expected = finish(program, s, play(program, s, answers_of(seed)))
        assert list(machine.outcomes([seed])) == [expected]
        assert machine.unspent == s.fuel + s.reserve
    assert machine.replayed == 0
