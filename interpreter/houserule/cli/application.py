"""Assembles the command line from the other modules of this room, one for each command, and words its help."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args

import typer
from rich.markup import escape
from typer import BadParameter
from typer.core import TyperArgument, TyperCommand, TyperGroup

from houserule.cli.report import fail
from houserule.diagnostics import did_you_mean, nearest
from houserule.reading import entered

# --- wrong call -------------------------------------------------------------------------------------------------------


EXAMPLE = 3
"""The example of a number without a default."""


def refuse(wrong: Any, command: Any, path: str, words: Sequence[str]) -> NoReturn:
    """Explain Typer's error about the words after a command, and exit."""
    option: Any = getattr(wrong, "option_name", None)
    if hasattr(wrong, "possibilities"):
        known = [name for param in command.params for name in names_of(param)]
        refuse_name("option", option, known, path)
    param = getattr(wrong, "param", None) or next((p for p in command.params if option in names_of(p)), None)
    if param is not None:
        refuse_value(param, command, path, words)
    extra = re.search(r"unexpected extra.*\((.*)\)", wrong.format_message())
    if extra is None:
        fail(re.sub(r"\A[A-Z]", lambda first: first[0].lower(), wrong.format_message()), f"see `{path} --help`")
    before = next((word for word, other in pairwise(words) if other == extra[1].split(" ")[0]), "")
    joined = f"leave out the space after the comma: {before}{extra[1]}" if before.endswith(",") else None
    fail(f"'{path.partition(' ')[2]}' does not expect '{extra[1]}'", joined or call(command, path))


def refuse_value(param: Any, command: Any, path: str, words: Sequence[str]) -> NoReturn:
    """Report what an argument or an option expects, and exit."""
    if param.param_type_name == "argument":
        about = f": {param.help[0].lower()}{param.help[1:].rstrip('.')}" if param.help else ""
        fail(f"'{path.partition(' ')[2]}' expects {param.metavar}{about}", call(command, path))
    option, value = typed(names_of(param), words)
    if getattr(param, "is_flag", False):
        fail(f"{option} takes no value", option)
    got = "but nothing follows it" if value is None else f"but got '{value}'"
    wanted, example = wanted_by(param, command, value or "")
    fail(f"{option} expects {wanted}, {got}", f"{option} {example}")


def refuse_name(what: str, name: str, known: Iterable[str], path: str) -> NoReturn:
    """Report something that a command does not have, and exit."""
    has_no = f"'{path.partition(' ')[2]}' has no" if " " in path else "there is no"
    fail(f"{has_no} {what} '{name}'", did_you_mean(name, known) or f"`{path} --help` lists them")


def call(command: Any, path: str) -> str:
    return " ".join([path, *(p.metavar for p in command.params if p.param_type_name == "argument" and p.metavar)])


def names_of(param: Any) -> list[str]:
    return [*param.opts, *param.secondary_opts] if param.param_type_name == "option" else []


def typed(names: Sequence[str], words: Sequence[str]) -> tuple[str, str | None]:
    """The spelling of an option in the call, and its value; the last one counts."""
    for number in reversed(range(len(words))):
        word = words[number]
        name, sign, value = word.partition("=")
        if name in names:
            return name, value if sign else next(iter(words[number + 1 :]), None)
        if word[:2] in names and not word.startswith("--"):
            return word[:2], word[2:]
    return names[0], None


def wanted_by(param: Any, command: Any, value: str) -> tuple[str, str]:
    """The expected value of an option, in words and as an example."""
    # The annotations of the command's function say this in all versions of Typer.
    signature = inspect.signature(inspect.unwrap(command.callback), eval_str=True)
    type, info = get_args(signature.parameters[param.name].annotation)[:2]
    type = next((one for one in get_args(type) if one is not None.__class__), type)
    if inspect.isclass(type) and issubclass(type, Enum):
        choices = [str(one.value) for one in type]
        return f"{', '.join(choices[:-1])} or {choices[-1]}", nearest(value, choices) or choices[0]
    if type not in (int, float):
        return param.metavar or "a value", param.metavar or "…"
    whole = "a whole number" if type is int else "a number"
    if info.max is not None:
        whole += f" from {info.min} to {info.max}"
    elif info.min is not None:
        whole += f" of at least {info.min}"
    return whole, str(param.default or info.max or EXAMPLE)


