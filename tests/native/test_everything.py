"""Every game of the repository, the cookbook and the manual is played natively, or has a place in the list of those that are not, with the reason.

With HOUSERULE_FUZZ all of them are compiled and played, and 300 games written at random; otherwise, those of the repository
are translated, and a few of the others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule.bundled import groups
from houserule.native.blueprint import Blueprint
from houserule.native.module import Written
from houserule.native.values import Untranslatable
from houserule.site.teaching import Example, steps
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
FUZZ = int(os.environ.get("HOUSERULE_FUZZ", "0"))
WRITTEN = min(FUZZ, 300) or 8
"""How many games are written at random."""
STRIDE = 1 if FUZZ else 20
"""Of the examples in the manual and the cookbook, each of so many."""


def refusal(path: Path, variants: Sequence[str] = ()) -> str:
    """Why a game has no translation, or nothing; any other failure is a mistake of the translator."""
    rules = houserule.load(path, variants)
    program = rules.program(min(rules.players), told=False)
    try:
        Written(Blueprint.of(program))
    except Untranslatable as reason:
        return str(reason)
    if FUZZ:
        found = []
        for engine in ("python", "native"):
            with suppress(houserule.RuleFault):
                found.append([*rules.random_matches(min(rules.players), range(3), engine)])
        assert len(found) != 1 and found[:1] == found[1:]
    return ""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_repository_is_played_natively(name: str) -> None:
    assert refusal(ROOT / name) == REFUSED.get(name, "")


def test_examples_of_the_manual_are_played_natively(tmp_path: Path) -> None:
    example = Example((ROOT / "docs" / "language.md").read_text(encoding="utf-8"))
    blocks = [block for block in example.blocks if block.said is None and example.files(block)]
    assert len(blocks) > 80
    for block in blocks[::STRIDE]:
        folder = written(tmp_path / str(block.line), example.files(block) or {})
        assert refusal(folder, sorted(map(str, folder.glob("variants/*.yaml")))) == "", block


def test_recipes_of_the_cookbook_are_played_natively(tmp_path: Path) -> None:
    games = {
        name: {
            str(file.relative_to(ROOT / "games" / name)): read(file) for file in (ROOT / "games" / name).rglob("*.yaml")
        }
        for name in groups()[""]
    }
    found = 0
    recipes = [*steps(read(ROOT / "docs" / "cookbook.md"), games)]
    for step in recipes[::STRIDE]:
        folder = written(tmp_path / str(step.line) / step.game, {**games[step.game], **step.files})
        variants = [str(folder / name) for name in step.files if name.startswith("variants/")]
        with suppress(houserule.InvalidGame):  # in the midst of a recipe
            assert refusal(folder, variants) == "", step.line
            found += 1
    assert found > len(recipes[::STRIDE]) / 2


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


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
