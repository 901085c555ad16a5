"""Finds rule files: which game, variant or folder a name or path means."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from houserule.bundled import bundled
from houserule.diagnostics import did_you_mean


class UnknownGame(LookupError):
    """There is no game (or variant) of that name or at that path; `suggestion` is what was probably meant, `known` those there are."""

    def __init__(self, name: str, suggestion: str | None, what: str = "game", known: Iterable[str] = ()) -> None:
        self.name = name
        self.suggestion = suggestion
        self.known = tuple(known)
        super().__init__(f"there is no {what} '{name}'" + (f"; {suggestion}" if suggestion else ""))


def library() -> Path:
    """The folder of the bundled games."""
    return bundled("games")


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


# --- which game a file belongs to -------------------------------------------------------------------------------------


def game_folder(path: Path) -> Path | None:
    """The folder of the game that a file or folder lies in, if it lies in one."""
    place = path.absolute()
    return next((folder for folder in (place, *place.parents) if (folder / "game.yaml").is_file()), None)


def part_of(path: Path) -> Path | None:
    """The folder of the game that a file is a part of: one beside or below a `game.yaml` that is no game itself."""
    is_whole = path.name == "game.yaml" or not path.is_file() or opens_with(path, ("game:", "edition:"))
    return None if is_whole else game_folder(path)


def opens_as(path: Path, folder: str, keys: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether a file lies in a folder of that name within a game, or opens with one of some keys and none of others."""
    if not path.is_file() or path.name == "game.yaml":
        return False
    if path.resolve().parent.name == folder:
        return True
    return opens_with(path, keys) and not opens_with(path, others)


def opens_with(path: Path, keys: tuple[str, ...]) -> bool:
    """Whether one of these keys stands at the left edge in the first lines of a file."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as stream:
            return any(line.startswith(keys) for line in stream.read(4000).splitlines())
    except OSError:
        return False
