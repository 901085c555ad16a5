"""Broken house rules and what the command says about them, word for word, at the right line of the right file.

All are variants of one game. A first line `# with: another` names one that is played beside it. `make accept` rewrites
the golden texts.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.cli.report import complain
from tests.golden import assert_golden

GAME = Path(__file__).parent / "house_rules"
SOUND = ("rich", "autumn", "leaves_a_rest")
VARIANTS = sorted((GAME / "variants").glob("*.yaml"))
BROKEN = [path for path in VARIANTS if path.stem not in SOUND]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_house_rule_is_told_what_is_wrong_with_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(GAME)
    first = path.read_text(encoding="utf-8").split("\n")[0]
    others = [first.removeprefix("# with: ")] if first.startswith("# with: ") else []
    complain(houserule.validate(f"variants/{path.name}", others))
    said = capsys.readouterr().err
    assert said
    assert_golden(path.with_suffix(".txt"), said)


def test_the_game_and_the_sound_house_rules_are_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GAME)
    assert houserule.validate(".", rules_only=True) == []
    assert [found for name in SOUND for found in houserule.validate(f"variants/{name}.yaml")] == []


def test_there_are_many_and_each_golden_text_has_its_own() -> None:
    assert len(BROKEN) >= 40
    assert {path.stem for path in (GAME / "variants").glob("*.txt")} == {path.stem for path in BROKEN}
