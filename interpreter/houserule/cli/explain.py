"""`houserule explain`: explain the code of a message."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.report import fail, tell
from houserule.codes import CHANGED_GAME, CODES, PLAYED_GAME, Code
from houserule.diagnostics import nearest
from houserule.numerals import whole_number


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a message, such as HR512.")],
) -> None:
    """Explain a message: why it matters, with a broken and a fixed example."""
    wanted = f"HR{code}" if whole_number(code) is not None else code.upper()
    row = CODES.get(wanted)
    if row is None:
        suggestion = nearest(wanted, CODES)
        fail(
            f"there is no code '{code}'",
            f"did you mean '{suggestion}'?" if suggestion else f"codes go from {min(CODES)} to {max(CODES)}",
        )
    tell(page(row))


def page(row: Code) -> str:
    """The row as a page of text."""
    parts = [f"{row.code} ({row.severity}): {row.title}", row.why]
    game = {"variant": CHANGED_GAME, "scenario": PLAYED_GAME}.get(row.document, "") if row.broken else ""
    for heading, example in (("The game:", game), ("Broken:", row.broken), ("Fixed:", row.mended)):
        if example:
            parts.append("\n".join([heading, "", *(f"    {line}" for line in example.rstrip("\n").split("\n"))]))
    return "\n\n".join(parts)
