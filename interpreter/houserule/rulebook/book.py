"""A rulebook as data for those who show it, as Markdown, and compared with another version in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from difflib import SequenceMatcher
from itertools import groupby

from houserule.frozen import frozen
from houserule.printable import visible
from houserule.rulebook.phrasebook import Phrasebook, phrasebook
from houserule.rulebook.terms import Line, flat


@frozen
class Picture:
    """The look of a piece: a shape, the names of a colour and a pattern, and a symbol of a letter or two, or an icon."""

    shape: str
    fill: str | None
    pattern: str | None
    symbol: str
    is_face_up: bool = True
    icon: str = ""
    ink: str | None = None
    corner: str = ""


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
    places: tuple[tuple[float, float], ...] = ()
    """Where something can lie: squares that are drawn below the pieces."""
    labels: tuple[tuple[float, float, str], ...] = ()
    """What stands in the corners of some places."""


@frozen
class Worked:
    """An example: its title and texts, areas of the table before it, what happens, and the same areas after it."""

    title: str
    paragraphs: tuple[str, ...]
    before: tuple[Drawing, ...]
    lines: tuple[str, ...]
    after: tuple[Drawing, ...]


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
    is_entry: bool = False
    """Whether it is one of many that say little: its text stands beside its title."""
    examples: tuple[Worked, ...] = ()
    figures: tuple[Drawing, ...] = ()
    """Areas of the table side by side, with their titles."""

    @property
    def is_empty(self) -> bool:
        parts = (self.paragraphs, self.lines, self.rows, self.title, self.drawing)
        return not any(parts) and not (self.examples or self.figures)

    @property
    def is_picture(self) -> bool:
        """Whether it has nothing to read: there are pictures under a title."""
        bare = replace(self, title="", drawing=None, figures=())
        return bare.is_empty and bool(self.drawing or self.figures)


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
    notice: str = ""
    """How many of its texts are not in its language."""
    untitled: tuple[str, ...] = ()
    """The functions that a sentence calls by their names, since they have no title."""
    icons: Mapping[str, str] = field(default_factory=dict)
    """The drawings of its icons, which are credited at its end."""


STRAIGHT = re.compile(r"(?<=[^\W\d_])(?:'|&#x27;)(?=[^\W\d_])")
SPECIAL = re.compile(r"([\\`*_\[\]<>#|~]|&(?=#?\w+;))")


def markdown(book: Book) -> str:
    """What can be read of the book; every section has the path of its rule as its anchor."""
    phrases = phrasebook(book.language)
    notice = f"*{plain(book.notice)}*" if book.notice else ""
    parts = [f"# {plain(book.title)}", book.heading, notice, f"## {book.words['contents']}"]
    told = [(chapter, [one for one in chapter.sections if not one.is_picture]) for chapter in book.chapters]
    told = [(chapter, sections) for chapter, sections in told if sections]
    anchors = {section.anchor for _, sections in told for section in sections}
    parts.append("\n".join(f"- [{plain(chapter.title)}](#{chapter.anchor})" for chapter, _ in told))
    for chapter, sections in told:
        parts.append(f'<a id="{chapter.anchor}"></a>\n\n## {plain(chapter.title)}')
        for is_entry, some in groupby(sections, lambda section: section.is_entry):
            if is_entry:
                parts.append("\n".join(entry(section, phrases) for section in some))
            else:
                parts += (part for section in some for part in section_parts(section))
    listed = [f"- [{plain(title)}](#{anchor})" for title, anchor in book.index if anchor in anchors]
    parts += [f"## {book.words['index']}", "\n".join(listed)] * bool(listed)
    return visible(in_print("\n\n".join(part for part in parts if part) + "\n", phrases))


def in_print(text: str, phrases: Phrasebook, mark: str = '"') -> str:
    """A text with the apostrophes and quotation marks of print, however its authors have typed them; `mark` is how HTML writes one."""
    left, right = phrases.tables["inner_quotes"]
    quoted = rf"(?<![A-Za-z0-9=]){mark}(?=\S)((?:(?!{mark})[^<>\n])+)(?<=\S){mark}(?![A-Za-z0-9>])"
    return re.sub(quoted, rf"{left}\1{right}", STRAIGHT.sub("’", text))


def entry(section: Section, phrases: Phrasebook) -> str:
    """A section that says little, as an item of a list."""
    told = [plain(text) for text in (f"({section.mark})" if section.mark else "", *section.paragraphs) if text]
    colon = phrases.tables["list"]["colon"]
    return f'- <a id="{section.anchor}"></a>**{plain(section.title)}**{colon}{phrases.blank.join(told)}'


def section_parts(section: Section) -> Iterator[str]:
    if section.title:
        yield f'<a id="{section.anchor}"></a>\n\n{"#" * section.level} {plain(section.title)}'
    if section.mark:
        yield f"**{plain(section.mark)}**"
    yield from (plain(text) for text in section.paragraphs)
    if section.rows:
        yield "\n".join(table(section))
    if section.lines:
        yield "\n".join(listed(section.lines, ""))
    for one in section.examples:
        yield f"> **{plain(one.title)}**"
        yield from (f"> {plain(text)}" for text in one.paragraphs)
        yield "\n".join(f"> - {plain(line)}" for line in one.lines)


def without_empty_columns(section: Section) -> Section:
    """A section whose table has no column in which nothing stands."""
    if not section.rows:
        return section
    head = section.head or ("",) * len(section.rows[0])
    used = [at for at, column in enumerate(zip(head, *section.rows, strict=True)) if any(column)]
    rows = tuple(tuple(row[at] for at in used) for row in section.rows)
    return replace(section, head=tuple(head[at] for at in used) if section.head else (), rows=rows)


def table(section: Section) -> Iterator[str]:
    """The rows as a table, or as a list if there is nothing beside the titles but pictures."""
    width = len(section.rows[0])
    if width == 1 and not section.head:
        yield from (f"- {plain(title)}" for (title,) in section.rows)
        return
    for row in (section.head or ("",) * width, ("---",) * width, *section.rows):
        yield "| " + " | ".join(plain(cell) if cell != "---" else cell for cell in row) + " |"


def listed(lines: Sequence[Line], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}- {plain(line.text)}"
        yield from listed(line.inner, f"{indent}  ")


def plain(text: str) -> str:
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


APART = frozenset(f"chapter.{name}" for name in ("assumptions", "sources", "house_rules"))
"""Chapters that repeat others, or that list the house rules in use."""


@frozen
class Change:
    """A section that differs: its path and title, the removed sentences, and the new ones."""

    anchor: str
    title: str
    gone: tuple[str, ...]
    new: tuple[str, ...]


def changes(before: Book, after: Book) -> Iterator[Change]:
    """The sections that differ, in the order of the later version; those that are gone last."""
    old, new = sections(before), sections(after)
    for anchor, section in new.items():
        was, now = sentences(old[anchor]) if anchor in old else [], sentences(section)
        if anchor not in old and not now:
            yield Change(anchor, section.title, (), (section.title,))
        if was == now:
            continue
        gone, added = differing(was, now)
        yield Change(anchor, section.title, tuple(gone), tuple(added))
    for anchor, section in old.items():
        if anchor not in new:
            yield Change(anchor, section.title, tuple(sentences(section)) or (section.title,), ())


def only_changes(before: Book, after: Book) -> Book:
    """The page of a house rule: of the later version the house rules in use with what they remove, and the sections that differ
    or are marked, with the examples and rows that are new. Where there is nothing to read, that is said."""
    changed = {change.anchor for change in changes(before, after)}
    was = {section.anchor: section for chapter in before.chapters for section in chapter.sections}
    kept = []
    for chapter in after.chapters:
        whole = chapter.anchor == "chapter.house_rules"
        parts = (one for one in chapter.sections if whole or one.mark or one.anchor in changed)
        told = tuple(without_old(one, was.get(one.anchor)) for one in parts)
        if whole and (gone := titles_gone(before, after)):
            told = (*told, Section("gone", after.words["gone"], lines=tuple(map(Line, gone))))
        if told:
            kept.append(replace(chapter, sections=told))
    if [one.anchor for one in kept] == ["chapter.house_rules"] and not any(map(sentences, kept[0].sections)):
        last = replace(kept[0].sections[-1], paragraphs=(after.words["unchanged"],))
        kept = [replace(kept[0], sections=(*kept[0].sections[:-1], last))]
    anchors = {one.anchor for chapter in kept for one in chapter.sections}
    index = tuple(entry for entry in after.index if entry[1] in anchors)
    return replace(after, chapters=tuple(kept), index=index)


def titles_gone(before: Book, after: Book) -> list[str]:
    """The titles of the sections and of the rows of tables that only the earlier version has. A function is no thing of the game:
    one that a house rule makes short is told where it is used."""
    old, new = sections(before), sections(after)
    found = []
    for anchor, section in old.items():
        if anchor not in new and not anchor.startswith("functions."):
            found.append(section.title)
        elif anchor.startswith(("components.", "enums.")):
            left = {row[1] for row in new[anchor].rows if len(row) > 1}
            found += [row[1] for row in section.rows if len(row) > 1 and row[1] not in left]
    return list(dict.fromkeys(filter(None, found)))


def without_old(section: Section, was: Section | None) -> Section:
    """A section without the examples and the rows of a table that it had before; rows of a table that has none but new ones stay."""
    if was is None:
        return section
    known = {(one.title, one.lines) for one in was.examples}
    examples = tuple(one for one in section.examples if (one.title, one.lines) not in known)
    new = [at for at, row in enumerate(section.rows) if row not in was.rows]
    if not new or section.head != was.head:
        return replace(section, examples=examples)
    rows, beside = tuple(section.rows[at] for at in new), tuple(section.beside[at] for at in new if section.beside)
    return replace(section, examples=examples, rows=rows, beside=beside)


def sections(book: Book) -> dict[str, Section]:
    return {
        section.anchor: section
        for chapter in book.chapters
        if chapter.anchor not in APART
        for section in chapter.sections
        if section.anchor != "glossary"
    }


def sentences(section: Section) -> list[str]:
    """The content of a section, a sentence or a row of a table each."""
    rows = [" · ".join(cell for cell in row if cell) for row in section.rows]
    return [*section.paragraphs, *rows, *flat(section.lines)]


def differing(was: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """The sentences of each side that the other lacks there."""
    gone: list[str] = []
    added: list[str] = []
    for tag, start, end, low, high in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += was[start:end]
            added += now[low:high]
    return gone, added
