"""A rule file in an editor: its tree, its effects and their coloured words, and what is at a place."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from houserule.definition.files import ROOTS, RuleText, Value, kind_of, texts, values
from houserule.definition.sorts import Document as Kind
from houserule.diagnostics import Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.parse import parse, parse_effect, parse_text
from houserule.language.scan import WORD
from houserule.language.words import RESERVED
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.reading import root_of
from houserule.source import Fragment, Mapping, Scalar, Sequence, Source, Yaml, documents_of, open_source

KEY = re.compile(
    r" *(?P<dashes>(?:- +)*)(?P<key>\"[^\"]*\"|'[^']*'|[^\s#\"'{\[|>:-][^:#]*)?(?(key) *:(?:\s|$)|(?=-|\S))"
)
"""A line with a key, or a list entry."""


@frozen
class Document:
    """A file with the maps that could be read."""

    path: Path
    source: Source | None
    trees: tuple[Mapping, ...]
    kind: Kind
    values: tuple[Value, ...]  # and the keys that its author names
    texts: tuple[RuleText, ...]  # of the effect language
    is_whole: bool = True  # its YAML has no mistakes

    def text_at(self, line: int, column: int) -> RuleText | None:
        """The text of the effect language at a place."""
        above = [text for text in self.texts if text.scalar.span.line <= line]
        here = [text for text in above if is_at(whole(text.scalar), line, column)]
        return here[-1] if here else None


def read(path: Path) -> Document:
    """A file with whatever can be read of it."""
    report = Report()
    source = open_source(path, root_of(path), report, str(path), None)
    trees = tuple(documents_of(source, report)) if source is not None else ()
    below = "scenarios" in path.resolve().parts
    kind: Kind = kind_of(trees[0], below) if trees else "game"
    found = tuple(one for tree in trees for one in values(tree, ROOTS[kind]))
    return Document(path, source, trees, kind, found, tuple(texts(found)), not report.has_errors)


def absolute(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def path_above(above: list[str], indent: int) -> tuple[str, ...]:
    """The keys around a line with that indentation, from the lines above it, since a file may be incomplete."""
    path: list[str] = []
    for row in reversed(above):
        if row.startswith("---") or indent <= 0:
            break
        found = KEY.match(row)
        if found is None:
            continue
        dash, column = found.start("dashes"), found.start("key")
        if found["key"] is not None and column < indent:
            path.append(found["key"].strip("\"'"))
            indent = column
        if found["dashes"] and dash < indent:
            path.append("0")
            indent = dash + 1
    return tuple(reversed(path))


def is_in_block(above: list[str], indent: int) -> bool:
    """Whether a line with that indentation belongs to a block after `|`."""
    rows = (row for row in reversed(above) if row.strip() and len(row) - len(row.lstrip(" ")) < indent)
    return bool(re.search(r":\s+[|>][+-]?\s*$", next(rows, "")))


def is_at(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def whole(scalar: Scalar) -> Span:
    """The place of a value with all its lines; the span of a block is only its `|`."""
    span = scalar.span
    if scalar.style not in ("literal", "folded"):
        return span
    lines = scalar.fragment.text.rstrip("\n").count("\n") + 1
    return Span(span.file, span.line, span.column, span.line + lines, 10_000)


def keys(tree: Yaml, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every key with the path to it, in the order of the file."""
    if isinstance(tree, Mapping):
        for name, entry in tree.entries.items():
            yield (*path, name), entry.key
            yield from keys(entry.value, (*path, name))
    elif isinstance(tree, Sequence):
        for number, item in enumerate(tree.items):
            yield from keys(item, (*path, str(number)))


def path_of(tree: Yaml, scalar: Scalar) -> tuple[str, ...] | None:
    """The keys above a value."""
    if tree is scalar:
        return ()
    parts = [(name, entry.value) for name, entry in tree.entries.items()] if isinstance(tree, Mapping) else []
    parts += [(str(number), item) for number, item in enumerate(tree.items)] if isinstance(tree, Sequence) else []
    for name, part in parts:
        inside = path_of(part, scalar)
        if inside is not None:
            return (name, *inside)
    return None


def parsed(fragment: Fragment, starts: tuple[str, ...]) -> nodes.Node | None:
    """The syntax tree of a text, by the first start symbol that fits."""
    for start in starts:
        report = Report()
        node = (
            parse_effect(fragment, report, PREPOSITIONS)
            if start == "block"
            else parse(fragment, start, report, PREPOSITIONS)
        )
        if node is not None and not report.has_errors:
            return node
    return None


def sentence(scalar: Scalar) -> nodes.Text | None:
    return parse_text(scalar.fragment, Report(), PREPOSITIONS) if "{" in scalar.text else None


def until(text: str, span: Span, lines: list[str], line: int, column: int) -> str | None:
    """The beginning of an effect up to a place of its file; None if the place is outside."""
    if line < span.line or (line == span.line and column < span.column):
        return None
    if line == span.line and not lines[line - 1][span.column - 1 :].startswith(("|", ">")):
        quoted = lines[line - 1][span.column - 1 : span.column] in ("'", '"')
        return lines[line - 1][span.column - 1 + quoted : column - 1]
    first = span.line
    if line == first:
        return None
    rows = lines[first : line - 1]
    filled = [row for row in [*rows, lines[line - 1]] if row.strip()]
    indent = min((len(row) - len(row.lstrip(" ")) for row in filled), default=0)
    own = text.split("\n")
    if own and lines[first : first + 1]:
        indent = len(lines[first]) - len(lines[first].lstrip(" ")) - (len(own[0]) - len(own[0].lstrip(" ")))
    return "\n".join([*(row[indent:] for row in rows), lines[line - 1][indent : column - 1]])


def end_of(value: Yaml) -> Span:
    return whole(value) if isinstance(value, Scalar) else value.span


def foldable(tree: Mapping) -> Iterator[tuple[str, int, int]]:
    """The maps and texts inside a map, by first and last line."""
    for name, entry in tree.entries.items():
        last = end_of(entry.value)
        end = last.end_line - (last.end_column == 1)
        yield name, entry.key.span.line, end
        if isinstance(entry.value, Mapping):
            yield from foldable(entry.value)


@frozen
class Token:
    """A word of an effect and its kind: `keyword`, `verb`, `function`, `variable`, `member`, `number`, `string` …."""

    span: Span
    what: str


def words_of(text: str, span_of: Callable[[int, int, int, int], Span], kinds: dict[str, str]) -> Iterator[Token]:
    """The words of an effect with their kinds."""
    line, start = 1, 0
    for found in WORD.finditer(text):
        sort, word = found.lastgroup, found[0]
        what = {"comment": "comment", "number": "number", "string": "string"}.get(sort or "")
        if sort == "name":
            what = (
                "piece"
                if "#" in word
                else "verb"
                if word in VERBS
                else "keyword"
                if word in RESERVED
                else kinds.get(word) or ("function" if word in FUNCTIONS else "local name")
            )
        if what is not None:
            column = found.start() - start + 1
            yield Token(span_of(line, column, line, column + len(word)), what)
        if sort == "break":
            line, start = line + 1, found.end()
