"""The command line `houserule`."""

from __future__ import annotations

import atexit
import gc
import os
import sys

ROOM = 300_000
"""The number of new objects that starts a garbage collection; a command creates a few hundred thousand before it begins."""


def main() -> None:
    """Run the command line. Exits with 0 if all is well, and with 1 after diagnostics, failed scenarios and faults of rules.

    It exits with 2 after a malformed call, and if something cannot be read or written, including its output. After a signal to stop it exits with 128 plus the number of the signal, as shells do.
    """
    gc.set_threshold(ROOM)
    # The system takes all memory back; looking through it once more took a fifth of a short study.
    atexit.register(gc.freeze)
    # Processes that this one starts take no modules from the current folder either, which may be a stranger's.
    os.environ["PYTHONSAFEPATH"] = "1"

    from houserule.cli import streams
    from houserule.cli.application import application

    streams.prepare()
    sys.exit(streams.ended(lambda: application(prog_name="houserule")))
