"""A rulebook as one self-contained page of HTML, and as a PDF made from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from houserule.extras import library
from houserule.printable import visible
from houserule.reading import own
from houserule.rulebook.book import Book, Chapter, Drawing, Section
from houserule.rulebook.pictures import svg
from houserule.rulebook.sentences import Line

TEXT = re.compile(r">[^<]+")
ENDLESS = re.compile("[^\\s&;\u2e80-\uffff]{80,}")
"""A word too long for any line; lines of Chinese and Japanese can break anywhere."""


def html(book: Book) -> str:
    """The page, with style sheets for screens and an A5 booklet, without scripts or requests to the network."""
    style = own(Path(__file__).with_name("page.css"))
    body = "\n".join((*header(book), "<main>", *(part for one in book.chapters for part in chapter(one)), *index(book)))
    return visible(
        f'<!DOCTYPE html>\n<html lang="{escape(book.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(book.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</main>\n</body>\n</html>\n"
    )


def pdf(book: Book) -> bytes:
    """The page as an A5 booklet. Raises MissingExtra if WeasyPrint is not installed."""
    head, end, body = html(book).partition("</style>")
    page = head + end + TEXT.sub(lambda text: ENDLESS.sub(with_breaks, text[0]), body)
    made: bytes = library("weasyprint", "rulebook").HTML(string=page).write_pdf()
    return made


def with_breaks(word: re.Match[str]) -> str:
    """A word with places for line breaks, which WeasyPrint otherwise looks for at every letter, for minutes."""
    return "\u200b".join(word[0][at : at + 20] for at in range(0, len(word[0]), 20))


def header(book: Book) -> Iterator[str]:
    """The title and the contents."""
    yield f"<header>\n<h1>{escape(book.title)}</h1>\n<p>{escape(book.heading)}</p>\n</header>"
    yield f'<nav aria-label="{escape(book.words["contents"])}">\n<h2>{escape(book.words["contents"])}</h2>\n<ol>'
    yield from (f'<li><a href="#{escape(one.anchor)}">{escape(one.title)}</a></li>' for one in book.chapters)
    yield "</ol>\n</nav>"


def chapter(made: Chapter) -> Iterator[str]:
    """A chapter with its sections."""
    yield f'<h2 id="{escape(made.anchor)}">{escape(made.title)}</h2>'
    for one in made.sections:
        yield from section(one)


def section(made: Section) -> Iterator[str]:
    """A section; its heading links to itself, so that a rule can be linked to."""
    classes = " ".join(name for name, has in (("changed", made.mark), ("short", not made.rows)) if has)
    yield (
        f'<section id="{escape(made.anchor)}" class="{classes}">'
        if classes
        else f'<section id="{escape(made.anchor)}">'
    )
    if made.title:
        level = f"h{made.level}"
        yield f'<{level}><a href="#{escape(made.anchor)}">{escape(made.title)}</a></{level}>'
    if made.mark:
        yield f'<p class="mark">{escape(made.mark)}</p>'
    if made.drawing is not None and is_small(made.drawing):
        yield svg(made.drawing, made.anchor)
    yield from (f"<p>{escape(text)}</p>" for text in made.paragraphs)
    if made.drawing is not None and not is_small(made.drawing):
        yield f'<div class="wide">{svg(made.drawing, made.anchor)}</div>'
    if made.rows:
        yield from table(made)
    if made.lines:
        yield from listed(made.lines)
    yield from (f'<p class="note">{escape(note)}</p>' for note in made.notes)
    yield "</section>"


def is_small(drawing: Drawing) -> bool:
    return drawing.width * drawing.height == 1


def table(made: Section) -> Iterator[str]:
    """The table of a section, with pictures at the start of its rows."""
    has_pictures = any(made.beside)
    yield '<div class="wide"><table>'
    if any(made.head):
        yield f"<tr>{'<th></th>' if has_pictures else ''}{''.join(cells_of(made.head, 'th'))}</tr>"
    for at, row in enumerate(made.rows):
        shown = made.beside[at] if has_pictures else None
        first = f"<td>{svg(shown, f'{made.anchor}-{at}') if shown is not None else ''}</td>" if has_pictures else ""
        yield f"<tr>{first}{''.join(cells_of(row, 'td'))}</tr>"
    yield "</table></div>"


def listed(lines: Sequence[Line]) -> Iterator[str]:
    """Sentences, nested ones in a list below."""
    yield "<ul>"
    for line in lines:
        if line.inner:
            yield f"<li>{escape(line.text)}"
            yield from listed(line.inner)
            yield "</li>"
        else:
            yield f"<li>{escape(line.text)}</li>"
    yield "</ul>"


def index(book: Book) -> Iterator[str]:
    """The index of titles."""
    yield f'<h2 id="chapter.index">{escape(book.words["index"])}</h2>\n<ul class="index">'
    yield from (f'<li><a href="#{escape(anchor)}">{escape(title)}</a></li>' for title, anchor in book.index)
    yield "</ul>"


def cells_of(row: Sequence[str], tag: str) -> Iterator[str]:
    return (f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
