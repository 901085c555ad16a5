"""Libraries that not everybody needs: each is imported when it is first used, and told in a sentence where it is missing."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module, metadata
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


def not_installed(extra: str) -> list[str]:
    """The libraries of an extra that are not installed; none where Houserule runs from a checkout that was not installed."""
    missing: list[str] = []
    with suppress(metadata.PackageNotFoundError):
        for needed in metadata.requires("houserule") or ():
            name, of_extra = re.match(r"[\w.-]+", needed), re.search(r"extra == ['\"]([\w-]+)['\"]", needed)
            if name is not None and of_extra is not None and of_extra[1] == extra:
                try:
                    metadata.version(name[0])
                except metadata.PackageNotFoundError:
                    missing.append(name[0])
    return missing
