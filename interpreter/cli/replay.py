"""`houserule replay`: a saved record goes in; the match it holds, told from the beginning, comes out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.report import FAILED, fail, render_fault


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record that `houserule play` saved.")],
) -> None:
    """Play a record back."""
    from rich.console import Console
    from rich.text import Text

    import interpreter
    from interpreter.cli.play import replayed
    from interpreter.cli.screen import players_of, print_events, sheet_of, table_of
    from interpreter.cli.words import say

    if not file.is_file():
        fail(f"there is no file '{file}'")
    match = replayed(file)
    language = match.language
    console = Console(highlight=False, markup=False)
    console.rule(Text(match.game.title(language), style="bold"))
    console.print(
        Text(say(language, "seed", players=say(language, "comma").join(match.players), seed=match.seed), style="dim")
    )
    print_events(console, match.events)
    console.print()
    if match.is_over:
        console.print(players_of(match.view(None), match.players, None, console.width, language))
        try:
            console.print(sheet_of(match))
        except interpreter.RuleFault as fault:
            print(render_fault(fault), file=sys.stderr)
            raise typer.Exit(FAILED) from None
    else:
        console.print(table_of(match.view(None), match.players, None, console.width, language))
        waiting = say(language, "comma").join(dict.fromkeys(choice.player for choice in match.pending))
        console.print(Text(say(language, "ends_here", players=waiting)))
        console.print(Text(say(language, "goes_on", file=file), style="dim"))
