"""Worked examples: scenarios that a rulebook shows, taken from the run that is tested."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from weakref import WeakKeyDictionary

from houserule.compiler.program import Program
from houserule.definition.scenario import Scenario, ScenarioReader
from houserule.diagnostics import Report
from houserule.frozen import frozen
from houserule.language.scope import MOST_OF_SCENARIOS, Budget, OverBudget
from houserule.match.game import Game
from houserule.match.match import Match
from houserule.operations import PREPOSITIONS
from houserule.operations.fuel import FUEL, IN_A_MATCH, allow_work, reserve
from houserule.reading import beginning, files_below
from houserule.rehearsing.prepared import Failed, Prepared
from houserule.rehearsing.rehearsal import Rehearsal
from houserule.rehearsing.scenarios import Preparation
from houserule.running.faults import RuleFault
from houserule.source import Yaml
from houserule.workshop.library import display

WHOLE = 2
"""The tables of an example: one before it, one after it."""


@frozen
class Example:
    """A scenario that is shown as an example: the table before it and after it, of which the latter knows what has happened."""

    name: str
    title: Yaml | None
    text: Yaml | None
    rule: str
    """The path of the rule that it shows: as the scenario says, else the step in which it begins; empty for the whole game."""
    before: Match
    after: Match

    def tables(self, language: str) -> tuple[Match, Match]:
        """Both tables told in a language, to be read only; the players' names begin with a capital letter."""
        return in_language(self.before, language), in_language(self.after, language)


_kept: WeakKeyDictionary[Game, list[Example]] = WeakKeyDictionary()


def examples(game: Game) -> list[Example]:
    """The examples of a game with its variants and settings. One that does not hold with these is left out."""
    if game not in _kept:
        _kept[game] = list(found_in(game))
    return _kept[game]


def found_in(game: Game) -> Iterator[Example]:
    """The examples, as many as may be played with the work of one match."""
    left = IN_A_MATCH * allow_work()
    programs: dict[Prepared, Program] = {}
    for file in files(game):
        for scenario, prepared in prepared_from(game, file):
            if left > 0 and set(scenario.variants) <= set(game.variants) and not prepared.report.has_errors:
                if prepared not in programs:
                    programs[prepared] = prepared.compile()
                example, played = shown(scenario, prepared, programs[prepared])
                left -= played
                if example is not None:
                    yield example


def in_language(match: Match, language: str) -> Match:
    names = [name[:1].upper() + name[1:] for name in match.players]
    told = Match(match.game, match.program, match.state, names, match.seed, language)
    told.is_over, told.is_paused = match.is_over, match.is_paused
    return told


def files(game: Game) -> Iterator[Path]:
    """The files of scenarios of a game that mention an example."""
    folder = game.path if game.path.is_dir() else game.path.parent
    for file in files_below(folder / "scenarios", "**/*.yaml", folder):
        with suppress(OSError):
            if "example:" in beginning(file):
                yield file


def prepared_from(game: Game, file: Path) -> list[tuple[Scenario, Prepared]]:
    """The examples of a file, checked and compiled; none if there are mistakes in it, which `validate` tells."""
    report, budget = Report(), Budget(MOST_OF_SCENARIOS)
    scenarios = [one for one in ScenarioReader(report, PREPOSITIONS).file(file, display(file)) if one.example]
    if report.has_errors:
        return []
    with suppress(OverBudget):
        return Preparation(game, report, budget).prepare(scenarios)
    return []


def shown(scenario: Scenario, prepared: Prepared, program: Program) -> tuple[Example | None, int]:
    """A scenario while it runs, None if it fails; and the work that its rules have done."""
    tables: list[Match] = []
    rehearsal = Rehearsal(scenario, prepared, program)
    rehearsal.watch = lambda match: tables.append(match.copy())
    with suppress(Failed, RuleFault):
        rehearsal.run()
    state = rehearsal.match.state
    played = reserve() - state.reserve + FUEL - state.fuel
    if len(tables) < WHOLE:
        return None, played
    rule = scenario.example if scenario.example != "true" else f"flow.{scenario.begin}" if scenario.begin else ""
    return Example(scenario.name, scenario.title, scenario.text, rule, tables[0], tables[1]), played
