"""`--engine` and `--verbose` of the commands that play at random."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from typer.testing import Result

import houserule as library

Houserule = Callable[..., Result]


@pytest.mark.parametrize("engine", ["python", "native"])
def test_simulate_prints_the_same_with_either_engine(engine: str, houserule: Houserule) -> None:
    call = ["simulate", "ali_baba", "-n", "40", "--json"]
    usual = houserule(*call)
    chosen = houserule(*call, "--engine", engine, "--verbose")
    assert chosen.exit_code == 0
    assert f"engine: {engine}" in chosen.stderr
    assert json.loads(chosen.stdout) == json.loads(usual.stdout)


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


def test_rounds_and_leads_are_the_same() -> None:
    studies = [library.simulate("rattlebones", 30, engine=engine, leads=True) for engine in ("python", "native")]
    first, second = (study.columns for study in studies)
    assert (first.rounds, first.leads, first.scores) == (second.rounds, second.leads, second.scores)
