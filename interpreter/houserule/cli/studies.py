"""What the commands that play many matches share: their options, the progress bar, and their error messages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.colours import console
from houserule.cli.report import (
    FAILED,
    STOPPED,
    WRONG_CALL,
    fail,
    not_written,
    render_fault,
    replay_call,
    tell,
    wrong_number,
)
from houserule.printable import printable, whole_number

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from houserule import Game
    from houserule.study.compare import Comparison
    from houserule.study.matches import FaultInMatch
    from houserule.study.plan import Plan
    from houserule.study.run import Unfinished
    from houserule.study.simulate import Study
    from houserule.study.sweep import Sweep

Players = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER", help="How many players; by default as many as --seats names, or the fewest possible."
    ),
]
Seats = Annotated[
    str,
    typer.Option(
        metavar="BOT,...",
        help="A bot for each seat, such as random or mcts:400; the last one also takes the seats that remain.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="The seed of all chance.")]
Workers = Annotated[
    int,
    typer.Option(metavar="NUMBER", min=1, help="How many processes, or threads if play is native, play in parallel."),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the Dask cluster whose scheduler has this address.")
]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a report to this file: one HTML page that needs no network."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Records = Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write the record of a failed match.")]


def bots_of(game: Game, players: int | None, seats: str) -> tuple[str, ...]:
    """The bot of each seat; exits with a sentence if there is no such bot, or if there are too many."""
    from houserule.bots.playing import UnknownSeat
    from houserule.study.simulate import seats_of

    try:
        return seats_of(game, players, seats)
    except UnknownSeat as unknown:
        fail(str(unknown), unknown.help)
    except ValueError:
        assert players is not None
        fail(wrong_number(game, players))


def see_statistics() -> None:
    """Raise MissingExtra before the first match, not after the last, if statistics are not installed."""
    from houserule.study.figures import numpy, statistics

    numpy()
    statistics()


def settled(game: Game, plan: Plan, is_verbose: bool) -> Plan:
    """A plan with its engine; exits with a sentence if there is no such engine, or if it cannot play the game."""
    from houserule import NotNative
    from houserule.study.simulate import with_engine

    refusals: list[str] = []
    try:
        found = with_engine(game, plan, refusals.append)
    except (NotNative, ValueError) as wrong:
        fail(str(wrong), "use --engine auto")
    if is_verbose:
        tell("; ".join([f"engine: {found.engine}", *refusals]), sys.stderr)
    return found


def see_report(report: Path | None) -> None:
    """Check before the first match that a report can be made and its folder exists; exits with a sentence if not."""
    if report is not None:
        from houserule.study.figures import figures

        figures()
        if not report.absolute().parent.is_dir():
            fail(f"there is no folder '{report.parent}' for the report")


def print_head(found: Comparison | Sweep, played: str, seats: Sequence[str]) -> Console:
    """Print a verdict and what was played for it; returns the console for what follows."""
    screen = console()
    for sentence in found.verdict:
        screen.print(printable(sentence), markup=False, highlight=False)
    screen.print(f"\n{played}; seats: {printable(', '.join(seats))}", markup=False)
    return screen


def table_of(first: str, *others: str) -> Table:
    """A table with a column of words and others of figures."""
    from rich.table import Table

    from houserule.cli.screen import one_line

    found = Table(first)
    for heading in others:
        found.add_column(one_line(heading), justify="right")
    return found


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
def said(
    game: Game, players: int, matches: int, records: Path, kept: Callable[[Unfinished], None] | None = None
) -> Iterator[None]:
    """A context that reports in a sentence what ends a study early, and exits; `kept` prints what was counted."""
    from houserule import RuleFault
    from houserule.bots.playing import BotFault
    from houserule.study.folder import WrongFolder
    from houserule.study.matches import FaultInMatch
    from houserule.study.plan import OtherRules
    from houserule.study.run import ClusterLost, Unfinished

    try:
        yield
    except RuleFault as fault:
        tell(render_fault(fault), sys.stderr)
        if isinstance(fault, FaultInMatch):
            print_match(game, players, fault, records)
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
    except WrongFolder as wrong:
        fail(str(wrong), "name another folder, or give the command that began this study")
    except (OtherRules, ClusterLost, BotFault) as wrong:
        fail(str(wrong))
    except OSError as wrong:
        from houserule.cli.streams import said_of

        fail(f"the matches cannot be written: {said_of(wrong)}", GOES_ON)


def write_report(found: Comparison | Study | Sweep, file: Path | None) -> None:
    """Write the report of a study, if requested; exits with a sentence if that fails."""
    if file is not None:
        from houserule.study.report import report

        try:
            report(found, file)
        except OSError as wrong:
            not_written(file, wrong)


def print_match(game: Game, players: int, fault: FaultInMatch, folder: Path) -> None:
    from houserule.cli.check import write
    from houserule.play.trial import violation_at

    violation = violation_at(game, players, fault.seed, fault)
    file = write(violation, game.id, folder)
    tell(f"match {fault.number} {violation.table}, seed {fault.seed}", sys.stderr)
    tell(f"  {replay_call(file, game.path)}", sys.stderr)


def whole_numbers(text: str) -> range | None:
    """The integers of `3..9`; None if it is no range."""
    low, dots, high = text.partition("..")
    first, last = whole_number(low.strip()), whole_number(high.strip())
    return range(first, last + 1) if dots and first is not None and last is not None else None
