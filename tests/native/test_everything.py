"""Every game of the repository has a translation, or a place in the list of those that have none, with the reason."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule.native.blueprint import Blueprint
from houserule.native.module import Written
from houserule.native.values import Untranslatable
from tests.any_rules import Rules

ROOT = Path(__file__).parent.parent.parent
NO_GAMES = ("tests/broken", "tests/language")
GAMES = sorted(
    str(file.parent.relative_to(ROOT))
    for folder in ("games", "tests", "benchmarks", "docs")
    for file in (ROOT / folder).rglob("game.yaml")
    if not str(file.relative_to(ROOT)).startswith(NO_GAMES)
)
REFUSED: dict[str, str] = {}
"""Games that Python plays, and why; no bundled one."""
WRITTEN = int(os.environ.get("HOUSERULE_FUZZ", "0")) or 8
"""How many games are written at random."""


def refusal(path: Path) -> str:
    """Why a game has no translation, or nothing; any other failure is a mistake of the translator."""
    rules = houserule.load(path)
    try:
        Written(Blueprint.of(rules.program(min(rules.players), told=False)))
    except Untranslatable as reason:
        return str(reason)
    return ""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_repository_has_a_translation(name: str) -> None:
    assert refusal(ROOT / name) == REFUSED.get(name, "")


def test_no_bundled_game_is_refused() -> None:
    assert len(GAMES) > 30
    assert [name for name in REFUSED if name.startswith("games/")] == []


def test_games_written_at_random_have_a_translation(tmp_path: Path) -> None:
    found = {}
    for seed in range(WRITTEN):
        file = tmp_path / f"{seed}.yaml"
        file.write_text(Rules(Random(seed)).game(), encoding="utf-8")
        if reason := refusal(file):
            found[seed] = reason
    assert found == {}
