"""Tries out a whole game: validates its rules, runs its scenarios, and plays random matches that must keep the invariants of all games."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from houserule import (
    ENDINGS,
    Choice,
    Coverage,
    Diagnostic,
    Game,
    IllegalAnswer,
    InvalidGame,
    Match,
    Option,
    Record,
    Rule,
    RuleFault,
    ScenarioBudget,
    ScenarioResult,
    Span,
    allow_work,
    load,
    rehearse,
    replay,
    validate,
)
from houserule.compiler.program import Program, compile_game
from houserule.definition.readings import Readings
from houserule.diagnostics import Report
from houserule.native.engines import machine_of
from houserule.reading import files_below
from houserule.running.playout import Outcome, answer_at_random, answers_of, finish, play
from houserule.running.state import State
from houserule.telling.labels import phrase
from houserule.trial.unseen import Broken, an_answer, check_places, hold, match_facts, shown_to
from houserule.trial.worlds import History, compare_worlds
from houserule.workshop.library import combinations_of, display, game_varied_by, is_variant

if TYPE_CHECKING:
    from houserule.native.machine import Machine

SAMPLE = 12
"""The most options of a question that are tried; of more, a random sample."""
MOST_LOOKED = 150_000
"""The pieces, variables and events at the questions that are examined closely: about two seconds."""
MOST_PLACED = 2_000_000
"""The pieces, at all questions of a match, whose places are checked: about three seconds."""
MOST_TRIED = 440_000
"""What may be spent on the rules of all tables that are tried, in units of the budget; the largest known game takes half of it."""
MOST_PLAYED = 4_000_000_000
"""The work of rules in the usual number of matches at all tables, in units: a few minutes; the largest known game takes a tenth of it."""
LARGEST_USUAL, FOR_EACH_TABLE = 15_000, 3
"""What exceeds the rules of the largest known game counts at each table, so many times."""
LARGEST_EXAMINED = 40_000
"""The units of the rules of a game that is examined closely, which takes twice as long again; the largest known has a third of them."""
UNITS_A_SLOT = 3
"""The units for each zone and each value of a variable at a table."""
NOBODY = "nobody has won, and no rule says that this is a draw or a defeat: `winner: {…, nobody: draw}`"


def check_quiet_match(program: Program, seed: int, found: Checked | None = None) -> Outcome:
    """Check that a match at full speed ends, with every piece in one place and with a winner.

    As in a told match, the seed decides chance; answers have a generator of their own.
    """
    s = State(program, Random(seed))
    try:
        outcome = finish(program, s, play(program, s, answers_of(seed)))
    finally:
        if found is not None:
            found.worked += s.worked
    check_places(s)
    hold(len(outcome.scores) == program.symbols.players, "somebody has no score")
    hold(outcome.ending != "undecided", NOBODY)
    sums = [sum(line[seat] for line in outcome.lines) for seat in range(program.symbols.players)]
    hold(outcome.scores == sums, "the score sheet does not add up")
    return outcome


def check_marked_match(game: Game, program: Program, seed: int, found: Checked | None = None) -> Outcome:
    """Play a match in which rules are marked. They take more work, so a fault counts if it comes without marks as well."""
    try:
        return check_quiet_match(program, seed, found)
    except RuleFault:
        return check_quiet_match(game.program(program.symbols.players, told=False), seed, found)


def check_native_match(machine: Machine, seed: int, outcome: Outcome) -> None:
    (other,) = machine.outcomes([seed])
    hold(other == outcome, f"played natively it ends otherwise: {other} instead of {outcome}")


def record_of(game: Game, players: int, seed: int, answers: Sequence[tuple[str, str]] = ()) -> Record:
    """A record of this game; it need not lead to the end of a match."""
    names = [phrase("en", "player", number=seat + 1) for seat in range(players)]
    variants, settings = list(game.variants), dict(game.settings)
    return Record(game.id, game.rules_hash, names, seed, list(answers), variants, settings, "en", game.shown_path)


def retraced(game: Game, players: int, seed: int) -> tuple[Record, RuleFault | None]:
    """A full-speed match replayed as a told one: its record, and the fault that ends it, if any.

    The last answer of the record leads to the fault.
    """
    answers: list[tuple[str, str]] = []
    random = answers_of(seed).random
    try:
        match = game.start(players, seed)
        while not match.is_over:
            for player, key in answers_at(match, random):
                answers.append((player, key))
                match.answer(player, key)
    except RuleFault as fault:
        return record_of(game, players, seed, answers), fault
    return record_of(game, players, seed, answers), None


def answers_at(match: Match, random: Callable[[], float]) -> list[tuple[str, str]]:
    """The answers of random play to the pending question; for a race, those of all entrants."""
    s = match.state
    part = s if s.forks is None else next(part for part in s.forks if part.waits)
    answer_at_random(part, s, random)
    if match.program.sites[part.site].kind == "race":
        order: list[int] = part.answer
        rest = [seat for seat in part.options if seat not in order]
        part.answer = []
        return [(match.players[seat], "slap") for seat in order] + [(match.players[seat], "pass") for seat in rest]
    seat = part.asker if s.forks is None else part.player
    choice = next(choice for choice in match.pending if choice.seat == seat)
    if choice.kind == "several":
        found = choice.find([option.key for option in choice.single if option.value in part.answer] or "pass")
        assert found is not None
    else:
        found = next(option for option in choice.options if option.value == part.answer)
    return [(match.players[seat], found.key)]


class Table:
    """A game for a number of players, with the programs that are compared."""

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self.players = players
        self.told = game.program(players, told=True)
        self.quiet = game.program(players, told=False)

    @cached_property
    def revealing(self) -> Program:
        """A told program that marks the rules that run, if the rules reveal something."""
        if not self.game.definition.revelations:
            return self.told
        return compile_game(self.game.checked(self.players), told=True, marking=True)

    def start(self, seed: int, program: Program) -> Match:
        return Match.start(self.game, self.players, seed, "en", program)


class Walk:
    """One random match. At each question all pieces are in place, and the quiet and told programs agree.

    With an even seed, options, illegal answers and copies are examined closely at a share of the questions, and at the end the record.
    With an odd seed it is what players may see: at the end, other worlds are compared for some random players, or all.
    """

    def __init__(self, table: Table, seed: int, share: float = 0.04, watched: int | None = None) -> None:
        self.watched = table.players if watched is None else min(watched, table.players)
        self.table = table
        self.seed = seed
        self.share = share
        self.hides = seed % 2 == 1
        self.match = table.start(seed, table.told)
        self.still = table.start(seed, table.quiet)
        self.random = answers_of(seed)
        self.look = Random(f"looks {seed}")
        self.copy: Match | None = None
        self.untouched: tuple[Match, tuple[Any, ...]] | None = None
        self.giving: list[tuple[str, str]] = []  # the answer being given
        self.looked = 0
        self.placed = 0
        self.tried = 0  # the work of options that were tried
        self.history: History | None = None

    def run(self) -> Match:
        match = self.match
        while not match.is_over:
            self.everywhere()
            if not self.hides and self.look.random() < self.share and self.can_look():
                self.closely()
            choice, option = an_answer(match, self.random)
            self.answer(choice, option)
        self.everywhere()
        self.ended()
        return match

    @property
    def compared(self) -> int:
        """How often other worlds were compared; if it stays 0 for long, nothing is hidden."""
        return self.history.compared if self.history is not None else 0

    @property
    def worked(self) -> int:
        return self.match.state.worked + self.still.state.worked + self.tried

    @property
    def record(self) -> Record:
        return record_of(self.table.game, self.table.players, self.seed, [*self.match.answers, *self.giving])

    def answer(self, choice: Choice, option: Any) -> None:
        """Give an answer in all copies of the match, and check that others who act at the same time do not see it."""
        waiting = [c.seat for c in self.match.pending if c.seat != choice.seat] if self.hides else []
        watches = bool(waiting) and self.look.random() < 2 * self.share
        seat = self.look.choice(waiting) if watches else -1
        shown = (shown_to(self.match, seat), self.match.events_for(seat)) if watches else None
        self.giving = [(choice.player, option.key)]
        self.match.answer(choice.player, option)
        self.giving = []
        if watches:
            now = (shown_to(self.match, seat), self.match.events_for(seat))
            hold(now == shown, f"{self.match.players[seat]} is shown what {choice.player} answers at the same time")
        self.still.answer(choice.player, option.key)
        if self.copy is not None:
            self.copy.answer(choice.player, option)

    # --- at each question -----------------------------------------------------------------------------------------------------

    def everywhere(self) -> None:
        """Check the places of all pieces, and that the told and the quiet match agree."""
        match, still = self.match, self.still
        self.placed += len(match.state.w)
        if self.placed <= MOST_PLACED:
            check_places(match.state)
        a, b = match.state, still.state
        hold((a.v, a.z, a.w) == (b.v, b.z, b.w), "told and quiet part")
        hold([asked(c) for c in match.pending] == [asked(c) for c in still.pending], "told and quiet ask differently")

    # --- at some ----------------------------------------------------------------------------------------------------------------

    def can_look(self) -> bool:
        """Whether a look at this question is within the limit; it takes as long as the table is large and its history long."""
        s = self.match.state
        self.looked += len(s.w) + len(s.v) + len(s.log or ())
        return self.looked <= MOST_LOOKED and self.tried <= MOST_PLAYED // 8 * allow_work()

    def closely(self) -> None:
        """Options, illegal answers, copies."""
        self.every_option()
        self.illegal_answers()
        if self.copy is None:
            self.copy = self.match.copy()
            self.untouched = (self.match.copy(), match_facts(self.match))
            hold(match_facts(self.copy) == match_facts(self.match), "a copy is not the same")
        else:
            seat = self.look.randrange(len(self.match.players))
            hold(shown(self.copy, seat) == shown(self.match, seat), "a copy shows something else")

    def every_option(self) -> None:
        """Check that each option is accepted, and that its key means the same."""
        for choice in self.match.pending:
            keys = [option.key for option in choice.options[:500]]
            hold(len(set(keys)) == len(keys), f"two options of {choice.player} have one key")
            for option in some(choice, self.look):
                tried, by_key = self.match.copy(), self.match.copy()
                self.giving = [(choice.player, option.key)]
                tried.answer(choice.player, option)
                by_key.answer(choice.player, option.key)
                self.tried += tried.state.worked + by_key.state.worked - 2 * self.match.state.worked
                self.giving = []
                hold(match_facts(tried) == match_facts(by_key), f"'{option.key}' means something else than its option")

    def illegal_answers(self) -> None:
        match = self.match
        before = match_facts(match)
        for player, answer in illegal(match):
            try:
                match.answer(player, answer)
            except IllegalAnswer:
                hold(match_facts(match) == before, f"the refused answer {answer!r} of {player} left a trace")
            else:
                raise Broken(f"{player} was allowed to answer {answer!r}")

    # --- at the end -----------------------------------------------------------------------------------------------------------

    def ended(self) -> None:
        """Check the end: there is a winner, nobody is asked, and the record replays."""
        match = self.match
        hold(match.pending == (), "the match is over and somebody is asked")
        hold(match.ending != "undecided", NOBODY)
        facts, others = ((one.sheet, one.ending, one.winners) for one in (match, self.still))
        hold(facts == others, "told and quiet end differently")
        if self.hides:
            self.history = History(
                match, self.table.revealing, self.look.sample(range(len(match.players)), self.watched)
            )
            compare_worlds(self.history, self.look)
            return
        before = match_facts(match)
        try:
            match.answer(match.players[0], "pass")
        except IllegalAnswer:
            hold(match_facts(match) == before, "an answer after the end left a trace")
        else:
            raise Broken("an answer was accepted after the end")
        self.copied()
        self.replayed()

    def copied(self) -> None:
        """Check that a copy ended like the original and did not affect it."""
        match, copy = self.match, self.copy
        if copy is None or self.untouched is None:
            return
        hold(copy.is_over and match_facts(copy) == match_facts(match), "a copy played on to another end")
        hold(copy.events == match.events, "a copy tells another story")
        views = [[m.view(p).to_json() for p in m.players] for m in (copy, match)]
        hold(views[0] == views[1], "a copy shows another table")
        kept, facts = self.untouched
        hold(match_facts(kept) == facts, "what happened to the original touched its copy")

    def replayed(self) -> None:
        """Check that the record, written and read, replays to the same match with the same events for all."""
        match = self.match
        read = Record.from_json(json.loads(json.dumps(match.record.to_json())))
        again = replay(read, self.table.game)
        hold(match_facts(again) == match_facts(match), "the record replays to another match")
        hold(again.events == match.events, "the record replays to another story")
        for player in match.players:
            hold(again.events_for(player) == match.events_for(player), f"the record tells {player} something else")
        hold(again.record == match.record, "the record of a replay is another")


def some(choice: Choice, random: Random) -> list[Option]:
    """All options, or a sample of them where there are many."""
    first = list(choice.options[: SAMPLE + 1])
    return first if len(first) <= SAMPLE else [choice.drawn(random) for _ in range(SAMPLE)]


def asked(choice: Choice) -> tuple[Any, ...]:
    return (choice.player, choice.kind, choice.name, choice.at_least, choice.at_most, [o.key for o in choice.single])


def shown(match: Match, seat: int) -> tuple[Any, ...]:
    """Everything that is asked, and what one player sees."""
    questions = [(asked(c), c.prompt, [o.label for o in c.single]) for c in match.pending]
    return (questions, match.view(seat).to_json())


def illegal(match: Match) -> Iterator[tuple[Any, Any]]:
    """Illegal answers, each with the player who gives it."""
    asked_now = {choice.player: choice for choice in match.pending}
    for choice in match.pending:
        key = choice.single[0].key if choice.single else "pass"
        yield "nobody by that name", key
        yield len(match.players), key
        yield -1, key
        for other in match.players:
            if other not in asked_now:
                yield other, choice.options[0]
                yield other, key
        yield choice.player, "no option is called this"
        yield choice.player, 10**9
        yield choice.player, 1.5
        yield choice.player, [key, "no option is called this"]
        if choice.kind == "several":
            if choice.at_most < len(choice.single):
                yield choice.player, [o.key for o in choice.single[: choice.at_most + 1]]
            if choice.at_least > 0:
                yield choice.player, [o.key for o in choice.single[: choice.at_least - 1]]
            yield choice.player, [key, key]
        else:
            yield choice.player, []
            yield choice.player, None
            if len(choice.single) > 1:
                yield choice.player, [o.key for o in choice.single[:2]]
        mine = {word for o in choice.single for word in (o.key, o.label, o.key.split("#")[0])}
        for another in match.pending:
            yield from ((choice.player, o) for o in another.single if another is not choice and o.key not in mine)


Progress = Callable[[str, int, int], None]


def with_all(variants: Iterable[str]) -> str:
    names = " and ".join(Path(name).stem for name in variants)
    return f" with {names}" if names else ""


@dataclass(frozen=True, slots=True)
class Violation:
    """A failed match: its players, variants, seed and message, and the record that leads there."""

    players: int
    variants: tuple[str, ...]
    seed: int
    message: str
    record: Record

    @property
    def told(self) -> tuple[int, tuple[str, ...], int, str]:
        return self.players, self.variants, self.seed, self.message

    @property
    def table(self) -> str:
        return f"for {self.players} players{with_all(self.variants)}"


@dataclass(slots=True)
class Checked:
    """The result of a check. `unreached` are the steps and effects that no match reached; random matches reach most."""

    game: str
    folder: Path
    variants: tuple[str, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    scenarios: list[ScenarioResult] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    unreached: list[Rule] = field(default_factory=list)
    tables: int = 0
    matches: int = 0
    endings: Counter[str] = field(default_factory=Counter)  # of matches that ended
    comparisons: int = 0  # of a player's view with another world that the player may not distinguish
    looked: bool = False  # whether a match was examined for what players may not know, in a game that hides something
    is_stopped: bool = False
    worked: int = 0  # by the rules in all matches, in units

    @property
    def title(self) -> str:
        return f"{self.game}{with_all(self.variants)}"

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(dict.fromkeys([*self.diagnostics, *diagnostics]))

    @property
    def failed(self) -> bool:
        """Whether anything is wrong; unreached rules are only reported."""
        return (
            bool(self.violations)
            or any(d.severity == "error" for d in self.diagnostics)
            or not all(result.passed for result in self.scenarios)
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "variants": list(self.variants),
            "failed": self.failed,
            "stopped": self.is_stopped,
            "tables": self.tables,
            "matches": self.matches,
            "endings": {ending: self.endings[ending] for ending in ENDINGS},
            "comparisons": self.comparisons,
            "diagnostics": [
                {"code": d.code, "severity": d.severity, "message": d.message, **place(d.span)}
                for d in self.diagnostics
            ],
            "scenarios": {
                "passed": sum(result.passed for result in self.scenarios),
                "failed": [
                    {"name": r.name, "file": r.path, "line": r.line, "message": r.message}
                    for r in self.scenarios
                    if not r.passed
                ],
            },
            "violations": [asdict(v) | {"record": v.record.to_json()} for v in self.violations],
            "unreached": [{"kind": rule.kind, "name": rule.name, **place(rule.span)} for rule in self.unreached],
        }


def place(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line, "column": span.column}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much to try at each table. The base game and single variants are examined closely, pairs only played.

    With the engine `native`, full-speed matches are also played natively, and must end the same way. With `variants` or
    `options`, only the rules with these are tried: no other variants, and not the scenarios, which are examples of other rules.
    """

    matches: int = 20
    close: int = 2
    seed: int = 0
    pairs: bool = False
    engine: str = "auto"
    variants: tuple[str, ...] = ()
    options: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def most_work(self) -> float:
        """The work of rules after which no more matches are played."""
        return MOST_PLAYED * allow_work() * max(1, self.matches / 20, self.close / 2)


