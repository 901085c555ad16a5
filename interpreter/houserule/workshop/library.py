"""Finds rule files: which game, variant or folder a name or path means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from houserule.bundled import bundled_game, groups
from houserule.diagnostics import did_you_mean
from houserule.reading import beginning, entered, files_below, game_folder, is_file, is_id, is_inside, named, real


class UnknownGame(LookupError):
    """There is no game or variant of that name or path; `suggestion` is the probable one, `known` are the existing ones."""

    def __init__(self, name: str, suggestion: str | None, what: str = "game", known: Iterable[str] = ()) -> None:
        self.name = name
        self.suggestion = suggestion
        self.known = tuple(known)
        super().__init__(f"there is no {what} '{name}'" + (f"; {suggestion}" if suggestion else ""))


def games() -> list[str]:
    """List the bundled games, group by group."""
    return [name for names in groups().values() for name in names]


def is_bundled(folder: Path) -> bool:
    """Whether a folder is that of a bundled game."""
    found = bundled_game(folder.name)
    return found is not None and found.resolve() == folder.resolve()


def find(name: str | Path) -> Path:
    """The folder or file of a game: a bundled id or a path. Raises UnknownGame."""
    path = entered(name)
    if path.is_dir() and (path / "game.yaml").exists():
        return path
    if path.is_file():
        return path
    found = bundled_game(str(name))
    if found is not None:
        return found
    raise UnknownGame(str(name), did_you_mean(str(name), games()))


def display(path: Path) -> str:
    try:
        return str(real(path).relative_to(real(Path.cwd())))
    except ValueError:
        return str(path)


def variants_of(folder: Path) -> list[str]:
    """The ids of a game's variants, sorted."""
    inside = files_below(folder / "variants", "*.yaml", folder)
    return [path.stem for path in inside if path.suffix == ".yaml" and is_inside(path, folder) and is_file(path)]


def find_variant(folder: Path, name: str) -> Path:
    """The file of a variant, by the id of one of the game's own or by its path. Raises UnknownGame."""
    path = entered(name)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return path
    inside = folder / "variants" / f"{name}.yaml"
    if path.name == name and inside.is_file():
        return inside
    known = variants_of(folder)
    raise UnknownGame(name, did_you_mean(name, known), "variant", known)


# --- what a file names ----------------------------------------------------------------------------------------------------


def game_named(name: str, file: Path) -> Path:
    """The game that a file belongs to: a bundled id, or the id of a game beside the file. Raises UnknownGame."""
    if is_id(name):
        beside = named(name, file)
        if beside is not None and (beside / "game.yaml").is_file():
            return beside
        bundled = bundled_game(name)
        if bundled is not None:
            return bundled
    raise UnknownGame(name, did_you_mean(name, games()))


def variant_named(name: str, folder: Path, file: Path) -> str:
    """The variant of a game that a file names, as `find_variant` finds it: an id, or a path. Raises UnknownGame."""
    if is_id(name):
        find_variant(folder, name)
        return name
    path = named(name, file)
    if path is None or path.suffix not in (".yaml", ".yml") or not path.is_file():
        raise UnknownGame(name, did_you_mean(name, variants_of(folder)), "variant", variants_of(folder))
    return str(path)


# --- which game a file belongs to -------------------------------------------------------------------------------------


def part_of(path: Path) -> Path | None:
    """The folder of the game that a file is part of: the file is beside or below a `game.yaml` and is no game itself."""
    is_whole = path.name == "game.yaml" or not path.is_file() or opens_with(path, ("game:", "edition:"))
    return None if is_whole else game_folder(path)


def opens_as(path: Path, folder: str, keys: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether a file is in a folder with that name, or begins with one of `keys` and none of `others`."""
    if not path.is_file() or path.name == "game.yaml":
        return False
    if path.resolve().parent.name == folder:
        return True
    return opens_with(path, keys) and not opens_with(path, others)


def opens_with(path: Path, keys: tuple[str, ...]) -> bool:
    """Whether one of these keys is at the top level in the first lines of a file."""
    return any(line.startswith(keys) for line in beginning(path, 4000).splitlines())


# --- which files are rules ----------------------------------------------------------------------------------------------

RULES = (("edition:", "game:"), ("variant:", "of:"), ("scenario:", "of:"))
"""The keys that identify a file outside all games: one kind of rule file a row."""


def rule_files(path: str | Path) -> list[Path]:
    """The rule files at a path: the file itself, or all at and below a folder.

    In the folder of a game every YAML file is one; elsewhere its keys decide. Hidden folders, links to folders,
    Python's environments and `node_modules` are skipped.
    """
    root = entered(path)
    if root.is_file():
        return [root]
    return sorted(file for file in yaml_below(root) if game_folder(file) is not None or is_by_itself(file))


def is_by_itself(file: Path) -> bool:
    """Whether the keys of a file say that it is a game, a variant or scenarios."""
    return any(all(opens_with(file, (key,)) for key in keys) for keys in RULES)


def yaml_below(folder: Path) -> Iterator[Path]:
    """The YAML files at and below a folder."""
    for around, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "." and name != "node_modules"]
        folders[:] = [name for name in folders if not is_file(Path(around, name, "pyvenv.cfg"))]
        for name in names:
            file = Path(around, name)
            if file.suffix == ".yaml" and name[0] != "." and is_file(file):
                yield file
