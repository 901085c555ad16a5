"""A rulebook as chapters of sections: what a page, a terminal and a text are written from."""

from __future__ import annotations

from houserule.frozen import frozen
from houserule.rulebook.sentences import Line


@frozen
class Section:
    """A part of a chapter. `anchor` is the path of the rule, as `houserule why` takes it."""

    anchor: str
    title: str = ""
    level: int = 3
    paragraphs: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    mark: str = ""
    """The title of the house rule that it comes from."""
    notes: tuple[str, ...] = ()
    """What is assumed, and where the rulebook says so."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not (self.paragraphs or self.lines or self.rows or self.title)


@frozen
class Chapter:
    """A chapter."""

    anchor: str
    title: str
    sections: tuple[Section, ...]


@frozen
class Book:
    """The rulebook of a game with its house rules and settings, in one language."""

    title: str
    language: str
    heading: str
    chapters: tuple[Chapter, ...]
    index: tuple[tuple[str, str], ...]
    """Titles with the anchors where they stand, sorted."""
    words: dict[str, str]
    """The headings of the page: contents, index."""
