"""`houserule check`: try out the rules and scenarios of games, and random matches of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.colours import console
from houserule.cli.report import (
    CLEAN,
    FAILED,
    STOPPED,
    Engine,
    Verbose,
    Work,
    complain,
    fail,
    near_path,
    place,
    refuse_other_files,
    replay_call,
    tell,
)
from houserule.cli.subjects import Bundled, Names, nothing_found, subjects
from houserule.printable import printable
from houserule.reading import is_inside
from houserule.writing import make_folder

if TYPE_CHECKING:
    from houserule.play.trial import Checked, Violation, Wanted


def check(  # long: its parameters are the options of the command
    games: Names = None,
    are_bundled: Bundled = False,
    matches: Annotated[
        int,
        typer.Option(
            "-n",
            "--matches",
            metavar="NUMBER",
            min=1,
            help="Matches at full speed for each number of players and variant.",
        ),
    ] = 20,
    close: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, help="Matches to examine closely for each number of players and variant."
        ),
    ] = 2,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="The seed of all chance.")] = 0,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also play every pair of compatible variants.")] = False,
    records: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the records of failed matches.")
    ] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
    work: Work = 1,
) -> None:
    """Try out a game: validate it, run its scenarios, and play random matches for every number of players and variant.

    Every match must keep the invariants of all games: it ends, no piece is lost, copies and records lead to the same end,
    every option is accepted, an illegal answer changes nothing, and hidden things never affect what a player is shown.
    With --engine native, matches at full speed are also played natively, and must end the same way.

    Without a game, the command exits with 2. --json prints an object for one game, and a list of objects for several.
    """
    import houserule
    from houserule.play.trial import Wanted

    houserule.allow_work(work)
    checked_engine(engine, is_verbose)
    paths = games_of(games, are_bundled)
    tried: list[Checked] = []
    for path, name in paths.items():
        found = with_progress(path, Wanted(matches, close, seed, pairs, engine), name)
        tried.append(found)
        written = [(violation, write(violation, found.game, records)) for violation in found.violations]
        if not json:
            print_all(found, written, path)
        if found.is_stopped:
            break
    if json:
        from houserule.cli.reports import as_json

        listed = [found.to_json() for found in tried]
        sys.stdout.write(as_json(listed[0] if len(paths) == 1 else listed))
    if tried[-1].is_stopped:
        fail("stopped before everything was tried", code=STOPPED)
    raise typer.Exit(FAILED if any(found.failed for found in tried) else CLEAN)


def checked_engine(engine: str, is_verbose: bool) -> str:
    """The name of an engine; exits with a sentence if there is none with that name, or if it is not installed."""
    from houserule import NotNative
    from houserule.study.simulate import see_engine

    try:
        see_engine(engine)
    except (NotNative, ValueError) as wrong:
        fail(str(wrong), "use --engine auto")
    if is_verbose:
        tell(f"engine: {'python and native' if engine == 'native' else 'python'}", sys.stderr)
    return engine


def games_of(names: list[str] | None, are_bundled: bool) -> dict[Path, str]:
    """The games that a call names; exits with a sentence if there are none."""
    games: dict[Path, str] = {}
    for path, (name, root) in subjects(names, are_bundled).items():
        if not is_inside(path, root):
            fail(f"the link '{path}' leads out of '{root}'")
        if path.is_dir():
            games[path] = name
        elif names is not None and name in names:
            refuse_other_files(path, name)
            games[path] = name
    if not games:
        nothing_found("games", ", ".join(names or ["."]))
    return games


def with_progress(path: Path, wanted: Wanted, title: str) -> Checked:
    """Check, with a progress bar on a terminal."""
    from houserule.play.trial import check as check_game

    if not sys.stderr.isatty():
        return check_game(path, wanted)
    from rich.progress import Progress

    with Progress(console=console(errors=True), transient=True) as bar:
        task = bar.add_task(title, total=1)

        def tell(what: str, done: int, of: int) -> None:
            bar.update(task, description=f"{title}: {what}", completed=done, total=of)

        return check_game(path, wanted, tell)


def write(violation: Violation, game: str, folder: Path) -> Path:
    """Write the record of a failed match, and return its file."""
    variants = (Path(name).stem for name in violation.variants)
    words = [game, str(violation.players), *variants, str(violation.seed)]
    file = folder / f"{'-'.join(words)}.json"
    try:
        make_folder(folder)
        violation.record.save(file)
    except OSError as error:
        fail(f"'{file}' cannot be written: {error.strerror or error}")
    return file


def tell_endings(found: Checked) -> None:
    """Report how the matches ended, unless all were won by somebody."""
    counted = {
        "{} won by one": found.endings["win"],
        "{} shared": found.endings["shared"],
        "{} won by all together": found.endings["victory"],
        "{} drawn": found.endings["draw"],
        "{} lost by all": found.endings["defeat"],
    }
    if found.endings["victory"] or found.endings["draw"] or found.endings["defeat"]:
        tell(f"{found.game}: {', '.join(what.format(number) for what, number in counted.items() if number)}")


def print_all(found: Checked, written: list[tuple[Violation, Path]], path: Path) -> None:
    """Print what went wrong, then the rules that never ran, then how much was tried."""
    complain(found.diagnostics)
    for result in found.scenarios:
        if not result.passed:
            tell(f"{near_path(str(result.path))}:{result.line}: {printable(result.name)}")
            for line in result.message.splitlines():
                tell(f"  {line}")
    for violation, file in written:
        tell(f"{found.game} {violation.table}, seed {violation.seed}: {violation.message}")
        tell(f"  {replay_call(file, path)}")
    for rule in found.unreached:
        reached = "was never reached" if rule.kind == "step" else "was never performed"
        tell(f"{place(rule.span)}: {rule.kind} {rule.name} {reached} at random")
    if any(diagnostic.severity == "error" for diagnostic in found.diagnostics) and not found.tables:
        tell(f"{found.game}: nothing was tried, because its rules cannot be read")
        return
    passed = sum(result.passed for result in found.scenarios)
    tell(
        f"{found.game}: {passed} of {len(found.scenarios)} scenarios hold; {found.matches} matches at {found.tables}"
        f" tables, {len(found.violations) or 'none'} of them failed"
    )
    tell_endings(found)
    tell(
        f"{found.game}: what players are shown was compared {found.comparisons} times after changing what they may not know"
    )
