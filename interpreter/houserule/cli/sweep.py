"""`houserule sweep`: play a game with each of several settings of one or two options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.report import With, Work, fail, load_game
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
    table_of,
    whole_numbers,
    write_report,
)

if TYPE_CHECKING:
    from houserule.study.sweep import Sweep

MOST_SETTINGS = 200


def sweep(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="OPTION=VALUES",
            help="An option and its values, such as 3..9 or 3,5,7; for one or two options. A single value just sets it.",
        ),
    ] = None,
    variants: With = None,
    matches: Annotated[
        int, typer.Option("-n", "--matches", metavar="NUMBER", min=1, help="How many matches of each setting.")
    ] = 1000,
    players: Players = None,
    seats: Seats = "random",
    seed: Seed = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = None,
    records: Records = Path(),
    json: Json = False,
    work: Work = 1,
) -> None:
    """Play a game with each of several settings, to see how wins, scores and length depend on one or two options.

    Every setting plays the same seeds with the same bots, each taking every seat in turn.
    """
    import houserule
    from houserule.study.sweep import grid, swept_over

    houserule.allow_work(work)
    swept, fixed = values_of(options or [])
    settings = grid(swept)
    if len(settings) > MOST_SETTINGS:
        fail(f"these are {len(settings)} settings, and a sweep has at most {MOST_SETTINGS}", "give fewer values")
    games = [
        load_game(game, variants or (), {name: str(value) for name, value in {**fixed, **setting}.items()})
        for setting in settings
    ]
    words = bots_of(games[0], players, seats)
    with said(games[0], len(words), matches * len(games), records):
        see_statistics()
        see_report(report)
        with bar(games[0].title("en"), matches * len(games)) as progress:
            found = swept_over(swept, games, words, matches, seed, workers, cluster, progress)
        print_sweep(found, json)
        write_report(found, report)


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
        fail("a sweep needs one option with several values, or two", "--set depth=3..9")
    return swept, fixed


def print_sweep(found: Sweep, as_json: bool) -> None:
    from houserule.cli.screen import one_line
    from houserule.study.measures import amount, half
    from houserule.study.plan import described

    if as_json:
        from houserule.cli.reports import as_json as written

        sys.stdout.write(written(found.to_json()))
        return
    study = found.studies[0]
    screen = print_head(found, f"{len(study):,} matches of each setting", study.plan.seats)
    keys = [key for key in found.keys if key.startswith("wins.seat_")] + ["decisions"]
    titles = [f"seat {key.rpartition('_')[2]}" if key != "decisions" else "decisions" for key in keys]
    table = table_of("setting", *titles)
    curves = [found.curve(key) for key in keys]
    for row, setting in enumerate(found.settings):
        cells = [
            f"{amount(curve[row].interval.estimate, curve[row].unit)} ± {half(curve[row].interval, curve[row].unit)}"
            for curve in curves
        ]
        table.add_row(one_line(described(setting)), *cells)
    screen.print(table)
