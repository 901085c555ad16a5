"""What README.md shows works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

import houserule
from houserule.cli import application, shelf
from houserule.cli.report import complain

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^houserule (.*?)(?:\s+#.*)?$", TEXT, re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_library_example_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    example = blocks("python")[0]
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    match = names["match"]
    assert isinstance(match, houserule.Match)
    assert match.is_over
    assert str(match.winners) in capsys.readouterr().out


def test_the_library_example_plays_a_study_and_a_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    example = blocks("python")[1].replace("500", "6")  # as many would take too long
    names: dict[str, object] = {"houserule": houserule}
    exec(compile(example, "README.md", "exec"), names)
    assert isinstance(names["comparison"], houserule.Comparison)
    shown = capsys.readouterr().out
    assert "wins.seat_1" in shown
    assert (tmp_path / "report.html").is_file()


def test_the_example_for_programs_that_learn_plays_many_matches() -> None:
    pytest.importorskip("pettingzoo")
    names: dict[str, object] = {}
    exec(compile(blocks("python")[2], "README.md", "exec"), names)
    assert getattr(names["observation"], "shape", ())[0] == 1000


def test_the_card_is_yaml() -> None:
    card = blocks("yaml")[0]
    assert set(yaml.safe_load(card)["open_hand"]) == {"count", "text", "wish"}


def test_the_mistake_looks_as_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shelf.game("my_game")
    file = Path("my_game/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    capsys.readouterr()
    complain(houserule.validate("my_game"))
    shown = capsys.readouterr().err.removesuffix("1 error\n")
    assert shown
    assert shown in TEXT


def test_a_card_is_made_as_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Copy the line of a card, change its name, title and worth" in TEXT
    monkeypatch.chdir(tmp_path)
    shelf.game("my_game")
    file = Path("my_game/game.yaml")
    text = file.read_text(encoding="utf-8")
    line = next(line for line in text.split("\n") if "high_sun:" in line)
    own = line.replace("high_sun", "midday").replace("High sun", "Midday").replace("worth: 2", "worth: 5")
    assert own.count("midday") == own.count("Midday") == own.count("worth: 5") == 1
    file.write_text(text.replace(line, f"{line}\n{own}"), encoding="utf-8")
    assert houserule.validate("my_game") == []
    match = houserule.load("./my_game").start(players=["Maya", "Margot"], seed=1)
    while not match.is_over:
        match.answer(match.pending[0].player, match.pending[0].options[0])
    assert any("Midday" in str(event) for event in match.events_for("Maya"))


def test_every_command_is_one_that_there_is() -> None:
    known = set(application.COMMANDS)
    assert COMMANDS
    assert {shlex.split(command)[0] for command in COMMANDS} <= known


def test_every_link_leads_somewhere() -> None:
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([\w./-]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / link).exists(), f"{file.name}: {link}"
