"""Spans of files, diagnostics about them, and the report that collects these."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict, Unpack

from houserule.frozen import by_value
from houserule.printable import CONTROL, printable

Severity = Literal["error", "warning"]


@by_value
class Span:
    """A range of a file: lines and columns count from 1 (columns in characters), the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def __lt__(self, other: Span) -> bool:
        return self.place < other.place

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        """The sort key of spans: by file, then by start and end."""
        return (self.file, self.line, self.column, self.end_line, self.end_column)

    def first(self, length: int) -> Span:
        """The first characters of the range."""
        return Span(self.file, self.line, self.column, self.line, self.column + length)

    def last(self, length: int) -> Span:
        """The last characters of the range."""
        return Span(self.file, self.end_line, max(1, self.end_column - length), self.end_line, self.end_column)

    def holds(self, other: Span) -> bool:
        """Whether another range begins within this one."""
        begins = (other.line, other.column)
        return self.file == other.file and (self.line, self.column) <= begins < (self.end_line, self.end_column)

    def to(self, other: Span) -> Span:
        """The range from the start of this span to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("<nowhere>")
MOST_COMPARED = 20_000
"""Comparisons of misspelt words with names in all, after which no more are suggested."""
LONGEST = 1_000
"""The characters of a message and its help together that are kept whole."""
MOST_ADVISED = 100
"""The most diagnostics of a report that suggests words."""


@by_value
class Related:
    """Another place that a diagnostic refers to: "declared here"."""

    message: str
    span: Span


@by_value
class Fix:
    """The certain fix of a mistake: a text that replaces a range of the file, including quotes."""

    span: Span
    text: str


class Meant(str):
    """A help line that suggests a word: the sentence, with the `word` as data."""

    __slots__ = ("word",)
    word: str

    def __new__(cls, word: str, sentence: str = "") -> Meant:
        """The help line; without a sentence, `did you mean …?`."""
        made = super().__new__(cls, sentence or f"did you mean '{word}'?")
        made.word = word
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]  # what __new__ takes
        return self.word, str(self)


CALLED = "the declaration to which it points"
ABOVE = "a line above it in the text, or what stands under its key"
LINE = "its line"
EFFECTS = "all effects"
COUNTS = "all numbers of players"
RULES = "all rules"
USES = "all rules that may use it"
"""What a diagnostic may follow from, besides names: if there is an error in it, nothing is certain."""


@by_value
class Diagnostic:
    """One mistake or doubt in a file of rules.

    `subject` is the name in it that means nothing, and `among` the names that can stand there. `follows_from` are other
    names that it leans on, and the marks above: what cannot be read makes no second mistake, so the diagnostic is not shown.
    With one that `hides_all`, nothing else is: its file is of a language that this version does not know.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    help: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    subject: str | None = None
    follows_from: tuple[str, ...] = ()
    among: frozenset[str] = frozenset()
    hides_all: bool = False

    @property
    def stage(self) -> int:
        """The stage that found it, from 1, which reads files: the first digit of the code."""
        return int(self.code[2:3] or 0)

    @property
    def meant(self) -> str | None:
        """The word that the help suggests."""
        return self.help.word if isinstance(self.help, Meant) else None


class More(TypedDict, total=False):
    """What else a diagnostic can say: its fix, and what it leans on."""

    fix: Fix | None
    subject: str | None
    follows_from: tuple[str, ...]
    among: frozenset[str]
    hides_all: bool


