"""Questions while playing: the rules of the game, the texts of cards, and why a question is asked or a value is what it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from houserule.cli.phrases import say
from houserule.cli.report import near_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from houserule import Choice, Match

MOST_TEXTS = 6


def show_rules(console: Console, match: Match) -> None:
    """Show the rulebook of the match's game, in a pager on a terminal."""
    from rich.markdown import Markdown

    from houserule import Game
    from houserule.printable import printable
    from houserule.rulebook import LANGUAGES, markdown, rulebook

    assert isinstance(match.game, Game)
    book = rulebook(match.game, match.language if match.language in LANGUAGES else "en")
    text = Markdown(printable(markdown(book), lines=True))
    if console.file.isatty():
        os.environ.setdefault("LESS", "-R")  # colours, in the usual pager
        with console.pager(styles=True):
            console.print(text)
    else:
        console.print(text)


def why(match: Match, choice: Choice, path: str) -> str:
    """The place of the rule that asks; or the files and lines that made the value at a path."""
    if path:
        from houserule import Game

        assert isinstance(match.game, Game)
        try:
            return "\n".join(match.game.origin(path))
        except LookupError as unknown:
            return str(unknown)
    span = choice.site.span
    return say(match.language, "asked_at", file=near_path(span.file), line=span.line)


def about(match: Match, wanted: str, number: int = 0) -> str:
    """The texts of everything whose name is, begins with, contains or has as a word the typed name.

    The last is for pieces named after members, which have the text. If the number of an option was typed, the name is its
    whole label, and partial matches do not count. Without a text, the result is a sentence that says so.

    Texts belong to the game, so they reveal nothing about the match.
    """
    sought = wanted.casefold()
    found = dict.fromkeys(texts(match))
    parts = () if number else (str.startswith, str.__contains__)
    for fits in (str.__eq__, *parts, lambda title, words: f" {title} " in f" {words} "):
        lines = [f"{title}: {text}" for title, text in found if fits(title.casefold(), sought)]
        if lines:
            return "\n".join(
                [*lines[:MOST_TEXTS], *([say(match.language, "another")] if len(lines) > MOST_TEXTS else [])]
            )
    if number:
        return say(match.language, "nothing_on", number=number, label=wanted)
    return say(match.language, "nothing_about", text=wanted)


def texts(match: Match) -> Iterator[tuple[str, str]]:
    """Title and text of every member and piece with a text, its own or its kind's."""
    labels = match.labels
    for kind in labels.symbols.kinds.values():
        for number in range(kind.base, kind.base + len(kind.ids)):
            text = labels.text(kind, number)
            if text is not None:
                yield labels.member(kind, number), text
