"""Hostile files end in diagnostics or in a fault, within seconds and bounded memory, and never in a traceback.

Each is validated, and played if it can be, by the command in a process of its own that may take no more than one
gigabyte and a minute.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import pytest

from tests.taking_long import but_later

FILES = Path(__file__).parent / "files"
HOSTILE = sorted(FILES.glob("*.yaml"))
HEAD = "edition: 2026\ngame: hostile\nplayers: 2\nvariables: {n: int, b: bool}\n"
MOST_MEMORY = 1 << 30
MOST_SECONDS = 60


@dataclass
class Said:
    """How a command ended, and what it said on standard error."""

    returncode: int
    stderr: str


Houserule = Callable[..., Said]


@pytest.fixture(scope="module")
def houserule(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houserule]:
    """What the command does with these arguments, in a process of its own, within its bounds."""
    said = tmp_path_factory.mktemp("said") / "stderr.txt"
    server = subprocess.Popen(
        [sys.executable, Path(__file__).parent / "server.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )

    def run(*arguments: str) -> Said:
        assert server.stdin is not None and server.stdout is not None
        print(json.dumps([arguments, str(said), MOST_MEMORY, MOST_SECONDS]), file=server.stdin, flush=True)
        status = server.stdout.readline()
        return Said(int(status), said.read_text(encoding="utf-8"))

    with server:
        yield run


def said_about(houserule: Houserule, path: Path, folder: Path) -> str:
    """What is said when a game is validated, or else when it is played."""
    found = houserule("validate", str(path))
    if " error HR" not in found.stderr:
        assert found.returncode in (0, 1), found.stderr
        is_in_part = path.stem not in IN_FULL and FAULTS.get(path.stem) in ("takes too long", "in one match")
        less = ("--work", "0.1") if is_in_part else ()
        words = ("play", "--seats", "random", "--seed", "1", "--save", str(folder / "kept.record.json"), *less)
        if path.stem == "questions_without_end":  # to print ten thousand answers would take long
            words = ("simulate", "-n", "1", "--records", str(folder))
        found = houserule(words[0], str(path), *words[1:])
    assert "Traceback" not in found.stderr
    assert found.returncode in (0, 1), found.stderr
    return found.stderr


FAULTS = {
    "calls_by_the_million": "takes too long",
    "functions_by_the_million": "takes too long",
    "loops_with_a_way_out": "takes too long",
    "questions_without_end": "goes on and on",
    "conditions_in_conditions": "takes too long",
    "endless_loops": "went through 10000 passes",
    "endless_recursion": "deeper than 100",
    "exponential_actions": "takes too long",
    "exponential_functions": "takes too long",
    "flow_without_end": "went through 10000 passes",
    "lists_of_millions": "is too long; the limit is 10000",
    "loops_in_expressions": "takes too long",
    "loops_in_loops": "takes too long",
    "numbers_without_end": "too large",
    "ranges_of_millions": "is too long; the limit is 10000",
    "moves_without_end": "takes too long",
    "says_without_end": "takes too long",
    "triggers_that_pile_up": "without an end",
    "triggers_without_end": "without an end",
    "work_without_end": "takes too long",
    "draws_in_place": "takes too long",
    "events_by_the_million": "takes too long",
    "layouts_without_end": "takes too long",
    "lists_without_lists": "takes too long",
    "questions_with_work": "in one match",
    "squares_of_squares": "the product is too large",
    "points_beyond_count": "the points are too many",
}
IN_FULL = {"says_without_end", "events_by_the_million"}
"""Games that may do all the work that is allowed, in time and memory. Others that work too much are stopped after a tenth of it."""
HARMLESS = {"any_of_a_thousand", "arguments_written_twice", "begins_by_count", "code_without_end"}
HARMLESS |= {"tables_by_the_million", "webs_of_secrets", "words_of_python"}


TAKES_LONG = {"draws_in_place", "products_at_load", "questions_without_end", "any_of_a_thousand", "questions_with_work"}


@pytest.mark.parametrize(
    "path", but_later(HOSTILE, {path for path in HOSTILE if path.stem in TAKES_LONG}), ids=lambda path: path.stem
)
def test_a_hostile_game_is_refused_or_stopped(path: Path, houserule: Houserule, tmp_path: Path) -> None:
    said = said_about(houserule, path, tmp_path)
    if path.stem in HARMLESS:
        assert "fault:" not in said
    elif path.stem in FAULTS:
        assert "fault:" in said
        assert FAULTS[path.stem] in said
    else:
        assert " error HR" in said


@pytest.mark.parametrize("name", ["calls_by_the_million", "loops_with_a_way_out", "triggers_without_end"])
def test_a_hostile_game_is_stopped_where_many_matches_of_it_are_played(
    name: str, houserule: Houserule, tmp_path: Path
) -> None:
    less = ("--work", "0.1") if FAULTS[name] == "takes too long" else ()
    found = houserule("simulate", str(FILES / f"{name}.yaml"), "-n", "20", "--records", str(tmp_path), *less)
    assert "Traceback" not in found.stderr
    assert found.returncode == 1 and FAULTS[name] in found.stderr


FAILS = HEAD + 'flow: {round: {do: "n = 5 // n"}}\n'
"""Rules that cannot be carried out from the beginning."""
TOLD = (
    f"{HEAD}flow:\n  round:\n    do: |\n      for i in 1..6:\n        repeat 9999 times: n += i\nscoring: {{all: n}}\n"
)
"""Rules that may be played, and not told, with a hundredth of the usual work."""


@pytest.mark.parametrize(
    ("rules", "words", "code"),
    [
        (FAILS, ("show", "--table"), 1),
        (FAILS, ("rulebook",), 0),
        (TOLD, ("play", "--seats", "random", "--work", "0.01", "--save", "/dev/null"), 1),
        (TOLD, ("simulate", "-n", "1", "--work", "0.01"), 0),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_a_command_that_plays_on_the_way_says_what_cannot_be_carried_out(
    rules: str, words: tuple[str, ...], code: int, houserule: Houserule, tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    found = houserule(words[0], str(tmp_path), *words[1:])
    assert (found.returncode, "Traceback" in found.stderr) == (code, False), found.stderr
    assert ("fault:" in found.stderr) == (code == 1)


@pytest.mark.parametrize("head", ["for {x} in 1..1:", "while n < 1:", "repeat 1 times:"])
def test_no_loops_are_too_deep(head: str, houserule: Houserule, tmp_path: Path) -> None:
    steps = "".join(f"{'    ' * i}  s{i}:\n{'    ' * i}    repeat: 1\n{'    ' * i}    steps:\n" for i in range(10))
    loops = "\n".join(f"{'  ' * i}{head.format(x=f'x{i}')}" for i in range(30))
    flow = f"{HEAD}flow:\n{steps}"
    for name, body in (
        ("changes", "n += 1"),
        ("asks", "first(players) chooses m from 1..2; n = m"),
        ("finishes", "if n == 0: finish\nn = 1"),
    ):
        effect = indent(f"n = 0\n{loops}\n{indent(body, '  ' * 30)}", " " * 46)
        flow += f"{' ' * 42}{name}:\n{' ' * 44}do: |\n{effect}\n"
    path = tmp_path / "game.yaml"
    path.write_text(flow, encoding="utf-8")
    for command, *others in (["validate"], ["simulate", "-n", "2"], ["play", "--seats", "random", "--seed", "1"]):
        found = houserule(command, str(path), *others)
        assert (found.returncode, "Traceback" in found.stderr) == (0, False), found.stderr


QUOTE, BACKSLASH = '"', "\\"
DEEP = 10_000
LONG = 100_000
GENERATED: dict[str, Callable[[], str]] = {
    "brackets": lambda: HEAD + 'flow: {round: {do: "n = ' + "(" * DEEP + "1" + ")" * DEEP + '"}}\n',
    "brackets in YAML": lambda: f"{HEAD}flow: {'[' * DEEP}{']' * DEEP}\n",
    "braces in YAML": lambda: f"{HEAD}flow: {'{a: ' * DEEP}1{'}' * DEEP}\n",
    "brackets left open": lambda: HEAD + 'flow: {round: {do: "n = ' + "([" * DEEP + '"}}\n',
    "brackets of a list left open in YAML": lambda: f"{HEAD}flow: {'[' * LONG}\n",
    "lists in lists": lambda: HEAD + 'flow: {round: {do: "n = count(' + "[" * DEEP + "1" + "]" * DEEP + ')"}}\n',
    "indentation": lambda: HEAD + "flow:\n" + "".join(f"{' ' * depth}s{depth}:\n" for depth in range(1, 1500)),
    "blocks in blocks": lambda: (
        f"{HEAD}flow:\n  round:\n    do: |\n" + "".join(f"{'  ' * depth}      if b:\n" for depth in range(900))
    ),
    "not not not": lambda: f"{HEAD}flow: {{round: {{until: {'not ' * DEEP}b, do: nothing}}}}\n",
    "minus minus minus": lambda: f"{HEAD}flow: {{round: {{do: n = {'-' * DEEP}1}}}}\n",
    "dots": lambda: f"{HEAD}flow: {{round: {{do: n = n{'.a' * DEEP}}}}}\n",
    "a long sum": lambda: f"{HEAD}flow: {{round: {{do: n = 1{' + 1' * 4000}}}}}\n",
    "a long condition": lambda: f"{HEAD}flow: {{round: {{until: b{' or b' * 4000}, do: nothing}}}}\n",
    "conditions in conditions": lambda: f"{HEAD}flow: {{round: {{do: n = {'1 if b else ' * 1500}2}}}}\n",
    "actions in actions": lambda: (
        f"{HEAD}actions:\n"
        + "".join(f"  a{i}: perform a{i + 1}\n" for i in range(400))
        + "  a400: n += 1\nflow: {round: {do: perform a0}}\n"
    ),
    "many statements": lambda: f"{HEAD}flow:\n  round:\n    do: |\n" + "      n += 1\n" * 1400,
    "many wrong statements": lambda: f"{HEAD}flow:\n  round:\n    do: |\n" + "      mvoe n to n\n" * 1000,
    "blanks": lambda: f"{HEAD}flow: {{round: {{do: n ={' ' * LONG}1}}}}\n",
    "blanks before a sign": lambda: f"{HEAD}title: x{' ' * LONG}#\nflow: {{round: {{do: nothing}}}}\n",
    "words and blanks": lambda: f"{HEAD}title: {'x ' * LONG}:\nflow: {{round: {{do: nothing}}}}\n",
    "a long key": lambda: f"{HEAD}{'a' * LONG}: 1\nflow: {{round: {{do: nothing}}}}\n",
    "a key of many words": lambda: f"{HEAD}zones: {{{'a ' * DEEP}: 1}}\nflow: {{round: {{do: nothing}}}}\n",
    "a long signature": lambda: f"{HEAD}zones:\n  {'a' * LONG}({'b' * LONG}: 1\nflow: {{round: {{do: nothing}}}}\n",
    "commas": lambda: f"{HEAD}title: {{en: a{', b' * LONG}}}\nflow: {{round: {{do: nothing}}}}\n",
    "brackets and commas": lambda: f"{HEAD}title: {{en: {'f(a, ' * DEEP}}}\nflow: {{round: {{do: nothing}}}}\n",
    "quotes": lambda: f"{HEAD}title: {QUOTE * LONG}\nflow: {{round: {{do: nothing}}}}\n",
    "quotes in an effect": lambda: f"{HEAD}flow:\n  round:\n    do: |\n      say {(QUOTE + 'a') * 9000}\n",
    "backslashes": lambda: f"{HEAD}flow:\n  round:\n    do: |\n      say {QUOTE}{BACKSLASH * 15000}\n",
    "braces in prose": lambda: f'{HEAD}title: "{"{" * 15001}"\nflow: {{round: {{do: nothing}}}}\n',
    "expressions in prose": lambda: f'{HEAD}title: "{"{n}" * 5000}"\nflow: {{round: {{do: nothing}}}}\n',
    "colons": lambda: f"{HEAD}title: {'a: ' * DEEP}\nflow: {{round: {{do: nothing}}}}\n",
    "dashes": lambda: f"{HEAD}flow: {'- ' * DEEP}\n",
    "question marks": lambda: HEAD + "? " * DEEP + "\n",
    "anchors": lambda: HEAD + "".join(f"a{i}: &a{i} [{'*a' + str(i - 1) + ', ' if i else ''}x]\n" for i in range(2000)),
    "a billion laughs": lambda: (
        "a: &a [ha]\n"
        + "".join(
            f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
        )
    ),
    "many mistakes": lambda: HEAD + "".join(f"k{i}: [\n" for i in range(20_000)),
    "many unknown names": lambda: (
        f"{HEAD}flow:\n  round:\n    do: |\n" + "".join(f"      n = x{i}y{i}\n" for i in range(1200))
    ),
    "many names that are nearly there": lambda: (
        HEAD
        + "functions:\n"
        + "".join(f"  function_number_{i}: function_nmuber_{i}\n" for i in range(800))
        + "flow: {round: {do: nothing}}\n"
    ),
    "many pieces that are wrong": lambda: (
        HEAD
        + "enums: {e: [a]}\ncomponents:\n  card:\n    attributes: {x: e}\n    pieces:\n"
        + "".join(f"      p{i}: {{x: b{i}}}\n" for i in range(1500))
        + "flow: {round: {do: nothing}}\n"
    ),
    "ten megabytes": lambda: HEAD + "# and so on\n" * 900_000,
    "a huge number": lambda: f"{HEAD}flow: {{round: {{do: n = {'9' * DEEP}}}}}\n",
    "huge numbers of players": lambda: HEAD.replace("players: 2", f"players: 2..{'9' * 5000}") + "flow: {}\n",
    "carriage returns": lambda: HEAD + "\r" * LONG,
    "control characters": lambda: HEAD + "title: a\x07b\x1b[31m\n",
    "zero bytes": lambda: "\0" * LONG,
}


@pytest.mark.parametrize("what", but_later(GENERATED, {"many pieces that are wrong"}))
def test_hostile_text_is_refused_within_bounds(what: str, houserule: Houserule, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GENERATED[what](), encoding="utf-8")
    found = houserule("validate", str(path), "--strict")
    assert "Traceback" not in found.stderr
    assert found.returncode == 1, found.stderr[-2000:]


def test_a_path_can_be_hostile_too(houserule: Houserule, tmp_path: Path) -> None:
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    (tmp_path / "outside.yaml").symlink_to("/etc/passwd")
    (tmp_path / "device.yaml").symlink_to("/dev/zero")
    names = ["loop.yaml", "outside.yaml", "device.yaml", "\0", "a" * 5000, "../" * 200 + "etc/passwd", "/dev/zero", "."]
    listed = ", ".join('"' + name.replace("\0", "\\0") + '"' for name in names)
    (tmp_path / "game.yaml").write_text(
        f"{HEAD}include: [{listed}]\nflow: {{round: {{do: nothing}}}}\n", encoding="utf-8"
    )
    found = houserule("validate", str(tmp_path))
    assert "Traceback" not in found.stderr
    assert found.stderr.count(" error HR") == len(names)
    assert "root:" not in found.stderr
