"""Writes a rulebook: as a page for the browser or the printer, as Markdown, and as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from functools import cached_property
from html import escape
from pathlib import Path

from houserule import Game
from houserule.definition.model import KindDefinition
from houserule.definition.reader import Prose
from houserule.definition.variant import Variant
from houserule.diagnostics import Report
from houserule.extras import library
from houserule.icons import CREDIT
from houserule.language.checked import Kind
from houserule.language.parse import parse_text
from houserule.language.scope import AttributeOf
from houserule.printable import visible
from houserule.reading import own
from houserule.rulebook.book import Book, Chapter, Drawing, Section, Worked, in_print
from houserule.rulebook.clauses import is_paraphrase, value
from houserule.rulebook.phrasebook import Part, phrasebook
from houserule.rulebook.pictures import Pictures, svg
from houserule.rulebook.shapes import counted
from houserule.rulebook.terms import Line, Terms, said_at
from houserule.source import Mapping, Scalar, Yaml, entries_at, in_language, text_at, value_at
from houserule.source import Sequence as YamlSequence
from houserule.telling.labels import plain_words

Icons = MappingOf[str, str]
TEXT = re.compile(r">[^<]+")
ENDLESS = re.compile("[^\\s&;\u2e80-\uffff]{80,}")
"""A word too long for any line; lines of Chinese and Japanese can break anywhere."""


def html(book: Book) -> str:
    """The page, with style sheets for screens and an A5 booklet, without scripts or requests to the network."""
    style = own(Path(__file__).with_name("page.css"))
    chapters = (part for one in book.chapters for part in chapter(one, book.icons))
    credit = [f'<p class="note">{escape(CREDIT)}</p>'] if book.icons else []
    body = "\n".join((*header(book), "<main>", *chapters, *(index(book) if book.index else ()), *credit))
    body = in_print(body, phrasebook(book.language), "&quot;")
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
    if book.notice:
        yield f'<p class="notice">{escape(book.notice)}</p>'
    yield f'<nav aria-label="{escape(book.words["contents"])}">\n<h2>{escape(book.words["contents"])}</h2>\n<ol>'
    yield from (f'<li><a href="#{escape(one.anchor)}">{escape(one.title)}</a></li>' for one in book.chapters)
    yield "</ol>\n</nav>"


def chapter(made: Chapter, icons: Icons) -> Iterator[str]:
    yield f'<h2 id="{escape(made.anchor)}">{escape(made.title)}</h2>'
    for one in made.sections:
        yield from section(one, icons)


def section(made: Section, icons: Icons) -> Iterator[str]:
    """A section; its heading links to itself, so that a rule can be linked to."""
    classes = " ".join(
        name
        for name, has in (
            ("changed", made.mark),
            ("entry", made.is_entry),
            ("short", not (made.is_entry or made.rows or made.examples or made.figures)),
        )
        if has
    )
    attribute = f' class="{classes}"' if classes else ""
    yield f'<section id="{escape(made.anchor)}"{attribute}>'
    if made.title:
        level = f"h{made.level}"
        yield f'<{level}><a href="#{escape(made.anchor)}">{escape(made.title)}</a></{level}>'
    if made.mark:
        yield f'<p class="mark">{escape(made.mark)}</p>'
    if made.drawing is not None and is_small(made.drawing):
        yield svg(made.drawing, made.anchor, icons)
    yield from (f"<p>{escape(text)}</p>" for text in made.paragraphs)
    if made.drawing is not None and not is_small(made.drawing):
        yield f'<div class="wide">{svg(made.drawing, made.anchor, icons)}</div>'
    yield from figures(made.figures, made.anchor, icons)
    if made.rows:
        yield from table(made, icons)
    if made.lines:
        yield from listed(made.lines)
    for number, one in enumerate(made.examples):
        yield from example(one, f"{made.anchor}-example-{number}", icons)
    yield "</section>"


def example(one: Worked, key: str, icons: Icons) -> Iterator[str]:
    """An example in a box of its own: the table before, what happens, and the table after."""
    yield f'<aside class="example"><p class="mark">{escape(one.title)}</p>'
    yield from (f"<p>{escape(text)}</p>" for text in one.paragraphs)
    yield from figures(one.before, f"{key}-before", icons)
    yield from listed([Line(line) for line in one.lines])
    yield from figures(one.after, f"{key}-after", icons)
    yield "</aside>"


def figures(drawings: Sequence[Drawing], key: str, icons: Icons) -> Iterator[str]:
    if drawings:
        yield '<div class="tables">'
        for number, one in enumerate(drawings):
            yield f"<figure><figcaption>{escape(one.words)}</figcaption>{svg(one, f'{key}-{number}', icons)}</figure>"
        yield "</div>"


def is_small(drawing: Drawing) -> bool:
    return drawing.width * drawing.height == 1


def table(made: Section, icons: Icons) -> Iterator[str]:
    has_pictures = any(made.beside)
    yield '<div class="wide"><table>'
    if any(made.head):
        yield f"<tr>{'<th></th>' if has_pictures else ''}{''.join(cells_of(made.head, 'th'))}</tr>"
    for at, row in enumerate(made.rows):
        shown = made.beside[at] if has_pictures else None
        picture = svg(shown, f"{made.anchor}-{at}", icons) if shown is not None else ""
        yield f"<tr>{f'<td>{picture}</td>' if has_pictures else ''}{''.join(cells_of(row, 'td'))}</tr>"
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
    yield f'<h2 id="chapter.index">{escape(book.words["index"])}</h2>\n<ul class="index">'
    yield from (f'<li><a href="#{escape(anchor)}">{escape(title)}</a></li>' for title, anchor in book.index)
    yield "</ul>"


def cells_of(row: Sequence[str], tag: str) -> Iterator[str]:
    return (f"<{tag}>{escape(cell)}</{tag}>" for cell in row)


MOST_COUNTS = 12
"""The most numbers of players for which numbers of pieces are told."""
OWN_PARTS = ("pieces", "members", "steps")
"""Parts with sections of their own, which a change marks instead."""


class Writer:
    """Writes the sections of one rulebook, and keeps its index."""

    def __init__(self, game: Game, terms: Terms, language: str, pictures: Pictures) -> None:
        self.game = game
        self.terms = terms
        self.book = terms.book
        self.language = language
        self.pictures = pictures
        self.definition = game.definition
        self.symbols = terms.program.symbols
        self.titles = {str(v.tree.span.file): v.title(language) for v in game.house_rules_in_use}
        self.index: list[tuple[str, str]] = []
        self.heading = ""  # the last one, for what has none of its own
        self.assumed: dict[str, list[str]] = {}  # reasons, with the titles of the rules
        self.cited: dict[str, dict[str, list[str]]] = {}  # rulebooks and places in them, with the titles of the rules

    @cached_property
    def kinds_read(self) -> set[str]:
        """The kinds of which rules read what is printed on them."""
        return {one.kind.name for one in self.terms.meanings.symbols.values() if isinstance(one, AttributeOf)}

    @cached_property
    def kinds_by_players(self) -> MappingOf[int, MappingOf[str, Kind]]:
        """The kinds for each number of players, if some rule reads that number; for many numbers, they are not told apart."""
        is_read = bool(self.definition.counting) and 1 < len(self.game.players) <= MOST_COUNTS
        return {n: self.game.checked(n).symbols.kinds for n in self.game.players} if is_read else {}

    # --- words --------------------------------------------------------------------------------------------------------

    def words(self, name: str, /, **parts: Part | None) -> str:
        return self.book.sentence("book", name, **parts)

    def phrase(self, name: str, /, **parts: Part | None) -> str:
        return str(self.book.phrase("book", name, **parts))

    def sentence(self, clauses: Iterable[str]) -> str:
        """Clauses as one sentence; empty if there are none."""
        signs = self.book.tables["list"]
        told = str(signs["clause"]).join(clauses)
        return self.book.tidy(self.book.capital(told) + str(signs["stop"])) if told else ""

    def quoted(self, text: str) -> str:
        return str(self.book.phrase("nouns", "quoted", noun=text))

    # --- titles and texts ---------------------------------------------------------------------------------------------

    def prose(self, prose: Prose | None) -> tuple[str, ...]:
        """A text as a paragraph, with the settings in its braces filled in."""
        if prose is None:
            return ()
        shown = (
            part if isinstance(part, str) else str(value(self.terms, counted(self.terms, part)))
            for part in prose.text(self.language).parts
        )
        return (self.book.tidy("".join(shown)),)

    def told(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """The text at a path, with its settings filled in, unless a house rule has changed its subject."""
        return self.filled(self.terms.at(*path, "text")) if not self.is_outdated(path) else ()

    def filled(self, node: Yaml | None) -> tuple[str, ...]:
        """A text of the rules as a paragraph, with its settings filled in."""
        scalar = in_language(node, self.language)
        if node is None or scalar is None:
            return ()
        text = parse_text(scalar.fragment, Report(), {})
        return self.prose(Prose(node.span, {"": text})) if text is not None else (scalar.text.strip(),)

    def named(self, path: tuple[str, ...]) -> str:
        """The title at a path, or its name in plain words; it goes into the index."""
        found = "".join(self.filled(self.terms.at(*path, "title"))) or plain_words(path[-1])
        return self.entered(found, ".".join(path))

    def entered(self, title: str, anchor: str) -> str:
        """A title with a capital letter, added to the index."""
        found = self.book.capital(title)
        self.index.append((found, anchor))
        return found

    def kind_title(self, definition: KindDefinition, number: int = 1) -> str:
        noun = self.terms.noun_of_kind(definition.name)
        return self.book.capital(noun.form("pl" if number > 1 else "bare"))

    # --- sections -----------------------------------------------------------------------------------------------------

    def section(self, path: tuple[str, ...], title: str, level: int = 3, **parts: object) -> Section:
        self.heading = title or self.heading
        self.note(path, self.heading)
        return Section(".".join(path), title, level, mark=self.mark(path), **parts)  # type: ignore[arg-type]  # the fields of a section, by name

    def note(self, path: tuple[str, ...], title: str) -> None:
        """Keep what is assumed of a rule, and where the rulebook says so, for the end of the book."""
        reason = said_at(self.terms.at(*path, "assumed"), self.language)
        if reason:
            self.assumed.setdefault(self.book.tidy(" ".join(reason.split())), []).append(title)
        source = self.terms.at(*path, "source")
        for one in source.items if isinstance(source, YamlSequence) else [source]:
            if "doc" in entries_at(one):
                doc, at = text_at(one, "doc"), text_at(one, "at")
                place = text_at(self.terms.at("sources", doc, "places", at), self.language) or at
                self.cited.setdefault(doc, {}).setdefault(place, []).append(title)

    def doc(self, name: str) -> str:
        return said_at(self.terms.at("sources", name, "title"), self.language) or name

    # --- house rules --------------------------------------------------------------------------------------------------

    def mark(self, path: tuple[str, ...]) -> str:
        """The house rules that added or changed something."""
        node = self.terms.at(*path)
        if node is None:
            return ""
        offered = list(self.offered_in(path))
        files = {file for one in (node, *offered) for file in self.files(one)}
        titles = [
            variant.title(self.language)
            for variant in self.game.house_rules_in_use
            if str(variant.tree.span.file) in files
            or ".".join(path) in shortened_by(variant)
            or any(path == ("options", name) or uses(node, name) for name in entries_at(variant.tree, "options"))
            or any(uses(one, name) for name in self.told_elsewhere(variant) for one in (node, *offered))
        ]
        return self.words("house_rule", title=self.book.listed(titles)) if titles else ""

    def offered_in(self, path: tuple[str, ...]) -> Iterator[Yaml]:
        """What actions say of the window at a path, which tells of them."""
        for action in entries_at(self.terms.at("actions")).values() if path[0] == "windows" else ():
            entries = entries_at(action.value)
            if "in" in entries and uses(entries["in"].value, path[1]):
                yield from (entries[key].value for key in ("in", "for", "when", "label") if key in entries)

    def told_elsewhere(self, variant: Variant) -> Iterator[str]:
        """The functions that a house rule adds or changes, and that are told where they are used."""
        names = (key.split("(")[0] for part in ("add", "change") for key in entries_at(variant.tree, part, "functions"))
        return (name for name in names if is_paraphrase(self.terms, name))

    def files(self, node: Yaml) -> Iterator[str]:
        """The files that a part of the rules comes from, without its parts that have sections of their own."""
        yield str(node.span.file)
        if isinstance(node, Mapping):
            for key, entry in node.entries.items():
                if key not in OWN_PARTS:
                    yield str(entry.key.span.file)
                    yield from self.files(entry.value)
        elif isinstance(node, YamlSequence):
            for item in node.items:
                yield from self.files(item)

    def is_outdated(self, path: tuple[str, ...]) -> bool:
        """Whether a house rule has changed the effect at a path but not its text."""
        entries = entries_at(self.terms.at(*path))
        if "text" not in entries:
            return False
        said = set(self.files(entries["text"].value))
        changed = (set(self.files(entry.value)) for key, entry in entries.items() if key not in NO_RULES)
        return any(file in self.titles and file not in said for files in changed for file in files)


def shortened_by(variant: Variant) -> Iterator[str]:
    """What a house rule removes something from: the paths of its parents with sections."""
    listed = value_at(variant.tree, "remove")
    for removed in listed.items if isinstance(listed, YamlSequence) else ():
        if isinstance(removed, Scalar):
            above = removed.text.strip().split(".")[:-1]
            yield ".".join(above[:-1] if above and above[-1] in OWN_PARTS else above)


def uses(node: Yaml, name: str, is_text: bool = False) -> bool:
    """Whether a part of the rules reads an option, in an effect or in braces; without its parts that have sections of their own."""
    if isinstance(node, Mapping):
        entries = ((key, entry.value) for key, entry in node.entries.items() if key not in OWN_PARTS)
        return any(uses(value, name, is_text or key in PEOPLE_READ) for key, value in entries)
    if isinstance(node, YamlSequence):
        return any(uses(item, name, is_text) for item in node.items)
    words = " ".join(re.findall(r"\{[^{}]*\}", node.text)) if is_text else node.text
    return re.search(rf"\b{re.escape(name)}\b", words) is not None


PEOPLE_READ = ("title", "text", "grammar", "assumed", "source", "reveals", "back_title")
NO_RULES = ("count", "title", "text", "grammar", "assumed", "source", "reveals", *OWN_PARTS)
"""Keys that a text does not describe."""
