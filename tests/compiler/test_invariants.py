"""What is the same in each pass of a loop is worked out once, and only if there is a pass."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import houserule
from houserule.compiler.program import Program, compile_game
from houserule.native.engines import machine_of
from houserule.running.playout import playout

GAME = """\
edition: 2026
game: counting
players: 2
components:
  card:
    attributes: {{rank: 1..5}}
    variables: {{seen: int}}
    starts_in: deck
    each: {{rank: 1..5}}
    count: 2
zones:
  deck: {{holds: card, visible: all}}
  hand(player): {{holds: card, visible: all}}
  empty_box: {{holds: card, visible: all}}
variables:
  score(player): int
  level: int
functions:
  all_of(player p): p.hand + deck
  best(player p): sum(c.rank for c in p.hand where c.rank < 3)
  total(player p): sum(c.rank for c in p.hand) + level
flow:
  deal:
    do: |
      shuffle deck
      for p in players: draw 3 from deck to p.hand
  go:
    turns: players
    do: |
{effect}
scoring: {{points: me.score}}
"""


def program(folder: Path, effect: str, without: frozenset[str] = frozenset()) -> Program:
    lines = "\n".join(f"      {line}" for line in effect.splitlines())
    (folder / "game.yaml").write_text(GAME.format(effect=lines), encoding="utf-8")
    return compile_game(houserule.load(folder).checked(2), told=False, without=without | {"inlining"})


def calls(played: Program, function: str) -> tuple[Any, int]:
    """The outcome of a match, and how often a function was called in it."""
    counted: Counter[str] = Counter()

    def noted(frame: Any, event: str, _: object) -> None:
        counted[frame.f_code.co_name] += event == "call"

    sys.setprofile(noted)
    try:
        return playout(played, 1), counted[f"f_{function}"]
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize(
    ("effect", "function", "fewer"),
    [
        ("me.score = count(c in me.hand where c.rank == best(me))", "best", True),
        ("for c in me.hand:\n  if c.rank == best(me): me.score += 1", "best", True),
        ("for c in me.hand:\n  for d in all_of(me):\n    if c.rank == d.rank: me.score += 1", "all_of", True),
        ("me.score = count(c for c in deck for d in all_of(me) where c.rank == d.rank)", "all_of", True),
        ("for c in (d in me.hand by total(me) - d.rank): me.score = 2 * me.score + c.rank", "total", True),
        ("for c in me.hand:\n  if total(me) > 9: me.score += 1\n  if total(me) > 8: me.score += 1", "total", True),
        ("for c in me.hand:\n  if total(me) > 9: level += 1", "total", False),
        ("for c in me.hand:\n  if total(me) > 5: move c to deck", "total", False),
        ("for c in me.hand:\n  if c.rank > 9 and best(me) > 2: me.score += 1", "best", False),
        ("for c in me.hand:\n  level += 1\n  me.score = total(me)", "total", False),
        ("for c in me.hand:\n  n = c.rank\n  if n > 9: leave\n  me.score += total(me)", "total", False),
    ],
)
def test_it_is_worked_out_once_if_nothing_changes_it(tmp_path: Path, effect: str, function: str, fewer: bool) -> None:
    usual = calls(program(tmp_path, effect), function)
    without = calls(program(tmp_path, effect, frozenset({"invariants"})), function)
    assert usual[0] == without[0]
    assert (usual[1] < without[1]) is fewer
    assert usual[1] <= without[1]


@pytest.mark.parametrize(
    "effect",
    [
        "for c in empty_box:\n  if c.rank == last(d in deck where d.rank > 9)!.rank: me.score += 1",
        "me.score = count(c in empty_box where c.rank == best(me) // level)",
        "me.score = count(c in empty_box where c.rank == best(me)) + count(c in me.hand where c.rank == best(me))",
        "me.score = count(c in me.hand where c.rank == best(me)) + count(c in deck where c.rank == best(me))",
    ],
)
def test_no_fault_comes_from_a_loop_without_passes_and_no_value_either(tmp_path: Path, effect: str) -> None:
    usual, without = program(tmp_path, effect), program(tmp_path, effect, frozenset({"invariants"}))
    assert [playout(usual, seed) for seed in range(4)] == [playout(without, seed) for seed in range(4)]


def test_native_play_comes_to_the_same(tmp_path: Path) -> None:
    pytest.importorskip("wasmtime")
    effect = "for c in me.hand:\n  for d in all_of(me):\n    if c.rank == best(me) + d.rank: me.score += 1"
    played = program(tmp_path, effect)
    assert list(machine_of(played).outcomes(range(8))) == [playout(played, seed) for seed in range(8)]
