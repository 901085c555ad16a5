"""A game written by hand and its rule files are the same game: on average they score and last alike."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from benchmarks.by_hand import aladdin, ali_baba, master_thieves, rattlebones
from tests.bundled import load

Play = Callable[[int, int], dict[str, Any]]


def agree(game: str, play: Play, players: int, matches: int, points_within: float, decisions_within: float) -> None:
    loaded = load(game)
    outcomes = [loaded.random_match(players, seed) for seed in range(matches)]
    by_hand = [play(players, seed) for seed in range(matches)]

    points = mean(mean(outcome.scores) for outcome in outcomes)
    points_by_hand = mean(mean(match["points"]) for match in by_hand)
    assert points == pytest.approx(points_by_hand, abs=points_within * abs(points_by_hand))

    decisions = mean(outcome.decisions for outcome in outcomes)
    decisions_by_hand = mean(match["decisions"] for match in by_hand)
    assert decisions == pytest.approx(decisions_by_hand, rel=decisions_within)


@pytest.mark.parametrize("players", [2, 5])
def test_points_and_decisions_agree(players: int) -> None:
    agree("aladdin", aladdin.play, players, 700, 0.04, 0.04)


@pytest.mark.parametrize("players", [2, 4])
def test_points_and_decisions_of_ali_baba_agree(players: int) -> None:
    agree("ali_baba", ali_baba.play, players, 500, 0.04, 0.02)


@pytest.mark.parametrize("players", [2, 8])
def test_points_and_decisions_of_master_thieves_agree(players: int) -> None:
    agree("master_thieves", master_thieves.play, players, 250, 0.08, 0.03)


@pytest.mark.parametrize("players", [2, 4])
def test_points_and_decisions_of_rattlebones_agree(players: int) -> None:
    agree("rattlebones", rattlebones.play, players, 300, 0.06, 0.03)
