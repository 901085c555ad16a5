"""`houserule diff`: a game and house rules go in, what they make different comes out in words."""

from __future__ import annotations

from typing import Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import fail, load_game


def diff(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    variants: With = None,
    options: Set = None,
) -> None:
    """Tell what house rules make different in a game: what is added, changed, removed, and rewritten line by line."""
    chosen = settings(options)
    if not variants and not chosen:
        fail("a game does not differ from itself", f"houserule diff {game} --with VARIANT")
    loaded = load_game(game, variants or (), chosen)
    found = loaded.differences()
    for line in found or [f"nothing differs: every rule and every option is that of '{loaded.id}' as it is"]:
        typer.echo(line)
