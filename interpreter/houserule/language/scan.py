"""A simple scan of a text with a mistake, and where the parser stopped in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise, takewhile

from houserule.diagnostics import certain, did_you_mean
from houserule.frozen import by_value

WORD = re.compile(
    r"""(?P<break>\n)
    |(?P<comment>(?:(?<=[ \n])|\A)\#[^\n]*)
    |(?P<blank>[ ]+)
    |(?P<string>(?<!\\)"(?:[^"\\\n]|\\[^\n])*")
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\#[0-9]+)?)
    |(?P<number>[0-9]+)
    |(?P<bracket>[()\[\]])
    |(?P<sign>//=|[-+*%/=!<>]=|\.\.|//|.)""",
    re.VERBOSE,
)
OPENERS = {")": "(", "]": "["}
CLOSERS = {"(": ")", "[": "]"}


@by_value
class Word:
    """A word of a text: its kind and place."""

    kind: str
    text: str
    start: int
    end: int
    line: int
    column: int


@by_value
class Line:
    """A logical line, as in the grammar: brackets may join several lines of the file. `first` to `last` are its words."""

    first: int
    last: int
    indent: int


class Scan:
    """The words of a text, its lines, and for each word the index of the innermost open bracket."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[Word] = []
        self.lines: list[Line] = []
        self.open: list[int | None] = []
        line, start_of_line = 1, 0
        for match in WORD.finditer(text):
            kind = match.lastgroup or "sign"
            if kind == "break":
                line, start_of_line = line + 1, match.end()
            elif kind not in ("blank", "comment"):
                self.words.append(Word(kind, match[0], *match.span(), line, match.start() - start_of_line + 1))
        self.starts = [word.start for word in self.words]
        self._find_lines()

    def _find_lines(self) -> None:
        """A bracket joins several lines into one, unless it is never closed: it must not swallow the rest of the text."""
        closed = self._closed()
        brackets: list[int] = []
        for index, word in enumerate(self.words):
            is_first = index == 0 or word.line != self.words[index - 1].line
            if is_first and not any(opener in closed for opener in brackets):
                self.lines.append(Line(index, index, word.column - 1))
                brackets = []
            self.open.append(brackets[-1] if brackets else None)
            if word.text in CLOSERS:
                brackets.append(index)
            elif word.text in OPENERS and brackets:
                brackets.pop()
            self.lines[-1] = replace(self.lines[-1], last=index)

    def _closed(self) -> set[int]:
        brackets: list[int] = []
        closed: set[int] = set()
        for index, word in enumerate(self.words):
            if word.text in CLOSERS:
                brackets.append(index)
            elif word.text in OPENERS and brackets:
                closed.add(brackets.pop())
        return closed

    def unclosed(self, number: int) -> list[Word]:
        """The brackets in a line that are not closed in it."""
        found: list[Word] = []
        for word in self.words_of(number):
            if word.text in CLOSERS:
                found.append(word)
            elif word.text in OPENERS and found:
                found.pop()
        return found

    def index(self, offset: int) -> int:
        return bisect_left(self.starts, offset)

    def end_of_line(self, offset: int) -> int:
        """The end of the file's line that contains an offset."""
        end = self.text.find("\n", offset)
        return end if end >= 0 else len(self.text)

    def line_of(self, index: int) -> int:
        """The number of the line that contains a word."""
        for number, line in enumerate(self.lines):
            if index <= line.last:
                return number
        return len(self.lines) - 1

    def words_of(self, number: int) -> list[Word]:
        line = self.lines[number]
        return self.words[line.first : line.last + 1]


def mended(scan: Scan, number: int) -> str:
    """The text with one line replaced by something harmless; blocks stay complete, and everything else keeps its place."""
    words = scan.words_of(number)
    start, end = words[0].start, words[-1].end
    # Line breaks stay, so that the lines below keep their numbers.
    return scan.text[:start] + harmless(scan, number) + "\n" * scan.text.count("\n", start, end) + scan.text[end:]


def harmless(scan: Scan, number: int) -> str:
    """A replacement for a line that keeps the blocks around it complete."""
    line = scan.lines[number]
    below = scan.lines[number + 1] if number + 1 < len(scan.lines) else None
    opens = below is not None and below.indent > line.indent
    next_word = scan.words[below.first] if below is not None else None
    is_before_else = (
        below is not None and below.indent == line.indent and scan.words[below.first].text in ("elif", "else")
    )
    head = scan.words_of(number)[0].text
    if is_too_far_in(scan, number):
        return ""
    if is_label(scan, number):
        rest = f'"{number}":'  # another one than those of other lines
    elif opens and next_word is not None and next_word.kind == "string":
        rest = 'choose "":'
    elif head in ("elif", "else") and goes_on(scan, number):
        rest = "else:" if head == "else" else "elif true:"
    elif opens or is_before_else:
        rest = "if true:"
    else:
        rest = "nothing"
    return f"{rest} nothing" if not opens and rest.endswith(":") else rest


def is_too_far_in(scan: Scan, number: int) -> bool:
    """Whether a line is indented further than the one above it, which opens no block."""
    if not number or scan.lines[number].indent <= scan.lines[number - 1].indent:
        return False
    return scan.words_of(number - 1)[-1].text != ":"


def is_label(scan: Scan, number: int) -> bool:
    """Whether a line is in the place of a menu's label."""
    indent = scan.lines[number].indent
    around = next((before for before in range(number - 1, -1, -1) if scan.lines[before].indent < indent), None)
    words = scan.words_of(around) if around is not None else []
    return any(a.text in ("choose", "chooses") and b.kind == "string" for a, b in pairwise(words))


