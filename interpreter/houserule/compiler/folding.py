"""Constant folding: an expression and the known locals in, its value or a smaller equivalent expression out.

Operators on constants are evaluated by their own Python text; there is no second semantics. Loops over long lists that a
tabulated relation restricts only visit the related members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from houserule.compiler.runtime import entry, world
from houserule.language import checked as c
from houserule.language.checked import Apply, Call, Constant, Expression, Family, Local, Routine, Select
from houserule.language.scope import VISITS_A_UNIT, Budget
from houserule.language.symbols import SymbolTable
from houserule.language.types import AND, AS_LIST, BOOL, CONDITIONAL, EQUAL, NOT_EQUAL, OR, Operator, place_of
from houserule.operations import Fault

MOST_WORK = 200_000
"""The most expressions visited to fold one: more than any constant of a game needs, and less than a second."""
MOST_FOLDED = 1_000_000
"""The most expressions visited to fold a whole program; expressions after that are left as they are."""
LONG_WORK = 1_000
"""The expressions visited to fold one that is kept: a question is written in several places."""
MOST_LOOKED = 5_000
"""The most expressions visited to fold one that exists once for each piece on the table."""
FAULTS = (Fault, ArithmeticError, LookupError)

Look = Callable[[c.ReadVariable | c.Pile | c.Single], int | tuple[int, ...] | None]
"""The current content of a variable or zone with known indices; None if unknown."""
Known = Mapping[str, Any]
"""Values of locals, by name; what is no number or tuple of numbers counts as unknown."""


Given = tuple[Any, ...]
"""Arguments of a relation: names of locals, and constants."""


@dataclass(slots=True, eq=False)
class Tabulated:
    """The results of a function for all arguments, in order; `lows` and `sizes` are the ranges of its index."""

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    values: tuple[int | tuple[int, ...], ...]
    related: dict[Any, tuple[tuple[int, ...], ...]] = field(default_factory=dict)  # rows that have been used

    def of(self, arguments: Sequence[int]) -> int | tuple[int, ...]:
        return self.values[place_of(arguments, self.lows, self.sizes)]

    def rows(
        self, arguments: Given, binder: str, members: tuple[int, ...], domain: range
    ) -> tuple[tuple[int, ...], ...]:
        """For each value of the other local among some arguments, the members for which the function holds as the binder."""
        key = tuple(0 if a == binder else 1 if isinstance(a, str) else (a,) for a in arguments), members, domain
        if key not in self.related:
            self.related[key] = tuple(
                tuple(
                    m
                    for m in members
                    if self.of([m if a == binder else value if isinstance(a, str) else a for a in arguments])
                )
                for value in domain
            )
        return self.related[key]


@dataclass(slots=True, eq=False)
class Folding:
    """The state of folding for a game. `strict` folding raises what evaluation raises."""

    players: int
    tables: dict[c.Routine, Tabulated] = field(default_factory=dict)  # of functions
    body_of: Callable[[c.Routine], c.Body] = lambda routine: routine.body or ()
    look: Look | None = None
    strict: bool = False
    work: int = 0  # for one expression
    most: int = MOST_WORK
    all_work: int = 0
    is_trying: bool = False  # whether only a constant result is useful
    kept: dict[c.Expression, c.Constant] = field(default_factory=dict)  # what took long, whatever is known

    def fold(self, node: c.Expression, known: Known) -> c.Expression:
        """An expression, folded; unchanged if that would take too long."""
        if node in self.kept:
            return self.kept[node]
        if self.all_work > MOST_FOLDED:
            return node
        self.work, self.is_trying = 0, False
        try:
            made = folded(self, node, known)
        except (TooMuchWork, RecursionError):
            return node
        finally:
            self.all_work += self.work
        if self.work <= LONG_WORK or any(isinstance(value, int | tuple) for value in known.values()):
            return made
        if isinstance(made, c.Constant):
            self.kept[node] = made
        return made


@cache
def space_for(players: int) -> dict[str, Any]:
    return world(players)


class TooMuchWork(Exception):
    """Folding takes too long."""


def evaluate(
    expression: c.Expression, values: Known, budget: Budget | None = None, look: Look | None = None, players: int = 1
) -> Any:
    """The value of a constant expression, or of one over a moment that `look` knows.

    Raises ValueError with a sentence if it has none, OverBudget if the budget is spent.
    """
    folding = Folding(players, strict=True, look=look, most=MOST_WORK if look is None else MOST_LOOKED)
    try:
        found = folded(folding, expression, values)
    except ZeroDivisionError as error:
        raise ValueError("this divides by zero") from error
    except (TooMuchWork, RecursionError) as error:
        raise ValueError("this takes too long: loops and calls made more than a million passes") from error
    except FAULTS as error:
        raise ValueError(str(error) if isinstance(error, Fault) else "there is no such entry") from error
    finally:
        if budget is not None and folding.work >= VISITS_A_UNIT:
            budget.spend(folding.work // VISITS_A_UNIT, expression.span)
    if not isinstance(found, c.Constant):
        raise ValueError("this is not known before a match")
    return found.value


def folded(folding: Folding, node: c.Expression, known: Known) -> c.Expression:
    folding.work += 1
    if folding.work > folding.most:
        raise TooMuchWork
    match node:
        case c.Constant() | c.AllPieces():
            return node
        case c.Local(span=span, type=type, name=name):
            value = known.get(name)
            return c.Constant(span, type, value) if isinstance(value, int | tuple) else node
        case c.Apply():
            return folded_operation(folding, node, known)
        case c.Select():
            return folded_selection(folding, node, known)
        case c.ReadVariable(index=index) | c.Pile(index=index):
            return looked(folding, replace(node, index=folded_each(folding, index, known)) if index else node)
        case c.EitherPile(test=test, yes=yes, no=no):
            test = folded(folding, test, known)
            if isinstance(test, c.Constant):
                return folded(folding, yes if test.value else no, known)
            piles: Any = folded_each(folding, (yes, no), known)
            return replace(node, test=test, yes=piles[0], no=piles[1])
        case c.Single(pile=pile):
            return looked(folding, replace(node, pile=replace(pile, index=folded_each(folding, pile.index, known))))
        case c.Printed():
            return folded_attribute(folding, node, known)
        case c.LookUp(table=table):
            index = folded_each(folding, node.index, known)
            if (place := constants(index)) is not None:
                with_place = worked_out(folding, node, looked_up, (table.values, place))
                if with_place is not None:
                    return with_place
            return replace(node, index=index)
        case c.Items(items=items):
            items = folded_each(folding, items, known)
            values = constants(items)
            return replace(node, items=items) if values is None else c.Constant(node.span, node.type, values)
        case c.Call():
            return folded_call(folding, node, known)


def looked(folding: Folding, node: c.ReadVariable | c.Pile | c.Single) -> c.Expression:
    """A variable or zone, or its content if somebody looks."""
    index = node.pile.index if isinstance(node, c.Single) else node.index
    if folding.look is None or constants(index) is None:
        return node
    found = folding.look(node)
    return node if found is None else c.Constant(node.span, node.type, found)


def folded_attribute(folding: Folding, node: c.Printed, known: Known) -> c.Expression:
    """A printed value, if the piece or member is known."""
    of = folded(folding, node.of, known)
    column = node.kind.attributes.get(node.attribute) or []
    if folding.strict and not column and node.kind.ids:
        raise ValueError(f"'{node.attribute}' names pieces, so it is known only when all pieces are made")
    if isinstance(of, c.Constant) and isinstance(of.value, int) and of.value in node.kind.numbers:
        found = worked_out(folding, node, column.__getitem__, (of.value - node.kind.base,))
        if found is not None:
            return found
    return replace(node, of=of)


def folded_each(folding: Folding, nodes: tuple[c.Expression, ...], known: Known) -> tuple[c.Expression, ...]:
    return tuple(folded(folding, node, known) for node in nodes)


def folded_operation(folding: Folding, node: c.Apply, known: Known) -> c.Expression:
    """An operator: decided by constants if possible, without folding arguments that are not needed."""
    operator, arguments = node.operator, node.arguments
    if operator is AND or operator is OR:
        first = folded(folding, arguments[0], known)
        if isinstance(first, c.Constant):
            return first if bool(first.value) is (operator is OR) else folded(folding, arguments[1], known)
        second = folded(folding, arguments[1], known)
        if isinstance(second, c.Constant) and bool(second.value) is (operator is AND) and first.type == BOOL:
            return first
        return replace(node, arguments=(first, second))
    if operator is CONDITIONAL:
        then, test, otherwise = arguments
        test = folded(folding, test, known)
        if isinstance(test, c.Constant):
            return folded(folding, then if test.value else otherwise, known)
        return replace(node, arguments=(folded(folding, then, known), test, folded(folding, otherwise, known)))
    arguments = folded_each(folding, arguments, known)
    values = constants(arguments)
    if values is not None and not operator.reads_state and (operator is not AS_LIST or folding.strict):
        found = worked_out(folding, node, meaning(operator, len(values), folding.players), values)
        if found is not None:
            return found
    match arguments:
        case (c.Select(by=by) as select, *others) if by and operator.gathers:
            arguments = (replace(select, by=()), *others)  # a reduction needs no order
        case (
            c.Apply(operator=a, arguments=(c.Constant(value=left),)),
            c.Apply(operator=b, arguments=(c.Constant(value=right),)),
        ) if operator in (EQUAL, NOT_EQUAL) and a is AS_LIST is b:
            return c.Constant(node.span, node.type, int((left == right) is (operator is EQUAL)))
        case _:
            pass
    return replace(node, arguments=arguments)


def folded_selection(folding: Folding, node: c.Select, known: Known) -> c.Expression:
    """A selection: evaluated if all of it is known; otherwise without a condition that always holds."""
    source = folded(folding, node.source, known)
    inner = {name: value for name, value in known.items() if name != node.binder}
    if isinstance(source, c.Constant) and isinstance(source.value, tuple):
        found = selected(folding, node, source.value, inner)
        if found is not None:
            return c.Constant(node.span, node.type, found)
        if folding.is_trying:
            return node
    where = folded(folding, node.where, inner) if node.where is not None else None
    if isinstance(where, c.Constant):
        if not where.value:
            return c.Constant(node.span, node.type, ())
        where = None
    value = folded(folding, node.value, inner) if node.value is not None else None
    return replace(node, source=source, where=where, value=value, by=folded_each(folding, node.by, inner))


def selected(
    folding: Folding, node: c.Select, members: tuple[int, ...], known: dict[str, Any]
) -> tuple[Any, ...] | None:
    """A selection from known members; None if it depends on unknown values."""
    was_trying, folding.is_trying = folding.is_trying, True
    try:
        return tried(folding, node, members, known)
    finally:
        folding.is_trying = was_trying


def tried(folding: Folding, node: c.Select, members: tuple[int, ...], known: dict[str, Any]) -> tuple[Any, ...] | None:
    """A selection from known members, while only constants are useful; None if it depends on unknown values."""
    found: list[tuple[Any, Any]] = []
    for member in members:
        known[node.binder] = member
        where = folded(folding, node.where, known) if node.where is not None else None
        if where is not None and not isinstance(where, c.Constant):
            break
        if where is not None and not where.value:
            continue
        value = folded(folding, node.value, known) if node.value is not None else None
        keys = constants(folded_each(folding, node.by, known))
        if keys is None or not (value is None or isinstance(value, c.Constant)):
            break
        found.append((keys, value.value if value is not None else member))
    else:
        known.pop(node.binder, None)
        ordered = sorted(found, key=lambda pair: pair[0]) if node.by else found
        return tuple(value for _, value in ordered)
    known.pop(node.binder, None)
    return None


def folded_call(folding: Folding, node: c.Call, known: Known) -> c.Expression:
    """A call with constants: its entry in a table, or its value."""
    arguments = folded_each(folding, node.arguments, known)
    me = folded(folding, node.me, known) if node.me is not None else None
    values = constants(arguments)
    if values is not None:
        found: c.Expression | None = None
        if (table := folding.tables.get(node.function)) is not None:
            found = worked_out(folding, node, table.of, (values,))
        elif folding.strict:
            given = {p.name or "": value for p, value in zip(node.function.parameters, values, strict=True)}
            found = given_back(folding, folding.body_of(node.function), given)
        if isinstance(found, c.Constant):
            return found
    return replace(node, arguments=arguments, me=me)


def given_back(folding: Folding, body: c.Body, known: dict[str, Any]) -> c.Expression | None:
    """What a body without loops finishes with; None if it does not, or that hangs on something unknown."""
    for statement in body:
        match statement:
            case c.Return(value=c.Checked() as value):
                return folded(folding, value, known)
            case c.SetLocal(name=name, value=value) if isinstance(found := folded(folding, value, known), c.Constant):
                known[name] = found.value
            case c.Branch(test=test) if isinstance(decided := folded(folding, test, known), c.Constant):
                inner = given_back(folding, statement.then if decided.value else statement.otherwise, known)
                if inner is not None:
                    return inner
            case _:
                return None
    return None


def constants(nodes: tuple[c.Expression, ...]) -> tuple[Any, ...] | None:
    """The values of constants; None unless all are constant."""
    values = tuple(node.value for node in nodes if isinstance(node, c.Constant))
    return values if len(values) == len(nodes) else None


def worked_out(
    folding: Folding, node: c.Expression, work: Callable[..., Any], values: tuple[Any, ...]
) -> c.Constant | None:
    """A constant in place of an expression; None if evaluation faults, so that it faults at run time."""
    try:
        found = work(*values)
    except FAULTS:
        if folding.strict:
            raise
        return None
    if isinstance(found, list | range | tuple):
        found = tuple(found)
        folding.work += len(found)
    return c.Constant(node.span, node.type, int(found) if isinstance(found, bool) else found)


def looked_up(rows: Any, index: tuple[Any, ...]) -> Any:
    for position in index:
        rows = entry(rows, position)
    return rows


@cache
def meaning(operator: Operator, count: int, players: int) -> Callable[..., Any]:
    return FunctionType(code_of(operator, count), space_for(players))


@cache
def code_of(operator: Operator, count: int) -> CodeType:
    """The text of an operator, compiled as a function of `count` arguments."""
    names = [f"_{position}_" for position in range(count)]
    text = operator.python.replace("{*}", ", ".join(names))
    for position, name in enumerate(names):
        text = text.replace(f"{{{position}}}", name)
    made: FunctionType = eval(f"lambda {', '.join(names)}: {text}", {})
    return made.__code__


SHORT = 8
"""Constant lists up to this length are unrolled."""
NARROW = 4
"""Rows of a relation up to this length are unrolled column by column."""
Row = tuple[Family, tuple[Local]]
"""The look-up of a relation's row: the range of the index, and the local."""
Related = tuple[Select, tuple[tuple[int, ...], ...], Row | None]
"""The remaining condition; the rows; and the look-up, if there is more than one row."""


