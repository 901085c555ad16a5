"""A list that begins empty is of what is put into it later, also where it was the result before."""

from __future__ import annotations

from pathlib import Path

import houserule

GAME = """\
edition: 2026
game: begun
players: 2
components:
  spot: {each: {n: 1..4}, attributes: {n: 1..4}}
  coin: {pieces: {penny: {count: 4}}, starts_in: bag}
zones:
  bag: {holds: coin, visible: all}
  on(spot): {holds: coin, visible: all, capacity: 1}
functions:
  before(spot s): |
    found = []
    for x in spot:
      if x == s: finish with found
      found = found + [x]
    finish with []
flow:
  lay_out:
    do: |
      for s in spot: draw 1 from bag to s.on
scoring:
  coins: count(c for s in spot for x in before(s) for c in x.on)
  numbers: sum(x.n for x in before(spot[3]))
"""


def test_the_result_of_a_function_is_known_where_it_finishes_before_its_list_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert houserule.validate(path) == []
    match = houserule.load(path).start(["anna", "ben"], seed=1)
    assert [line.points["anna"] for line in match.sheet] == [0 + 1 + 2 + 3, 1 + 2]
