"""`end game` ends a match at once and leaves nothing of it behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

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


@pytest.fixture
def states() -> Callable[[], int]:
    """How many states there are that were made since; what was there before is not looked at, here or later."""
    gc.freeze()

    def made_since() -> int:
        gc.collect()
        return sum(isinstance(thing, State) for thing in gc.get_objects())

    return made_since


def test_matches_that_an_effect_ended_are_forgotten(tmp_path: Path, states: Callable[[], int]) -> None:
    (tmp_path / "game.yaml").write_text(ENDED_BY_AN_EFFECT, encoding="utf-8")
    game = houserule.load(tmp_path)
    before = states()
    for seed in range(20):
        assert game.random_match(2, seed).winners == [0]
    assert states() <= before + 1
