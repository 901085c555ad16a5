"""What can be asked while playing: the rules of the game, and why a question is put or a value is what it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from houserule.cli.phrases import say
from houserule.cli.report import near_path

if TYPE_CHECKING:
    from rich.console import Console

    from houserule import Choice, Match


def show_rules(console: Console, match: Match) -> None:
    """Show the rulebook of the match's game, page by page where it is a terminal."""
    from rich.markdown import Markdown

    from houserule import Game
    from houserule.printable import printable
    from houserule.rulebook import LANGUAGES, markdown, rulebook

    assert isinstance(match.game, Game)
    book = rulebook(match.game, match.language if match.language in LANGUAGES else "en")
    text = Markdown(printable(markdown(book), lines=True))
    if console.file.isatty():
        os.environ.setdefault("LESS", "-R")  # colours as such, in the pager that most have
        with console.pager(styles=True):
            console.print(text)
    else:
        console.print(text)


def why(match: Match, choice: Choice, path: str) -> str:
    """Which rule puts the question, by its place; or which files and lines made the value at a path."""
    if path:
        from houserule import Game

        assert isinstance(match.game, Game)
        try:
            return "\n".join(match.game.origin(path))
        except LookupError as unknown:
            return str(unknown)
    span = choice.site.span
    return say(match.language, "asked_at", file=near_path(span.file), line=span.line)
