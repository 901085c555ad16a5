"""The hand-written Ali Baba plays sane games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.by_hand.ali_baba import ABOVE, PLACES, AliBaba, Colour, Tile, Treasure, play

PLAYERS = (2, 3, 4)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_ends_with_points_for_everybody(players: int) -> None:
    for seed in range(50):
        result = play(players, seed)
        assert len(result["points"]) == players
        assert min(result["points"]) > 0
        assert result["decisions"] >= players * (result["rounds"] - 1)


def test_the_same_seed_plays_the_same_match() -> None:
    assert play(4, 7) == play(4, 7)
    assert play(4, 7) != play(4, 8)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_tile_is_in_exactly_one_place_at_the_end(players: int) -> None:
    for seed in range(50):
        game = AliBaba(players, seed)
        game.play()
        tiles = [*game.box, *game.cave.values(), *(tile for player in game.players for tile in player.stash)]
        assert Counter((tile.treasure, tile.colour) for tile in tiles) == {(t, c): 1 for t in Treasure for c in Colour}
        assert len(game.box) == 6


def test_what_lies_open_is_what_nothing_lies_on() -> None:
    def look(_question: str, options: Sequence[Any]) -> Any:
        for place, tile in game.cave.items():
            assert tile.face_up == (not any(above in game.cave for above in ABOVE[place]))
        return options[game.random.randrange(len(options))]

    game = AliBaba(3, 5)
    assert [len([p for p in PLACES if p[0] == layer]) for layer in (1, 2, 3, 4)] == [25, 16, 9, 4]
    for player in game.players:
        player.choose = look
    game.play()


def test_the_third_sword_scores_six_points_when_it_is_brown() -> None:
    game = AliBaba(2, 0, choose=lambda _question, options: options[0])
    me = game.players[0]
    me.stash = [Tile(Treasure.SWORD, Colour.PINK), Tile(Treasure.SWORD, Colour.WHITE)]
    brown = Tile(Treasure.SWORD, Colour.BROWN)
    me.stash.append(brown)
    game.use_power(me, brown, (1, 1, 1), 0)
    assert me.score == 6
