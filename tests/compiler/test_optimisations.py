"""A game plays the same without each of the optimisations: only the time differs."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from houserule.bundled import groups
from houserule.compiler.optimisations import OPTIMISATIONS
from houserule.compiler.program import compile_game
from houserule.definition.check import CheckedGame
from houserule.running.playout import playout
from tests.bundled import load

SEEDS = range(3)
GO = str(Path(__file__).parents[2] / "benchmarks" / "go")
GAMES = [*(game for group in groups().values() for game in group), GO]


@pytest.mark.parametrize("game", GAMES)
def test_matches_end_alike_without_each(game: str) -> None:
    loaded = load(game)
    checked = loaded.checked(min(loaded.players, key=lambda players: abs(players - 3)))
    usual = compile_game(checked, told=False)
    expected = [playout(usual, seed) for seed in SEEDS]
    for name in OPTIMISATIONS:
        program = compile_game(checked, told=False, without=frozenset({name}))
        assert [playout(program, seed) for seed in SEEDS] == expected, name


def written(checked: CheckedGame, without: frozenset[str]) -> list[str]:
    return [ast.unparse(function) for function in compile_game(checked, told=False, without=without).functions]


def test_each_changes_a_program() -> None:
    """So a switch that has come loose is seen."""
    left = set(OPTIMISATIONS)
    for game in ("ali_baba", "aladdin", GO):
        checked = load(game).checked(3)
        usual = written(checked, frozenset())
        left -= {name for name in left if written(checked, frozenset({name})) != usual}
    assert left == set()


def test_names_must_be_known() -> None:
    with pytest.raises(ValueError, match="there is no optimisation 'magic'; there are answering, "):
        compile_game(load("nim").checked(2), told=False, without=frozenset({"magic"}))


def test_a_told_program_emits_what_it_comes_to() -> None:
    checked = load("hearts").checked(4)
    early, late = compile_game(checked, told=False), compile_game(checked, told=True)

    def waiting() -> int:
        return sum(isinstance(segment, partial) for segment in late.segments)

    before = waiting()
    assert [playout(late, seed) for seed in SEEDS] == [playout(early, seed) for seed in SEEDS]
    assert waiting() < before
    assert all(played == playout(late, 5) for played in ThreadPoolExecutor(4).map(partial(playout, late), [5] * 8))
