"""The folder where Houserule keeps what it can make again: nothing goes in, a folder of one's own or none comes out."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(name: str = "") -> Path | None:
    """A folder below the user's cache, made where it is missing; None if nothing can be kept safely.

    What is read from it is believed, so nobody else may be able to put something there. It is `~/.cache/houserule`, or
    in the folder that XDG_CACHE_HOME names.
    """
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    folder = root / "houserule"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
        if os.name == "posix" and (state.st_uid != os.getuid() or state.st_mode & 0o022):
            return None
        if name:
            folder = folder / name
            folder.mkdir(mode=0o700, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None
