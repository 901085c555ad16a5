"""Searches continue matches natively, with the same worth to each player as in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Game
from houserule.bots import worlds
from houserule.bots.simple import Seat
from houserule.bots.worlds import World
from houserule.native import engines
from houserule.native.engines import machine_of
from tests.bundled import load

DICE = """\
edition: 2026
game: dice
players: 2..4
variables:
  pips(player): 0..30
flow:
  turn:
    repeat: forever
    turns: players
    do: |
      choose n from k in 1..2 "How many?"
      roll d from 1..6
      me.pips += n * d
      if me.pips > 19: end game
scoring: {pips: me.pips}
"""
RULES = (
    "{when: me.pips > 13, tie: draw}",
    "{all: me.pips > 4}",
    "{least: points}",
    "{when: me.pips > 99, nobody: defeat}",
)


@pytest.mark.parametrize(
    ("name", "players"),
    [("aladdin", 3), ("ali_baba", 2), ("master_thieves", 4), ("rattlebones", 2), ("hearts", 4), ("tic_tac_toe", 2)],
)
def test_looking_ahead_comes_to_the_same_in_bundled_games(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compared(load(name), players, 60, monkeypatch) > 2


@pytest.mark.parametrize("winner", RULES)
@pytest.mark.parametrize("players", [2, 3])
def test_looking_ahead_comes_to_the_same_whoever_wins(
    winner: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.yaml").write_text(f"{DICE}winner: {winner}\n", encoding="utf-8")
    assert compared(houserule.load(tmp_path / "game.yaml"), players, 8, monkeypatch) > 2


def compared(rules: Game, players: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a look ahead came to the same natively and in Python."""
    program = rules.program(players, told=False)
    machine_of(program)
    match = rules.start(players, 4)
    found = 0
    for step in range(steps):
        if match.is_over:
            break
        choice = match.pending[0]
        world = Seat(match, choice).world(step)
        if not world.is_over and step % 2 == 0:
            with monkeypatch.context() as without:
                without.setattr(worlds, "machine_for_search", lambda _: None)
                in_python = world.copy().look_ahead(step, (2, 5, 20), 3)
            with monkeypatch.context() as without:
                without.setattr(World, "ahead_in_python", lambda *_: [-1.0] * players)
                natively = world.look_ahead(step, (2, 5, 20), 3)
            if natively[0] >= 0:
                assert natively == in_python
                found += 1
        match.answer(choice.player, choice.options[step % len(choice.options)].key)
    return found


def test_a_short_search_does_not_wait_for_a_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("ali_baba", ("open_sesame",) if "open_sesame" in load("ali_baba").house_rules else ()).program(
        4, told=False
    )
    monkeypatch.setattr(engines, "PATIENCE", 5)
    monkeypatch.setattr(program, "machine", None)
    monkeypatch.setattr(program, "continued", 0)
    found = [engines.machine_for_search(program) for _ in range(6)]
    assert [one is not None for one in found] == [False] * 4 + [True] * 2
