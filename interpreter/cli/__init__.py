"""The command `houserule`: words typed in a terminal go in; matches, figures and diagnostics come out."""

from interpreter.cli.application import main

__all__ = ["main"]
