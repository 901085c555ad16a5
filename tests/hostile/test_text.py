"""Texts of strangers are printed as texts: nothing in them reaches a terminal or the log of a service as a command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import houserule
from houserule.cli.application import application

EVIL = r"x\e]0;t\a\e[31;7m\x9b2J\u202e\n::error::y\r::warning::z ##[add-mask]"
GAME = f"""\
edition: 2026
game: evil
title: "{EVIL}"
text: "{EVIL}"
players: 1..2
options: {{o: {{type: 1..3, default: 1, text: "{EVIL}"}}}}
variables: {{n(player): {{type: 0..9, title: "{EVIL}"}}}}
zones:
  pile: {{holds: card, visible: all, title: "{EVIL}"}}
components:
  card:
    starts_in: pile
    pieces: {{a: {{title: "{EVIL}", text: "{EVIL}", count: 3}}}}
flow:
  s:
    title: "{EVIL}"
    turns: players
    do: |
      say "A sentence."
      choose c from pile "Which one?"
      move c to pile
      me.n += 1
scoring: {{n: {{title: "{EVIL}", points: me.n}}}}
"""
VARIANT = f'variant: v\nof: evil\ntitle: "{EVIL}"\nchange: {{players: 2..3}}\n'
SCENARIOS = f"""\
scenario: "{EVIL}"
of: evil
players: [a, b]
play: [{{a: "{EVIL}"}}]
---
scenario: "{EVIL} again"
of: evil
players: ["{EVIL}", b]
expect: 1 == 2
"""
WRONG = r"""edition: 2026
game: wrong
title: "T {\"\e[31m\"}"
players: "\e[31m2\n::error::3"
flow: {s: {do: "say \"\e[31m\" 3"}}
"\e]0;t\a\n::error::k": 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games whose every text is evil, one of them wrong as well, and the record of a match between evil players."""
    made = tmp_path_factory.mktemp("text")
    for name, text in {
        "evil/game.yaml": GAME,
        "evil/variants/v.yaml": VARIANT,
        "evil/scenarios/s.yaml": SCENARIOS,
        "wrong/game.yaml": WRONG,
        "wrong/\u202e\n::error::f.yaml": WRONG,
    }.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    players = ["p\x1b[31m\n::error::q", "\u202e##[group]"]
    match = houserule.load(made / "evil").start(players, seed=1)
    match.answer(match.pending[0].player, match.pending[0].options[0])
    match.record.save(made / "match.json")
    return made


COMMANDS = [
    "show evil",
    "show evil --stage merged",
    "play evil --seats random --seed 1",
    "play match.json --seats random --save /dev/null",
    "replay match.json",
    "simulate evil -n 3",
    "check evil -n 1 --close 0",
    "diff evil --with v",
    "why evil title",
    "validate wrong",
    "validate evil",
    *(f"validate wrong --format {format}" for format in ("json", "sarif", "junit")),
    "test evil",
    *(f"test evil --format {format}" for format in ("json", "sarif", "junit")),
    "format wrong --diff",
]


def commands_in(text: str) -> Iterator[str]:
    """What in a text a terminal or a service would obey; colours of our own are taken out before."""
    own = re.sub("\x1b\\[(?:[0-3](?:;[0-3])?|[12];[39][0-9]|3[0-9](?:;1)?|9[0-9])m", "", text)
    yield from re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", own)
    yield from re.findall(r"(?m)^\s*::.*|##\[\w+\]", own)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("colours", ["", "1"])
def test_nothing_that_is_printed_is_a_command(
    folder: Path, command: str, colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FORCE_COLOR", colours)
    done = CliRunner().invoke(application, command.split(), prog_name="houserule")
    assert done.exit_code in (0, 1), done.output
    assert done.output
    assert not list(commands_in(done.output))
    if "json" in command and "match.json" not in command:
        json.loads(done.stdout)


PLAY = "play evil --seats random --seed 1"


def test_nothing_is_a_command_where_lines_are_broken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    shown = set()
    for columns in ("21", "23", "40"):
        done = CliRunner().invoke(application, PLAY.split(), prog_name="houserule", env={"COLUMNS": columns})
        assert not list(commands_in(done.output))
        shown.add(done.output)
    assert len(shown) > 1, "no line was broken"


@pytest.mark.parametrize(
    ("command", "columns"), [(PLAY, "20"), ("show evil", "20"), ("show evil", "23"), ("test evil", "21")]
)
def test_a_process_prints_no_command_either(folder: Path, command: str, columns: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "houserule", *command.split()],
        cwd=folder,
        env={**os.environ, "COLUMNS": columns},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.stdout
    assert not list(commands_in(done.stdout + done.stderr))


def test_annotations_are_one_command_each(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for command in ("validate wrong --format github", "test evil --format github"):
        done = CliRunner().invoke(application, command.split(), prog_name="houserule")
        lines = done.stdout.splitlines()
        assert lines
        for line in lines:
            assert re.fullmatch(
                r"::(error|warning) file=[^:]+,line=\d+(,\w+=[^:,]*)*::[^\x00-\x1f\x7f-\x9f\u202e]*", line
            )


def test_who_plays_in_a_terminal_sees_no_command(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(
        application, ["play", "evil", "--players", "2", "--seed", "1"], input="t\n? x\n9\n\x1b[31m\n1\n1\nq\n"
    )
    assert done.exit_code == 0
    assert not list(commands_in(done.output))
