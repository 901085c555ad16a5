"""Places as the protocol counts them: lines and columns from 0, columns in units of UTF-16."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from lsprotocol import types

from houserule.diagnostics import Span


def path_of(uri: str) -> Path | None:
    """The path of a file that an editor names; None for what is no file."""
    parts = urlparse(uri)
    return Path(url2pathname(unquote(parts.path))) if parts.scheme == "file" else None


def units(text: str) -> int:
    """How many units of UTF-16 a text takes."""
    return len(text) + sum(ord(sign) > 0xFFFF for sign in text)


def column(line: str, character: int) -> int:
    """The column, from 1 in characters, of a number of units in a line."""
    taken = 0
    for number, sign in enumerate(line):
        if taken >= character:
            return number + 1
        taken += 2 if ord(sign) > 0xFFFF else 1
    return len(line) + 1


def position(lines: Sequence[str], line: int, at: int) -> types.Position:
    """A place of the protocol; beyond the end of the text it is the end."""
    if not lines:
        return types.Position(0, 0)
    if line > len(lines):
        return types.Position(len(lines) - 1, units(lines[-1]))
    row = max(1, line)
    return types.Position(row - 1, units(lines[row - 1][: max(0, at - 1)]))


def range_of(lines: Sequence[str], span: Span) -> types.Range:
    """A range of the protocol."""
    return types.Range(position(lines, span.line, span.column), position(lines, span.end_line, span.end_column))
