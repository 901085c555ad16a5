"""Optional libraries: each is imported when it is first used, and a missing one is reported in a sentence."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a process to stop; the last one is sent when a terminal is closed, except on Windows."""


LIBRARIES = {
    "cluster": ("distributed", "dask"),
    "lsp": ("pygls", "lsprotocol"),
    "mcp": ("mcp",),
    "native": ("wasmtime",),
    "openspiel": ("pyspiel", "open_spiel"),
    "pettingzoo": ("gymnasium", "pettingzoo"),
    "png": ("pypdfium2",),
    "postgresql": ("psycopg",),
    "rulebook": ("weasyprint",),
    "serve": ("segno", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    "site": ("markdown_it", "segno"),
    "study": ("matplotlib", "numpy", "pandas", "pyarrow", "scipy"),
}
"""The modules at the top of each extra."""


class MissingExtra(ImportError):
    """A library is not installed; the message names the extra that installs it."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(f"this needs {module}, which is not installed: pip install 'houserule[{extra}]'", name=module)


def library(module: str, extra: str) -> Any:
    """A module of an extra. Raises MissingExtra, also if the library itself lacks something of the system."""
    try:
        with signals_held_back(), no_folder():
            return import_module(module)
    except (ImportError, OSError) as missing:
        raise MissingExtra(module.partition(".")[0], extra) from missing


def missing_extra(failed: ImportError) -> MissingExtra | None:
    """What a failed import says about a library of an extra; None if it is about another."""
    if isinstance(failed, MissingExtra):
        return failed
    module = (failed.name or "").partition(".")[0]
    return next((MissingExtra(module, extra) for extra, names in LIBRARIES.items() if module in names), None)


@contextmanager
def no_folder() -> Iterator[None]:
    """A context outside of the current folder: matplotlib reads its settings from there when it is imported."""
    here = Path.cwd()
    os.chdir(here.anchor)
    try:
        yield
    finally:
        os.chdir(here)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Defer Ctrl-C and termination until the block ends: a partly imported library cannot be used any more."""
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    numbers = STOPPING if is_main else ()
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if came:
            signal.raise_signal(came[0])


NOTEBOOKS = "houserule.notebooks"
"""The group of entry points for what notebooks show: a callable for each kind of thing, which takes it and returns HTML."""


@cache
def shown_by(kind: str) -> Callable[[Any], str] | None:
    """What shows things of a kind in notebooks; None if nothing does. Rooms further up offer it, by an entry point."""
    found = metadata.entry_points(group=NOTEBOOKS, name=kind)
    made: Callable[[Any], str] | None = next((entry.load() for entry in found), None)
    return made


def not_installed(extra: str) -> list[str]:
    """The libraries of an extra that are not installed; none in a checkout that was not installed."""
    missing: list[str] = []
    with suppress(metadata.PackageNotFoundError):
        for needed in metadata.requires("houserule") or ():
            name, of_extra = re.match(r"[\w.-]+", needed), re.search(r"extra == ['\"]([\w-]+)['\"]", needed)
            if name is not None and of_extra is not None and of_extra[1] == extra:
                try:
                    metadata.version(name[0])
                except metadata.PackageNotFoundError:
                    missing.append(name[0])
    return missing
