"""`houserule replay`: show a saved match from its beginning."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from houserule.cli.report import FAILED, Work, fail, render_fault, tell


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record saved by `houserule play`.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Where its game is, if that has moved: a bundled id or a path."),
    ] = None,
    work: Work = 1,
) -> None:
    """Replay a saved match."""

    import houserule
    from houserule.cli.colours import console
    from houserule.cli.phrases import say
    from houserule.cli.picture import picture_of
    from houserule.cli.play import replayed
    from houserule.cli.screen import one_line, print_events, sheet_of
    from houserule.table.compose import scene

    houserule.allow_work(work)
    if not file.is_file() or file.name == "game.yaml":
        no_record(file)
    match = replayed(file, game)
    language = match.language
    screen = console()
    screen.rule(one_line(match.game.title(language), style="bold"))
    screen.print(
        one_line(
            say(language, "seed", players=say(language, "comma").join(match.players), seed=match.seed), style="dim"
        )
    )
    print_events(screen, match.events)
    screen.print()
    if match.is_over:
        screen.print(picture_of(scene(match), screen.width))
        try:
            screen.print(sheet_of(match))
        except houserule.RuleFault as fault:
            tell(render_fault(fault), sys.stderr)
            raise typer.Exit(FAILED) from None
    else:
        screen.print(picture_of(scene(match), screen.width))
        waiting = say(language, "comma").join(dict.fromkeys(choice.player for choice in match.pending))
        screen.print(one_line(say(language, "ends_here", players=waiting)))
        screen.print(one_line(say(language, "goes_on", file=file), style="dim"))


def no_record(file: Path) -> NoReturn:
    """Report what the file is instead of a record, and exit."""
    import houserule

    try:
        houserule.find(file)
    except houserule.UnknownGame:
        if file.is_dir():
            fail(
                f"'{file}' is a folder, not the record of a match",
                f"name a file in it: houserule replay {file / 'FILE'}",
            )
        fail(f"there is no file '{file}'")
    fail(f"'{file}' is a game, not the record of a match", f"houserule play {file}")
