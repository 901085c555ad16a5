"""Policies from elsewhere take seats at tables of the command and of rooms: the example of the manual, as a package that is installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel")

from open_spiel.python import policy

from houserule.bridges import spiel
from tests.bundled import load
from tests.serve.served import Wire, served

TEXT = (Path(__file__).parents[2] / "docs" / "bridges.md").read_text(encoding="utf-8")
(SOURCE,) = [block for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "class Solver" in block]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with the one of the manual, for commands in other processes."""
    about = tmp_path / "solver-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: solver\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[houserule.bots]\nsolver = solver:Solver\n", encoding="utf-8")
    (tmp_path / "solver.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    subprocess.run([sys.executable, str(tmp_path / "solver.py")], check=True, timeout=120)
    return tmp_path


def houserule(*words: str) -> str:
    call = [sys.executable, "-m", "houserule", *words]
    return subprocess.run(call, check=True, timeout=120, capture_output=True, text=True).stdout


@pytest.mark.bridges
def test_a_policy_of_openspiel_plays_at_tables_and_in_rooms(package: Path) -> None:
    assert "Anna" in houserule("play", "kuhn_poker", "--seats", "solver,random", "--seed", "1", "--players", "Anna,Ben")
    call = ("simulate", "kuhn_poker", "--seats", "random,solver", "-n", "1000", "--seed", "2", "--json")
    assert json.loads(houserule(*call))["seats"][1]["score"]["mean"] > 0.1, (
        "chips a match; it is worth 1/18 between two that play well"
    )
    with served(package, "kuhn_poker") as house:
        page = Wire(house, house.create(game="kuhn_poker", seats=["solver", None]))
        page.say("claim", seat=1, name="Ann")
        page.until("seated")
        page.say("start")
        page.answer()
        page.opened.close()


def test_a_policy_is_a_table_by_what_players_see() -> None:
    table = spiel.by_observation(
        spiel.game(load("kuhn_poker")), policy.UniformRandomPolicy(spiel.game(load("kuhn_poker")))
    )
    assert len(table) == 12 and all(list(chances.values()) == [0.5, 0.5] for chances in table.values())
    match = load("kuhn_poker").start(2, seed=3)
    seen = match.game.observations(2).of(match, 0)
    assert [*table[" ".join(map(str, seen))]] == [str(number) for number in match.game.actions(2).legal(match, 0)]


def test_a_policy_that_knows_more_than_a_player_sees_is_refused() -> None:
    class Cheat:
        """Knows the other card."""

        def action_probabilities(self, state: Any, _: int) -> dict[int, float]:
            first, second = state.legal_actions()
            chance = sum(state.history()[:2]) / 10
            return {first: chance, second: 1 - chance}

    with pytest.raises(ValueError, match="sees the same where this policy answers otherwise"):
        spiel.by_observation(spiel.game(load("kuhn_poker")), Cheat())
