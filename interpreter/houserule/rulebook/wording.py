"""Expressions and conditions in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from houserule.language import nodes
from houserule.language.checked import Family, Kind, Routine, Variable, Zone
from houserule.language.format import format
from houserule.language.scope import One
from houserule.language.symbols import Option
from houserule.language.types import Bool
from houserule.language.words import OF_EVERY_GAME
from houserule.rulebook.phrasebook import Words, plain
from houserule.rulebook.terms import Terms, of_type

CONDITIONS = frozenset(("any", "all", "empty"))
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in"}


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
            return terms.book.phrase("values", "every", noun=terms.noun_of_kind(kind))
        case nodes.ListOf(items=items):
            return plain(listed(terms, items)) if items else terms.book.phrase("values", "empty_list")
        case nodes.Range(low=low, high=high):
            return terms.book.phrase("values", "range", low=value(terms, low), high=value(terms, high))
        case nodes.Negative(operand=operand):
            return terms.book.phrase("values", "negative", operand=value(terms, operand))
        case nodes.Binary():
            return binary(terms, node)
        case nodes.Conditional(then=then, test=test, otherwise=otherwise):
            if (holds := decided(terms, test)) is not None:
                return value(terms, then if holds else otherwise)
            parts = {"then": value(terms, then), "otherwise": value(terms, otherwise)}
            return terms.book.phrase("values", "conditional", test=condition(terms, test), **parts)
        case nodes.Attribute():
            return attribute(terms, node)
        case nodes.Index(of=nodes.Name(id=name)):
            return indexed(terms, node, name)
        case nodes.Call():
            return call(terms, node)
        case nodes.Sure(operand=operand):
            return value(terms, operand)
        case nodes.PlayersFrom(first=first):
            return terms.book.phrase("values", "players_from", first=value(terms, first))
        case nodes.Selection():
            return selection(terms, node)
        case nodes.WhatIf(value=inner):
            return terms.book.phrase("values", "what_if", value=value(terms, inner), effect=done(terms, node))
        case nodes.Not() | nodes.Compare() | nodes.Is() | nodes.Logic():
            return plain(condition(terms, node))
        case _:
            return terms.book.phrase("nouns", "quoted", noun=format(node))


def done(terms: Terms, node: nodes.WhatIf) -> str:
    return " ".join(terms.told(terms, one) for one in node.effect).removesuffix(".").removesuffix("。")


def listed(terms: Terms, items: Sequence[nodes.Expression]) -> str:
    return terms.book.listed([value(terms, item) for item in items])


def name_in_words(terms: Terms, node: nodes.Name | nodes.Copy) -> Words:
    book, name = terms.book, node.id
    if name in terms.locals:
        return terms.locals[name]
    match terms.symbol(node):
        case Family() as family:
            return book.determined("definite", terms.family(family))
        case Option(type=type, value=number):
            return plain(terms.labels.value(type, number))
        case Kind(name=kind):
            return book.phrase("values", "every", noun=terms.noun_of_kind(kind))
        case One(kind, number):
            return terms.member(kind, number)
    if name in OF_EVERY_GAME or name in ("viewer", "winners", "points"):
        return book.word("it" if name == "this" else name)
    return book.phrase("nouns", "quoted", noun=terms.routine("functions", name))


def binary(terms: Terms, node: nodes.Binary) -> Words:
    """Arithmetic, and joined lists."""
    left, right = value(terms, node.left), value(terms, node.right)
    if node.operator in "+-*" and str(left).isdigit() and str(right).isdigit():
        one, two = int(str(left)), int(str(right))
        return plain(str(one + two if node.operator == "+" else one - two if node.operator == "-" else one * two))
    is_list = isinstance(node.left, nodes.Selection | nodes.ListOf) or terms.kind_of(node.left) not in (
        "number",
        "thing",
    )
    name = {"+": "joined", "-": "without"}.get(node.operator) if is_list else None
    return terms.book.phrase("values", name or node.operator, left=left, right=right)


def attribute(terms: Terms, node: nodes.Attribute) -> Words:
    """`x.f`: a zone or variable of x, a printed attribute, or a function of x."""
    match terms.symbol(node):
        case Family() as family:
            return belonging(terms, family, node.of, ())
        case Routine(name=name):
            return called(terms, name, (node.of,))
        case One(kind, number):
            return terms.member(kind, number)
    noun = terms.attribute(node.name)
    if is_me(terms, node.of):
        return terms.book.determined("mine", noun)
    return terms.book.determined("of", noun, owner=value(terms, node.of))


def is_me(terms: Terms, node: nodes.Expression) -> bool:
    return isinstance(node, nodes.Name) and node.id == "me" and "me" not in terms.locals


def indexed(terms: Terms, node: nodes.Index, name: str) -> Words:
    """`patch[wood]`, `worth[morel]`."""
    family, arguments = terms.symbol(node), node.arguments
    if not isinstance(family, Family):
        index = listed(terms, arguments)
        return terms.book.phrase("values", "table", name=terms.routine("tables", name), index=index)
    if family.owned or (family.parameters and getattr(family, "of_kind", None)):
        return belonging(terms, family, arguments[0], arguments[1:])
    return terms.book.determined("at", terms.family(family), index=index_of(terms, arguments))


def index_of(terms: Terms, arguments: Sequence[nodes.Expression]) -> Words:
    words = [value(terms, one) for one in arguments]
    return words[0] if len(words) == 1 else plain(terms.book.listed([one.form("bare") for one in words]))


def everything(terms: Terms, source: nodes.Expression) -> bool:
    """Whether a list has all of a kind, so that its words can be omitted."""
    is_players = isinstance(source, nodes.Name) and source.id == "players"
    return is_players or isinstance(source, nodes.Every) or isinstance(terms.symbol(source), Kind)


def belonging(terms: Terms, family: Family, owner: nodes.Expression, rest: Sequence[nodes.Expression]) -> Words:
    noun = terms.family(family)
    at = "_at" if rest else ""
    index = index_of(terms, rest) if rest else None
    if is_me(terms, owner):
        return terms.book.determined(f"mine{at}", noun, index=index)
    if not family.owned and not rest and getattr(family, "of_kind", None) is None:
        return terms.book.determined("at", noun, index=value(terms, owner))
    return terms.book.determined(f"of{at}", noun, owner=value(terms, owner), index=index)


def call(terms: Terms, node: nodes.Call) -> Words:
    """`f(a, b)`: an operation in the words of the phrase book, a function of the game by its name."""
    match node.function, terms.symbol(node):
        case nodes.Attribute(of=of), Routine(name=name):
            return called(terms, name, (of, *node.arguments))
        case _, Routine(name=name):
            return called(terms, name, node.arguments)
        case nodes.Name(id=name), _:
            arguments = node.arguments
        case _:
            return terms.book.phrase("nouns", "quoted", noun=format(node))
    if name in CONDITIONS:
        return plain(condition(terms, node))
    longer = f"{name}_{len(arguments)}"
    key = longer if terms.book.has("functions", longer) else name
    if not terms.book.has("functions", key):
        return called(terms, name, arguments)
    parts = {str(place): value(terms, argument) for place, argument in enumerate(arguments)}
    if is_zone(terms, arguments[0]):
        pieces = terms.noun_of_kind(terms.kind_of(arguments[0]))
        where = {"source": parts["0"], "where": None, "by": None}
        parts["0"] = terms.book.phrase("values", "selection", noun=pieces, **where) if name == "count" else parts["0"]
    parts["*"] = plain(listed(terms, arguments))
    if name in ("most", "least") and isinstance(arguments[0], nodes.Selection) and arguments[0].by is not None:
        keyed, kind = parts_of(terms, arguments[0])
        parts["by"] = plain(str(keyed["by"]))
        parts["0"] = terms.book.phrase("values", "selection", **{**keyed, "by": None, "noun": terms.noun_of_kind(kind)})
    return terms.book.phrase("functions", key, noun=terms.noun_of_kind(terms.kind_of(arguments[0])), **parts)


def called(terms: Terms, name: str, arguments: Sequence[nodes.Expression]) -> Words:
    quoted = terms.book.phrase("nouns", "quoted", noun=terms.routine("functions", name))
    return terms.book.phrase("values", "call", name=quoted, arguments=listed(terms, arguments) if arguments else None)


def selection(terms: Terms, node: nodes.Selection) -> Words:
    """`E for x in S where P by K`: the members; as `one` and `bare` one of them."""
    if node.around:
        outer, *others = node.around
        inside = terms.inner(outer.binder, terms.kind_of(outer.source))
        inner = selection(inside, replace(node, around=tuple(others)))
        around, kind = parts_of(terms, outer)
        return terms.book.phrase("values", "mapped", **{**around, "value": inner, "noun": terms.noun_of_kind(kind)})
    parts, kind = parts_of(terms, node)
    book, noun = terms.book, terms.noun_of_kind(kind)
    if node.value is not None:
        return book.phrase("values", "mapped", noun=noun, **parts)
    if node.where is None and node.by is not None:
        return book.phrase("values", "sorted", **parts)
    one = {form: str(book.phrase("values", f"selection_{form}", noun=noun, **parts)) for form in ("one", "bare", "no")}
    return Words({**book.phrase("values", "selection", noun=noun, **parts).forms, **one})


def parts_of(terms: Terms, node: nodes.Selection) -> tuple[dict[str, Words | str | None], str]:
    kind = terms.kind_of(node.source)
    inside = terms.inner(node.binder, kind)
    shown = inside.locals[node.binder or "it"]
    keys = node.by.items if isinstance(node.by, nodes.ListOf) else (node.by,) if node.by is not None else ()
    parts: dict[str, Words | str | None] = {
        "value": value(inside, node.value) if node.value is not None else None,
        "binder": shown,
        "source": value(terms, node.source) if not everything(terms, node.source) else None,
        "where": restriction(inside, node.where),
        "by": terms.book.listed([value(inside, key) for key in keys]) if keys else None,
    }
    return parts, kind


# --- conditions -----------------------------------------------------------------------------------------------------


def restriction(terms: Terms, test: nodes.Expression | None) -> str | None:
    """A condition on the members of a list; None if there is none, or it always holds."""
    return None if test is None or decided(terms, test) else condition(terms, test)


def condition(terms: Terms, node: nodes.Expression, negated: bool = False) -> str:
    """A condition as a clause; with `negated` the opposite one."""
    book = terms.book
    if (holds := decided(terms, node)) is not None:
        return str(book.phrase("conditions", "always" if holds is not negated else "never"))
    match node:
        case nodes.Not(operand=operand):
            return condition(terms, operand, not negated)
        case nodes.WhatIf(value=inner):
            shown = condition(terms, inner, negated)
            return str(book.phrase("values", "what_if", value=shown, effect=done(terms, node)))
        case nodes.Compare():
            return comparison(terms, node, negated)
        case nodes.Is(operand=operand, kind=kind, negated=other):
            words = ("absent", "present") if kind == "none" else ("is", "not_is")
            noun = terms.noun_of_kind(kind) if kind != "none" else None
            return str(book.phrase("conditions", words[negated is not other], operand=value(terms, operand), kind=noun))
        case nodes.Logic():
            return logic(terms, node, negated)
        case nodes.Call(function=nodes.Name(id=name), arguments=(inner,)) if name in CONDITIONS:
            each = "_each" if is_each(inner) and name == "any" else ""
            return str(
                book.phrase("conditions", f"{opposite(negated)}{name}{each}", **{"0": gathered(terms, name, inner)})
            )
        case nodes.Conditional(then=then, test=test, otherwise=otherwise):
            shown_then, shown_else = condition(terms, then, negated), condition(terms, otherwise, negated)
            parts = {"then": shown_then, "otherwise": shown_else, "test": condition(terms, test)}
            return str(book.phrase("values", "conditional", **parts))
        case nodes.Selection() if node.value is not None:
            parts_there, _ = parts_of(terms, node)
            return str(book.phrase("conditions", "for_all", condition=parts_there["value"], **parts_there))
    return truth(terms, node, negated)


def opposite(negated: bool) -> str:
    return "not_" if negated else ""


def comparison(terms: Terms, node: nodes.Compare, negated: bool) -> str:
    """A comparison as a clause: with a range, with true or false, with none, or of two values."""
    book, left = terms.book, node.left
    shown = OPPOSITES[node.operator] if negated else node.operator
    match shown, node.right:
        case "in" | "not in", nodes.Range(low=low, high=high):
            ends = {"low": value(terms, low), "high": value(terms, high)}
            return str(book.phrase("conditions", f"{opposite(shown != 'in')}within", left=value(terms, left), **ends))
        case "==" | "!=", nodes.Truth(value=is_true):
            return condition(terms, left, (shown == "==") is not is_true)
        case "==" | "!=", nodes.Absent():
            name = "absent" if shown == "==" else "present"
            return str(book.phrase("conditions", name, operand=value(terms, left)))
    words = {"left": value(terms, left), "right": value(terms, node.right)}
    return str(book.phrase("conditions", shown.replace(" ", "_"), **words))


def truth(terms: Terms, node: nodes.Expression, negated: bool) -> str:
    """A value as a clause: a player who is out, a variable that holds, a zone with something in it, or something that is there."""
    book, no = terms.book, opposite(negated)
    if (player := who_is_out(terms, node)) is not None:
        return str(book.phrase("conditions", f"{no}eliminated", **{"0": value(terms, player)}))
    if (flag := flag_of(terms, node)) is not None:
        return str(book.phrase("conditions", f"{no}holds", operand=flag))
    if is_zone(terms, node):
        return str(book.phrase("conditions", "empty" if negated else "not_empty", **{"0": value(terms, node)}))
    if terms.kind_of(node) in ("condition", "thing"):
        return str(book.phrase("conditions", f"{no}holds", operand=value(terms, node)))
    return str(book.phrase("conditions", "absent" if negated else "present", operand=value(terms, node)))


def who_is_out(terms: Terms, node: nodes.Expression) -> nodes.Expression | None:
    """The player who is tested for elimination, in a game with elimination."""
    match node, terms.symbol(node):
        case nodes.Attribute(of=player) | nodes.Call(arguments=(player,)), Routine(is_of_me=True):
            return player
    return None


def flag_of(terms: Terms, node: nodes.Expression) -> Words | None:
    """A truth variable, by its title in quotes and its owner."""
    variable = terms.symbol(node)
    if not isinstance(variable, Variable) or of_type(variable.type) != "condition":
        return None
    match node:
        case nodes.Attribute(of=of) | nodes.Index(of=nodes.Name(), arguments=(of,)):
            owner: Words | None = value(terms, of)
        case nodes.Name():
            owner = None
        case _:
            return None
    name = variable.name
    title = terms.book.capital(terms.labels.prose(terms.labels.definition.variables[name].title, name))
    quoted = terms.book.phrase("nouns", "quoted", noun=title)
    return terms.book.phrase("values", "call", name=quoted, arguments=owner)


def is_zone(terms: Terms, node: nodes.Expression) -> bool:
    is_place = isinstance(node, nodes.Name | nodes.Attribute | nodes.Index)
    return is_place and isinstance(terms.symbol(node), Zone)


def is_each(inner: nodes.Expression) -> bool:
    return isinstance(inner, nodes.Selection) and inner.value is not None


def gathered(terms: Terms, name: str, inner: nodes.Expression) -> Words:
    """The argument of `any`, `all` and `empty`: conditions for each of a list, or things."""
    if is_each(inner) and name != "empty":
        assert isinstance(inner, nodes.Selection)
        assert inner.value is not None
        parts, _ = parts_of(terms, inner)
        inside = terms.inner(inner.binder, terms.kind_of(inner.source))
        is_condition = name == "all" or inside.kind_of(inner.value) == "condition"
        parts["condition"] = condition(inside, inner.value) if is_condition else str(value(inside, inner.value))
        return terms.book.phrase("conditions", "for_all", noun=terms.noun_of_kind(terms.kind_of(inner.source)), **parts)
    return value(terms, inner)


def decided(terms: Terms, node: nodes.Expression) -> bool | None:
    """Whether a condition holds in all matches with these rules, or in none; None if that varies."""
    match node, terms.symbol(node):
        case nodes.Truth(value=truth), _:
            return truth
        case nodes.Name(), Option(type=Bool(), value=setting):
            return bool(setting)
        case nodes.Not(operand=operand), _:
            inner = decided(terms, operand)
            return None if inner is None else not inner
        case nodes.Logic(left=left, operator=operator, right=right), _:
            sides, decides = (decided(terms, left), decided(terms, right)), operator == "or"
            return decides if decides in sides else None if None in sides else not decides
    return None


def logic(terms: Terms, node: nodes.Logic, negated: bool) -> str:
    """`a and b`, `a or b`; negation swaps them."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if decided(terms, side) is not None:
            return condition(terms, other, negated)
    shown = node.operator if not negated else "or" if node.operator == "and" else "and"
    sides = []
    for side in (node.left, node.right):
        text = condition(terms, side, negated)
        if isinstance(side, nodes.Logic) and side.operator != node.operator:
            text = str(terms.book.phrase("conditions", "brackets", condition=text))
        sides.append(text)
    return str(terms.book.phrase("conditions", shown, left=sides[0], right=sides[1]))