@dataclass(slots=True, eq=False, repr=False)
class Report:
    """Collects diagnostics without duplicates."""

    found: list[Diagnostic] = field(default_factory=list)
    compared: int = 0  # names that misspelt words were compared with
    _seen: set[tuple[str, Span, str]] = field(default_factory=set)

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        related: Iterable[Related] = (),
        **more: Unpack[More],
    ) -> None:
        self.add(Diagnostic(code, "error", message, span, help, tuple(related), **more))

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        related: Iterable[Related] = (),
        **more: Unpack[More],
    ) -> None:
        """Add a warning: the rules can be played, but are probably not what was meant."""
        self.add(Diagnostic(code, "warning", message, span, help, tuple(related), **more))

    def misnamed(
        self,
        code: str,
        message: str,
        span: Span,
        word: str,
        candidates: Iterable[str],
        otherwise: str | None = None,
        related: Iterable[Related] = (),
        **more: Unpack[More],
    ) -> None:
        """Add an error about an unknown word, with the similar candidate that was probably meant, if there is one.

        If it is certain, and the span is just the word, it becomes a fix. `otherwise` is the help
        if none is similar, and in a long report, which suggests no words.
        """
        names = list(candidates)
        found = self.near(word, names)
        meant = the_one(word, found) if is_of(span, word) else None
        more |= {"fix": Fix(span, meant) if meant else None, "subject": word}
        if not self.is_long:
            more["among"] = frozenset(names)
        self.error(code, message, span, Meant(found[0]) if found else otherwise, related, **more)

    def take(self, found: Iterable[Diagnostic]) -> None:
        """Add what another report has found."""
        for diagnostic in found:
            self.add(diagnostic)

    def retract(self, code: str, span: Span) -> None:
        """Take back what a better diagnostic of the same place replaces."""
        self.found = [one for one in self.found if (one.code, one.span) != (code, span)]

    def advise(
        self,
        since: int,
        code: str,
        help: str,
        related: Iterable[Related] = (),
        subject: str | None = None,
        adds: bool = False,
    ) -> None:
        """Give a help line to the diagnostics with a code that were found since there were so many, and have none.

        With `adds`, it goes after the one that they have.
        """
        for at, one in enumerate(self.found[since:], since):
            if one.code == code and (adds or one.help is None):
                more, said = (*one.related, *related), f"{one.help}; {help}" if one.help else help
                self.found[at] = replace(one, help=said, related=more, subject=subject or one.subject)

    def near(self, word: str, candidates: Iterable[str]) -> list[str]:
        """The words that a word may have been meant to be; none after too many comparisons."""
        names = list(candidates)
        self.compared += len(names)
        return [] if self.is_long else near(word, names)

    def did_you_mean(self, word: str, candidates: Iterable[str]) -> Meant | None:
        """A help line with the most similar candidate, or None."""
        found = self.near(word, candidates)
        return Meant(found[0]) if found else None

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless the place has the same one already."""
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            if len(diagnostic.message) + len(diagnostic.help or "") > LONGEST:  # it quotes what is as long
                help = diagnostic.help and _shortened(diagnostic.help, LONGEST)
                diagnostic = replace(diagnostic, message=_shortened(diagnostic.message, LONGEST), help=help)
            self.found.append(diagnostic)

    @property
    def is_long(self) -> bool:
        """Whether there are too many diagnostics, or words to compare, to look for the meaning of each word."""
        return len(self.found) >= MOST_ADVISED or self.compared > MOST_COMPARED

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.found)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return sorted(self.found, key=lambda d: (d.span.file, d.span.line, d.span.column, d.code))


class InvalidGame(Exception):
    """The rules cannot be played; `diagnostics` says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        super().__init__(
            f"{first.span}: error {first.code}: {first.message}" if first else "the rules cannot be played"
        )


def is_of(span: Span, word: str) -> bool:
    return span.line == span.end_line and span.end_column - span.column == len(word)


OTHER_WORDS = {
    "count": "copies amount number quantity qty times many",
    "title": "name label heading caption",
    "text": "description desc note notes rule",
    "do": "effect action code run then body value formula expression result",
    "when": "if condition unless only_if",
    "whenever": "on event trigger",
    "visible": "visibility seen shown hidden public private face",
    "holds": "contains contents content accepts",
    "capacity": "max limit size room",
    "attributes": "properties props fields stats",
    "pieces": "cards tiles items tokens",
    "members": "values entries elements names",
    "components": "pieces cards tiles tokens dice",
    "starts_in": "location place zone begins_in",
    "start": "initial default begin",
    "default": "initial start value",
    "repeat": "loop rounds times",
    "turns": "players turn who order",
    "steps": "phases stages",
    "players": "seats player_count",
    "most": "highest max maximum",
    "least": "lowest min minimum fewest",
    "tie": "tiebreak tiebreaker ties",
    "points": "score worth",
    "winner": "win victory wins",
    "scoring": "score points",
    "options": "settings parameters config",
    "zones": "areas places piles",
    "flow": "phases sequence turn rounds",
    "each": "foreach for_each combinations",
    "where": "filter",
}
"""Other words for keys, by which they are found where none is spelled alike."""


