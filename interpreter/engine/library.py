"""Finds rule files: a name or a path goes in, the place of a game or of a house rule comes out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from interpreter.diagnostics import did_you_mean

PACKAGE = Path(__file__).resolve().parent.parent


class UnknownGame(LookupError):
    """There is no game (or variant) of that name or at that path; `suggestion` is what was probably meant, `known` those there are."""

    def __init__(self, name: str, suggestion: str | None, what: str = "game", known: Iterable[str] = ()) -> None:
        self.name = name
        self.suggestion = suggestion
        self.known = tuple(known)
        super().__init__(f"there is no {what} '{name}'" + (f"; {suggestion}" if suggestion else ""))


def library() -> Path:
    """The folder of the bundled games: beside the package in a checkout, inside it when installed."""
    inside = PACKAGE / "_data" / "games"
    return inside if inside.is_dir() else PACKAGE.parent / "games"


def games() -> list[str]:
    """The ids of the bundled games, in order."""
    folder = library()
    return sorted(path.parent.name for path in folder.glob("*/game.yaml")) if folder.is_dir() else []


def find(name: str | Path) -> Path:
    """The folder or file of a game: a bundled id or a path. Raises UnknownGame."""
    path = Path(name)
    if path.is_dir() and (path / "game.yaml").exists():
        return path
    if path.is_file():
        return path
    bundled = games()
    if str(name) in bundled:
        return library() / str(name)
    raise UnknownGame(str(name), did_you_mean(str(name), bundled))


def display(path: Path) -> str:
    """How a path is shown: relative to where one stands, if it lies there."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def variants_of(folder: Path) -> list[str]:
    """The ids of the variants that lie with a game, in order."""
    return sorted(path.stem for path in (folder / "variants").glob("*.yaml"))


def find_variant(folder: Path, name: str) -> Path:
    """The file of a variant: an id of one that lies with the game, or a path. Raises UnknownGame."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return path
    inside = folder / "variants" / f"{name}.yaml"
    if path.name == name and inside.is_file():
        return inside
    known = variants_of(folder)
    raise UnknownGame(name, did_you_mean(name, known), "variant", known)
