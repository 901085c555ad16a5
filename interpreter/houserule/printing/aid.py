"""A player's aid: how a turn goes, what scores, and what the symbols mean, on one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from houserule import Game
from houserule.definition.looks import Value
from houserule.extras import library
from houserule.icons import CREDIT, drawings
from houserule.language.types import Member, plain
from houserule.printable import capital, visible
from houserule.printing.design import sign_on
from houserule.printing.drawing import FONTS, Face, Inks, Sign, svg
from houserule.printing.sheets import Settings
from houserule.rulebook import Book, Line, Section, rulebook
from houserule.rulebook.chapters import first_sentence
from houserule.rulebook.page import listed
from houserule.rulebook.pictures import number
from houserule.table.compose import looks_of
from houserule.table.looks import Looks
from houserule.telling.labels import plain_words

CHAPTERS = ("chapter.play", "chapter.actions", "chapter.end", "chapter.score")
"""What a player looks up while playing."""
SIZES = (10, 9, 8.5, 8, 7.5, 7, 6.5, 6)
"""The sizes of letters that are tried, in points."""
MOST_SYMBOLS = 60
SIDE = 7.0
STYLE = """
@page {{ size: {wide}mm {high}mm; margin: 9mm 10mm }}
body {{ font: {size}pt/1.3 {fonts}; margin: 0; columns: 2; column-gap: 7mm; overflow-wrap: anywhere }}
h1 {{ font-size: 1.7em; column-span: all; margin: 0 0 .3em }}
h2 {{ font-size: 1.15em; margin: .5em 0 .15em; border-bottom: .3mm solid #777; break-after: avoid }}
h3 {{ font-size: 1em; margin: .35em 0 0; break-after: avoid }}
p, ul {{ margin: .1em 0 .25em }} ul {{ padding-left: 1.2em }}
.sign {{ display: table; break-inside: avoid; margin: .25em 0 }}
.sign svg {{ display: table-cell; vertical-align: middle; width: {side}mm; height: {side}mm }}
.sign div {{ display: table-cell; vertical-align: middle; padding-left: 2mm }}
.note {{ font-size: .75em; color: #555 }}
"""


def aid(game: Game, language: str, settings: Settings) -> tuple[bytes, int]:
    """The player's aid as a PDF, and the number of its pages: one, unless there is too much to say. Raises MissingExtra."""
    html = library("weasyprint", "rulebook").HTML
    book = rulebook(game, language)
    symbols = list(signs(game, language, settings))
    made, pages = None, 0
    for is_brief in (False, True):
        for size in SIZES:
            made = html(string=page(book, symbols, settings, size, is_brief)).render()
            pages = len(made.pages)
            if pages == 1:
                return bytes(made.write_pdf()), 1
            if pages > 3:  # smaller letters will not do
                break
    assert made is not None
    return bytes(made.write_pdf()), pages


def page(book: Book, symbols: list[str], settings: Settings, size: float, is_brief: bool) -> str:
    """The page, in letters of so many points; a brief one has only the first sentence of each rule."""
    wide, high = map(number, settings.size)
    style = STYLE.format(wide=wide, high=high, size=size, fonts=FONTS, side=number(SIDE * size / 10))
    parts = [f"<h1>{escape(book.title)}</h1>"]
    chapters = {chapter.anchor: chapter for chapter in book.chapters}
    for anchor in CHAPTERS:
        if anchor in chapters:
            told = [part for one in chapters[anchor].sections for part in section(one, is_brief)]
            if told:
                parts += [f"<h2>{escape(chapters[anchor].title)}</h2>", *told]
    parts += symbols
    if book.icons:
        parts.append(f'<p class="note">{escape(CREDIT)}</p>')
    body = visible("".join(parts))
    return f'<!DOCTYPE html><html lang="{escape(book.language)}"><title>{escape(book.title)}</title><style>{style}</style><body>{body}</body></html>'


def section(made: Section, is_brief: bool) -> Iterator[str]:
    if made.title:
        yield f"<h3>{escape(made.title)}</h3>"
    yield from (f"<p>{escape(first_sentence(text) if is_brief else text)}</p>" for text in made.paragraphs)
    if made.lines and not (is_brief and made.paragraphs):
        yield from listed([Line(one.text) for one in made.lines] if is_brief else made.lines)
    for row in () if is_brief else made.rows:
        yield f"<p>{escape(' · '.join(cell for cell in row if cell))}</p>"


def signs(game: Game, language: str, settings: Settings) -> Iterator[str]:
    """The symbols of enums with their names, and what they do."""
    match = game.start(max(game.players), 0, language)
    looks, icons, inks = looks_of(match), drawings(game.path), Inks(settings.is_grey)
    shown, colours = 0, shown_on_pieces(looks, is_colour=True)
    used = colours | shown_on_pieces(looks, is_colour=False)
    for name, kind in match.program.symbols.kinds.items():
        if kind.is_piece or not (name in looks.layout.members or name in used):
            continue
        if all(looks.member(kind, one).symbol == looks.labels.member(kind, one) for one in kind.numbers):
            continue  # what is written on pieces is the name itself
        definition = looks.labels.definition.kinds[name]
        title = definition.title.raw(language) if definition.title else plain_words(name)
        yield f"<h2>{escape(capital(title))}</h2>"
        for member in kind.numbers[: MOST_SYMBOLS - shown]:
            shown += 1
            label, text = looks.labels.member(kind, member), looks.labels.text(kind, member) or ""
            told = f"<b>{escape(capital(label))}</b>" + (f": {escape(text)}" if text else "")
            yield f'<div class="sign">{symbol(looks, name, member, icons, inks, has_colour=name in colours)}<div>{told}</div></div>'


def shown_on_pieces(looks: Looks, *, is_colour: bool) -> set[str]:
    """The enums that give pieces their colours, or their symbols."""
    found: set[str] = set()
    for kind in looks.program.symbols.kinds.values():
        if not kind.is_piece or not kind.lies or kind.quiet:
            continue
        look = looks.layout.pieces[kind.name]
        fields = look.printed.fields.values()
        said: list[Value | None]
        if is_colour:
            said = [look.fill, look.ink, look.printed.fill, *(one.fill for one in fields)]
        else:
            said = [look.symbol, look.corner, *(one.symbol for one in fields)]
        types = [one.type for one in said if one is not None and not isinstance(one, str)]
        types += [kind.attribute_types[name] for name in kind.back]
        found |= {type.kind for one in types if isinstance(type := plain(one), Member)}
    return found


def symbol(looks: Looks, name: str, member: int, icons: Mapping[str, str], inks: Inks, *, has_colour: bool) -> str:
    """The symbol of a member on its colour, if it has one on the table."""
    look = looks.member(looks.program.symbols.kinds[name], member)
    written = looks.layout.members.get(name, {}).get(member)
    has_colour = has_colour or (written is not None and written.fill is not None)
    ground = inks.paint(look.fill, look.pattern) if has_colour else inks.paint("white", "plain")
    body = sign_on((0, 0, SIDE, SIDE), Sign(look.symbol or "", look.icon or ""), ground, icons, 0.9)
    face = Face(SIDE, SIDE, ground, body, (), 1)
    return svg([face], face.drawn(), (SIDE, SIDE))
