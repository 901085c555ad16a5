"""The bundled games as the tests load them: each, and each with its house rules, once."""

from __future__ import annotations

from functools import cache

import houserule
from houserule import Game
from houserule.bundled import groups

LARGE = groups()[""]
"""The games in no group. Tests that take long play these; `tests/games/test_classics.py` plays the others."""


@cache
def load(game: str, variants: tuple[str, ...] = ()) -> Game:
    """A bundled game with these variants. It keeps its programs, so they are compiled once as well."""
    return houserule.load(game, variants=variants)
