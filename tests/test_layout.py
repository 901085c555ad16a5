"""The repository has the layout that docs/architecture.md describes, and its modules keep a readable size."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "interpreter" / "houserule").rglob("*.py"))

AT_THE_ROOT = {
    "interpreter", "games", "schema", "tests", "docs", "benchmarks", ".ci",
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "pyproject.toml", ".gitignore",
    ".pre-commit-hooks.yaml", "action.yml",  # where pre-commit and GitHub look for them
}  # fmt: skip

LONGEST_MODULE = 600
EMPTY_WORDS = {"ctx", "context", "data", "info", "manager", "utils", "helpers", "misc", "common"}


def tracked() -> list[str]:
    """The files that belong to the repository; skips outside a checkout."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    return listed.stdout.split("\n")[:-1]


def test_nothing_else_stands_at_the_root() -> None:
    assert {file.split("/")[0] for file in tracked()} <= AT_THE_ROOT


def test_games_holds_a_folder_for_each_game_and_nothing_else() -> None:
    files = [file.split("/") for file in tracked() if file.startswith("games/")]
    assert all(len(parts) > 2 for parts in files), "a file lies beside the folders of the games"
    assert {parts[1] for parts in files} == {parts[1] for parts in files if parts[2] == "game.yaml"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_can_be_read_at_a_sitting(module: Path) -> None:
    lines = module.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST_MODULE, f"{module.name} has {lines} lines: split it"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_open_with_what_goes_in_and_what_comes_out(module: Path) -> None:
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    assert text, f"{module.name} has no docstring"
    assert text.split("\n\n")[0].rstrip().endswith("."), f"{module.name} does not open with a sentence"


def test_no_module_has_an_empty_word_for_a_name() -> None:
    assert not [module for module in MODULES if module.stem in EMPTY_WORDS]
