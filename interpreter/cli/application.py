"""Makes one command line out of the modules beside it, one command each."""

from __future__ import annotations

from typing import Annotated

import typer

from interpreter.cli import check, diff, explain, format, games, new, play, replay, show, simulate, test, validate, why
from interpreter.cli.help import Command, Group

application = typer.Typer(
    name="houserule",
    cls=Group,
    help="Runs tabletop games from rule files: checks them, tests them, plays them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"houserule {version('houserule')}")
        raise typer.Exit


@application.callback()
def houserule(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Runs tabletop games from rule files: checks them, tests them, plays them."""


application.command("games", cls=Command)(games.games)
application.command("validate", cls=Command)(validate.validate)
application.command("format", cls=Command)(format.format)
application.command("test", cls=Command)(test.test)
application.command("check", cls=Command)(check.check)
application.command("play", cls=Command)(play.play)
application.command("replay", cls=Command)(replay.replay)
application.command("simulate", cls=Command)(simulate.simulate)
application.command("show", cls=Command)(show.show)
application.command("diff", cls=Command)(diff.diff)
application.command("why", cls=Command)(why.why)
application.command("explain", cls=Command)(explain.explain)
application.add_typer(new.new, name="new")


def main() -> None:
    """Run the command line. Leaves with 0 when all is well, 1 after diagnostics or failures, 2 after a wrong call."""
    application(prog_name="houserule")
