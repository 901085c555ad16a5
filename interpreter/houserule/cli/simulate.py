"""`houserule simulate`: play many matches and print statistics."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.colours import console
from houserule.cli.report import Engine, Set, Verbose, With, Work, fail, load_game, settings
from houserule.cli.studies import (
    Cluster,
    Json,
    Players,
    Records,
    Report,
    Seats,
    Seed,
    Workers,
    bar,
    bots_of,
    said,
    see_report,
    settled,
    table_of,
    write_report,
)
from houserule.printable import printable

if TYPE_CHECKING:
    from rich.table import Table

    from houserule.study.figures import Interval
    from houserule.study.profile import Profile
    from houserule.study.run import Unfinished
    from houserule.study.simulate import Study
    from houserule.study.summary import Spread, Summary

ENDED = {
    "shared": "shared victories",
    "victory": "all won together",
    "draw": "draws",
    "defeat": "all lost",
    "undecided": "nobody won",
}
"""The words for matches that did not end with a single winner."""
LEAST_SHARE, LEAST_WITH_CALLS = 0.01, 0.05
"""Lines that take a smaller share of the time are left out of a profile,"""
MOST_LINES = 20
"""and so are all after this many."""
LONGEST_RULE = 40
"""The most characters of a line that are shown beside its place."""


def simulate(  # long: its parameters are the options of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    matches: Annotated[int, typer.Option("-n", "--matches", metavar="NUMBER", min=1, help="How many matches.")] = 1000,
    players: Players = None,
    seats: Seats = "random",
    rotate: Annotated[bool, typer.Option("--rotate", help="Move every bot on by one seat after each match.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="A folder for tables of matches and options; a stopped study resumes from it."
        ),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Also write the tables as CSV.")] = False,
    report: Report = None,
    records: Records = Path(),
    profile: Annotated[
        bool, typer.Option("--profile", help="Report which lines of the rules take the time, in one process.")
    ] = False,
    json: Json = False,
    variants: With = None,
    options: Set = None,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
    work: Work = 1,
) -> None:
    """Play many matches and print statistics: wins by seat, scores, length, points by line of the score sheet.

    --out writes a row for each match, and one for each option with how often it was offered and taken. The same
    seed gives the same rows, wherever the matches are played.
    """
    import houserule
    from houserule.study.plan import Plan
    from houserule.study.profile import profiled
    from houserule.study.simulate import Study, study

    houserule.allow_work(work)
    if csv and out is None:
        fail("--csv writes to the folder of --out", "--out my_study --csv")
    if profile and (workers > 1 or cluster is not None):
        fail("--profile covers a single process", "leave out --workers and --cluster")
    if profile and engine == "native":
        fail("--profile covers rules played in Python", "leave out --engine")
    loaded = load_game(game, variants or (), settings(options))
    words = bots_of(loaded, players, seats)
    engine = "python" if profile else engine
    plan = Plan.of(loaded, words, matches, seed, engine, rotates=rotate, offers=out is not None or report is not None)
    plan = settled(loaded, plan, is_verbose)
    started = time.perf_counter()

    def shown(counted: Study, seen: Profile | None = None) -> None:
        print_figures(counted, time.perf_counter() - started, json, seen)

    def kept(ended: Unfinished) -> None:
        shown(Study(loaded, plan, ended.columns))

    with said(loaded, len(words), matches, records, kept):
        see_report(report)
        with bar(loaded.title("en"), matches) as progress, profiled() if profile else nullcontext() as seen:
            found = study(loaded, plan, workers=workers, cluster=cluster, out=out, csv=csv, progress=progress)
        shown(found, seen)
        write_report(found, report)


def print_figures(study: Study, seconds: float, as_json: bool, profile: Profile | None) -> None:
    """Print the figures as JSON or as tables, with a profile if there is one."""
    if as_json:
        from houserule.cli.reports import as_json as written

        sys.stdout.write(written(study.to_json() | ({"profile": profile.to_json()} if profile is not None else {})))
        return
    print_summary(study.summary, study.game.title("en"), seconds)
    if profile is not None:
        print_profile(profile)


def print_profile(profile: Profile) -> None:
    """Print the lines that took most of the time."""
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
    screen = console()
    length = summary.length
    bots = sorted(set(summary.seats_taken))
    rate = summary.matches / max(seconds, 1e-9)
    screen.print(
        f"{printable(title)}: {summary.matches:,} {'random ' if bots == ['random'] else ''}matches for {summary.players},"
        f" seed {summary.seed} ({rate:,.{0 if rate >= 10 else 2}f} a second)"
    )
    if bots != ["random"]:
        screen.print(f"seats: {printable(', '.join(summary.seats_taken))}")
    screen.print(f"length: {mean_of(length)} decisions on average, {length.lowest} to {length.highest}")
    if summary.rounds is not None and summary.rounds.highest:
        screen.print(
            f"rounds: {mean_of(summary.rounds)} on average, {summary.rounds.lowest} to {summary.rounds.highest}"
        )
    for ending, words in ENDED.items():
        if summary.endings[ending]:
            screen.print(f"{words}: {summary.endings[ending] / summary.matches:.1%}")
    screen.print("\nWins")
    screen.print(wins_table(summary))
    if summary.bots:
        screen.print("\nWins by bot, over all its seats")
        screen.print(bots_table(summary))
    if summary.titles:
        screen.print("\nScores")
        screen.print(scores_table(summary))
        screen.print("\nPoints by line of the score sheet, on average")
        screen.print(lines_table(summary))
    if summary.seats[0].wins.interval is None:
        screen.print("\nIntervals of 95 % need SciPy: pip install 'houserule[study]'", markup=False)


def mean_of(spread: Spread, digits: int = 1) -> str:
    if spread.interval is None or spread.interval.width == float("inf"):
        return f"{spread.mean:.{digits}f}"
    return f"{spread.mean:.{digits}f} ± {spread.interval.width / 2:.{digits}f}"


def between(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval.low * 100:.1f} to {interval.high * 100:.1f} %"


def wins_table(summary: Summary) -> Table:
    is_shared = any(seat.wins.shared for seat in summary.seats)
    table = table_of("seat", "wins", "95 %", *(("shared",) if is_shared else ()))
    for seat in summary.seats:
        wins = seat.wins
        shared = (f"{wins.shared / wins.matches:.1%}",) if is_shared else ()
        table.add_row(str(seat.seat), f"{wins.alone / wins.matches:.1%}", between(wins.interval), *shared)
    return table


def scores_table(summary: Summary) -> Table:
    from houserule.study.summary import SPREAD_HEADS

    table = table_of("seat", *SPREAD_HEADS)
    for seat in summary.seats:
        table.add_row(str(seat.seat), mean_of(seat.score, 2), *seat.score.shown(2)[1:])
    return table


def bots_table(summary: Summary) -> Table:
    from houserule.cli.screen import one_line

    table = table_of("bot", "seats", "wins", "95 %", "shared", "share of victories")
    for bot, wins in summary.bots.items():
        table.add_row(
            one_line(bot),
            f"{wins.matches:,}",
            f"{wins.alone / wins.matches:.1%}",
            between(wins.interval),
            f"{wins.shared / wins.matches:.1%}",
            f"{wins.share:.1%}",
        )
    return table


def lines_table(summary: Summary) -> Table:
    """The mean of each line of the score sheet, a column for each seat."""
    from houserule.cli.screen import one_line

    table = table_of("line", *(f"seat {seat.seat}" for seat in summary.seats))
    for key, title in summary.titles.items():
        table.add_row(one_line(title), *(f"{seat.lines[key]:.2f}" for seat in summary.seats))
    return table
