"""What no test depends on: how whoever runs them likes their terminal."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing asks for colours: services that run tests do, and then what is printed reads otherwise."""
    for name in ("FORCE_COLOR", "NO_COLOR", "PY_COLORS", "TTY_COMPATIBLE", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", None)  # looked up once, when Typer is imported
