"""`houserule test`: run scenarios."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from houserule.cli.report import CLEAN, Work, code_after, complain, fail, keys_of, near_path, no_variant, tell
from houserule.cli.reports import Findings, Format, Output, counts, print_report, see_output
from houserule.cli.subjects import Bundled, Names, Set, With, is_game, named, nothing_found, settings
from houserule.printable import printable
from houserule.reading import files_below, is_inside, real
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Coverage, Diagnostic, ScenarioResult

CoverageWanted = Annotated[bool, typer.Option("--coverage", help="List the rules that no scenario ran.")]
CoverageTo = Annotated[
    list[Path] | None,
    typer.Option(
        "--coverage-to",
        metavar="FILE",
        help="Also write coverage to a file: .json, .xml (Cobertura), otherwise text; can be repeated.",
    ),
]
LeastCoverage = Annotated[
    float | None,
    typer.Option(
        "--min-coverage",
        metavar="PERCENT",
        min=0,
        max=100,
        help="Fail if less than this of any kind ran: steps, effects, cards, faces, triggers, branches.",
    ),
]


def test(
    games: Names = None,
    are_bundled: Bundled = False,
    format: Annotated[Format, typer.Option(help="How to print the results.")] = Format.text,
    output: Output = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail for warnings about the rules as well.")] = False,
    variants: With = None,
    options: Set = None,
    with_coverage: CoverageWanted = False,
    coverage_to: CoverageTo = None,
    min_coverage: LeastCoverage = None,
    work: Work = 1,
) -> None:
    """Run scenarios: examples of the rules with their expected outcome.

    Without scenarios, the command exits with 2. `--with` adds to the variants that a scenario names; `--set` applies where a scenario does not set the option.
    """
    import houserule

    houserule.allow_work(work)
    see_output(format, output)
    meant = named(games, are_bundled)
    files = list(dict.fromkeys(file for path in meant.values() for file in scenario_files(path)))
    if not files:
        names = ", ".join(meant)
        nothing_found("scenarios", names, f"houserule new scenario {next(iter(meant))} my_first_one" if games else None)
    chosen = settings(options)
    findings = Findings("test", is_strict=strict)
    ran = houserule.Coverage() if with_coverage or coverage_to or min_coverage is not None else None
    broken = 0
    for file in files:
        diagnostics, found = found_in(file, variants or [], chosen, strict, ran)
        broken += found is None
        said = set(findings.diagnostics)
        findings.subjects.append((near_path(str(file)), diagnostics))
        findings.results += found or []
        if format is Format.text:
            complain(diagnostic for diagnostic in diagnostics if diagnostic not in said)
            if found:
                print_results(file, found)
    if format is Format.text:
        print_counts(findings, broken)
    else:
        print_report(findings, format, output)
    enough = ran is None or say_coverage(
        ran, sys.stdout if format is Format.text else sys.stderr, coverage_to, min_coverage
    )
    raise typer.Exit(CLEAN if enough and not findings.failed else code_after(findings.diagnostics, chosen))


def found_in(
    file: Path, variants: list[str], options: dict[str, str], strict: bool, ran: Coverage | None
) -> tuple[list[Diagnostic], list[ScenarioResult] | None]:
    """The diagnostics and results of a scenario file; no results if it has errors. Warnings count if `strict`."""
    import houserule

    try:
        diagnostics = houserule.validate(file, variants, options) if strict else []
        return diagnostics, houserule.rehearse(file, None, variants, options, ran)
    except houserule.UnknownGame as unknown:
        no_variant(unknown, game_of(file))
    except houserule.InvalidGame as invalid:
        return invalid.diagnostics, None


def print_counts(findings: Findings, broken: int) -> None:
    """Print how many scenarios passed and failed, and how many files have errors."""
    passed, failed = counts(findings.results)
    parts = [f"{passed} passed"]
    if failed:
        parts.append(f"{failed} failed")
    if broken:
        parts.append(f"{broken} {'file' if broken == 1 else 'files'} with errors")
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
    """Print a file's name, how many of its scenarios pass, and each that fails."""
    failed = [result for result in results if not result.passed]
    seconds = sum(result.seconds for result in results)
    outcome = f"{len(results) - len(failed)} of {len(results)}" if failed else f"{len(results)}"
    tell(f"{'FAIL' if failed else ' ok '} {near_path(str(file))}  {outcome} ({seconds:.2f} s)")
    for result in failed:
        tell(f"\n     {near_path(str(result.path))}:{result.line}: {printable(result.name)}")
        for line in result.message.splitlines():
            tell(f"       {line}")
        tell()


def say_coverage(coverage: Coverage, stream: TextIO, to: Sequence[Path] | None, at_least: float | None) -> bool:
    """Print and write coverage, and return whether it is sufficient."""
    from houserule.play.coverage_report import least, to_cobertura, to_json, to_text

    tell(to_text(coverage), stream)
    for file in to or ():
        write = {".json": to_json, ".xml": to_cobertura}.get(file.suffix, lambda found: to_text(found) + "\n")
        try:
            write_file(file, write(coverage))
        except OSError as reason:
            fail(f"'{file}' cannot be written: {reason.strerror or reason}")
    if at_least is not None and least(coverage) < at_least:
        tell(f"less than {at_least:g} % of some kind ran", stream)
        return False
    return True
