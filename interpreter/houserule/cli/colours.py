"""Decides whether a stream gets colours, and creates its console."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from houserule.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream gets colours: a terminal does, others if FORCE_COLOR is set, and none with NO_COLOR.

    An empty variable counts as unset: https://no-color.org, https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def console(*, errors: bool = False) -> Console:
    """Rich's console on standard output or the error stream. Text is printed unchanged, if it is printable."""
    from rich.console import Console
    from rich.segment import Segment

    class PrintableConsole(Console):
        """A console whose texts cannot contain commands to a terminal."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else printable(text, lines=True), style, control)

    # Only the colours that every terminal has are used, and without colours nothing is bold either.
    wanted = is_coloured(sys.stderr if errors else sys.stdout)
    return PrintableConsole(stderr=errors, highlight=False, markup=False, color_system="standard" if wanted else None)
