"""Semantic tokens: the words of effects with their kinds, for syntax colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.scan import WORD
from houserule.language.words import RESERVED
from houserule.operations import FUNCTIONS, VERBS


@frozen
class Token:
    """A word of an effect and its kind: `keyword`, `verb`, `function`, `variable`, `member`, `number`, `string` …."""

    span: Span
    what: str


def words_of(text: str, span_of: Callable[[int, int, int, int], Span], kinds: Mapping[str, str]) -> Iterator[Token]:
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
