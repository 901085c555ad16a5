"""Measures the speed: nothing in, ratios out, as a page and as JSON (`python -m benchmarks`).

Everything is measured by turns in one run on one core, with the median and the quartiles of several rounds. Nothing fails
here; `benchmarks/targets.py` says what is wanted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks import growth, handling, promises, searches
from benchmarks.agreement import distances
from benchmarks.c import compiler
from benchmarks.contenders import (
    CLASSICS,
    FOUR,
    PYTHON,
    contenders_of_classic,
    contenders_of_four,
    native_is_installed,
    samples_of_four,
)
from benchmarks.measuring import measure_by_turns, one_core
from benchmarks.others import SCRIPTS, Library, libraries
from benchmarks.page import page, spread_of
from benchmarks.results import Results, machine, rates
from benchmarks.switches import gains
from benchmarks.targets import targets
from benchmarks.twice import all_played_twice
from houserule.compiler.optimisations import checked_names

ROOT = Path(__file__).parents[1]
Tick = Callable[[], None]
Stage = Callable[[str], Tick]
"""Begins a stage of the work; what it returns is called after each step."""


def missing(running: Sequence[Library]) -> list[str]:
    """A line for each thing that is not installed, with how to install it."""
    found = []
    if not native_is_installed():
        found.append("native play, which needs `pip install 'houserule[native]'`")
    if compiler() is None:
        found.append("C by hand, which needs gcc or another C compiler")
    there = {library.name for library in running}
    found += [f"{name}, which `make bench-others` installs" for name in SCRIPTS if name not in there]
    return found


def measure(rounds: int, seconds: float, is_quick: bool, only: Sequence[str], stage: Stage) -> Results:
    """Everything, in the order of the page."""
    with one_core() as core, tempfile.TemporaryDirectory() as made, libraries() as running:
        results = Results({}, rounds, seconds, is_quick, missing(running))
        for games, kept in ((FOUR, results.four), (CLASSICS, results.classics)):
            for game, players in games.items():
                if only and game not in only:
                    continue
                tick = stage(f"plays {game}")
                contenders = (
                    contenders_of_four(game, Path(made)) if game in FOUR else contenders_of_classic(game, running)
                )
                measure_by_turns(contenders, rounds, seconds, tick)
                kept.append(rates(game, players, contenders))
        if not only:
            for game in FOUR:
                stage(f"compares {game}")
                sampled = samples_of_four(game, 100 if is_quick else 1500, Path(made))
                ours = sampled.pop(PYTHON)
                results.distances[game] = {
                    way: max(map(abs, distances(other, ours).values())) for way, other in sampled.items()
                }
            measure_the_rest(results, running, stage)
        results.machine = machine([library.version for library in running], core)
    if native_is_installed() and not only:
        results.agreement = all_played_twice(20 if is_quick else 2000, is_quick, stage("plays all games twice"))
    return results


def measure_the_rest(results: Results, running: Sequence[Library], stage: Stage) -> None:
    """What is measured of other things than matches."""
    rounds, seconds, is_quick = results.rounds, results.seconds, results.is_quick
    if native_is_installed():
        stage("takes native matches apart")
        results.shares = handling.shares(rounds)
    for game, bot in searches.searches():
        tick = stage(f"{bot} in {game}")
        contenders = searches.contenders_of_search(game, bot, running)
        measure_by_turns(contenders, rounds, seconds, tick)
        results.searches.append(rates(f"{game}, {bot}", 2, contenders))
    stage("copies matches")
    results.copying = handling.copying("aladdin", rounds)
    stage("holds matches")
    results.memory = handling.memory("aladdin", is_quick)
    for game in ["aladdin"] if is_quick else FOUR:
        stage(f"loads and compiles {game}")
        results.starting.append(handling.starting(game, min(rounds, 1 if is_quick else 3)))
    results.growth = growth.growth(min(rounds, 5), seconds / 2, is_quick, stage("lets games grow"))
    stage("keeps promises")
    results.promises = promises.promises(10 if is_quick else 100, min(rounds, 5), is_quick)


@contextmanager
def shown(is_shown: bool) -> Iterator[Stage]:
    """A line that says what is being measured, on a terminal."""
    console = Console(stderr=True)
    if not is_shown or not console.is_terminal:
        yield lambda _: lambda: None
        return
    columns = (TextColumn("{task.description:<32}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("begins", total=None)

        def stage(what: str) -> Tick:
            progress.update(task, description=what, completed=0, total=None)
            return lambda: progress.advance(task)

        yield stage


def tell(results: Results) -> None:
    """Print the targets, and what is missing."""
    table = Table(title=f"{results.rounds} rounds by turns")
    table.add_column("what")
    for heading in ("wanted", "measured"):
        table.add_column(heading, justify="right")
    for target in targets(results):
        colour = "green" if target.is_met else "red"
        sign = "≤" if target.is_most else "≥"
        measured = f"[{colour}]{spread_of(target.measured)} {target.unit}[/]"
        table.add_row(target.what, f"{sign} {target.wanted:g} {target.unit}", measured)
    console = Console()
    console.print(table)
    for line in results.missing:
        console.print(f"Not measured: {line}", markup=False)


def main(words: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures the speed of play, by turns and on one core."
    )
    parser.add_argument("--quick", action="store_true", help="a run of about a minute; writes only where --out says")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    parser.add_argument("--out", type=Path, help="the folder for performance.md and performance.json (docs)")
    parser.add_argument("--only", nargs="+", default=[], metavar="GAME", help="only these games, and nothing else")
    parser.add_argument(
        "--without",
        nargs="+",
        default=[],
        metavar="NAME",
        help="what these optimisations of the compiler gain, and nothing else",
    )
    parser.add_argument("--rounds", type=int, help="rounds, of which the median counts (7; quick: 3)")
    parser.add_argument("--seconds", type=float, help="how long each way to play takes in a round (0.25; quick: 0.05)")
    chosen = parser.parse_args(words)
    rounds = chosen.rounds if chosen.rounds is not None else (3 if chosen.quick else 7)
    seconds = chosen.seconds if chosen.seconds is not None else (0.05 if chosen.quick else 0.25)
    if rounds < 1 or seconds <= 0:
        parser.error("--rounds and --seconds are greater than 0")
    if unknown := [game for game in chosen.only if game not in {**FOUR, **CLASSICS}]:
        parser.error(f"no game '{unknown[0]}' is measured; there are {', '.join([*FOUR, *CLASSICS])}")
    try:
        checked_names(frozenset(chosen.without))
    except ValueError as unknown:
        parser.error(str(unknown))
    if chosen.without:
        with shown(not chosen.json) as stage, one_core():
            table = gains(chosen.without, chosen.only, rounds, seconds, stage("plays without them"))
        Console().print(table)
        return
    with shown(not chosen.json) as stage:
        results = measure(rounds, seconds, chosen.quick, chosen.only, stage)
    written = json.dumps(asdict(results), ensure_ascii=False, indent=1)
    if chosen.json:
        sys.stdout.write(written + "\n")
    else:
        tell(results)
    if out := chosen.out or (None if chosen.quick or chosen.only or chosen.json else ROOT / "docs"):
        out.mkdir(parents=True, exist_ok=True)
        (out / "performance.json").write_text(written + "\n", encoding="utf-8")
        (out / "performance.md").write_text(page(results), encoding="utf-8")
        if not chosen.json:
            Console().print(
                f"{out / 'performance.md'} and performance.json are written.", markup=False, highlight=False
            )


if __name__ == "__main__":
    main()
