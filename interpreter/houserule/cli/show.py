"""`houserule show`: describe a game, or show what a stage made of its rules."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import load_game, seats_of, tell
from houserule.printable import printable

if TYPE_CHECKING:
    from houserule import Game


def show_table(game: Game, players: str | None) -> None:
    """Show the table of a game as it is before the first answer."""
    from houserule.cli.colours import console
    from houserule.cli.picture import picture_of
    from houserule.table.compose import scene

    screen = console()
    screen.print(picture_of(scene(game.start(players=seats_of(game, players), seed=0)), screen.width))


class Stage(StrEnum):
    """The stages whose results can be shown."""

    merged = "merged"
    tree = "tree"
    check = "check"
    segments = "segments"


def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    stage: Annotated[Stage | None, typer.Option(help="Print the result of this stage.")] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Show its table after the set-up, with every face up.")
    ] = False,
    players: Annotated[
        str | None, typer.Option(metavar="N|NAMES", help="With --table: how many, or names separated by commas.")
    ] = None,
    variants: With = None,
    options: Set = None,
) -> None:
    """Describe a game, show the result of a stage, or show its table."""
    loaded = load_game(game, variants or (), settings(options))
    if table:
        show_table(loaded, players)
        return
    if stage is not None:
        tell(loaded.stage(stage.value))
        return
    fewest, most = min(loaded.players), max(loaded.players)
    tell(f"{printable(loaded.title('en'))} ({loaded.id})")
    tell(f"{fewest} players" if fewest == most else f"{fewest} to {most} players")
    tell(f"languages: {', '.join(loaded.languages)}")
    if loaded.variants:
        tell(f"with: {', '.join(variant.name for variant in loaded.loaded.variants)}")
    if loaded.settings:
        tell(f"options: {', '.join(f'{name}: {value}' for name, value in loaded.settings.items())}")
    text = loaded.text("en").strip()
    if text:
        tell("")
        tell(text)
    if loaded.defaults:
        tell("")
        tell("options, for --set:")
        width = max(len(f"{name}={default}") for name, default in loaded.defaults.items())
        for name, default in loaded.defaults.items():
            about = loaded.definition.options[name].text
            tell(f"  {f'{name}={default}':{width}}  {printable(about.raw('en')) if about else ''}".rstrip())
    if loaded.house_rules:
        tell("")
        tell("house rules, for --with:")
        width = max(len(name) for name in loaded.house_rules)
        for name, title in loaded.titles_of_house_rules("en").items():
            tell(f"  {name:{width}}  {printable(title)}".rstrip())
    if loaded.assumptions:
        tell("")
        tell(f"{len(loaded.assumptions)} rules that the rulebook leaves open: houserule validate {game} --assumed")
