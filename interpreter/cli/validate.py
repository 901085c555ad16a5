"""`houserule validate`: games, variants and scenarios go in, everything that is wrong with them comes out."""

from __future__ import annotations

import gc
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interpreter.cli.house_rules import Set, With, settings
from interpreter.cli.report import CLEAN, FAILED, complain, fail, find_path, near_path, no_variant, place

if TYPE_CHECKING:
    from interpreter import Diagnostic, Span


class Format(StrEnum):
    """How the diagnostics are printed."""

    text = "text"
    json = "json"


def validate(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME|PATH]...", help="Bundled ids or paths; none: every bundled game."),
    ] = None,
    format: Annotated[Format, typer.Option(help="How to print what is wrong.")] = Format.text,
    assumed: Annotated[bool, typer.Option("--assumed", help="Also list what the rulebook does not say.")] = False,
    each_variant: Annotated[bool, typer.Option("--variants", help="Also check each variant of a game, alone.")] = False,
    variants: With = None,
    options: Set = None,
) -> None:
    """Check rule files. Says nothing when all is well.

    Scenarios are checked when their file is named, and by `houserule test`.
    """
    # Nothing that a process of half a second makes is worth looking for garbage in.
    gc.disable()

    import interpreter

    names = games or interpreter.games()
    paths = [find_path(name, "*/game.yaml") for name in names]
    chosen = settings(options)
    if (variants or chosen) and not games:
        fail(
            "--with and --set want a game",
            f"houserule validate GAME {' '.join(f'--with {name}' for name in variants or ())}".rstrip(),
        )
    diagnostics: list[Diagnostic] = []
    assumptions = []
    for name, path in zip(names, paths, strict=True):
        try:
            diagnostics += interpreter.validate(path, variants or (), chosen, each_variant)
        except interpreter.UnknownGame as unknown:
            no_variant(unknown, name)
        if assumed:
            assumptions += assumptions_of(path, variants or [], chosen)
    if format is Format.json:
        import json

        found: dict[str, Any] = {"diagnostics": [diagnostic_to_json(diagnostic) for diagnostic in diagnostics]}
        if assumed:
            found["assumed"] = [{**span_to_json(span), "reason": reason} for span, reason in assumptions]
        json.dump(found, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        complain(diagnostics)
        for span, reason in assumptions:
            print(f"{place(span)}: assumed: {reason}")
    raise typer.Exit(FAILED if diagnostics else CLEAN)


def assumptions_of(path: Path, variants: list[str], options: dict[str, str]) -> list[tuple[Span, str]]:
    """What the rulebooks of a game, or of all games in a folder, do not say; nothing where the rules have errors."""
    import interpreter

    if path.is_dir() and not (path / "game.yaml").exists():
        return [found for game in sorted(path.glob("*/game.yaml")) for found in assumptions_of(game, variants, options)]
    try:
        return interpreter.load(path, variants, dict(options)).assumptions
    except interpreter.InvalidGame:
        return []


def span_to_json(span: Span) -> dict[str, Any]:
    """The place as numbers that editors count with: lines and columns from 1, the end exclusive."""
    return {
        "file": near_path(span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic with everything that its text form says."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **span_to_json(diagnostic.span),
        "help": diagnostic.help,
        "related": [{"message": related.message, **span_to_json(related.span)} for related in diagnostic.related],
    }
