"""The nodes that the reader makes of a file, with places, and fragments that map effect text back to the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from itertools import accumulate
from typing import Any, ClassVar, Literal, TypeAlias

from houserule.diagnostics import Fix, Span
from houserule.frozen import by_value, frozen

Style = Literal["plain", "single", "double", "literal", "folded"]

# More digits than any rule needs; longer ones stay text, and the effect parser reports that the number is too big.
WHOLE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
LINE_BREAK = re.compile("\n")
BLANKS = re.compile(r"[ \t\n]+")
# What ends plain text in YAML, and what cannot begin it.
KEY_OR_COMMENT = re.compile(r":(?=\s|$)|\s#")
UNLIKE_TEXT = frozenset("\"'|>%@`*&!?-:#")
ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


class Source:
    """The text of one file, under the path that diagnostics show. Two are equal if path and bytes are."""

    __slots__ = ("_starts", "content", "lines", "nodes", "path", "text")

    def __init__(self, path: str, text: str, content: bytes | None = None) -> None:
        self.path = path
        self.text = text
        self.content = text.encode("utf-8", "replace") if content is None else content
        self.lines = text.split("\n")
        self.nodes = 0  # that were read from it, again after each mistake
        self._starts: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and (self.path, self.content) == (other.path, other.content)

    def __hash__(self) -> int:
        return hash((self.path, self.content))

    def position(self, index: int) -> tuple[int, int]:
        """Line and column, from 1, of the character at an index of the text."""
        starts = self._line_starts()
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def index(self, line: int, column: int) -> int:
        """The index of the character at a line and column; the inverse of `position`."""
        return self._line_starts()[line - 1] + column - 1

    def span(self, start: int, end: int) -> Span:
        return Span(self.path, *self.position(start), *self.position(end))

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = list(accumulate((len(line) + 1 for line in self.lines[:-1]), initial=0))
        return self._starts


class Fragment:
    """Text of a scalar for the effect parser, without quotes and indentation; every place in it maps back to the file.

    `parsed` caches results, so that a text is parsed once however often its file is read.
    """

    __slots__ = ("_end", "_indent", "_map", "_start", "_starts", "_style", "parsed", "source", "text")

    def __init__(self, text: str, source: Source, style: Style, start: int, end: int) -> None:
        self.text = text
        self.source = source
        self.parsed: dict[Hashable, Any] = {}
        self._style = style
        self._start = start
        self._end = end
        self._map: list[int] | None = None
        self._starts: list[int] | None = None  # of the lines of the text
        self._indent: tuple[int, int, int] | None = None

    @property
    def identity(self) -> Hashable:
        """What two fragments with the same results share: words, and how and where they are written."""
        written = self.source.text[self._start : self._end]
        return self.source.path, self.source.position(self._start), self._style, written, self.text

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The place in the file of a range of the text; lines and columns count from 1, the end is exclusive.

        A place outside the text becomes its nearest end, and that of an empty text the sign with which it begins.
        """
        if not self.text:
            return self.source.span(self._start, self._start + 1)
        first_line, indent, last_line = self._indent or self._measure()
        if first_line:
            if line <= last_line and end_line <= last_line:
                shift = first_line - 1
                return Span(self.source.path, line + shift, column + indent, end_line + shift, end_column + indent)
            start, end = self._clamped(line, column), self._clamped(end_line, end_column)
            return Span(self.source.path, *start, *end)
        places = self._map or self._places()
        start_offset, end_offset = self.offset(line, column), self.offset(end_line, end_column)
        start_index = places[start_offset]
        # The end is where the last character ends, so that it does not include a line break before the next word.
        end_index = places[end_offset - 1] + self._width(end_offset - 1) if end_offset > start_offset else start_index
        return self.source.span(start_index, end_index)

    @property
    def folded(self) -> tuple[Span, Fix | None] | None:
        """For a text whose lines YAML has folded: the place of its `>`, or the text; and the sign that keeps lines."""
        raw = self.source.text[self._start : self._end].rstrip()
        if "\n" not in raw or self._style == "literal":
            return None
        if self._style == "folded":
            sign = self.source.span(self._start, self._start + 1)
            return sign, Fix(sign, "|")
        return self.source.span(self._start, self._start + raw.index("\n")), None

    def fix(self, line: int, column: int, end_line: int, end_column: int, text: str) -> Fix | None:
        """A fix for a range of this text, as it has to be written in the file; None if it cannot be."""
        if line != end_line:
            return None
        span = self.span(line, column, end_line, end_column)
        if self._style == "double":
            return Fix(span, text.replace("\\", "\\\\").replace('"', '\\"'))
        if self._style == "single":
            return Fix(span, text.replace("'", "''"))
        if self._style == "plain":
            start = self.offset(line, column)
            old = self.text[start : self.offset(end_line, end_column)]
            around = self.text[max(0, start - 1) : start] + text + self.text[start + len(old) :][:1]
            signs = any(text.count(sign) > old.count(sign) for sign in ",[]{}\n")
            if signs or KEY_OR_COMMENT.search(around) or (start == 0 and text[:1] in UNLIKE_TEXT):
                return None
        return Fix(span, text)

    def _measure(self) -> tuple[int, int, int]:
        """The file line of the first line, the characters before it, the number of lines; a line of 0 needs the slow way."""
        first_line, column = self.source.position(self._start)
        measured = (0, 0, 0)
        if self._style == "literal":
            lines = self.text.split("\n")
            count = len(lines) - 1 if lines[-1] == "" and len(lines) > 1 else len(lines)
            indent = 0
            for offset, text in enumerate(lines):
                if text.strip() and first_line + offset < len(self.source.lines):
                    indent = len(self.source.lines[first_line + offset]) - len(text)
                    break
            measured = (first_line + 1, indent, count)
        elif "\n" not in self.source.text[self._start : self._end]:
            quotes = 0 if self._style == "plain" else 1
            if self._end - self._start == len(self.text) + 2 * quotes:
                measured = (first_line, column - 1 + quotes, 1)
        self._indent = measured
        return measured

    def _clamped(self, line: int, column: int) -> tuple[int, int]:
        """The place of a line and column, or of the end of the text if it is after that."""
        assert self._indent is not None
        first_line, indent, count = self._indent
        if line > count:
            return first_line + count - 1, indent + len(self.text.split("\n")[count - 1]) + 1
        return first_line + line - 1, indent + column

    def offset(self, line: int, column: int) -> int:
        """The index in the text of a line and column; the inverse of `position`."""
        starts = self._lines()
        return min(starts[line - 1] + column - 1, len(self.text)) if line <= len(starts) else len(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        starts = self._lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def _lines(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(found.end() for found in LINE_BREAK.finditer(self.text))]
        return self._starts

    def _width(self, offset: int) -> int:
        """How many characters of the file represent one of the text."""
        places = self._map or self._places()
        raw = self.source.text[places[offset] : places[offset + 1]]
        if self._style == "double" and raw.startswith("\\"):
            return len(raw)
        return 2 if self._style == "single" and raw == "''" else 1

    def _places(self) -> list[int]:
        """For each character of the text, and for its end, the index in the file."""
        places = self._places_in_quotes() if self._style in ("single", "double") else self._places_without_quotes()
        # An unforeseen oddity of YAML may shift a caret, but must never stop the program.
        places += [self._end] * (len(self.text) + 1 - len(places))
        self._map = places
        return places

    def _places_in_quotes(self) -> list[int]:
        raw, index, stop = self.source.text, self._start + 1, self._end - 1
        places: list[int] = []
        while index < stop:
            blank = BLANKS.match(raw, index, stop)
            if blank and "\n" in blank[0]:
                places += [index] * max(1, blank[0].count("\n") - 1)
                index = blank.end()
            elif raw[index] == "\\" and self._style == "double":
                if raw[index + 1] == "\n":
                    index += 2
                    while index < stop and raw[index] in " \t":
                        index += 1
                    continue
                places.append(index)
                index += 2 + ESCAPE_DIGITS.get(raw[index + 1], 0)
            else:
                places.append(index)
                index += 2 if self._style == "single" and raw[index] == "'" else 1
        return [*places, stop]

    def _places_without_quotes(self) -> list[int]:
        """Folding changes blanks only, so the other characters have the same order on both sides."""
        raw, index = self.source.text, self._start
        places: list[int] = []
        if self._style == "folded":
            index = raw.find("\n", index, self._end) + 1 or index
        for character in self.text:
            if not character.isspace():
                while index < self._end and raw[index].isspace():
                    index += 1
            places.append(min(index, self._end))
            index += 1 if not character.isspace() or (index < self._end and raw[index] == character) else 0
        return [*places, min(index, self._end)]


@by_value
class Excerpt:
    """A part of a text that is one line to the parser, such as an expression in braces."""

    fragment: AnyFragment
    start: int
    text: str

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        return self.fragment.span(*self._within(line, column), *self._within(end_line, end_column))

    def fix(self, line: int, column: int, end_line: int, end_column: int, text: str) -> Fix | None:
        return self.fragment.fix(*self._within(line, column), *self._within(end_line, end_column), text)

    def offset(self, line: int, column: int) -> int:
        assert line == 1
        return column - 1

    def position(self, offset: int) -> tuple[int, int]:
        return 1, offset + 1

    def _within(self, line: int, column: int) -> tuple[int, int]:
        """Line and column in the whole text."""
        return self.fragment.position(self.start + self.offset(line, column))


AnyFragment: TypeAlias = Fragment | Excerpt


@frozen
class Scalar:
    """A single value or a key: a word, a number, a sentence, an effect."""

    text: str
    span: Span
    style: Style
    fragment: Fragment
    entries: ClassVar[dict[str, Entry]] = {}  # what is no map has none,
    items: ClassVar[tuple[Yaml, ...]] = ()  # and what is no list has none of these: nobody needs to ask first

    @property
    def value(self) -> int | bool | str | None:
        """The value of the text in YAML 1.2: `no`, `on`, `012` and `1:30` are text, and so is everything in quotes."""
        text = self.text
        if self.style != "plain":
            return text
        if text == "true":
            return True
        if text == "false":
            return False
        if text in ("", "~", "null"):
            return None
        return int(text) if WHOLE_NUMBER.fullmatch(text) else text


@frozen
class Sequence:
    """A list."""

    items: tuple[Yaml, ...]
    span: Span
    entries: ClassVar[dict[str, Entry]] = {}


@frozen
class Entry:
    """A key of a map and its value."""

    key: Scalar
    value: Yaml


@frozen
class Mapping:
    """A map; its entries are in the order of the file, by the text of their keys."""

    entries: dict[str, Entry]
    span: Span
    items: ClassVar[tuple[Yaml, ...]] = ()


Yaml: TypeAlias = Scalar | Sequence | Mapping


def value_at(node: Yaml | None, *path: str) -> Yaml | None:
    """The value at a path of keys; None if there is none."""
    for key in path:
        entry = node.entries.get(key) if isinstance(node, Mapping) else None
        node = entry.value if entry is not None else None
    return node


def entries_at(node: Yaml | None, *path: str) -> dict[str, Entry]:
    """The entries of the map at a path of keys; none if there is no map."""
    found = value_at(node, *path)
    return found.entries if isinstance(found, Mapping) else {}


def text_at(node: Yaml | None, *path: str) -> str:
    """The text at a path of keys, without blanks around it; empty if there is none."""
    found = value_at(node, *path)
    return found.text.strip() if isinstance(found, Scalar) else ""


def in_language(node: Yaml | None, language: str) -> Scalar | None:
    """A text for people in a language, else in the first one that it has."""
    if isinstance(node, Mapping):
        entry = node.entries.get(language) or next(iter(node.entries.values()), None)
        node = entry.value if entry is not None else None
    return node if isinstance(node, Scalar) else None


def listed(node: Yaml | None) -> tuple[Yaml, ...]:
    """The items of a list, or any other value alone."""
    return node.items if isinstance(node, Sequence) else (node,) if node is not None else ()


def content_of(document: Mapping) -> bytes:
    """The file that a document was read from, byte for byte as it was then."""
    source = source_of(document)
    return source.content if source is not None else b""


def source_of(document: Mapping) -> Source | None:
    """The text that a document was read from; None for an empty one."""
    first = next(iter(document.entries.values()), None)
    return first.key.fragment.source if first is not None else None


def walk(node: Yaml, key: Scalar | None = None) -> Iterator[tuple[Scalar | None, Yaml]]:
    """All nodes of a tree, at every depth, each with its key."""
    yield key, node
    for entry in node.entries.values():
        yield from walk(entry.value, entry.key)
    for item in node.items:
        yield from walk(item)


def plain(node: Yaml) -> Any:
    """A tree as lists, dictionaries and values of Python, without places."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key: plain(entry.value) for key, entry in node.entries.items()}
    return [plain(item) for item in node.items]
