"""Where the files that travel with Houserule are: the games, the schemas and the manual."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""


def bundled(name: str) -> Path:
    """The folder `games`, `schema` or `docs`: inside an installed package, or at the root of a checkout."""
    installed = PACKAGE / "_data" / name
    return installed if installed.is_dir() else PACKAGE.parents[1] / name
