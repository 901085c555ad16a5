"""A rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from houserule.printable import visible
from houserule.rulebook.book import Book, Section
from houserule.rulebook.sentences import Line

SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def markdown(book: Book) -> str:
    """The whole book; every section has the path of its rule as its anchor."""
    parts = [f"# {plain(book.title)}", book.heading, f"## {book.words['contents']}"]
    parts.append("\n".join(f"- [{plain(chapter.title)}](#{chapter.anchor})" for chapter in book.chapters))
    for chapter in book.chapters:
        parts.append(f'<a id="{chapter.anchor}"></a>\n\n## {plain(chapter.title)}')
        for section in chapter.sections:
            parts += section_parts(section)
    parts.append(f"## {book.words['index']}")
    parts.append("\n".join(f"- [{plain(title)}](#{anchor})" for title, anchor in book.index))
    return visible("\n\n".join(part for part in parts if part) + "\n")


def section_parts(section: Section) -> Iterator[str]:
    """The paragraphs of a section."""
    if section.title:
        yield f'<a id="{section.anchor}"></a>\n\n{"#" * section.level} {plain(section.title)}'
    if section.mark:
        yield f"**{plain(section.mark)}**"
    yield from (plain(text) for text in section.paragraphs)
    if section.rows:
        yield "\n".join(table(section.head, section.rows))
    if section.lines:
        yield "\n".join(listed(section.lines, ""))
    yield from (f"*{plain(note)}*" for note in section.notes)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown."""
    width = len(rows[0])
    for row in (tuple(head) or ("",) * width, ("---",) * width, *rows):
        yield "| " + " | ".join(plain(cell) if cell != "---" else cell for cell in row) + " |"


def listed(lines: Sequence[Line], indent: str) -> Iterator[str]:
    """Sentences as a list, nested ones in a list below."""
    for line in lines:
        yield f"{indent}- {plain(line.text)}"
        yield from listed(line.inner, f"{indent}  ")


def plain(text: str) -> str:
    """A text in one line, with the special characters of Markdown escaped."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