# --- help -------------------------------------------------------------------------------------------------------------


WRONG_CALL: Any = BadParameter.__bases__
"""Typer's exception for a malformed call, whichever package defines it."""


EXAMPLES = ("houserule ", "pip install ")
"""How the examples in a help text begin."""


def flowing(text: str) -> str:
    """A help text whose paragraphs fill the lines of a terminal, and whose examples keep theirs."""
    paragraphs = [paragraph.split("\n") for paragraph in escape(inspect.cleandoc(text)).split("\n\n")]
    return "\n\n".join(
        "\n".join(lines) if lines[0].startswith(EXAMPLES) else " ".join(" ".join(lines).split()) for lines in paragraphs
    )


def untyped(parameters: Iterable[Any]) -> list[Any]:
    """Parameters without the names of types in the help of arguments, whose names say enough, and of flags."""
    found = list(parameters)
    for parameter in found:
        if isinstance(parameter, TyperArgument):
            vars(parameter)["display_type_rich"] = lambda **_: None
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return found


def context(make: Callable[..., Any], command: Any, name: str | None, words: list[str], around: Any, more: Any) -> Any:
    """Typer's context for the words after a command; exits with a sentence if they make no sense."""
    typed = list(words)
    try:
        return make(name, words, around, **more)
    except WRONG_CALL as wrong:
        if not typed and command.no_args_is_help:
            raise
        refuse(wrong, command, f"{around.command_path} {name}" if around is not None else str(name), typed)


class Command(TyperCommand):
    """A command with plain help."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.help = flowing(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, including `--help`."""
        return untyped(super().get_params(ctx))

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
            from houserule.extras import missing_extra

            missing = missing_extra(failed)
            if missing is None:
                raise
            fail(str(missing))


class Group(TyperGroup):
    """A group of commands with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, including `--help`."""
        return untyped(super().get_params(ctx))

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return context(super().make_context, self, info_name, args, parent, extra)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except WRONG_CALL:
            refuse_name("command", args[0], self.list_commands(ctx), ctx.command_path)


COMMANDS = tuple(
    "games validate format test check play serve replay simulate compare sweep ladder show rulebook print diff why explain docs icons new add publish site lsp actions engine mcp".split()
)
"""The commands in the order of the help. Each is a function of the same name,"""
AT = {
    "format": "validate",
    "test": "check",
    **dict.fromkeys(("new", "add", "publish"), "shelf"),
    **dict.fromkeys(("site", "lsp", "actions", "engine", "mcp"), "serve"),
    "replay": "play",
    "print": "printing",
    **dict.fromkeys(("simulate", "compare", "sweep"), "studies"),
    **dict.fromkeys(("games", "show", "rulebook", "diff", "why", "explain", "icons"), "docs"),
}
"""in the module of its name, or in this one."""
NAMED = {"print": "print_game"}
"""The functions with another name than their commands, which is one of Python's own."""


class Commands(Group):
    """Imports a command when it is used, so that `validate` does not load what `play` needs."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  Click passes it
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  Click passes it
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = made(cmd_name)
        return self.commands[cmd_name]


def source_of(name: str) -> Any:
    """The function that defines a command; for `new`, a group of commands, its Typer application."""
    return getattr(import_module(f"houserule.cli.{AT.get(name, name)}"), NAMED.get(name, name))


def made(name: str) -> Any:
    found = source_of(name)
    if isinstance(found, typer.Typer):
        found.info.cls = Group
        for command in found.registered_commands:
            command.cls = Command
        return typer.main.get_command(found)

    class Reading(Command):
        """A command whose words first pass through `as_meant`, if its module has that."""

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            as_meant = getattr(sys.modules[found.__module__], "as_meant", list)
            words: list[str] = super().parse_args(ctx, as_meant(args))
            return words

    alone = typer.Typer(add_completion=False)
    alone.command(name, cls=Reading)(found)
    return typer.main.get_command(alone)


application = typer.Typer(
    name="houserule",
    cls=Commands,
    help="Check, test and play tabletop games from rule files.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
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
