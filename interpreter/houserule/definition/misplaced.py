"""Reads a file with one line in the wrong column as its author meant it, so that only this line is reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

from houserule.diagnostics import Diagnostic, Report, Span
from houserule.source import Source

T = TypeVar("T")
LARGEST, MOST_WORK, MOST_TRIED, MOST_LOOKED_AT = 100_000, 600_000, 30, 6
"""The longest text, the characters that are read once more, the attempts at reading a text, and the errors that are looked at."""
ENTRY = re.compile(r"[ \t]*(?![\s#])(?=- |[^#]*:(?: |$))")
OPENS_TEXT = re.compile(r"[:-] [|>][-+0-9]*$")


def as_meant(source: Source, report: Report, read: Callable[[Source, Report], T]) -> T:
    """What `read` makes of a file. If moving one line to the side removes mistakes and adds none, the line is reported."""
    own = Report()
    made = read(source, own)
    told = {(one.code, one.message, one.span.line): one for one in own.diagnostics}
    codes = {code for code, _, _ in told} - {"HR113"}
    if codes and len(source.text) <= LARGEST and (len(told) > 1 or min(codes) < "HR200" or "HR206" in codes):
        attempts = min(MOST_TRIED, MOST_WORK // (len(source.text) + 1))
        for first, behind, by in islice(moves(source.lines, own.diagnostics), attempts):
            trial = Report()
            again = read(Source(source.path, "\n".join(moved(source.lines, first, behind, by))), trial)
            left = {(one.code, one.message, one.span.line) for one in trial.found}
            if len(left) < len(own.found) and left <= told.keys() and all(code >= "HR200" for code, _, _ in left):
                made = again
                own.found = [misplaced(source, first, behind, by, told), *(told[one] for one in left)]
                if not left:
                    break
    for one in own.found:
        report.add(one)
    return made


def moves(lines: list[str], found: list[Diagnostic]) -> Iterator[tuple[int, int, int]]:
    """The likeliest moves first: from which line to which, numbered from 0, and how far to the right."""
    rows = entries(lines)
    columns = [column for _, column in rows]
    seen: set[tuple[int, int, int]] = set()
    for line in list(dict.fromkeys(one.span.line - 1 for one in found))[:MOST_LOOKED_AT] if rows else ():
        at = next((n for n, (number, _) in enumerate(rows) if number >= line), len(rows) - 1)
        above = next((n for n in range(at - 1, -1, -1) if columns[n] < columns[at]), 0)
        for near in dict.fromkeys(max(0, n) for n in (at, at - 1, above, above + 1) if n <= at):
            number, column = rows[near]
            below = next((row for row, other in rows[near + 1 :] if other <= column), len(lines))
            for other in likely(columns, near, columns[above], "\t" in lines[number][: column + 1]):
                for move in ((number, number + 1, other - column), (number, below, other - column)):
                    if move not in seen and len(entries(moved(lines, *move))) == len(rows):
                        seen.add(move)
                        yield move


def likely(columns: list[int], at: int, opener: int, has_tab: bool) -> list[int]:
    """The columns in which an entry may be meant to begin, by those around it: with a tab the one above comes first, else the nearest."""
    column, before = columns[at], columns[at - 1] if at else 0
    after = columns[at + 1] if at + 1 < len(columns) else column
    found = {before, before + 2, after, after - 2, opener + 2, column}
    fit = (other for other in found if other >= 0 and (has_tab or other != column))
    return sorted(fit, key=lambda other: (has_tab and other != before, abs(other - column)))


def entries(lines: list[str]) -> list[tuple[int, int]]:
    """The lines with keys and list entries, except inside blocks of text: their numbers and columns from 0."""
    found: list[tuple[int, int]] = []
    text: int | None = None
    for number, line in enumerate(lines):
        if entry := ENTRY.match(line):
            column = len(entry[0].expandtabs(2))
            if text is None or column <= text:
                found.append((number, column))
                text = column if OPENS_TEXT.search(line) else None
    return found


def moved(lines: list[str], first: int, behind: int, by: int) -> list[str]:
    """A text with tabs as blanks, and some lines further to the right or left."""
    found = [line.replace("\t", "  ") for line in lines]
    for number in range(first, behind):
        body = found[number].lstrip()
        found[number] = body and " " * max(0, len(found[number]) - len(body) + by) + body
    return found


def misplaced(
    source: Source, first: int, behind: int, by: int, told: dict[tuple[str, str, int], Diagnostic]
) -> Diagnostic:
    """The diagnostic of a line in the wrong column: what the reader says of it, or the column where it should begin."""
    for one in told.values():
        if one.span.line == first + 1 and one.code < "HR200" and one.code not in ("HR113", "HR139"):
            return one
    line = source.lines[first]
    column = len(line) - len(line.lstrip()) + 1
    word = line.strip().partition(":")[0]
    below = " with what stands below it" if behind > first + 1 else ""
    message = f"'{word}' begins at column {column}, but belongs at column {column + by}"
    span = Span(source.path, first + 1, column, first + 1, column + len(word))
    return Diagnostic("HR129", "error", message, span, f"begin it at column {column + by}{below}")
