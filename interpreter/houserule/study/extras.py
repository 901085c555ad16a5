"""The libraries that only studies need."""

from __future__ import annotations

from functools import cache
from typing import Any

from houserule.extras import library


@cache
def numpy() -> Any:
    return library("numpy", "study")


def figures() -> Any:
    """The figures of matplotlib. Raises MissingExtra, naming what reports need."""
    numpy()
    library("pyarrow", "study")
    statistics()
    return library("matplotlib.figure", "study")


def statistics() -> Any:
    return library("scipy.stats", "study")
