"""`houserule test` and `houserule check`: scenarios run, and whole games tried out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from houserule.cli.report import (
    CLEAN,
    FAILED,
    MOST_OF_A_KIND,
    STOPPED,
    Bundled,
    Engine,
    Json,
    Names,
    Seed,
    Set,
    Verbose,
    With,
    Work,
    code_after,
    complain,
    console,
    counted,
    fail,
    flag,
    is_game,
    keys_of,
    named,
    near_path,
    no_variant,
    nothing_found,
    option,
    place,
    print_json,
    refuse_other_files,
    save,
    settings,
    subjects,
    target,
    tell,
    typed,
    words_for_record,
)
from houserule.cli.reports import Findings, Format, Output, counts, notice, print_report, see_output
from houserule.cli.streams import print_commands
from houserule.printable import printable
from houserule.reading import files_below, is_inside, real
from houserule.writing import make_folder

if TYPE_CHECKING:
    from houserule import Coverage, Diagnostic, ScenarioBudget, ScenarioResult
    from houserule.trial.check import Checked, Violation, Wanted


def check(  # long: its parameters are the options of the command
    games: Names = None,
    are_bundled: Bundled = False,
    matches: Annotated[
        int, option("Matches at full speed for each number of players and variant.", "NUMBER", "-n", "--matches", min=1)
    ] = 20,
    close: Annotated[
        int, option("Matches to examine closely for each number of players and variant.", "NUMBER", min=0)
    ] = 2,
    seed: Seed = 0,
    pairs: Annotated[bool, flag("--pairs", "Also play every pair of compatible variants.")] = False,
    variants: With = None,
    options: Set = None,
    records: Annotated[Path, option("Where to write the records of failed matches.", "FOLDER")] = Path(),
    json: Json = False,
    engine: Engine = "auto",
    is_verbose: Verbose = False,
    work: Work = 1,
) -> None:
    """Try out a game: validate it, run its scenarios, and play random matches for every number of players and variant.

    Every match must keep the invariants of all games: it ends, no piece is lost, copies and records lead to the same end,
    every option is accepted, an illegal answer changes nothing, and hidden things never affect what a player is shown.
    With --engine native, matches at full speed are also played natively, and must end the same way.

    A house rule outside of its game's folder is tried with its game. With --with or --set, only the rules with these are tried,
    without the scenarios.

    houserule check ./mushrooms --with my_rule.yaml

    Without a game, the command exits with 2. --json prints an object for one game, and a list of objects for several.
    """
    import houserule
    from houserule.trial.check import Wanted

    houserule.allow_work(work)
    see_engine_of(engine, is_verbose)
    chosen = settings(options)
    if (variants or chosen) and not games and not is_game(Path()):
        fail("--with and --set need a game", "houserule check GAME")
    paths = games_of(games, are_bundled)
    wanted = Wanted(matches, close, seed, pairs, engine, tuple(variants or ()), dict(chosen))
    tried: list[Checked] = []
    is_lost = False
    for path, name in paths.items():
        try:
            found = with_progress(path, wanted, name)
        except houserule.UnknownGame as unknown:
            if path.is_dir():
                no_variant(unknown, name)
            complain(houserule.validate(path))  # a house rule of a game that does not exist
            is_lost = True
            continue
        tried.append(found)
        written = [(violation, write(violation, found.game, records)) for violation in found.violations]
        if not json:
            print_all(found, written)
        if found.is_stopped:
            break
    if json:
        listed = [found.to_json() for found in tried]
        print_json(listed[0] if len(listed) == len(paths) == 1 else listed)
    if tried and tried[-1].is_stopped:
        fail("stopped before everything was tried", code=STOPPED)
    raise typer.Exit(FAILED if is_lost else code_of(tried, chosen))


def code_of(tried: list[Checked], options: dict[str, str]) -> int:
    """The exit code after games were tried: that of a malformed call if only the values of --set are wrong."""
    if not any(found.failed for found in tried):
        return CLEAN
    return code_after((one for found in tried for one in found.diagnostics), options)


def see_engine_of(engine: str, is_verbose: bool) -> None:
    """Exit with a sentence if there is no engine with that name, or if it is not installed."""
    from houserule import NotNative
    from houserule.study.simulate import see_engine

    try:
        see_engine(engine)
    except (NotNative, ValueError) as wrong:
        fail(str(wrong), "use --engine auto")
    if is_verbose:
        tell(f"engine: {'python and native' if engine == 'native' else 'python'}", sys.stderr)


def games_of(names: list[str] | None, are_bundled: bool) -> dict[Path, str]:
    """The games that a call names, and house rules outside of them; exits with a sentence if there are none."""
    games: dict[Path, str] = {}
    for path, (name, root) in subjects(names, are_bundled).items():
        if not is_inside(path, root):
            fail(f"the link '{path}' leads out of '{root}'")
        if path.is_dir() or "variant" in keys_of(path):
            games[path] = name
        elif names is not None and name in names:
            refuse_other_files(path, name)
            games[path] = name
    if not games:
        nothing_found("games", ", ".join(names or ["."]))
    return games


def with_progress(path: Path, wanted: Wanted, title: str) -> Checked:
    """Check a game; exits with a sentence if the wanted engine cannot play it."""
    from houserule import NotNative
    from houserule.trial.check import check as check_game

    try:
        if not sys.stderr.isatty():
            return check_game(path, wanted)
        from rich.progress import Progress

        with Progress(console=console(errors=True), transient=True) as bar:
            task = bar.add_task(title, total=1)

            def tell(what: str, done: int, of: int) -> None:
                bar.update(task, description=f"{title}: {what}", completed=done, total=of)

            return check_game(path, wanted, tell)
    except NotNative as wrong:
        fail(str(wrong), "use --engine auto")


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
        tell(f"{found.title}: {', '.join(what.format(number) for what, number in counted.items() if number)}")


def print_all(found: Checked, written: list[tuple[Violation, Path]]) -> None:
    """Print what went wrong, then the rules that never ran, then how much was tried."""
    complain(found.diagnostics)
    for result in found.scenarios:
        if not result.passed:
            tell_failure(result)
    for violation, file in written:
        tell(f"{found.game} {violation.table}, seed {violation.seed}: {violation.message}")
        tell(f"  houserule replay {words_for_record(file, found.folder, violation.variants)}")
    for rule in found.unreached[:MOST_OF_A_KIND]:
        reached = "was never reached" if rule.kind == "step" else "was never performed"
        tell(f"{place(rule.span)}: {rule.kind} {rule.name} {reached} at random")
    if len(found.unreached) > MOST_OF_A_KIND:
        tell(f"and {len(found.unreached) - MOST_OF_A_KIND} more rules never ran")
    if any(diagnostic.severity == "error" for diagnostic in found.diagnostics) and not found.tables:
        tell(f"{found.title}: nothing was tried, because its rules cannot be read")
        return
    passed = sum(result.passed for result in found.scenarios)
    scenarios = f"{passed} of {len(found.scenarios)} scenarios hold; " if found.scenarios else ""
    tell(
        f"{found.title}: {scenarios}{found.matches} matches at {counted(found.tables, 'table')},"
        f" {len(found.violations) or 'none'} of them failed"
    )
    tell_endings(found)
    if found.comparisons:
        tell(
            f"{found.title}: what players are shown was compared {found.comparisons} times after changing what they may not know"
        )
    elif found.looked:
        tell(
            f"{found.title}: in the matches examined for it, every other one of --close, no question was met at which players"
            " may not know something that can be changed"
        )


def tell_failure(result: ScenarioResult, indent: str = "") -> None:
    tell(f"{indent}{near_path(result.path)}:{result.line}: {printable(result.name)}")
    for line in result.message.splitlines():
        tell(f"{indent}  {line}")


COVERAGE = "Also write coverage to a file: .json, .xml (Cobertura), otherwise text; can be repeated."
LEAST = "Fail if less than this of any kind ran: steps, effects, cards, faces, triggers, branches."


def test(
    games: Names = None,
    are_bundled: Bundled = False,
    format: Annotated[Format, option("How to print the results.")] = Format.text,
    output: Output = None,
    strict: Annotated[bool, flag("--strict", "Fail for warnings about the rules as well.")] = False,
    if_any: Annotated[bool, flag("--if-any", "Say so and exit with 0 if there are no scenarios.")] = False,
    variants: With = None,
    options: Set = None,
    with_coverage: Annotated[bool, flag("--coverage", "List the rules that no scenario ran.")] = False,
    coverage_to: Annotated[list[Path] | None, target(COVERAGE, (".json", ".xml", ".txt"))] = None,
    min_coverage: Annotated[float | None, option(LEAST, "PERCENT", min=0, max=100)] = None,
    work: Work = 1,
) -> None:
    """Run scenarios: examples of the rules with their expected outcome.

    Without scenarios, the command exits with 2, unless --if-any is given. `--with` adds to the variants that a scenario names; `--set` applies where a scenario does not set the option.

    houserule test ./mushrooms
    houserule test ./mushrooms --with my_rule.yaml --coverage
    """
    import houserule

    houserule.allow_work(work)
    see_output(format, output)
    meant = named(games, are_bundled)
    files = list(dict.fromkeys(file for path in meant.values() for file in scenario_files(path)))
    if not files and if_any:
        no_scenarios(f"there are no scenarios in {', '.join(meant)}", format, output)
        return
    if not files:
        game = next((name for name, path in meant.items() if path.is_file() or is_game(path)), None)
        help = typed("new", "scenario", game, "my_first_one") if game is not None else None
        nothing_found("scenarios", ", ".join(meant), help)
    chosen = settings(options)
    findings = Findings("test", is_strict=strict)
    ran = houserule.Coverage() if with_coverage or coverage_to or min_coverage is not None else None
    broken, budget = run_files(files, variants or [], chosen, findings, ran, format is Format.text)
    if format is Format.text:
        print_counts(findings, broken, len(budget.left_out))
    else:
        print_report(findings, format, output)
    enough = ran is None or say_coverage(
        ran, sys.stdout if format is Format.text else sys.stderr, coverage_to, min_coverage
    )
    is_clean = enough and not budget.left_out and not findings.failed
    raise typer.Exit(CLEAN if is_clean else code_after(findings.diagnostics, chosen))


def no_scenarios(sentence: str, format: Format, output: Path | None) -> None:
    """Say that there are none, where nothing is wrong with that; a report is empty."""
    if format is Format.github and output is None:
        print_commands(notice(sentence))
        return
    if format is not Format.text:
        print_report(Findings("test"), format, output)
    tell(sentence, sys.stderr)


def run_files(
    files: list[Path],
    variants: list[str],
    options: dict[str, str],
    findings: Findings,
    ran: Coverage | None,
    prints: bool,
) -> tuple[int, ScenarioBudget]:
    """Run scenario files, within one budget; how many of them have errors."""
    import houserule

    broken, budget = 0, houserule.ScenarioBudget()
    for file in files:
        diagnostics, found = found_in(file, variants, options, findings.is_strict, ran, budget)
        broken += found is None
        said = set(findings.diagnostics)
        findings.subjects.append((near_path(file), diagnostics))
        findings.results += found or []
        if prints:
            complain(diagnostic for diagnostic in diagnostics if diagnostic not in said)
            if found:
                print_results(file, found)
    return broken, budget


def found_in(
    file: Path,
    variants: list[str],
    options: dict[str, str],
    strict: bool,
    ran: Coverage | None,
    budget: ScenarioBudget,
) -> tuple[list[Diagnostic], list[ScenarioResult] | None]:
    """The diagnostics and results of a scenario file; no results if it has errors. Warnings count if `strict`."""
    import houserule

    said = len(budget.found)
    try:
        is_wanted = strict and budget.is_left(file)
        readings = budget.of(file).validating
        diagnostics = houserule.validate(file, variants, options, readings=readings) if is_wanted else []
        results = houserule.rehearse(file, None, variants, options, ran, budget)
        return diagnostics + budget.found[said:], results
    except houserule.UnknownGame as unknown:
        no_variant(unknown, game_of(file))
    except houserule.InvalidGame as invalid:
        return invalid.diagnostics, None


def print_counts(findings: Findings, broken: int, left: int) -> None:
    """Print how many scenarios passed and failed, how many files have errors, and how many were not run."""
    passed, failed = counts(findings.results)
    parts = [f"{passed} passed"]
    if failed:
        parts.append(f"{failed} failed")
    if broken:
        parts.append(f"{counted(broken, 'file')} with errors")
    if left:
        parts.append(f"{counted(left, 'file')} not run")
    tell(", ".join(parts))


def scenario_files(path: Path) -> list[Path]:
    """The scenario files that a path stands for: itself, those of a game, or those at and below a folder."""
    import houserule

    if path.is_file():
        if path.name != "game.yaml":
            return [path]
        path = path.parent
    if is_game(path):
        inside = path / "scenarios"
        return files_below(inside, "**/*.yaml", path) if inside.is_dir() else []
    found: list[Path] = []
    for subject in houserule.subjects(path):
        if subject.is_dir():
            found += [file for file in scenario_files(subject) if is_inside(file, path)]
        elif "scenarios" in subject.parts or "scenario" in keys_of(subject):
            found.append(subject)
    return found


def game_of(file: Path) -> str:
    return next((folder.name for folder in real(file).parents if (folder / "game.yaml").exists()), file.name)


def print_results(file: Path, results: list[ScenarioResult]) -> None:
    """Print a file's name, how many of its scenarios pass, and each that fails, or passes only as older versions asked."""
    failed = [result for result in results if not result.passed]
    seconds = sum(result.seconds for result in results)
    outcome = f"{len(results) - len(failed)} of {len(results)}" if failed else f"{len(results)}"
    tell(f"{'FAIL' if failed else ' ok '} {near_path(file)}  {outcome} ({seconds:.2f} s)")
    for result in failed:
        tell()
        tell_failure(result, " " * 5)
        tell()
    for result in results:
        if result.outdated:
            tell(f"     {near_path(result.path)}: warning: {printable(result.name)}: {printable(result.outdated)}")
            tell(
                "       It passes only as older versions asked: also where all can see that there is nothing to choose."
            )


def say_coverage(coverage: Coverage, stream: TextIO, to: Sequence[Path] | None, at_least: float | None) -> bool:
    from houserule.trial.coverage import least, to_cobertura, to_json, to_text

    tell(to_text(coverage), stream)
    for file in to or ():
        write = {".json": to_json, ".xml": to_cobertura}.get(file.suffix, lambda found: to_text(found) + "\n")
        save(file, write(coverage))
    if at_least is not None and least(coverage) < at_least:
        tell(f"less than {at_least:g} % of some kind ran", stream)
        return False
    return True
