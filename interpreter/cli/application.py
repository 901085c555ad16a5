"""Makes one command line out of the modules beside it, one command each."""

from __future__ import annotations

from typing import Annotated

import typer

from interpreter.cli import check, diff, explain, format, games, new, play, replay, show, simulate, test, validate, why

application = typer.Typer(
    name="houserule",
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


application.command("games")(games.games)
application.command("validate")(validate.validate)
application.command("format")(format.format)
application.command("test")(test.test)
application.command("check")(check.check)
application.command("play")(play.play)
application.command("replay")(replay.replay)
application.command("simulate")(simulate.simulate)
application.command("show")(show.show)
application.command("diff")(diff.diff)
application.command("why")(why.why)
application.command("explain")(explain.explain)
application.add_typer(new.new, name="new")


def main() -> None:
    """Run the command line. Leaves with 0 when all is well, 1 after diagnostics or failures, 2 after a wrong call."""
    application(prog_name="houserule")