def check(path: Path, wanted: Wanted, progress: Progress | None = None) -> Checked:
    """Validate a game with each of its variants, run its scenarios, and play matches for every number of players.

    A file with a variant stands for its game with that variant.
    All chance comes from `wanted.seed`. On Ctrl-C it ends with what was found so far. `progress` gets the current task, how much of it is done, and the total.
    Raises UnknownGame.
    """
    if is_variant(path):
        wanted, path = replace(wanted, variants=(str(path), *wanted.variants)), game_varied_by(path)
    folder = path if path.is_dir() else path.parent
    name = path.stem if path.is_file() and path.name != "game.yaml" else folder.resolve().name
    found = Checked(name, path, wanted.variants)
    tell = progress or (lambda *_: None)
    tell("rules", 0, 1)
    is_alone = bool(wanted.variants or wanted.options)
    readings = Readings()
    found.diagnostics = validate(path, wanted.variants, wanted.options, readings=readings)
    coverage = Coverage()
    groups = [wanted.variants] if is_alone else combinations_of(folder, 2 if wanted.pairs else 1)
    try:
        for number, (game, players, at_table) in enumerate(tables(path, groups, wanted, readings, found)):
            if not number and not is_alone:
                run_scenarios(folder, found, tell)
            tell(described(game.variants, players), groups.index(game.variants), len(groups))
            found.tables += 1
            for violation in play_at(game, players, game.variants, at_table, coverage, found):
                if violation.told not in (
                    one.told for one in found.violations
                ):  # a match that is examined closely fails as it did at full speed
                    found.violations.append(violation)
            game.forget(players)
    except KeyboardInterrupt:
        found.is_stopped = True
        return found
    found.unreached = [rule for rule in coverage.rules if not rule.ran and rule.kind in ("step", "effect")]
    return found


