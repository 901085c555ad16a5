"""Scenarios of a file, run, and what they cover; and the worked examples among them, which a rulebook shows."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable as Function
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from weakref import WeakKeyDictionary

from houserule.compiler.probes import Probe, probe
from houserule.compiler.program import Program
from houserule.definition.check import too_much
from houserule.definition.flow import Entry
from houserule.definition.readings import Readings
from houserule.definition.scenario import (
    ITEM_KEYS,
    Answer,
    Do,
    Item,
    Options,
    Pending,
    Race,
    Refuse,
    Scenario,
    ScenarioReader,
    Unseen,
)
from houserule.diagnostics import Diagnostic, InvalidGame, Related, Report, Span
from houserule.frozen import frozen
from houserule.language import scope
from houserule.language.scope import MOST_OF_SCENARIOS, Budget, OverBudget
from houserule.match.game import Game, load
from houserule.match.match import Match
from houserule.operations import PREPOSITIONS
from houserule.operations.fuel import IN_A_MATCH, allow_work, between_answers
from houserule.printable import capital
from houserule.reading import beginning, files_below, game_folder
from houserule.rehearsing.prepared import Failed, Prepared
from houserule.rehearsing.rehearsal import Rehearsal
from houserule.running.faults import RuleFault
from houserule.source import Yaml
from houserule.workshop.library import (
    UnknownGame,
    at_their_settings,
    combinations_of,
    display,
    examine,
    find_variant,
    game_named,
    unknown_option,
    variant_named,
)

Key = tuple[str, str, int, int, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A place in the rules, and whether it has run.

    `kind` is step, effect, card, face, trigger, branch or line. A card is a piece with effects, a face a member of an enum with
    effects; it ran if one of them did. The `do` of a trigger counts as an effect and as a trigger. The `name` of a branch is
    its keyword, and `way` is the way taken, such as `true` or the label of a menu.
    """

    kind: str
    name: str
    way: str
    span: Span
    ran: bool


@dataclass(slots=True, eq=False)
class Coverage:
    """The rules that have run, collected over any number of scenario files and matches."""

    probes: dict[Key, Probe] = field(default_factory=dict)
    ran: set[Key] = field(default_factory=set)
    known: set[Path] = field(default_factory=set)

    def expect(self, game: str | Path) -> None:
        """Count all rules of a game in a folder or a file: for each number of players and each single variant, with default options."""
        path = Path(game).resolve()
        if path in self.known:
            return
        self.known.add(path)
        for variants in combinations_of(path if path.is_dir() else path.parent):
            try:
                loaded = load(game, variants)
            except InvalidGame:
                continue  # `validate` says what is wrong with it
            for players in loaded.players:
                found = probe(loaded.checked(players))
                for number in sorted(found.reachable):
                    self.probes.setdefault(found.probes[number].key, found.probes[number])

    def note(self, program: Program) -> None:
        """Count the reachable rules of a marking program, and those that ran."""
        if program.probed is None:
            return
        for number, made in enumerate(program.probed.probes):
            if program.marks[number]:
                self.ran.add(made.key)
            if program.marks[number] or number in program.probed.reachable:
                self.probes.setdefault(made.key, made)

    @property
    def rules(self) -> list[Rule]:
        """All rules that count, in the order of their places."""
        found: list[Rule] = []
        members: dict[str, list[Rule]] = {}
        for key, made in self.probes.items():
            rule = partial(Rule, way=made.way, span=made.span, ran=key in self.ran)
            if made.kind in ("piece", "member"):
                effect = rule("effect", made.name)
                members.setdefault(f"{made.kind} {made.name.rpartition('.')[0]}", []).append(effect)
                found.append(effect)
            elif made.kind == "trigger":
                found += [rule("effect", f"trigger {made.name}"), rule("trigger", made.name)]
            else:
                found.append(rule(made.kind, made.name))
        for name, effects in members.items():
            sort, _, member = name.partition(" ")
            kind = "card" if sort == "piece" else "face"
            found.append(Rule(kind, member, "", min(e.span for e in effects), any(e.ran for e in effects)))
        return sorted(found, key=lambda rule: (rule.span, rule.kind, rule.way))


