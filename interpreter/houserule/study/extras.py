"""The libraries that only studies need: each is imported when it is first used, and told in a sentence where it is missing."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A library is not installed; the message says which extra brings it."""


def library(module: str, extra: str) -> Any:
    """A module of an extra. Raises MissingExtra."""
    try:
        return import_module(module)
    except ImportError as missing:
        name = module.partition(".")[0]
        raise MissingExtra(f"this needs {name}, which is not installed: pip install 'houserule[{extra}]'") from missing


@cache
def numpy() -> Any:
    """NumPy."""
    return library("numpy", "study")


def figures() -> Any:
    """The figures of matplotlib. Raises MissingExtra, for whatever a report needs."""
    numpy()
    library("pyarrow", "study")
    statistics()
    return library("matplotlib.figure", "study")


def statistics() -> Any:
    """The statistics of SciPy."""
    return library("scipy.stats", "study")
