"""Whatever authors call things, no two of them are one thing in the generated program."""

from __future__ import annotations

from pathlib import Path

import houserule

GAME = """\
edition: 2026
game: namesakes
players: 2
enums:
  role:
    attributes: {act_worth: 0..9}
    effects: [act, act_now]
    members:
      thief: {act_worth: 1, act: me.score += 1, act_now: me.score += 10}
  role_act:
    attributes: {worth: 0..9}
    effects: [now]
    members:
      thief: {worth: 2, now: me.score += 100}
variables:
  score(player): int
  found: int
triggers:
  found_it:
    whenever: found changes
    do: found = 5
actions:
  role_thief_act: me.score += 1000
  trigger_found_it: me.score += 10000
flow:
  one:
    turns: players
    do: |
      perform role_thief_act
      perform trigger_found_it
      found = 1
      for r in role:
        perform r.act
        perform r.act_now
        me.score += 100000 * r.act_worth
      for r in role_act:
        perform r.now
        me.score += 100000 * r.worth
scoring: {score: me.score}
"""


def test_names_that_run_together_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = houserule.load(path)
    match = game.start(["Ann", "Bob"], seed=1)
    assert match.is_over
    assert match.scores == {"Ann": 311111, "Bob": 311111}
