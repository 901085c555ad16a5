"""The rulebook of a game, written from its rules.

>>> from houserule import load
>>> from houserule.rulebook import html, rulebook
>>> page = html(rulebook(load("my_game"), language="de"))
"""

from houserule.rulebook.book import Book, Chapter, Section
from houserule.rulebook.changes import Change, changes
from houserule.rulebook.chapters import rulebook
from houserule.rulebook.markdown import markdown
from houserule.rulebook.page import MissingExtra, html, pdf
from houserule.rulebook.phrasebook import LANGUAGES
from houserule.rulebook.sentences import Line

__all__ = [
    "LANGUAGES",
    "Book",
    "Change",
    "Chapter",
    "Line",
    "MissingExtra",
    "Section",
    "changes",
    "html",
    "markdown",
    "pdf",
    "rulebook",
]
