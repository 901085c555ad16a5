"""pytest collects scenarios as tests, and nothing else changes for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parent.parent
Pytest = Callable[..., "subprocess.CompletedProcess[str]"]

GAME = """\
edition: 2026
game: coin
title: {en: The Coin}
players: 2
variables:
  coins(player): 0..9
flow:
  round:
    turns: players
    do: |
      choose "Take how many?":
        "One": me.coins += 1
        "Two": me.coins += 2
scoring:
  coins: {points: me.coins}
"""
SCENARIOS = """\
of: coin
players: [ann, bob]
---
scenario: Ann takes two
play: [ann: Two]
expect: coins[ann] == 2
---
scenario: Ann takes three
play:
  - ann: Three
---
scenario: Ann takes two
play: [ann: Two]
expect: coins[ann] == 1
"""


@pytest.fixture
def run(tmp_path: Path) -> Pytest:
    """Runs pytest with the plugin in a project of the files given, as `folder/name: text`."""

    def run(*arguments: str, **files: str) -> subprocess.CompletedProcess[str]:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_yaml", ".yaml").replace("_py", ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "houserule.pytest_plugin", "-p", "no:cacheprovider", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run


def test_each_scenario_is_a_test_and_tells_where_it_failed_and_what_was_pending(run: Pytest) -> None:
    found = run("-v", "games", games__coin__game_yaml=GAME, games__coin__scenarios__deep__some_yaml=SCENARIOS)
    assert found.returncode == 1
    file = "games/coin/scenarios/deep/some.yaml"
    assert f"{file}::Ann takes two PASSED" in found.stdout
    assert f"{file}::Ann takes two [2] FAILED" in found.stdout
    assert (
        f"{file}:10: Ann takes three\n"
        "   10 |   - ann: Three\n"
        "E     'Three' is not among the options of ann\n"
        'E     ann is asked "Take how many?": One, Two\n'
    ) in found.stdout
    assert "E     this does not hold: coins[ann] == 1\nE     coins[ann] is 2\n" in found.stdout
    assert "2 failed, 1 passed" in found.stdout
    assert "Traceback" not in found.stdout


def test_one_scenario_can_be_chosen_by_name(run: Pytest) -> None:
    found = run("-k", "three", games__coin__game_yaml=GAME, games__coin__scenarios__some_yaml=SCENARIOS)
    assert "1 failed, 2 deselected" in found.stdout


def test_names_of_scenarios_are_printable(run: Pytest) -> None:
    name = "x\\e[31mRED\\n::error file=a::here\\r"
    scenarios = f'of: coin\nplayers: [ann, bob]\n---\nscenario: "{name}"\nplay: [ann: Two]\n'
    found = run("-v", games__coin__game_yaml=GAME, games__coin__scenarios__some_yaml=scenarios)
    assert "RED" in found.stdout and "1 passed" in found.stdout
    assert "\x1b" not in found.stdout and "\n::error" not in found.stdout


def test_rules_that_are_broken_are_told_as_diagnostics(run: Pytest) -> None:
    broken = GAME.replace("coins += 2", "coinz += 2")
    found = run(
        games__coin__game_yaml=broken,
        games__coin__scenarios__some_yaml=SCENARIOS.partition("---\nscenario: Ann takes three")[0],
    )
    assert found.returncode == 1
    assert "error HR5" in found.stdout and "did you mean 'coins'?" in found.stdout
    assert "Traceback" not in found.stdout


def test_a_file_that_is_no_scenario_is_an_error_of_collecting(run: Pytest) -> None:
    found = run(games__coin__game_yaml=GAME, games__coin__scenarios__some_yaml="scenario: x\nplya: []\n")
    assert found.returncode == 2
    assert "'plya'" in found.stdout
    assert "Traceback" not in found.stdout


def test_all_other_yaml_is_left_alone(run: Pytest) -> None:
    found = run(
        scenarios__no_game_yaml=SCENARIOS,
        games__coin__game_yaml=GAME,
        games__coin__variants__other_yaml="variant: other\n",
        workflows__ci_yaml="{{ not: yaml",
        test_something_py="def test_something():\n    pass\n",
    )
    assert "1 passed" in found.stdout
    assert found.returncode == 0


def test_a_project_without_rules_does_not_pay_for_it(run: Pytest) -> None:
    found = run(
        ci_yaml="on: push\n",
        test_modules_py="""
        import sys

        def test_nothing_of_houserule_was_imported():
            ours = sorted(name for name in sys.modules if name.split(".")[0] in ("houserule", "yaml", "lark", "jsonschema"))
            assert ours == ["houserule", "houserule.core", "houserule.pytest_plugin"]
        """,
    )
    assert "1 passed" in found.stdout, found.stdout


def test_the_tests_of_this_repository_run_no_scenario_twice() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["pytest"]["ini_options"]["testpaths"] == ["tests"]
    assert settings["project"]["entry-points"]["pytest11"] == {"houserule": "houserule.pytest_plugin"}
    for file in (ROOT / "tests").rglob("scenarios/*.yaml"):  # pytest runs these, so that no test needs to
        game = file.parent.parent
        tests = [
            test.read_text(encoding="utf-8") for test in (*game.parent.glob("*.py"), *game.parent.parent.glob("*.py"))
        ]
        assert not any("rehearse(" in test and game.name in test for test in tests), file
