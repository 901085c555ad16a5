"""Files that are written completely or not at all, and the user's cache."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

DEVICES = ("/dev", "/proc")
LONGEST_NAME = 100


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, or replace it. Raises OSError, and then the old content is still there.

    The content is written to a file beside it, which is renamed when it is complete; permissions stay. A device
    or a pipe is written to directly. A link is refused: it may lead to a file that nobody thought of. So is one among
    the folders around it that lie in the current folder, or in a repository: a stranger may have put it there.
    """
    state = see_place(path)
    raw = in_utf8(content) if isinstance(content, str) else content
    if state is None or stat.S_ISREG(state.st_mode):
        _replace(path, raw, None if state is None else stat.S_IMODE(state.st_mode))
    else:
        _pass_through(path, raw)


def see_place(path: Path) -> os.stat_result | None:
    """The status of what is at a path that can be written to; None if nothing is there. Raises OSError as `write_file` would, before there is anything to write."""
    _see_folders(path.parent)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder '{path.parent}'", str(path))
    state = _state(path)
    if state is not None and stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if state is not None and stat.S_ISLNK(state.st_mode) and not path.absolute().as_posix().startswith(DEVICES):
        raise OSError(errno.ELOOP, "it is a link; name the file that it leads to", str(path))
    return state


def in_utf8(text: str) -> bytes:
    """A text as it is written. Bytes of a path that are no text are written as `\\udcff`, which JSON reads back as the same path."""
    return text.encode("utf-8", "backslashreplace")


HALVES = re.compile("[\ud800-\udfff]")


def is_well_formed(text: str) -> bool:
    """Whether a text has no halves of characters, which no file or page can have; those of a path stand for bytes that are no text."""
    return HALVES.search(text) is None


def make_folder(path: Path) -> None:
    """Make a folder and those around it, if they are missing. Raises OSError, also for a link as `write_file` does."""
    _see_folders(path)
    path.mkdir(parents=True, exist_ok=True)


def _see_folders(folder: Path) -> None:
    """Refuse a folder if it, or one around it, is a link in the current folder or in a repository."""
    around = [place := folder.absolute(), *place.parents]
    for number, place in enumerate(around):
        if place.is_symlink() and any(_is_of_strangers(one) for one in around[number + 1 :]):
            raise OSError(errno.ELOOP, f"'{place.name}' is a link; name the folder that it leads to", str(folder))


def _is_of_strangers(folder: Path) -> bool:
    """Whether links below a folder may have come with it; those at the root of the system are its own."""
    return (folder == Path.cwd() and folder != Path(folder.anchor)) or os.path.lexists(folder / ".git")


def _state(path: Path) -> os.stat_result | None:
    """The status of a path without following links; None if nothing is there."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _replace(path: Path, raw: bytes, rights: int | None) -> None:
    """Write a new file beside the old one, and rename it when it is complete."""
    waiting = path.with_name(f".{path.name[:LONGEST_NAME]}.{secrets.token_hex(4)}.part")
    # An existing name is not ours, so it is not opened.
    handle = os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            if raw:
                os.fsync(handle)
        if rights is not None:
            with suppress(OSError):
                waiting.chmod(rights)
        waiting.replace(path)
    except BaseException:
        with suppress(OSError):
            waiting.unlink()
        raise


def _pass_through(path: Path, raw: bytes) -> None:
    """Write to a device or a pipe; a pipe without a reader is not waited for."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "wb", buffering=0) as stream:
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        left = memoryview(raw)
        while left:
            left = left[stream.write(left) or 0 :]


OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def claim(path: Path) -> int | None:
    """Lock a file or a folder against other processes that claim it. Returns what `release` takes, or None where the system has no locks.

    Raises BlockingIOError if another process has claimed it.
    """
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:
        pass  # some network drives have no locks
    return handle


def release(handle: int | None) -> None:
    """Give up what `claim` has locked; the end of the process does so, too."""
    if handle is not None:
        os.close(handle)


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
