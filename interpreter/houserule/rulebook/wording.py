"""Rules in words: expressions as noun phrases, conditions as clauses, statements as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from houserule.language import nodes
from houserule.language.checked import Family, Kind, Routine, Variable, Zone
from houserule.language.format import format
from houserule.language.scope import One
from houserule.language.symbols import Option
from houserule.language.types import Bool
from houserule.language.words import OF_EVERY_GAME
from houserule.rulebook.phrasebook import Part, Words, plain
from houserule.rulebook.terms import Line, Terms, lines_as_text, of_type
from houserule.telling.labels import plain_words

CONDITIONS = frozenset(("any", "all", "empty"))
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in"}


PHRASES: dict[type[nodes.Expression], tuple[str, tuple[str, ...]]] = {
    nodes.Range: ("range", ("low", "high")),
    nodes.Negative: ("negative", ("operand",)),
    nodes.PlayersFrom: ("players_from", ("first",)),
}
"""Expressions whose words are a phrase with the words of their parts."""


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
        case nodes.Selection():
            return selection(terms, node)
        case nodes.Range() | nodes.Negative() | nodes.PlayersFrom():
            name, operands = PHRASES[type(node)]
            return terms.book.phrase("values", name, **{one: value(terms, getattr(node, one)) for one in operands})
        case nodes.WhatIf(value=inner):
            return terms.book.phrase("values", "what_if", value=value(terms, inner), effect=done(terms, node))
        case nodes.Not() | nodes.Compare() | nodes.Is() | nodes.Logic():
            return plain(condition(terms, node))
        case _:
            return terms.book.phrase("nouns", "quoted", noun=format(node))


def done(terms: Terms, node: nodes.WhatIf) -> str:
    return " ".join(in_one(terms, one) for one in node.effect).removesuffix(".").removesuffix("。")


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
    if name == "opponents" and terms.program.symbols.teams is not None:
        return book.word("opponents_of_team")
    if name in OF_EVERY_GAME or name in ("viewer", "winners", "points", "partners"):
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
    parts = {"left": in_brackets(terms, node, node.left, left), "right": in_brackets(terms, node, node.right, right)}
    return terms.book.phrase("values", name or node.operator, **parts)


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
        case _:
            is_loose = False
    if not is_loose or str(words).isdigit():
        return words
    return plain(str(terms.book.phrase("conditions", "brackets", condition=words)))


def attribute(terms: Terms, node: nodes.Attribute) -> Words:
    """`x.f`: a zone or variable of x, a printed attribute, or a function of x."""
    match terms.symbol(node):
        case Family() as family:
            return belonging(terms, family, node.of, ())
        case Routine(this=None, name=name):
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
        if terms.kind(name) is None:
            return terms.book.phrase("values", "table", name=terms.routine("tables", name), index=index)
        noun = terms.noun_of_kind(name)
        if noun.forms.get("gender"):
            return terms.book.determined("at", noun, index=plain(index))
        return terms.book.phrase("values", "table", name=noun, index=index)
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
        case nodes.Attribute(of=player) | nodes.Call(arguments=(player,)), Routine(name="eliminated", is_of_me=True):
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


SIGNS = {"-=": "subtract", "*=": "multiply", "//=": "divide", "%=": "remainder"}


def block(terms: Terms, node: nodes.Block | None) -> tuple[Line, ...]:
    """The sentences of a block; each name that a statement declares is known to later ones."""
    if node is None:
        return ()
    lines: list[Line] = []
    for one in node.statements:
        found, terms = statement(terms, one)
        lines += found
    return tuple(lines)


# complex: a case for each kind of statement
def statement(terms: Terms, node: nodes.Statement) -> tuple[list[Line], Terms]:
    match node:
        case nodes.Assign():
            return assigned(terms, node)
        case nodes.Command():
            return command(terms, node)
        case nodes.Say(to=to, text=text):
            name = "say" if to is None else "say_to"
            to_whom = value(terms, to) if to is not None else None
            return [line(terms, name, to=to_whom, text=spoken(terms, text))], terms
        case nodes.If():
            return list(alternatives(terms, node, "if")), terms
        case nodes.For(binder=binder, source=source, body=body):
            parts, inside = each(terms, source, binder)
            return [line(terms, "for", block(inside, body), **parts)], terms
        case nodes.While(test=test, body=body):
            return [line(terms, "while", block(terms, body), test=condition(terms, test))], terms
        case nodes.Repeat(count=count, body=body):
            return [line(terms, "repeat", block(terms, body), count=value(terms, count))], terms
        case nodes.Leave(step=step) | nodes.Finish(step=step):
            name = "leave" if isinstance(node, nodes.Leave) else "finish"
            return [line(terms, f"{name}_step" if step else name, step=terms.step(step) if step else None)], terms
        case nodes.FinishWith(value=result):
            return [line(terms, "finish_with", value=value(terms, result))], terms
        case nodes.EndGame(ending=None):
            return [line(terms, "end_game")], terms
        case nodes.EndGame(ending=ending, of=of):
            whose = value(terms, of) if of is not None else None
            return [line(terms, f"end_game_with_{ending}{'_of' if of is not None else ''}", of=whose)], terms
        case nodes.Nothing():
            return [line(terms, "nothing")], terms
        case nodes.Choose():
            return choose(terms, node)
        case nodes.Menu():
            return [menu(terms, node)], terms
        case nodes.Perform():
            return perform(terms, node)
        case nodes.As(player=player, body=body):
            return [line(terms, "as", block(terms, body), player=value(terms, player))], terms
        case nodes.Together(source=source, binder=binder, body=body):
            parts, inside = each(terms, source, binder)
            return [line(terms, "together", block(inside, body), **parts)], terms
        case nodes.Race(source=source, binder=binder, must=must, result=result):
            parts, inside = each(terms, source, binder)
            parts["must"] = condition(inside, must) if must is not None else None
            return [line(terms, "race", result=plain_words(result), **parts)], terms.inner(result, "player")


def in_one(terms: Terms, node: nodes.Statement) -> str:
    """A statement as one sentence, followed by what belongs below it."""
    lines, _ = statement(terms, node)
    return " ".join(text.strip().removeprefix("- ") for text in lines_as_text(lines))


def line(terms: Terms, name: str, inner: tuple[Line, ...] = (), /, **parts: Part | None) -> Line:
    return Line(terms.book.sentence("statements", name, **parts), inner)


def spoken(terms: Terms, text: nodes.Text) -> str:
    """A sentence of the rules in the reader's language, its values in words."""
    translated = terms.labels.definition.translations.get(terms.book.language, {}).get(text.raw)
    shown = translated if translated is not None else text
    meant = {format(part): part for part in text.parts if not isinstance(part, str)}
    terms = terms.inner("me", "player", terms.book.word("somebody"))
    said = ""
    for part in shown.parts:
        word = part if isinstance(part, str) else str(value(terms, meant.get(format(part), part)))
        first = word.split(" ")[0]
        if not isinstance(part, str) and " " in word and said.lower().endswith(f"{first.lower()} "):
            word = word[len(first) + 1 :]  # "the {card}": the article is there already
        said += word
    begins_with_value = bool(shown.parts) and not isinstance(shown.parts[0], str)
    return terms.book.capital(said) if begins_with_value else said


