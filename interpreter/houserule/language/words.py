"""The words of the effect language that cannot be names, those that begin statements, how long and deep a text may be, and words of others."""

from __future__ import annotations

import re
from pathlib import Path

GRAMMAR = Path(__file__).with_name("effects.lark")
PREPOSITIONS = ("to", "from", "with", "at", "by")
SOMETIMES_NAMES = frozenset({"game", "of", "list", "leaves", "enters", "changes", "before", "after"})
"""Words of the grammar that stand only where no name can, so that they can be names elsewhere."""
RESERVED = (
    frozenset(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8"))) - SOMETIMES_NAMES
    | {"true", "false"}
    | set(PREPOSITIONS)
)
"""Words that cannot be names: those of the grammar."""
COMPOUND = ("if", "elif", "else", "for", "while", "repeat", "as", "together")
"""What opens a block."""
SIMPLE = ("leave", "finish", "end", "nothing", "choose", "perform", "say", "race")
"""What begins a statement of one line."""
NEVER_BOUND = frozenset({"me", "it", "this", "players", "opponents"})

GREATEST_NUMBER = 2_147_483_647
LONGEST_TEXT = 20_000
DEEPEST_NEST = 60
DEEPEST_TREE = 100

# What other languages, other keyboards and other habits write, and what is meant by it.
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
    "return": "finish with …",
    "break": "leave",
    "exit": "finish",
    "print": "say",
    "foreach": "for",
    "elseif": "elif",
    "elsif": "elif",
    "let": "x = …",
    "set": "x = …",
    "var": "x = …",
    "call": "perform",
    "do": "perform",
}
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
