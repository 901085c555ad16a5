"""What an expression is, as far as it matters for the words it gets, and the words around a value: whose it is, and brackets."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from houserule.language import nodes
from houserule.language.checked import Family, Kind, Routine, Variable, Zone
from houserule.language.format import format
from houserule.language.scope import AttributeOf, One
from houserule.language.symbols import Option
from houserule.language.trees import walk
from houserule.language.types import Bool, List, Maybe, none_of
from houserule.rulebook.phrasebook import Words
from houserule.rulebook.terms import RELATIVE, Flag, Terms, flag, of_type

ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod}
CONDITIONS = frozenset(("any", "all", "empty"))
"""Functions of lists that are told as clauses."""
OPPOSITES = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in",
    "and": "or", "or": "and",
}  # fmt: skip
"""The operator that a negation makes of another."""
MANY = frozenset(("first_2", "first_2_any", "last_2", "reverse", "most", "least", "distinct"))
"""Functions whose words are a plural."""
OF_A_LIST = frozenset(
    "count sum first first_any first_2 first_2_any last last_2 item distinct reverse most least min max".split()
)
"""Functions for which a zone is the pieces in it."""

SHORT_VALUE, SHORT_CONDITION = 60, 100
"""The longest paraphrase of a function without a title, in letters; longer ones are told in a section of their own."""
DEEPEST = 3
"""How deep paraphrases may stand in each other."""


def is_me(terms: Terms, node: nodes.Expression) -> bool:
    return isinstance(node, nodes.Name) and node.id == "me" and "me" not in terms.locals


def printed_piece(terms: Terms, kind: Kind, arguments: Sequence[nodes.Expression]) -> int | None:
    """The number of a piece that is named by constants; None if it is not."""
    cell = []
    for argument in arguments:
        match argument, terms.symbol(argument):
            case nodes.Number(value=number), _:
                cell.append(number)
            case _, One(_, number):
                cell.append(number)
    found = kind.cells.get(tuple(cell)) if len(cell) == len(arguments) else None
    has_a_title = found is not None and str(terms.member(kind, found)) != str(terms.noun_of_kind(kind.name))
    return found if has_a_title else None


def everything(terms: Terms, source: nodes.Expression) -> bool:
    """Whether a list has all of a kind, so that its words can be omitted."""
    is_players = isinstance(source, nodes.Name) and source.id == "players"
    return is_players or isinstance(source, nodes.Every) or isinstance(terms.symbol(source), Kind)


def is_backwards(terms: Terms, source: nodes.Expression) -> bool:
    """Whether a list has all of a kind in reverse order, so that only the order need be said."""
    match source:
        case nodes.Call(function=nodes.Name(id="reverse"), arguments=(inner,)):
            return everything(terms, inner)
    return False


def without_some(terms: Terms, node: nodes.Expression) -> tuple[nodes.Expression, nodes.Expression] | None:
    """All of a kind, or all players in turn, and those that are left out of them by name."""
    match node:
        case nodes.Binary(left=all, operator="-", right=nodes.ListOf() as some):
            return (all, some) if isinstance(all, nodes.PlayersFrom) or everything(terms, all) else None
    return None


def is_binder(node: nodes.Expression, binder: str | None) -> bool:
    return isinstance(node, nodes.Name) and node.id == (binder or "it")


def beside_kind(test: nodes.Expression, binder: str | None, kind: str) -> nodes.Expression | None:
    """What a condition says beside the kind of a member, which its noun says already; None if nothing."""
    match test:
        case nodes.Is(operand=operand, kind=named, negated=False) if named == kind and is_binder(operand, binder):
            return None
        case nodes.Logic(operator="and"):
            left, right = beside_kind(test.left, binder, kind), beside_kind(test.right, binder, kind)
            return replace(test, left=left, right=right) if left is not None and right is not None else left or right
    return test


def opposite(negated: bool) -> str:
    return "not_" if negated else ""


def mentions(node: nodes.Node, name: str) -> bool:
    """Whether an expression names something."""
    return any(isinstance(one, nodes.Name) and one.id == name for one in walk(node))


def parts_asked(name: str, node: nodes.Expression) -> nodes.Logic | None:
    """What `any(a + b)` and `empty(a + b)` ask of each of the lists."""
    if name not in ("any", "empty") or not isinstance(node, nodes.Binary) or node.operator != "+":
        return None
    left, right = (nodes.Call(node.span, nodes.Name(node.span, name), (one,)) for one in (node.left, node.right))
    return nodes.Logic(node.span, left, "or" if name == "any" else "and", right)


def is_condition(terms: Terms, node: nodes.Expression) -> bool:
    is_clause = isinstance(node, nodes.Compare | nodes.Logic | nodes.Not | nodes.Is)
    return is_clause or (terms.kind_of(node) == "condition" and not isinstance(node, nodes.Truth))


def is_listed(terms: Terms, node: nodes.Expression) -> bool:
    return isinstance(terms.meanings.types.get(node), List)


def who_is_out(terms: Terms, node: nodes.Expression) -> nodes.Expression | None:
    """The player who is tested for elimination, in a game with elimination."""
    match node, terms.symbol(node):
        case nodes.Attribute(of=player) | nodes.Call(arguments=(player,)), Routine(name="eliminated", is_of_me=True):
            return player
    return None


def flag_of(terms: Terms, node: nodes.Expression) -> tuple[Flag, tuple[nodes.Expression, ...]] | None:
    """What holds or does not, as words, and of what: a truth variable with its indices, or what is printed on a piece or worked out
    of it."""
    symbol = terms.symbol(node)
    if isinstance(symbol, Variable) and of_type(symbol.type) == "condition":
        match node:
            case nodes.Name():
                return terms.flag(symbol.name), ()
            case nodes.Attribute(of=of):
                return terms.flag(symbol.name), (of,)
            case nodes.Index(of=nodes.Name(), arguments=indices):
                return terms.flag(symbol.name), tuple(indices)
            case nodes.Index(of=nodes.Attribute(of=of), arguments=indices):
                return terms.flag(symbol.name), (of, *indices)
    is_printed = isinstance(symbol, AttributeOf) or (isinstance(symbol, Routine) and symbol.this is not None)
    if isinstance(node, nodes.Attribute) and is_printed and terms.kind_of(node) == "condition":
        return (terms.printed_flag(node.name), (node.of,)) if not is_listed(terms, node) else None
    return None


def owned_or_not(terms: Terms, node: nodes.Expression) -> nodes.Attribute | None:
    """An attribute or a variable that something may lack."""
    if not isinstance(node, nodes.Attribute) or not isinstance(terms.symbol(node), AttributeOf | Variable):
        return None
    return node if terms.kind_of(node) not in ("number", "thing", "condition") and not is_listed(terms, node) else None


def function_asked(terms: Terms, node: nodes.Expression) -> tuple[str, tuple[nodes.Expression, ...]] | None:
    """The function of the game that an expression calls, and its arguments."""
    match node, terms.symbol(node):
        case nodes.Attribute(of=of), Routine(this=None, name=name):
            return name, (of,)
        case nodes.Call(function=nodes.Attribute(of=of), arguments=others), Routine(name=name):
            return name, (of, *others)
        case nodes.Call(arguments=arguments) | nodes.Index(arguments=arguments), Routine(name=name):
            return name, tuple(arguments)
        case nodes.Name(), Routine(name=name):
            return name, ()
    return None


def is_zone(terms: Terms, node: nodes.Expression) -> bool:
    is_place = isinstance(node, nodes.Name | nodes.Attribute | nodes.Index)
    return is_place and isinstance(terms.symbol(node), Zone)


def each_of_several(terms: Terms, node: nodes.Expression) -> Words | None:
    """The noun for each zone of several that are named as a whole; None for anything else."""
    family = terms.symbol(node) if isinstance(node, nodes.Name) and is_zone(terms, node) else None
    noun = terms.family(family) if isinstance(family, Family) and family.size > 1 else None
    return noun if noun is not None and (noun.has("counted") or noun.forms.get("gender")) else None


def is_unordered(terms: Terms, node: nodes.Expression) -> bool:
    """Whether pieces lie in a zone in which order means nothing: none of them is the first or on top."""
    if isinstance(node, nodes.Selection) and leaves_out(node) and node.by is None and not node.around:
        return is_unordered(terms, node.source)
    symbol = terms.symbol(node)
    return is_zone(terms, node) and isinstance(symbol, Zone) and not symbol.ordered


def verb_from(terms: Terms, name: str, source: nodes.Expression | None) -> str:
    """The phrase for a verb: where pieces come from a zone without order, that for any of them if there is one."""
    is_any = source is not None and terms.book.has("verbs", f"{name}_any") and is_unordered(terms, source)
    return f"{name}_any" if is_any else name


def phrase_of(terms: Terms, name: str, arguments: Sequence[nodes.Expression]) -> str:
    """The phrase for a function: that for so many arguments if there is one, and of things without order that for any of them."""
    last = arguments[-1]
    is_one = name in ("first", "last", "next", "previous") and isinstance(last, nodes.Number) and last.value == 1
    longer = name if is_one else f"{name}_{len(arguments)}"
    key = longer if terms.book.has("functions", longer) else name
    is_any = terms.book.has("functions", f"{key}_any") and is_unordered(terms, arguments[0])
    return f"{key}_any" if is_any else key


def decided(terms: Terms, node: nodes.Expression) -> bool | None:
    """Whether a condition holds in all matches with these rules, or in none; None if that varies."""
    match node, terms.symbol(node):
        case nodes.Truth(value=truth), _:
            return truth
        case nodes.Name(), Option(type=Bool(), value=setting):
            return bool(setting)
        case nodes.Name(), Option(type=Maybe() as type, value=setting):
            return setting != none_of(type)
        case nodes.Compare(left=nodes.Name() as name, operator="==" | "!=" as sign, right=nodes.Absent()), _:
            is_there = decided(terms, name)
            return None if is_there is None else is_there is (sign == "!=")
        case nodes.Is(operand=nodes.Name() as name, kind="none", negated=is_there), _:
            given = decided(terms, name)
            return None if given is None else given is is_there
        case nodes.Not() | nodes.Logic() | nodes.Conditional() | nodes.Call(), _:
            if node not in terms.decided:
                terms.decided[node] = None  # for a function that calls itself
                terms.decided[node] = decided_of_parts(terms, node)
            return terms.decided[node]
    return None


def decided_of_parts(terms: Terms, node: nodes.Not | nodes.Logic | nodes.Conditional | nodes.Call) -> bool | None:
    match node:
        case nodes.Not():
            inner = decided(terms, node.operand)
            return None if inner is None else not inner
        case nodes.Conditional():
            test, then, otherwise = (decided(terms, one) for one in (node.test, node.then, node.otherwise))
            return then if test or (test is None and then is otherwise) else otherwise if test is False else None
        case nodes.Call():
            function = terms.labels.definition.functions.get(getattr(node.function, "id", ""))
            body = function.body if function is not None else None
            return decided(terms, body) if body is not None and not isinstance(body, nodes.Block) else None
    sides, decides = (decided(terms, node.left), decided(terms, node.right)), node.operator == "or"
    return decides if decides in sides else None if None in sides else not decides


def counted(terms: Terms, node: nodes.Expression) -> nodes.Expression:
    """A value in a text, with `count(KIND)` as the number of pieces or members that the rules have."""
    match node:
        case nodes.Binary(left=left, right=right):
            return replace(node, left=counted(terms, left), right=counted(terms, right))
        case nodes.Call(function=nodes.Name(id="count"), arguments=(nodes.Name(id=name),)):
            kind = terms.kind(name)
            return nodes.Number(node.span, len(kind.numbers)) if kind is not None else node
    return node


def attribute_of_binder(terms: Terms, node: nodes.Expression, binder: str | None) -> Words | None:
    """The noun of `x.cost` where x is the member of a list; None for anything else."""
    if not isinstance(node, nodes.Attribute) or not is_binder(node.of, binder):
        return None
    symbol = terms.symbol(node)
    if isinstance(symbol, Routine | One) or is_zone(terms, node):
        return None
    return terms.family(symbol) if isinstance(symbol, Family) else terms.attribute(node.name)


def subject(terms: Terms, node: nodes.Expression, binder: str) -> str:
    if is_binder(node, binder):
        return "that"
    match node:
        case nodes.Attribute(of=of) if is_binder(of, binder) and not is_zone(terms, node):
            return "" if isinstance(terms.symbol(node), Routine) or flag_of(terms, node) is not None else "whose"
    return ""


def remainder(node: nodes.Expression, negated: bool = False) -> tuple[str, nodes.Expression, nodes.Expression] | None:
    """What `x % 2 == 0` says of x: that it is even, odd, or a multiple of something; with `negated` the opposite."""
    match node:
        case nodes.Compare(
            operator="==" | "!=" as sign,
            left=nodes.Binary(operator="%", left=left, right=divisor),
            right=nodes.Number(value=0 | 1 as rest),
        ):
            holds = (sign == "==") is not negated
            if isinstance(divisor, nodes.Number) and divisor.value == 2:
                return "even" if holds is (rest == 0) else "odd", left, divisor
            return (f"{opposite(not holds)}multiple", left, divisor) if rest == 0 else None
    return None


def leaves_out(selection: nodes.Selection) -> bool:
    """Whether a list only leaves members of another one out."""
    return selection.value is None or is_binder(selection.value, selection.binder)


def limited_change(node: nodes.Assign) -> tuple[str, nodes.Expression, nodes.Expression] | None:
    """The change that `x = max(0, x - n)` or `x = min(9, x + n)` is, its amount and its limit."""
    match node.value:
        case nodes.Call(function=nodes.Name(id="min" | "max" as name), arguments=(one, other)):
            sign, change = ("+", "add") if name == "min" else ("-", "subtract")
            for part, limit in (one, other), (other, one):
                match part:
                    case nodes.Binary(left=left) if part.operator == sign and format(left) == format(node.target):
                        return change, part.right, limit
    return None


# --- words around values ----------------------------------------------------------------------------------------------


def owned_by(terms: Terms, noun: Words, owner: Words, at: str = "", index: Words | None = None) -> Words:
    if owner.forms.get("number") == "you":
        return terms.book.determined(f"mine{at}", noun, index=index)
    if owner.has(RELATIVE) and not at:
        kind = f"whose_of_{owner.form(RELATIVE)}"
        return terms.book.determined(kind if terms.book.has("nouns", kind) else "whose", noun)
    return terms.book.determined(f"of{at}", noun, owner=owner, index=index)


def that_one(terms: Terms, node: nodes.Expression, words: Words) -> Words:
    """The words of what something is compared with: `that suit` for a local name that is called by its kind alone."""
    if not isinstance(node, nodes.Name) or node.id not in terms.locals or not is_kind_alone(terms, node, words):
        return words
    return terms.book.determined("that_one", terms.noun_of_kind(terms.kind_of(node)))


def is_kind_alone(terms: Terms, node: nodes.Expression, words: Words) -> bool:
    """Whether a value is told by its kind alone: `the suit`."""
    return str(words) == str(terms.book.determined("definite", terms.noun_of_kind(terms.kind_of(node))))


def in_brackets(terms: Terms, around: nodes.Binary, part: nodes.Expression, words: Words) -> Words:
    """The words of one side, in brackets if they would otherwise be read with what stands on the other side."""
    is_right = part is around.right
    match part:
        case nodes.Binary(operator="+" | "-"):
            is_loose = around.operator not in "+-" or (is_right and around.operator == "-")
        case nodes.Binary(operator="%"):
            is_loose = not is_right or around.operator not in "+-"
        case nodes.Binary():
            is_loose = is_right and around.operator not in "+-"
        case nodes.Conditional(test=test):
            is_loose = decided(terms, test) is None
        case nodes.Call(function=nodes.Name(id="min" | "max"), arguments=[_, _, *_]):
            is_loose = not is_right
        case nodes.Call(function=nodes.Name(id="clamp")):
            is_loose = True
        case nodes.Call(function=nodes.Name(id="abs"), arguments=arguments):
            is_loose = not is_right or len(asked("abs", arguments)[1]) == 1
        case nodes.Call(arguments=[nodes.Selection(where=where, value=inner), *_]) if where is not None or isinstance(
            inner, nodes.Binary
        ):
            is_loose = not is_right
        case nodes.Index(arguments=[_, _, *_]):
            is_loose = not is_right
        case nodes.WhatIf():
            is_loose = True
        case _:
            is_loose = words.has("loose")
    return bracketed(terms, words.having(loose="yes")) if is_loose else words


def asked(name: str, arguments: Sequence[nodes.Expression]) -> tuple[str, Sequence[nodes.Expression]]:
    """What an operation is called in the phrase book, and what it is asked for: `abs(a - b)` is the difference of two."""
    match name, arguments:
        case "abs", [nodes.Binary(operator="-", left=left, right=right)]:
            return "abs_difference", (left, right)
    return name, arguments


def bracketed(terms: Terms, words: Words) -> Words:
    """The words of a value beside others: in brackets if they depend on a condition or are arithmetic."""
    if not words.has("loose") or str(words).isdigit():
        return words
    return terms.book.phrase("conditions", "brackets", condition=words.having(loose=""))


def beside(terms: Terms, words: list[Words], apart: bool = False) -> list[Words]:
    """Values beside one another, so that each can be told from the others; and `apart` from what follows."""
    return [bracketed(terms, one) for one in words] if apart or len(words) > 1 else words


def named(terms: Terms, name: str) -> str:
    """The title of a function, which is then explained among the words of the game."""
    terms.mentioned.add(name)
    return terms.routine("functions", name)


def function_flag(terms: Terms, name: str) -> Flag:
    return flag(named(terms, name), terms.grammar(("functions", name)))


def is_constant(terms: Terms, arguments: Sequence[nodes.Expression]) -> bool:
    """Whether these are numbers or members by their names, which can stand before a noun: `the cups chest`."""
    return all(isinstance(terms.symbol(one), One) or isinstance(one, nodes.Number) for one in arguments)


def is_one_of_many(terms: Terms, node: nodes.Expression, words: Words) -> bool:
    """Whether a name is told by its kind alone, of which there are always some: that there is a player would say nothing."""
    kind = terms.program.symbols.kinds.get(terms.kind_of(node))
    if not isinstance(node, nodes.Name) or (kind is not None and kind.lies):
        return False
    return is_kind_alone(terms, node, words)


def numbered(words: Words) -> dict[str, str]:
    """The number of words, for others that agree like them."""
    return {"number": words.form("number")} if words.has("number") else {}


def side_that_matters(terms: Terms, node: nodes.Logic) -> nodes.Expression | None:
    """The other side of one that always holds, or never does; None if neither is such."""
    sides = (node.left, node.right), (node.right, node.left)
    return next((other for side, other in sides if decided(terms, side) is not None), None)
