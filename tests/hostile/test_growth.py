"""The work of checking and compiling grows with the rules, and no faster: each construct at three sizes, and as a long test each pair.

Work is counted in calls of Python functions, which are the same in every run; time is not. From one size to the next, twice as
great, what is added at most doubles, with a little more for a logarithm; what grows with the square would be four times as much.
"""

from __future__ import annotations

import cProfile
import os
import time
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

import houserule
from houserule.compiler.program import compile_game
from houserule.definition.readings import Readings
from houserule.diagnostics import Report
from houserule.frozen import without_collecting
from houserule.rulebook.book import in_print
from houserule.rulebook.chapters import rulebook
from houserule.rulebook.phrasebook import phrasebook
from houserule.workshop.library import examine
from tests.taking_long import but_later

HEAD = "edition: 2026\ngame: growing\nplayers: 2\n"
MOST_GROWTH = 2.8
"""A logarithm comes to 2.3 at these sizes, a square to 4."""
QUICK = 2.0
"""Seconds that regular expressions may take over a long text, which are no calls of Python: a square takes ten times as long."""
NESTED = {
    "first": ("first([", "])"),
    "given": ("beyond(n, ", ")"),
    "greatest": ("max([", "])"),
    "absolute": ("abs(", ")"),
    "sum": ("(1 + ", ")"),
    "either": ("(2 if n == 1 else ", ")"),
    "tested": ("(2 if ", " == 1 else 3)"),
    "players": ("count(p in players where me.score == ", ")"),
    "numbers": ("count(i in 1..6 where n == ", ")"),
    "cards": ("count(c in deck where c.worth == ", ")"),
    "table": ("least_of[", "]"),
    "called": ("twice(", ")"),
}
"""Expressions around expressions: what stands before and behind."""
Section = tuple[str, str]


def levels(line: str, size: int, first: str) -> str:
    """Lines of which each speaks of the one before; the first is another."""
    return first + "".join(line.format(i, i - 1) for i in range(1, size))


def lists_in_lists(number: int) -> str:
    """A count over the combinations of so many lists."""
    lists = " for ".join(f"a{i} in 1..8" for i in range(number))
    return f"n = count(n for {lists} where {' + '.join(f'a{i}' for i in range(number))} > n)\n"


