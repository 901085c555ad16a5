"""Formats rule files: all effects in one layout, and everything else as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from houserule.definition.files import ROOTS, Value, kind_of, texts, values
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.language import format as trees
from houserule.language.format import INDENTATION, Line, lay_out
from houserule.language.parse import parse
from houserule.operations import PREPOSITIONS
from houserule.reading import LINE_BREAK, MARK, as_rules, root_of
from houserule.source import Mapping, Scalar, Sequence, Source, Yaml, documents_of, open_source
from houserule.workshop.library import display

HEADER = re.compile(r"\|[0-9+-]*")
DASH = re.compile(r" *(?:- +)*- +")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A rule file before and after formatting; `diagnostics` are the errors that leave parts unformatted.

    A file with errors in its YAML stays as it is.
    """

    path: Path
    before: str
    after: str
    diagnostics: list[Diagnostic]

    @property
    def is_changed(self) -> bool:
        """Whether formatting changes the file."""
        return self.before != self.after


def format(path: str | Path) -> Formatted:
    """The text of a rule file with all effects and expressions formatted, and everything else unchanged.

    Only blanks and indentation change, never words, sentences, comments, brackets or line breaks; so the meaning stays the same. The
    file is not written, and its content never raises.

    >>> formatted = houserule.format(game.path / "game.yaml")
    >>> formatted.before == formatted.after
    True
    """
    file, report = Path(path), Report()
    source = open_source(file, root_of(file), report, display(file), None)
    if source is None:
        return Formatted(file, "", "", report.diagnostics)
    before = source.content.decode("utf-8")
    documents = documents_of(source, report)
    if report.has_errors:
        return Formatted(file, before, before, errors(report))
    edits = Edits(source)
    for text in texts_of(documents, file):
        if understood(text, report) is not None:
            edits.add(text)
    after = with_line_breaks(before, edits.lines())
    if after != before and not means_the_same(documents, after, file):
        after = before
    return Formatted(file, before, after, errors(report))


def errors(report: Report) -> list[Diagnostic]:
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "error"]


def texts_of(documents: list[Mapping], file: Path) -> Iterator[Value]:
    are_scenarios = "scenarios" in file.resolve().parts or any("scenario" in node.entries for node in documents)
    for document in documents:
        yield from texts(values(document, ROOTS[kind_of(document, are_scenarios)]))


MOST_KEPT = 5_000
"""The most canonical forms that are kept: a file that changes is read three times, and each text in it with it."""
_forms: dict[tuple[str, str, tuple[str, ...]], str] = {}


def understood(text: Value, report: Report) -> str | None:
    """The canonical form of a text, which shows its meaning; None after a diagnostic if it cannot be parsed."""
    key = text.scalar.fragment.text, text.scalar.style, text.starts
    if key in _forms:
        return _forms[key]
    problems: list[Diagnostic] = []
    for start in text.starts:
        own = Report()
        node = parse(text.scalar.fragment, start, own, PREPOSITIONS)
        if node is not None and not own.has_errors:
            if len(_forms) >= MOST_KEPT:
                _forms.clear()
            return _forms.setdefault(key, trees.format(node))
        # Of several start symbols, the one that parses furthest was meant.
        if not problems or (own.diagnostics and own.diagnostics[0].span > problems[0].span):
            problems = own.diagnostics
    report.take(problems)
    return None


def with_line_breaks(before: str, lines: list[str]) -> str:
    breaks = [*LINE_BREAK.findall(before), ""]
    return (MARK if before.startswith(MARK) else "") + "".join(
        line + end for line, end in zip(lines, breaks, strict=True)
    )


# --- what changes in a file -------------------------------------------------------------------------------------------


