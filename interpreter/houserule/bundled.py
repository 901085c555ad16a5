"""Finds the files bundled with Houserule: the games, the schemas and the manual."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""


def bundled(name: str) -> Path:
    """The folder `games`, `schema` or `docs`: in an installed package, or at the root of a checkout."""
    installed = PACKAGE / "_data" / name
    return installed if installed.is_dir() else PACKAGE.parents[1] / name


def groups() -> dict[str, list[str]]:
    """The ids of the games by group, sorted. A group is a folder of games; "" has those outside of groups."""
    folder = bundled("games")
    found: dict[str, list[str]] = {"": []}
    for file in sorted((*folder.glob("*/game.yaml"), *folder.glob("*/*/game.yaml"))):
        group = file.parent.parent
        found.setdefault(group.name if group != folder else "", []).append(file.parent.name)
    return found


def bundled_game(name: str) -> Path | None:
    return next((bundled("games") / group / name for group, names in groups().items() if name in names), None)
