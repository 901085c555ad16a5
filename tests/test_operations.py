"""Every row of the table of operations: its example parses, checks, compiles and runs in a standard small game."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

import houserule
from houserule.operations import FUNCTIONS, VERBS

GAME = """\
game: standard
edition: 2026
players: 2..4
enums:
  suit: [cups, swords]
components:
  card:
    attributes: {{suit: suit, cost: 0..5}}
    each: {{suit: suit, cost: 0..5}}
    starts_in: deck
  field:
    grid: square
    attributes: {{row: 1..3, column: 1..3}}
    each: {{row: 1..3, column: 1..3}}
zones:
  deck: {{holds: card, visible: none}}
  discard: {{holds: card, visible: all}}
  hand(player): {{holds: card, visible: owner}}
variables:
  score(player): int
  marker: int
flow:
  deal:
    do: |
      shuffle deck
      for p in players: draw 3 from deck to p.hand
  turn:
    repeat: 3
    turns: players
    do: |
{effect}
scoring:
  points: me.score
winner: {{most: points}}
"""

ROWS = [
    *(pytest.param(verb.name, verb.example, verb.says, id=verb.name) for verb in VERBS.values()),
    *(
        pytest.param(row.name, row.example, row.says, id=f"{row.name}({', '.join(row.parameters)})")
        for rows in FUNCTIONS.values()
        for row in rows
    ),
]


@pytest.mark.parametrize(("name", "example", "says"), ROWS)
def test_the_example_of_an_operation_runs(name: str, example: str, says: str, tmp_path: Path) -> None:
    assert example, "this row has no example"
    assert name in example, "the example shows something else"
    assert says[0].isupper()
    assert says.endswith(".")
    path = tmp_path / "game.yaml"
    path.write_text(GAME.format(effect=indent(example, " " * 6)), encoding="utf-8")
    # An example need not use all that is declared, and may score what lies hidden in a hand.
    assert [d for d in houserule.validate(path) if d.code not in ("HR570", "HR571", "HR582")] == []
    game = houserule.load(path)
    for players in game.players:
        for seed in range(3):
            assert len(game.random_match(players, seed).scores) == players
            match = game.start(players, seed=seed)
            while not match.is_over:
                match.answer(match.pending[0].player, match.pending[0].options[0])
            assert match.view().to_json()


def test_no_name_is_a_verb_and_a_function() -> None:
    assert not set(VERBS) & set(FUNCTIONS)
