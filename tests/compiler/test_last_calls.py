"""What is performed last, by what is performed last itself: every caller goes on where it stood."""

from __future__ import annotations

from pathlib import Path

import houserule

GAME = """\
edition: 2026
game: last_calls
players: 2
enums:
  spell:
    effects:
      - cast(int strength)
    members:
      ask_more: {cast: "perform ask(strength)"}
      hum: {cast: me.score += strength}
      rest:
variables:
  score(player): int
  depth: int
actions:
  ask(int n): |
    choose k from 1..3 "How many?"
    me.score += n * k
  count_up: |
    choose k from 1..3 "How far?"
    finish with k
  outer(int n): |
    perform middle(n + 1)
  middle(int n): |
    if n > 2:
      perform ask(n)
    else:
      perform count_up
  cast_it(spell x, int n): perform x.cast(n)
  dig(int n): |
    choose "Deeper?":
      "Yes": nothing
    if n > 0: perform dig(n - 1)
flow:
  one:
    do: |
      as first(players):
        perform outer(1)                        # asks count_up, whose result nobody wants
        me.score += 100
        perform outer(2)                        # asks, 3 times the answer
        me.score += 100
        k = perform count_up
        me.score += 1000 * k
        for x in spell: perform cast_it(x, 7)
        me.score += 10000
        perform dig(40)
scoring: {score: me.score}
"""


def test_callers_go_on_as_if_every_call_had_returned_to_its_own(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    match = houserule.load(path).start(["Ann", "Bob"], seed=1)
    for answer in (3, 2, 3, 2, *["Yes"] * 41):
        match = match.copy()
        match.answer("Ann", answer)
    assert match.is_over
    assert match.scores["Ann"] == 100 + 3 * 2 + 100 + 3000 + 7 * 2 + 7 + 10000
