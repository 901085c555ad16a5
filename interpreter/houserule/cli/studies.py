"""`houserule simulate`, `compare` and `sweep`: many matches of a game, and what they show."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houserule.cli.report import (
    FAILED,
    STOPPED,
    WRONG_CALL,
    Engine,
    Json,
    OfGame,
    Seed,
    Set,
    Verbose,
    With,
    Work,
    console,
    fail,
    flag,
    known_variants,
    load_game,
    not_written,
    option,
    print_json,
    render_fault,
    save,
    settings,
    target,
    tell,
    words_for_record,
)
from houserule.printable import printable, whole_number

if TYPE_CHECKING:
    from houserule import Comparison, Game, Ladders, Study, Sweep
    from houserule.study.figures import Interval
    from houserule.study.matches import FaultInMatch
    from houserule.study.plan import Means, Plan
    from houserule.study.profile import Profile
    from houserule.study.run import Unfinished
    from houserule.study.simulate import Spread, Summary, Wins

PLAYERS = "How many players; by default as many as --seats names, or the fewest possible."
SEATS = "A bot for each seat, such as random or mcts:400; the last one also takes the seats that remain."
WORKERS = "How many processes, or threads if play is native, play in parallel."
REPORT = "Write a report to this file: one HTML page that needs no network."
OUT = "A folder for tables of matches and options; a stopped study resumes from it."
PRECISION = "Stop when the intervals of all differences in wins are at most this wide."
SWEPT = "An option and its values, such as 3..9 or 3,5,7; for one or two options. A single value just sets it."


CSV = "Write the figures to this file as CSV: a row for each measure; of a ladder, for each rung."
Csv = Annotated[Path | None, target(CSV, (".csv",))]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What every command that plays a study is asked: each field is one of its options."""

    game: OfGame
    players: Annotated[int | None, option(PLAYERS, "NUMBER")] = None
    seats: Annotated[str, option(SEATS, "BOT,...")] = "random"
    seed: Seed = 0
    workers: Annotated[int, option(WORKERS, "NUMBER", min=1)] = 1
    cluster: Annotated[str | None, option("Play on the Dask cluster whose scheduler has this address.", "ADDRESS")] = (
        None
    )
    report: Annotated[Path | None, target(REPORT, (".html", ".htm"))] = None
    records: Annotated[Path, option("Where to write the record of a failed match.", "FOLDER")] = Path()
    json: Json = False
    variants: With = None
    work: Work = 1

    def loaded(self, settings: dict[str, str], variants: Sequence[str] | None = None) -> Game:
        return load_game(self.game, (self.variants or ()) if variants is None else variants, settings)

    def beside(self, one: Game, against: Sequence[str] | None, settings: dict[str, str]) -> Game:
        """The other side of a game, with the house rules that are named after it; the game itself is none."""
        return self.loaded(settings, [name for name in against or () if name not in (self.game, one.id)])

    def words(self, game: Game) -> tuple[str, ...]:
        """The bot of each seat. Raises ValueError if there is no such bot, or if there are too many."""
        from houserule.study.simulate import seats_of

        return seats_of(game, self.players, self.seats)

    def means(self, progress: Callable[[int], None] | None) -> Means:
        from houserule.study.plan import Means

        return Means(self.workers, self.cluster, progress)

    @contextmanager
    def played(
        self, game: Game, matches: int, total: int | None, kept: Callable[[Unfinished], None] | None = None
    ) -> Iterator[Means]:
        """Yield how to play so many matches, with a progress bar; exits with a sentence if they end early."""
        self.see_report()
        with said(matches, self.records, kept), bar(game.title("en"), total) as progress:
            yield self.means(progress)

    def see_report(self) -> None:
        """Raise MissingExtra before the first match if a report is wanted and cannot be made."""
        if self.report is not None:
            from houserule.study.figures import figures

            figures()

    def tell(self, found: Any, printed: Callable[[Any], None], profile: Profile | None = None) -> None:
        """Print what was found, and a profile if there is one: as JSON, or by a function."""
        if self.json:
            print_json(found.to_json() | ({"profile": profile.to_json()} if profile is not None else {}))
            return
        printed(found)
        if profile is not None:
            print_profile(profile)

    def show(
        self,
        found: Any,
        printed: Callable[[Any], None],
        csv: Path | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Print what was found, and write its files, even if nobody reads what is printed."""
        try:
            self.tell(found, printed, profile)
        finally:
            self.write_files(found, csv)

    def write_files(self, found: Any, csv: Path | None) -> None:
        if csv is not None:
            from houserule.study.rows import csv_of

            save(csv, csv_of(found.flat()))
        if self.report is not None:
            from houserule.study.report import report

            try:
                report(found, self.report)
            except OSError as wrong:
                not_written(self.report, wrong)


def of_study(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose first parameter is what every study is asked: the options of that come after the game, before its own."""
    own = dict(list(inspect.signature(command, eval_str=True).parameters.items())[1:])
    of_all = dict(inspect.signature(Wanted, eval_str=True).parameters)
    if "bots" in own:
        del of_all["seats"]

    def run(**given: Any) -> None:
        import houserule

        wanted = Wanted(**{name: given.pop(name) for name in of_all})
        houserule.allow_work(wanted.work)
        command(wanted, **given)

    found: Any = run
    found.__name__, found.__doc__, found.__module__ = command.__name__, command.__doc__, command.__module__
    parameters = {name: one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for name, one in {**of_all, **own}.items()}
    first = {name: parameters.pop(name) for name in ("game", "options", "variants", "matches") if name in parameters}
    found.__signature__ = inspect.Signature([*first.values(), *parameters.values()])
    found.__annotations__ = {name: one.annotation for name, one in (first | parameters).items()}
    return run


# --- the commands -----------------------------------------------------------------------------------------------------


@of_study
def simulate(
    wanted: Wanted,
    matches: Annotated[int, option("How many matches.", "NUMBER", "-n", "--matches", min=1)] = 1000,
    options: Set = None,
    rotate: Annotated[bool, flag("--rotate", "Move every bot on by one seat after each match.")] = False,
    out: Annotated[Path | None, option(OUT, "FOLDER")] = None,
    csv: Annotated[bool, flag("--csv", "Also write the tables as CSV.")] = False,
    profile: Annotated[
        bool, flag("--profile", "Report which lines of the rules take the time, in one process.")
    ] = False,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
) -> None:
    """Play many matches and print statistics: wins by seat, scores, length, points by line of the score sheet.

    --out writes a row for each match, and one for each option with how often it was offered and taken. The same
    seed gives the same rows, wherever the matches are played.

    houserule simulate ./mushrooms -n 10000
    houserule simulate ./mushrooms --seats greedy,random --report report.html
    """
    from houserule.study.profile import profiled
    from houserule.study.simulate import Study, study

    if csv and out is None:
        fail("--csv writes to the folder of --out", "--out my_study --csv")
    if profile and (wanted.workers > 1 or wanted.cluster is not None):
        fail("--profile covers a single process", "leave out --workers and --cluster")
    if profile and engine == "native":
        fail("--profile covers rules played in Python", "leave out --engine")
    game = wanted.loaded(settings(options))
    offers = out is not None or wanted.report is not None
    engine = "python" if profile else engine
    plan = plan_of(game, wanted, matches, engine, is_verbose, rotates=rotate, offers=offers)
    started = time.perf_counter()

    def printed(counted: Study) -> None:
        print_figures(counted, time.perf_counter() - started)

    def kept(ended: Unfinished) -> None:
        wanted.tell(Study(game, plan, ended.columns), printed)

    with wanted.played(game, matches, matches, kept) as means, profiled() if profile else nullcontext() as seen:
        found = study(game, plan, means, out, csv)
    wanted.show(found, printed, profile=seen)


def as_meant(words: list[str]) -> list[str]:
    """The words of the call, with `--set` and `--with` after `--against` turned into those of the other side."""
    found: list[str] = []
    is_behind = False
    for word in words:
        name, sign, value = word.partition("=")
        if name == "--against":
            is_behind = True
        elif is_behind and name in ("--set", "--with"):
            word = f"{'--against-set' if name == '--set' else '--against'}{sign}{value}"
        found.append(word)
    return found


@of_study
def compare(
    wanted: Wanted,
    matches: Annotated[int, option("The most matches of each side.", "NUMBER", "-n", "--matches", min=1)] = 20_000,
    options: Set = None,
    against: Annotated[
        list[str] | None,
        option(
            "A house rule of the other side, or GAME for the game itself, the default.",
            "VARIANT",
            autocompletion=known_variants,
        ),
    ] = None,
    against_set: Annotated[
        list[str] | None, option("Set an option of the other side, like --set after --against.", "OPTION=VALUE")
    ] = None,
    precision: Annotated[float, option(PRECISION, "SHARE", min=0.0001, max=1)] = 0.05,
    csv: Csv = None,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
) -> None:
    """Compare two sides of a game: one with --with and --set, the other with --against and what follows it.

    Both play the same seeds with the same bots, each taking every seat in turn. Differences are reported with 95 %
    intervals: wins by seat, length, scores, ties, lead changes and how close matches are.

    houserule compare ./mushrooms --with my_rule.yaml -n 10000
    """
    from houserule.study.compare import compared

    one = wanted.loaded(settings(options))
    other = wanted.beside(one, against, settings(against_set))
    with said(matches, wanted.records):
        number = len(wanted.words(one))
    if number not in other.players:
        fail(f"the other side is not for {number} players")
    noted = {"rotates": True, "offers": True}
    plans = [plan_of(side, wanted, matches, engine, is_verbose, one, **noted) for side in (one, other)]
    see_statistics()
    so_far: list[Comparison] = []

    def kept(_: Unfinished) -> None:
        for found in so_far:
            wanted.tell(found, print_comparison)

    with wanted.played(one, matches, None, kept) as means:
        found = compared((one, other), plans, precision, means, so_far.append)
    if one.rules_hash == other.rules_hash and one.settings == other.settings and not (wanted.variants or against):
        tell("both sides have the same rules; --with, --set and --against make them differ", sys.stderr)
    wanted.show(found, print_comparison, csv)


@of_study
def sweep(
    wanted: Wanted,
    matches: Annotated[int, option("How many matches of each setting.", "NUMBER", "-n", "--matches", min=1)] = 1000,
    options: Annotated[list[str] | None, option(SWEPT, "OPTION=VALUES", "--set")] = None,
    csv: Csv = None,
) -> None:
    """Play a game with each of several settings, to see how wins, scores and length depend on one or two options.

    Every setting plays the same seeds with the same bots, each taking every seat in turn.

    houserule sweep ./mushrooms --set walks=2..5 -n 2000
    """
    from houserule.study.compare import grid, swept_over

    swept, fixed = values_of(options or [])
    settings = grid(swept)
    if len(settings) > MOST_SETTINGS:
        fail(f"these are {len(settings)} settings, and a sweep has at most {MOST_SETTINGS}", "give fewer values")
    chosen = [{name: str(value) for name, value in {**fixed, **setting}.items()} for setting in settings]
    games = [wanted.loaded(one) for one in chosen]
    number = matches * len(games)
    see_statistics()
    with wanted.played(games[0], number, number) as means:
        found = swept_over(swept, games, wanted.words(games[0]), matches, wanted.seed, means)
    wanted.show(found, print_sweep, csv)


def plan_of(
    game: Game, wanted: Wanted, matches: int, engine: str, is_verbose: bool, named: Game | None = None, **noted: bool
) -> Plan:
    """The plan of a study with its engine; exits with a sentence if the game cannot be played like that."""
    from houserule.study.simulate import planned

    refusals: list[str] = []
    with said(matches, wanted.records):
        words = wanted.words(named or game)
        plan = planned(game, words, matches, wanted.seed, engine, refusals.append, **noted)
    if is_verbose:
        tell("; ".join([f"engine: {plan.engine}", *refusals]), sys.stderr)
    return plan


MOST_SETTINGS = 200


def values_of(pairs: list[str]) -> tuple[dict[str, list[int | str]], dict[str, int | str]]:
    """The options with several values, and those with one; exits with a sentence if they make no sweep."""
    swept: dict[str, list[int | str]] = {}
    fixed: dict[str, int | str] = {}
    for pair in pairs:
        name, sign, text = (part.strip() for part in pair.partition("="))
        words = [word.strip() for word in text.split(",") if word.strip()]
        if not (name and sign and words):
            fail(f"--set expects an option and its values, but got '{pair}'", f"--set {name or 'option'}=3..9")
        if name in swept or name in fixed:
            fail(f"'{name}' is set twice", "give all its values in one --set")
        values: list[int | str] = []
        for word in words:
            numbers = whole_numbers(word)
            if numbers is not None and not numbers:
                fail(f"'{word}' has no values: the first is greater than the last")
            values += [word] if numbers is None else numbers[: MOST_SETTINGS + 1]
        if len(values) == 1:
            fixed[name] = values[0]
        else:
            swept[name] = values
    if not 1 <= len(swept) <= 2:
        fail(
            f"a sweep needs one option with several values, or two; here {len(swept) or 'none'} have several",
            "--set depth=3..9",
        )
    return swept, fixed


def whole_numbers(text: str) -> range | None:
    """The integers of `3..9`; None if it is no range."""
    low, dots, high = text.partition("..")
    first, last = whole_number(low.strip()), whole_number(high.strip())
    return range(first, last + 1) if dots and first is not None and last is not None else None


def see_statistics() -> None:
    """Raise MissingExtra before the first match, not after the last, if statistics are not installed."""
    from houserule.study.figures import numpy, statistics

    numpy()
    statistics()


@contextmanager
def bar(title: str, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """A progress bar with rate and remaining time, on a terminal; yields a function that is called with the number of further matches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console(errors=True), transient=True) as shown:
        task = shown.add_task(printable(title), total=total, rate="")

        def more(matches: int) -> None:
            speed = shown.tasks[task].speed
            shown.update(task, advance=matches, rate=f"{speed:,.1f} a second" if speed else "")

        yield more


GOES_ON = "the same command resumes the study"


@contextmanager
def said(matches: int, records: Path, kept: Callable[[Unfinished], None] | None = None) -> Iterator[None]:
    """A context that reports in a sentence what ends a study early, and exits; `kept` prints what was counted."""
    from houserule import NotNative, RuleFault
    from houserule.bots.playing import BotFault, UnknownSeat
    from houserule.study.matches import FaultInMatch
    from houserule.study.plan import OtherRules
    from houserule.study.rows import WrongFolder
    from houserule.study.run import ClusterLost, Unfinished

    try:
        yield
    except RuleFault as fault:
        tell(render_fault(fault), sys.stderr)
        if isinstance(fault, FaultInMatch):
            print_match(fault, records)
        raise typer.Exit(FAILED) from None
    except Unfinished as ended:
        if kept is not None and len(ended.columns):
            kept(ended)
        code = STOPPED if isinstance(ended, KeyboardInterrupt) else FAILED
        help = "use a single process: --workers 1" if code == FAILED else None
        if isinstance(ended, OSError):
            code, help = WRONG_CALL, GOES_ON
        elif isinstance(ended.__cause__, ClusterLost):
            code, help = WRONG_CALL, None
        fail(f"{ended}; {len(ended.columns):,} of {matches:,} matches were counted", help, code)
    except UnknownSeat as unknown:
        fail(str(unknown), unknown.help)
    except WrongFolder as wrong:
        fail(str(wrong), "name another folder, or give the command that began this study")
    except NotNative as wrong:
        fail(str(wrong), "use --engine auto")
    except (OtherRules, ClusterLost, BotFault, ValueError) as wrong:
        fail(str(wrong))
    except OSError as wrong:
        from houserule.cli.streams import said_of

        fail(f"the matches cannot be written: {said_of(wrong)}", GOES_ON)


def print_match(fault: FaultInMatch, folder: Path) -> None:
    """Report in which match a fault occurred, and how to replay it."""
    from houserule.cli.check import write
    from houserule.trial.check import violation_at

    violation = violation_at(fault.game, fault.players, fault.seed, fault)
    file = write(violation, fault.game.id, folder)
    tell(f"match {fault.number} {violation.table}, seed {fault.seed}", sys.stderr)
    tell(f"  houserule replay {words_for_record(file, fault.game.path, fault.game.variants)}", sys.stderr)


# --- what is printed --------------------------------------------------------------------------------------------------


LEAST_SHARE, LEAST_WITH_CALLS = 0.01, 0.05
"""Lines that take a smaller share of the time are left out of a profile,"""
MOST_LINES = 20
"""and so are all after this many."""
LONGEST_RULE = 40
"""The most characters of a line that are shown beside its place."""


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table with a column of words and others of figures, under its title if it has one."""
    from rich.table import Table

    from houserule.cli.screen import one_line

    table = Table(heads[0])
    for heading in heads[1:]:
        table.add_column(one_line(heading), justify="right")
    for first, *figures in rows:
        table.add_row(one_line(first), *figures)
    screen = console()
    if title:
        screen.print(f"\n{title}")
    screen.print(table)


def print_verdict(found: Comparison | Ladders | Sweep) -> None:
    for sentence in found.verdict:
        console().print(printable(sentence))


def print_figures(study: Study, seconds: float) -> None:
    print_summary(study.summary, study.title, seconds)
    print_measures(study)


def print_measures(study: Study) -> None:
    """Print the measures of tension and of choices, if SciPy is there, and what random play cannot say."""
    from houserule.study.measures import amount, caveat, never
    from houserule.study.simulate import has_scipy

    if has_scipy() and study.measured:
        rows = []
        for one in study.measured:
            at = study.measures[one.key]
            rows.append((one.title, *(amount(value, one.unit) for value in (at.estimate, at.low, at.high))))
        print_table("Tension and choices", ("measure", "mean", "95 % from", "to"), rows)
    for sentence in filter(None, (never(study), caveat(study))):
        console().print(f"\n{printable(sentence)}", markup=False)


def print_profile(profile: Profile) -> None:
    from rich.table import Table

    from houserule.cli.screen import one_line

    lines = [line for line in profile.lines if line.share >= LEAST_SHARE or line.with_calls >= LEAST_WITH_CALLS]
    table = Table()
    for heading in ("time", "with calls"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("line", no_wrap=True)
    table.add_column("rule")
    for line in lines[:MOST_LINES]:
        place, text = one_line(f"{Path(line.file).name}:{line.line}"), one_line(line.text)
        text.truncate(LONGEST_RULE, overflow="ellipsis")
        table.add_row(f"{line.share:.1%}", f"{line.with_calls:.1%}", place, text)
    table.add_row(f"{profile.elsewhere:.1%}", "", "", "outside the rules")
    screen = console()
    screen.print("\nTime by line of the rules")
    screen.print(table)


def print_summary(summary: Summary, title: str, seconds: float) -> None:
    from houserule.study.measures import ENDED
    from houserule.study.simulate import SPREAD_HEADS

    screen = console()
    length, rounds = summary.length, summary.rounds
    bots = sorted(set(summary.seats_taken))
    rate = summary.matches / max(seconds, 1e-9)
    screen.print(
        f"{printable(title)}: {summary.matches:,} {'random ' if bots == ['random'] else ''}matches for {summary.players},"
        f" seed {summary.seed} ({rate:,.{0 if rate >= 10 else 2}f} a second)"
    )
    if bots != ["random"]:
        screen.print(f"seats: {printable(', '.join(summary.seats_taken))}")
    screen.print(f"length: {mean_of(length)} decisions on average, {length.lowest} to {length.highest}")
    if rounds.highest:
        screen.print(f"rounds: {mean_of(rounds)} on average, {rounds.lowest} to {rounds.highest}")
    for ending, words in ENDED.items():
        if summary.endings[ending]:
            screen.print(f"{words}: {summary.endings[ending] / summary.matches:.1%}")
    print_wins(summary)
    if summary.titles:
        scores = [(str(seat.seat), mean_of(seat.score, 2), *seat.score.shown(2)[1:]) for seat in summary.seats]
        print_table("Scores", ("seat", *SPREAD_HEADS), scores)
        lines = [
            (title, *(f"{seat.lines[key]:.2f}" for seat in summary.seats)) for key, title in summary.titles.items()
        ]
        seats = [f"seat {seat.seat}" for seat in summary.seats]
        print_table("Points by line of the score sheet, on average", ("line", *seats), lines)
    if summary.seats[0].wins.interval is None:
        screen.print("\nIntervals of 95 % need SciPy: pip install 'houserule[study]'", markup=False)


def print_wins(summary: Summary) -> None:
    """Who has won: by seat, by team, by bot."""
    cut = 4 if any(seat.wins.shared for seat in summary.seats) else 3
    rows = [(str(seat.seat), *figures_of(seat.wins)) for seat in summary.seats]
    print_table("Wins", ("seat", "wins", "95 %", "shared")[:cut], [row[:cut] for row in rows])
    if summary.teams:
        teams = [(" + ".join(map(str, team.seats)), *figures_of(team.wins)) for team in summary.teams]
        print_table("Wins by team", ("seats", "wins", "95 %", "shared")[:cut], [row[:cut] for row in teams])
    if summary.bots:
        by_bot = [
            (bot, f"{wins.matches:,}", *figures_of(wins), f"{wins.share:.1%}") for bot, wins in summary.bots.items()
        ]
        heads = ("bot", "seats", "wins", "95 %", "shared", "share of victories")
        print_table("Wins by bot, over all its seats", heads, by_bot)


def mean_of(spread: Spread, digits: int = 1) -> str:
    if spread.interval is None or spread.interval.width == float("inf"):
        return f"{spread.mean:.{digits}f}"
    return f"{spread.mean:.{digits}f} ± {spread.interval.width / 2:.{digits}f}"


def figures_of(wins: Wins) -> tuple[str, str, str]:
    """The share of wins, its interval, and the share of shared wins."""
    at: Interval | None = wins.interval
    between = "" if at is None else f"{at.low * 100:.1f} to {at.high * 100:.1f} %"
    return f"{wins.alone / wins.matches:.1%}", between, f"{wins.shared / wins.matches:.1%}"


def print_comparison(found: Comparison) -> None:
    from houserule.cli.screen import one_line
    from houserule.study.measures import amount, between

    print_verdict(found)
    seats = printable(", ".join(found.first.plan.seats))
    console().print(f"\n{len(found):,} matches of each side; seats: {seats}")
    rows = [
        (
            one.title,
            *one.sides,
            one_line(amount(one.interval.estimate, one.unit, "+"), style="bold" if one.is_told else ""),
            between(one.interval, one.unit),
        )
        for one in found.differences
    ]
    print_table("", ("measure", *found.names, "difference", "95 %"), rows)


def print_sweep(found: Sweep) -> None:
    """Print the verdict, and a row for each setting."""
    from houserule.study.measures import OF_SIDES, brief

    print_verdict(found)
    swept = " and ".join(f"{name} = {', '.join(map(str, values))}" for name, values in found.swept.items())
    seats = printable(", ".join(found.studies[0].plan.seats))
    console().print(f"\n{printable(swept)}; {len(found.studies[0]):,} matches of each setting; seats: {seats}")
    keys = [key for key in found.keys if key.startswith(OF_SIDES)] + ["decisions"]
    titles = [key.removeprefix("wins.").replace("_", " ") for key in keys]
    curves = [[brief(at.interval, at.unit) for at in found.curve(key)] for key in keys]
    settings = [", ".join(map(str, setting.values())) for setting in found.settings]
    print_table("", ("value" if len(found.swept) == 1 else "values", *titles), zip(settings, *curves, strict=True))
