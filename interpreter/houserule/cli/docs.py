"""`houserule explain`, `docs` and `rulebook`: what there is to read."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.bundled import PAGES, Section, bundled, index, plain, sections_of
from houserule.cli.report import (
    CLEAN,
    FAILED,
    OfGame,
    Set,
    With,
    argument,
    console,
    fail,
    flag,
    load_game,
    near_path,
    option,
    settings,
    tell,
)
from houserule.codes import CODES, page
from houserule.diagnostics import did_you_mean, nearest
from houserule.printable import whole_number
from houserule.reading import read
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule.rulebook import Book

# --- explain ----------------------------------------------------------------------------------------------------------


def explain(code: Annotated[str, argument("CODE", "The code of a message, such as HR512.")]) -> None:
    """Explain a message: why it matters, with a broken and a fixed example."""
    wanted = f"HR{code}" if whole_number(code) is not None else code.upper()
    row = CODES.get(wanted)
    if row is None:
        suggestion = nearest(wanted, CODES)
        fail(
            f"there is no code '{code}'",
            f"did you mean '{suggestion}'?" if suggestion else f"codes go from {min(CODES)} to {max(CODES)}",
        )
    tell(page(row))


# --- docs -------------------------------------------------------------------------------------------------------------


CODE = re.compile(r"hr[0-9]+")
DEEPEST_LISTED = 3
MOST_NAMED = 12


def docs(
    topic: Annotated[
        list[str] | None,
        argument("[TOPIC]", "A page, the heading of a section, or a word of the index.", show_default=False),
    ] = None,
    path: Annotated[bool, flag("--path", "Print where the page is, or the folder of all pages.")] = False,
    is_opened: Annotated[bool, flag("--open", "Open the page in its usual program.")] = False,
) -> None:
    """Print a section of the manual; without a topic, list the topics.

    houserule docs triggers
    """
    folder = bundled("docs")
    if not (folder / PAGES["language"]).is_file():
        fail("the manual is not there", f"it should be in '{folder}'")
    wanted = " ".join(topic or ())
    found = [] if not wanted else sections_for(wanted)
    file = folder / PAGES[found[0].page] if found else folder
    if path:
        tell(str(file))
    elif is_opened:
        typer.launch(str(file if found else folder / PAGES["language"]))
    elif not found:
        list_topics()
    else:
        from rich.markdown import Markdown

        for section in found:
            console().print(Markdown(section.text))


def list_topics() -> None:
    """Print each page with its sections, as users type them."""
    for topic in PAGES:
        first, *others = sections_of(topic)
        tell(f"{topic}: {first.title}")
        if topic in ("language", "cookbook"):
            for section in others:
                if section.level <= DEEPEST_LISTED:
                    tell(f"{'  ' * (section.level - 1)}{section.topic}")
        tell("")
    tell("houserule docs TOPIC prints a section; houserule explain CODE explains a message.")


def sections_for(wanted: str) -> list[Section]:
    """The sections for a topic: a page, a heading, or those of a word in the index; exits with a sentence if that is not clear."""
    topic = plain(wanted)
    if topic in PAGES:
        return sections_of(topic)[:1]
    if CODE.fullmatch(topic):
        fail(f"'{wanted}' is the code of a message", f"houserule explain {topic.upper()}")
    every = [section for page in PAGES for section in sections_of(page)]
    indexed = index(sections_of("language"))
    for found in (
        [section for section in every if topic in (section.topic, section.anchor)][:1],
        indexed.get(topic, []),
        [section for section in every if topic and topic in section.topic],
    ):
        topics = list(dict.fromkeys(section.topic for section in found))
        if len(topics) == 1 or found is indexed.get(topic):
            return list(dict.fromkeys(found))[: len(topics)]
        if topics:
            more = ", …" if len(topics) > MOST_NAMED else ""
            fail(f"'{wanted}' could be several topics", f"one of: {', '.join(topics[:MOST_NAMED])}{more}")
    known = [*PAGES, *(section.topic for section in every), *indexed]
    fail(f"the manual has no topic '{wanted}'", did_you_mean(topic, known) or "`houserule docs` lists the topics")


FORMS = (".html", ".md", ".pdf")
MOST_SHOWN = 20

Lang = Annotated[str, option("The language: en, de, zh-Hant or ja.", "LANGUAGE", show_default=True)]


def rulebook(
    game: OfGame,
    variants: With = None,
    options: Set = None,
    lang: Lang = "en",
    output: Annotated[
        Path | None,
        option("Write it to this file: a page (.html), text (.md) or booklet (.pdf).", "FILE", "-o", "--output"),
    ] = None,
    check: Annotated[Path | None, option("Fail if this page or text no longer matches the rules.", "FILE")] = None,
) -> None:
    """Write the rulebook of a game from its rules, with its house rules marked. Without a file, print it as Markdown.

    houserule rulebook ./mushrooms --with long_walk --lang de -o rules.html
    """
    for file in (output, check):
        if file is not None and file.suffix not in (FORMS if file is output else FORMS[:2]):
            fail(f"a rulebook cannot be written as '{file.name}'", f"name a file that ends in {', '.join(FORMS)}")
    language = spoken(lang)
    loaded = load_game(game, variants or (), settings(options))
    from houserule.rulebook import markdown
    from houserule.rulebook import rulebook as written

    book = written(loaded, language)
    if check is not None:
        raise typer.Exit(compare(check, book))
    if output is None:
        tell(markdown(book).rstrip("\n"))
        return
    try:
        write_file(output, content(output, book))
    except OSError as error:
        fail(f"{near_path(str(output))} cannot be written: {error.strerror}")


def spoken(language: str) -> str:
    """A language with a phrase book; exits with a sentence for another."""
    from houserule.rulebook import LANGUAGES

    if language not in LANGUAGES:
        meant = did_you_mean(language, LANGUAGES)
        fail(f"there is no phrase book for '{language}'", meant or f"there are {', '.join(LANGUAGES)}")
    return language


def content(file: Path, book: Book) -> str | bytes:
    from houserule.rulebook import html, markdown, pdf

    if file.suffix == ".pdf":
        return pdf(book)
    return html(book) if file.suffix == ".html" else markdown(book)


def compare(file: Path, book: Book) -> int:
    """Compare a file with the current rulebook; returns the exit code."""
    try:
        old = read(file, "rulebook").decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{near_path(str(file))} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}")
    new = content(file, book)
    assert isinstance(new, str)
    if old == new:
        return CLEAN
    tell(f"{near_path(str(file))} no longer matches the rules:")
    lines = [line for line in unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0) if line[:1] in "+-"][
        2:
    ]
    for line in lines[:MOST_SHOWN]:
        tell(f"  {line}")
    if len(lines) > MOST_SHOWN:
        tell(f"  … and {len(lines) - MOST_SHOWN} more lines")
    return FAILED