WIDE: dict[str, Callable[[int], list[Section]]] = {
    "functions": lambda n: [
        ("functions", levels("  f{0}: f{1} + f{1}\n", n, "  f0: n\n")),
        ("do", f"n = f{n - 1}\n"),
    ],
    "parameters": lambda n: [
        ("functions", levels("  g{0}(int a): g{1}(a) + g{1}(a + 1)\n", n, "  g0(int a): a + n\n")),
        ("do", f"n = g{n - 1}(n)\n"),
    ],
    "printed": lambda n: [
        ("functions", "".join(f"  p{i}: p{i + 1} + 1\n" for i in range(8 * n)) + f"  p{8 * n}: 1\n"),
        ("do", "n = p0\n"),
    ],
    "actions": lambda n: [
        ("actions", levels("  a{0}: |\n    perform a{1}\n    perform a{1}\n", n, "  a0: n += 1\n")),
        ("do", f"perform a{n - 1}\n"),
    ],
    "questions": lambda n: [
        (
            "actions",
            levels(
                "  q{0}: |\n    perform q{1}\n    perform q{1}\n", n, "  q0: |\n    choose x from 0..3\n    n += x\n"
            ),
        ),
        ("do", f"perform q{n - 1}\n"),
    ],
    "triggers": lambda n: [
        ("variables", "".join(f"  t{i}: int\n" for i in range(n + 1))),
        ("triggers", "".join(f"  on{i}: {{whenever: t{i} changes, do: t{i + 1} += 1}}\n" for i in range(n))),
        ("do", "t0 += 1\n"),
    ],
    "around": lambda n: [
        ("actions", "".join(f"  b{i}: n += 1\n" for i in range(n))),
        ("triggers", "".join(f"  after{i}: {{whenever: after b{i}, do: n += 1}}\n" for i in range(n))),
        ("do", "".join(f"perform b{i}\n" for i in range(n))),
    ],
    "variables": lambda n: [
        ("variables", "".join(f"  v{i}: int\n" for i in range(n))),
        ("do", "".join(f"v{i} += n\n" for i in range(n))),
    ],
    "names": lambda n: [
        ("do", "".join(f"local{i} = n + {i}\n" for i in range(n))),
        ("do", f"n = {' + '.join(f'local{i}' for i in range(n))}\n"),
    ],
    "zones": lambda n: [
        ("zones", "".join(f"  z{i}: {{holds: card, visible: all}}\n" for i in range(n))),
        ("do", "".join(f"move top(z{i}) to z{(i + 1) % n}\n" for i in range(n))),
    ],
    "steps": lambda n: [("flow", "".join(f"  s{i}: {{do: n += 1}}\n" for i in range(n)))],
    "branches": lambda n: [
        ("do", "if n == 0: n = 1\n" + "".join(f"elif n == {i}: n = {i + 1}\n" for i in range(1, n)))
    ],
    "menu": lambda n: [("do", 'choose "Which?":\n' + "".join(f'  "Option {i}": n += {i}\n' for i in range(n)))],
    "choices": lambda n: [("do", "".join(f"choose c{i} from 0..3\nn += c{i}\n" for i in range(n)))],
    "score": lambda n: [("scoring", "".join(f"  line{i}: me.score + {i}\n" for i in range(n)))],
    "combinations": lambda n: [("do", lists_in_lists(n))],
    "list": lambda n: [("do", f"n = max([{', '.join(f'n + {i}' for i in range(n))}])\n")],
    "watched": lambda n: [
        ("zones", "".join(f"  y{i}: {{holds: card, visible: all}}\n" for i in range(n))),
        ("triggers", "".join(f"  w{i}: {{whenever: c enters y{i}, do: n += 1}}\n" for i in range(n))),
        ("do", "".join(f"move top(y{i}) to y{(i + 1) % n}\n" for i in range(n))),
    ],
    "anywhere": lambda n: [
        ("zones", "".join(f"  x{i}: {{holds: card, visible: all}}\n" for i in range(n))),
        ("do", "".join(f"for c{i} in deck: move c{i} to x{i}\n" for i in range(n))),
    ],
    "resets": lambda n: [
        ("variables", "".join(f"  r{i}: {{type: int, reset: p{i}}}\n" for i in range(n))),
        ("flow", "".join(f"  p{i}: {{do: r{i} += n}}\n" for i in range(n))),
    ],
    "kinds": lambda n: [
        ("components", "".join(f"  k{i}: {{starts_in: h{i}, pieces: {{a{i}: {{count: 2}}}}}}\n" for i in range(n))),
        ("zones", "".join(f"  h{i}: {{holds: k{i}, visible: all}}\n" for i in range(n))),
    ],
    "effects": lambda n: [
        (
            "enums",
            "  charm:\n    effects: [shine(player p)]\n    members:\n"
            + "".join(f"      m{i}: {{shine: p.score += {i}}}\n" for i in range(n)),
        ),
        ("do", "for m in charm: perform m.shine(me)\n"),
    ],
    "options": lambda n: [
        ("options", "".join(f"  o{i}: {{type: int, default: 1}}\n" for i in range(n))),
        ("do", "".join(f"n += o{i}\n" for i in range(n))),
    ],
}
GREW = ["watched+anywhere", "choices+watched", "choices+anywhere", "names+anywhere", "triggers+watched", "zones+kinds"]
"""Pairs of which the work once grew with both. The others are for `make fuzz`, and for the game that has all of them."""
SLOW_TO_BEGIN = {"choices", "menu"}
"""Blocks of a few questions are written in another way than more of them, and may not be compared with these.

Their games are larger, but with branches not so large that a chain of as many `elif` is refused.
"""
IS_FUZZ = bool(int(os.environ.get("HOUSERULE_FUZZ", "0")))
COMPARED = [pair for pair in combinations(WIDE, 2) if "combinations" not in pair or not SLOW_TO_BEGIN & {*pair}]
"""Pairs at sizes that suit both: lists in each other are written in other ways where there are many of them."""
PAIRS = ["+".join(pair) for pair in COMPARED] if IS_FUZZ else GREW
AROUND = list(zip(NESTED, (*list(NESTED)[1:], *list(NESTED)[:1]), strict=True))
"""Each expression in itself, and with the next one in each other; `make fuzz` has all pairs."""
NESTS = list(combinations_with_replacement(NESTED, 2)) if IS_FUZZ else [*zip(NESTED, NESTED, strict=True), *AROUND]


