"""What `--with` and `--set` say goes in; the variants and settings that a game is loaded with come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from houserule.cli.report import fail

With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="VARIANT", help="A house rule to play with: its id or a path; can be repeated."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; can be repeated."),
]


def settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """The options that are set, by name; leaves with a sentence where one has no value or two."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not (name and sign and value):
            fail(f"--set wants an option and its value, and got '{pair}'", f"--set {name or 'option'}={value or '…'}")
        if found.get(name, value) != value:
            fail(f"'{name}' is set to {found[name]} and to {value}", "keep one of the two")
        found[name] = value
    return found
