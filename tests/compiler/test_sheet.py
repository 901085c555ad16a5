"""What is alike for all players stands before the line that is worked out for each; what may not be worked out does not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import houserule

GAME = """\
edition: 2026
game: sheet
title: Sheet
players: 3
tables: {prize: [0, 7]}
variables: {score(player): 0..9}
functions:
  leaders: most(p in players by p.score)
flow:
  setup:
    do: |
      for p in players: p.score = SCORES
scoring:
  line:
    LINE
winner: {most: points}
"""


def points(folder: Path, line: str, scores: str = "p.score") -> tuple[list[int], str]:
    """The points of a line by seat, and the function that works them out."""
    path = folder / "game.yaml"
    path.write_text(GAME.replace("LINE", line).replace("SCORES", scores), encoding="utf-8")
    game = houserule.load(path)
    match = game.start(3, seed=1)
    function = next(f for f in game.program(3, told=True).functions if f.name == "points_0")
    return list(match.sheet[0].points.values()), ast.unparse(function)


@pytest.mark.parametrize(
    "line",
    [
        "points: 5\n    when: most(p in players by p.score) == [me]",
        "points: 5\n    when: leaders == [me]",
        "points: 5 * count(q in leaders where q == me)",
        "points: me.score - min(p.score for p in players) - 4",
    ],
)
def test_what_is_alike_for_all_is_worked_out_once(tmp_path: Path, line: str) -> None:
    found, function = points(tmp_path, line, "9 if p == first(players) else 4")
    assert found == ([5, 0, 0] if "- 4" not in line else [1, -4, -4])
    assert ("alike" in function) == ("q in leaders" not in line)


def test_what_is_only_worked_out_under_a_condition_stays_there(tmp_path: Path) -> None:
    line = "points: 12 // count(p in players where p.score > 8) if any(p in players where p.score > 8) else 1"
    assert points(tmp_path, line, "9 if p == first(players) else 4")[0] == [12, 12, 12]
    assert points(tmp_path, line, "4")[0] == [1, 1, 1]
    line = "points: 2\n    when: me.score > 8 and prize[count(p in players where p.score > 8)] == 7"
    assert points(tmp_path, line, "9 if p == first(players) else 4")[0] == [2, 0, 0]
    assert points(tmp_path, line, "4")[0] == [0, 0, 0]