def each(terms: Terms, source: nodes.Expression, binder: str | None) -> tuple[dict[str, Part | None], Terms]:
    """The parts of a loop's head; and the terms inside."""
    kind = terms.kind_of(source)
    inside = terms.inner(binder, kind)
    parts: dict[str, Part | None] = {"binder": binder_noun(terms, binder, kind), "where": None, "by": None}
    if isinstance(source, nodes.Selection) and source.value is None:
        filtering = inside if source.binder in (binder, None) else terms.inner(source.binder, kind)
        filtering = filtering if source.binder is not None else filtering.inner(None, kind)
        parts["where"] = restriction(filtering, source.where)
        parts["by"] = value(filtering, source.by) if source.by is not None else None
        source = source.source
    parts["source"] = value(terms, source) if not everything(terms, source) else None
    return parts, inside


def binder_noun(terms: Terms, binder: str | None, kind: str) -> Words:
    """One member of a loop's list: a noun without an article."""
    noun = terms.noun_of_kind(kind)
    if binder is not None and kind == "number":
        return terms.book.numbered(noun, plain_words(binder))
    return terms.book.noun(plain_words(binder)) if binder is not None and kind == "thing" else noun


def assigned(terms: Terms, node: nodes.Assign) -> tuple[list[Line], Terms]:
    """The assignment of a variable; a local name becomes another word for its value."""
    shown = value(terms, node.value)
    if isinstance(node.target, nodes.Name) and is_local(terms, node.target.id):
        name = node.target.id
        if node.operator == "=" and name not in terms.locals:
            after = terms.inner(name, terms.kind_of(node.value))
            return [line(terms, "note", target=plain_words(name), value=shown)], after
    target = value(terms, node.target)
    match node.operator, node.value:
        case "=", nodes.Truth(value=truth):
            flag = flag_of(terms, node.target) or target
            return [line(terms, "yes" if truth else "no", target=flag)], terms
        case "=", nodes.Absent():
            return [line(terms, "clear", target=target)], terms
        case "=", _:
            name = "set"
        case "+=", _:
            name = "gain" if isinstance(node.value, nodes.Number | nodes.Name) else "add"
        case sign, _:
            name = SIGNS[sign]
    return [line(terms, name, target=target, value=shown)], terms


