"""`houserule format`, as somebody types it: what it writes, prints and leaves with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Houserule = Callable[..., Result]


@pytest.fixture
def messy(storms: str) -> Path:
    """The small game with blanks in an effect that the layout does not want."""
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    assert "draw 1 from deck to drawn" in text
    file.write_bytes(text.replace("draw 1 from deck to drawn", "draw   1 from deck to drawn").encode("utf-8"))
    return file


def test_files_that_have_the_layout_stay_and_nothing_is_said(houserule: Houserule, storms: str) -> None:
    for more in ((), ("--check",), ("--diff",)):
        result = houserule("format", storms, *more)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_files_are_written_in_place(houserule: Houserule, storms: str, messy: Path) -> None:
    before = messy.read_bytes()
    result = houserule("format", storms)
    assert (result.exit_code, result.stdout) == (0, "storms/game.yaml has been formatted\n")
    assert messy.read_bytes() == before.replace(b"draw   1", b"draw 1")
    assert houserule("format", storms).stdout == ""


def test_check_writes_nothing_and_fails(houserule: Houserule, messy: Path) -> None:
    before = messy.read_bytes()
    result = houserule("format", "--check", str(messy))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "storms/game.yaml would change\n"
    assert messy.read_bytes() == before


def test_diff_writes_nothing_and_shows_a_patch(houserule: Houserule, messy: Path) -> None:
    before = messy.read_bytes()
    result = houserule("format", ".", "--diff")
    assert result.exit_code == 1
    assert result.stdout.startswith("--- storms/game.yaml before\n+++ storms/game.yaml after\n@@ ")
    changed = [line[0] for line in result.stdout.splitlines()[2:] if line[0] in "+-"]
    assert sorted(set(changed)) == ["+", "-"]
    assert messy.read_bytes() == before


def test_what_cannot_be_understood_is_said_and_the_rest_is_formatted(houserule: Houserule, messy: Path) -> None:
    text = messy.read_text(encoding="utf-8")
    messy.write_text(f"{text.rstrip()}\nfunctions:\n  broken: 1 +\n", encoding="utf-8")
    result = houserule("format", str(messy))
    assert result.exit_code == 1
    assert "error HR4" in result.stderr
    assert "broken: 1 +" in messy.read_text(encoding="utf-8")
    assert "draw   1" not in messy.read_text(encoding="utf-8")


def test_a_folder_without_rules_is_a_wrong_call(houserule: Houserule, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert houserule("format", "empty").exit_code == 2
    assert houserule("format", "nowhere").exit_code == 2
    assert houserule("format").exit_code == 2