def goes_on(scan: Scan, number: int) -> bool:
    """Whether an `elif` or `else` has something to belong to."""
    indent = scan.lines[number].indent
    for before in range(number - 1, -1, -1):
        if scan.lines[before].indent < indent:
            return False
        if scan.lines[before].indent == indent:
            words = [word.text for word in scan.words_of(before)]
            return words[0] in ("if", "elif", "choose") or "chooses" in words
    return False


SIGNS = {"COLON": "':'", "COMMA": "','", "RPAR": "')'", "RSQB": "']'", "EQUAL": "'='", "DOTS": "'..'"}
NO_WORDS = frozenset(
    {"NAME", "NUMBER", "STRING", "COPY", "TRUTH", "AUGMENTED", "COMPARISON", "SIGN", "FACTOR", "SEMICOLON", "DOT"}
    | {"LPAR", "LSQB", "BANG", *SIGNS}
)
MOST_NAMED = 8


@by_value
class Finding:
    """A mistake in a range of the text, and the line that is removed so that the rest can be parsed."""

    code: str
    message: str
    start: int
    end: int
    help: str | None = None
    line: int | None = None
    mends: tuple[int, int, str] | None = None  # the certain replacement of a range of the text


@by_value
class Stop:
    """The word at which the parser stopped, or after which if `ends_line`, and the terminals that it expected.

    `token` is the type of the unexpected token: CHARACTER is something that is no word, LAYOUT indentation that
    fits nothing, NEST too deep nesting, GLUED the second half of a word that is none. `posed` is the name
    before, if a name was read there.
    """

    scan: Scan
    index: int
    ends_line: bool
    token: str
    expected: frozenset[str]
    posed: str
    start: str
    verbs: Mapping[str, tuple[str, ...]]

    @property
    def word(self) -> Word | None:
        return None if self.ends_line or self.index >= len(self.scan.words) else self.scan.words[self.index]

    @property
    def before(self) -> Word | None:
        return self.scan.words[self.index - 1] if self.index else None

    @property
    def line(self) -> int:
        """The number of the line that is wrong."""
        belongs = self.index - 1 if self.ends_line and self.index else min(self.index, len(self.scan.words) - 1)
        return self.scan.line_of(belongs)

    @property
    def first(self) -> int:
        return self.scan.lines[self.line].first

    @property
    def words(self) -> list[Word]:
        return self.scan.words_of(self.line)

    @property
    def statement(self) -> list[Word]:
        """The words of the simple statement before the unexpected one."""
        scan, start = self.scan, self.index
        while start > self.first and (scan.words[start - 1].text not in (":", ";") or scan.open[start - 1] is not None):
            start -= 1
        return scan.words[start : self.index]

    @property
    def could_set(self) -> bool:
        return "AUGMENTED" in self.expected

    @property
    def unclosed(self) -> list[Word]:
        """The brackets before this place that are not closed in their line."""
        end = len(self.scan.text) if self.word is None else self.word.start
        for line in range(self.line, -1, -1):
            if found := [word for word in self.scan.unclosed(line) if word.start < end]:
                return found
        return []

    def here(self, code: str, message: str, help: str | None = None, instead: str | None = None) -> Finding:
        """A finding about the word, or about the place after the last one; `instead` is its certain replacement."""
        if self.word is not None:
            return self.about(self.word, code, message, help, instead)
        end = self.before.end if self.before is not None else 0
        return Finding(code, message, end, end + 1, help, self.line)

    def about(
        self, word: Word, code: str, message: str, help: str | None = None, instead: str | None = None
    ) -> Finding:
        """A finding about a word; `instead` is its certain replacement."""
        line = self.scan.line_of(self.scan.index(word.start))
        mends = (word.start, word.end, instead) if instead is not None else None
        return Finding(code, message, word.start, word.end, help, line, mends)

    def not_allowed(self, word: Word, help: str | None) -> Finding:
        """A finding about a word that cannot stand in its place."""
        return self.about(word, "HR401", f"'{shown(word)}' is not allowed here", help)

    def misspelt(self, word: Word, code: str, message: str, known: Iterable[str], otherwise: str | None) -> Finding:
        """A finding about a word that is probably a misspelling of a known one."""
        pool = list(known)
        return self.about(word, code, message, did_you_mean(word.text, pool) or otherwise, certain(word.text, pool))

    def between(self, first: Word, last: Word) -> str:
        return self.scan.text[first.start : last.end]


def last_word(stop: Stop) -> Word:
    """The last word of the statement in which the parser stopped."""
    read = stop.statement[-1]
    rest = (word for word in stop.words if word.start > read.start)
    return [read, *takewhile(lambda word: word.text not in (";", ":"), rest)][-1]


def shown(word: Word) -> str:
    return word.text if len(word.text) <= 30 else word.text[:29] + "…"


def keywords(expected: frozenset[str]) -> list[str]:
    return sorted(name.lower() for name in expected if name.isalpha() and name.isupper() and name not in NO_WORDS)


def expectation(expected: frozenset[str]) -> str:
    """What was expected, in an author's words."""
    found: list[str] = []
    words = keywords(expected)
    if {"NAME", "NUMBER"} <= expected:
        found.append("a statement" if "NOTHING" in expected else "a value")
        words = []
    elif "NAME" in expected:
        found.append("a name")
    if {"to", "from", "with"} <= set(words):
        found.append("a preposition such as 'to'")
        words = []
    if "STRING" in expected:
        found.append("a sentence in quotes")
    if "_INDENT" in expected:
        found.append("a block")
    found += [sign for name, sign in SIGNS.items() if name in expected]
    found += [f"'{word}'" for word in words] if len(words) < MOST_NAMED else []
    if "FACTOR" in expected and not found:
        found.append("an operator")
    if "_NEWLINE" in expected and "_INDENT" not in expected:
        found.append("the end of the line")
    return ", ".join(found)