def is_local(terms: Terms, name: str) -> bool:
    return name not in terms.program.symbols.variables


def command(terms: Terms, node: nodes.Command) -> tuple[list[Line], Terms]:
    """A verb of the table of operations in the words of the phrase book."""
    given = {one.word: one.value for one in node.prepositions}
    parts: dict[str, Part | None] = {word: value(terms, one) for word, one in given.items() if word not in ("as", "at")}
    name, after = node.verb, terms
    kind = terms.kind_of(given.get("from", node.argument))
    names_place = terms.program.game.analysis.verbs[name].argument == "place"
    if names_place and isinstance(node.argument, nodes.Name) and is_local(terms, node.argument.id):
        after = terms.inner(node.argument.id, kind)
        parts["argument"] = plain_words(node.argument.id)
        if isinstance(given["from"], nodes.Range) and terms.book.has("verbs", f"{name}_dice"):
            name = f"{name}_dice"
    else:
        parts["argument"] = value(terms, node.argument)
    if isinstance(made := given.get("as"), nodes.Name):
        parts["as"] = terms.book.phrase("nouns", "quoted", noun=plain_words(made.id))
        after = after.inner(made.id, kind)
    if is_zone(terms, node.argument) and terms.book.has("verbs", f"{name}_all"):
        name = f"{name}_all"
    match given.get("at"):
        case nodes.Name(id="bottom" | "top" as end):
            name = f"{name}_{end}"
        case nodes.Number() | nodes.Name() | nodes.Binary() | nodes.Call() | nodes.Attribute() as position:
            parts["at"] = terms.book.phrase("verbs", "at", position=value(terms, position))
    if isinstance(node.argument, nodes.Number) and node.argument.value == 1 and terms.book.has("verbs", f"{name}_one"):
        name = f"{name}_one"
    if not terms.book.has("verbs", name):
        return [Line(f"{format(node)}.")], after
    parts["noun"] = terms.noun_of_kind(kind)
    return [Line(terms.book.sentence("verbs", name, **parts))], after


def alternatives(terms: Terms, node: nodes.If, name: str) -> Iterator[Line]:
    """`if`, `elif` and `else`, one below the other."""
    holds = decided(terms, node.test)
    if holds is None:
        yield line(terms, name, block(terms, node.then), test=condition(terms, node.test))
    rest = node.then if holds else node.otherwise
    match rest.statements if rest is not None else ():
        case ():
            return
        case (nodes.If() as other,) if not holds:
            yield from alternatives(terms, other, name if holds is False else "elif")
        case _ if holds is None:
            yield line(terms, "else", block(terms, rest))
        case _:
            yield from block(terms, rest)