class Edits:
    """The changes in the lines of a file; the number of lines stays the same."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.whole: dict[int, str] = {}
        self.parts: dict[int, list[tuple[int, int, str]]] = {}

    def add(self, text: Value) -> None:
        scalar = text.scalar
        lines = lay_out(scalar.fragment.text, PREPOSITIONS, "block" in text.starts)
        if scalar.style == "literal":
            self.add_block(text, lines)
        else:
            self.add_words(scalar, lines)

    def add_block(self, text: Value, lines: list[Line]) -> None:
        """Format a `|` block: rewrite each line with the indentation that its key asks for."""
        first = text.scalar.span.line  # the line of the `|`; counted from 0 it is the first line of the block
        written = text.scalar.fragment.text.rstrip("\n ").split("\n")
        base = next(
            len(self.source.lines[first + number]) - len(line) for number, line in enumerate(written) if line.strip()
        )
        margin = " " * self.margin(text, base, first + len(written))
        for number, line in enumerate(lines[: len(written)]):
            self.whole[first + number] = (margin + line.text).rstrip()

    def margin(self, text: Value, base: int, end: int) -> int:
        """The indentation of a block: two columns from its key or dash, unless other lines would then join or leave it."""
        span = text.scalar.span
        before = self.source.lines[span.line - 1][: span.column - 1]
        header = HEADER.match(self.source.lines[span.line - 1], span.column - 1)
        if header is None or re.search(r"\d", header[0]):
            return base
        if text.key is not None and text.key.span.line == span.line:
            wanted = text.key.span.column - 1 + INDENTATION
        elif text.key is None and DASH.fullmatch(before):
            wanted = before.rindex("-") + INDENTATION
        else:
            return base
        # A comment below the block that is indented less belongs to the YAML; it must not become a part of the block.
        behind = next((line for line in self.source.lines[end:] if line.strip()), "")
        if behind.lstrip().startswith("#") and len(behind) - len(behind.lstrip()) >= wanted:
            return base
        return wanted

    def add_words(self, scalar: Scalar, lines: list[Line]) -> None:
        """Format a plain or quoted text: the blanks between words on the same line."""
        fragment = scalar.fragment
        for number, line in enumerate(lines, start=1):
            for word, following in pairwise(line.words):
                # `: ` would end a plain text.
                if scalar.style == "plain" and word.text == ":":
                    continue
                left = fragment.span(number, word.column + 1, number, word.end + 1)
                right = fragment.span(number, following.column + 1, number, following.end + 1)
                self.replace(left, right, " " * following.blanks)

    def replace(self, left: Span, right: Span, blanks: str) -> None:
        """Put blanks between two places of one line, if only blanks are there now."""
        start, end = left.end_column - 1, right.column - 1
        if left.end_line == right.line:
            between = self.source.lines[right.line - 1][start:end]
            if between != blanks and not between.strip(" "):
                self.parts.setdefault(right.line - 1, []).append((start, end, blanks))

    def lines(self) -> list[str]:
        lines = list(self.source.lines)
        for number, parts in self.parts.items():
            for start, end, blanks in sorted(parts, reverse=True):
                lines[number] = lines[number][:start] + blanks + lines[number][end:]
        for number, line in self.whole.items():
            lines[number] = line
        return lines


# --- what must not change ---------------------------------------------------------------------------------------------


def means_the_same(documents: list[Mapping], after: str, file: Path) -> bool:
    """Whether a new text of a file means the same: equal values, and equal trees for effects."""
    report = Report()
    again = documents_of(Source(str(file), as_rules(after)), report)
    return not report.has_errors and meaning(documents, file) == meaning(again, file)


def meaning(documents: list[Mapping], file: Path) -> object:
    """The content of documents, regardless of the layout of their effects."""
    effects = {id(text.scalar): understood(text, Report()) for text in texts_of(documents, file)}

    def value(node: Yaml) -> object:
        if isinstance(node, Scalar):
            said = effects.get(id(node))
            return node.value if said is None else ("effect", said)
        if isinstance(node, Sequence):
            return [value(item) for item in node.items]
        return [(value(entry.key), value(entry.value)) for entry in node.entries.values()]

    return [value(document) for document in documents]
