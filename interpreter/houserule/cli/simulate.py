"""`houserule simulate`: play many random matches and print statistics."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.colours import console
from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import FAILED, STOPPED, Work, fail, load_game, render_fault, replay_call, tell, wrong_number
from houserule.printable import printable

if TYPE_CHECKING:
    from rich.table import Table

    from houserule import Game
    from houserule.play.simulation import FaultInMatch, Summary

LOST_WORKER = (
    "a worker process ended early: memory ran out, or the game's files have changed",
    "use a single process: --workers 1",
)


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    matches: Annotated[int, typer.Option("-n", "--matches", metavar="NUMBER", min=1, help="How many matches.")] = 1000,
    players: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many players; by default the fewest possible.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="The seed of all chance.")] = 0,
    workers: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="How many processes play in parallel.")] = 1,
    records: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the record of a failed match.")
    ] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    variants: With = None,
    options: Set = None,
    work: Work = 1,
) -> None:
    """Play many random matches and print statistics: wins by seat, scores, length, points by line of the score sheet."""
    import houserule
    from houserule.play.simulation import FaultInMatch, Stopped, WorkerLost
    from houserule.play.simulation import simulate as play_many

    houserule.allow_work(work)
    loaded = load_game(game, variants or (), settings(options))
    number = min(loaded.players) if players is None else players
    if number not in loaded.players:
        fail(wrong_number(loaded, number))
    started = time.perf_counter()
    summary: Summary | None
    ended: tuple[str, str | None, int] | None = None
    try:
        if sys.stderr.isatty():
            from rich.progress import Progress

            with Progress(console=console(errors=True), transient=True) as bar:
                task = bar.add_task(printable(loaded.title("en")), total=matches)
                summary = play_many(loaded, matches, number, seed, workers, lambda done: bar.advance(task, done))
        else:
            summary = play_many(loaded, matches, number, seed, workers)
    except houserule.RuleFault as fault:
        tell(render_fault(fault), sys.stderr)
        if isinstance(fault, FaultInMatch):
            print_match(loaded, number, fault, records)
        raise typer.Exit(FAILED) from None
    except WorkerLost as lost:
        summary, ended = lost.summary, (*LOST_WORKER, FAILED)
    except Stopped as stopped:
        summary, ended = stopped.summary, ("stopped before the last match", None, STOPPED)
    if summary is not None:
        print_figures(summary, loaded.title("en"), time.perf_counter() - started, json)
    if ended is not None:
        sentence, help, code = ended
        fail(f"{sentence}; {summary.matches if summary else 0:,} of {matches:,} matches were counted", help, code)


def print_figures(summary: Summary, title: str, seconds: float, as_json: bool) -> None:
    """Print the figures as JSON or as tables."""
    if as_json:
        from houserule.cli.findings import as_json as written

        sys.stdout.write(written(summary.to_json()))
    else:
        print_summary(summary, title, seconds)


def print_match(game: Game, players: int, fault: FaultInMatch, folder: Path) -> None:
    """Say in which match a fault occurred, and how to replay it."""
    from houserule.cli.check import write
    from houserule.play.trial import violation_at

    violation = violation_at(game, players, fault.seed, fault)
    file = write(violation, game.id, folder)
    tell(f"match {fault.number} {violation.table}, seed {fault.seed}", sys.stderr)
    tell(f"  {replay_call(file, game.path)}", sys.stderr)


def print_summary(summary: Summary, title: str, seconds: float) -> None:
    """Print the figures as tables."""
    screen = console()
    length = summary.length
    screen.print(
        f"{printable(title)}: {summary.matches:,} random matches for {summary.players}, seed {summary.seed}"
        f" ({summary.matches / max(seconds, 1e-9):,.0f} a second)"
    )
    screen.print(f"length: {length.mean:.1f} decisions on average, {length.lowest} to {length.highest}")
    if summary.shared:
        screen.print(f"shared victories: {summary.shared / summary.matches:.1%}")
    if summary.undecided:
        screen.print(f"nobody won: {summary.undecided / summary.matches:.1%}")
    screen.print("\nWins and scores")
    screen.print(seats_table(summary))
    if summary.titles:
        screen.print("\nPoints by line of the score sheet, on average")
        screen.print(lines_table(summary))


def seats_table(summary: Summary) -> Table:
    """Wins and scores, a row for each seat."""
    from rich.table import Table

    table = Table("seat")
    for heading in ("wins", "mean", "deviation", "lowest", "median", "highest"):
        table.add_column(heading, justify="right")
    for seat in summary.seats:
        score = seat.score
        table.add_row(
            str(seat.seat),
            f"{seat.wins / summary.matches:.1%}",
            f"{score.mean:.2f}",
            f"{score.deviation:.2f}",
            str(score.lowest),
            f"{score.median:g}",
            str(score.highest),
        )
    return table


def lines_table(summary: Summary) -> Table:
    """The mean of each line of the score sheet, a column for each seat."""
    from rich.table import Table

    from houserule.cli.screen import one_line

    table = Table("line")
    for seat in summary.seats:
        table.add_column(f"seat {seat.seat}", justify="right")
    for key, title in summary.titles.items():
        table.add_row(one_line(title), *(f"{seat.lines[key]:.2f}" for seat in summary.seats))
    return table
