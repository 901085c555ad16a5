"""`houserule lsp`: serve editors that speak the Language Server Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.streams import leave, stop_by


def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak over standard input and output, as is usual.")] = True,
) -> None:
    """Serve an editor over standard input and output: diagnostics, completion, hover, renaming and more.

    It is started by the editor. pip install 'houserule[lsp]'
    """
    from houserule.lsp.making import make

    assert stdio
    stop_by(leave)
    with open(1, "wb", closefd=False) as out:  # buffered in any case: two threads write, and a message is written whole
        make().start_io(stdout=out)
