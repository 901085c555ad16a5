"""Houserule runs tabletop games from rule files: load a game, start a match, answer its choices.

>>> import interpreter
>>> game = interpreter.load("my_game")
>>> match = game.start(players=["Maya", "Margot", "Maurice"], seed=7)
>>> while not match.is_over:
...     choice = match.pending[0]
...     match.answer(choice.player, choice.options[0])

Each name is imported when it is first used, so that validating a file does not wait for what plays matches.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic, Fix, InvalidGame, Related, Span
    from interpreter.engine.choices import Choice, Option
    from interpreter.engine.coverage import Coverage, Rule
    from interpreter.engine.events import Event
    from interpreter.engine.faults import RuleFault
    from interpreter.engine.formatting import Formatted, format, rule_files
    from interpreter.engine.game import Game, load
    from interpreter.engine.library import UnknownGame, find, games, subject_of
    from interpreter.engine.match import IllegalAnswer, Match, ScoreLine
    from interpreter.engine.playout import Outcome
    from interpreter.engine.record import InvalidRecord, Record
    from interpreter.engine.replay import replay
    from interpreter.engine.scenarios import ScenarioFile, ScenarioResult, rehearse
    from interpreter.engine.validate import validate
    from interpreter.engine.view import PieceView, VariableView, View, ZoneView

__all__ = [
    "Choice",
    "Coverage",
    "Diagnostic",
    "Event",
    "Fix",
    "Formatted",
    "Game",
    "IllegalAnswer",
    "InvalidGame",
    "InvalidRecord",
    "Match",
    "Option",
    "Outcome",
    "PieceView",
    "Record",
    "Related",
    "Rule",
    "RuleFault",
    "ScenarioFile",
    "ScenarioResult",
    "ScoreLine",
    "Span",
    "UnknownGame",
    "VariableView",
    "View",
    "ZoneView",
    "find",
    "format",
    "games",
    "load",
    "rehearse",
    "replay",
    "rule_files",
    "subject_of",
    "validate",
]

_HOMES = {
    "diagnostics": ("Diagnostic", "Fix", "InvalidGame", "Related", "Span"),
    "engine.choices": ("Choice", "Option"),
    "engine.coverage": ("Coverage", "Rule"),
    "engine.events": ("Event",),
    "engine.library": ("UnknownGame", "find", "games", "subject_of"),
    "engine.faults": ("RuleFault",),
    "engine.formatting": ("Formatted", "format", "rule_files"),
    "engine.game": ("Game", "load"),
    "engine.match": ("IllegalAnswer", "Match", "ScoreLine"),
    "engine.playout": ("Outcome",),
    "engine.record": ("InvalidRecord", "Record"),
    "engine.replay": ("replay",),
    "engine.scenarios": ("ScenarioFile", "ScenarioResult", "rehearse"),
    "engine.validate": ("validate",),
    "engine.view": ("PieceView", "VariableView", "View", "ZoneView"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            found = getattr(import_module(f"interpreter.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