def near(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that a word may have been meant to be, the likeliest first."""
    pool = [c for c in dict.fromkeys(candidates) if c != word]
    alike = [c for c in pool if c.lower() == word.lower()]
    slips = [c for c in pool if is_one_slip(word, c)]
    others = difflib.get_close_matches(word, pool, n=3, cutoff=0.7)
    found = dict.fromkeys([*alike, *sorted(slips, key=lambda c: others.index(c) if c in others else 3), *others])
    return list(found) or [c for c in pool if word.lower() in OTHER_WORDS.get(c, "").split()] or with_more(word, pool)


def with_more(word: str, pool: Sequence[str]) -> list[str]:
    """The only candidate that has a part more or less than a word, as `duke` has for `card_duke`."""
    parts = set(word.lower().split("_"))
    found = [one for one in pool if (own := set(one.lower().split("_"))) > parts or own < parts]
    return found if len(found) == 1 else []


def is_one_slip(a: str, b: str) -> bool:
    """Whether one inserted, missing or wrong letter, or two swapped ones, turn one word into the other.

    In words of three letters no wrong letter counts as a slip, in two only the order does.
    """
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 2:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[start:], b[start:]
    length = start + len(a)
    if length > 3 and a[1:] == b[1:]:
        return True
    if length > 2 and (a[1:] == b or a == b[1:]):
        return True
    return a[:2] == b[1::-1] and a[2:] == b[2:]


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    return next(iter(near(word, candidates)), None)


def certain(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that the word was certainly meant to be: one slip away, with no other near."""
    return the_one(word, near(word, candidates))


def the_one(word: str, found: list[str]) -> str | None:
    return found[0] if len(found) == 1 and (is_one_slip(word, found[0]) or word.lower() == found[0].lower()) else None


def did_you_mean(word: str, candidates: Iterable[str]) -> Meant | None:
    """A help line with the most similar candidate, or None."""
    found = nearest(word, candidates)
    return Meant(found) if found else None


# --- as text ----------------------------------------------------------------------------------------------------------

WIDEST_EXCERPT = 100
MOST_READ = 4 * WIDEST_EXCERPT
"""The characters of each part of an excerpt that are looked at: a line may have millions."""


def render(diagnostic: Diagnostic, line_of: Callable[[str, int], str | None]) -> str:
    """A diagnostic as plain text: the place, the sentence, the source line with carets, and the help.

    `line_of` returns a line of a file by its number, or None.
    """
    lines = [
        f"{printable(str(diagnostic.span))}: {diagnostic.severity} {diagnostic.code}: {printable(diagnostic.message)}"
    ]
    lines += excerpt(diagnostic.span, line_of)
    for related in diagnostic.related:
        lines.append(f"   note: {printable(related.message)}: {printable(str(related.span))}")
        lines += excerpt(related.span, line_of)
    if diagnostic.help:
        first, *rest = map(printable, diagnostic.help.split("\n"))
        lines += [f"   help: {first}", *(f"         {line}" for line in rest)]
    lines.append(f"   see:  houserule explain {diagnostic.code}")
    return "\n".join(lines)


def excerpt(span: Span, line_of: Callable[[str, int], str | None]) -> list[str]:
    """The line in which a span begins, and under it carets for the part within that line; nothing without a line."""
    line = line_of(span.file, span.line)
    if line is None:
        return []
    line = line.rstrip()
    start = min(span.column - 1, len(line))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    parts = (
        line[max(0, start - MOST_READ) : start],
        line[start : min(end, start + MOST_READ)],
        line[end : end + MOST_READ],
    )
    before, marked, behind = (CONTROL.sub("\ufffd", part.replace("\t", " ")) for part in parts)
    if columns(before + marked + behind) > WIDEST_EXCERPT:
        before = _shortened(before[::-1], WIDEST_EXCERPT // 3)[::-1]
        marked = _shortened(marked, WIDEST_EXCERPT // 3)
        behind = _shortened(behind, WIDEST_EXCERPT // 3)
    carets = " " * columns(before) + "^" * max(1, columns(marked))
    return [f"{span.line:>5} | {before}{marked}{behind}", f"      | {carets}"]


def columns(text: str) -> int:
    """The width of a text in columns of a terminal: a Chinese character takes two, a combining accent none."""
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _shortened(text: str, width: int) -> str:
    """The longest prefix of a text that fits in `width` columns."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[: max(width - 1, len(text) // 2)] if len(text) > 2 * width else text[:-1]
    return text + "…"
