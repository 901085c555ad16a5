"""`houserule format`: give the effects in rule files one layout."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.report import CLEAN, FAILED, SkipOthers, complain, near_path, not_written, tell
from houserule.cli.subjects import Bundled, Names, named, nothing_found
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Diagnostic, Formatted


def format(
    paths: Names = None,
    are_bundled: Bundled = False,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a file would change.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show the changes, and fail if there are any.")
    ] = False,
    skip_others: SkipOthers = False,
) -> None:
    """Give the effects in rule files one layout. Everything else stays the same, byte for byte.

    Spaces and indentation change; words, comments, brackets and line breaks stay, and the rules mean the same. What cannot
    be read stays as well, and is reported. Without rule files, the command exits with 2.
    """
    import houserule

    meant = named(paths, are_bundled, skip_others)
    files = [file for path in meant.values() for file in houserule.rule_files(path)]
    if not files and not skip_others:
        nothing_found("rule files", ", ".join(meant))
    diagnostics: list[Diagnostic] = []
    changed = 0
    for file in dict.fromkeys(files):
        done = houserule.format(file)
        diagnostics += done.diagnostics
        if not done.is_changed:
            continue
        changed += 1
        if diff:
            sys.stdout.write(difference(done))
        if check:
            tell(f"{near_path(str(file))} would change", sys.stderr)
        elif not diff:
            write(file, done.after)
            tell(f"{near_path(str(file))} has been formatted")
    complain(diagnostics)
    has_errors = any(diagnostic.severity == "error" for diagnostic in diagnostics)
    raise typer.Exit(FAILED if has_errors or (changed and (check or diff)) else CLEAN)


def write(file: Path, text: str) -> None:
    """Write a file that was read in its folder, links followed; exits with a sentence if that fails."""
    try:
        write_file(file.resolve(), text)
    except OSError as reason:
        not_written(file, reason)


def difference(done: Formatted) -> str:
    """The changes in a file, as a patch."""
    path = near_path(str(done.path))
    before, after = (text.splitlines(keepends=True) for text in (done.before, done.after))
    lines = difflib.unified_diff(before, after, f"{path} before", f"{path} after")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