def game_of(*sections: Section) -> str:
    """A game with these sections. Sections of one name are one."""
    found = {
        "components": "  card: {attributes: {worth: 0..3}, starts_in: deck, pieces: {ace: {worth: 3, count: 4}}}\n",
        "variables": "  n: int\n  score(player): int\n",
        "zones": "  deck: {holds: card, visible: all}\n",
        "functions": "  twice(int number): number + number\n  beyond(int a, int b): a * b + a\n",
        "tables": "  least_of: [0, 1, 2, 3]\n",
    }
    lines = ""
    for name, text in sections:
        if name == "do":
            lines += text
        else:
            found[name] = found.get(name, "") + text
    turn = "".join(f"      {line}\n" for line in (lines or "n += 1\n").splitlines())
    found["flow"] = f"  turn:\n    turns: players\n    do: |\n{turn}" + found.get("flow", "")
    return HEAD + "".join(f"{name}:\n{text}" for name, text in found.items())


def work(text: str, folder: Path) -> int:
    """The calls that it takes to check a game and to compile it for its least number of players."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    report = Report()
    profile = cProfile.Profile(builtins=False)
    # What tests before have left behind ends in calls of Python, wherever the garbage collector happens to find it.
    with without_collecting():
        profile.enable()
        _, checked, _ = examine(folder, report, readings=Readings(tells_secrets=True))
        if checked:
            compile_game(next(iter(checked.values())), told=False)
        profile.disable()
    assert not report.has_errors, report.diagnostics[0]
    return sum(entry.callcount for entry in profile.getstats())


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is made once in a process is made before anything is counted."""
    for size in (2, 3):
        work(game_of(*(section for made in WIDE.values() for section in made(size))), tmp_path_factory.mktemp("warm"))


def growth(small: int, middle: int, great: int) -> float:
    """How much more was added by the second doubling than by the first."""
    return (great - middle) / max(1, middle - small)


def nested(first: str, second: str, depth: int) -> str:
    """A game with an expression in which both stand in each other, so deep."""
    around = [NESTED[(first, second)[i % 2]] for i in range(depth)]
    value = "".join(before for before, _ in around) + "n" + "".join(behind for _, behind in reversed(around))
    return game_of(("do", f"n = {value}\n"))


@pytest.mark.parametrize(
    ("first", "second"),
    [pytest.param(*both, marks=pytest.mark.long if both[0] != both[1] else ()) for both in NESTS],
)
def test_nested_expressions(first: str, second: str, tmp_path: Path) -> None:
    depths = (6, 12, 24)
    counted = [work(nested(first, second, depth), tmp_path) for depth in depths]
    assert growth(*counted) < MOST_GROWTH, counted


ALL = "+".join(name for name in WIDE if name not in SLOW_TO_BEGIN)


@pytest.mark.parametrize(
    "names",
    but_later([*WIDE, *PAIRS, ALL], {*PAIRS, ALL, "choices"}),
    ids=lambda names: "all" if names == ALL else names,
)
def test_many_of_a_kind(names: str, tmp_path: Path) -> None:
    made = [WIDE[name] for name in names.split("+")]
    sizes = (8, 16, 32)
    if SLOW_TO_BEGIN & set(names.split("+")):
        sizes = (12, 24, 48) if "branches" in names else (18, 36, 72)
    # The first game of its kind also fills what is kept for all: it does not count.
    _, *counted = [
        work(game_of(*(section for one in made for section in one(size))), tmp_path) for size in (sizes[0], *sizes)
    ]
    assert growth(*counted) < MOST_GROWTH, counted


