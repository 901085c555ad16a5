"""What a call is about: rule files, house rules and settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from houserule.bundled import bundled_game
from houserule.cli.report import fail, find_path
from houserule.reading import entered

# --- house rules ------------------------------------------------------------------------------------------------------


With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="VARIANT", help="A house rule to use: its id or a path; can be repeated."),
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; can be repeated.")
]


def settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """The settings of options, by name; exits with a sentence if one has no value or two."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not (name and sign and value):
            fail(f"--set expects an option and its value, but got '{pair}'", f"--set {name or 'option'}={value or '…'}")
        if found.get(name, value) != value:
            fail(f"'{name}' is set to both {found[name]} and {value}", "keep one of the two")
        found[name] = value
    return found


# --- subjects ---------------------------------------------------------------------------------------------------------


Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME|PATH", help="Games, files, or folders with everything below them; by default the current folder."
    ),
]
Bundled = Annotated[bool, typer.Option("--bundled", help="All bundled games.")]


def named(names: list[str] | None, are_bundled: bool, skip_others: bool = False) -> dict[str, Path]:
    """The files and folders that a call means, each with its name in the call.

    With `skip_others`, files that contain no rules are left out. Exits with a suggestion after a wrong name.
    """
    import houserule

    found: dict[str, Path] = {}
    for name in names or ([] if are_bundled else ["."]):
        path = entered(name)
        if not skip_others or not path.is_file() or houserule.subjects(path):
            found[name] = path if path.is_dir() else find_path(name)
    if are_bundled:
        found |= {name: folder for name in houserule.games() if (folder := bundled_game(name)) is not None}
    return found


def subjects(names: list[str] | None, are_bundled: bool, skip_others: bool = False) -> dict[Path, tuple[str, Path]]:
    """The games, variants and scenario files that a call means, each with its name and the folder that must contain it.

    Several parts of one game are one subject. Exits with a sentence if a name means none.
    """
    import houserule

    found: dict[Path, tuple[str, Path]] = {}
    for name, path in named(names, are_bundled, skip_others).items():
        inside = houserule.subjects(path) or ([] if path.is_dir() else [path])
        if not inside:
            nothing_found("rule files", name)
        for subject in inside:
            is_named = path.is_file() or is_game(path) or subject == path
            found.setdefault(subject, (name if is_named else str(subject), subject if is_named else path))
    return found


def is_game(path: Path) -> bool:
    return (path / "game.yaml").exists()


def nothing_found(what: str, name: str, help: str | None = None) -> NoReturn:
    """Report that nothing was found, and exit."""
    where = "at or below the current folder" if name == "." else f"in {name}"
    fail(f"there are no {what} {where}", help or "name a game, or use --bundled for the bundled games")
