"""What can be read about a game: its rulebook with the house rules in use, and what can be set."""

from __future__ import annotations

from typing import Any

from houserule import Game
from houserule.rulebook import LANGUAGES, Line, Section, rulebook
from houserule.serve.catalogue import described


def rules_shown(game: Game, language: str) -> dict[str, Any]:
    """A game as its page tells it: its rulebook in a language that rulebooks speak, else in English."""
    spoken = language if language in LANGUAGES else "en"
    book = rulebook(game, spoken)
    return {
        **described(game, language),
        "language": book.language,
        "heading": book.heading,
        "chapters": [
            {"anchor": one.anchor, "title": one.title, "sections": [section_shown(each) for each in one.sections]}
            for one in book.chapters
        ],
    }


def section_shown(section: Section) -> dict[str, Any]:
    """A section as plain data."""
    return {
        "anchor": section.anchor,
        "title": section.title,
        "level": section.level,
        "mark": section.mark,
        "paragraphs": section.paragraphs,
        "lines": [line_shown(line) for line in section.lines],
        "head": section.head,
        "rows": section.rows,
        "notes": section.notes,
    }


def line_shown(line: Line) -> dict[str, Any]:
    """A sentence with those below it."""
    return {"text": line.text, "inner": [line_shown(one) for one in line.inner]}
