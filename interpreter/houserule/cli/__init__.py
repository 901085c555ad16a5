"""The command line `houserule`."""

from __future__ import annotations

import gc

ROOM = 50_000
"""How many new objects start a garbage collection; a command creates a few hundred thousand before it begins."""


def main() -> None:
    """Run the command line. Exits with 0 if all is well, 1 after diagnostics or failures, 2 after a malformed call."""
    gc.set_threshold(ROOM)

    from houserule.cli.application import application

    application(prog_name="houserule")
