"""A small game of one's own in an empty folder, and a way to type commands there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from houserule.cli.application import application

Houserule = Callable[..., Result]


@pytest.fixture
def houserule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Houserule:
    """Types a command in an empty folder, with nothing remembered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: str, typed: str = "") -> Result:
        result = CliRunner().invoke(application, [str(word) for word in words], input=typed, prog_name="houserule")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def storms(houserule: Houserule) -> str:
    """The path of the game that `houserule new game` makes."""
    houserule("new", "game", "storms")
    return "./storms"
