"""Positions of the protocol: lines and columns from 0, columns in units of UTF-16."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from lsprotocol import types

from houserule.diagnostics import Span

LONGEST_PART = 255
"""The most bytes in the name of a file or folder."""
WIDE = re.compile("[\U00010000-\U0010ffff]")
LINE_BREAK = re.compile(r"\r\n|\n|\r")


def path_of(uri: str) -> Path | None:
    """The path of a URI, whether or not the file exists; None if it is no file, or one of another machine."""
    try:
        parts = urlparse(uri)
        path = Path(url2pathname(unquote(parts.path, errors="strict")))
        is_file = (
            parts.scheme == "file" and parts.netloc in ("", "localhost") and "\0" not in str(path) and not path.is_dir()
        )
        is_whole = all(len(os.fsencode(part)) <= LONGEST_PART for part in path.parts)
    except (OSError, ValueError):
        return None
    return path if is_file and is_whole else None


@lru_cache(8)
def wide(line: str) -> list[int]:
    """The indexes in a line of the characters that take two units of UTF-16; cached, as a line may have many positions."""
    return [] if line.isascii() else [found.start() for found in WIDE.finditer(line)]


def units(line: str, end: int) -> int:
    taken = min(max(0, end), len(line))
    return taken + bisect_left(wide(line), taken)


def column(line: str, character: int) -> int:
    """The column, from 1 in characters, of an offset in units in a line."""
    taken = 0
    for number, sign in enumerate(line):
        if taken >= character:
            return number + 1
        taken += 2 if ord(sign) > 0xFFFF else 1
    return len(line) + 1


def position(lines: Sequence[str], line: int, at: int) -> types.Position:
    """A position of the protocol; after the end of the text, the end."""
    if not lines:
        return types.Position(0, 0)
    if line > len(lines):
        return types.Position(len(lines) - 1, units(lines[-1], len(lines[-1])))
    row = max(1, line)
    return types.Position(row - 1, units(lines[row - 1], at - 1))


def range_of(lines: Sequence[str], span: Span) -> types.Range:
    return types.Range(position(lines, span.line, span.column), position(lines, span.end_line, span.end_column))


def with_change(text: str, change: types.TextDocumentContentChangeEvent) -> str:
    """The text after an editor's change of a part or the whole. A position after the end is the end."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    starts = [0, *(found.end() for found in LINE_BREAK.finditer(text))]
    start, end = (offset(text, starts, place) for place in (change.range.start, change.range.end))
    return text[:start] + change.text + text[max(start, end) :]


def offset(text: str, starts: Sequence[int], place: types.Position) -> int:
    if place.line >= len(starts):
        return len(text)
    line = LINE_BREAK.split(text[starts[place.line] : (*starts, len(text))[place.line + 1]])[0]
    return starts[place.line] + column(line, place.character) - 1
