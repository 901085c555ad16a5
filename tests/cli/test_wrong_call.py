"""Calls that cannot be read: what was wanted, what was typed, and a call that can be read, in the form of all our errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Houserule = Callable[..., Result]


@pytest.mark.parametrize(
    ("words", "said", "help"),
    [
        ("play storms --seed abc", "--seed expects a whole number, but got 'abc'", "--seed 3"),
        ("simulate storms -n x", "-n expects a whole number of at least 1, but got 'x'", "-n 1000"),
        ("simulate storms -n0", "-n expects a whole number of at least 1, but got '0'", "-n 1000"),
        (
            "simulate storms --matches=0",
            "--matches expects a whole number of at least 1, but got '0'",
            "--matches 1000",
        ),
        ("simulate storms --players abc", "--players expects a whole number, but got 'abc'", "--players 3"),
        (
            "simulate storms --workers 1.5",
            "--workers expects a whole number of at least 1, but got '1.5'",
            "--workers 1",
        ),
        ("test storms --min-coverage 101", "--min-coverage expects a number from 0 to 100, but got '101'", None),
        (
            "validate storms --format jsno",
            "--format expects text, json, sarif, junit or github, but got 'jsno'",
            "--format json",
        ),
        ("show storms --stage foo", "--stage expects merged, tree, check or segments, but got 'foo'", "--stage merged"),
        (
            "simulate storms --seed",
            "--seed expects a whole number, but nothing follows it",
            "--seed 3",
        ),
        ("play storms --set", "--set expects OPTION=VALUE, but nothing follows it", "--set OPTION=VALUE"),
        ("check storms --json=3", "--json takes no value", "--json"),
        ("play storms --sed 3", "'play' has no option '--sed'", "did you mean '--seed'?"),
        ("play storms --xyz", "'play' has no option '--xyz'", "`houserule play --help` lists them"),
        (
            "play",
            "'play' expects GAME: a bundled id, a path, or a saved record to continue",
            "houserule play GAME",
        ),
        (
            "new scenario storms",
            "'new scenario' expects NAME: the name of the new file",
            "houserule new scenario GAME NAME",
        ),
        ("show storms aladin", "'show' does not expect 'aladin'", "houserule show GAME"),
        (
            "play storms --players Anna, Ben",
            "'play' does not expect 'Ben'",
            "leave out the space after the comma: Anna,Ben",
        ),
        ("valdate", "there is no command 'valdate'", "did you mean 'validate'?"),
        ("xyz", "there is no command 'xyz'", "`houserule --help` lists them"),
        ("--xyz", "there is no option '--xyz'", "`houserule --help` lists them"),
        ("new gmae", "'new' has no command 'gmae'", "did you mean 'game'?"),
    ],
)
def test_a_call_that_cannot_be_read_is_told_what_is_wanted(
    houserule: Houserule, words: str, said: str, help: str | None
) -> None:
    result = houserule(*words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert first == f"houserule: {said}"
    assert help is None or second == f"   help: {help}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rulebook storms --check rules.md -o rules.html", "--check writes nothing\n   help: leave out -o rules.html"),
        ("rulebook storms -o rules.html --check", "--check writes nothing\n   help: leave out -o rules.html"),
        ("show storms --table --changeable", "--changeable, --table and --stage each show something else"),
        ("show storms --stage tree --table", "--changeable, --table and --stage each show something else"),
        ("show storms --players 3", "--players says who sits at the table\n   help: houserule show storms --table"),
    ],
)
def test_an_option_that_another_leaves_without_effect_is_refused(
    houserule: Houserule, storms: str, words: str, said: str
) -> None:
    result = houserule(*words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"houserule: {said}" in result.stderr


def test_a_rulebook_that_is_not_there_yet_is_told_how_it_is_written(houserule: Houserule, storms: str) -> None:
    result = houserule("rulebook", storms, "--check", "rules.md")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "rules.md cannot be read" in result.stderr
    assert "help: -o rules.md instead of --check rules.md writes it\n" in result.stderr


def test_scenarios_are_begun_for_a_game_alone(houserule: Houserule, storms: str) -> None:
    Path("empty").mkdir()
    assert "help: name a game" in houserule("test", "empty").stderr
    for file in Path(storms, "scenarios").iterdir():
        file.unlink()
    assert "help: houserule new scenario ./storms my_first_one" in houserule("test", storms).stderr


def test_one_name_where_two_must_play_is_told_how_players_are_named(houserule: Houserule, storms: str) -> None:
    result = houserule("play", storms, "--players", "abc")
    assert result.exit_code == 2
    assert "not for 1\n   help: --players expects a number, or names separated by commas\n" in result.stderr


def test_a_group_of_commands_alone_shows_its_help(houserule: Houserule) -> None:
    shown = houserule("new")
    assert "Start a house rule" in shown.stdout + shown.stderr


WRITING = [
    "play storms --seats random --save",
    "simulate storms -n 20 --report",
    "sweep storms --set rounds=1,2 -n 20 --csv",
    "validate storms --format sarif -o",
    "test storms --coverage-to",
    "publish --index",
]
"""The calls that name a file to write, before its name."""


@pytest.mark.parametrize("words", WRITING)
@pytest.mark.parametrize(
    ("file", "reason"), [("storms", "it is a folder"), ("nowhere/kept", "there is no folder 'nowhere'")]
)
def test_a_file_that_cannot_be_written_is_told_before_any_work(
    houserule: Houserule, storms: str, words: str, file: str, reason: str
) -> None:
    result = houserule(*words.split(), file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"houserule: '{file}' cannot be written: {reason}\n"


@pytest.mark.parametrize("words", WRITING)
def test_a_file_of_another_kind_is_not_replaced(houserule: Houserule, storms: str, words: str) -> None:
    file = Path(storms, "game.yaml")
    rules = file.read_bytes()
    result = houserule(*words.split(), str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is there already, and would be replaced by a file of another kind" in result.stderr
    assert "name a new file, or one that ends in ." in result.stderr
    assert file.read_bytes() == rules


def test_a_file_of_the_same_kind_is_replaced(houserule: Houserule, storms: str) -> None:
    for _ in range(2):
        assert houserule("play", storms, "--seats", "random", "--save", "match.json").exit_code == 0
