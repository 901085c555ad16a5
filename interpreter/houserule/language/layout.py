"""Lays out text of the effect language: the same words, with blanks and indentation in one style.

Words, brackets, comments and line breaks stay as the author wrote them. `format.py` writes a tree anew; this keeps its text.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from houserule.language.scan import WORD
from houserule.language.words import RESERVED

INDENTATION = 2
BEFORE_COMMENT = 2  # the minimum number of blanks

OPENERS, CLOSERS = frozenset("(["), frozenset(")]")
# Reserved words that are values: spacing after them is as after a name.
VALUES = frozenset({"true", "false", "none"})


@dataclass(slots=True, eq=False, repr=False)
class Word:
    """A word or sign of a text: its position in the line, and the number of blanks before it."""

    text: str
    column: int
    blanks: int = 0

    @property
    def end(self) -> int:
        return self.column + len(self.text)


@dataclass(slots=True, eq=False, repr=False)
class Line:
    """A line of a text: its words, the comment at its end, and its indentation."""

    words: list[Word] = field(default_factory=list)
    comment: Word | None = None
    indent: int = 0

    @property
    def code(self) -> str:
        code = "".join(" " * word.blanks + word.text for word in self.words)
        return " " * self.indent + code if code else ""

    @property
    def text(self) -> str:
        if self.comment is None:
            return self.code
        return (self.code or " " * self.indent) + " " * self.comment.blanks + self.comment.text.rstrip()


def lay_out(text: str, verbs: Container[str], is_effect: bool) -> list[Line]:
    """The lines of a text that can be parsed, each with its layout; as many as before."""
    lines = cut(text)
    Spacing(verbs if is_effect else ()).space(lines)
    indent(lines)
    align(lines)
    return lines


def cut(text: str) -> list[Line]:
    lines = [Line()]
    start_of_line = 0
    for match in WORD.finditer(text):
        if match.lastgroup == "break":
            lines.append(Line())
            start_of_line = match.end()
        elif match.lastgroup == "comment":
            lines[-1].comment = Word(match[0], match.start() - start_of_line)
        elif match.lastgroup != "blank":
            lines[-1].words.append(Word(match[0], match.start() - start_of_line))
    return lines


# --- blanks between words ---------------------------------------------------------------------------------------------


class Spacing:
    """Sets the number of blanks before each word, given the words before it."""

    def __init__(self, verbs: Container[str]) -> None:
        self.verbs = verbs
        self.last: str | None = None
        self.is_value = False  # the last word ends a value, so that `(` calls it and `-` is a minus
        self.is_sign = False  # the last word is the sign of a number, not a minus
        self.begins = True  # a statement begins here, possibly with a verb
        self.depth = 0

    def space(self, lines: list[Line]) -> None:
        """Set the blanks of all words."""
        for line in lines:
            if line.words and not self.depth:
                self.begins, self.is_value = True, False
            for number, word in enumerate(line.words):
                word.blanks = self.blanks(word.text) if number else 0
                self.step(word.text)

    def blanks(self, word: str) -> int:
        """The number of blanks before a word that is not the first of its line."""
        last = self.last
        if last in OPENERS or last in (".", "..") or self.is_sign:
            return 0
        if word in CLOSERS or word in (",", ";", ":", ".", "..", "!"):
            return 0
        return 0 if word in OPENERS and self.is_value else 1

    def step(self, word: str) -> None:
        """Update the state after a word."""
        is_verb = self.begins and word in self.verbs
        self.is_sign = word in ("+", "-") and not self.is_value
        self.begins = word == ";" or (word == ":" and not self.depth)
        if word in OPENERS:
            self.depth += 1
        elif word in CLOSERS:
            self.depth -= 1
        if word in CLOSERS or word == "!":
            self.is_value = True
        elif re.match(r"\w", word):
            # After a dot any word is a name.
            self.is_value = self.last == "." or (not is_verb and (word not in RESERVED or word in VALUES))
        else:
            self.is_value = False
        self.last = word


# --- indentation ------------------------------------------------------------------------------------------------------


def indent(lines: list[Line]) -> None:
    """Set the indentation of all lines: by blocks, and within a statement by open brackets."""
    edges: list[int] = []
    comments: list[Line] = []
    depth = 0
    for line in lines:
        if not line.words:
            if line.comment is None:
                continue
            if depth:
                line.indent = INDENTATION * (len(edges) - 1 + depth)
            else:
                comments.append(line)
            continue
        if depth:
            leading = next((n for n, word in enumerate(line.words) if word.text not in CLOSERS), len(line.words))
            line.indent = INDENTATION * (len(edges) - 1 + max(0, depth - leading))
        else:
            before = list(edges)
            column = line.words[0].column
            while edges and column < edges[-1]:
                edges.pop()
            if not edges or column > edges[-1]:
                edges.append(column)
            indent_comments(comments, before, len(edges) - 1)
            comments = []
            line.indent = INDENTATION * (len(edges) - 1)
        depth += sum((word.text in OPENERS) - (word.text in CLOSERS) for word in line.words)
    indent_comments(comments, edges, 0)


def indent_comments(comments: list[Line], edges: list[int], level: int) -> None:
    """Set the indentation of comments on lines of their own, between a line whose blocks begin at `edges` and the next.

    They belong to the next line, which is `level` blocks deep, or to a block that ends there, if they are indented as far.
    """
    for line in comments:
        assert line.comment is not None
        column = line.comment.column
        within = [number for number, edge in enumerate(edges) if number > level and edge <= column]
        line.indent = INDENTATION * max([level, *within])
        # A comment further out than the one before ends the blocks between for later ones too.
        edges = [edge for edge in edges if edge <= column]


# --- trailing comments ------------------------------------------------------------------------------------------------


def align(lines: list[Line]) -> None:
    """Set the blanks before trailing comments.

    Comments of adjacent lines in one column stay aligned; the longest line keeps its distance.
    """
    run: list[Line] = []
    for line in [*lines, Line()]:
        column = line.comment.column if line.comment and line.words else None
        if run and (column is None or run[0].comment is None or column != run[0].comment.column):
            align_run(run)
            run = []
        if column is not None:
            run.append(line)


def align_run(lines: list[Line]) -> None:
    """Set the blanks before aligned comments."""
    comments = [line.comment for line in lines if line.comment is not None]
    distance = min(comment.column - line.words[-1].end for line, comment in zip(lines, comments, strict=True))
    column = max(len(line.code) for line in lines) + max(distance, BEFORE_COMMENT)
    for line, comment in zip(lines, comments, strict=True):
        comment.blanks = column - len(line.code)
