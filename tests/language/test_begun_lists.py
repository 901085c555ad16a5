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
variables:
  total: int
flow:
  lay_out:
    do: |
      for s in spot: draw 1 from bag to s.on
  add_up:
    do: |
      found = []
      for s in spot:
        for y in found: total += 10 * y.n
        found = found + [s]
scoring:
  coins: count(c for s in spot for x in before(s) for c in x.on)
  numbers: sum(x.n for x in before(spot[3]))
  total: total
"""


def test_what_a_list_is_of_is_known_above_the_line_that_first_puts_something_into_it(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert houserule.validate(path) == []
    match = houserule.load(path).start(["anna", "ben"], seed=1)
    assert [line.points["anna"] for line in match.sheet] == [0 + 1 + 2 + 3, 1 + 2, 10 * (1 + 1 + 2 + 1 + 2 + 3)]


def test_mistakes_with_what_is_in_such_a_list_are_said_once(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace("10 * y.n", "y.m"), encoding="utf-8")
    assert [(found.code, found.span.line) for found in houserule.validate(path)] == [("HR502", 27)]