def related_rows(tables: Mapping[Routine, Tabulated], symbols: SymbolTable, node: Select) -> Related | None:
    """The rows of a tabulated relation to one local, or to constants, that restricts a long constant list; None if there is none.

    `a in space where covers(a, s) and …` visits only what covers s.
    """
    members = node.source.value if isinstance(node.source, Constant) else None
    if not isinstance(members, tuple) or len(members) <= SHORT:
        return None
    parts = list(conjuncts(node.where))
    for part in parts:
        table = tables.get(part.function) if isinstance(part, Call) else None
        found = arguments_of(part, node.binder) if isinstance(part, Call) else None
        if table is None or found is None:
            continue
        given, other = found
        domain = symbols.domain(other.type) if other is not None else range(1)
        if domain is None:
            continue
        rest = replace(node, where=conjoined([p for p in parts if p is not part]))
        span = Family("", (), node.span, 0, (domain.start,), (len(domain),))
        return rest, table.rows(given, node.binder, members, domain), None if other is None else (span, (other,))
    return None


def arguments_of(relation: Call, binder: str) -> tuple[Given, Local | None] | None:
    """The arguments of a relation between the loop's member and one other local, or constants; None if it is not that simple."""
    given: list[str | Any] = []
    others: dict[str, Local] = {}
    for argument in relation.arguments:
        if isinstance(argument, Local):
            given.append(argument.name)
            others[argument.name] = argument
        elif isinstance(argument, Constant):
            given.append(argument.value)
        else:
            return None
    if others.pop(binder, None) is None or len(others) > 1:
        return None
    return tuple(given), next(iter(others.values()), None)


def conjuncts(node: Expression | None) -> Iterator[Expression]:
    if isinstance(node, Apply) and node.operator is AND:
        for argument in node.arguments:
            yield from conjuncts(argument)
    elif node is not None:
        yield node


def conjunctions(node: Expression | None) -> Iterator[Apply]:
    """The `and`s between the conjuncts of a condition."""
    if isinstance(node, Apply) and node.operator is AND:
        yield node
        for argument in node.arguments:
            yield from conjunctions(argument)


def conjoined(parts: list[Expression]) -> Expression | None:
    whole: Expression | None = None
    for part in parts:
        whole = part if whole is None else Apply(part.span, BOOL, AND, (whole, part))
    return whole
