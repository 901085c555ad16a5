"""Houserule runs tabletop games from rule files: load a game, start a match, answer its choices.

>>> import houserule
>>> game = houserule.load("my_game")
>>> match = game.start(players=["Anna", "Ben", "Carla"], seed=7)
>>> while not match.is_over:
...     choice = match.pending[0]
...     match.answer(choice.player, choice.options[0])

Each name is imported when it is first used, so that validating a file does not load what plays matches.
"""

from importlib import import_module

TYPE_CHECKING = False  # `python -m houserule` imports this before the current folder has left Python's path
if TYPE_CHECKING:
    from typing import Any

    from houserule.compiler.program import SPECTATOR
    from houserule.diagnostics import Diagnostic, Fix, InvalidGame, Related, Span
    from houserule.match.game import Game, load
    from houserule.match.match import IllegalAnswer, Match, ScoreLine
    from houserule.match.record import InvalidRecord, Record
    from houserule.match.replay import replay
    from houserule.operations.fuel import allow_work
    from houserule.rehearsing.coverage import Coverage, Rule
    from houserule.rehearsing.scenarios import ScenarioFile, ScenarioResult, rehearse
    from houserule.rehearsing.subjects import subjects
    from houserule.rehearsing.validate import validate
    from houserule.running.faults import RuleFault
    from houserule.running.playout import ENDINGS, Outcome
    from houserule.study.compare import Comparison, compare
    from houserule.study.report import report
    from houserule.study.result import Study
    from houserule.study.simulate import simulate
    from houserule.study.sweep import Sweep, sweep
    from houserule.telling.choices import Choice, Option
    from houserule.telling.events import Event
    from houserule.telling.view import PieceView, VariableView, View, ZoneView
    from houserule.workshop.formatting import Formatted, format
    from houserule.workshop.library import UnknownGame, find, games, rule_files

__all__ = [
    "ENDINGS",
    "ENGINES",
    "SPECTATOR",
    "Choice",
    "Comparison",
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
    "NotNative",
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
    "Study",
    "Sweep",
    "UnknownGame",
    "VariableView",
    "View",
    "ZoneView",
    "allow_work",
    "compare",
    "find",
    "format",
    "games",
    "load",
    "rehearse",
    "replay",
    "report",
    "rule_files",
    "simulate",
    "subjects",
    "sweep",
    "validate",
]

_HOMES = {
    "compiler.program": ("SPECTATOR",),
    "diagnostics": ("Diagnostic", "Fix", "InvalidGame", "Related", "Span"),
    "telling.choices": ("Choice", "Option"),
    "rehearsing.coverage": ("Coverage", "Rule"),
    "telling.events": ("Event",),
    "workshop.library": ("UnknownGame", "find", "games", "rule_files"),
    "running.faults": ("RuleFault",),
    "workshop.formatting": ("Formatted", "format"),
    "match.game": ("Game", "load"),
    "match.match": ("IllegalAnswer", "Match", "ScoreLine"),
    "native.engines": ("ENGINES", "NotNative"),
    "running.playout": ("ENDINGS", "Outcome"),
    "operations.fuel": ("allow_work",),
    "match.record": ("InvalidRecord", "Record"),
    "match.replay": ("replay",),
    "rehearsing.scenarios": ("ScenarioFile", "ScenarioResult", "rehearse"),
    "rehearsing.subjects": ("subjects",),
    "rehearsing.validate": ("validate",),
    "study.compare": ("Comparison", "compare"),
    "study.report": ("report",),
    "study.result": ("Study",),
    "study.simulate": ("simulate",),
    "study.sweep": ("Sweep", "sweep"),
    "telling.view": ("PieceView", "VariableView", "View", "ZoneView"),
}


def __getattr__(name: str) -> "Any":
    for home, names in _HOMES.items():
        if name in names:
            found = getattr(import_module(f"houserule.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'houserule' has no attribute '{name}'")
