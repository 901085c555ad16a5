"""The public names of rules and matches, which studies and bots are made of; `houserule` offers all of them.

Each name is imported when it is first used, so that validating a file does not load what plays matches.
"""

from importlib import import_module

TYPE_CHECKING = False  # `python -m houserule` imports this before the current folder has left Python's path
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from houserule.compiler.program import SPECTATOR
    from houserule.diagnostics import Diagnostic, Fix, InvalidGame, Related, Span
    from houserule.match.game import Game, OtherRules, load, replay
    from houserule.match.match import IllegalAnswer, Match, ScoreLine, Sheet, Team
    from houserule.match.record import InvalidRecord, Record
    from houserule.native.engines import ENGINES, NotNative
    from houserule.operations.fuel import allow_work
    from houserule.rehearsing.scenarios import (
        Coverage,
        Example,
        Rule,
        ScenarioBudget,
        ScenarioFile,
        ScenarioResult,
        examples,
        rehearse,
    )
    from houserule.rehearsing.validate import subjects, validate
    from houserule.running.faults import RuleFault
    from houserule.running.playout import ENDINGS, Outcome
    from houserule.spaces.answers import Actions, Block
    from houserule.spaces.sights import Entry, Observations
    from houserule.telling.choices import Choice, Option
    from houserule.telling.events import Event
    from houserule.telling.view import PieceView, VariableView, View, ZoneView
    from houserule.workshop.changing import Changeable
    from houserule.workshop.formatting import Formatted, format
    from houserule.workshop.library import UnknownGame, find, games, rule_files

__all__ = [
    "ENDINGS", "ENGINES", "SPECTATOR", "Actions", "Block", "Changeable", "Choice", "Coverage", "Diagnostic", "Entry",
    "Event", "Example", "Fix", "Formatted", "Game", "IllegalAnswer", "InvalidGame", "InvalidRecord", "Match",
    "NotNative", "Observations", "Option", "OtherRules", "Outcome", "PieceView", "Record", "Related", "Rule",
    "RuleFault", "ScenarioBudget", "ScenarioFile", "ScenarioResult", "ScoreLine", "Sheet", "Span", "Team",
    "UnknownGame", "VariableView", "View", "ZoneView", "allow_work", "examples", "find", "format", "games", "load",
    "rehearse", "replay", "rule_files", "subjects", "validate",
]  # fmt: skip

_HOMES = {
    "compiler.program": ("SPECTATOR",),
    "diagnostics": ("Diagnostic", "Fix", "InvalidGame", "Related", "Span"),
    "spaces.answers": ("Actions", "Block"),
    "spaces.sights": ("Entry", "Observations"),
    "telling.choices": ("Choice", "Option"),
    "telling.events": ("Event",),
    "workshop.library": ("UnknownGame", "find", "games", "rule_files"),
    "running.faults": ("RuleFault",),
    "workshop.changing": ("Changeable",),
    "workshop.formatting": ("Formatted", "format"),
    "match.game": ("Game", "OtherRules", "load", "replay"),
    "match.match": ("IllegalAnswer", "Match", "ScoreLine", "Sheet", "Team"),
    "native.engines": ("ENGINES", "NotNative"),
    "running.playout": ("ENDINGS", "Outcome"),
    "operations.fuel": ("allow_work",),
    "match.record": ("InvalidRecord", "Record"),
    "rehearsing.scenarios": (
        "Coverage",
        "Example",
        "Rule",
        "ScenarioBudget",
        "ScenarioFile",
        "ScenarioResult",
        "examples",
        "rehearse",
    ),
    "rehearsing.validate": ("subjects", "validate"),
    "telling.view": ("PieceView", "VariableView", "View", "ZoneView"),
}


def taken(name: str, homes: "Mapping[str, tuple[str, ...]]", names: "dict[str, Any]") -> "Any":
    """The value of a public name from the module that has it, kept among the names of the one that offers it."""
    for home, offered in homes.items():
        if name in offered:
            names[name] = getattr(import_module(f"houserule.{home}"), name)
            return names[name]
    raise AttributeError(f"module 'houserule' has no attribute '{name}'")


def __getattr__(name: str) -> "Any":
    return taken(name, _HOMES, globals())


def __dir__() -> "list[str]":
    return sorted(__all__)
