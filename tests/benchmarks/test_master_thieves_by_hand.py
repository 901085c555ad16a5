"""The hand-written Master Thieves plays sane games."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from benchmarks.by_hand.master_thieves import MasterThieves, Stone, play

PLAYERS = (2, 4, 8)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_ends_when_somebody_has_no_false_stone_left(players: int) -> None:
    for seed in range(30):
        game = MasterThieves(players, seed)
        game.play()
        assert sum(not player.white for player in game.players) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_no_stone_is_lost(players: int) -> None:
    for seed in range(30):
        game = MasterThieves(players, seed)
        game.play()
        halves = [half for level in game.box.levels for drawer in level for half in drawer.halves]
        stones = Counter(
            chain(
                game.red,
                *(half.front + half.rear for half in halves),
                *(player.white + player.black for player in game.players),
            )
        )
        assert stones == {Stone.RUBY: 6, Stone.SAPPHIRE: 2 * players, Stone.DIAMOND: 8 * players + 12}
        alarms = sum(half.alarm is not None for half in halves) + sum(player.has_alarm for player in game.players)
        assert alarms == players


def test_the_same_seed_plays_the_same_match() -> None:
    assert play(4, 7) == play(4, 7)
    assert play(4, 7) != play(4, 8)
