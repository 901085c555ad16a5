"""Codes 3xx: mistakes in the files of a game taken together."""

from __future__ import annotations

from houserule.codes.row import Code, tiny_game

DECK = "---\n# deck.yaml\nzones: {deck: {holds: piece, visible: none}}\n"
SHUFFLED = "edition: 2026\ngame: tiny\nplayers: 2\n{}flow: {{round: {{do: shuffle deck}}}}\n"


def in_parts(opening: str, part: str = DECK) -> str:
    """A game that shuffles its deck, and a part of it in a file of its own, whose name it says in its first line."""
    return SHUFFLED.format(opening) + part


MERGING = (
    Code(
        "HR301",
        "error",
        "A name that is given twice",
        "Rules that use it could mean either. A name with other parameters is still the same name.",
        tiny_game("functions:\n  twice(int n): n + n\n  twice(int n, int m): n + m\nscoring: {all: twice(2)}\n"),
        tiny_game("functions:\n  twice(int n): n + n\nscoring: {all: twice(2)}\n"),
    ),
    Code(
        "HR302",
        "error",
        "A value that two files give",
        "Maps of the same name in several files are joined, but a value can only come from one of them.",
        in_parts("title: Tiny\ninclude: [deck.yaml]\n", DECK + "title: Small\n"),
        in_parts("title: Tiny\ninclude: [deck.yaml]\n"),
    ),
    Code(
        "HR303",
        "error",
        "A part outside the folder of its game",
        "A game is a folder that can be copied and played anywhere. It reads no other files.",
        in_parts("include: [deck.yaml, ../deck.yaml]\n"),
        in_parts("include: [deck.yaml]\n"),
    ),
    Code(
        "HR304",
        "error",
        "A part that is included already",
        "Each file is read once. Files that include each other would be read forever.",
        in_parts("include: [deck.yaml]\n", DECK + "include: [game.yaml]\n"),
        in_parts("include: [deck.yaml]\n"),
    ),
    Code(
        "HR305",
        "error",
        "A file beside the game that no file includes",
        "A game is what its files include. What another file in its folder declares is no part of it.",
        in_parts(""),
        in_parts("include: [deck.yaml]\n"),
    ),
)
