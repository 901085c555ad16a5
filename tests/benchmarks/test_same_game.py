"""The four games by hand, in tight Python and in C are the games of the rule files: no average is further apart than by chance."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.agreement import FAR, Played, distances
from benchmarks.c import AS_OURS, FAST, compiled, compiler
from tests.bundled import load

GAMES = [("aladdin", 2), ("ali_baba", 3), ("rattlebones", 4), ("master_thieves", 8)]


def furthest(one: list[Played], other: list[Played]) -> float:
    return max(map(abs, distances(one, other).values()))


def without_ties_broken(match: Played) -> Played:
    points, decisions, _ = match
    return points, decisions, [p for p, score in enumerate(points) if score == max(points)]


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_games_written_by_hand_agree_with_the_rule_files(game: str, players: int, tmp_path: Path) -> None:
    loaded = load(game)
    outcomes = [loaded.random_match(players, seed) for seed in range(250)]
    ours: list[Played] = [(outcome.scores, outcome.decisions, outcome.winners) for outcome in outcomes]
    tight: list[Played] = [import_module(f"benchmarks.tight.{game}").play(players, seed) for seed in range(800)]
    assert furthest(ours, tight) < FAR

    with_objects = [import_module(f"benchmarks.by_hand.{game}").play(players, seed) for seed in range(200)]
    by_hand: list[Played] = [without_ties_broken((match["points"], match["decisions"], [])) for match in with_objects]
    assert furthest(list(map(without_ties_broken, tight)), by_hand) < FAR

    if compiler():
        in_c = compiled(game, tmp_path, AS_OURS).matches(players, 0, 20_000)
        assert furthest(ours, in_c) < FAR
        assert furthest(tight, in_c) < FAR
        assert furthest(compiled(game, tmp_path, FAST).matches(players, 0, 20_000), in_c) < FAR


def test_another_rule_is_noticed() -> None:
    tight = import_module("benchmarks.tight.ali_baba")
    one: list[Played] = [tight.play(3, seed) for seed in range(1000)]
    other = [([points[0] + seed % 2, *points[1:]], decisions, won) for seed, (points, decisions, won) in enumerate(one)]
    assert furthest(one, other) > 1
    assert furthest(one, [(points, decisions + 2, won) for points, decisions, won in one]) > FAR


def test_the_same_seed_plays_the_same_match(tmp_path: Path) -> None:
    tight = import_module("benchmarks.tight.master_thieves")
    assert tight.play(5, 7) == tight.play(5, 7) != tight.play(5, 8)
    if compiler():
        command = compiled("master_thieves", tmp_path)
        assert command.matches(5, 7, 1) == command.matches(5, 7, 1) != command.matches(5, 8, 1)
        timed = command.timed(5, 7, 10)
        assert timed["games"] == 10
        assert timed["decisions"] == sum(decisions for _, decisions, _ in command.matches(5, 7, 10))
