"""A rulebook as chapters of sections, for rendering as a page, on a terminal and as text."""

from __future__ import annotations

from houserule.frozen import frozen
from houserule.rulebook.sentences import Line


@frozen
class Picture:
    """The look of a piece: a shape, the names of a colour and a pattern, and a symbol of a letter or two."""

    shape: str
    fill: str | None
    pattern: str | None
    symbol: str
    is_face_up: bool = True


@frozen
class Placed:
    """A picture in a drawing, x to the right and y down, in pieces, rotated clockwise in degrees; `size` is relative to a whole piece."""

    picture: Picture
    x: float = 0
    y: float = 0
    rotation: int = 0
    count: int = 1
    size: float = 1


@frozen
class Drawing:
    """Pieces as they lie, lower ones first. A piece is one wide and one high."""

    width: float
    height: float
    things: tuple[Placed, ...]
    words: str
    """Its description, for those who do not see it."""


@frozen
class Section:
    """A part of a chapter. `anchor` is the path of the rule, for `houserule why`."""

    anchor: str
    title: str = ""
    level: int = 3
    paragraphs: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    beside: tuple[Drawing | None, ...] = ()
    """The look of the things in the rows, a drawing or none for each row."""
    drawing: Drawing | None = None
    mark: str = ""
    """The title of its house rule."""
    notes: tuple[str, ...] = ()
    """What is assumed, and where the rulebook says so."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no content."""
        return not (self.paragraphs or self.lines or self.rows or self.title or self.drawing or self.notes)


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
    """Titles with their anchors, sorted."""
    words: dict[str, str]
    """The headings of the page: contents, index."""
