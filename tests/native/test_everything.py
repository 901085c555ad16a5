"""Every game of the repository, the cookbook and the manual is played natively, or has a place in the list of those that are not, with the reason.

With HOUSERULE_FUZZ all of them are compiled and played, and 300 games written at random; otherwise, those of the repository
are translated, and a few of the others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game
from houserule.bundled import groups
from houserule.native.blueprint import Blueprint
from houserule.native.module import Written
from houserule.native.values import Untranslatable
from houserule.site.manual import Block, Example, Step, steps
from tests.any_rules import Rules
from tests.bundled import load
from tests.taking_long import but_later

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


def refusal(rules: Game) -> str:
    """Why a game has no translation, or nothing; any other failure is a mistake of the translator."""
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


@pytest.mark.parametrize("name", but_later(GAMES, {name for name in GAMES if not name.startswith("games/")}))
def test_every_game_of_the_repository_is_played_natively(name: str) -> None:
    rules = load(Path(name).name) if name.startswith("games/") else houserule.load(ROOT / name)
    assert refusal(rules) == REFUSED.get(name, "")


EXAMPLE = Example((ROOT / "docs" / "language.md").read_text(encoding="utf-8"))
BLOCKS = [block for block in EXAMPLE.blocks if block.said is None and EXAMPLE.files(block)]
RECIPES = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
BASES = {
    name: {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in folder.rglob("*.yaml")}
    for name in groups()[""]
    for folder in [ROOT / "games" / name]
}
STEPS = [*steps(RECIPES, BASES)]


@pytest.mark.parametrize("block", BLOCKS[::STRIDE], ids=str)
def test_examples_of_the_manual_are_played_natively(block: Block, tmp_path: Path) -> None:
    folder = written(tmp_path, EXAMPLE.files(block) or {})
    assert refusal(houserule.load(folder, sorted(map(str, folder.glob("variants/*.yaml"))))) == ""


@pytest.mark.parametrize("step", STEPS[::STRIDE], ids=lambda step: f"line {step.line}")
def test_recipes_of_the_cookbook_are_played_natively(step: Step, tmp_path: Path) -> None:
    folder = written(tmp_path / step.game, {**BASES[step.game], **step.files})
    with suppress(houserule.InvalidGame):  # in the midst of a recipe
        variants = [str(folder / name) for name in step.files if name.startswith("variants/")]
        assert refusal(houserule.load(folder, variants)) == ""


def test_there_are_examples_and_recipes() -> None:
    assert len(BLOCKS) > 80
    assert len(STEPS) > 35


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_no_bundled_game_is_refused() -> None:
    assert len(GAMES) > 30
    assert [name for name in REFUSED if name.startswith("games/")] == []


def test_games_written_at_random_have_a_translation(tmp_path: Path) -> None:
    found = {}
    for seed in range(WRITTEN):
        file = tmp_path / f"{seed}.yaml"
        file.write_text(Rules(Random(seed)).game(), encoding="utf-8")
        if reason := refusal(houserule.load(file)):
            found[seed] = reason
    assert found == {}