def choose(terms: Terms, node: nodes.Choose) -> tuple[list[Line], Terms]:
    """A question: who chooses, from what, and what follows."""
    parts, kind = chosen(terms, node.name, node.source)
    name = "choose" if node.chooser is None else "they_choose"
    parts["chooser"] = value(terms, node.chooser) if node.chooser is not None else None
    if node.count is not None:
        name += "_many"
        count, noun = value(terms, node.count), terms.noun_of_kind(kind)
        alone = Words({"nom": str(noun), "pl": str(noun)})
        parts["count"] = terms.book.phrase("nouns", "several", count=count, noun=alone if str(count) == "1" else noun)
    elif node.chooser is None:
        name += "_one"
    if node.may_pass and node.pass_when is None:
        name += "_pass"
    head = terms.book.sentence("statements", name, **parts)
    after = terms.inner(node.name, kind)
    for part in node.also:
        others, kind = chosen(after, part.name, part.source)
        head = f"{head} {terms.book.sentence('statements', 'chosen_with', **others)}"
        after = after.inner(part.name, kind)
    head = f"{head}{passing(terms, node)}"
    if node.prompt is not None:
        head = f"{head} {line(terms, 'question', prompt=spoken(terms, node.prompt)).text}"
    inner = block(after, node.body)
    lines = [Line(terms.book.tidy(head), inner)]
    if node.otherwise is not None:
        lines.append(line(terms, "no_choice", block(terms, node.otherwise)))
    return lines, after


def chosen(terms: Terms, name: str, source: nodes.Expression) -> tuple[dict[str, Part | None], str]:
    """What is chosen and from what, in parts, and its kind."""
    parts, _ = each(terms, source, None)
    kind = terms.kind_of(source)
    parts["binder"] = terms.book.determined("indefinite", binder_noun(terms, None, kind))
    if kind in ("thing", "number"):
        parts["binder"] = plain(plain_words(name))
    return parts, kind


def passing(terms: Terms, node: nodes.Choose | nodes.Menu) -> str:
    """A sentence about when a question may be passed, if that depends on anything."""
    if node.pass_when is None:
        return ""
    chooser = value(terms, node.chooser) if node.chooser is not None else None
    name = "pass_when" if chooser is None else "they_pass_when"
    said = terms.book.sentence("statements", name, chooser=chooser, when=condition(terms, node.pass_when))
    return f" {said}"


def menu(terms: Terms, node: nodes.Menu) -> Line:
    items = []
    for item in node.items:
        inside: Terms = terms
        parts: dict[str, Part | None] = {}
        if item.values is not None:
            parts, inside = each(terms, item.values, item.values.binder)
        when = condition(inside, item.when) if item.when is not None else None
        name, label = "menu_values" if item.values is not None else "menu_item", spoken(inside, item.label)
        items.append(line(terms, name, block(inside, item.body), label=label, when=when, **parts))
    if node.otherwise is not None:
        items.append(line(terms, "no_choice", block(terms, node.otherwise)))
    name = f"{'menu' if node.chooser is None else 'they_menu'}{'_pass' if node.may_pass and node.pass_when is None else ''}"
    chooser = value(terms, node.chooser) if node.chooser is not None else None
    made = line(terms, name, tuple(items), chooser=chooser, prompt=spoken(terms, node.prompt))
    return Line(f"{made.text}{passing(terms, node)}", made.inner)


def perform(terms: Terms, node: nodes.Perform) -> tuple[list[Line], Terms]:
    """An action by its name, which has its own paragraph; or an effect of something."""
    arguments = listed(terms, node.arguments) if node.arguments else None
    result = plain_words(node.result.id) if node.result is not None else None
    if isinstance(node.callee, nodes.Attribute):
        of = value(terms, node.callee.of)
        name = plain_words(node.callee.name)
        found = line(
            terms, "perform_of_as" if result else "perform_of", name=name, of=of, arguments=arguments, result=result
        )
    else:
        assert isinstance(node.callee, nodes.Name)
        is_window = node.callee.id in terms.labels.definition.windows
        name = terms.routine("windows" if is_window else "actions", node.callee.id)
        found = line(terms, "perform_as" if result else "perform", name=name, arguments=arguments, result=result)
    after = terms.inner(node.result.id, "thing") if node.result is not None else terms
    return [found], after
