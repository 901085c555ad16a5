"""Reads a file with one line in the wrong column as its author meant it, so that only this line is reported.

In YAML, columns decide what belongs together. A line that has slipped to the side moves what is below it to another place,
and causes many diagnostics there, or far below. If moving one line, or one block, removes all of them, that line
is the mistake, and the rest of the game is checked with the file as it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from houserule.diagnostics import Diagnostic, Report, Span
from houserule.frozen import frozen
from houserule.source import Source
from houserule.source.outline import line_at

T = TypeVar("T")

IN_A_WRONG_COLUMN = frozenset({"HR113", "HR114", "HR129", "HR130", "HR131", "HR133", "HR137", "HR139", "HR206"})
NOT_ALLOWED_HERE = frozenset({"HR201", "HR202", "HR204"})
MANY = 2
"""As many keys or values in wrong places are more likely the fault of a line above them."""
LARGEST = 100_000
MOST_LOOKED_AT = 5
MOST_TRIED = 12
"""Errors that are examined, and attempts at reading the file."""
NEAR = 40
"""Lines around a map that are searched for a key that it lacks."""
BLOCK_SIGN = re.compile(r"[|>][-+0-9]*")
NAMED = re.compile(r"has no '([^']+)'")


@frozen
class Row:
    """A line with a key or list entry: its number from 0, its columns before and after a dash, and what opens below it."""

    number: int
    column: int
    inner: int
    key: str | None
    opens: bool

    @property
    def dash(self) -> bool:
        """Whether it is a list entry."""
        return self.inner > self.column


@frozen
class Move:
    """Lines that may begin in the wrong column: from where to where, and how far to the right they should go."""

    first: int
    behind: int
    by: int


def as_meant(source: Source, report: Report, read: Callable[[Source, Report], T]) -> T:
    """What `read` makes of a file, with the one misplaced line reported and put back, if that is the mistake."""
    own = Report()
    made = read(source, own)
    found = own.diagnostics
    # Duplicate keys alone are nothing but that, or have lost the line above them.
    is_worth_it = own.has_errors and {d.code for d in found} != {"HR113"}
    if is_worth_it and len(source.text) <= LARGEST:
        best: tuple[int, Move, T, list[Diagnostic]] | None = None
        for move in list(moves(source, found))[:MOST_TRIED]:
            trial = Report()
            again = read(moved(source, move), trial)
            if is_less(trial.found, found) and (best is None or len(trial.found) < best[0]):
                best = len(trial.found), move, again, trial.found
                if not trial.found:
                    break
        if best is not None:
            _, move, made, left = best
            kept = {sameness(d) for d in left}
            own.found = [told(source, move, found), *(d for d in found if sameness(d) in kept)]
    for diagnostic in own.found:
        report.add(diagnostic)
    return made


def is_less(after: list[Diagnostic], before: list[Diagnostic]) -> bool:
    """Whether the diagnostics are a proper subset of others."""
    if any(d.code < "HR200" for d in after):
        return False  # the shape of what cannot be read is unknown
    return len(after) < len(before) and {sameness(d) for d in after} <= {sameness(d) for d in before}


def sameness(diagnostic: Diagnostic) -> tuple[str, str, int]:
    """The parts of a diagnostic that do not change when its line is moved to the side."""
    return diagnostic.code, diagnostic.message, diagnostic.span.line


def told(source: Source, move: Move, found: list[Diagnostic]) -> Diagnostic:
    """The diagnostic of a misplaced line: the former one, or the column where it should begin."""
    number = move.first + 1
    for diagnostic in found:
        if diagnostic.span.line == number and diagnostic.code in IN_A_WRONG_COLUMN - {"HR113", "HR139", "HR206"}:
            return diagnostic
    line = source.lines[move.first]
    column = len(line) - len(line.lstrip())
    word = line.strip().partition(":")[0]
    span = Span(source.path, number, column + 1, number, column + 1 + len(word))
    below = " with what stands below it" if move.behind > move.first + 1 else ""
    message = f"'{word}' begins at column {column + 1}, but belongs at column {column + move.by + 1}"
    return Diagnostic("HR129", "error", message, span, f"begin it at column {column + move.by + 1}{below}")


def moved(source: Source, move: Move) -> Source:
    """The text with some lines moved to the right or to the left."""
    lines = list(source.lines)
    for number in range(move.first, move.behind):
        line = lines[number].replace("\t", "  ")
        body = line.lstrip(" ")
        if body:
            lines[number] = " " * max(0, len(line) - len(body) + move.by) + body
    return Source(source.path, "\n".join(lines))


# --- which lines may have slipped -------------------------------------------------------------------------------------


def rows_of(lines: Sequence[str]) -> list[Row]:
    """The lines with keys and entries, except inside blocks of text."""
    found: list[Row] = []
    opener: int | None = None  # the column of the key of a block of text
    inside: int | None = None  # the column of its first line
    for number, text in enumerate(lines):
        spaced = text.replace("\t", "  ")
        line = line_at(spaced, 0)
        if line is None:
            continue
        if opener is not None:
            inside, opener = line.column if line.column > opener else None, None
        if inside is not None and line.column >= inside:
            continue
        inside = None
        if line.key is None and not line.dash:
            continue
        inner = line.column
        while spaced.startswith("- ", inner):
            inner += 2
        opener = line.column if BLOCK_SIGN.fullmatch(line.value) else None
        found.append(Row(number, line.column, inner, line.key, line.key is not None and not line.value))
    return found


def odd_rows(rows: list[Row]) -> set[int]:
    """The numbers of lines that open nothing though they should, or begin in a column where nothing begins."""
    odd: set[int] = set()
    open_columns: list[int] = []
    before: Row | None = None
    for row in rows:
        while open_columns and open_columns[-1] > row.column:
            open_columns.pop()
        fits = bool(open_columns) and open_columns[-1] == row.column
        if (
            before is not None
            and before.opens
            and (row.column < before.inner or (row.column == before.inner and not row.dash))
        ):
            odd.add(before.number)
        opens = (
            before is None
            or (before.opens and row.column > before.column)
            or (before.dash and row.column == before.inner)
        )
        if not fits and not opens:
            odd.add(row.number)
        if not fits:
            open_columns.append(row.column)
        if row.dash:
            open_columns.append(row.inner)
        before = row
    return odd


def moves(source: Source, found: list[Diagnostic]) -> Iterator[Move]:
    """The moves that may fix the diagnostics and keep the columns of the text in order, the likeliest first."""
    rows = rows_of(source.lines)
    odd = odd_rows(rows)
    yield from tabs_in_text(source, found)
    seen: set[Move] = set()
    for at in suspects(rows, odd, found):
        row = rows[at]
        block = next((other.number for other in rows[at + 1 :] if other.column <= row.column), len(source.lines))
        for column in columns_for(rows, at):
            own = own_end(rows, at)
            for behind in dict.fromkeys((own, block)):
                move = Move(row.number, behind, column - row.column)
                if move not in seen:
                    seen.add(move)
                    after = odd_rows(rows_of(moved(source, move).lines))
                    if after <= odd - {row.number}:
                        yield move


def tabs_in_text(source: Source, found: list[Diagnostic]) -> Iterator[Move]:
    """The moves that indent lines with tabs like the line above or below."""
    for diagnostic in [d for d in found if d.code == "HR114"][:1]:
        first = behind = diagnostic.span.line - 1
        while behind < len(source.lines) and "\t" in indentation(source.lines[behind]):
            behind += 1
        here = len(indentation(source.lines[first]).replace("\t", "  "))
        above = source.lines[first - 1] if first else ""
        inside = 2 if above.rstrip().endswith((":", "|")) else 0
        below = [len(indentation(line)) for line in source.lines[behind : behind + 1] if line.strip()]
        for column in dict.fromkeys((len(indentation(above)) + inside, *below, here)):
            yield Move(first, behind, column - here)


def indentation(line: str) -> str:
    """The blanks at the start of a line."""
    return line[: len(line) - len(line.lstrip())]


def own_end(rows: list[Row], at: int) -> int:
    """The line after an entry without what is below its key; for a block of text, after the text."""
    row = rows[at]
    return row.number + 1 if row.opens or at + 1 >= len(rows) else rows[at + 1].number


def columns_for(rows: list[Row], at: int) -> list[int]:
    """The columns in which a line may have been meant to begin, nearest first."""
    found: dict[int, None] = {} if at else {0: None}
    if at:
        above = rows[at - 1]
        if above.opens:
            found[above.inner + 2] = None
        limit = above.inner + 1
        for other in reversed(rows[:at]):
            if other.inner < limit:
                found[other.inner] = None
                found[other.column] = None
                limit = other.column
            if limit <= 0:
                break
    if at + 1 < len(rows) and rows[at].opens:
        found[rows[at + 1].column - 2] = None
    column = rows[at].column
    return sorted((c for c in found if c != column and c >= 0), key=lambda c: abs(c - column))


def suspects(rows: list[Row], odd: set[int], found: list[Diagnostic]) -> list[int]:
    """The positions of the rows that may be in the wrong column, given the diagnostics."""
    at_line = {row.number: at for at, row in enumerate(rows)}
    told = [(d.code, at) for d in found if (at := at_line.get(d.span.line - 1)) is not None]
    suspected = [0] if rows and rows[0].column > 0 else []
    for code, at in [one for one in told if one[0] in IN_A_WRONG_COLUMN][:MOST_LOOKED_AT]:
        suspected += around(rows, odd, at)
        suspected += range(max(0, at - 3), at) if code == "HR113" else ()
    suspected += missing_elsewhere(rows, found)
    unfit = [at for code, at in told if code in NOT_ALLOWED_HERE]
    if len(unfit) >= MANY:
        suspected += [at for at, row in enumerate(rows) if row.number in odd]
        for at in unfit[:MOST_LOOKED_AT]:
            suspected += [n for n in (opener_of(rows, at), at) if n is not None]
    return list(dict.fromkeys(suspected))


def missing_elsewhere(rows: list[Row], found: list[Diagnostic]) -> Iterator[int]:
    """The rows below a map that have the key that it lacks."""
    for diagnostic in [d for d in found if d.code == "HR203"][:MOST_LOOKED_AT]:
        missing, line = NAMED.search(diagnostic.message), diagnostic.span.line - 1
        for at, row in enumerate(rows):
            if missing is not None and row.key == missing[1] and 0 < row.number - line <= NEAR:
                yield at


def around(rows: list[Row], odd: set[int], at: int) -> list[int]:
    """A row reported in a wrong column, and those around it that may be the cause."""
    found = [at]
    if at and rows[at - 1].number in odd:
        found.append(at - 1)
    if (opener := opener_of(rows, at)) is not None:
        found += [opener + 1, opener, *(n for n in range(opener, at) if rows[n].number in odd)]
    return found


def opener_of(rows: list[Row], at: int) -> int | None:
    """The line above, further to the left, whose block contains a line."""
    return next((n for n in range(at - 1, -1, -1) if rows[n].column < rows[at].column), None)
