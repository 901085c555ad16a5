"""A game plays the same without each of the optimisations: only the time differs."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import pytest

from houserule.bundled import groups
from houserule.compiler.optimisations import OPTIMISATIONS
from houserule.compiler.program import Program, compile_game
from houserule.definition.check import CheckedGame
from houserule.match.match import Match
from houserule.running.playout import answers_of, play, playout
from houserule.running.state import State
from tests.bundled import load
from tests.taking_long import but_later

SEEDS = range(3)
GO = str(Path(__file__).parents[2] / "benchmarks" / "go")
LARGE = {"aladdin", "ali_baba", "master_thieves", "rattlebones", "checkers", "yahtzee", "reversi", "hearts"}
"""Games that take long; go, which has most of what is optimised, is always played."""
GAMES = but_later([*(game for group in groups().values() for game in group), GO], LARGE)


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


@pytest.mark.long
def test_each_changes_a_program() -> None:
    """So a switch that has come loose is seen."""
    left = set(OPTIMISATIONS)
    for game in ("ali_baba", "aladdin", GO):
        checked = load(game).checked(3)
        usual = written(checked, frozenset())
        left -= {name for name in left if written(checked, frozenset({name})) != usual}
    assert left == set()


@pytest.mark.parametrize("game", ["aladdin", "rattlebones", "master_thieves", "goofspiel", "hearts", "kuhn_poker"])
def test_a_told_match_notes_the_same_however_it_is_answered(game: str) -> None:
    """Segments are emitted for people or for chance, as they are first run; both stand in a program in the end."""
    loaded = load(game)
    players = min(loaded.players, key=lambda number: abs(number - 3))
    checked = loaded.checked(players)
    plain = compile_game(checked, told=True, without=frozenset({"answering", "parts", "tails"}))
    mixed, by_chance = compile_game(checked, told=True), compile_game(checked, told=True)
    match = Match.start(loaded, players, 1, "en", mixed)
    for _ in range(4):
        if match.pending:
            match.answer(match.pending[0].player, match.pending[0].options[0])
    for seed in SEEDS:
        logs = [logged(program, seed) for program in (plain, mixed, by_chance)]
        assert logs[0] == logs[1] == logs[2]


def logged(program: Program, seed: int) -> list[object]:
    s = State(program, Random(seed))
    play(program, s, answers_of(seed))
    sentences = [raw for raw, _ in program.texts]
    return [
        (word, sentences[fields[0]], *fields[1:]) if word == "say" else (word, *fields) for word, *fields in s.log or ()
    ]


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
