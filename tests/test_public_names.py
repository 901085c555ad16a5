"""The public names: what a user of the library may rely on."""

from __future__ import annotations

import ast
import inspect
import rlcompleter
import tomllib
from pathlib import Path

import houserule

PUBLIC_NAMES = {
    # rules
    "games", "find", "validate", "load", "rehearse", "Game", "Outcome", "ScenarioFile", "ScenarioBudget", "ScenarioResult", "Coverage", "Rule",
    "format", "Formatted", "rule_files", "subjects", "Changeable", "Example", "examples",
    # playing them
    "Match", "ENDINGS", "ENGINES", "NotNative", "Choice", "Option", "Event", "ScoreLine", "Sheet", "Team", "Record", "replay", "allow_work",
    "View", "ZoneView", "PieceView", "VariableView", "SPECTATOR",
    "Actions", "Block", "Observations", "Entry",
    # many matches
    "simulate", "Study", "compare", "Comparison", "sweep", "Sweep", "ladder", "Ladders", "report",
    # what is wrong
    "Diagnostic", "Fix", "Related", "Span", "InvalidGame", "IllegalAnswer", "InvalidRecord", "OtherRules", "RuleFault", "UnknownGame",
}  # fmt: skip


def test_the_public_names_are_these() -> None:
    assert set(houserule.__all__) == PUBLIC_NAMES


def test_every_public_name_says_what_it_promises() -> None:
    assert not [name for name in houserule.__all__ if not inspect.getdoc(getattr(houserule, name))]


def test_every_method_of_a_public_class_says_what_it_promises() -> None:
    silent = [
        f"{name}.{method}"
        for name in houserule.__all__
        if inspect.isclass(found := getattr(houserule, name))
        for method, value in vars(found).items()
        if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
        if not inspect.getdoc(value)
    ]
    assert silent == []


def test_the_public_names_are_seen_by_dir_and_completion() -> None:
    assert PUBLIC_NAMES | {"__version__"} <= set(dir(houserule))
    assert [name for name in dir(houserule) if not hasattr(houserule, name)] == []
    completer = rlcompleter.Completer({"houserule": houserule})
    assert completer.complete("houserule.sim", 0) == "houserule.simulate("
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert houserule.__version__ == project["version"]


def test_type_checkers_see_the_public_names() -> None:
    """The imports for type checkers name what `__all__` lists."""
    seen: set[str] = set()
    for module in ("__init__", "core"):
        path = Path(houserule.__file__).with_name(f"{module}.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                seen |= {alias.name for alias in node.names}
    assert seen >= PUBLIC_NAMES
