"""`houserule diff`: say in words what house rules change in a game."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import fail, load_game, tell


def diff(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    variants: With = None,
    options: Set = None,
) -> None:
    """Say what house rules change in a game: what they add, change, remove, and rewrite line by line."""
    chosen = settings(options)
    if not variants and not chosen:
        fail("a game does not differ from itself", f"houserule diff {game} --with VARIANT")
    loaded = load_game(game, variants or (), chosen)
    found = loaded.differences()
    for line in found or [f"nothing differs: every rule and option is as in '{loaded.id}'"]:
        tell(line)
