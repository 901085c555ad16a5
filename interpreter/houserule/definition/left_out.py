"""Names the files in a game's folder that it does not include although they declare names that are unknown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from houserule.diagnostics import Diagnostic, Span
from houserule.reading import beginning, lines_of_file

DECLARING = re.compile(r"(?:(?m:^) *|[{,] *)(\w+)(?:\([\w, ]*\))?:")
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


def place_of_parts(game: str) -> Span:
    """The line of a file that includes others, or its first line."""
    lines = lines_of_file(game) or [""]
    number = next((number for number, line in enumerate(lines, 1) if line.startswith("include")), 1)
    return Span(game, number, 1, number, len(lines[number - 1]) + 1)
