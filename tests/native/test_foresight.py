"""Filters over known lists whose tests are evaluated at once, and those that must not be."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import houserule
from houserule.compiler.program import compile_game
from houserule.native.blueprint import Blueprint
from houserule.native.foresight import Foresight
from houserule.native.module import Written
from houserule.native.values import of_known
from tests.native.same_work import hold_same_work
from tests.taking_long import but_later

RULES = """\
edition: 2026
game: stacks
players: 2
components:
  tile: {attributes: {worth: 1..3}, each: {worth: 1..3}, count: 10, starts_in: bag}
  field:
    grid: square
    attributes: {row: 1..6, column: 1..6}
    each: {row: 1..6, column: 1..6}
zones:
  bag: {holds: tile, visible: none}
  cell(field): {holds: tile, visible: all, capacity: 1}
  hand(player): {holds: tile, visible: all}
variables: {score(player): int}
functions:
  above(field a, field b): a.column == b.column and a.row == b.row + 1
flow:
  deal:
    do: |
      shuffle bag
      for f in field where f.column != 4: draw 1 from bag to cell[f]
  turn:
    repeat: 9
    turns: players
    do: |
      choose t from FILTER:
        move t to me.hand
        me.score += t.worth
      me.score += count(FILTER)
scoring: {score: me.score}
"""
AT_ONCE = {
    "a zone and one above it": "(cell[f] for f in field where cell[f] and not any(a in field where above(a, f) and cell[a]))",
    "either of two zones": "(cell[f] for f in field where cell[f] and (not any(a in field where above(a, f) and cell[a]) or any(a in field where above(f, a) and cell[a])))",
}
ONE_BY_ONE = {
    "a variable": "(cell[f] for f in field where cell[f] and f.row > me.score)",
    "a piece in the zone": "(cell[f] for f in field where cell[f] and cell[f].worth > 1)",
    "the zone of a player": "(cell[f] for f in field where cell[f] and not empty(me.hand))",
}


@pytest.mark.parametrize(
    "name", but_later([*AT_ONCE, *ONE_BY_ONE], {"either of two zones", "a variable", "the zone of a player"})
)
def test_a_filter_gives_the_same_for_as_much_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(RULES.replace("FILTER", {**AT_ONCE, **ONE_BY_ONE}[name]), encoding="utf-8")
    checked = houserule.load(path).checked(2)
    usual, translated = Foresight.code, []
    monkeypatch.setattr(Foresight, "code", lambda self, test: translated.append(test) or usual(self, test))
    for without in (frozenset[str](), frozenset({"filters"})):
        translated.clear()
        program = compile_game(checked, told=False, without=without)
        Written(Blueprint.of(program))
        assert bool(translated) is (name in AT_ONCE and not without)
        hold_same_work(program)


def test_what_one_item_lacks_is_not_foreseen() -> None:
    tables = {"K1": (2, 3, -1), "K2": (5, -1, 7, 1), "K3": (0, None, (), 1 << 50)}
    scope: Any = SimpleNamespace(look_up=lambda name: of_known(tables[name]))

    def numbers(text: str, *items: int) -> list[int] | None:
        return Foresight(scope, "i", items).numbers(ast.parse(text, mode="eval").body)

    assert numbers("K2[K1[i - 1] - 1]", 1, 2) == [-1, 7]
    assert numbers("K2[K1[i]]", 0, 1) == [7, 1]
    assert numbers("K2[K1[i]]", 0, 2) is None  # Python would count from the end
    assert numbers("K2[i]", 0, 4) is None
    assert [numbers("K3[i]", item) for item in range(4)] == [[0], None, None, None]
    assert numbers("K2[f(i)]", 0) is None
