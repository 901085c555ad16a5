"""Reads files: ordinary ones alone, and no more than each may have. Keeps the lines that diagnostics may show.

A path that a person types may lead anywhere. What a file names, or a link in its folder points to, must be in the folder of its
game; a file outside all games has its own folder instead.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MEGABYTE = 1024 * 1024
MOST_BYTES = {
    "beginning": 64 * 1024,
    "icons": MEGABYTE,
    "library": 16 * MEGABYTE,
    "manifest": 8 * MEGABYTE,
    "native": 64 * MEGABYTE,
    "offers": 256 * 1024,
    "own": 4 * MEGABYTE,
    "record": 8 * MEGABYTE,
    "rulebook": 16 * MEGABYTE,
    "rules": 2 * MEGABYTE,
    "table": 64 * 1024 * MEGABYTE,
    "verdict": 20 * MEGABYTE,
}
"""The most that is read of a file, by what it is read for; `own` are the files of the package."""
LONGEST_NAME = 1000
MARK = "\ufeff"
"""The mark of its encoding that a text may begin with."""
LINE_BREAK = re.compile(r"\r\n|\r|\n")

_lines: dict[str, Sequence[str]] = {}
_unsaved: dict[str, tuple[int, bytes]] = {}
_changes = itertools.count(1)


class TooLarge(OSError):
    """A file is larger than any of its kind."""


class NotOrdinary(OSError):
    """A pipe or a device, which might never end."""


@contextmanager
def opened(path: Path, purpose: str) -> Iterator[BinaryIO]:
    """An ordinary file, open for reading. Raises OSError, with NotOrdinary and TooLarge among them."""
    _see_ordinary(path, path.stat(), purpose)
    # It might have become a pipe in between: opening one waits for a writer, unless it is opened in this way.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        _see_ordinary(path, os.fstat(handle), purpose)
        yield stream


def _see_ordinary(path: Path, state: os.stat_result, purpose: str) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(state.st_mode):
        raise NotOrdinary(errno.EINVAL, "it is no ordinary file", str(path))
    if purpose != "beginning" and state.st_size > MOST_BYTES[purpose]:
        raise _too_large(path)


def _too_large(path: Path) -> TooLarge:
    return TooLarge(errno.EFBIG, "it is too large", str(path))


def read(path: Path, purpose: str) -> bytes:
    """The content of an ordinary file. Raises OSError, with NotOrdinary and TooLarge among them."""
    most = MOST_BYTES[purpose]
    with opened(path, purpose) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise _too_large(path)
    return content


def own(path: Path) -> str:
    return read(path, "own").decode("utf-8")


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path is in a folder, all links followed. Every reader asks this before it opens a file."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def entered(path: str | Path) -> Path:
    """A path as somebody typed it, with `..` at its beginning alone; after a link it leads to the folder around its target.

    A relative path stays relative, so that messages show what was typed.
    """
    path = Path(path)
    if ".." not in path.parts:
        return path
    place = Path.cwd()
    for part in path.parts:
        if part == "..":
            place = (real(place) if place.is_symlink() else place).parent
        else:
            place /= part
    return place if path.is_absolute() else Path(os.path.relpath(place))


def real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def is_file(path: Path) -> bool:
    """Whether there is an ordinary file, or a link to one, at a path; False if nobody may look."""
    try:
        return path.is_file()
    except OSError:
        return False


def game_folder(path: Path) -> Path | None:
    """The folder of the game that contains a file or folder, if any; no link leads into another game."""
    place = entered(path.absolute())
    nearest: Path | None = None
    for folder in (place, *place.parents):
        if is_file(folder / "game.yaml") and (nearest is None or not is_inside(nearest, folder)):
            nearest = folder
    return nearest


def root_of(file: Path) -> Path:
    return game_folder(file) or file.parent


def named(name: str, file: Path) -> Path | None:
    """The path that a file means by a name, relative to its own folder; None if the file may not read there."""
    path = file.parent / name
    return path if len(name) <= LONGEST_NAME and is_inside(path, root_of(file)) else None


def is_id(name: str) -> bool:
    return name.replace("-", "_").isidentifier()


def files_below(folder: Path, pattern: str, root: Path) -> list[Path]:
    """The paths below a folder that match a pattern, sorted; only the folder if a link leads it out of the root.

    Hidden files are skipped: they belong to editors and systems.
    """
    if not is_inside(folder, root):
        return [folder]
    return sorted(path for path in folder.glob(pattern) if not any(p[0] == "." for p in path.relative_to(folder).parts))


def yaml_below(folder: Path, look: Callable[[], object] | None = None) -> Iterator[Path]:
    """The YAML files below a folder; `look` is called in each folder and for each file, and may raise to end it.

    Hidden folders, links to folders, Python's environments and `node_modules` are skipped.
    """
    look = look or (lambda: None)
    for around, folders, names in os.walk(folder):
        look()
        folders[:] = [name for name in folders if name[0] != "." and name != "node_modules"]
        folders[:] = [name for name in folders if not is_file(Path(around, name, "pyvenv.cfg"))]
        for name in names:
            look()
            file = Path(around, name)
            if file.suffix == ".yaml" and name[0] != "." and is_file(file):
                yield file


def keep_unsaved(path: Path, text: str | None) -> None:
    """Read this text in place of a file from now on, for an editor; None reads the file again."""
    key = os.path.realpath(path)
    if text is None:
        _unsaved.pop(key, None)
        return
    content, kept = text.encode("utf-8", "surrogatepass"), _unsaved.get(key)
    if kept is None or kept[1] != content:
        _unsaved[key] = next(_changes), content


@contextmanager
def shown_as(texts: Mapping[Path, str]) -> Iterator[None]:
    """A context in which files are read as if editors showed these texts."""
    before = {key: _unsaved.get(key) for key in map(os.path.realpath, texts)}
    try:
        for path, text in texts.items():
            keep_unsaved(path, text)
        yield
    finally:
        for key, kept in before.items():
            _unsaved.pop(key, None)
            if kept is not None:
                _unsaved[key] = kept


def unsaved(path: Path) -> bytes | None:
    """The unsaved text of a file, if an editor has it open."""
    kept = _unsaved.get(os.path.realpath(path)) if _unsaved else None
    return None if kept is None else kept[1]


def change_of(path: Path) -> int | None:
    """The number of the last unsaved change of a file, counted over all files; a text that comes back is a new one."""
    kept = _unsaved.get(os.path.realpath(path))
    return None if kept is None else kept[0]


def beginning(path: Path, most: int = MOST_BYTES["beginning"]) -> str:
    """The beginning of an ordinary file as text; empty if there is none. It is inspected, and never shown."""
    try:
        if (content := unsaved(path)) is not None:
            return content[:most].decode("utf-8-sig", "replace")
        with opened(path, "beginning") as stream:
            return stream.read(most).decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        pass
    return ""


# --- what diagnostics show --------------------------------------------------------------------------------------------


def as_rules(text: str) -> str:
    """A text as rules are read: without the mark of its encoding, and with `\\n` as its only line break."""
    return text.removeprefix(MARK).replace("\r\n", "\n").replace("\r", "\n")


def keep_lines(file: str, lines: Sequence[str]) -> None:
    """Keep the lines of a text that was read as rules, under the path that diagnostics show."""
    _lines[file] = lines


def lines_of_file(file: str) -> Sequence[str]:
    return _lines.get(file, ())


def line_of(file: str, number: int) -> str | None:
    """A line of a file as read; None if it does not exist, or the file might not be read."""
    lines = lines_of_file(file)
    return lines[number - 1] if 1 <= number <= len(lines) else None
