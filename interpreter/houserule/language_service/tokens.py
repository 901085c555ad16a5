"""Semantic tokens: the words of effects with their kinds, for syntax colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.lexer import WORD
from houserule.language.words import RESERVED
from houserule.operations import FUNCTIONS, VERBS


@frozen
class Token:
    """A word of an effect and its kind: `keyword`, `verb`, `function`, `variable`, `member`, `number`, `string` …."""

    span: Span
    what: str


def words_of(text: str, span_of: Callable[[int, int, int, int], Span], kinds: Mapping[str, str]) -> Iterator[Token]:
    """The words of an effect with their kinds."""
    line, start, at = 1, 0, 0
    while at < len(text):
        found = WORD.match(text, at)
        if found is None:
            at += 1
            continue
        sort, word = found.lastgroup, found[0]
        what = {"NUMBER": "number", "STRING": "string", "COPY": "piece"}.get(sort or "")
        if sort == "word":
            what = (
                "verb"
                if word in VERBS
                else "keyword"
                if word in RESERVED
                else kinds.get(word) or ("function" if word in FUNCTIONS else "local name")
            )
        if sort == "blank" and "#" in word:
            at_comment = at + word.index("#")
            column = at_comment - start + 1
            yield Token(span_of(line, column, line, column + len(word) - word.index("#")), "comment")
        elif what is not None:
            column = at - start + 1
            yield Token(span_of(line, column, line, column + len(word)), what)
        if sort == "line":
            line += word.count("\n")
            start = at + word.rindex("\n") + 1
        at = found.end()
