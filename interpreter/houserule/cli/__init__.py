"""The command `houserule`: words typed in a terminal go in; matches, figures and diagnostics come out."""

from __future__ import annotations

import gc

ROOM = 50_000
"""Objects that are made before garbage is looked for; a command makes a few hundred thousand before it begins."""


def main() -> None:
    """Run the command line. Leaves with 0 when all is well, 1 after diagnostics or failures, 2 after a wrong call."""
    gc.set_threshold(ROOM)

    from houserule.cli.application import application

    application(prog_name="houserule")
