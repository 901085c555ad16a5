"""The repository has the layout that docs/architecture.md describes, and its modules keep a readable size."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.modules import MODULES, PACKAGE, ROOT, below, statements, tree

AT_THE_ROOT = {
    "interpreter", "games", "schema", "tests", "docs", "benchmarks",
    "editors", ".ci",
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "pyproject.toml", ".gitignore",
    ".pre-commit-hooks.yaml", "action.yml", "houserule.yaml",  # where pre-commit, GitHub and `houserule add` look for them
}  # fmt: skip

LONGEST_MODULE = 700
LONGEST_FUNCTION = 60
MOST_COMPLEX = 20
LARGEST_CLASS = 600
"""Lines of a class and of all of ours that it inherits from."""
EMPTY_WORDS = {"ctx", "context", "data", "info", "manager", "utils", "helpers", "misc", "common"}


def tracked() -> list[str]:
    """The files that belong to the repository; skips outside a checkout."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    return listed.stdout.split("\n")[:-1]


def test_nothing_else_stands_at_the_root() -> None:
    assert {file.split("/")[0] for file in tracked()} <= AT_THE_ROOT


def test_games_holds_a_folder_for_each_game_or_group() -> None:
    files = [Path(file) for file in tracked() if file.startswith("games/")]
    folders = {file.parent for file in files if file.name == "game.yaml"}
    assert all(folders & set(file.parents) for file in files), "a file lies beside the folders of the games"
    groups = {folder.parent for folder in folders if folder.parent != Path("games")}
    assert not groups & folders and {group.parent for group in groups} == {Path("games")}, "a group lies in a game"


def test_modules_can_be_read_at_a_sitting() -> None:
    lengths = {name_of(module): module.read_text(encoding="utf-8").count("\n") for module in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}, "split them"


def test_modules_open_with_a_sentence_that_says_what_they_are_for() -> None:
    openings = {name_of(module): (ast.get_docstring(tree(module)) or "").split("\n\n")[0] for module in MODULES}
    assert {name: opening for name, opening in openings.items() if not opening.rstrip().endswith(".")} == {}


def test_no_module_has_an_empty_word_for_a_name() -> None:
    assert not [module for module in MODULES if module.stem in EMPTY_WORDS]


# --- functions and classes ----------------------------------------------------------------------------------------------------

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").as_posix()


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Every function under its name, those of classes and those inside others too."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        outer, node = waiting.pop()
        for inner in below(node):
            name = f"{outer}.{inner.name}".lstrip(".") if isinstance(inner, Function | ast.ClassDef) else outer
            if isinstance(inner, Function):
                yield name, inner
            waiting.append((name, inner))


def complexity(function: Function) -> int:
    """How many ways there are through it: one, and one more for each place where it can go on in two."""
    ways = 1
    waiting: list[ast.AST] = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function | ast.ClassDef | ast.Lambda):
            continue  # counted by itself
        match node:
            case ast.If() | ast.IfExp() | ast.For() | ast.While() | ast.ExceptHandler():
                ways += 1
            case ast.comprehension(ifs=ifs):
                ways += 1 + len(ifs)
            case ast.BoolOp(values=values):
                ways += len(values) - 1
            case ast.match_case(pattern=ast.MatchAs(pattern=None), guard=None):
                pass
            case ast.match_case():
                ways += 1
        waiting += ast.iter_child_nodes(node)
    return ways


def has_reason(lines: list[str], function: Function, word: str) -> bool:
    """Whether a comment says why: `# long: …`, on a line of the head of a function or the one above it."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return any(f"# {word}: " in line for line in lines[first - 2 : function.body[0].lineno])


def unreasoned() -> set[str]:
    """Functions that are longer or more complex than others, without a reason."""
    found = set()
    for module in MODULES:
        lines = module.read_text(encoding="utf-8").split("\n")
        for name, function in functions(tree(module)):
            length = (function.end_lineno or 0) - function.lineno + 1
            if (length > LONGEST_FUNCTION and not has_reason(lines, function, "long")) or (
                complexity(function) > MOST_COMPLEX and not has_reason(lines, function, "complex")
            ):
                found.add(f"{name_of(module)}: {name}")
    return found


STILL_LARGE: set[str] = set()
"""To be made functions; the list only shrinks."""


def test_functions_are_short_and_plain_or_say_why_not() -> None:
    found = sorted(unreasoned())
    assert not found, f"over {LONGEST_FUNCTION} lines or {MOST_COMPLEX} ways: split it, or say why beside it: {found}"


def test_what_makes_a_function_complex_is_counted() -> None:
    function = ast.parse("""
def made(x, items):
    # four: itself, the loop, its condition, the `or`
    for item in items:
        if item or x:
            break
    # three: the comprehension, its condition, the choice
    found = [a if a else x for a in items if a]
    # two: the cases that are not the last
    match x:
        case 1:
            return 1
        case int() if found:
            return 2
        case _:
            return 3
""").body[0]
    assert isinstance(function, Function)
    assert complexity(function) == 4 + 3 + 2


def test_a_class_can_be_read_with_all_that_it_inherits() -> None:
    """Classes of one name in two modules count as one another: no base is looked up by its import."""
    classes: dict[str, tuple[int, list[str]]] = {}
    for module in MODULES:
        for node in statements(module):
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases]
                length = (node.end_lineno or 0) - node.lineno + 1
                classes[node.name] = max(classes.get(node.name, (0, [])), (length, bases))

    def ancestry(name: str) -> set[str]:
        bases = classes[name][1]
        return {name}.union(*(ancestry(base) for base in bases if base in classes and base != name))

    sizes = {name: sum(classes[one][0] for one in ancestry(name)) for name in classes}
    found = {name for name, size in sizes.items() if size > LARGEST_CLASS}
    new = {name: sizes[name] for name in sorted(found - STILL_LARGE)}
    assert not new, f"over {LARGEST_CLASS} lines with all that it inherits: {new}"
    done = sorted(STILL_LARGE - found)
    assert not done, f"no longer so: take it off the list: {done}"
