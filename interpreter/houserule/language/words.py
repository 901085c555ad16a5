"""Reserved words, the first words of statements, limits on the length and depth of texts, and words from other languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Any

from houserule.reading import own

GRAMMAR = Path(__file__).with_name("effects.lark")
PREPOSITIONS = ("to", "from", "with", "at", "by")
SOMETIMES_NAMES = frozenset({"game", "of", "list", "leaves", "enters", "changes", "before", "after", "tell", "times"})
"""Words of the grammar where no name is possible, so that they can be names elsewhere."""
RESERVED = frozenset(re.findall(r'"([a-z]+)"', own(GRAMMAR))) - SOMETIMES_NAMES | {"true", "false"} | set(PREPOSITIONS)
"""Words that cannot be names: the others of the grammar."""
IS_A_WORD = "'{}' is a word of the language, so nothing can be called that"
COMPOUND = ("if", "elif", "else", "for", "while", "repeat", "as", "together")
"""The first words of blocks."""
SIMPLE = ("leave", "finish", "end", "nothing", "choose", "perform", "say", "race")
"""The first words of simple statements."""
ENDINGS = ("victory", "defeat", "draw")
"""What `end game with` names."""
OF_EVERY_GAME = {
    "me": "the player whose turn it is, or who performs the action",
    "it": "the current member in `S where …`",
    "this": "the piece or member whose effect runs",
    "players": "all players in seat order",
    "opponents": "all players except `me`, in seat order",
    "player_count": "the number of players",
}
"""The names that every game has, and what they mean."""
PARTNERS = "the other players of my team, beginning with the next"
"""What `partners` means in a game with teams."""
NEVER_BOUND = frozenset(OF_EVERY_GAME) - {"player_count"}
"""Those of them that a text cannot use for something of its own."""

ORDER: Mapping[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
"""What comparisons mean."""
GREATEST_NUMBER = 2_147_483_647
LONGEST_TEXT = 20_000
DEEPEST_NEST = 60
DEEPEST_TREE = 100

# What people write who are used to other languages or keyboards, and its meaning here.
FOREIGN_SIGNS = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "=>": ">=",
    "=<": "<=",
    ":=": "=",
    "===": "==",
    "<>": "!=",
    "++": "+= 1",
    "--": "-= 1",
    "**": "x * x",
    "^": "x * x",
    "->": ":",
    "/": "//",
    "/=": "//=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "÷": "//",
    "−": "-",
    "–": "-",
    "…": "..",
    "...": "..",
    "：": ":",
    "，": ",",
    "（": "(",
    "）": ")",
    "；": ";",
    "?": "a if c else b",
}
FOREIGN_VERBS = {
    "pass": "nothing",
    "skip": "nothing",
    "none": "nothing",
    "continue": "if not …: …",
    "discard": "move … to …",
    "put": "move … to …",
    "place": "move … to …",
    "give": "move … to …",
    "deal": "draw … from … to …",
    "take": "draw … from … to …",
    "reveal": "show … to …",
    "return": "finish with …",
    "break": "leave",
    "exit": "finish",
    "print": "say",
    "input": "choose …: answers below",
    **dict.fromkeys(("append", "push", "insert"), "move … to …"),
    "foreach": "for",
    "elseif": "elif",
    "elsif": "elif",
    "let": "x = …",
    "set": "x = …",
    "var": "x = …",
    "call": "perform",
    "do": "perform",
    "otherwise": "else",
    "win": "end game with victory of me",
    "lose": "end game with defeat of me",
}
ENDS_OF_BLOCKS = {"endif", "endfor", "endwhile"}
"""Words of other languages that are left out in this one."""
FOREIGN_FUNCTIONS = {
    **dict.fromkeys(("len", "length", "size"), "count(S)"),
    **dict.fromkeys(("random", "randint", "rand", "dice", "die", "rnd"), "roll n from 1..6"),
    "range": "1..3, with both ends",
    "contains": "x in S",
    **dict.fromkeys(("type", "isinstance"), "S is KIND asks whether it is of a kind"),
    "exists": "any(x in S where …)",
    "is_empty": "empty(S)",
}
"""Functions of other languages, and what is written here."""
QUOTES = "'“”„‘’‚«»`「」"
CLOSING_QUOTES = {
    **{quote: quote for quote in QUOTES},
    "“": "”",
    "„": "“",
    "‘": "’",
    "‚": "‘",
    "«": "»",
    "»": "«",
    "「": "」",
}
