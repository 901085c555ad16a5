"""Houserule runs tabletop games from rule files: load a game, start a match, answer its choices.

>>> import houserule
>>> game = houserule.load("my_game")
>>> match = game.start(players=["Maya", "Margot", "Maurice"], seed=7)
>>> while not match.is_over:
...     choice = match.pending[0]
...     match.answer(choice.player, choice.options[0])

Each name is imported when it is first used, so that validating a file does not wait for what plays matches.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houserule.diagnostics import Diagnostic, Fix, InvalidGame, Related, Span
    from houserule.engine.choices import Choice, Option
    from houserule.engine.coverage import Coverage, Rule
    from houserule.engine.events import Event
    from houserule.engine.faults import RuleFault
    from houserule.engine.formatting import Formatted, format, rule_files
    from houserule.engine.game import Game, load
    from houserule.engine.library import UnknownGame, find, games, subject_of
    from houserule.engine.match import IllegalAnswer, Match, ScoreLine
    from houserule.engine.playout import Outcome
    from houserule.engine.record import InvalidRecord, Record
    from houserule.engine.replay import replay
    from houserule.engine.scenarios import ScenarioFile, ScenarioResult, rehearse
    from houserule.engine.validate import validate
    from houserule.engine.view import PieceView, VariableView, View, ZoneView

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
            found = getattr(import_module(f"houserule.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
