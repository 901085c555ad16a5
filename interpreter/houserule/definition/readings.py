"""Caches what is made from files and texts. A file with one line in the wrong column is read as its author meant it."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from houserule.definition.schema import check_shape
from houserule.definition.sorts import Document
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.frozen import frozen
from houserule.language.scope import Budget, OverBudget
from houserule.source import Mapping, Source, document_of, open_source

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
            ends = [number + 1, *(behind(rows[near + 1 :], left, len(lines)) for left in (column + 1, column))]
            for other in likely(columns, near, columns[above], "\t" in lines[number][: column + 1]):
                for move in ((number, end, other - column) for end in ends):
                    if move not in seen and len(entries(moved(lines, *move))) == len(rows):
                        seen.add(move)
                        yield move


def behind(rows: list[tuple[int, int]], column: int, last: int) -> int:
    """The first of these lines that begins left of a column, else the last one."""
    return next((number for number, other in rows if other < column), last)


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


Asked = tuple[Path, Path, Document, str, Span | None]
"""The arguments of `document`."""

MOST_KEPT = 2_000
"""Results of earlier runs that are kept though the last run did not use them."""
NODES_FOR_UNITS, CHARACTERS_A_UNIT, LINES_A_UNIT = (4, 3), 400, 10
"""What is read of a file for the budget: four nodes for three units, and so many characters and lines for one."""
MOST_FILES, LARGEST_FILE = 64, 100_000
"""The number and size in bytes of files that a process keeps for all runs."""


@frozen
class Made:
    """A result, its diagnostics, and the files that it depends on."""

    result: Any
    found: list[Diagnostic]
    files: frozenset[Path]


@lru_cache(maxsize=MOST_FILES)
def made_of(source: Source, kind: Document) -> tuple[Mapping | None, bool, tuple[Diagnostic, ...], int]:
    """The map in a file, whether it has the shape of this kind of document, its diagnostics, and the units of work that it took."""

    def read(text: Source, report: Report) -> tuple[Mapping | None, bool]:
        tree = document_of(text, report)
        return tree, tree is not None and check_shape(tree, kind, report)

    own = Report()
    tree, good = as_meant(source, own, read)
    nodes, for_nodes = NODES_FOR_UNITS
    units = source.nodes * for_nodes // nodes
    units += len(source.text) // CHARACTERS_A_UNIT + len(source.lines) // LINES_A_UNIT
    return tree, good and not own.has_errors, tuple(own.found), units


class Readings:
    """Memoises results: files, texts, games examined, variants and scenarios validated.

    Each result knows the files that it depends on, so `after` a change those are kept whose files have not changed.
    `tells_secrets` says whether the run looks for leaks: to validate rules, not to play them. `with_meanings` says whether
    what each node means is recorded: for editors.
    `go_on` is called before each result is made; what it raises ends the run. `asked` are the calls of `document`, each
    with the map that it returned. `budget` is that of the game which is being examined, and `spent` what all of them have spent.
    """

    def __init__(
        self, tells_secrets: bool = False, go_on: Callable[[], None] = lambda: None, with_meanings: bool = False
    ) -> None:
        self.tells_secrets = tells_secrets
        self.with_meanings = with_meanings
        self.go_on = go_on
        self.asked: list[tuple[Asked, Mapping | None]] = []
        self.budget = Budget()
        self.spent = 0
        self._made: dict[Hashable, Made] = {}
        self._earlier: dict[Hashable, Made] = {}
        self._reading: list[set[Path]] = []  # the files that each unfinished result has read

    def once(self, key: Hashable, report: Report, make: Callable[[Report], T]) -> T:
        """The memoised result of `make`. Its diagnostics are reported each time."""
        made = self._made.get(key) or self._earlier.pop(key, None) or self._make(make)
        self._made[key] = made
        if self._reading:
            self._reading[-1] |= made.files
        for diagnostic in made.found:
            report.add(diagnostic)
        result: T = made.result
        return result

    def _make(self, make: Callable[[Report], Any]) -> Made:
        self.go_on()
        files: set[Path] = set()
        self._reading.append(files)
        try:
            own = Report()
            return Made(make(own), own.found, frozenset(files))
        finally:
            self._reading.pop()

    def reads(self, file: Path) -> None:
        if self._reading:
            self._reading[-1].add(file)

    def has(self, key: Hashable) -> bool:
        return key in self._made or key in self._earlier

    def after(self, is_current: Callable[[Path], bool]) -> Readings:
        """The readings of the next run: all results so far whose files have not changed."""
        later = Readings(self.tells_secrets, self.go_on, self.with_meanings)
        every = self._made if len(self._earlier) > MOST_KEPT else self._earlier | self._made
        current = {file: is_current(file) for file in {file for made in every.values() for file in made.files}}
        later._earlier = {key: made for key, made in every.items() if all(current[file] for file in made.files)}
        return later

    def document(
        self, path: Path, root: Path, kind: Document, report: Report, shown: str, named_at: Span | None = None
    ) -> tuple[Mapping | None, bool]:
        """The map in a file, or None, and whether it has the shape of this kind of document.

        The file is opened once per run. If it has the same bytes as in an earlier run, the map is the same object.
        """

        def read(own: Report) -> tuple[Mapping | None, bool, int]:
            self.reads(path)
            source = open_source(path, root, own, shown, named_at)
            if source is None:
                return None, False, 0
            is_kept = len(source.content) <= LARGEST_FILE
            tree, good, found, units = (made_of if is_kept else made_of.__wrapped__)(source, kind)
            for diagnostic in found:
                own.add(diagnostic)
            return tree, good, units

        asked = (path, root, kind, shown, named_at)
        tree, good, units = self.once(asked, report, read) if self.budget.left >= 0 else (None, False, 0)
        try:
            self.budget.spend(units, named_at or Span(shown))
        except OverBudget as over:
            message = "with this file the game is larger than any rules are, so the rest of it is not read"
            report.error("HR107", message, over.span, "write ranges and `each` for what repeats")
            return None, False
        self.asked.append((asked, tree))
        return tree, good

    def is_as_before(self, asked: Iterable[tuple[Asked, Mapping | None]]) -> bool:
        """Whether the same calls as in another run return the same maps, all without mistakes."""
        own = Report()
        return all(
            self.document(path, root, kind, own, shown, named_at)[0] is tree and not own.found
            for (path, root, kind, shown, named_at), tree in asked
        )
