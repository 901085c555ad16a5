"""Where the parser stopped in a text, and what it expected, in an author's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houserule.diagnostics import certain, did_you_mean
from houserule.frozen import by_value
from houserule.language.scan import Scan, Word

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

    def misspelt(self, word: Word, code: str, message: str, known: Iterable[str], otherwise: str | None) -> Finding:
        """A finding about a word that is probably a misspelling of a known one."""
        pool = list(known)
        return self.about(word, code, message, did_you_mean(word.text, pool) or otherwise, certain(word.text, pool))

    def between(self, first: Word, last: Word) -> str:
        return self.scan.text[first.start : last.end]


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
