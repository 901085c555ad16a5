"""Libraries that not everybody needs: each is imported when it is first used, and told in a sentence where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A library is not installed; the message says which extra brings it."""


def library(module: str, extra: str) -> Any:
    """A module of an extra. Raises MissingExtra, also where the library lacks something of the system."""
    try:
        return import_module(module)
    except (ImportError, OSError) as missing:
        name = module.partition(".")[0]
        raise MissingExtra(f"this needs {name}, which is not installed: pip install 'houserule[{extra}]'") from missing
