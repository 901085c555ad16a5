"""`houserule rulebook`: write the rulebook of a game from its rules."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.cli.report import CLEAN, FAILED, fail, load_game, near_path, tell
from houserule.cli.subjects import Set, With, settings
from houserule.diagnostics import did_you_mean
from houserule.reading import read
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule.rulebook import Book

FORMS = (".html", ".md", ".pdf")
MOST_SHOWN = 20

Lang = Annotated[
    str, typer.Option("--lang", metavar="LANGUAGE", help="The language: en, de, zh-Hant or ja.", show_default=True)
]


def rulebook(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A bundled id or a path.")],
    variants: With = None,
    options: Set = None,
    lang: Lang = "en",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write it to this file: a page (.html), text (.md) or booklet (.pdf).",
        ),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Fail if this page or text no longer matches the rules."),
    ] = None,
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
    """The book in the form for a file's suffix."""
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
