"""`houserule explain`: explain the code of a message."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.report import fail, tell
from houserule.codes import CODES, page
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
