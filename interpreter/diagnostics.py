"""Where something stands in a file, and what is to be said about it: spans, diagnostics, and the report of them."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of a file: lines and columns count from 1 (columns in characters), the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The range from the start of this span to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("<nowhere>")


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a diagnostic speaks of: "declared here"."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong or doubtful in a file of rules."""

    code: str
    severity: Severity
    message: str
    span: Span
    help: str | None = None
    related: tuple[Related, ...] = ()


@dataclass(slots=True)
class Report:
    """Collects diagnostics; says nothing twice."""

    found: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, Span, str]] = field(default_factory=set)

    def error(
        self, code: str, message: str, span: Span, help: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Add an error."""
        self.add(Diagnostic(code, "error", message, span, help, tuple(related)))

    def warning(
        self, code: str, message: str, span: Span, help: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Add a warning: the rules can be played, but are probably not what was meant."""
        self.add(Diagnostic(code, "warning", message, span, help, tuple(related)))

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless the same was said of the same place before."""
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(diagnostic)

    @property
    def has_errors(self) -> bool:
        """Whether anything found keeps the rules from being played."""
        return any(d.severity == "error" for d in self.found)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found, in the order of the files."""
        return sorted(self.found, key=lambda d: (d.span.file, d.span.line, d.span.column, d.code))


class InvalidGame(Exception):
    """The rules cannot be played; `diagnostics` says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        super().__init__(
            f"{first.span}: error {first.code}: {first.message}" if first else "the rules cannot be played"
        )


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that the word was probably meant to be, or None."""
    pool = list(dict.fromkeys(candidates))
    lowered = {c.lower(): c for c in reversed(pool)}
    if word.lower() in lowered and lowered[word.lower()] != word:
        return lowered[word.lower()]
    matches = difflib.get_close_matches(word, [c for c in pool if c != word], n=1, cutoff=0.7)
    return matches[0] if matches else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A help line with the nearest candidate, or None."""
    found = nearest(word, candidates)
    return f"did you mean '{found}'?" if found else None


# --- as text ----------------------------------------------------------------------------------------------------------

WIDEST_EXCERPT = 100


def render(diagnostic: Diagnostic, line_of: Callable[[str, int], str | None]) -> str:
    """A diagnostic as plain text: the place, the sentence, the source line with carets, and what to do about it.

    `line_of` gives a line of a file by its number, or None where there is none.
    """
    lines = [f"{diagnostic.span}: {diagnostic.severity} {diagnostic.code}: {diagnostic.message}"]
    lines += excerpt(diagnostic.span, line_of)
    for related in diagnostic.related:
        lines.append(f"   note: {related.message}: {related.span}")
        lines += excerpt(related.span, line_of)
    if diagnostic.help:
        first, *rest = diagnostic.help.split("\n")
        lines += [f"   help: {first}", *(f"         {line}" for line in rest)]
    lines.append(f"   see:  houserule explain {diagnostic.code}")
    return "\n".join(lines)


def excerpt(span: Span, line_of: Callable[[str, int], str | None]) -> list[str]:
    """The line in which a span begins, and under it carets for the part within that line; nothing without a line."""
    line = line_of(span.file, span.line)
    if line is None:
        return []
    line = "".join(" " if unicodedata.category(character) == "Cc" else character for character in line.rstrip())
    start = min(span.column - 1, len(line))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    before, marked, behind = line[:start], line[start:end], line[end:]
    if columns(line) > WIDEST_EXCERPT:
        before = _shortened(before[::-1], WIDEST_EXCERPT // 3)[::-1]
        marked = _shortened(marked, WIDEST_EXCERPT // 3)
        behind = _shortened(behind, WIDEST_EXCERPT // 3)
    carets = " " * columns(before) + "^" * max(1, columns(marked))
    return [f"{span.line:>5} | {before}{marked}{behind}", f"      | {carets}"]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: a Chinese character takes two, an accent set on a letter none."""
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _shortened(text: str, width: int) -> str:
    """The beginning of a text that fits into so many columns."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[: max(width - 1, len(text) // 2)] if len(text) > 2 * width else text[:-1]
    return text + "…"
