"""Finds the texts of cards, roles and tiles by the name that a player types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.cli.phrases import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule import Match

MOST_TEXTS = 6


def about(match: Match, wanted: str, number: int = 0) -> str:
    """The texts of everything whose name is, begins with, contains or is a word of the name typed.

    The last is for pieces named after members, which have the text. If the number of an option was typed, the name is its
    whole label, and partial matches do not count. Without a text, the result is a sentence that says so.

    Texts belong to the game, so whoever asks learns nothing about the match.
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
