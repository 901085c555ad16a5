"""The hand-written Aladdin and the rule files are the same game: on average they score and last alike."""

from __future__ import annotations

from statistics import mean

import pytest

import interpreter
from benchmarks.by_hand.aladdin import play

MATCHES = 700
WITHIN = 0.04


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_points_and_decisions_agree(players: int) -> None:
    game = interpreter.load("aladdin")
    outcomes = [game.random_match(players, seed) for seed in range(MATCHES)]
    by_hand = [play(players, seed) for seed in range(MATCHES)]

    points = mean(mean(outcome.scores) for outcome in outcomes)
    points_by_hand = mean(mean(match["points"]) for match in by_hand)
    assert points == pytest.approx(points_by_hand, rel=WITHIN)

    decisions = mean(outcome.decisions for outcome in outcomes)
    decisions_by_hand = mean(match["decisions"] for match in by_hand)
    assert decisions == pytest.approx(decisions_by_hand, rel=WITHIN)
