"""Lists of what is printed, which functions give, are chosen from, joined and compared like any others."""

from __future__ import annotations

from pathlib import Path

import houserule
from houserule.compiler.emitter import Emitter
from houserule.compiler.tables import tabulate

GAME = """\
edition: 2026
game: hooks
players: 2..3
enums: {half: [upper, lower]}
components:
  hook:
    attributes: {seat: player, number: 1..4}
    each: {seat: player, number: 1..4}
variables:
  score(player): 0..99
  used(hook): bool
  wealth: 0..9 = 1
functions:
  hooks(player p): (h in hook where h.seat == p)
  low(player p, int most): (h in hooks(p) where h.number <= most)
flow:
  one:
    turns: players
    do: |
      own = hooks(me)
      own = own + hooks(next(me))
      if count(own) == 8 and own == hooks(me) + hooks(next(me)): me.score += 1
      for h in hooks(me) where h.number > 2: h.used = true
      if hook[me, 4] in hooks(me) and hooks(me) != hooks(next(me)): me.score += 2
      choose picked from hooks(me) "Which?"
      if picked: me.score += 10 * picked.number
      choose 1..min(2, 1 + wealth) several from hooks(me)
      me.score += count(several)
      choose rest from hooks(me) - several
      if rest and not rest.used: me.score += 40
      wealth = 0
scoring: {score: "me.score + count(low(me, 3))"}
"""


def test_lists_of_what_is_printed_are_chosen_from_joined_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = houserule.load(path)
    match = game.start(["Ann", "Bob"], seed=1)
    for player, at_most in (("Ann", 2), ("Bob", 1)):
        seat = match.players.index(player) + 1
        assert [option.key for option in match.pending[0].single] == [f"hook_{seat}_{n}" for n in (1, 2, 3, 4)]
        match.answer(player, f"hook_{seat}_3")
        choice = match.pending[0]
        assert (choice.at_least, choice.at_most) == (1, at_most)
        match.answer(player, [f"hook_{seat}_{n}" for n in (4, 3)[:at_most]])
        assert [option.key for option in match.pending[0].single][:2] == [f"hook_{seat}_1", f"hook_{seat}_2"]
        match.answer(player, f"hook_{seat}_2")
    assert match.scores == {"Ann": 3 + 30 + 2 + 40 + 3, "Bob": 3 + 30 + 1 + 40 + 3}


WALKS = """\
edition: 2026
game: walks
players: 2
enums:
  way:
    attributes: {down: -1..1, right: -1..1}
    members: {east: {down: 0, right: 1}, south: {down: 1, right: 0}, diagonal: {down: 1, right: 1}}
components:
  spot: {attributes: {row: 1..4, column: 1..4}, each: {row: 1..4, column: 1..4}}
variables:
  wind: 0..3 = 1
functions:
  step(spot s, way w): |
    row = s.row + w.down
    if row > 4 or s.column + w.right > 4: finish with none
    finish with spot[row, s.column + w.right]
  ray(spot s, way w): |
    found = []
    x = step(s, w)
    while x:
      found = found + [x]
      x = step(x, w)
    finish with found
  ways_through(spot s): |
    all_of_them = 0
    for w in way:
      if any(ray(s, w)): all_of_them += 1
    repeat 2 times: all_of_them += 10
    finish with all_of_them
  divided(int n): |
    if n == 3: finish with 1 // (n - 3)
    finish with n
  windy(spot s): |
    if wind > 2: finish with 0
    finish with s.row
flow:
  one: {turns: players, do: choose s from spot}
scoring:
  rays: sum(count(ray(s, w)) for s in spot for w in way)
  through: sum(ways_through(s) for s in spot)
  last: count(x in spot where x in ray(spot[1, 1], diagonal))
  other: sum(windy(s) for s in spot) + divided(2)
"""


def test_blocks_that_read_only_what_is_printed_are_worked_out_beforehand(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(WALKS, encoding="utf-8")
    game = houserule.load(path)
    for told in (True, False):
        emitter = Emitter(game.checked(2).symbols, game.checked(2).secrets, told=told)
        tabulate(emitter)
        tabled = {name for name, f in emitter.symbols.functions.items() if f in emitter.folding.tables}
        assert tabled == {"step", "ray", "ways_through"}, "not what reads variables or takes any number"
    match = game.start(["anna", "ben"], seed=1)
    points = [line.points["anna"] for line in match.sheet]
    rays = 2 * 4 * (3 + 2 + 1) + sum(min(4 - row, 4 - column) for row in range(1, 5) for column in range(1, 5))
    assert points == [rays, 16 * 20 + 9 * 3 + 6 * 1, 3, 4 * (1 + 2 + 3 + 4) + 2]
