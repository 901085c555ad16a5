"""What no test depends on: how whoever runs them likes their terminal, and chance."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples at each run: a suite that fails does so for what was changed. `make fuzz` looks for others.
settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", database=None, deadline=None)
settings.load_profile("fuzz" if int(os.environ.get("HOUSERULE_FUZZ", "0")) else "suite")


@pytest.fixture(autouse=True)
def without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing asks for colours: services that run tests do, and then what is printed reads otherwise."""
    for name in ("FORCE_COLOR", "NO_COLOR", "PY_COLORS", "TTY_COMPATIBLE", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", None)  # looked up once, when Typer is imported
