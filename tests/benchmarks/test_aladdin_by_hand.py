"""The hand-written Aladdin plays sane games, and the same game as its rule files."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.by_hand.aladdin import Aladdin, Metal, Sort, play

PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_ends_with_points_for_everybody(players: int) -> None:
    for seed in range(50):
        result = play(players, seed)
        assert len(result["points"]) == players
        assert min(result["points"]) >= 0
        assert result["decisions"] >= 2 * players * result["rounds"]


def test_the_same_seed_plays_the_same_match() -> None:
    assert play(4, 7) == play(4, 7)
    assert play(4, 7) != play(4, 8)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_is_in_exactly_one_place_at_the_end(players: int) -> None:
    for seed in range(50):
        game = Aladdin(players, seed)
        game.play()
        piles = [game.discard, *game.chests.values(), *(player.loot for player in game.players)]
        cards = [card for pile in piles for card in pile]
        assert len(cards) == len(set(map(id, cards))) == 86
        assert Counter(card.sort for card in cards) == {
            Sort.GEM: 56, Sort.ORNAMENT: 18, Sort.TALISMAN: 9, Sort.SORCERER: 3,
        }  # fmt: skip
        assert len(game.lamp_deck) == 25
        lost = sum(card.sort is Sort.SORCERER for pile in piles[1:4] for card in pile)
        assert lost < 3, "somebody has drawn a Sorcerer"


def test_the_sorcerer_is_the_21st_card_of_each_chest() -> None:
    game = Aladdin(3, 0)
    for chest in game.chests.values():
        assert chest[-21].sort is Sort.SORCERER
        assert len(chest) == 26


def test_a_copy_taken_at_a_decision_stands_by_itself() -> None:
    copies: list[Aladdin] = []

    def first_option(_question: str, options: Sequence[Any]) -> Any:
        if len(copies) < 20:
            copies.append(copy.deepcopy(game))
        return options[0]

    game = Aladdin(4, 3, choose=first_option)
    game.play()
    assert len(copies) == 20
    assert all(len(snapshot.chests[Metal.BRONZE]) >= len(game.chests[Metal.BRONZE]) for snapshot in copies)
    assert copies[0].players[0] is not game.players[0]
    assert copies[0].rounds == 1
