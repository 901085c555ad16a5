"""`houserule compare`: play two sides of a game with the same seeds and seats, and report differences."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    print_head,
    said,
    see_report,
    see_statistics,
    settled,
    table_of,
    write_report,
)

if TYPE_CHECKING:
    from houserule.study.compare import Comparison


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


def compare(  # long: its parameters are the options of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    variants: With = None,
    options: Set = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT", help="A house rule of the other side, or GAME for the game itself, the default."
        ),
    ] = None,
    against_set: Annotated[
        list[str] | None,
        typer.Option(
            "--against-set", metavar="OPTION=VALUE", help="Set an option of the other side, like --set after --against."
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option("-n", "--matches", metavar="NUMBER", min=1, help="The most matches of each side.")
    ] = 20_000,
    precision: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0.0001,
            max=1,
            help="Stop when the intervals of all differences in wins are at most this wide.",
        ),
    ] = 0.05,
    players: Players = None,
    seats: Seats = "random",
    seed: Seed = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = None,
    records: Records = Path(),
    json: Json = False,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
    work: Work = 1,
) -> None:
    """Compare two sides of a game: one with --with and --set, the other with --against and what follows it.

    Both play the same seeds with the same bots, each taking every seat in turn. Differences are reported with 95 %
    intervals: wins by seat, length, scores, ties, lead changes and how close matches are.
    """
    import houserule
    from houserule.study.compare import compared
    from houserule.study.plan import Plan

    houserule.allow_work(work)
    one = load_game(game, variants or (), settings(options))
    others = [name for name in against or () if name not in (game, one.id)]
    other = load_game(game, others, settings(against_set))
    words = bots_of(one, players, seats)
    if len(words) not in other.players:
        fail(f"the other side is not for {len(words)} players")
    plans = [Plan.of(side, words, matches, seed, engine, rotates=True, leads=True) for side in (one, other)]
    plans = [settled(side, plan, is_verbose) for side, plan in zip((one, other), plans, strict=True)]
    with said(one, len(words), matches, records):
        see_statistics()
        see_report(report)
        with bar(one.title("en"), None) as progress:
            found = compared((one, other), plans, precision, workers, cluster, progress)
        print_comparison(found, json)
        write_report(found, report)


def print_comparison(found: Comparison, as_json: bool) -> None:
    from houserule.cli.screen import one_line
    from houserule.study.measures import amount, between

    if as_json:
        from houserule.cli.reports import as_json as written

        sys.stdout.write(written(found.to_json()))
        return
    screen = print_head(found, f"{len(found):,} matches of each side", found.first.plan.seats)
    table = table_of("measure", *found.names, "difference", "95 %")
    for one in found.differences:
        table.add_row(
            one_line(one.title),
            amount(one.first, one.unit),
            amount(one.second, one.unit),
            one_line(amount(one.interval.estimate, one.unit, "+"), style="bold" if one.is_told else ""),
            between(one.interval, one.unit),
        )
    screen.print(table)
