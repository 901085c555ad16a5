"""`houserule show`: describe a game, or show what a stage made of its rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import load_game


class Stage(StrEnum):
    """The stages whose results can be shown."""

    merged = "merged"
    tree = "tree"
    check = "check"
    segments = "segments"


def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    stage: Annotated[Stage | None, typer.Option(help="Print the result of this stage.")] = None,
    variants: With = None,
    options: Set = None,
) -> None:
    """Describe a game, or show the result of a stage."""
    loaded = load_game(game, variants or (), settings(options))
    if stage is not None:
        typer.echo(loaded.stage(stage.value))
        return
    fewest, most = min(loaded.players), max(loaded.players)
    typer.echo(f"{loaded.title('en')} ({loaded.id})")
    typer.echo(f"{fewest} players" if fewest == most else f"{fewest} to {most} players")
    typer.echo(f"languages: {', '.join(loaded.languages)}")
    if loaded.variants:
        typer.echo(f"with: {', '.join(variant.name for variant in loaded.loaded.variants)}")
    if loaded.settings:
        typer.echo(f"options: {', '.join(f'{name}: {value}' for name, value in loaded.settings.items())}")
    text = loaded.text("en").strip()
    if text:
        typer.echo("")
        typer.echo(text)
    if loaded.defaults:
        typer.echo("")
        typer.echo("options, for --set:")
        width = max(len(f"{name}={default}") for name, default in loaded.defaults.items())
        for name, default in loaded.defaults.items():
            about = loaded.definition.options[name].text
            typer.echo(f"  {f'{name}={default}':{width}}  {about.raw('en') if about else ''}".rstrip())
    if loaded.house_rules:
        typer.echo("")
        typer.echo("house rules, for --with:")
        width = max(len(name) for name in loaded.house_rules)
        for name, title in loaded.titles_of_house_rules("en").items():
            typer.echo(f"  {name:{width}}  {title}".rstrip())
    if loaded.assumptions:
        typer.echo("")
        typer.echo(
            f"{len(loaded.assumptions)} rules that the rulebook leaves open: houserule validate {game} --assumed"
        )
