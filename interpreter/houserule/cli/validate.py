"""`houserule validate`: report all mistakes in games, variants and scenarios."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.findings import Findings, Format
from houserule.cli.formats import Output, print_report, see_output
from houserule.cli.house_rules import Set, With, settings
from houserule.cli.report import CLEAN, SkipOthers, code_after, complain, fail, no_variant, place, tell
from houserule.cli.subjects import Bundled, Names, is_game, subjects
from houserule.cli.verdicts import hash_of, keep_clean, was_clean
from houserule.reading import is_inside

if TYPE_CHECKING:
    from houserule import Diagnostic, Span


# complex: it checks which options contradict each other
def validate(  # long: most of it is options and their help
    games: Names = None,
    are_bundled: Bundled = False,
    format: Annotated[Format, typer.Option(help="The format of the report.")] = Format.text,
    output: Output = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail for warnings as well.")] = False,
    assumed: Annotated[bool, typer.Option("--assumed", help="Also list what the rulebook leaves open.")] = False,
    revealed: Annotated[bool, typer.Option("--revealed", help="Also list what is revealed on purpose.")] = False,
    rules_only: Annotated[
        bool, typer.Option("--rules-only", help="Check the rules of games, not their variants and scenarios.")
    ] = False,
    with_variants: Annotated[
        bool, typer.Option("--variants", hidden=True, help="Check each variant by itself, the default.")
    ] = False,
    cached: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Skip rules that were clean before and have not changed.")
    ] = True,
    skip_others: SkipOthers = False,
    variants: With = None,
    options: Set = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply all certain fixes, and check again.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what --fix would change, as a unified diff.")] = False,
) -> None:
    """Check rule files. Prints nothing if all is well. Errors fail, and with --strict also warnings.

    A game is checked with each of its variants by itself, and with its scenarios. With --with or --set, only its rules with
    these are checked. Without rule files, the command exits with 2.
    """
    # A process of half a second need not collect garbage.
    gc.disable()

    import houserule

    see_output(format, output)
    if with_variants and rules_only:
        fail("--variants and --rules-only contradict each other", "leave out --rules-only")
    chosen = settings(options)
    if (variants or chosen) and not games and not is_game(Path()):
        wanted = " ".join(f"--with {name}" for name in variants or ())
        fail("--with and --set need a game", f"houserule validate GAME {wanted}".rstrip())
    found_at = subjects(games, are_bundled, skip_others)
    paths = [path for path in found_at if path.is_dir() or not rules_only or path == found_at[path][1]]
    findings = Findings("validate", is_strict=strict)

    def validated() -> list[Diagnostic]:
        findings.subjects = []
        for path in paths:
            name, root = found_at[path]
            verdict = hash_of(path, variants or (), chosen, rules_only) if cached and is_inside(path, root) else None
            try:
                known = was_clean(verdict)
                found = [] if known else houserule.validate(path, variants or (), chosen, rules_only, root)
            except houserule.UnknownGame as unknown:
                no_variant(unknown, name)
            if not found:
                keep_clean(verdict)
            findings.subjects.append((name, found))
        return findings.diagnostics

    if diff:
        print_differences(paths, validated())
    else:
        mend(paths, validated) if fix else validated()
        for key in [key for key, is_wanted in (("assumed", assumed), ("revealed", revealed)) if is_wanted]:
            findings.reasons[key] = [one for path in paths for one in reasons_of(key, path, variants or [], chosen)]
        print_findings(findings, format, output)
    raise typer.Exit(code_after(findings.diagnostics, chosen) if findings.failed else CLEAN)


def mend(paths: list[Path], validated: Callable[[], list[Diagnostic]]) -> None:
    """Apply all certain fixes, and validate again."""
    from houserule.cli.mend import mend_files

    mend_files(paths, validated)


def print_differences(paths: list[Path], diagnostics: list[Diagnostic]) -> None:
    """Print what the certain fixes would change."""
    from houserule.cli.mend import differences

    sys.stdout.write(differences(paths, diagnostics))


def print_findings(findings: Findings, format: Format, output: Path | None) -> None:
    """Print the findings as text, or as a report that may go to a file."""
    if format is Format.text:
        complain(findings.diagnostics)
        for key, listed in findings.reasons.items():
            for span, reason in listed:
                tell(f"{place(span)}: {key}: {reason}")
    else:
        print_report(findings, format, output)


def reasons_of(key: str, path: Path, variants: list[str], options: dict[str, str]) -> list[tuple[Span, str]]:
    """What is assumed or revealed by the rules of a game; empty if they have errors, and for variants and scenarios."""
    import houserule

    if not path.is_dir():
        return []
    try:
        game = houserule.load(path, variants, dict(options))
    except houserule.InvalidGame:
        return []
    return game.assumptions if key == "assumed" else game.revelations
