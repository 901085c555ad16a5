"""`houserule explain`: the code of a diagnostic goes in, its page comes out."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.report import fail
from houserule.codes import CHANGED_GAME, CODES, PLAYED_GAME, Code
from houserule.diagnostics import nearest


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a diagnostic, as in HR512.")],
) -> None:
    """Explain a diagnostic: why it matters, a broken example, the mended one."""
    wanted = f"HR{code}" if code.isdigit() else code.upper()
    row = CODES.get(wanted)
    if row is None:
        suggestion = nearest(wanted, CODES)
        fail(
            f"there is no diagnostic '{code}'",
            f"did you mean '{suggestion}'?" if suggestion else f"they go from {min(CODES)} to {max(CODES)}",
        )
    typer.echo(page(row))


def page(row: Code) -> str:
    """The row as a page of text."""
    parts = [f"{row.code} ({row.severity}): {row.title}", row.why]
    game = {"variant": CHANGED_GAME, "scenario": PLAYED_GAME}.get(row.document, "") if row.broken else ""
    for heading, example in (("The game:", game), ("Broken:", row.broken), ("Mended:", row.mended)):
        if example:
            parts.append("\n".join([heading, "", *(f"    {line}" for line in example.rstrip("\n").split("\n"))]))
    return "\n\n".join(parts)
