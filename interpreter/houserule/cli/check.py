"""`houserule check`: a game goes in; its rules, scenarios and matches at random are tried, and what is wrong comes out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.colours import console
from houserule.cli.report import CLEAN, FAILED, complain, fail, find_path, near_path, place

if TYPE_CHECKING:
    from houserule.play.check import Checked, Violation, Wanted


def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    matches: Annotated[
        int, typer.Option("-n", "--matches", metavar="NUMBER", min=1, help="Matches at full speed at each table.")
    ] = 20,
    close: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Matches that are looked at closely at each table.")
    ] = 2,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="What all chance comes from.")] = 0,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also play each pair of variants that go together.")] = False,
    records: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the records of matches that fail.")
    ] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Try a whole game out: validate it, run its scenarios, and play it at random for every number of players and variant.

    In every match must hold what holds for every game: it ends, no piece is lost, copies and records play on alike, every
    option is accepted, an illegal answer changes nothing, and what a player may not see never changes what they are shown.
    """
    from houserule.play.check import Wanted

    path = find_path(game)
    if path.is_dir() and not (path / "game.yaml").exists():
        fail(f"'{game}' is a folder of several games", "houserule check FOLDER/GAME, one by one")
    found = with_progress(path, Wanted(matches, close, seed, pairs), game)
    written = [(violation, write(violation, found.game, records)) for violation in found.violations]
    if json:
        import json as format_json

        format_json.dump(found.to_json(), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        print_all(found, written)
    raise typer.Exit(FAILED if found.failed else CLEAN)


def with_progress(path: Path, wanted: Wanted, title: str) -> Checked:
    """Check, with a bar where somebody looks on."""
    from houserule.play.check import check as check_game

    if not sys.stderr.isatty():
        return check_game(path, wanted)
    from rich.progress import Progress

    with Progress(console=console(errors=True), transient=True) as bar:
        task = bar.add_task(title, total=1)

        def tell(what: str, done: int, of: int) -> None:
            bar.update(task, description=f"{title}: {what}", completed=done, total=of)

        return check_game(path, wanted, tell)


def write(violation: Violation, game: str, folder: Path) -> Path:
    """Write the record of a match that failed; where to."""
    variants = (Path(name).stem for name in violation.variants)
    words = [game, str(violation.players), *variants, str(violation.seed)]
    file = folder / f"{'-'.join(words)}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        violation.record.save(file)
    except OSError as error:
        fail(f"'{file}' cannot be written: {error.strerror}")
    return file


def print_all(found: Checked, written: list[tuple[Violation, Path]]) -> None:
    """Everything that went wrong, then how much was tried, then what was never reached."""
    complain(found.diagnostics)
    for result in found.scenarios:
        if not result.passed:
            print(f"{near_path(str(result.path))}:{result.line}: {result.name}")
            for line in result.message.splitlines():
                print(f"  {line}")
    for violation, file in written:
        print(f"{found.game} {violation.table}, seed {violation.seed}: {violation.message}")
        print(f"  houserule replay {near_path(str(file))}")
    for rule in found.unreached:
        reached = "was never reached" if rule.kind == "step" else "was never performed"
        print(f"{place(rule.span)}: {rule.kind} {rule.name} {reached} at random")
    if any(diagnostic.severity == "error" for diagnostic in found.diagnostics) and not found.tables:
        print(f"{found.game}: nothing was tried, for its rules cannot be read")
        return
    passed = sum(result.passed for result in found.scenarios)
    print(
        f"{found.game}: {passed} of {len(found.scenarios)} scenarios hold; {found.matches} matches at {found.tables}"
        f" tables, {len(found.violations) or 'none'} of them wrong"
    )
