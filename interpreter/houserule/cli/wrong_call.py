"""Explains malformed calls: what is wrong, and a call that works."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any, NoReturn, get_args

from houserule.cli.report import fail
from houserule.diagnostics import did_you_mean, nearest

EXAMPLE = 3
"""The example of a number without a default."""


def refuse(wrong: Any, command: Any, path: str, words: Sequence[str]) -> NoReturn:
    """Explain Typer's error about the words after a command, and exit."""
    option: Any = getattr(wrong, "option_name", None)
    if hasattr(wrong, "possibilities"):
        known = [name for param in command.params for name in names_of(param)]
        fail(f"{has_no(path)} option '{option}'", did_you_mean(option, known) or f"`{path} --help` lists them")
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


def refuse_command(name: str, path: str, known: Iterable[str]) -> NoReturn:
    """Report that there is no such command, with the probable one, and exit."""
    fail(f"{has_no(path)} command '{name}'", did_you_mean(name, known) or f"`{path} --help` lists them")


def has_no(path: str) -> str:
    """The beginning of a sentence about something that a command does not have."""
    return f"'{path.partition(' ')[2]}' has no" if " " in path else "there is no"


def call(command: Any, path: str) -> str:
    """A command with its required arguments."""
    return " ".join([path, *(p.metavar for p in command.params if p.param_type_name == "argument" and p.metavar)])


def names_of(param: Any) -> list[str]:
    """The spellings of an option."""
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
