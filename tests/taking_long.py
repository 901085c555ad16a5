"""Marks the cases of a test that take long, so that `make test` runs the others, and `make test-long` these."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def but_later(cases: Iterable[Any], long: Collection[Any]) -> list[Any]:
    """The cases of a test, some of which take long."""
    return [pytest.param(case, marks=pytest.mark.long) if case in long else case for case in cases]
