"""A variable with a value per position knows how often the table has stood as it stands, however the match is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game, Match, RuleFault
from houserule.compiler import runtime
from houserule.trial.check import Wanted, check

# Two frogs each go to and fro on a ring; who brings about a position for the third time ends the game.
RING = """\
edition: 2026
game: ring
players: 2
components:
  leaf: {attributes: {number: 1..5}, each: {number: 1..5}}
  frog:
    attributes: {seat: player}
    each: {seat: player}
    count: 2
    starts_in: pond
zones:
  pond: {holds: frog, visible: all}
  on(leaf): {holds: frog, visible: all, order: none}
variables:
  mover: player = first(players)
  seen(player): {type: 0..99, per_position: [on, mover]}
  stood: {type: bool, per_position: [on]}
flow:
  set_out:
    do: |
      for f in pond: move f to on[leaf[1 if f.seat == first(players) else 3]]
  hop:
    repeat: 60
    steps:
      turn:
        turns: players
        do: |
          mover = me
          choose f from (f in frog where f.seat == me):
            here = place(f, on)
            if here:
              choose goal from [next(here), previous(here)]:
                move f to on[goal]
                seen[me] += 1
                stood = true
                if seen[me] == 3: end game
winner: {most: 1}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ring") / "game.yaml"
    path.write_text(RING, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def ring(file: Path) -> Game:
    return houserule.load(file)


def position(match: Match, mover: int) -> Hashable:
    """How the table stands, by a way of its own: whose frogs lie on which leaf, and who moved."""
    symbols = match.program.symbols
    on, frog = symbols.zones["on"], symbols.kinds["frog"]
    lying = tuple(tuple(sorted((f - frog.base) // 2 for f in match.state.z[on.base + n])) for n in range(on.size))
    return lying, mover


def test_a_position_counts_as_often_as_it_has_been(ring: Game) -> None:
    chance = Random(3)
    for seed in range(4):
        match, seen = ring.start(2, seed), Counter[Hashable]()
        while match.pending:
            (choice,) = match.pending
            mover, is_hop = match.state.asker, choice.name == "goal"
            match.answer(choice.player, chance.choice(choice.options))
            if is_hop:
                seen[position(match, mover)] += 1
            assert match.is_over == (max(seen.values(), default=0) == 3) or sum(seen.values()) == 120
        kept = match.state.kept
        assert sorted(n for values in kept[1:4:2] for n in values) == sorted(seen.values())
        assert all(known == sorted(known) for known in kept[::2])
        assert len(kept[4]) == len({lying for lying, _ in seen})  # type: ignore[misc]  # positions are pairs
        assert houserule.replay(match.record).state.kept == kept
        assert match.copy().state.kept == kept is not match.copy().state.kept


def test_all_that_holds_of_any_match_holds_where_positions_are_remembered(file: Path) -> None:
    assert not check(file, Wanted(matches=1)).violations


def test_no_more_positions_are_remembered_than_a_match_may_keep(ring: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "MOST_POSITIONS", 3)
    match = ring.start(2, 1)
    with pytest.raises(RuleFault, match="more than 3 positions have a value here"):
        while match.pending:
            (choice,) = match.pending
            match.answer(choice.player, choice.options[0])
