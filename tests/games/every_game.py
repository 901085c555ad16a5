"""What the tests of every game share: games and player counts in, games and tables out, each made once."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import houserule
from houserule import Game, Match
from houserule.trial.check import Table
from tests import bundled
from tests.bundled import LARGE

GAMES = Path(__file__).parent.parent.parent / "games"
OWN = Path(__file__).parent / "small"
"""Small games of the tests, with more that is hidden than the bundled ones have."""
FEW = 2
MATCHES = int(os.environ.get("HOUSERULE_MATCHES") or FEW)
"""Matches that are looked at closely, for each game and number of players; `make invariants` plays 100."""
QUIET_MATCHES = 50 * MATCHES if MATCHES > FEW else 50
"""Matches at full speed."""


def watched_matches(game: str, players: int) -> range:
    """The seeds of the matches that are looked at closely.

    With an even seed the answers are, with an odd one what players see. The fewest players have both, and of larger tables
    one number has the one and the next the other; `make invariants` plays both at each table.
    """
    every = load(game).players
    if MATCHES > FEW or players == every[0]:
        return range(MATCHES)
    return range(players % 2, players % 2 + 1)


def tables(*folders: Path) -> list[tuple[str, int]]:
    """Every game with every number of players; without folders the bundled games and those of the tests."""
    found = []
    for file in (file for folder in folders or (GAMES, OWN) for file in sorted(folder.glob("*/game.yaml"))):
        bounds = re.search(r"^players: *(\d+)(?: *\.\. *(\d+))?", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert bounds, f"{file} does not say for how many it is"
        low, high = int(bounds[1]), int(bounds[2] or bounds[1])
        found += [(file.parent.name, players) for players in range(low, high + 1)]
    return found


def some_tables() -> list[Any]:
    """Each game with its fewest players, small ones with their most, and in the long run those and a number in between; `make invariants` has every number."""
    every = tables()
    counts = {game: [players for name, players in every if name == game] for game, _ in every}

    def marked(game: str, players: int) -> Any:
        few = counts[game]
        is_later = players != few[0] and (players != few[-1] or game in (*LARGE, "quilt", "floes")) and MATCHES == FEW
        return pytest.param(game, players, marks=pytest.mark.long if is_later else ())

    some = {game: {few[0], few[len(few) // 2], few[-1]} for game, few in counts.items()}
    return [marked(game, players) for game, players in every if MATCHES > FEW or players in some[game]]


@cache
def load(game: str) -> Game:
    """A game of the repository or of the tests, loaded once."""
    return houserule.load(OWN / game) if (OWN / game).exists() else bundled.load(game)


@cache
def table(game: str, players: int) -> Table:
    """A game for a number of players."""
    return Table(load(game), players)


def start(game: str, players: int, seed: int) -> Match:
    """A match; names are those that the game gives."""
    return load(game).start(players, seed)
