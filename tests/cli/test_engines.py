"""`--engine` and `--verbose` of the commands that play at random."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import houserule as library

Houserule = Callable[..., Result]


def test_auto_says_why_it_plays_in_python(houserule: Houserule) -> None:
    few = houserule("simulate", "nim", "-n", "3", "--verbose")
    assert few.stderr == "engine: python; so few matches take less time than compiling\n"
    searched = houserule("simulate", "nim", "-n", "3", "--seats", "greedy", "--verbose")
    assert searched.stderr == "engine: python; only random matches are played natively\n"


@pytest.mark.parametrize("engine", ["python", "native"])
def test_simulate_prints_the_same_with_either_engine(engine: str, houserule: Houserule) -> None:
    call = ["simulate", "ali_baba", "-n", "40", "--json"]
    usual = houserule(*call)
    chosen = houserule(*call, "--engine", engine, "--verbose")
    assert chosen.exit_code == 0
    assert f"engine: {engine}" in chosen.stderr
    assert json.loads(chosen.stdout) == json.loads(usual.stdout)


LABELS = """\
edition: 2026
game: labels
players: 2
variables: {score(player): int}
flow:
  turn:
    turns: players
    do: |
      choose "Which?":
LINES
scoring: {points: me.score}
"""


@pytest.mark.parametrize("count", [8, 9, 40])
def test_a_menu_of_many_labels_is_played_natively(count: int, houserule: Houserule, tmp_path: Path) -> None:
    lines = [
        f'        "{number}"{" when me.score > 0" if number == 3 else ""}: me.score += {number}'
        for number in range(count)
    ]
    (tmp_path / "game.yaml").write_text(LABELS.replace("LINES", "\n".join(lines)), encoding="utf-8")
    found = [
        houserule("simulate", tmp_path, "-n", "60", "--engine", engine, "--json") for engine in ("python", "native")
    ]
    assert [one.exit_code for one in found] == [0, 0]
    assert found[0].stdout == found[1].stdout


def test_verbose_says_in_one_line_why_a_game_is_not_played_natively(
    houserule: Houserule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.yaml").write_text(LABELS.replace("LINES", '        "1": me.score += 1'), encoding="utf-8")
    monkeypatch.setattr("houserule.native.engines.COMPILING", 0.0)
    monkeypatch.setattr("houserule.native.functions.MOST_TRANSLATED", 40)
    found = houserule("simulate", tmp_path, "-n", "60", "--verbose")
    reason = r"labels cannot be played natively: game\.yaml:\d+, in 'flow', has no translation: .+"
    assert re.fullmatch(f"engine: python; {reason}\n", found.stderr)
    assert found.exit_code == 0
    refused = houserule("simulate", tmp_path, "-n", "60", "--engine", "native")
    assert refused.exit_code == 2
    assert re.search(reason, refused.stderr)


def test_an_unknown_engine_is_told(houserule: Houserule) -> None:
    for name in ("simulate", "check"):
        found = houserule(name, "ali_baba", "--engine", "quick")
        assert found.exit_code == 2
        assert "there is no engine 'quick'; there are auto, python, native" in found.stderr


def test_native_plays_at_random_only(houserule: Houserule) -> None:
    found = houserule("simulate", "ali_baba", "--engine", "native", "--seats", "first")
    assert found.exit_code == 2
    assert "only random matches" in found.stderr


def test_check_compares_what_is_played_natively(houserule: Houserule, storms: str) -> None:
    found = houserule("check", storms, "-n", "3", "--close", "0", "--engine", "native", "--verbose")
    assert "engine: python and native" in found.stderr
    assert found.exit_code == 0, found.stdout


def test_check_says_in_a_sentence_that_a_game_has_no_translation(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> None:
        raise library.NotNative("storms cannot be played natively: 'x' has no translation")

    monkeypatch.setattr("houserule.trial.check.machine_of", refused)
    found = houserule("check", storms, "-n", "3", "--close", "0", "--engine", "native")
    assert found.exit_code == 2 and "has no translation" in found.stderr and "--engine auto" in found.stderr


def test_rounds_and_leads_are_the_same() -> None:
    studies = [library.simulate("rattlebones", 30, engine=engine) for engine in ("python", "native")]
    first, second = (study.columns for study in studies)
    assert (first.rounds, first.leads, first.scores) == (second.rounds, second.leads, second.scores)
