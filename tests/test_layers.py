"""Packages import only what the table in docs/architecture.md allows, and no modules import each other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.modules import MODULES, PACKAGE, ROOT, statements, tree

PUBLIC = "the public names"
GROUND = {"frozen", "writing", "reading", "printable", "extras", "bundled", "diagnostics"}
"""The modules that the table calls the ground."""


def read_table() -> dict[str, set[str]]:
    """For each package what it may import, from the table of rooms; the ground is open to all others."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.split("## The rooms, and who may import whom")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[\w.`, ]+`) \| .+ \| (.+) \|$", section, re.MULTILINE)
    found = {}
    for packages, allowed in rows:
        words = {word.strip().strip("`") for word in allowed.split(",")} - {"nothing of ours"}
        for package in re.findall(r"[\w.]+", packages):
            found[package] = words if package in GROUND else words | GROUND
    return found


ALLOWED = read_table()


@cache
def imports(module: Path) -> list[tuple[int, str]]:
    """Each import of ours, wherever it stands, as its line and "language.types" or "the public names"."""
    return list(imported(module))


def imported(module: Path) -> Iterator[tuple[int, str]]:
    """The same one after another."""
    for node in statements(module):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "houserule":
                    yield node.lineno, name.name.partition(".")[2] or PUBLIC
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports say the whole path"
            top, _, rest = (node.module or "").partition(".")
            if top == "houserule":
                for name in node.names:
                    below = f"{rest}.{name.name}" if rest else name.name
                    if exists(below):
                        yield node.lineno, below
                    else:
                        yield node.lineno, rest or PUBLIC


@cache
def exists(dotted: str) -> bool:
    """Whether there is a module or package of ours by that name."""
    path = PACKAGE.joinpath(*dotted.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def package_of(module: Path) -> str:
    """The package, or the module at the top, that a file belongs to."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_modules_import_only_what_the_table_allows() -> None:
    refused = [
        f"{module.relative_to(ROOT)}:{line}: {package_of(module)} may not import {other}"
        for module in MODULES
        for line, other in imports(module)
        if other.split(".")[0] != package_of(module)
        and not any(other == allowed or other.startswith(f"{allowed}.") for allowed in ALLOWED[package_of(module)])
    ]
    assert not refused, "\n".join(refused)


def test_the_table_names_every_package_once_and_no_other() -> None:
    assert set(ALLOWED) == {package_of(module) for module in MODULES}


@cache
def graph() -> dict[str, set[str]]:
    """Each module with the modules of ours that it imports anywhere, in functions, for type checking and by name.

    The public names are a module of it, and so is what a package offers as a whole.
    """
    names = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in MODULES}

    def meant(other: str) -> str:
        whole = "__init__" if other == PUBLIC else f"{other}.__init__"
        return whole if whole in names else other

    return {
        name: {meant(other) for other in {*(other for _, other in imports(path)), *by_name(path)}} & set(names) - {name}
        for name, path in names.items()
    }


def by_name(module: Path) -> set[str]:
    """The modules that a module of ours imports by a name that it makes, such as `import_module(f"houserule.{home}")`.

    Each word in its texts that can be such a name counts.
    """
    if "import_module" not in module.read_text(encoding="utf-8"):
        return set()
    nodes = list(ast.walk(tree(module)))
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    words = {
        word
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
        for word in node.value.split()
    }
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            match node.args[0]:
                case ast.JoinedStr(values=[ast.Constant(value=str(start)), ast.FormattedValue()]):
                    found |= {f"{start}{word}" for word in words}
                case ast.Constant(value=str(whole)):
                    found.add(whole)
                case _:  # the name comes from elsewhere, and its module is asked there
                    found |= words
    return {
        name.removeprefix("houserule.")
        for name in found
        if name.startswith("houserule.") and exists(name.removeprefix("houserule."))
    }


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of nodes each of which leads to each other one."""
    reached: dict[str, set[str]] = {}
    for start in edges:
        waiting, seen = list(edges[start]), set()
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += edges[node]
        reached[start] = seen
    found: list[set[str]] = []
    for node in edges:
        if node in reached[node] and not any(node in circle for circle in found):
            found.append({other for other in reached[node] if node in reached[other]})
    return found


def test_no_modules_import_each_other() -> None:
    """Neither directly nor in a circle, in a room or between rooms."""
    assert not circles(graph())


def test_the_graph_has_the_public_names_and_what_they_import_when_they_are_used() -> None:
    found = graph()
    assert {"study.simulate", "match.game"} <= found["core"] | found["__init__"]
    assert "__init__" in found["serve.hub"] and "rulebook.__init__" in found["cli.docs"]
    assert {f"cli.{command}" for command in ("play", "validate")} <= found["cli.application"]
    assert "bots.mcts" in found["bots.playing"]


def test_no_rooms_import_each_other() -> None:
    between: dict[str, set[str]] = {}
    for module, others in graph().items():
        here = between.setdefault(module.split(".")[0], set())
        here |= {other.split(".")[0] for other in others} - {module.split(".")[0]}
    assert not circles(between)
