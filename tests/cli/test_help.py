"""The help of the commands, as somebody reads it who does not program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner, Result

from houserule.cli import application
from houserule.cli.shelf import new

Houserule = Callable[..., Result]

COMMANDS: list[tuple[str, ...]] = [
    (),
    *((name,) for name in application.COMMANDS),
    ("new",),
    *(("new", str(command.name)) for command in new.registered_commands),
]


def help_of(houserule: Houserule, *command: str) -> str:
    """The help of a command."""
    return houserule(*command, "--help").stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_help_names_no_types(houserule: Houserule, command: tuple[str, ...]) -> None:
    shown = help_of(houserule, *command)
    assert "--help" in shown
    # What can be chosen from is worth showing, as in <text|json>; so is what a number may be, as in [x>=1].
    types = re.findall(r"<[^<>|]*>|\b(?:INTEGER|FLOAT|BOOLEAN|TEXT|PATH RANGE)\b", shown.replace("[x>=", ""))
    assert types == []


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in ((), ("new",))], ids=" ".join)
def test_each_command_has_examples_that_can_be_typed(houserule: Houserule, command: tuple[str, ...]) -> None:
    examples = re.findall(r"^ (houserule .*?) *$", help_of(houserule, *command), re.M)
    if command != ("lsp",):  # an editor starts it
        assert examples
    for example in examples:
        _, name, *words = shlex.split(example)
        assert (name, *words)[: len(command)] == command
        found = get_command(application.application).get_command(None, name)
        while isinstance(found, TyperGroup):
            found = found.commands[words.pop(0)]
        found.make_context(name, words, resilient_parsing=False)  # which exits after a malformed call


def test_extras_to_install_are_named_whole(houserule: Houserule) -> None:
    for command in ("lsp", "mcp", "site"):
        assert f"\n pip install 'houserule[{command}]'" in help_of(houserule, command)


def test_a_number_is_called_one(houserule: Houserule) -> None:
    shown = help_of(houserule, "simulate")
    for option in ("--matches", "--players", "--seed", "--workers"):
        assert re.search(rf"{option}.*NUMBER", shown)


@pytest.mark.parametrize(
    ("command", "words"),
    [("check", "lead to the same end, every option is accepted"), ("format", "What cannot be read stays")],
)
def test_lines_of_the_help_end_at_the_edge_and_nowhere_else(
    houserule: Houserule, monkeypatch: pytest.MonkeyPatch, command: str, words: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    assert words in help_of(houserule, command)


@pytest.mark.parametrize(("command", "usage"), [("test", "[GAME|PATH]... "), ("format", "[GAME|PATH]... ")])
def test_dots_say_once_that_there_may_be_more(houserule: Houserule, command: str, usage: str) -> None:
    assert f" {usage}" in help_of(houserule, command)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("houserule val", ["validate"]),
        ("houserule show ali", ["ali_baba"]),
        ("houserule check ali_baba --with ", ["equal_treasures", "magic_lamp", "small_cave"]),
        ("houserule rulebook ali_baba --with mag", ["magic_lamp"]),
        ("houserule show ./nowhere --with ", []),
        ("houserule compare ali_baba --against mag", ["magic_lamp"]),
        ("houserule ladder ali_baba --against mag", ["magic_lamp"]),
        ("houserule new game mine --from ali", ["ali_baba"]),
        ("houserule explain HR50", [f"HR50{digit}" for digit in range(1, 10)]),
        ("houserule docs lang", ["language"]),
        ("houserule new va", ["variant"]),
    ],
)
def test_a_shell_completes_commands_games_and_house_rules(words: str, found: list[str]) -> None:
    asked = {"_HOUSERULE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    result = CliRunner().invoke(application.application, [], prog_name="houserule", env=asked)
    assert result.stdout.split() == found
