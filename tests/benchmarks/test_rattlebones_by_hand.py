"""The hand-written Rattlebones plays sane games."""

from __future__ import annotations

import pytest

from benchmarks.by_hand.rattlebones import GOODS, RAISED, RINGMASTER_STARTS, Rattlebones, Side, Symbol, play

PLAYERS = (2, 3, 4)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_ends_when_somebody_has_reached_rattlebones(players: int) -> None:
    for seed in range(30):
        game = Rattlebones(players, seed)
        game.play()
        assert max(player.points for player in game.players) >= game.ringmaster
        assert game.ringmaster <= RINGMASTER_STARTS[players]
        assert game.winners()


@pytest.mark.parametrize("players", PLAYERS)
def test_no_side_and_no_goods_are_lost(players: int) -> None:
    for seed in range(30):
        game = Rattlebones(players, seed)
        game.play()
        sides = [side for player in game.players for die in player.dice for side in die.sides]
        assert len(sides) == 18 * players
        assert sum(side.symbol is Symbol.RATTLEBONES for side in sides) == 3 * players
        for symbol, number in game.supply.items():
            whole = 15 if symbol not in (*RAISED, Symbol.PLUS_5) else 6 - int(symbol.value[1:])
            assert number + sum(side.symbol is symbol for side in sides) == whole
        for good in GOODS:
            assert 0 <= game.left(good) <= GOODS[good]


def test_arrows_are_followed_and_a_ring_of_them_is_nothing() -> None:
    die = Rattlebones(2, 1).players[0].dice[0]
    die.sides[1], die.sides[2] = Side(Symbol.ARROW, 2), Side(Symbol.ARROW, 5)
    die.up = die.sides[1]
    assert die.shows() is Symbol.SIX
    die.sides[2].aim = 1
    assert die.shows() is Symbol.ARROW


def test_the_same_seed_plays_the_same_match() -> None:
    assert play(4, 7) == play(4, 7)
    assert play(4, 7) != play(4, 8)
