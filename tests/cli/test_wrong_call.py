"""Calls that cannot be read: what was wanted, what was typed, and a call that can be read, in the form of all our errors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import Result

Houserule = Callable[..., Result]


@pytest.mark.parametrize(
    ("words", "said", "help"),
    [
        ("play storms --seed abc", "--seed wants a whole number, and got 'abc'", "--seed 3"),
        ("simulate storms -n x", "-n wants a whole number of at least 1, and got 'x'", "-n 1000"),
        ("simulate storms -n0", "-n wants a whole number of at least 1, and got '0'", "-n 1000"),
        ("simulate storms --matches=0", "--matches wants a whole number of at least 1, and got '0'", "--matches 1000"),
        ("simulate storms --players abc", "--players wants a whole number, and got 'abc'", "--players 3"),
        ("simulate storms --workers 1.5", "--workers wants a whole number of at least 1, and got '1.5'", "--workers 1"),
        ("test storms --min-coverage 101", "--min-coverage wants a number from 0 to 100, and got '101'", None),
        (
            "validate storms --format jsno",
            "--format wants text, json, sarif, junit or github, and got 'jsno'",
            "--format json",
        ),
        ("show storms --stage foo", "--stage wants merged, tree, check or segments, and got 'foo'", "--stage merged"),
        (
            "simulate storms --seed",
            "--seed wants a whole number, and nothing stands behind it",
            "--seed 3",
        ),
        ("play storms --set", "--set wants OPTION=VALUE, and nothing stands behind it", "--set OPTION=VALUE"),
        ("check storms --json=3", "--json is written without a value", "--json"),
        ("play storms --sed 3", "'play' has no option '--sed'", "did you mean '--seed'?"),
        ("play storms --xyz", "'play' has no option '--xyz'", "`houserule play --help` lists them"),
        (
            "play",
            "'play' wants GAME: a bundled id, a path, or a saved record to go on with",
            "houserule play GAME",
        ),
        (
            "new scenario storms",
            "'new scenario' wants NAME: the name of the new file",
            "houserule new scenario GAME NAME",
        ),
        ("show storms aladin", "'show' has no use for 'aladin'", "houserule show GAME"),
        (
            "play storms --players Anna, Ben",
            "'play' has no use for 'Ben'",
            "leave out the blank behind the comma: Anna,Ben",
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


def test_one_name_where_two_must_play_is_told_how_players_are_named(houserule: Houserule, storms: str) -> None:
    result = houserule("play", storms, "--players", "abc")
    assert result.exit_code == 2
    assert "not for 1\n   help: --players wants a number, or names with commas between them\n" in result.stderr


def test_a_group_of_commands_alone_shows_its_help(houserule: Houserule) -> None:
    shown = houserule("new")
    assert "Start a house rule" in shown.stdout + shown.stderr
