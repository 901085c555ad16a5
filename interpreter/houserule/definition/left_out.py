"""Names the files in a game's folder that it does not include: those that declare unknown names, and all others that hold rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from houserule.diagnostics import Diagnostic, Span
from houserule.reading import beginning, lines_of_file

DECLARING = re.compile(r"(?:(?m:^) *|[{,] *)(\w+)(?:\([\w, ]*\))?:")
SECTION = re.compile(
    r"(?m)^(options|enums|components|zones|variables|tables|functions|actions|triggers|flow|scoring|translations|layout):"
)
BY_ITSELF = re.compile(r"(?m)^(?:game|variant|scenario|of):")
"""In a file that no game includes."""


def parts_left_out(
    unknown: Collection[str], game: str, known: Collection[str], beside: Iterable[Path]
) -> Iterator[tuple[Diagnostic, list[str]]]:
    """Help about each file beside a game that declares some of the unknown names, and which; `known` are file names."""
    for path in (path for path in beside if unknown and path.name not in known):
        text = beginning(path)
        declared = sorted(set(unknown) & set(DECLARING.findall(text)))
        if declared and not BY_ITSELF.search(text):
            names = ", ".join(f"'{name}'" for name in declared)
            message = f"no file includes '{path.name}', which declares {names}"
            yield Diagnostic("HR305", "error", message, place_of_parts(game), f"include: [{path.name}]"), declared


def never_included(game: str, known: Collection[str], beside: Iterable[Path]) -> Iterator[Diagnostic]:
    """Warnings about each file beside a game that holds a part of rules and is not included; `known` are file names."""
    for path in (path for path in beside if path.name not in known):
        text = beginning(path)
        section = SECTION.search(text)
        if section is not None and not BY_ITSELF.search(text):
            message = f"no file includes '{path.name}', which has a section '{section[1]}'"
            yield Diagnostic("HR597", "warning", message, place_of_parts(game), f"include: [{path.name}], or remove it")


def place_of_parts(game: str) -> Span:
    """The line of a file that includes others, or its first line."""
    lines = lines_of_file(game) or [""]
    number = next((number for number, line in enumerate(lines, 1) if line.startswith("include")), 1)
    return Span(game, number, 1, number, len(lines[number - 1]) + 1)
