"""A parlour game in which every kind of question comes up, and faults can be had."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Game, Match

PARLOUR = Path(__file__).parent / "parlour"


@pytest.fixture(scope="session")
def parlour() -> Game:
    return houserule.load(PARLOUR)


@pytest.fixture
def match(parlour: Game) -> Match:
    """Three at the table, three cards in each hand; Ann is asked what now."""
    return parlour.start(["Ann", "Bob", "Cid"], seed=1)