MARKING = 50
"""How much more work than others rules that are marked may do."""
MOST_PLAYED = 2
"""The matches that all scenarios of a game may play together, of those that do as much work as one match may."""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Whether a scenario passed; if not, the first line of `message` says why, and the rest lists the questions at that moment.

    `outdated` says what would fail if it did not pass by being asked as in older versions; otherwise it is empty.
    """

    name: str
    path: str
    line: int
    passed: bool
    message: str = ""
    seconds: float = 0.0
    outdated: str = ""


@dataclass(slots=True, eq=False)
class Spent:
    """What the scenarios of a game have spent on checking and on playing, and what has been read for them."""

    checked: int = 0
    played: int = 0
    readings: Readings = field(default_factory=Readings)
    validating: Readings = field(default_factory=Readings)
    is_said: bool = False

    @property
    def is_over(self) -> bool:
        is_played = self.played > MOST_PLAYED * IN_A_MATCH * allow_work()
        most = max(self.checked + self.readings.spent, self.validating.spent)
        return is_played or most > scope.MOST_TOGETHER


class ScenarioBudget:
    """What all scenarios that are run together may spend, for each of their games.

    `left_out` are the files that were not run, or not to their end, and `found` says so once for each game.
    """

    def __init__(self) -> None:
        self._spent: defaultdict[Path | None, Spent] = defaultdict(Spent)
        self._game_of = cache(game_folder)  # asked for each scenario of a file
        self.left_out: set[Path] = set()
        self.found: list[Diagnostic] = []

    def of(self, file: Path) -> Spent:
        """What the game of a file has spent."""
        return self._spent[self._game_of(file)]

    def is_left(self, file: Path, span: Span | None = None) -> bool:
        """Whether what ran before has left anything for a file, or for the scenario in it with this span."""
        spent = self.of(file)
        if not spent.is_over:
            return True
        self.left_out.add(file)
        if not spent.is_said:
            report, shown = Report(), display(file)
            message = "running the scenarios before this has taken long, so this and those after it are not run"
            report.warning("HR588", message, span or Span(shown), f"houserule test {shown} --work 10")
            self.found += report.found
        spent.is_said = True
        return False


def rehearse(
    path: str | Path,
    report_to: Function[[ScenarioResult], None] | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, int | str] | None = None,
    coverage: Coverage | None = None,
    budget: ScenarioBudget | None = None,
) -> list[ScenarioResult]:
    """Run all scenarios of a file.

    `variants` are added to those that a scenario names, and `options` apply unless a scenario sets them. `coverage` collects
    the rules that ran. `budget` is that of all files which are run together; what it leaves out has no result.
    Raises InvalidGame if the file or its game has errors, and UnknownGame for an unknown variant.
    """
    budget = budget or ScenarioBudget()
    if not budget.is_left(Path(path)):
        return []
    file = ScenarioFile(path, variants, options, marking=coverage is not None, budget=budget)
    results: list[ScenarioResult] = []
    for position, scenario in enumerate(file.scenarios):
        if not budget.is_left(file.path, scenario.span):
            break
        results.append(file.run(position))
        if report_to is not None:
            report_to(results[-1])
    if coverage is not None and file.scenarios:
        coverage.expect(game_of(file.path, file.scenarios[0]))
        for (_, is_marked, _), program in file.programs.items():
            if is_marked:
                coverage.note(program)
    return results


class ScenarioFile:
    """The scenarios of a file. Each can run by itself; all are checked when the first one runs."""

    def __init__(
        self,
        path: str | Path,
        variants: Sequence[str] = (),
        options: Mapping[str, int | str] | None = None,
        marking: bool = False,
        budget: ScenarioBudget | None = None,
    ) -> None:
        """Read the file. Raises InvalidGame if it has errors."""
        self.path = Path(path)
        self.spent = (budget or ScenarioBudget()).of(self.path)
        self.variants = tuple(variants)
        self.options = options
        self.marking = marking
        self.ready: list[tuple[Scenario, Prepared]] | None = None
        self.programs: dict[tuple[int, bool, bool], Program] = {}
        report = Report()
        reader = ScenarioReader(report, PREPOSITIONS)
        self.scenarios = reader.file(self.path, display(self.path))
        self.budget = reader.budget
        self.spent.checked += self.budget.spent
        if report.has_errors:
            raise InvalidGame(report.diagnostics)

    @property
    def names(self) -> list[tuple[str, int]]:
        """The sentence and the first line of each scenario."""
        return [(scenario.name, scenario.span.line) for scenario in self.scenarios]

    def run(self, position: int) -> ScenarioResult:
        """Run one of them. Raises InvalidGame if the file or its game has errors, and UnknownGame for an unknown variant."""
        if self.ready is None:
            report, before, spent = Report(), self.budget.spent, self.spent
            given = With(spent.readings, self.variants, self.options)
            ready = check_scenarios(self.path, self.scenarios, report, given, self.budget)
            spent.checked += self.budget.spent - before
            if report.has_errors:
                raise InvalidGame(report.diagnostics)
            self.ready = ready
        scenario, prepared = self.ready[position]
        if self.marking:
            result, played = run_one(scenario, prepared, self.program(prepared, marking=True))
            self.spent.played += played
            if result.passed and played <= between_answers():
                return result  # without marks it takes less work
        asks_anyway = False
        result, played = run_one(scenario, prepared, self.program(prepared, marking=False))
        self.spent.played += played
        if not result.passed and prepared.may_ask_anyway:
            # It may be a scenario from when players were asked although all could see that they had nothing to choose from.
            older, played = run_one(scenario, prepared, self.program(prepared, marking=False, asks_anyway=True))
            self.spent.played += played
            if older.passed:
                said = f"line {result.line}: {result.message.splitlines()[0]}"
                result, asks_anyway = replace(older, outdated=said), True
        if self.marking:
            # Rules that are marked take more work, so they run apart: to be covered changes no verdict.
            usual = allow_work()
            times = MARKING if played <= between_answers() else 1
            allow_work(min(usual * times, 999_999))
            try:
                run_one(scenario, prepared, self.program(prepared, True, asks_anyway))
            finally:
                allow_work(usual)
            self.spent.played += played
        return result

    def program(self, prepared: Prepared, marking: bool, asks_anyway: bool = False) -> Program:
        """The program for some scenarios, compiled when it is first needed."""
        which = id(prepared), marking, asks_anyway
        if which not in self.programs:
            self.programs[which] = prepared.compile(marking, asks_anyway)
        return self.programs[which]


@dataclass(frozen=True, slots=True)
class With:
    """What scenarios are checked with beside what they say: variants and options of whoever asks, and what has been read."""

    readings: Readings
    variants: tuple[str, ...] = ()
    options: Mapping[str, int | str] | None = None


def check_file(file: Path, report: Report, given: With) -> list[tuple[Scenario, Prepared]]:
    """Check a scenario file against its game without running it; diagnostics go into the report."""
    given.readings.reads(file)
    reader = ScenarioReader(report, PREPOSITIONS)
    scenarios = reader.file(file, display(file))
    if report.has_errors:
        return []
    ready = check_scenarios(file, scenarios, report, given, reader.budget)
    given.readings.spent += reader.budget.spent
    return ready


def check_scenarios(
    file: Path, scenarios: list[Scenario], report: Report, given: With, budget: Budget
) -> list[tuple[Scenario, Prepared]]:
    """Check scenarios against their game, in groups of those with the same variants."""
    if not scenarios:
        return []
    try:
        folder = game_of(file, scenarios[0])
    except InvalidGame as invalid:
        report.take(invalid.diagnostics)
        return []
    for name in given.variants:
        find_variant(folder if folder.is_dir() else folder.parent, name)
    ready: dict[Scenario, Prepared] = {}
    said: dict[Scenario, list[Diagnostic]] = {}
    for variants in dict.fromkeys(scenario.variants for scenario in scenarios):
        alike = [scenario for scenario in scenarios if scenario.variants == variants]
        own = Report()  # diagnostics with these variants do not concern the others
        game = game_with(folder, file, alike[0], own, given)
        if game is not None:
            preparation = Preparation(game, own, budget)
            try:
                ready.update(preparation.prepare(alike))
            except OverBudget as over:
                too_much(over.span, own)
            said |= preparation.said
        report.take(own.found)
    report.found = [of_some(found, scenarios, said) for found in report.found]
    return [(scenario, ready[scenario]) for scenario in scenarios if scenario in ready]


def of_some(found: Diagnostic, scenarios: list[Scenario], said: Mapping[Scenario, list[Diagnostic]]) -> Diagnostic:
    """A diagnostic; if it concerns something shared but not all scenarios that share it, it names the scenarios."""
    sharing = [scenario for scenario in scenarios if any(span.holds(found.span) for span in scenario.shared)]
    key = (found.code, found.span, found.message)
    wrong = [s for s in sharing if any(key == (one.code, one.span, one.message) for one in said.get(s, ()))]
    if not wrong or len(wrong) == len(sharing):
        return found
    named = tuple(Related("in this scenario", scenario.span) for scenario in wrong)
    return replace(found, related=(*named, *found.related))


def game_with(folder: Path, file: Path, scenario: Scenario, report: Report, given: With) -> Game | None:
    """The game with the variants that a scenario of a file names, and those given; None after diagnostics."""
    names: list[str] = []
    for position, name in enumerate(scenario.variants):
        try:
            names.append(variant_named(name, folder if folder.is_dir() else folder.parent, file))
        except UnknownGame as unknown:
            place = scenario.variant_spans[position] if scenario.variant_spans else scenario.span
            report.error("HR607", str(unknown).split(";")[0], place, unknown.suggestion)
            return None
    variants = tuple(dict.fromkeys((*names, *given.variants)))
    loaded, checked, settings = examine(folder, report, given.options, variants, given.readings)
    if report.has_errors or loaded.definition is None:
        return None
    made = Game(loaded, checked, settings, [])
    made.variants = variants
    made.with_meanings = given.readings.with_meanings
    return made


def game_of(path: Path, scenario: Scenario) -> Path:
    """The game that a scenario file belongs to: the one that contains it, else the one it names. Raises InvalidGame."""
    folder = game_folder(path)
    if folder is not None:
        return folder
    try:
        return game_named(scenario.game, path)
    except UnknownGame as unknown:
        report = Report()
        message = (
            f"there is no game '{scenario.game}'" if scenario.game else "this scenario does not say of which game it is"
        )
        report.error("HR607", message, scenario.game_span, unknown.suggestion)
        raise InvalidGame(report.diagnostics) from None


class Preparation:
    """Checks scenarios against their game, in groups that can be compiled together."""

    def __init__(self, game: Game, report: Report, budget: Budget) -> None:
        self.game = game
        self.report = report
        self.budget = budget
        self.said: dict[Scenario, list[Diagnostic]] = {}
        self.groups: dict[tuple[object, ...], Prepared | None] = {}
        self.errors: dict[tuple[object, ...], list[Diagnostic]] = {}  # of a group, reported for each scenario in it

    def prepare(self, scenarios: list[Scenario]) -> list[tuple[Scenario, Prepared]]:
        found = []
        for scenario in scenarios:
            own = Report()
            group = self.group(scenario, own) if self.fits(scenario, own) else None
            if group is not None:
                group.report_to(own)
                group.add(scenario)
                group.report_to(self.report)
                found.append((scenario, group))
            self.said[scenario] = own.found
            self.report.take(own.found)
        for group in self.groups.values():
            if group is not None:
                group.finish()
        for scenario, prepared in found:
            prepared.see_given(scenario)
            for item in (*scenario.setup, *scenario.play):
                if isinstance(item, Do):
                    prepared.see_me(item)
        return found

    def fits(self, scenario: Scenario, report: Report) -> bool:
        """Check the game, players, options and names of a scenario."""
        game = self.game
        if scenario.game and scenario.game != game.id:
            message = f"this scenario is of '{scenario.game}', but lies in the folder of '{game.id}'"
            report.error("HR606", message, scenario.game_span, f"of: {game.id}")
            return False
        if len(scenario.players) not in game.players or len(set(scenario.players)) != len(scenario.players):
            low, high = game.definition.players
            count = f"{low} to {high}" if low < high else str(low)
            message = f"'{game.id}' is for {count} players with names of their own, got {len(scenario.players)}"
            report.error("HR602", message, scenario.span, "players: [anna, ben, carla]")
            return False
        for setting in scenario.settings:
            if setting.name not in game.definition.options:
                unknown_option(setting.name, game.definition, setting.span, report)
        for item in (*scenario.setup, *scenario.play, *scenario.pending):
            for name in players_of(item):
                if name not in scenario.players:
                    pool = [*scenario.players, *(ITEM_KEYS if isinstance(item, Answer) else ())]
                    seated = f"at the table: {', '.join(scenario.players)}"
                    advice = report.did_you_mean(name, pool) or seated
                    report.error("HR610", f"nobody is called '{name}'", item.span, advice)
        return not report.found

    def group(self, scenario: Scenario, report: Report) -> Prepared | None:
        """The group of a scenario; None if its players, options or start are wrong."""
        given = {setting.name: setting.value for setting in scenario.settings}
        key = (scenario.players, tuple(given.items()), scenario.begin)
        if key not in self.groups:
            own = Report()
            self.groups[key] = None
            with suppress(InvalidGame):
                settings: dict[str, int | str] = {**self.game.settings, **given}
                start = Entry(scenario.begin), own, scenario.functions, self.budget
                self.groups[key] = Prepared(self.game, scenario.players, settings, *start)
            self.errors[key] = [found for found in own.found if found.severity == "error"]
        places = {setting.name: setting.value_span for setting in scenario.settings}
        for found in at_their_settings(self.errors[key], self.game.definition.options, places):
            report.add(replace(found, span=scenario.begin_span) if found.code == "HR601" else found)
        return self.groups[key]


def players_of(item: Item) -> Iterator[str]:
    match item:
        case Answer(_, player) | Refuse(_, player) | Options(_, player) | Unseen(_, player):
            yield player
        case Do(_, str(player)):
            yield player
        case Race(_, players) | Pending(_, players):
            yield from players
        case _:
            pass


def run_one(scenario: Scenario, prepared: Prepared, program: Program) -> tuple[ScenarioResult, int]:
    """Run a scenario: its result, and the work that its rules have done."""
    begun = time.perf_counter()
    rehearsal = Rehearsal(scenario, prepared, program)
    line, passed, message = scenario.span.line, True, ""
    try:
        rehearsal.run()
    except Failed as failure:
        line, passed, message = failure.span.line, False, f"{failure.message}\n{rehearsal.standing()}".rstrip()
    except RuleFault as fault:
        line, passed, message = rehearsal.at.line, False, f"a rule cannot be carried out: {fault}"
    seconds = time.perf_counter() - begun
    result = ScenarioResult(scenario.name, scenario.span.file, line, passed, message, seconds)
    return result, rehearsal.match.state.worked


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
    names = [capital(name) for name in match.players]
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
    played = rehearsal.match.state.worked
    if len(tables) < WHOLE:
        return None, played
    rule = scenario.example if scenario.example != "true" else f"flow.{scenario.begin}" if scenario.begin else ""
    return Example(scenario.name, scenario.title, scenario.text, rule, tables[0], tables[1]), played
