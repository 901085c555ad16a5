"""A rulebook as chapters of sections: what a page, a terminal and a text are written from."""

from __future__ import annotations

from houserule.frozen import frozen
from houserule.rulebook.sentences import Line


@frozen
class Picture:
    """A piece as it looks: a shape, the names of a colour and a pattern, and a sign of a letter or two."""

    shape: str
    fill: str | None
    pattern: str | None
    symbol: str
    is_face_up: bool = True


@frozen
class Placed:
    """A picture in a drawing, x to the right and y down, in pieces, and turned clockwise by degrees; `size` beside a whole piece."""

    picture: Picture
    x: float = 0
    y: float = 0
    rotation: int = 0
    count: int = 1
    size: float = 1


@frozen
class Drawing:
    """Pieces as they lie; what lies below comes first. A piece is one wide and one high."""

    width: float
    height: float
    things: tuple[Placed, ...]
    words: str
    """What it shows, for those who do not see it."""


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
    beside: tuple[Drawing | None, ...] = ()
    """What the things in the rows look like, a drawing or none for each row."""
    drawing: Drawing | None = None
    mark: str = ""
    """The title of the house rule that it comes from."""
    notes: tuple[str, ...] = ()
    """What is assumed, and where the rulebook says so."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
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
    """Titles with the anchors where they stand, sorted."""
    words: dict[str, str]
    """The headings of the page: contents, index."""
