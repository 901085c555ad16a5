"""The options of `houserule test` that report which rules the scenarios ran."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from houserule.cli.report import fail, tell
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Coverage

Wanted = Annotated[bool, typer.Option("--coverage", help="List the rules that no scenario ran.")]
To = Annotated[
    list[Path] | None,
    typer.Option(
        "--coverage-to",
        metavar="FILE",
        help="Also write coverage to a file: .json, .xml (Cobertura), otherwise text; can be repeated.",
    ),
]
Least = Annotated[
    float | None,
    typer.Option(
        "--min-coverage",
        metavar="PERCENT",
        min=0,
        max=100,
        help="Fail if less than this ran of any kind: steps, effects, cards, faces, triggers, branches.",
    ),
]


def collected(wanted: bool, to: Sequence[Path] | None, at_least: float | None) -> Coverage | None:
    """What collects the rules that run; None if nobody asked."""
    from houserule import Coverage

    return Coverage() if wanted or to or at_least is not None else None


def say(coverage: Coverage, stream: TextIO, to: Sequence[Path] | None, at_least: float | None) -> bool:
    """Print and write which rules ran, and return whether that is enough."""
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
