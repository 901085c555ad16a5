"""Calls and instructions of Python are counted where a clock would swing: of a rule on its way to a told event, and of matches at random."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

import houserule
from benchmarks.calls import cost
from houserule.running.playout import playout
from tests.bundled import LARGE, load

MOST = 310
"""Half of what it took before the checker was written as functions of a context, and some for what has come since."""
INSTRUCTIONS = {"aladdin": 105_000, "ali_baba": 146_000, "master_thieves": 121_000, "rattlebones": 237_000}
"""What these quiet matches for three take in Python 3.11 to 3.13, and a tenth. More means that a fast path is lost, or something new that should be
measured first."""


def test_a_line_is_told_after_few_calls() -> None:
    found = cost(houserule)
    assert list(found) == ["load", "compile and play", "tell"]
    assert 0 < sum(calls.total() for calls in found.values()) <= MOST


@pytest.mark.parametrize("name", LARGE)
def test_a_match_takes_few_instructions(name: str) -> None:
    program = load(name).program(3, told=False)
    playout(program, 0)
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if event == "opcode":
            count += 1
        else:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 traces instructions only if a frame has asked for it before
    sys.settrace(trace)
    try:
        for seed in range(1, 4):
            playout(program, seed)
    finally:
        sys.settrace(before)
    assert 0 < count / 3 <= INSTRUCTIONS[name]
