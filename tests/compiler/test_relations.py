"""A relation of what is printed is worked out when a game is compiled, and says the same as going through everything."""

from __future__ import annotations

from random import Random

import pytest

import houserule
from houserule.compiler.program import Program
from houserule.running.playout import finish, play
from houserule.running.state import State

GAME = """\
edition: 2026
game: heap
players: 2
components:
  stone: {starts_in: bag, pieces: {pebble: {count: 6}}}
  field:
    attributes: {layer: 1..3, x: 1..4}
    each: {layer: 1..3, x: 1..5 - layer}
zones:
  bag: {holds: stone, visible: all}
  on(field): {holds: stone, visible: all, capacity: 1}
variables:
  wrong: int
  seen: int
functions:
  rests(field a, field b): a.layer == b.layer + 1 and b.x - a.x in 0..1
  laden(field f): any(a in field where rests(a, f) and not empty(on[a]))
  deep(field f): any(a in field where rests(a, f) and laden(a) and on[a])
  roof(field f): empty(a in field where rests(a, f))
  # The same without a short way: how many there are is counted one by one.
  laden_counted(field f): count(a in field where rests(a, f) and not empty(on[a])) > 0
  deep_counted(field f): count(a in field where rests(a, f) and laden_counted(a) and on[a]) > 0
  roof_counted(field f): count(a in field where rests(a, f)) == 0
  # What it rests on is known, and the list is short enough to be written out.
  first_is_laden: any(a in field where rests(a, field[1, 2]) and not empty(on[a]))
  first_is_laden_counted: count(a in field where rests(a, field[1, 2]) and not empty(on[a])) > 0
  # Of what a function sorts, only the number is asked for.
  above(int least): f in field where f.layer >= least and not empty(on[f]) by -f.x
  above_counted(int least): count(f in field where f.layer >= least and not empty(on[f]))
actions:
  look: |
    wrong += 1 if first_is_laden != first_is_laden_counted else 0
    for least in 1..3:
      wrong += 1 if count(above(least)) != above_counted(least) or any(above(least)) != (above_counted(least) > 0) else 0
      if empty(above(least)): wrong += above_counted(least)
    wrong += count(f in field where laden(f) != laden_counted(f))
    wrong += count(f in field where deep(f) != deep_counted(f))
    wrong += count(f in field where roof(f) != roof_counted(f))
    wrong += 1 if any(on) != (count(on) > 0) or empty(on) != (count(on) == 0) else 0
    seen += count(f in field where laden(f)) + 100 * count(f in field where deep(f)) + count(f in field where roof(f))
flow:
  place:
    repeat: 3
    turns: players
    do: |
      perform look
      choose f from f in field where empty(on[f]):
        draw 1 from bag to on[f]
      perform look
scoring: {seen: seen, wrong: wrong}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> houserule.Game:
    folder = tmp_path_factory.mktemp("games") / "heap"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    return houserule.load(folder)


@pytest.fixture(scope="module", params=["quiet", "told"])
def program(game: houserule.Game, request: pytest.FixtureRequest) -> Program:
    return game.program(2, told=request.param == "told")


def test_whether_a_row_has_one_agrees_with_counting(program: Program) -> None:
    seen = []
    for seed in range(60):
        generator = Random(seed)
        s = State(program, generator)
        outcome = finish(program, s, play(program, s, generator))
        assert outcome.lines[1] == [0, 0]
        seen.append(outcome.lines[0][0])
    assert len(set(seen)) > 20, "the fields were laden differently"
