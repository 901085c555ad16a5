"""The scenarios of every bundled game hold, and there are enough: each step, effect, card, face and trigger, and nearly every branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule import Coverage, rehearse
from houserule.rehearsing.scenarios import ScenarioBudget
from houserule.trial.coverage import missing, shares
from tests.games.every_game import GAMES

ALL = 100
BRANCHES = 95
"""Percent of the ways of all branches, a choice without an answer among them."""


every_game = pytest.mark.parametrize(
    "game", sorted(path.parent for path in GAMES.rglob("game.yaml")), ids=lambda path: path.name
)


@every_game
def test_scenarios_hold_and_run_every_rule(game: Path) -> None:
    coverage, budget = Coverage(), ScenarioBudget()
    files = sorted((game / "scenarios").rglob("*.yaml"))
    results = [result for file in files for result in rehearse(file, coverage=coverage, budget=budget)]
    assert not budget.left_out
    assert [f"{r.path}:{r.line}: {r.name}: {r.message}" for r in results if not r.passed] == []
    low = {
        word: f"{share.ran} of {share.of}"
        for word, share in shares(coverage).items()
        if share.percent < (BRANCHES if word == "branches" else ALL)
    }
    assert not low, "\n".join(f"{rule.span}: {rule.kind} {rule.name} {rule.way}" for rule in missing(coverage))


@pytest.mark.long
@every_game
def test_scenarios_hold_in_the_rules_without_marks(game: Path) -> None:
    results = [result for file in sorted((game / "scenarios").rglob("*.yaml")) for result in rehearse(file)]
    assert [f"{r.path}:{r.line}: {r.name}: {r.message}" for r in results if not r.passed] == []
