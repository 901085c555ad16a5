"""The description of a game: its rulebook with the house rules in use, and its options."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any

from houserule import Game
from houserule.rulebook import LANGUAGES, Drawing, Line, Picture, Placed, Section, rulebook
from houserule.serve.catalogue import MOST_KEPT, described


def rules_shown(game: Game, language: str) -> dict[str, Any]:
    """A game for its page: its rulebook in a language with a phrase book, else in English."""
    return shown(game, language if language in (*LANGUAGES, *game.languages) else "en")


@lru_cache(MOST_KEPT)
def shown(game: Game, language: str) -> dict[str, Any]:
    """The page of a game in a language; kept, since a rulebook takes long."""
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
        "beside": [drawing_shown(one) for one in section.beside],
        "drawing": drawing_shown(section.drawing),
        "notes": section.notes,
    }


def drawing_shown(drawing: Drawing | None) -> dict[str, Any] | None:
    """A drawing as plain data: the positions of the pieces, and their looks."""
    if drawing is None:
        return None
    things = [{**fields_of(one), **fields_of(one.picture)} for one in drawing.things]
    return {**fields_of(drawing), "things": things}


def fields_of(made: Drawing | Placed | Picture) -> dict[str, Any]:
    return {one.name: getattr(made, one.name) for one in fields(made) if one.name not in ("picture", "things")}


def line_shown(line: Line) -> dict[str, Any]:
    return {"text": line.text, "inner": [line_shown(one) for one in line.inner]}
