"""Remembers which rules were clean, so that unchanged rules are not checked again.

A clean verdict is an empty file, named by a hash of everything it depends on: the rules, the house rules, the settings
and the interpreter itself. Any change gives another hash and a new check.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from houserule.bundled import PACKAGE, bundled
from houserule.cache import cache_folder
from houserule.reading import MOST_BYTES, read
from houserule.writing import write_file

MOST_FILES = 2_000
MOST_VERDICTS = 1_000


def hash_of(game: Path, variants: Iterable[str], settings: Mapping[str, str], rules_only: bool) -> str | None:
    """A hash of everything that a verdict on a game depends on; None if that is too much to read or unreadable.

    The parts of a game are in its folder, so everything there is read; house rules may be elsewhere.
    """
    folder = game if game.is_dir() else game.parent
    if not (folder / "game.yaml").is_file() or (game.is_file() and game.name != "game.yaml"):
        return None
    found = sha256(repr((str(game), rules_only, list(variants), sorted(settings.items()))).encode())
    found.update(interpreter_as_it_is().encode())
    try:
        left = MOST_BYTES["verdict"]
        for file in [*files_in(folder, MOST_FILES), *(Path(name) for name in variants if Path(name).is_file())]:
            content = read(file, "verdict")
            left -= len(content)
            if left < 0:
                return None
            found.update(repr((str(file), len(content))).encode())
            found.update(content)
    except (OSError, OverflowError):
        return None
    return found.hexdigest()


def files_in(folder: Path, most: int) -> Iterator[Path]:
    """The files below a folder, in order. Raises OverflowError if there are too many, OSError if one is no file."""
    number = 0
    for around, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            number += 1
            file = Path(around, name)
            if number > most:
                raise OverflowError
            if file.is_symlink() or not file.is_file():
                raise OSError
            yield file


@cache
def interpreter_as_it_is() -> str:
    """The files of the interpreter, by size and time: another version may find other mistakes."""
    inside = [PACKAGE, bundled("schema")]
    made_of = [
        (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder in inside
        for around, _, _ in os.walk(folder)
        if not around.endswith("__pycache__")
        for entry in sorted(os.scandir(around), key=lambda entry: entry.name)
        if entry.is_file()
    ]
    return repr((sys.version, made_of))


def was_clean(name: str | None) -> bool:
    """Whether the same rules were clean before."""
    folder = cache_folder("clean")
    return name is not None and folder is not None and (folder / name).is_file()


def keep_clean(name: str | None) -> None:
    """Remember that the rules are clean; does nothing if the folder cannot be written."""
    folder = cache_folder("clean")
    if name is None or folder is None:
        return
    with suppress(OSError):
        write_file(folder / name, b"")
        kept = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        for file in kept[: max(0, len(kept) - MOST_VERDICTS)]:
            file.unlink(missing_ok=True)