def tables(
    path: Path, groups: Sequence[tuple[str, ...]], wanted: Wanted, readings: Readings, found: Checked
) -> Iterator[tuple[Game, int, Wanted]]:
    """A game with each of these groups of variants, for each number of players, and how much to try there, as long as what was checked
    leaves work for it."""
    spent = left_behind = 0

    def leave_out(message: str) -> None:
        report = Report()
        report.warning("HR588", message, game.definition.span, f"houserule check {display(path)} --work 10")
        found.add(report.found)

    for number, variants in enumerate(groups):
        try:
            game = load(path, variants, dict(wanted.options), readings)
        except InvalidGame as invalid:
            found.add(invalid.diagnostics)
            if not number:
                return
            continue
        at_table = wanted
        largest = game.checked(game.players[0]).analysis.budget.spent
        excess = max(0, largest - LARGEST_USUAL) * FOR_EACH_TABLE
        if wanted.close and largest > LARGEST_EXAMINED * allow_work():
            at_table = replace(wanted, close=0)
            leave_out("these rules are so many that matches are played, but not examined closely")
        for players in game.players:
            if spent > MOST_TRIED * allow_work():
                here = described(variants, players)
                leave_out(f"trying the tables before this one has taken long, so {here} and what follows is not tried")
                return
            checked = game.checked(players)
            families = (*checked.symbols.variables.values(), *checked.symbols.zones.values())
            slots = sum(family.size for family in families)
            left_behind += checked.analysis.budget.spent
            spent += checked.analysis.budget.spent + excess + UNITS_A_SLOT * slots
            del checked, families
            yield game, players, at_table
            if left_behind > LARGEST_USUAL:
                gc.collect()  # what a table leaves behind is in circles, and old when its turn is over
                left_behind = 0
            if found.worked > wanted.most_work:
                here = described(variants, players)
                leave_out(f"the matches take long, so there may be fewer with {here}, and what follows is not tried")
                return


