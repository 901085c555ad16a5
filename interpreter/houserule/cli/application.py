"""Assembles the command line from the other modules of this room, one for each command."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

from houserule.cli.help import Command, Group

COMMANDS = tuple(
    "games validate format test check play serve replay simulate compare sweep show rulebook diff why explain docs new lsp".split()
)
"""The commands in the order of the help. Each is a function of the same name,"""
AT = {
    "games": "describe",
    "show": "describe",
    "diff": "describe",
    "why": "describe",
    "explain": "docs",
    "replay": "play",
}
"""in the module of its name, or in this one."""


class Commands(Group):
    """Imports a command when it is used, so that `validate` does not load what `play` needs."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  Click passes it
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  Click passes it
        """The command with that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = made(cmd_name)
        return self.commands[cmd_name]


def source_of(name: str) -> Any:
    """The function that defines a command; for `new`, a group of commands, its Typer application."""
    return getattr(import_module(f"houserule.cli.{AT.get(name, name)}"), name)


def class_of(name: str) -> type[Command]:
    """The class of a command; if its module has `as_meant`, the command first passes its words through that."""
    module = import_module(f"houserule.cli.{AT.get(name, name)}")
    if not hasattr(module, "as_meant"):
        return Command
    as_meant: Callable[[list[str]], list[str]] = module.as_meant

    class Reading(Command):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            found: list[str] = super().parse_args(ctx, as_meant(args))
            return found

    return Reading


def made(name: str) -> Any:
    """A command, or a group of commands."""
    found = source_of(name)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False)
        alone.command(name, cls=class_of(name))(found)
        found = alone
    return typer.main.get_command(found)


application = typer.Typer(
    name="houserule",
    cls=Commands,
    help="Check, test and play tabletop games from rule files.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        from houserule.cli.reports import version_in_use

        typer.echo(f"houserule {version_in_use().get('semanticVersion', '(not installed, so it has no version)')}")
        raise typer.Exit


@application.callback()
def houserule(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Check, test and play tabletop games from rule files."""
