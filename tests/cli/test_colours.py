"""Colours stand on a terminal, or where they are asked for, and never in what another program reads."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from houserule.cli.report import is_coloured

Houserule = Callable[..., Result]
ESCAPE = "\033["


class Terminal(io.StringIO):
    """A stream that says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("asked", "on_a_terminal", "in_a_file"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
    ],
    ids=str,
)
def test_who_asks_for_colours_gets_them_and_a_terminal_by_itself(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], on_a_terminal: bool, in_a_file: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert (is_coloured(Terminal()), is_coloured(io.StringIO())) == (on_a_terminal, in_a_file)


@pytest.mark.parametrize(
    "command",
    [("games",), ("play", "./storms", "--seats", "random,random"), ("simulate", "./storms", "-n", "2")],
    ids=lambda words: words[0],
)
def test_what_people_read_has_colours_where_they_are_asked_for(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    plain = houserule(*command).stdout
    assert plain and ESCAPE not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert ESCAPE in houserule(*command).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE not in houserule(*command).stdout


def test_diagnostics_have_colours_where_they_are_asked_for(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    assert ESCAPE not in houserule("validate", storms).stderr
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert ESCAPE in houserule("validate", storms).stderr
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE not in houserule("validate", storms).stderr


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "./storms", "-n", "2", "--json"),
        ("check", "./storms", "-n", "2", "--close", "0", "--json"),
        ("validate", "./storms", "--format", "json"),
        ("validate", "./storms", "--format", "sarif"),
        ("test", "./storms", "--format", "json"),
    ],
    ids=" ".join,
)
def test_what_another_program_reads_has_no_colours(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = houserule(*command).stdout
    assert ESCAPE not in shown
    json.loads(shown)


def test_a_file_that_is_played_into_is_never_erased(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = houserule("play", storms, "--seats", "human,human", "--seed", "3", typed="\nq\n").stdout
    assert f"{ESCAPE}2J" not in shown
