"""Decides whether a stream gets colours, and makes consoles accordingly."""

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
    """Whether a stream gets colours: a terminal does, others where FORCE_COLOR asks for it, and none with NO_COLOR.

    A variable that is there and empty says nothing: https://no-color.org, https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def console(*, errors: bool = False) -> Console:
    """What Rich prints with: on standard output, or on the error stream. Text is printed as it stands, if it can be."""
    from rich.console import Console
    from rich.segment import Segment

    class PrintableConsole(Console):
        """A console in which no text is a command to a terminal: only styles are."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            """What is printed, in pieces of one style each."""
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else printable(text, lines=True), style, control)

    # The colours that every terminal has are all that we use, and none means that there is nothing bold either.
    wanted = is_coloured(sys.stderr if errors else sys.stdout)
    return PrintableConsole(stderr=errors, highlight=False, markup=False, color_system="standard" if wanted else None)
