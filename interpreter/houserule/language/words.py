"""The words of the effect language that cannot be names, those that begin statements, how long and deep a text may be, and words of others."""

from __future__ import annotations

RESERVED = frozenset(
    {"if", "elif", "else", "for", "while", "repeat", "times", "leave", "finish", "end", "nothing"}
    | {"perform", "choose", "chooses", "race", "must", "together", "as", "say", "when", "to", "from"}
    | {"with", "at", "by", "where", "in", "is", "or", "and", "not", "every", "true"}
    | {"false", "none", "pass"}
)
COMPOUND = ("if", "elif", "else", "for", "while", "repeat", "as", "together")
"""What opens a block."""
SIMPLE = ("leave", "finish", "end", "nothing", "choose", "perform", "say", "race")
"""What begins a statement of one line."""
NEVER_BOUND = frozenset({"me", "it", "this", "players", "opponents"})
PREPOSITIONS = ("to", "from", "with", "at", "by")

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
