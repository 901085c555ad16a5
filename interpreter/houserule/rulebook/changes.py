"""Compares two versions of a game in sentences: what only one of the two rulebooks says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from houserule.frozen import frozen
from houserule.rulebook.book import Book, Section
from houserule.rulebook.sentences import Line

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


def sections(book: Book) -> dict[str, Section]:
    """The sections with rules, by chapter and path."""
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


def flat(lines: Sequence[Line], indent: str = "") -> Iterator[str]:
    """Sentences with the nested ones, which are indented."""
    for line in lines:
        yield indent + line.text
        yield from flat(line.inner, indent + "  ")


def differing(was: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """The sentences of each side that the other lacks there."""
    gone: list[str] = []
    added: list[str] = []
    for tag, start, end, low, high in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += was[start:end]
            added += now[low:high]
    return gone, added
