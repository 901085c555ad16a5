"""A match and a name that somebody typed go in; what is read on the cards, roles and tiles of that name comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.cli.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule import Match

MOST_TEXTS = 6


def about(match: Match, wanted: str, number: int = 0) -> str:
    """The texts of everything with that name, or whose name begins with it, has it inside, or is a word of it.

    The last is for pieces that are named after members, which have the text. Where the number of an option was typed, the
    name is its whole label, so that nothing fits that only begins so. A sentence if there is no text.

    Texts belong to the game, not to what lies where: whoever asks learns nothing of the match.
    """
    sought = wanted.casefold()
    found = dict.fromkeys(texts(match))
    parts = () if number else (str.startswith, str.__contains__)
    for fits in (str.__eq__, *parts, is_word_of):
        lines = [f"{title}: {text}" for title, text in found if fits(title.casefold(), sought)]
        if lines:
            return "\n".join(
                [*lines[:MOST_TEXTS], *([say(match.language, "another")] if len(lines) > MOST_TEXTS else [])]
            )
    if number:
        return say(match.language, "nothing_on", number=number, label=wanted)
    return say(match.language, "nothing_about", text=wanted)


def is_word_of(title: str, sought: str) -> bool:
    """Whether a title is some of the words that were typed, in their order."""
    return f" {title} " in f" {sought} "


def texts(match: Match) -> Iterator[tuple[str, str]]:
    """Title and text of every member and piece that has a text of its own or of its kind."""
    labels = match.labels
    for kind in labels.words.kinds.values():
        for number in range(kind.base, kind.base + len(kind.ids)):
            text = labels.text(kind, number)
            if text is not None:
                yield labels.member(kind, number), text
