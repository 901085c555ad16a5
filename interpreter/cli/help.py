"""A command goes in; its help comes out for somebody who does not program: no names of types, paragraphs that flow."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterable


def flowing(text: str) -> str:
    """A text whose lines break where the paragraphs end, and nowhere else."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n"))


def untyped(parameters: Iterable[Any]) -> None:
    """Take the names of types off the help of arguments, whose name says it, and of flags, which hold nothing."""
    for parameter in parameters:
        if isinstance(parameter, TyperArgument):
            vars(parameter)["display_type_rich"] = lambda **_: None
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = ""


class Command(TyperCommand):
    """A command with such a help."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.help = flowing(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, with the one for help."""
        found = list(super().get_params(ctx))
        untyped(found)
        return found


class Group(TyperGroup):
    """A group of commands with such a help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, with the one for help."""
        found = list(super().get_params(ctx))
        untyped(found)
        return found
