"""The public names: what a user of the library may rely on."""

from __future__ import annotations

import inspect

import houserule

PUBLIC_NAMES = {
    # rules
    "games", "find", "validate", "load", "rehearse", "Game", "Outcome", "ScenarioFile", "ScenarioBudget", "ScenarioResult", "Coverage", "Rule",
    "format", "Formatted", "rule_files", "subjects",
    # playing them
    "Match", "ENDINGS", "ENGINES", "NotNative", "Choice", "Option", "Event", "ScoreLine", "Team", "Record", "replay", "allow_work",
    "View", "ZoneView", "PieceView", "VariableView", "SPECTATOR",
    # many matches
    "simulate", "Study", "compare", "Comparison", "sweep", "Sweep", "report",
    # what is wrong
    "Diagnostic", "Fix", "Related", "Span", "InvalidGame", "IllegalAnswer", "InvalidRecord", "RuleFault", "UnknownGame",
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