def described(variants: tuple[str, ...], players: int) -> str:
    return f"{players} players" + (f", {' + '.join(Path(one).stem for one in variants)}" if variants else "")


def run_scenarios(folder: Path, found: Checked, tell: Progress) -> None:
    """Run all scenarios of a game; a file with errors adds its diagnostics."""
    files = files_below(folder / "scenarios", "**/*.yaml", folder)
    budget = ScenarioBudget()
    for number, file in enumerate(files):
        tell("scenarios", number, len(files))
        try:
            found.scenarios += rehearse(file, budget=budget)
        except InvalidGame as invalid:
            found.add(invalid.diagnostics)
    found.add(budget.found)


def play_at(
    game: Game, players: int, variants: tuple[str, ...], wanted: Wanted, coverage: Coverage, found: Checked
) -> Iterator[Violation]:
    """Play at one table, at full speed and closely; yields the first violation of each, because others are probably the same."""

    def seeds(number: int) -> Iterator[int]:
        for seed in range(wanted.seed, wanted.seed + number):
            if found.worked > wanted.most_work:
                break
            found.matches += 1
            yield seed

    program = compile_game(game.checked(players), told=False, marking=True)
    natively = machine_of(game.program(players, told=False)) if wanted.engine == "native" else None
    for seed in seeds(wanted.matches):
        try:
            outcome = check_marked_match(game, program, seed, found)
            found.endings[outcome.ending] += 1
            if natively is not None:
                check_native_match(natively, seed, outcome)
        except Exception as error:  # noqa: BLE001  whatever it is, it must be reported with its seed
            yield violation_at(game, players, seed, error)
            break
    coverage.note(program)
    if not wanted.close or (len(variants) > 1 and variants != wanted.variants):
        return
    table = Table(game, players)
    for seed in seeds(wanted.close):
        walk: Walk | None = None
        try:
            walk = Walk(table, seed)
            walk.run()
            found.endings[walk.match.ending or "undecided"] += 1
        except Exception as error:  # noqa: BLE001  as above
            record = walk.record if walk is not None else record_of(game, players, seed)
            yield Violation(players, variants, seed, message_of(error), record)
            break
        finally:
            if walk is not None:
                found.comparisons += walk.compared
                families = *program.symbols.zones.values(), *program.symbols.variables.values()
                found.looked = found.looked or any(one.visible != "all" for one in families)
                found.worked += walk.worked


def violation_at(game: Game, players: int, seed: int, error: Exception) -> Violation:
    """The violation of a match at full speed, with the record that leads there."""
    record, fault = retraced(game, players, seed)
    return Violation(players, game.variants, seed, message_of(fault or error), record)


def message_of(error: Exception) -> str:
    """What went wrong, in a sentence. Any unexpected exception is a mistake of the interpreter."""
    if isinstance(error, Broken | RuleFault):
        return str(error)
    return f"{type(error).__name__}: {error} (this is a mistake in Houserule itself)"
