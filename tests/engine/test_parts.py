"""A part of a together: what it cannot have, and what becomes of what it did."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Match, RuleFault

DRAWING = """\
edition: 2026
game: drawing
players: 2
components:
  coin: {pieces: {gold: {count: 3}}, starts_in: old}
zones:
  old: {holds: coin, visible: all}
  waste(player): {holds: coin, visible: all}
  pile(player): {holds: coin, visible: none}
  hand(player): {holds: coin, visible: owner}
flow:
  lay:
    do: |
      for p in players: draw 1 from old to p.waste
      first(players) chooses really from [true, false]
      if really: draw 1 from old to first(players).waste
  take:
    together: players
    do: |
      choose n from 0..2
      draw n from me.pile to me.hand
"""


def game_of(text: str, folder: Path) -> interpreter.Game:
    name = text.split("game: ")[1].split("\n")[0]
    (folder / name).mkdir()
    (folder / name / "game.yaml").write_text(text, encoding="utf-8")
    return interpreter.load(folder / name)


def refilled(match: Match) -> None:
    """From now on piles are refilled, which the checker would have refused."""
    zones = match.program.words.zones
    match.state.refills = {zones["pile"].base + p: zones["waste"].base + p for p in range(2)}


def test_chance_in_a_part_is_a_fault_with_its_place(tmp_path: Path) -> None:
    match = Match.start(game_of(DRAWING, tmp_path), ["Ann", "Ben"], 1, "en")
    refilled(match)
    match.answer("Ann", True)
    with pytest.raises(RuleFault, match=r"game\.yaml:\d+:7: there is no chance in a together \(in 'take'\)"):
        match.answer("Ann", 2)
    assert [choice.player for choice in match.pending] == ["Ann", "Ben"]
    match.answer("Ann", 0)
    assert [choice.player for choice in match.pending] == ["Ben"]
