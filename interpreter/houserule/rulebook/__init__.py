"""The rulebook of a game, written from its rules.

>>> from houserule import load
>>> from houserule.rulebook import html, rulebook
>>> page = html(rulebook(load("my_game"), language="de"))
"""

from houserule.rulebook.book import (
    Book,
    Change,
    Chapter,
    Drawing,
    Picture,
    Placed,
    Section,
    Worked,
    changes,
    markdown,
    only_changes,
)
from houserule.rulebook.chapters import rulebook
from houserule.rulebook.chronicle import Chronicle, chronicle
from houserule.rulebook.completeness import Gap, disused, gaps, outdated, renamed, stale, ungendered, untitled
from houserule.rulebook.page import html, pdf
from houserule.rulebook.terms import Line
from houserule.telling.labels import LANGUAGES

__all__ = [
    "LANGUAGES",
    "Book",
    "Change",
    "Chapter",
    "Chronicle",
    "Drawing",
    "Gap",
    "Line",
    "Picture",
    "Placed",
    "Section",
    "Worked",
    "changes",
    "chronicle",
    "disused",
    "gaps",
    "html",
    "markdown",
    "only_changes",
    "outdated",
    "pdf",
    "renamed",
    "rulebook",
    "stale",
    "ungendered",
    "untitled",
]
