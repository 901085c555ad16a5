"""Decides whether a stream gets colours, and makes consoles accordingly."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream gets colours: a terminal does, others where FORCE_COLOR asks for it, and none with NO_COLOR.

    A variable that is there and empty says nothing: https://no-color.org, https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def console(*, errors: bool = False) -> Console:
    """What Rich prints with: on standard output, or on the error stream. Text is printed as it stands."""
    from rich.console import Console

    # The colours that every terminal has are all that we use, and none means that there is nothing bold either.
    wanted = is_coloured(sys.stderr if errors else sys.stdout)
    return Console(stderr=errors, highlight=False, markup=False, color_system="standard" if wanted else None)
