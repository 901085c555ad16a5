"""Who sees what: the token of an expression, the known facts, and the secret of reading a zone or variable."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

from houserule.frozen import frozen
from houserule.language import checked as c
from houserule.language import types
from houserule.language.symbols import SymbolTable
from houserule.language.trees import changed, expressions, inner_parts
from houserule.secrecy.labels import DEEPEST, EVERYBODY, PUBLIC, Label, Names, Secret, Token, mentions, shortened

AS_IT_IS = frozenset({"snapshot", "as list", "live", "reverse", "distinct", "metered", "alone", "chained"})
"""Operators whose result has the pieces of their list, perhaps in another order."""
VIEWER: Token = ("viewer",)
MOST_INLINED = 20
"""The expressions of a function that is looked into where it decides who sees something."""
MOST_COMPARED = 20
"""The comparisons that may be known for others to be concluded from them."""

Facts = Mapping[Token, bool]
"""Conditions that are known to hold, or known not to."""


def token(node: c.Expression, names: Names, depth: int = DEEPEST) -> Token:
    """What an expression denotes. `names` are the tokens of local names; a missing one denotes itself.

    Nothing is known below `depth`.
    """
    if depth == 0:
        return None
    match node:
        case c.Constant(value=value):
            return ("constant", value)
        case c.Local(name=name):
            return names.get(name, ("local", name))
        case c.ReadVariable(variable=variable, index=index):
            return compound(("variable", variable.name), index, names, depth)
        case c.AllPieces(zone=zone):
            return ("zone", zone.name)
        case c.Pile(zone=zone, index=index):
            return compound(("zone", zone.name), index, names, depth)
        case c.Single(pile=pile):
            return compound(("single",), (pile,), names, depth)
        case c.Printed(attribute=attribute, of=of):
            return compound(("printed", attribute), (of,), names, depth)
        case c.LookUp(table=table, index=index):
            return compound(("table", table.name), index, names, depth)
        case c.Call(function=function, arguments=arguments, me=me):
            given = (*arguments, me) if me is not None and function.needs_me else arguments
            return compound(("call", function.name), given, names, depth)
        case c.Select(value=None, binder=binder, source=source, where=where, by=by):
            inner = Inside(names, binder, ("member", depth))
            conditions = () if where is None else (where,)
            return compound(("select", len(conditions)), (source, *conditions, *by), inner, depth)
        case c.Apply(operator=types.PARTNERS | types.RIVALS as operator, arguments=(_, me)):
            return compound((operator.name,), (me,), names, depth)
        case c.Apply(operator=operator, arguments=arguments):
            return compound((operator.name,), arguments, names, depth)
        case _:
            return None


def compound(head: tuple[object, ...], inner: Sequence[c.Expression], names: Names, depth: int) -> Token:
    """A token made of those of some expressions; None if one of them has none."""
    tokens = tuple(token(node, names, depth - 1) for node in inner)
    return None if None in tokens else shortened((*head, *tokens))


@frozen
class Inside:
    """Names where one more denotes something, such as each member of a list in its condition."""

    names: Names
    name: str
    denotes: Token

    def get(self, name: str, otherwise: Token, /) -> Token:
        return self.denotes if name == self.name else self.names.get(name, otherwise)


def whole(source: c.Expression) -> c.Expression:
    """A list without operators that only copy it."""
    while isinstance(source, c.Apply) and source.operator.name in AS_IT_IS:
        source = source.arguments[0]
    return source


# --- facts ------------------------------------------------------------------------------------------------------------


def truth(node: c.Expression, names: Names, facts: Facts) -> bool | None:
    """Whether a condition holds; None if that is unknown."""
    match node:
        case c.Constant(value=value):
            return bool(value)
        case c.Apply(operator=types.NOT, arguments=(inner,)):
            found = truth(inner, names, facts)
            return None if found is None else not found
        case c.Apply(operator=types.AND | types.OR as operator, arguments=arguments):
            known, decides = [truth(inner, names, facts) for inner in arguments], operator is types.OR
            return decides if decides in known else None if None in known else not decides
        case c.Apply(operator=types.EQUAL | types.NOT_EQUAL as operator, arguments=(a, b)):
            found = same(a, b, names, facts)
            return found if operator is types.EQUAL or found is None else not found
    said = token(node, names)
    found = next((facts[known] for known in general(said, facts) if known in facts), None)
    return follows(said, facts) if found is None else found


def general(known: Token, facts: Facts) -> Iterator[Token]:
    """What is said of something: of itself, of all its kind, of all players, or of all in a list that its index is in."""
    yield known
    match known:
        case ("single", pile):
            yield from general(pile, facts)
        case ("zone", name, _, *_):
            yield "zone", name
    match known:
        case ("zone", name):
            yield "zone", name, EVERYBODY
        case ("zone" | "variable" as kind, name, index):
            yield kind, name, EVERYBODY
            for fact, holds in facts.items():
                match fact:
                    case ("in", one, listed) if holds and one == index:
                        yield kind, name, ("members", listed)


def members(listed: Token) -> Token:
    """The token of a list whose order does not matter."""
    match listed:
        case ("select", int(conditions), *parts):
            return ("select", conditions, *parts[: conditions + 1])
        case _:
            return listed


def same(a: c.Expression, b: c.Expression, names: Names, facts: Facts) -> bool | None:
    """Whether two expressions are equal; None if that is unknown."""
    left, right = token(a, names), token(b, names)
    if left is not None and left == right:
        return True
    if isinstance(a, c.Constant) and isinstance(b, c.Constant):
        return a.value == b.value
    if is_beside(left, right) or is_beside(right, left):
        return False
    match left, right:
        case (("table", "teams", one), ("table", "teams", other)) if other in mates(one) or one in mates(other):
            return True
    return facts.get(("==", left, right), facts.get(("==", right, left)))


def closed(facts: dict[Token, bool]) -> dict[Token, bool]:
    """Facts with those that follow: what one of two equal things is equal to, or not, the other is, too, or is not; and where numbers lie."""
    compared = [
        (*known[1:], so)
        for known, so in facts.items()
        if isinstance(known, tuple) and known[0] == "==" and None not in known
    ]
    if len(compared) > MOST_COMPARED:
        return facts
    compared += [(b, a, so) for a, b, so in compared]
    more: dict[Token, bool] = {
        ("==", a, x): so for a, b, equal in compared if equal for y, x, so in compared if b == y and a != x
    }
    more |= facts
    return more | dict.fromkeys(ranges(more), True)


RANGES: Mapping[str, Callable[[int], tuple[float, float]]] = {
    "<": lambda n: (-inf, n - 1),
    "<=": lambda n: (-inf, n),
    ">": lambda n: (n + 1, inf),
    ">=": lambda n: (n, inf),
    "==": lambda n: (n, n),
}
"""Where a number lies that is compared with another."""
CONTRARY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
COMPARED: frozenset[Token] = frozenset((sign,) for sign in CONTRARY)


def range_of(known: Token, holds: bool) -> tuple[Token, float, float] | None:
    """The number that a comparison with a constant is about, and where it lies if that holds, or does not."""
    match known:
        case (str(name), number, ("constant", int(constant))):
            sign = name if holds else CONTRARY.get(name, "")
            return (number, *RANGES[sign](constant)) if sign in RANGES else None
    return None


def ranges(facts: Facts) -> Iterator[Token]:
    """Where all numbers lie that are compared with constants."""
    found: dict[Token, tuple[float, float]] = {}
    for known, holds in facts.items():
        if (one := range_of(known, holds)) is not None:
            number, low, high = one
            lowest, highest = found.get(number, (-inf, inf))
            found[number] = max(low, lowest), min(high, highest)
    return (("between", number, *ends) for number, ends in found.items())


def follows(said: Token, facts: Facts) -> bool | None:
    """Whether a comparison with a constant holds by where its number lies; None if that is unknown."""
    for holds in (True, False):
        if (one := range_of(said, holds)) is not None:
            number, low, high = one
            for fact in facts:
                match fact:
                    case ("between", other, int() | float() as lowest, int() | float() as highest) if other == number:
                        if low <= lowest and highest <= high:
                            return holds
    return None


def learned(node: c.Expression, holds: bool, names: Names, heads: Container[Token]) -> Iterator[tuple[Token, bool]]:
    """The facts where a condition holds, or does not, whose tokens begin with one of these heads."""
    match node:
        case c.Apply(operator=types.NOT, arguments=(inner,)):
            yield from learned(inner, not holds, names, heads)
        case c.Apply(operator=types.AND | types.OR as operator, arguments=arguments):
            if holds == (operator is types.AND):
                for inner in arguments:
                    yield from learned(inner, holds, names, heads)
        case _:
            match token(node, names):
                case ("!=" | "not in" as name, left, right):
                    found: Token = ("==" if name == "!=" else "in", left, right)
                    holds = not holds
                case found:
                    pass
            if found is not None and (head(found) in heads or ("local",) in heads):  # a name may stand for anything
                yield found, holds


def rules_of_sight(symbols: SymbolTable) -> list[c.Expression]:
    """The conditions that decide who sees zones and variables."""
    zones, variables = symbols.zones.values(), symbols.variables.values()
    rules = [*(zone.visible for zone in zones), *(zone.amount for zone in zones), *(one.visible for one in variables)]
    return [rule for rule in rules if not isinstance(rule, str)]


def written_out(node: c.Expression) -> c.Expression | None:
    """What a short function says, in place of its call."""
    match node:
        case c.Call(
            function=c.Routine(parameters=parameters, body=(c.Return(value=value),)), arguments=arguments, me=me
        ):
            if value is not None and len(expressions(value)) <= MOST_INLINED:
                given = {one.name: part for one, part in zip(parameters, arguments, strict=False)} | {"me": me}
                return rewritten(value, lambda one: given.get(one.name) if isinstance(one, c.Local) else None)
    return None


def rewritten(node: c.Expression, by: Callable[[c.Expression], c.Expression | None]) -> c.Expression:
    """An expression with others in place of some of its parts."""

    def inside(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(inside, part))
        return rewritten(part, by) if isinstance(part, c.Checked) else part  # type: ignore[arg-type]  # all are in `Expression`

    found = by(node)
    return found if found is not None else changed(node, **{name: inside(part) for name, part in inner_parts(node)})


def heads_of_sight(rules: Iterable[c.Expression]) -> frozenset[Token]:
    """The heads of the tokens of all conditions in these rules."""
    waiting = [*rules]
    found: set[Token] = set()
    while waiting:
        rule = waiting.pop()
        if isinstance(rule, c.Apply) and rule.operator in (types.NOT, types.AND, types.OR):
            waiting += rule.arguments
        elif (condition := token(rule, {})) is not None:
            found.add(head(condition))
    return frozenset(found)


def head(known: Token) -> Token:
    """The subject of a condition: a variable, an attribute, a comparison."""
    assert isinstance(known, tuple)
    return known[:2] if known[0] in ("variable", "printed", "table") else ("==",) if known[0] == "!=" else known[:1]


# --- what is hidden ---------------------------------------------------------------------------------------------------


def hidden(
    family: c.Family,
    rule: str | c.Expression,
    index: Sequence[Token],
    facts: Facts,
    players: int,
    it: Token = None,
) -> Label:
    """What a rule of sight hides from some players: public where certainly everybody sees it."""
    if rule == "all":
        return PUBLIC
    if rule == "none":
        return frozenset({Secret(family)})
    if rule == "owner":
        if players == 1:
            return PUBLIC
        owner = index[0] if family.owned and index else None
        return frozenset({Secret(family, frozenset({owner}) if owner is not None else frozenset())})
    assert not isinstance(rule, str)
    names = names_of_sight(index, it)
    if truth(rule, names, facts):
        return PUBLIC
    knowers = {
        viewer for viewer in viewers(rule, names, facts, players) if truth(rule, names | {"_viewer": viewer}, facts)
    }
    if family.of_team and isinstance(rule, c.Apply) and isinstance(rule.arguments[0], c.Apply):
        owner = token(rule.arguments[0].arguments[1], names)
        knowers |= {("team", one_of_team(owner, facts))} if owner is not None else set()
    return frozenset({Secret(family, frozenset(knowers))})


def names_of_sight(index: Sequence[Token], it: Token) -> dict[str, Token]:
    """What the names in a rule of sight denote."""
    return {f"index_{position}": known for position, known in enumerate(index)} | {"_it": it, "_viewer": VIEWER}


def unnamed(rule: c.Expression, names: Names, facts: Facts, players: int) -> Iterator[Token]:
    """The viewers of whom a rule of sight does not say who they are: all who meet conditions, as `viewer.scout`, `viewer != p`."""
    if isinstance(rule, c.Apply) and rule.operator is types.OR:
        for one in rule.arguments:
            yield from unnamed(one, names, facts, players)
    elif mentions(token(rule, names), VIEWER) and not is_named(rule, names, players):
        conditions = [one for one in conjuncts(rule) if not truth(one, names, facts)]
        yield "whoever", *(token(one, names) for one in conditions)
        match conditions:
            case [c.Apply(operator=types.EQUAL, arguments=sides)]:
                left, right = (token(side, names) for side in sides)
                yield from (("whoever", ("==", left, other)) for other in compared(right, facts, True))
                yield from (("whoever", ("==", other, right)) for other in compared(left, facts, True))


def conjuncts(rule: c.Expression) -> Iterator[c.Expression]:
    """The conditions that a rule joins with `and`."""
    if isinstance(rule, c.Apply) and rule.operator is types.AND:
        for one in rule.arguments:
            yield from conjuncts(one)
    else:
        yield rule


def is_named(rule: c.Expression, names: Names, players: int) -> bool:
    """Whether a condition holds only of a player, or of a team, that it names."""
    match rule:
        case c.Apply(operator=types.AND, arguments=arguments):
            return any(is_named(one, names, players) for one in arguments)
        case c.Apply(operator=types.EQUAL | types.NOT_EQUAL as operator, arguments=sides):
            found = [one for side in sides if mentions(one := token(side, names), VIEWER)]
            return (
                found == [VIEWER] and players == 2
                if operator is types.NOT_EQUAL
                else any(one == VIEWER or is_team(one) for one in found)
            )
    return False


def fitting(pattern: Token, known: Token) -> Iterator[Token]:
    """The player who stands in a token where another speaks of the viewer."""
    match pattern, known:
        case ("viewer",), ("everybody" | "past" | "members", *_):
            pass
        case ("viewer",), _:
            yield known
        case (str(kind), *inner), (str(same), *others) if kind == same:
            for one, other in zip(inner, others, strict=False):
                yield from fitting(one, other)


def one_of_team(player: Token, facts: Facts) -> Token:
    """The player who stands for the team of this one: the same for all who are known to be partners."""
    known, waiting = {player}, [player]
    while waiting:
        one = waiting.pop()
        for head in ("table", "call"):
            more = {mate for mate in partners((head, "teams", one), facts) if mate is not None} - known
            known |= more
            waiting += more
    return min(known, key=lambda one: (bool(mates(one)), repr(one)))


def viewers(rule: c.Expression, names: Names, facts: Facts, players: int) -> Iterator[Token]:
    """The players of whom a rule may hold: with whom it compares the viewer, others than those, of whom such a fact is known."""
    for node in expressions(rule):
        if isinstance(node, c.Apply) and node.operator in (types.EQUAL, types.NOT_EQUAL):
            sides = [token(side, names) for side in node.arguments]
            for one, other in (sides, sides[::-1]):
                if mentions(one, VIEWER) and other is not None and not mentions(other, VIEWER):
                    is_equal = node.operator is types.EQUAL
                    found = (other, *compared(other, facts, True)) if is_equal else others(other, facts, players)
                    yield from (player for known in found for player in fitting(one, known))
                    if is_team(one) and is_team(other):
                        yield from partners(other, facts)
        elif (pattern := token(node, names)) != VIEWER and mentions(pattern, VIEWER):
            yield from (player for known in facts for player in fitting(pattern, known))


def is_team(known: Token) -> bool:
    """Whether a token is the team of a player."""
    return isinstance(known, tuple) and len(known) > 2 and known[:2] in (("table", "teams"), ("call", "teams"))


def partners(team: Token, facts: Facts) -> Iterator[Token]:
    """The players who are certainly of a team, which is that of a player."""
    assert isinstance(team, tuple)
    yield team[2]
    yield from mates(team[2])
    yield from (other[2] for other in compared(team, facts, True) if isinstance(other, tuple) and is_team(other))


def mates(player: Token) -> tuple[Token, ...]:
    """The player of whose partners this one is one."""
    match player:
        case ("first" | "last" | "item", ("partners", mate), *_):
            return (mate,)
        case _:
            return ()


def is_beside(one: Token, other: Token) -> bool:
    """Whether one is some seats after another in cyclic order, so that they differ."""
    match one:
        case ("next", origin, ("constant", int(steps)), _, ("constant", int(size))) if origin == other:
            return size > 0 and steps % size != 0
        case _:
            return False


def others(player: Token, facts: Facts, players: int) -> Iterator[Token]:
    beside: Token = ("next", player, ("constant", 1), ("constant", 0), ("constant", players))
    if is_beside(beside, player):
        yield beside
    if isinstance(player, tuple) and len(player) > 1 and is_beside(player, player[1]):
        yield player[1]
    yield from compared(player, facts, False)


def compared(one: Token, facts: Facts, is_equal: bool) -> Iterator[Token]:
    """What is known to be equal to something, or different from it."""
    for known, holds in facts.items():
        if holds == is_equal and isinstance(known, tuple) and known[0] == "==" and one in known[1:]:
            yield known[2] if known[1] == one else known[1]


def turned_by(zone: c.Zone) -> Iterator[c.Variable]:
    """The variables of a piece that alone decide whether everybody sees the piece in this zone. Everybody sees such a variable."""
    waiting = [zone.visible]
    while waiting:
        match waiting.pop():
            case c.Apply(operator=types.NOT | types.OR, arguments=arguments):
                waiting += arguments
            case c.ReadVariable(variable=variable, index=(c.Local(name="_it"),)):
                yield variable


def turns(zone: c.Zone, variable: c.Variable) -> bool:
    """Whether a variable of a piece decides who sees the piece in this zone."""
    rule = zone.visible
    return not isinstance(rule, str) and any(
        isinstance(node, c.ReadVariable) and node.variable is variable for node in expressions(rule)
    )