def test_triggers_that_all_set_each_other_off_are_looked_at_once(tmp_path: Path) -> None:
    counted = []
    for size in (20, 20, 40, 80):
        lines = "".join(f"  on{i}: {{whenever: n changes, do: n += 1}}\n" for i in range(size))
        counted.append(work(game_of(("triggers", lines)), tmp_path))
    assert growth(*counted[1:]) < 2 * MOST_GROWTH, "there are as many pairs as the square of their number"


@pytest.mark.parametrize("told", [False, True])
def test_as_many_lists_in_each_other_as_are_allowed_are_compiled(told: bool, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(game_of(("do", lists_in_lists(48))), encoding="utf-8")
    report = Report()
    _, checked, _ = examine(tmp_path, report)
    assert not report.has_errors
    compile_game(checked[2], told=told)


@pytest.mark.parametrize("called", ["f{0}", "(f{0} + 1)"])
def test_a_long_chain_of_functions_is_compiled(called: str, tmp_path: Path) -> None:
    chain = "".join(f"  f{i + 1}: n + {called.format(i)}\n" for i in range(400))
    (tmp_path / "game.yaml").write_text(
        game_of(("functions", f"  f0: n\n{chain}"), ("do", "n = f400\n")), encoding="utf-8"
    )
    report = Report()
    _, checked, _ = examine(tmp_path, report)
    assert not report.has_errors
    compile_game(checked[2], told=False)


@pytest.mark.parametrize("told", but_later([False, True], {False}))
@pytest.mark.parametrize(
    "lines",
    ["if n == {0}:\n  choose x from 1..3\n  n = x\n", "together players:\n  choose x from 1..2\n  me.score = x\n"],
    ids=["branches", "togethers"],
)
def test_many_questions_in_a_row_are_compiled(lines: str, told: bool, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(game_of(("do", "".join(lines.format(i) for i in range(250)))), encoding="utf-8")
    report = Report()
    _, checked, _ = examine(tmp_path, report)
    assert not report.has_errors
    compile_game(checked[2], told=told)


def test_the_rulebook_of_a_long_chain_of_functions_is_written(tmp_path: Path) -> None:
    chain = "".join(f"  f{i + 1}: f{i} and n > {i}\n" for i in range(200))
    text = game_of(("functions", f"  f0: n > 1\n{chain}"), ("do", "if f200: n = 1\n"))
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert rulebook(houserule.load(tmp_path)).chapters


@pytest.mark.parametrize("mark", ['"', "&quot;"])
def test_quotation_marks_that_nothing_closes_are_passed_over_at_once(mark: str) -> None:
    text, started = f"{mark}a " * 20_000, time.process_time()
    assert in_print(text, phrasebook("en"), mark) == text
    assert time.process_time() - started < QUICK


def test_a_key_with_many_colons_and_no_end_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("a(" + "x: " * 20_000, encoding="utf-8")
    started = time.process_time()
    assert houserule.validate(tmp_path)
    assert time.process_time() - started < QUICK


def test_the_sentences_of_a_rulebook_grow_with_the_rules(tmp_path: Path) -> None:
    counted = []
    for size in (8, 8, 16, 32):
        condition = " or ".join(f"n == {i}" for i in range(size))
        (tmp_path / "game.yaml").write_text(game_of(("do", f"if {condition}: n = 1\n")), encoding="utf-8")
        game = houserule.load(tmp_path)
        profile = cProfile.Profile(builtins=False)
        with without_collecting():
            profile.runcall(rulebook, game)
        counted.append(sum(entry.callcount for entry in profile.getstats()))
    assert growth(*counted[1:]) < MOST_GROWTH, counted


def test_the_options_of_a_question_are_listed_in_steps_that_grow_with_their_number(tmp_path: Path) -> None:
    counted = []
    for size in (50, 50, 100, 200):
        menu = f'choose "Which?":\n  "The same" for i in 1..{size}: n += i\n'
        (tmp_path / "game.yaml").write_text(game_of(("do", menu)), encoding="utf-8")
        choice = houserule.load(tmp_path).start(2, seed=1).pending[0]
        profile = cProfile.Profile(builtins=False)
        with without_collecting():
            profile.runcall(lambda choice=choice: choice.single)
        counted.append(sum(entry.callcount for entry in profile.getstats()))
    assert growth(*counted[1:]) < MOST_GROWTH, counted
