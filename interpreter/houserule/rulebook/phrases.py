"""Words put together: lists of nouns, some of a kind, what belongs to something, and that something holds or is there."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.language import nodes
from houserule.language.scope import One
from houserule.rulebook.phrasebook import Words
from houserule.rulebook.shapes import decided
from houserule.rulebook.terms import RELATIVE, Flag, Terms, flag


def together(terms: Terms, words: Sequence[Words], joint: str = "and") -> Words:
    """Nouns as a list, in each case of the language."""
    if len(words) == 1:
        return words[0]
    cases = (*terms.book.cases, "bare")
    return Words({case: terms.book.listed([word.form(case) for word in words], joint) for case in cases})


def so_many(terms: Terms, count: Words, noun: Words) -> Words:
    """A number of things: `1 card`, `3 cards`."""
    alone = Words(
        {"nom": str(noun), "pl": str(noun), **{form: noun.form(form) for form in ("counter",) if noun.has(form)}}
    )
    return terms.book.phrase("nouns", "several", count=count, noun=alone if str(count) == "1" else noun)


def all_of(terms: Terms, kind: str) -> Words:
    noun = terms.noun_of_kind(kind)
    return terms.book.phrase("values", "every", noun=noun).having(many=noun.form("pl")).plural()


def several(terms: Terms, noun: Words, parts: dict[str, Words | str | None]) -> Words:
    """Some of a kind, in each form: all of them, one of them, none of them."""
    phrase = terms.book.phrase
    forms = ["one", "bare", "no", "many"]
    forms += [form for form in ("there", "there_no") if terms.book.has("values", f"selection_{form}")]
    given = {"noun": noun, **parts}
    made = {form: str(phrase("values", f"selection_{form}", **given)) for form in forms}
    where = parts["where"]
    made["tail"] = where.form("sg") if isinstance(where, Words) else ""
    for form in ("one", "no"):
        made[f"head_{form}"] = str(phrase("values", f"selection_{form}", **{**given, "where": None}))
    return phrase("values", "selection", **given).having(**made).plural()


def there_is(terms: Terms, name: str, words: Words) -> Words:
    """That there is something of a list, or nothing; its restriction follows the verb in some languages."""
    tail = words.forms.get("tail") or None
    return terms.book.phrase("conditions", name, tail=tail, **{"0": words})


def holding(terms: Terms, flag: Flag, owner: Words | None, negated: bool, is_clause: bool = True) -> Words:
    """That a name holds for something: the clause that it is, if it is one, or `“name” holds for …`."""
    is_left_out = owner is not None and owner.has(RELATIVE) and not str(owner)
    clause = terms.clause(flag, owner, negated) if is_clause and (not is_left_out or flag.clause) else None
    if clause is not None:
        return clause
    quoted = terms.book.phrase("nouns", "quoted", noun=flag.title)
    return terms.book.phrase(
        "conditions", "not_holds" if negated else "holds", name=quoted, arguments=None if is_left_out else owner
    )


def joined_clauses(terms: Terms, clauses: Sequence[Words | None]) -> Words | None:
    """Relative clauses about the same things as one."""
    given = [one for one in clauses if one is not None]
    if len(given) < 2:
        return given[0] if given else None
    made = given[0]
    for one in given[1:]:
        forms = {form: (made.form(form), one.form(form)) for form in ("nom", "sg")}
        both = {f: str(terms.book.phrase("conditions", "where_and", left=a, right=b)) for f, (a, b) in forms.items()}
        made = Words(both)
    return made


def of_you(terms: Terms, key: str, given: Sequence[Words]) -> str:
    """The phrase for a function of the reader, if there is one: `your position`."""
    is_you = given[-1].forms.get("number") == "you"
    return f"{key}_you" if is_you and terms.book.has("functions", f"{key}_you") else key


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
