"""`end game` ends a match at once and leaves nothing of it behind."""

from __future__ import annotations

import gc
from pathlib import Path

import houserule
from houserule.running.state import State

ENDED_BY_AN_EFFECT = """\
edition: 2026
game: short
players: 2
variables: {score(player): int}
flow:
  round:
    repeat: forever
    turns: players
    do: |
      me.score += 1
      if me.score > 2: end game
winner: {most: me.score}
"""


def states() -> int:
    gc.collect()
    return sum(isinstance(thing, State) for thing in gc.get_objects())


def test_matches_that_an_effect_ended_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(ENDED_BY_AN_EFFECT, encoding="utf-8")
    game = houserule.load(tmp_path)
    before = states()
    for seed in range(20):
        assert game.random_match(2, seed).winners == [0]
    assert states() <= before + 1
