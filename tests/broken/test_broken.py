"""Broken files and what the command says about them, word for word.

`make accept` rewrites the golden texts; review the diff with the eyes of somebody who designs games. A game is a file or
a folder under `files/`, what is said about it stands beside it or in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.cli.report import complain
from houserule.definition.schema import check_shape
from houserule.diagnostics import Diagnostic, Report
from houserule.source import read_file
from tests.golden import assert_golden
from tests.reading import read_documents

FILES = Path(__file__).parent / "files"
BROKEN = sorted([*FILES.glob("*.yaml"), *(path.parent for path in FILES.glob("*/game.yaml"))])


def found_in(path: Path) -> list[Diagnostic]:
    """Everything that is found in a game, or in the shape of a variant or of scenarios, as its name tells."""
    report = Report()
    if path.name.startswith("scenario"):
        for node in read_documents(path, path.parent, report, path.name):
            check_shape(node, "scenario", report)
    elif path.name.startswith("variant"):
        if (node := read_file(path, path.parent, report, path.name)) is not None:
            check_shape(node, "variant", report)
    else:
        return houserule.validate(path)
    return report.diagnostics


def golden_of(path: Path) -> Path:
    return path / "said.txt" if path.is_dir() else path.with_suffix(".txt")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_told_what_is_wrong_with_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FILES)
    complain(found_in(path))
    said = capsys.readouterr().err
    assert said
    assert_golden(golden_of(path), said)


def test_there_are_many_broken_files_and_each_golden_text_has_its_own() -> None:
    assert len(BROKEN) >= 60
    assert {*FILES.glob("*.txt"), *FILES.glob("*/said.txt")} == {golden_of(path) for path in BROKEN}
