"""The cache folder of the user, in which nobody else can have put anything."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder(name: str = "") -> Path | None:
    """A folder in the user's cache, created if missing; None if nothing can be cached safely.

    Cached files are trusted, so nobody else may be able to write there. It is `~/.cache/houserule`, or
    in the folder that XDG_CACHE_HOME names; a relative path there would mean another folder in each checkout, and is
    ignored.
    """
    try:
        named = Path(os.environ.get("XDG_CACHE_HOME", ""))
        root = named if named.is_absolute() else Path.home().resolve() / ".cache"
        folder = root / "houserule" / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_ours_alone(folder) and os.access(folder, os.W_OK) else None
    except (OSError, RuntimeError, ValueError):
        return None


def kept_file(name: str) -> Path | None:
    """The path of a file in the cache: either free, or a file that only the user can have written.

    None if nothing can be cached safely.
    """
    folder = cache_folder()
    if folder is None:
        return None
    file = folder / name
    with suppress(OSError):
        state = file.lstat()
        if not stat.S_ISREG(state.st_mode) or not _is_own(state):
            file.unlink()
    return None if os.path.lexists(file) and not file.is_file() else file


def keep_private(file: str) -> None:
    """Make a cached file writable only by the user, whatever the umask; otherwise it is not read again."""
    with suppress(OSError):
        Path(file).chmod(0o600)


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody but the user and the system can have written in a folder, or replaced it."""
    if os.name != "posix":
        # The folders below a user's home are theirs alone, unless permissions say otherwise.
        return folder.resolve() == folder.absolute() and folder.is_relative_to(Path.home().resolve())
    if not _is_own(folder.lstat()):
        return False
    for around in (folder, *folder.parents):
        state = around.lstat()
        if not stat.S_ISDIR(state.st_mode) or state.st_uid not in (0, os.getuid()):
            return False
        # In a folder such as /tmp everybody can create files, but nobody can replace ours.
        if state.st_mode & OTHERS_WRITE and not state.st_mode & stat.S_ISVTX:
            return False
    return True


def _is_own(state: os.stat_result) -> bool:
    return os.name != "posix" or (state.st_uid == os.getuid() and not state.st_mode & OTHERS_WRITE)
