"""What "Try it" opens: every example of the manual, and every step of the cookbook, is a game that is sound."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.site.manual import Manual
from tests.modules import ROOT


@pytest.fixture(scope="module")
def manual() -> Manual:
    games = {}
    for name in ("aladdin", "ali_baba", "master_thieves", "rattlebones"):
        folder = ROOT / "games" / name
        games[name] = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*.yaml")}
    made = Manual(games)
    made.text = {name: "\n".join(body) for name, _, body in made.pages()}  # type: ignore[attr-defined]
    return made


def test_nearly_every_block_of_rules_can_be_tried(manual: Manual) -> None:
    of_manual = [key for key in manual.tries if key.startswith("language.")]
    of_recipes = [key for key in manual.tries if key.startswith("cookbook.")]
    assert len(of_manual) > 90 and len(of_recipes) > 25
    for key in manual.tries:
        page = manual.text[key.partition(".")[0]]  # type: ignore[attr-defined]
        assert f"playground.html#try/{key}" in page, key


def test_what_a_recipe_opens_has_its_change_in_it(manual: Manual) -> None:
    for key, one in manual.tries.items():
        if "base" in one:
            before = manual.games[one["base"]].get(one["open"], "")
            assert one["files"][one["open"]] != before, key
        assert one["open"] in one["files"], key


@pytest.mark.parametrize("kind", ["game", "recipe"])
def test_what_is_tried_first_is_sound(kind: str, manual: Manual, tmp_path: Path) -> None:
    """Tests of the manual and of the cookbook look at each; here the first of each kind is as the page opens it."""
    key = next(key for key, one in manual.tries.items() if ("base" in one) is (kind == "recipe"))
    one = manual.tries[key]
    for name, text in {**manual.games.get(one.get("base", ""), {}), **one["files"]}.items():
        file = tmp_path / "game" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    assert houserule.load(tmp_path / "game").players
