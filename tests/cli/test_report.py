"""How diagnostics look on the error stream."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houserule import cli
from houserule.cli.report import as_json, coloured, complain
from houserule.diagnostics import Diagnostic, Report, Span, render
from houserule.reading import line_of
from houserule.source import read_file


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.yaml"
    file.write_text("game: mine\n  wish: draw hand from chest[gold] to me.loot\n題: 阿拉丁 hand\n", encoding="utf-8")
    read_file(file, tmp_path, Report(), "mine.yaml")
    return file


WRONG = Diagnostic("HR512", "error", "draw's count is a number", Span("mine.yaml", 2, 14, 2, 18), "draw 2 from …")


def test_a_diagnostic_shows_the_line_with_carets_then_what_to_type(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complain([WRONG, WRONG])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.split("\n")[:5] == [
        "mine.yaml:2:14: error HR512: draw's count is a number",
        "    2 |   wish: draw hand from chest[gold] to me.loot",
        "      |              ^^^^",
        "   help: draw 2 from …",
        "   see:  houserule explain HR512",
    ]
    assert said.err.endswith("\n2 errors\n")


def test_lines_are_those_of_the_file_as_it_was_read(rules: Path) -> None:
    rules.write_text("game: yours", encoding="utf-8")
    assert line_of("mine.yaml", 1) == "game: mine"
    read_file(rules, rules.parent, Report(), "mine.yaml")
    assert line_of("mine.yaml", 1) == "game: yours"


def test_of_a_file_that_was_not_read_there_is_no_line(rules: Path) -> None:
    (rules.parent / "secret.txt").write_text("a word that nobody may see", encoding="utf-8")
    assert line_of("secret.txt", 1) is None


@pytest.mark.parametrize(("file", "line"), [("gone.yaml", 1), ("mine.yaml", 99), ("mine.yaml", 0), (".", 1)])
def test_there_is_not_a_line_everywhere(rules: Path, file: str, line: int) -> None:
    assert line_of(file, line) is None


def test_colours_are_put_around_the_same_words(rules: Path) -> None:
    plain = render(WRONG, line_of)
    painted = coloured(plain, "error")
    assert painted.count("\033[31;1m") == 2
    assert re.sub(r"\033\[[\d;]*m", "", painted) == plain


def test_all_commands_write_json_alike() -> None:
    """Control characters are escaped in one place; a writer of its own would forget them."""
    writing = [file.name for file in Path(cli.__file__).parent.glob("*.py") if "json.dumps" in file.read_text("utf-8")]
    assert writing == ["report.py"]
    assert as_json({"title": "\x1b[2J\u200e"}) == '{\n  "title": "\\u001b[2J\\u200e"\n}\n'
