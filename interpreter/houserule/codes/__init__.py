"""The table of codes: a row for each kind of diagnostic, with why it matters and an example that a test runs.

`houserule explain` prints a row, and the reference shows all of them. Codes are never reused.
"""

from __future__ import annotations

from houserule.codes.checking import CHECKING
from houserule.codes.layouts import LAYOUTS
from houserule.codes.merging import MERGING
from houserule.codes.parsing import PARSING
from houserule.codes.reading import READING
from houserule.codes.row import Code
from houserule.codes.scenarios import PLAYED_GAME, SCENARIOS
from houserule.codes.shape import SHAPE
from houserule.codes.variants import CHANGED_GAME, VARIANTS

__all__ = [
    "CHANGED_GAME",
    "CHECKING",
    "CODES",
    "LAYOUTS",
    "MERGING",
    "PARSING",
    "PLAYED_GAME",
    "READING",
    "ROWS",
    "SCENARIOS",
    "SHAPE",
    "VARIANTS",
    "Code",
    "page",
]

ROWS = (*READING, *SHAPE, *MERGING, *PARSING, *CHECKING, *LAYOUTS, *SCENARIOS, *VARIANTS)
CODES: dict[str, Code] = {row.code: row for row in ROWS}


def page(row: Code) -> str:
    """The row as a page of text."""
    parts = [f"{row.code} ({row.severity}): {row.title}", row.why]
    game = {"variant": CHANGED_GAME, "scenario": PLAYED_GAME}.get(row.document, "") if row.broken else ""
    for heading, example in (("The game:", game), ("Broken:", row.broken), ("Fixed:", row.mended)):
        if example:
            parts.append("\n".join([heading, "", *(f"    {line}" for line in example.rstrip("\n").split("\n"))]))
    return "\n\n".join(parts)
