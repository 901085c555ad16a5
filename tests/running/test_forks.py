"""A part of a together: what it cannot have, and what becomes of what it did."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Match, RuleFault
from houserule.running.playout import play
from houserule.running.state import State, put_among
from houserule.telling.events import Narrator
from houserule.telling.labels import Labels

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


def game_of(text: str, folder: Path) -> houserule.Game:
    name = text.split("game: ")[1].split("\n")[0]
    (folder / name).mkdir()
    (folder / name / "game.yaml").write_text(text, encoding="utf-8")
    return houserule.load(folder / name)


def refilled(match: Match) -> None:
    """From now on piles are refilled, which the checker would have refused."""
    zones = match.program.symbols.zones
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


PILING = """\
edition: 2026
game: piling
players: 3
components:
  coin: {pieces: {gold: {count: 24}}, starts_in: old}
zones:
  old: {holds: coin, visible: none}
  pile: {holds: coin, visible: all}
  hand(player): {holds: coin, visible: owner}
flow:
  deal:
    do: |
      draw BEFORE from old to pile
      for p in players: draw 6 from old to p.hand
  round:
    repeat: 3
    steps:
      put:
        together: players
        do: |
          choose x from me.hand
          choose deep from 0..3
          if x:
            if deep == 3: move x to pile
            else: move x to pile at deep
          choose y from me.hand
          if y and x:
            move y to pile at bottom
            other = top(me.hand)
            if other: swap x with other
            if deep == 1: move x to pile at 1
            if deep == 2: move y to me.hand
      stir:
        do: |
          low = first(pile)
          high = top(pile)
          if low and high: swap low with high
"""


@pytest.mark.parametrize("before", [0, 1, 4])
def test_pieces_lie_alike_whether_it_is_told_or_not_and_in_what_is_told(before: int, tmp_path: Path) -> None:
    game = game_of(PILING.replace("BEFORE", str(before)), tmp_path)
    quiet, told = game.program(3, told=False), game.program(3, told=True)
    for seed in range(20):
        ends = []
        for program in (quiet, told):
            generator = Random(seed)
            s = State(program, generator)
            play(program, s, generator)
            ends.append((s.z, s.w))
            if s.log is not None:
                narrator = Narrator(program, Labels(program, ["Ann", "Ben", "Cem"], "en"))
                narrator.tell(s.log)
                assert (narrator.shadow.z, narrator.shadow.w) == (s.z, s.w)
        assert ends[0] == ends[1]
        assert all(s.w[piece] == slot for slot, pile in enumerate(s.z) for piece in pile)


@pytest.mark.parametrize(
    ("lies", "pile", "together"),
    [
        ("ab", "xab", "xab"),  # at the bottom
        ("ab", "abx", "abx"),  # on top
        ("ab", "axb", "axb"),  # between
        ("1a2b3", "xab", "x1a2b3"),  # below what others have put to the bottom
        ("1a2b3", "abx", "1a2b3x"),  # above what others have put on top
        ("1a2b3", "axyb", "1axy2b3"),  # right above the piece that lay below
        ("1a2b3", "xaybz", "x1ay2b3z"),
        ("12", "xy", "12xy"),  # where nothing lay, the bottom is the top
    ],
)
def test_a_piece_lies_where_it_was_put_among_those_that_lay_there(lies: str, pile: str, together: str) -> None:
    letters = [ord(letter) for letter in lies], [ord(c) for c in lies if c in "ab"], [ord(letter) for letter in pile]
    assert "".join(map(chr, put_among(*letters))) == together


PLANNING = """\
edition: 2026
game: planning
players: 2
components:
  slot: {attributes: {seat: player, number: 1..2}, each: {seat: player, number: 1..2}}
variables:
  plan(slot): 0..3
flow:
  plan:
    together: players
    do: |
      for x in slot where x.seat == me:
        choose n from 1..3
        x.plan = n
scoring:
  planned: {points: sum(x.plan for x in slot where x.seat == me)}
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_variables_indexed_by_things_with_a_seat_are_their_players_own(engine: str, tmp_path: Path) -> None:
    study = houserule.simulate(game_of(PLANNING, tmp_path), 50, 2, engine=engine)
    assert set(study.columns.scores) == {2, 3, 4, 5, 6}


def test_nobody_sets_what_belongs_to_things_of_another_seat(tmp_path: Path) -> None:
    game = game_of(PLANNING.replace("x.seat == me:", "x.seat != me:"), tmp_path)
    with pytest.raises(RuleFault, match="somebody changed 'plan', which is not their own"):
        houserule.simulate(game, 1, 2)
