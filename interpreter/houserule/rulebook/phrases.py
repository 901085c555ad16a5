"""Words around values: whose something is, brackets around a part of a sum, and the titles of functions."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.language import nodes
from houserule.language.scope import One
from houserule.rulebook.phrasebook import Words
from houserule.rulebook.shapes import decided
from houserule.rulebook.terms import RELATIVE, Flag, Terms, flag


def owned_by(terms: Terms, noun: Words, owner: Words, at: str = "", index: Words | None = None) -> Words:
    if owner.forms.get("number") == "you":
        return terms.book.determined(f"mine{at}", noun, index=index)
    if owner.has(RELATIVE) and not at:
        kind = f"whose_of_{owner.form(RELATIVE)}"
        return terms.book.determined(kind if terms.book.has("nouns", kind) else "whose", noun)
    return terms.book.determined(f"of{at}", noun, owner=owner, index=index)


def in_brackets(terms: Terms, around: nodes.Binary, part: nodes.Expression, words: Words) -> Words:
    """The words of one side, in brackets if they would otherwise be read with what stands on the other side."""
    is_right = part is around.right
    match part:
        case nodes.Binary(operator="+" | "-"):
            is_loose = around.operator not in "+-" or (is_right and around.operator == "-")
        case nodes.Binary():
            is_loose = is_right and around.operator not in "+-"
        case nodes.Conditional(test=test):
            is_loose = decided(terms, test) is None
        case nodes.Call(function=nodes.Name(id="min" | "max"), arguments=[_, _, *_]):
            is_loose = not is_right
        case nodes.Call() | nodes.Attribute() | nodes.Name():
            is_loose = words.has("loose")
        case nodes.WhatIf():
            is_loose = True
        case _:
            is_loose = False
    if not is_loose or str(words).isdigit():
        return words
    return terms.book.phrase("conditions", "brackets", condition=words)


def named(terms: Terms, name: str) -> str:
    """The title of a function, which is then explained among the words of the game."""
    terms.mentioned.add(name)
    return terms.routine("functions", name)


def function_flag(terms: Terms, name: str) -> Flag:
    return flag(named(terms, name), terms.grammar(("functions", name)))


def is_constant(terms: Terms, arguments: Sequence[nodes.Expression]) -> bool:
    """Whether these are numbers or members by their names, which can stand before a noun: `the cups chest`."""
    return all(isinstance(terms.symbol(one), One) or isinstance(one, nodes.Number) for one in arguments)


def numbered(words: Words) -> dict[str, str]:
    """The number of words, for others that agree like them."""
    return {"number": words.form("number")} if words.has("number") else {}
