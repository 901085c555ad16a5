"""Names the files in the folder of a game that it does not include, though they declare what nobody knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from houserule.diagnostics import Diagnostic, Span
from houserule.reading import beginning, lines_of_file

DECLARING = re.compile(r"(?:(?m:^) *|[{,] *)(\w+)(?:\([\w, ]*\))?:")
BY_ITSELF = re.compile(r"(?m)^(?:game|variant|scenario|of):")
"""In a file that is no part of a game."""


def parts_left_out(
    unknown: Collection[str], game: str, known: Collection[str], beside: Iterable[Path]
) -> Iterator[tuple[Diagnostic, list[str]]]:
    """What is said of each file beside a game that declares some of the unknown names, and which; `known` are file names."""
    for path in (path for path in beside if unknown and path.name not in known):
        text = beginning(path)
        declared = sorted(set(unknown) & set(DECLARING.findall(text)))
        if declared and not BY_ITSELF.search(text):
            names = ", ".join(f"'{name}'" for name in declared)
            message = f"no file includes '{path.name}', which declares {names}"
            yield Diagnostic("HR305", "error", message, place_of_parts(game), f"include: [{path.name}]"), declared


def place_of_parts(game: str) -> Span:
    """The line of a file in which it includes others, or its first."""
    lines = lines_of_file(game) or [""]
    number = next((number for number, line in enumerate(lines, 1) if line.startswith("include")), 1)
    return Span(game, number, 1, number, len(lines[number - 1]) + 1)
