"""Searches continue matches natively, with the same worth to each player as in Python."""

from __future__ import annotations

import pytest

from houserule.bots.bot import Seat
from houserule.native import engines
from houserule.native.engines import machine_of
from tests.bundled import load


@pytest.mark.parametrize(
    ("name", "players"),
    [("aladdin", 3), ("ali_baba", 2), ("master_thieves", 4), ("rattlebones", 2), ("hearts", 4), ("tic_tac_toe", 2)],
)
def test_looking_ahead_comes_to_the_same(name: str, players: int) -> None:
    rules = load(name)
    program = rules.program(players, told=False)
    machine_of(program)
    match = rules.start(players, 4)
    compared = 0
    for step in range(60):
        if match.is_over:
            break
        choice = match.pending[0]
        world = Seat(match, choice).world(step)
        if not world.is_over and step % 2 == 0:
            natively = world.copy().ahead_natively(step, [4, 10, 40])
            if natively is not None:
                assert natively == world.ahead_in_python(step, [4, 10, 40])
                compared += 1
        match.answer(choice.player, choice.options[step % len(choice.options)].key)
    assert compared > 2


def test_a_short_search_does_not_wait_for_a_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("ali_baba", ("open_sesame",) if "open_sesame" in load("ali_baba").house_rules else ()).program(
        4, told=False
    )
    monkeypatch.setattr(engines, "PATIENCE", 5)
    monkeypatch.setattr(program, "machine", None)
    monkeypatch.setattr(program, "continued", 0)
    found = [engines.machine_for_search(program) for _ in range(6)]
    assert [one is not None for one in found] == [False] * 4 + [True] * 2
