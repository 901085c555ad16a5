"""The options `--with` and `--set`: house rules and settings of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from houserule.cli.report import fail

With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="VARIANT", help="A house rule to use: its id or a path; can be repeated."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; can be repeated."),
]


def settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """The settings of options, by name; exits with a sentence if one has no value or two."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not (name and sign and value):
            fail(f"--set expects an option and its value, but got '{pair}'", f"--set {name or 'option'}={value or '…'}")
        if found.get(name, value) != value:
            fail(f"'{name}' is set to both {found[name]} and {value}", "keep one of the two")
        found[name] = value
    return found
