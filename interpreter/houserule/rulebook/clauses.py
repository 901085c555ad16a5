"""Expressions in words: values as noun phrases, conditions as clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from houserule.language import nodes
from houserule.language.checked import Family, Kind, Routine
from houserule.language.format import format
from houserule.language.scope import One
from houserule.language.symbols import Option
from houserule.language.types import Bool, List, Player
from houserule.language.types import plain as plain_type
from houserule.language.words import OF_EVERY_GAME
from houserule.rulebook.phrasebook import Part, Words, plain
from houserule.rulebook.shapes import (
    ARITHMETIC,
    CONDITIONS,
    DEEPEST,
    MANY,
    OF_A_LIST,
    OPPOSITES,
    SHORT_CONDITION,
    SHORT_VALUE,
    asked,
    attribute_of_binder,
    beside,
    beside_kind,
    bracketed,
    decided,
    each_of_several,
    everything,
    flag_of,
    function_asked,
    function_flag,
    in_brackets,
    is_backwards,
    is_binder,
    is_condition,
    is_constant,
    is_listed,
    is_me,
    is_one_of_many,
    is_zone,
    leaves_out,
    mentions,
    named,
    numbered,
    opposite,
    owned_by,
    owned_or_not,
    parts_asked,
    phrase_of,
    printed_piece,
    remainder,
    side_that_matters,
    subject,
    that_one,
    who_is_out,
    without_some,
)
from houserule.rulebook.terms import (
    LOCAL_NAMES,
    RELATIVE,
    Terms,
    all_of,
    done,
    holding,
    joined_clauses,
    of_type,
    of_you,
    several,
    there_is,
    together,
    whole,
)
from houserule.telling.labels import plain_words


# complex: a case for each class of node
def value(terms: Terms, node: nodes.Expression) -> Words:
    """An expression as a noun phrase; its source text if there are no words for it."""
    match node:
        case nodes.Number(value=number):
            return plain(str(number))
        case nodes.Truth(value=truth):
            return terms.book.phrase("values", "true" if truth else "false")
        case nodes.Absent():
            return terms.book.phrase("values", "none")
        case nodes.Name() | nodes.Copy():
            return name_in_words(terms, node)
        case nodes.Every(kind=kind):
            return all_of(terms, kind)
        case nodes.ListOf(items=items):
            if not items:
                return terms.book.phrase("values", "empty_list")
            words = listed(terms, items, apart=False)
            return words.plural() if len(items) > 1 else words
        case nodes.Binary():
            return binary(terms, node)
        case nodes.Conditional(then=then, test=test, otherwise=otherwise):
            if (holds := decided(terms, test)) is not None:
                return value(terms, then if holds else otherwise)
            parts = {"then": value(terms, then), "otherwise": value(terms, otherwise)}
            made = terms.book.phrase("values", "conditional", test=condition(terms, test), **parts)
            return made.having(loose="if")
        case nodes.Attribute():
            return attribute(terms, node)
        case nodes.Index(of=nodes.Name(id=name)):
            return indexed(terms, node, name)
        case nodes.Index(of=nodes.Attribute(of=of)) if isinstance(family := terms.symbol(node), Family):
            return belonging(terms, family, of, node.arguments)
        case nodes.Call():
            return call(terms, node)
        case nodes.Sure(operand=operand):
            return value(terms, operand)
        case nodes.Selection():
            return selection(terms, node)
        case nodes.Compare(operator="in", right=source) if is_listed(terms, node):
            return pieces_in(terms, source)  # `x in S` as a list
        case nodes.Range(low=low, high=high):
            ends = {"low": value(terms, low), "high": value(terms, high)}
            return terms.book.phrase("values", terms.book.range_between(*ends.values()), **ends)
        case nodes.Negative(operand=operand):
            return terms.book.phrase("values", "negative", operand=bracketed(terms, value(terms, operand)))
        case nodes.PlayersFrom(first=first):
            return terms.book.phrase("values", "players_from", first=value(terms, first))
        case nodes.WhatIf(value=inner):
            return terms.book.phrase("values", "what_if", value=value(terms, inner), effect=done(terms, node))
        case nodes.Not() | nodes.Compare() | nodes.Is() | nodes.Logic():
            return terms.book.phrase("values", "whether", test=condition(terms, node))
        case _:
            return terms.book.phrase("nouns", "quoted", noun=format(node))


def listed(terms: Terms, items: Sequence[nodes.Expression], apart: bool = True) -> Words:
    return together(terms, beside(terms, [value(terms, item) for item in items], apart))


def name_in_words(terms: Terms, node: nodes.Name | nodes.Copy) -> Words:
    book, name = terms.book, node.id
    if name in terms.locals:
        return terms.locals[name]
    match terms.symbol(node):
        case Family() as family:
            return whole(terms, family)
        case Option(type=type, value=number):
            return plain(terms.labels.value(type, number))
        case Kind(name=kind):
            return all_of(terms, kind)
        case One(kind, number):
            return terms.one(kind, number)
        case Routine(name=routine):
            return called(terms, node, routine, ())
    if name == "opponents" and terms.program.symbols.teams is not None:
        return book.word("opponents_of_team")
    if name in OF_EVERY_GAME or name in ("viewer", "winners", "points", "partners"):
        return book.word("it" if name == "this" else name)
    return book.phrase("nouns", "quoted", noun=terms.routine("functions", name))


def binary(terms: Terms, node: nodes.Binary) -> Words:
    """Arithmetic, and joined lists."""
    left, right = value(terms, node.left), value(terms, node.right)
    if str(left).isdigit() and str(right).isdigit() and (node.operator in "+-*" or int(str(right))):
        return plain(str(ARITHMETIC[node.operator](int(str(left)), int(str(right)))))
    is_one = terms.kind_of(node.left) in ("number", "thing")
    is_list = isinstance(node.left, nodes.Selection | nodes.ListOf) or not is_one
    name = {"+": "joined", "-": "without"}.get(node.operator) if is_list else None
    parts = {"left": in_brackets(terms, node, node.left, left), "right": in_brackets(terms, node, node.right, right)}
    made = terms.book.phrase("values", name or node.operator, **parts)
    return made.plural() if is_list else made.having(loose="yes")


# --- zones, variables and what is printed ---------------------------------------------------------------------------


def attribute(terms: Terms, node: nodes.Attribute) -> Words:
    """`x.f`: a zone or variable of x, a printed attribute, or a function of x."""
    match terms.symbol(node):
        case Family() as family:
            return belonging(terms, family, node.of, ())
        case Routine(this=None, name=name):
            return called(terms, node, name, (node.of,))
        case One(kind, number):
            return terms.one(kind, number)
    noun = terms.attribute(node.name)
    if is_me(terms, node.of):
        return terms.book.determined("mine", noun)
    return owned_by(terms, noun, owner_of(terms, node.of))


def owner_of(terms: Terms, node: nodes.Expression) -> Words:
    """What an attribute is printed on: for a place, the piece that lies there."""
    words = value(terms, node)
    if is_zone(terms, node):
        return terms.book.phrase("values", "lying_in", noun=terms.noun_of_kind(terms.kind_of(node)), zone=words)
    return words


def indexed(terms: Terms, node: nodes.Index, name: str) -> Words:
    """`patch[wood]`, `worth[morel]`, `square[1, 2]`."""
    family, arguments = terms.symbol(node), node.arguments
    if isinstance(family, Family):
        if family.owned or len(arguments) == 1:
            return belonging(terms, family, arguments[0], arguments[1:])
        return at_index(terms, terms.family(family), arguments)
    if isinstance(family, Routine):
        return called(terms, node, family.name, arguments)
    kind = terms.kind(name)
    if kind is None:
        return terms.book.phrase("values", "table", name=terms.routine("tables", name), index=listed(terms, arguments))
    if (number := printed_piece(terms, kind, arguments)) is not None:
        return terms.one(kind, number)
    types, noun = [plain_type(kind.attribute_types[one]) for one in kind.product_names], terms.noun_of_kind(name)
    if isinstance(types[0], Player) and len(types) == len(arguments) < 3:
        for other in arguments[1:]:
            noun = terms.book.numbered(noun, str(bracketed(terms, value(terms, other))))
        return owned_by(terms, noun, value(terms, arguments[0]))
    pairs = [
        terms.book.phrase("values", "coordinate", name=terms.attribute(one).form("bare"), value=value(terms, given))
        for one, given in zip(kind.product_names, arguments, strict=False)
    ]
    index = together(terms, pairs) if len(pairs) == len(arguments) else listed(terms, arguments)
    return terms.book.phrase("values", "piece_at", noun=noun, index=index)


def at_index(terms: Terms, noun: Words, arguments: Sequence[nodes.Expression]) -> Words:
    """An entry of a family: `the cups chest`, `the chest for the card’s suit`."""
    kind = "at" if is_constant(terms, arguments) else "at_any"
    return terms.book.determined(kind, noun, index=listed(terms, arguments))


def belonging(terms: Terms, family: Family, owner: nodes.Expression, rest: Sequence[nodes.Expression]) -> Words:
    if not rest and isinstance(owner, nodes.Number):
        return terms.book.numbered(terms.family(family), str(owner.value))
    if rest and not is_constant(terms, rest):
        whole = belonging(terms, family, owner, ())
        return terms.book.phrase("nouns", "for_index", noun=whole, index=listed(terms, rest)).having(**numbered(whole))
    noun = terms.family(family)
    at = "_at" if rest else ""
    index = listed(terms, rest) if rest else None
    if is_me(terms, owner):
        return terms.book.determined(f"mine{at}", noun, index=index)
    words = value(terms, owner)
    if not family.owned and not rest and getattr(family, "of_kind", None) is None and not words.has(RELATIVE):
        return at_index(terms, noun, (owner,))
    return owned_by(terms, noun, words, at, index)


def call(terms: Terms, node: nodes.Call) -> Words:
    """`f(a, b)`: an operation in the words of the phrase book, a function of the game by its name."""
    match node.function, terms.symbol(node):
        case nodes.Attribute(of=of), Routine(name=name):
            return called(terms, node, name, (of, *node.arguments))
        case _, Routine(name=name):
            return called(terms, node, name, node.arguments)
        case nodes.Name(id=name), _:
            name, arguments = asked(name, node.arguments)
        case _:
            return terms.book.phrase("nouns", "quoted", noun=format(node))
    if name in CONDITIONS:
        return terms.book.phrase("values", "whether", test=condition(terms, node))
    if name == "distinct" and isinstance(arguments[0], nodes.ListOf):
        return value(terms, arguments[0])
    key = phrase_of(terms, name, arguments)
    if not terms.book.has("functions", key):
        return called(terms, node, name, arguments)
    if key == "first" and format(arguments[0]) == "players":
        return terms.book.phrase("values", "first_player")
    given = beside(terms, [value(terms, one) for one in arguments], apart=name == "abs")
    key = of_you(terms, key, given)
    parts: dict[str, Part | None] = {str(place): words for place, words in enumerate(given)}
    parts["*"] = together(terms, given)
    if is_zone(terms, arguments[0]) and key in OF_A_LIST:
        parts["0"] = pieces_in(terms, arguments[0])
    if name in ("most", "least"):
        parts |= with_most(terms, arguments[0])
    shown, kind = terms.book.as_many("functions", key, str(given[-1])), terms.kind_of(arguments[0])
    if name == "place" and terms.kind_of(node) != "thing":
        shown, kind = "place_of", terms.kind_of(node)
    elif name == "distinct" and not given[0].has("many"):
        shown = "distinct_any"
    made = terms.book.without_article(terms.book.phrase("functions", shown, noun=terms.noun_of_kind(kind), **parts))
    return made.plural() if key in MANY else made


def with_most(terms: Terms, node: nodes.Expression) -> dict[str, Part | None]:
    """The parts of `most(S by K)`: a list, and what is greatest, which may be a noun; none without a key."""
    if not isinstance(node, nodes.Selection) or node.by is None:
        return {}
    keyed, kind = parts_of(terms, node)
    name = "by" if attribute_of_binder(terms, node.by, node.binder) is not None else "key"
    return {name: keyed["by"], "0": several(terms, terms.noun_of_kind(kind), {**keyed, "by": None})}


def called(terms: Terms, node: nodes.Expression, name: str, arguments: Sequence[nodes.Expression]) -> Words:
    """A function of the game: its paraphrase if it has no title, else its name with what it is asked for."""
    routine = terms.symbol(node)
    if isinstance(routine, Routine) and routine.result == Bool():
        return terms.book.phrase("values", "whether", test=truth(terms, node, negated=False))
    if (inside := paraphrased(terms, name, arguments)) is not None:
        return value(inside[1], inside[0])
    quoted = terms.book.phrase("nouns", "quoted", noun=named(terms, name))
    given = listed(terms, arguments, apart=False) if arguments else None
    made = terms.book.phrase("values", "call", name=quoted, arguments=given)
    return made.plural() if is_listed(terms, node) else made.having(loose="yes") if arguments else made


def paraphrased(
    terms: Terms, name: str, arguments: Sequence[nodes.Expression]
) -> tuple[nodes.Expression, Terms] | None:
    """The expression of a function without title and text, and the terms in which its parameters are the arguments."""
    found = terms.labels.definition.functions.get(name)
    if found is None or not is_paraphrase(terms, name) or len(found.parameters) != len(arguments):
        return None
    if terms.depth >= DEEPEST or isinstance(found.body, nodes.Block):
        return None
    names = (one.name or "it" for one in found.parameters)
    given = {one: pieces_in(terms, argument) for one, argument in zip(names, arguments, strict=True)}
    me = {"me": terms.locals["me"]} if "me" in terms.locals else {}
    return found.body, replace(terms, locals={**me, **given}, depth=terms.depth + 1)


def is_paraphrase(terms: Terms, name: str) -> bool:
    """Whether a function is told wherever it is used, since it has neither a title nor a text and is short."""
    if name in terms.paraphrases:
        return terms.paraphrases[name]
    terms.paraphrases[name] = False  # while its own words are looked for
    found = terms.labels.definition.functions.get(name)
    routine = terms.program.symbols.functions.get(name)
    if found is None or routine is None or routine.recursive or isinstance(found.body, nodes.Block):
        return False
    if found.text is not None or terms.at("functions", name, "title") is not None:
        return False
    inside = replace(terms, locals={}, depth=1, mentioned=set())  # tried only: nobody reads it
    for parameter in found.parameters:
        inside = inside.given(parameter)
    is_value = routine.result is None or of_type(routine.result) != "condition"
    limit = (SHORT_VALUE if is_value else SHORT_CONDITION) * (1 if terms.book.tables["capitals"] else 0.5)
    terms.paraphrases[name] = len(str(value(inside, found.body))) <= limit
    return terms.paraphrases[name]


def selection(terms: Terms, node: nodes.Selection) -> Words:
    """`E for x in S where P by K`: the members; as `one` and `bare` one of them."""
    if node.around:
        outer, *others = node.around
        kind = terms.kind_of(outer.source)
        if everything(terms, outer.source) and is_binder(node.value or node.source, node.binder):
            each_one = terms.book.determined("each", terms.noun_of_kind(kind))
            return selection(terms.inner(outer.binder, kind, each_one), replace(node, around=tuple(others)))
        inner = selection(terms.inner(outer.binder, kind), replace(node, around=tuple(others)))
        around, _ = parts_of(terms, outer)
        made = terms.book.phrase("values", "mapped_again", **{**around, "value": inner})
        many = terms.book.phrase("values", "mapped_again", **{**around, "value": inner.form("many")})
        return made.having(many=str(many)) if inner.has("many") else made
    parts, kind = parts_of(terms, node)
    book, noun = terms.book, terms.noun_of_kind(kind)
    if node.value is not None:
        if is_binder(node.value, node.binder):
            return several(terms, noun, parts)
        name = attribute_of_binder(terms, node.value, node.binder)
        if name is not None and name.has("counted"):
            is_named = format(node.source) in (*terms.locals, "opponents", "partners")
            is_all = is_named and parts["where"] is None and parts["by"] is None
            owners = value(terms, node.source) if is_all else several(terms, noun, parts)
            one = {"many": str(book.phrase("values", "attributes_many", attribute=name, owners=owners))}
            return book.phrase("values", "attributes", attribute=name, owners=owners).having(**one).plural()
        return book.phrase("values", "mapped", **parts).having(many=str(book.phrase("values", "mapped_many", **parts)))
    if node.where is None and node.by is not None and not is_zone(terms, node.source):
        return book.phrase("values", "sorted", **{**parts, "source": value(terms, node.source)}).plural()
    return several(terms, noun, parts)


def sourced(terms: Terms, source: nodes.Expression) -> Words:
    """A list from which something is taken, with the form `from` for the words before it."""
    words = terms.book.phrase("values", "backwards") if is_backwards(terms, source) else value(terms, source)
    if words.has("from"):
        return words
    phrase = "from_zone" if is_zone(terms, source) else "from_range" if isinstance(source, nodes.Range) else "from"
    return words.having(**{"from": str(terms.book.phrase("values", phrase, source=words))})


def pieces_in(terms: Terms, node: nodes.Expression) -> Words:
    """A value, in which a zone is the pieces that lie there."""
    if not is_zone(terms, node) or not is_listed(terms, node):
        return owner_of(terms, node)
    noun = terms.noun_of_kind(terms.kind_of(node))
    return several(terms, noun, {"source": sourced(terms, node), "where": None, "by": None})


def unfolded(
    terms: Terms, source: nodes.Expression, kind: str, words: Words
) -> tuple[Terms, nodes.Expression, Words | None]:
    """The list behind lists that only leave members out, and all that they leave out in one clause: never `for which … for which`.
    `words` call a member of the list."""
    found: list[Words] = []
    if isinstance(source, nodes.Compare):
        source = source.right  # `x in S` as a list
    elif (others := without_some(terms, source)) is not None:
        source, some = others
        found = [terms.book.phrase("conditions", "other_than", one=value(terms, some))]
    while (inner := list_of(terms, source)) is not None:
        terms, selection = inner
        inside = terms.inner(selection.binder, kind, words)
        where = restriction(inside, selection.where, selection.binder, kind)
        found = [where, *found] if where is not None else found
        source = selection.source
    return terms, source, joined_clauses(terms, found)


def list_of(terms: Terms, source: nodes.Expression) -> tuple[Terms, nodes.Selection] | None:
    """A list that another is a part of, perhaps that of a function that is told where it is used."""
    asked = function_asked(terms, source)
    inside = paraphrased(terms, *asked) if asked is not None else (source, terms)
    match inside:
        case nodes.Selection(by=None, around=()) as selection, within if leaves_out(selection):
            return within, selection
    return None


def parts_of(terms: Terms, node: nodes.Selection) -> tuple[dict[str, Words | str | None], str]:
    kind = terms.kind_of(node.source)
    inside = terms.inner(node.binder, kind)
    shown, noun = inside.locals[node.binder or "it"], terms.noun_of_kind(kind)
    is_second = node.binder is not None and terms.is_taken(terms.book.determined("definite", noun), node.binder)
    is_counted = kind == "number" and node.binder is not None
    around, source, where = unfolded(terms, node.source, kind, shown)
    parts: dict[str, Words | str | None] = {
        "noun": terms.book.numbered(noun, plain_words(node.binder or "")) if is_second or is_counted else noun,
        "value": bracketed(inside, value(inside, node.value)) if node.value is not None else None,
        "binder": shown,
        "source": sourced(around, source) if not everything(around, source) else None,
        "where": joined_clauses(terms, [where, restriction(inside, node.where, node.binder, kind)]),
        "by": keys_in_words(inside, node.by, node.binder) if node.by is not None else None,
    }
    return parts, kind


def keys_in_words(terms: Terms, by: nodes.Expression, binder: str | None) -> Words:
    """What a list is sorted by: `cost`, or `the cost of the one after the card`."""
    found = []
    for key in by.items if isinstance(by, nodes.ListOf) else (by,):
        one = key.operand if isinstance(key, nodes.Negative) else key
        words = attribute_of_binder(terms, one, binder) or terms.own_order(one, binder) or value(terms, one)
        found.append(words if one is key else terms.book.phrase("values", "greatest_first", key=words))
    return reduce(lambda a, b: terms.book.phrase("values", "then_by", first=a, second=b), beside(terms, found))


# --- restrictions ---------------------------------------------------------------------------------------------------


def restriction(terms: Terms, test: nodes.Expression | None, binder: str | None, kind: str) -> Words | None:
    """A condition on the members of a list as a relative clause, in the plural and as `sg`; None if it always holds."""
    test = beside_kind(test, binder, kind) if test is not None else None
    if test is None or decided(terms, test):
        return None
    noun = terms.noun_of_kind(kind)
    made = {form: relative(terms, test, binder or "it", noun, form, kind) for form in ("pl", "sg")}
    return Words({"nom": str(made["pl"]), "sg": str(made["sg"])})


def relative(
    terms: Terms, test: nodes.Expression, binder: str, noun: Words, number: str, kind: str, negated: bool = False
) -> Words:
    """`whose cost is 3 and whose suit is cups`, or `for which …`."""
    book = terms.book
    ending = "pl" if number == "pl" else noun.forms.get("gender", "")
    if isinstance(test, nodes.Logic) and (test.operator == "and") is not negated:
        sides = [side for side in (test.left, test.right) if decided(terms, side) is None]
        # What comes last may have a `whose` within it, behind which another one would be read as of the same.
        sides.sort(key=lambda side: not (isinstance(side, nodes.Logic) or is_told_of(terms, side, binder)))
        if len(sides) < 2 or any(is_told_of(terms, side, binder) for side in sides):
            made = [relative(terms, side, binder, noun, number, kind, negated) for side in sides]
            return made[0] if len(made) == 1 else book.phrase("conditions", "where_and", left=made[0], right=made[1])
    return told_of(terms, test, binder, ending, number, kind, negated)


def told_of(
    terms: Terms, test: nodes.Expression, binder: str, ending: str, number: str, kind: str, negated: bool
) -> Words:
    """One clause of those: `whose cost is 3`, `who are out of the game`, `for which “bent” holds`."""
    book, person = terms.book, "person" if kind == "player" else ""
    how = is_told_of(terms, test, binder)
    if how == "that" and not book.has("nouns", "that"):
        how = ""
    if how in ("whose", "that", "clause"):
        that = book.form_for("that", ending, person)
        forms = {**that.forms, RELATIVE: ending or "m", "number": "pl" if number == "pl" else ""}
        inside = replace(terms, locals={**terms.locals, binder: Words(forms)})
        return book.phrase("conditions", "relative", test=condition(inside, test, negated))
    without = replace(terms, locals={**terms.locals, binder: Words({"nom": "", RELATIVE: "-"})})
    shown = condition(without if how == "flag" else terms, test, negated)
    ends = [end for end in (ending, person) if end and book.has("conditions", f"which_{end}")]
    return book.phrase("conditions", f"which_{ends[-1]}" if ends else "which", test=shown)


def is_told_of(terms: Terms, test: nodes.Expression, binder: str) -> str:
    """How a condition can be told of the member of a list: `whose` for what is printed on it, `that` for itself, `clause`
    for what a clause says of it, `flag` for a name that holds for it; empty if in no such way."""
    match test:
        case nodes.Not(operand=operand):
            return is_told_of(terms, operand, binder)
        case nodes.Compare(left=operand, right=nodes.Absent()) | nodes.Is(operand=operand, kind="none"):
            return is_told_of(terms, operand, binder) if owned_or_not(terms, operand) is not None else ""
        case nodes.Compare(left=left, right=right) if not mentions(right, binder):
            found = remainder(test)
            return subject(terms, found[1] if found is not None else left, binder)
        case nodes.Is(operand=operand):
            return subject(terms, operand, binder)
        case nodes.Call(function=nodes.Name(id="any" | "empty"), arguments=(inner,)) if is_zone(terms, inner):
            return is_told_of(terms, inner, binder)
        case nodes.Attribute(of=of) | nodes.Call(arguments=(of,)) | nodes.Index(arguments=(of,)) if is_binder(
            of, binder
        ):
            if who_is_out(terms, test) is not None or owned_or_not(terms, test) is not None:
                return "that"
            if is_zone(terms, test):
                return "whose"
            held, asked = flag_of(terms, test), function_asked(terms, test)
            if held is None and asked is not None and not is_paraphrase(terms, asked[0]):
                held = function_flag(terms, asked[0]), asked[1]
            return "" if held is None or len(held[1]) > 1 else "clause" if terms.is_clause(held[0]) else "flag"
    return ""


# --- conditions -----------------------------------------------------------------------------------------------------


# complex: a case for each class of node
def condition(terms: Terms, node: nodes.Expression, negated: bool = False) -> Words:
    """A condition as a clause; with `negated` the opposite one. The form `sub` is for a clause after `wenn`, `dass`, and `joint`
    says what joins its parts, if it is more than a single clause."""
    book = terms.book
    if (holds := decided(terms, node)) is not None:
        return book.phrase("conditions", "always" if holds is not negated else "never")
    match node:
        case nodes.Not(operand=operand):
            return condition(terms, operand, not negated)
        case nodes.WhatIf(value=inner):
            return book.phrase("conditions", "what_if", test=condition(terms, inner, negated), effect=done(terms, node))
        case nodes.Compare():
            return comparison(terms, node, negated)
        case nodes.Is(operand=operand, kind="none", negated=other):
            return presence(terms, operand, negated is not other)
        case nodes.Is(operand=operand, kind=kind, negated=other):
            name, words = f"{opposite(negated is not other)}is", value(terms, operand)
            noun = terms.noun_of_kind(kind)
            noun = noun.having(indef=noun.form("pl")) if words.forms.get("number") == "pl" else noun
            return book.phrase("conditions", name, operand=words, kind=noun)
        case nodes.Logic():
            return logic(terms, node, negated)
        case nodes.Call(function=nodes.Name(id=name), arguments=(inner,)) if name in CONDITIONS:
            return quantified(terms, name, inner, negated)
        case nodes.Conditional(then=then, test=test, otherwise=otherwise):
            shown_then, shown_else = condition(terms, then, negated), condition(terms, otherwise, negated)
            parts = {"then": shown_then, "otherwise": shown_else, "test": condition(terms, test)}
            return book.phrase("conditions", "conditional", **parts).having(joint="if")
        case nodes.Sure(operand=operand):
            return condition(terms, operand, negated)
    return truth(terms, node, negated)


def comparison(terms: Terms, node: nodes.Compare, negated: bool) -> Words:
    """A comparison as a clause: with a range, with true or false, with none, of two conditions, or of two values."""
    book, left = terms.book, node.left
    if (found := remainder(node, negated)) is not None:
        name, operand, divisor = found
        return book.phrase("conditions", name, left=value(terms, operand), right=value(terms, divisor))
    shown = OPPOSITES[node.operator] if negated else node.operator
    match shown, node.right:
        case "in" | "not in", nodes.Range(low=low, high=high):
            ends = {"low": value(terms, low), "high": value(terms, high)}
            return book.phrase("conditions", f"{opposite(shown != 'in')}within", left=value(terms, left), **ends)
        case "in" | "not in", place if is_zone(terms, place):
            several, name = each_of_several(terms, place), f"{opposite(shown != 'in')}in_zone"
            parts = {"left": value(terms, left), "right": several or value(terms, place)}
            return book.phrase("conditions", f"{name}s" if several is not None else name, **parts)
        case "==" | "!=", nodes.Truth(value=is_true):
            return condition(terms, left, (shown == "==") is not is_true)
        case "==" | "!=", nodes.Absent():
            return presence(terms, left, shown != "==")
        case "==" | "!=", right if is_condition(terms, left) and is_condition(terms, right):
            sides = {"left": condition(terms, left), "right": condition(terms, right)}
            name = "both_or_neither" if shown == "==" else "one_of_both"
            return book.phrase("conditions", name, **sides).having(joint=name)
        case "==" | "!=", nodes.ListOf(items=(_,)):
            shown = f"{opposite(shown != '==')}only"
    other = that_one(terms, node.right, value(terms, node.right))
    words = {"left": book.said_to_be(value(terms, left), other), "right": other}
    return book.phrase("conditions", shown.replace(" ", "_"), **words)


def presence(terms: Terms, node: nodes.Expression, is_there: bool) -> Words:
    """Whether there is something; the first of a list is there if anything of it is."""
    if is_zone(terms, node):
        return filled(terms, node, is_there)
    if isinstance(node, nodes.Call) and format(node.function) in ("first", "last") and len(node.arguments) == 1:
        return quantified(terms, "any", node.arguments[0], not is_there)
    if (printed := owned_or_not(terms, node)) is not None:
        symbol, name = terms.symbol(printed), "has" if is_there else "has_no"
        noun = terms.family(symbol) if isinstance(symbol, Family) else terms.attribute(printed.name)
        return terms.book.phrase("conditions", name, owner=owner_of(terms, printed.of), noun=noun)
    words, name = value(terms, node), "present" if is_there else "absent"
    if terms.kind_of(node) in ("number", "thing", "condition"):
        name = f"{name}_value"
    elif not words.has("indef" if is_there else "no") or is_one_of_many(terms, node, words):
        name = f"{name}_thing"
    return terms.book.phrase("conditions", terms.book.of_person(name, terms.kind_of(node)), operand=words)


def filled(terms: Terms, zone: nodes.Expression, is_there: bool) -> Words:
    """Whether there is something in a zone: of several that are named as a whole, in one of them at least."""
    several = each_of_several(terms, zone) if is_there else None
    name = "not_all_empty" if several is not None else "not_empty" if is_there else "empty"
    return terms.book.phrase("conditions", name, **{"0": several or value(terms, zone)})


def truth(terms: Terms, node: nodes.Expression, negated: bool) -> Words:
    """A value as a clause: a player who is out, a variable that holds, a zone with something in it, or something that is there."""
    book, no = terms.book, opposite(negated)
    if (player := who_is_out(terms, node)) is not None:
        return book.phrase("conditions", f"{no}eliminated", **{"0": value(terms, player)})
    if (held := flag_of(terms, node)) is not None:
        flag, owners = held
        if len(owners) > 1:
            return holding(terms, flag, listed(terms, owners, apart=False), negated, is_clause=False)
        return holding(terms, flag, owner_of(terms, owners[0]) if owners else None, negated)
    if (asked := function_asked(terms, node)) is not None:
        return function_holds(terms, *asked, negated)
    if is_listed(terms, node) and not is_zone(terms, node):
        return there_is(terms, f"{no}any", value(terms, node))
    if terms.kind_of(node) in ("condition", "thing") and not is_zone(terms, node):
        return book.phrase("conditions", f"{no}holds", name=value(terms, node), arguments=None)
    return presence(terms, node, not negated)


def function_holds(terms: Terms, name: str, arguments: Sequence[nodes.Expression], negated: bool) -> Words:
    """A function of the game as a condition: its paraphrase, or that it holds for something."""
    result = getattr(terms.program.symbols.functions.get(name), "result", None)
    if (inside := paraphrased(terms, name, arguments)) is not None:
        return condition(inside[1], inside[0], negated)
    words = listed(terms, arguments, apart=False) if arguments else None
    if result is not None and of_type(result) != "condition":
        quoted = terms.book.phrase("nouns", "quoted", noun=named(terms, name))
        made = terms.book.phrase("values", "call", name=quoted, arguments=words)
        if isinstance(result, List):
            return there_is(terms, f"{opposite(negated)}any", made)
        return terms.book.phrase("conditions", "absent_value" if negated else "present_value", operand=made)
    is_clause = len(arguments) < 2 and not any(terms.kind_of(one) in LOCAL_NAMES for one in arguments)
    return holding(terms, function_flag(terms, name), words, negated, is_clause)


def quantified(terms: Terms, name: str, inner: nodes.Expression, negated: bool) -> Words:
    """`any`, `all` and `empty`: a condition for each of a list, or things that are there."""
    if (both := parts_asked(name, inner)) is not None:
        return condition(terms, both, negated)
    asks_conditions = isinstance(inner, nodes.Selection) and inner.value is not None and name != "empty"
    if name == "empty":
        name, negated = "any", not negated
    book, no = terms.book, opposite(negated)
    if name == "any" and is_zone(terms, inner):
        return filled(terms, inner, not negated)
    if not isinstance(inner, nodes.Selection) or not (inner.around or asks_conditions):
        return there_is(terms, f"{no}{name}", value(terms, inner))
    outer, is_not_all = inner.around[0] if inner.around else inner, name == "all" and negated
    parts, kind = parts_of(terms, outer)
    inside = terms.inner(outer.binder, kind)
    if inner.around:
        rest = replace(inner, around=inner.around[1:])
        if rest.value is not None and not rest.around and not is_condition(inside, rest.value):
            rest = replace(rest, value=None)  # whatever it is, there is one
        told = quantified(inside, name, rest, is_not_all)
    else:
        assert inner.value is not None
        if name == "any" and not is_condition(inside, inner.value):
            return there_is(terms, f"{no}any", value(terms, inner))
        told = condition(inside, inner.value, is_not_all)
    given: dict[str, Part | None] = {**parts, "condition": told}
    return book.phrase("conditions", "any_each" if is_not_all else f"{no}{name}_each", **given).having(joint="each")


def logic(terms: Terms, node: nodes.Logic, negated: bool) -> Words:
    """`a and b`, `a or b`; negation swaps them."""
    if (only := side_that_matters(terms, node)) is not None:
        return condition(terms, only, negated)
    shown = OPPOSITES[node.operator] if negated else node.operator
    sides = []
    for side in (node.left, node.right):
        clause = condition(terms, side, negated)
        if clause.forms.get("joint", shown) != shown:
            clause = terms.book.phrase("conditions", "brackets", condition=clause)
        sides.append(clause)
    # A clause inside ends before the next one begins.
    is_apart = ", " in sides[0].form("sub") and terms.book.has("conditions", f"{shown}_apart")
    made = terms.book.phrase("conditions", f"{shown}_apart" if is_apart else shown, left=sides[0], right=sides[1])
    return made.having(joint=shown)
