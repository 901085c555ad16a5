"""Commands with help and errors for people who do not program: no names of types, and plain sentences."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer import BadParameter
from typer.core import TyperArgument, TyperCommand, TyperGroup

from houserule.reading import entered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WRONG_CALL: Any = BadParameter.__bases__
"""Typer's exception for a malformed call, whichever package defines it."""


def flowing(text: str) -> str:
    """A text with line breaks only between paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n"))


def untyped(parameters: Iterable[Any]) -> None:
    """Remove the names of types from the help of arguments, whose names say enough, and of flags."""
    for parameter in parameters:
        if isinstance(parameter, TyperArgument):
            vars(parameter)["display_type_rich"] = lambda **_: None
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = ""


def context(make: Callable[..., Any], command: Any, name: str | None, words: list[str], around: Any, more: Any) -> Any:
    """Typer's context for the words after a command; exits with a sentence if they make no sense."""
    typed = list(words)
    try:
        return make(name, words, around, **more)
    except WRONG_CALL as wrong:
        if not typed and command.no_args_is_help:
            raise
        from houserule.cli.wrong_call import refuse

        refuse(wrong, command, f"{around.command_path} {name}" if around is not None else str(name), typed)


class Command(TyperCommand):
    """A command with plain help."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.help = flowing(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, including `--help`."""
        found = list(super().get_params(ctx))
        untyped(found)
        return found

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the command; exits after a malformed call."""
        made = context(super().make_context, self, info_name, args, parent, extra)
        for name, value in made.params.items():
            if isinstance(value, Path):
                made.params[name] = entered(value)
            elif isinstance(value, (list, tuple)):
                made.params[name] = [entered(one) if isinstance(one, Path) else one for one in value]
        return made

    def invoke(self, ctx: Any) -> Any:
        """Run the command; exits with a sentence if a library is not installed."""
        try:
            return super().invoke(ctx)
        except ImportError as failed:
            from houserule.cli.report import fail
            from houserule.extras import missing_extra

            missing = missing_extra(failed)
            if missing is None:
                raise
            fail(str(missing))


class Group(TyperGroup):
    """A group of commands with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, including `--help`."""
        found = list(super().get_params(ctx))
        untyped(found)
        return found

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the group; exits after a malformed call."""
        return context(super().make_context, self, info_name, args, parent, extra)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command with that name; exits if there is none."""
        try:
            return super().resolve_command(ctx, args)
        except WRONG_CALL:
            from houserule.cli.wrong_call import refuse_command

            refuse_command(args[0], ctx.command_path, self.list_commands(ctx))
