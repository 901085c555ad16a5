"""`houserule why`: name the files and lines that made a value."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import fail, load_game, tell


def why(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="Keys with dots, such as tables.prize.red.")],
    variants: With = None,
    options: Set = None,
) -> None:
    """Name the files and lines that made a value: the game's own, and those of the house rules that change it."""
    loaded = load_game(game, variants or (), settings(options))
    try:
        lines = loaded.origin(path)
    except LookupError as unknown:
        fail(str(unknown), getattr(unknown, "suggestion", None))
    for line in lines:
        tell(line)
