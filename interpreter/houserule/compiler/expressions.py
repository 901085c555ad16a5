"""Emits folded expressions as Python: slots, operations, selections; short lists are unrolled, small functions inlined."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, assert_never

from houserule.compiler.emitter import Bound, Emitter, coming_in_turn, is_at_most, python_name, run_together
from houserule.compiler.folding import NARROW, SHORT, Row, Tabulated
from houserule.language import checked as c
from houserule.language import types
from houserule.language.symbols import MOST_LISTED_PILES
from houserule.language.trees import expressions
from houserule.language.types import Int, List, Maybe, Operator, plain
from houserule.operations import FUNCTIONS
from houserule.operations.players import around

Write = Callable[[Emitter, c.Expression], ast.expr]
"""Emits a folded expression: as a value, or as a condition."""
FIRST, ITEM = (FUNCTIONS[name][0].operator for name in ("first", "item"))
FILLED = 500
"""A constant indexed by pieces is padded at its start, up to this many entries, to save a subtraction."""
LARGE = 400
"""Functions with more nodes than this are called, not inlined."""
MOST_COPIES = 200
"""Nested short lists are unrolled as long as the factor is at most this,"""
MOST_UNROLLED = 400
"""and all copies together have at most this many expressions."""


# complex: one case for each form, so that the type checker names one that is forgotten
def emitted(emitter: Emitter, node: c.Expression) -> ast.expr:  # long: for the same reason
    if emitter.copies > 1 or emitter.inlined or emitter.is_brief:
        emitter.room -= 1
    match node:
        case c.Constant(value=value):
            emitter.at(node.span)
            return emitter.value(value)
        case c.Local(name=name):
            emitter.at(node.span)
            return local_name(emitter, name)
        case c.ReadVariable(variable=variable, index=index):
            slot = slot_of(emitter, variable, index)
            emitter.at(node.span)
            if variable.positions:
                return emitter.call("recalled", emitter.name("s"), slot)
            return emitter.subscript(emitter.name("v"), slot)
        case c.Pile(zone=zone, index=index):
            slot = slot_of(emitter, zone, index)
            emitter.at(node.span)
            return emitter.subscript(emitter.name("z"), slot)
        case c.EitherPile():
            slot = pile_slot(emitter, node)
            emitter.at(node.span)
            return emitter.subscript(emitter.name("z"), slot)
        case c.Single(pile=pile):
            inner = emitted(emitter, pile)
            emitter.at(node.span)
            return emitter.line("({0} or NOBODY)[0]", inner)
        case c.AllPieces(zone=zone):
            emitter.at(node.span)
            if (few := emitter.symbols.few_in(zone)) is not None:
                return gathered(emitter, zone, few)
            if zone.size > MOST_LISTED_PILES:
                return emitter.call(
                    "gather", emitter.name("z"), emitter.number(zone.base), emitter.number(zone.base + zone.size)
                )
            slots = (emitter.number(slot) for slot in zone.slots)
            return emitter.list_of([emitter.spread(emitter.subscript(emitter.name("z"), slot)) for slot in slots])
        case c.Printed(kind=kind, attribute=attribute, of=of):
            piece = emitted(emitter, of)
            emitter.at(node.span)
            return emitter.subscript(emitter.name(attribute_table(emitter, kind, attribute)), piece)
        case c.LookUp():
            return looked_up(emitter, node)
        case c.Call(function=function, arguments=arguments, me=me):
            if (table := emitter.folding.tables.get(function)) is not None:
                return table_entry(emitter, node, table)
            if (written := inlined_call(emitter, node, emitted)) is not None:
                return written
            values = [emitted(emitter, a) for a in arguments]
            who = emitted(emitter, me) if me is not None and function.needs_me else None
            emitter.at(node.span)
            return emitter.call(python_name(function), emitter.name("s"), *([who] if who is not None else []), *values)
        case c.Apply(operator=operator, arguments=(c.Pile() | c.Local(), *place, _)) if (
            operator is FIRST or operator is ITEM
        ):
            return item_at(emitter, node, place[0] if place else None)
        case c.Apply(operator=operator, arguments=(c.Select(value=None, by=(_, *_)) as select, none)) if (
            operator is FIRST
        ):
            return selection(emitter, select, emitted(emitter, none))
        case c.Apply(operator=types.CHAINED as chained, arguments=(c.Select() as select,)):
            lists = selection(emitter, select)
            if isinstance(lists, ast.ListComp):  # one list at a time, so that too long a result is noticed in time
                lists = ast.GeneratorExp(lists.elt, lists.generators, **emitter.where)
            return emitter.line(chained.python, lists)
        case c.Apply(operator=types.NOT, arguments=(inner,)):
            emitter.at(node.span)
            return emitter.negated(as_condition(emitter, inner))
        case c.Apply(operator=types.CONDITIONAL, arguments=(then, test, otherwise)):
            yes, condition, no = emitted(emitter, then), as_condition(emitter, test), emitted(emitter, otherwise)
            emitter.at(node.span)
            return emitter.either(condition, yes, no)
        case c.Apply(operator=types.MULTIPLY, arguments=(left, right)) if is_short(left) and is_short(right):
            return emitted(emitter, replace(node, operator=types.SHORT_PRODUCT))
        case c.Apply(operator=operator, arguments=arguments):
            if operator.gathers and (written := reduced(emitter, node, emitted)) is not None:
                return written
            if operator.in_turn and (written := in_turn(emitter, node)) is not None:
                return written
            filled = [emitted(emitter, a) for a in arguments]
            emitter.at(node.span)
            for position in operator.work:
                if position >= 0:
                    filled[position] = emitter.gone_through(
                        operator.price(position), filled[position], arguments[position]
                    )
            made = emitter.line(operator.python, *filled)
            return emitter.gone_through(operator.price(-1), made, node) if -1 in operator.work else made
        case c.Select():
            return selection(emitter, node)
        case c.Items(items=items):
            listed = [emitted(emitter, i) for i in items]
            emitter.at(node.span)
            return emitter.list_of(listed) if isinstance(node.type, List) else emitter.tuple_of(listed)
        case _:
            assert_never(node)


def as_condition(emitter: Emitter, node: c.Expression) -> ast.expr:
    """A folded expression of which only the truth matters: a list is true if it has members."""
    match node:
        case c.Apply(operator=types.NOT, arguments=(c.Apply(operator=types.NOT, arguments=(inner,)),)):
            return as_condition(emitter, inner)
        case c.Apply(
            operator=types.NOT, arguments=(c.Apply(operator=Operator(gathers="nor"), arguments=(c.Pile() as pile,)),)
        ):
            return emitted(emitter, pile)
        case c.Apply(operator=types.AND | types.OR as operator, arguments=arguments):
            parts = [as_condition(emitter, argument) for argument in arguments]
            emitter.at(node.span)
            return emitter.all_of(parts) if operator is types.AND else emitter.one_of(parts)
        case c.Apply(operator=types.ANY_LIE, arguments=(pile,)):
            return emitted(emitter, pile)
        case c.Apply(operator=Operator(gathers="or"), arguments=(listed,)):
            return reduced(emitter, node, as_condition) or emitted(emitter, listed)
        case c.Call(function=function) if function not in emitter.folding.tables:
            return inlined_call(emitter, node, as_condition) or emitted(emitter, node)
        case _:
            return emitted(emitter, node)


def is_short(value: c.Expression) -> bool:
    """Whether a number surely has few digits: it is printed, stands in a variable, or is added up from such."""
    match value:
        case c.Constant(value=int(number)):
            return abs(number) <= types.GREATEST
        case c.ReadVariable() | c.Printed() | c.LookUp() | c.Apply(operator=types.LENGTH):
            return True
        case c.Apply(operator=types.ADD | types.SUBTRACT | types.NEGATE | types.CONDITIONAL, arguments=arguments):
            return all(is_short(one) for one in arguments if isinstance(one.type, types.Int))
        case _:
            return False


def reduced(emitter: Emitter, node: c.Apply, write: Write) -> ast.expr | None:
    """A reduction of a short list, or of the list of a small function, unrolled, or one that stops early; None for anything else."""
    match node.arguments:
        case (c.Call() as call,) if call.function not in emitter.folding.tables:
            return inlined_call(emitter, call, write, node)
        case (c.Select() as select,):
            return unrolled(emitter, node, write) or stopping(emitter, node, select)
        case _:
            return unrolled(emitter, node, write)


def in_turn(emitter: Emitter, node: c.Apply) -> ast.expr | None:
    """The list of what a function gives one by one for a condition on a whole board; None for any other list."""
    match node.arguments:
        case (
            c.Select(source=c.Constant(value=members), where=where, by=(), value=None) as select,
            start,
            c.Constant(value=(int(low), int(size), *_) as grid),
        ) if where is not None and members == tuple(range(low, low + size)) and "flooding" not in emitter.without:
            pass
        case _:
            return None
    if emitter.is_brief:
        raise NotBrief
    board = emitter.meter(emitted(emitter, select.source), select)
    with named(emitter, select.binder) as binder:
        condition = as_condition(emitter, where)
    first = emitted(emitter, start)
    emitter.at(node.span)
    holds = emitter.function([binder], condition)
    price, near = emitter.number(0), emitter.name(emitter.constant(around(grid)))
    found = emitter.call(node.operator.in_turn, emitter.name("s"), price, board, holds, first, near)
    return emitter.gone_through(node.operator.price(-1), emitter.listed(emitter.name(binder), binder, found), node)


def stopping(emitter: Emitter, node: c.Apply, select: c.Select) -> ast.expr | None:
    """Whether there is a member, or all conditions hold, asked one by one up to the answer; None where it is quicker to ask of all."""
    gathers = node.operator.gathers
    asked = select.value if gathers == "and" else select.where if select.value is None else None
    if gathers not in ("or", "nor", "and") or asked is None or select.by or not is_dear(emitter, asked):
        return None
    listed = selection(emitter, select)
    if not isinstance(listed, ast.ListComp):
        return emitter.line(node.operator.python, listed)
    value = listed.elt if gathers == "and" else emitter.number(1)
    one_by_one = ast.GeneratorExp(value, listed.generators, **emitter.where)
    found = emitter.call("all" if gathers == "and" else "any", one_by_one)
    return emitter.negated(found) if gathers == "nor" else found


def is_dear(emitter: Emitter, asked: c.Expression) -> bool:
    """Whether an expression goes through a list or calls a function that is not a table."""
    return "stopping" not in emitter.without and any(
        isinstance(one, c.Select) or (isinstance(one, c.Call) and one.function not in emitter.folding.tables)
        for one in expressions((asked,))
    )


def item_at(emitter: Emitter, node: c.Apply, place: c.Expression | None) -> ast.expr:
    """The item of a pile, or of a named list, at a constant position, as an index; any other as a call."""
    number = place.value if isinstance(place, c.Constant) else 1 if place is None else 0
    arguments = [emitted(emitter, argument) for argument in node.arguments]
    emitter.at(node.span)
    if not isinstance(number, int) or number < 1:
        return emitter.line(node.operator.python, *arguments)
    there = "{0}" if number == 1 else f"len({{0}}) >= {number}"
    return emitter.line(f"({{0}}[{number - 1}] if {there} else {{1}})", arguments[0], arguments[-1])


def attribute_table(emitter: Emitter, kind: c.Kind, attribute: str) -> str:
    """The constant with the printed values of a kind, by number."""
    name = f"P_{run_together(kind.name, attribute)}"
    if name not in emitter.constants:
        emitter.constants[name] = (0,) * kind.base + tuple(kind.attributes.get(attribute) or ())
    return name


def looked_up(emitter: Emitter, node: c.LookUp) -> ast.expr:
    """An entry of a table; an index that may be out of range is checked."""
    table = node.table
    emitter.constants[f"T_{table.name}"] = table.values
    found = emitter.name(f"T_{table.name}")
    rows: Any = table.values
    for value in node.index:
        index = emitted(emitter, value)
        emitter.at(node.span)
        type = plain(value.type)
        safe = not isinstance(type, Int) or (type.low >= 0 and type.high < len(rows))
        found = emitter.subscript(found, index) if safe else emitter.call("entry", found, index)
        rows = rows[0] if rows and isinstance(rows[0], tuple) else ()
    return found


def selection(emitter: Emitter, node: c.Select, none: ast.expr | None = None) -> ast.expr:
    """A selection as a list comprehension, sorted if it has keys; with `none`, only the first in order, or that."""
    whole = node = emitter.work.in_stages(node)
    related = cut_down(emitter, node)
    picked = picked_members(emitter, node) if related is None and node.value is None else None
    if related is not None:
        node, source = related
    elif picked is not None:
        node, source = replace(node, where=None), picked
        if not node.by:
            return picked
    else:
        source = emitted(emitter, node.source)
    if picked is None:
        source = emitter.meter(source, whole)
    with named(emitter, node.binder) as binder:
        return comprehension(emitter, node, source, binder, none)


@contextmanager
def named(emitter: Emitter, binder: str) -> Iterator[str]:
    """The name of what a selection binds, for as long as that is known by it; a new one in an inlined function."""
    before, name = emitter.bound, f"l_{binder}"
    if emitter.inlined:
        emitter.counters += 1
        name = f"l_{binder}_{emitter.counters}_"
        emitter.bound = {**before, binder: name}
    try:
        yield name
    finally:
        emitter.bound = before


def comprehension(emitter: Emitter, node: c.Select, source: ast.expr, binder: str, none: ast.expr | None) -> ast.expr:
    """The comprehension itself. Raises NotBrief if it may not be a loop."""
    if emitter.is_brief:
        raise NotBrief
    where = [as_condition(emitter, node.where)] if node.where is not None else []
    emitter.at(node.span)
    if node.by:
        inner = emitter.listed(emitter.name(binder), binder, source, where) if where else source
        keys = [emitted(emitter, k) for k in node.by]
        emitter.at(node.span)
        key = keys[0] if len(keys) == 1 else emitter.tuple_of(keys)
        by = [ast.keyword("key", emitter.function([binder], key), **emitter.where)]
        if none is not None:
            by.append(ast.keyword("default", none, **emitter.where))
        source = ast.Call(emitter.name("sorted" if none is None else "min"), [inner], by, **emitter.where)
        if node.value is None:
            return source
        where = []
    value = emitted(emitter, node.value) if node.value is not None else emitter.name(binder)
    emitter.at(node.span)
    return emitter.listed(value, binder, coming_in_turn(source) or source, where)


def expression(emitter: Emitter, node: c.Expression) -> ast.expr:
    return emitted(emitter, emitter.fold(node))


def slot_of(emitter: Emitter, family: c.Family, index: tuple[c.Expression, ...]) -> ast.expr:
    """The slot in a family, with constants folded in."""
    known = family.base
    moving: list[ast.expr] = []
    stride = family.size
    for value, low, size in zip(index, family.lows, family.sizes, strict=True):
        stride = stride // size if size else 0
        constant = known_value(emitter, value)
        if constant is not None:
            known += (constant - low) * stride
            continue
        part = emitted(emitter, value)
        type = plain(value.type)
        if isinstance(value.type, Maybe) or (
            isinstance(type, Int) and not (low <= type.low and type.high < low + size)
        ):
            part = emitter.call("at", part, emitter.number(low), emitter.number(size))
        known -= low * stride
        moving.append(part if stride == 1 else ast.BinOp(part, ast.Mult(), emitter.number(stride), **emitter.where))
    if not moving:
        return emitter.number(known)
    total = emitter.total(moving)
    if known > 0:
        return emitter.total([emitter.number(known), total])
    if known < 0:
        return ast.BinOp(total, ast.Sub(), emitter.number(-known), **emitter.where)
    return total


def known_value(emitter: Emitter, value: c.Expression) -> int | None:
    """The value of an expression as a number, if it is constant."""
    if isinstance(value, c.Constant) and isinstance(value.value, int):
        return value.value
    if isinstance(value, c.Local):
        found = emitter.bound.get(value.name)
        return found if isinstance(found, int) else None
    return None


def pile_slot(emitter: Emitter, node: c.Pile | c.EitherPile) -> ast.expr:
    """The slot of a pile, or of one of two."""
    if isinstance(node, c.Pile):
        return slot_of(emitter, node.zone, node.index)
    test, yes, no = emitted(emitter, node.test), pile_slot(emitter, node.yes), pile_slot(emitter, node.no)
    emitter.at(node.span)
    return emitter.either(test, yes, no)


def local_name(emitter: Emitter, name: str) -> ast.expr:
    """A local: a number or another name if it is bound to one."""
    found = emitter.bound.get(name, f"l_{name}")
    if isinstance(found, int):
        return emitter.number(found)
    return emitter.name(found) if isinstance(found, str) else found()


def unrolled(emitter: Emitter, node: c.Apply, write: Write) -> ast.expr | None:
    """A reduction of a short constant list, unrolled; None for anything else."""
    select = node.arguments[0]
    write = as_condition if node.operator.gathers == "nor" else write
    if isinstance(select, c.AllPieces) and node.operator.gathers in ("or", "nor"):
        return any_lies(emitter, select.zone, node)
    if not isinstance(select, c.Select) or select.by or not isinstance(select.source, c.Constant):
        return None
    if node.operator.gathers in ("or", "nor") and (written := across(emitter, node, select, write)) is not None:
        return written
    members = select.source.value if "unrolling" not in emitter.without else None
    if not isinstance(members, tuple) or len(members) > SHORT or emitter.is_full or emitter.is_counted(select):
        return None
    copies = emitter.copies * max(1, len(members))
    if is_too_much(copies, select):
        return None
    before, outside = emitter.bound, emitter.copies
    emitter.copies = copies
    parts: list[ast.expr] = []
    for member in members:
        emitter.bound = {**before, select.binder: member}
        parts += unrolled_member(emitter, node, select, member, write)
    emitter.bound, emitter.copies = before, outside
    emitter.at(node.span)
    return combined(emitter, node.operator.gathers, parts)


def is_too_much(copies: int, select: c.Select) -> bool:
    """Whether unrolling would make too many copies of what a selection does with its members."""
    if copies > MOST_COPIES:
        return True
    most = MOST_UNROLLED // copies
    return sum(1 for _ in islice(expressions((select.where, select.value)), most + 1)) > most


def unrolled_member(emitter: Emitter, node: c.Apply, select: c.Select, member: int, write: Write) -> list[ast.expr]:
    """The part of an unrolled reduction for one member: None if its condition never holds."""
    where = emitter.fold(select.where) if select.where is not None else None
    if isinstance(where, c.Constant):
        if not where.value:
            return []
        where = None
    if node.operator.gathers not in ("sum", "and"):
        emitter.at(node.span)
        return [emitter.number(1) if where is None else write(emitter, where)]
    value = expression(emitter, select.value) if select.value is not None else emitter.number(member)
    emitter.at(node.span)
    if where is None:
        return [value]
    condition = as_condition(emitter, where)
    emitter.at(node.span)
    neutral = emitter.number(1 if node.operator.gathers == "and" else 0)
    return [emitter.either(condition, value, neutral)]


class NotBrief(Exception):
    """A condition that should be unrolled for each member contains a loop, which would run for each of them."""


def combined(emitter: Emitter, gathers: str, parts: list[ast.expr]) -> ast.expr:
    if gathers in ("or", "nor"):
        joined = emitter.one_of(parts)
        return emitter.negated(joined) if gathers == "nor" else joined
    return emitter.all_of(parts) if gathers == "and" else emitter.total(parts)


def gathered(emitter: Emitter, zone: c.Zone, few: range) -> ast.expr:
    """All pieces of a family, found by the few that it may hold."""
    ends = (zone.base, zone.base + zone.size, few.start, few.stop)
    return emitter.call("gather_few", emitter.name("s"), *map(emitter.number, ends))


def any_lies(emitter: Emitter, zone: c.Zone, node: c.Apply) -> ast.expr:
    """Whether there is a piece in any zone of a family, or none, without listing them."""
    emitter.at(node.span)
    if (few := emitter.symbols.few_in(zone)) is not None:
        listed = gathered(emitter, zone, few)
        return emitter.line("(not {0})" if node.operator.gathers == "nor" else "(len({0}) > 0)", listed)
    ends = ast.Slice(emitter.number(zone.base), emitter.number(zone.base + zone.size), **emitter.where)
    lying = emitter.call("any", emitter.subscript(emitter.name("z"), ends))
    return emitter.negated(lying) if node.operator.gathers == "nor" else lying


def across(emitter: Emitter, node: c.Apply, select: c.Select, write: Write) -> ast.expr | None:
    """Whether a condition holds for a member of a row of a relation, unrolled by columns; None if rows are long.

    A short row is padded with its own first member, which does not change whether there is one.
    """
    found = None if "columns" in emitter.without else emitter.work.related(select)
    if found is None or emitter.is_full:
        return None
    rest, rows, index = found
    if index is None:
        return None
    width = max(map(len, rows))
    copies = emitter.copies * max(1, width)
    if width > NARROW or is_too_much(copies, rest):
        return None
    anyone = next((row[0] for row in rows if row), 0)
    filled = [(*row, *(row[:1] or (anyone,)) * (width - len(row))) for row in rows]
    parts: list[ast.expr] = []
    before, outside = emitter.bound, emitter.copies
    emitter.copies = copies
    if rest.where is not None:
        for column in zip(*filled, strict=True):
            emitter.bound = {**before, select.binder: partial(column_entry, emitter, column, index, before)}
            parts.append(write(emitter, emitter.fold(rest.where)))
    emitter.bound, emitter.copies = before, outside
    emitter.at(node.span)
    if not all(rows) or not parts:
        related = row_of(emitter, tuple(map(bool, rows)), index)
        parts = [emitter.all_of([related, emitter.one_of(parts)]) if parts else related]
    return combined(emitter, node.operator.gathers, parts)


def column_entry(emitter: Emitter, column: tuple[int, ...], index: Row, bound: dict[str, Bound]) -> ast.expr:
    """The entry of a column for a local, under its binding at the row's look-up."""
    inside, emitter.bound = emitter.bound, bound
    found = row_of(emitter, column, index)
    emitter.bound = inside
    return found


def row_of(emitter: Emitter, rows: tuple[Any, ...], index: Row) -> ast.expr:
    """The entry of a constant for a local. If the index begins with a small number, the constant is padded down to 0."""
    family, local = index
    low = family.lows[0]
    if 0 < low <= FILLED:  # without it a match takes up to 1.06 times as many instructions
        rows, family = (rows[0],) * low + rows, replace(family, lows=(0,), sizes=(low + family.sizes[0],))
    place = slot_of(emitter, family, local)
    emitter.at(local[0].span)
    return emitter.subscript(emitter.name(emitter.constant(rows)), place)


def table_entry(emitter: Emitter, node: c.Call, table: Tabulated) -> ast.expr:
    known = [known_value(emitter, argument) for argument in node.arguments]
    if all(value is not None for value in known):
        emitter.at(node.span)
        return emitter.value(table.of(tuple(value for value in known if value is not None)))
    shape = c.Family(node.function.name, (), node.span, 0, table.lows, table.sizes)
    index = slot_of(emitter, shape, node.arguments)
    emitter.at(node.span)
    return emitter.subscript(emitter.name(emitter.constant(table.values, f"F_{node.function.name}")), index)


def cut_down(emitter: Emitter, node: c.Select) -> tuple[c.Select, ast.expr] | None:
    """A long constant list restricted by a tabulated relation to one local, as a row of that relation."""
    found = emitter.work.related(node)
    if found is None:
        return None
    rest, rows, index = found
    emitter.at(node.span)
    return rest, emitter.value(rows[0]) if index is None else row_of(emitter, rows, index)


def inlined_call(emitter: Emitter, node: c.Call, write: Write, around: c.Apply | None = None) -> ast.expr | None:
    """A small function with simple arguments, inlined with the operation around it; None if a call is better."""
    function = node.function
    body = emitter.body_of(function)
    if emitter.is_full or not emitter.work.is_inlined(node):
        return None
    last = body[0]
    assert isinstance(last, c.Return) and last.value is not None
    bound: dict[str, Bound] = {}
    given = [(p.name or "", a) for p, a in zip(function.parameters, node.arguments, strict=True)]
    if node.me is not None and function.needs_me:
        given.append(("me", node.me))
    for name, argument in given:
        if isinstance(argument, c.Local):
            bound[name] = emitter.bound.get(argument.name, f"l_{argument.name}")
        elif isinstance(argument, c.Constant) and isinstance(argument.value, int):
            bound[name] = argument.value
        else:
            return None
    values = (value if isinstance(value, int) else None for value in bound.values())
    way = (function, emitter.inlined, write, around and around.operator, *values)
    if way in emitter.too_large:
        return None
    before = emitter.bound
    emitter.bound = bound
    emitter.inlined += 1
    try:
        value = last.value if around is None else replace(around, arguments=(last.value,))
        made = write(emitter, emitter.fold(value))
    finally:
        emitter.inlined -= 1
        emitter.bound = before
    if not is_at_most(made, LARGE):
        emitter.too_large.add(way)
        return None
    return made


def picked_members(emitter: Emitter, node: c.Select) -> ast.expr | None:
    """The members of a short constant list that satisfy a short condition, unrolled; None for anything else."""
    members = node.source.value if isinstance(node.source, c.Constant) else None
    if node.where is None or not isinstance(members, tuple) or len(members) > SHORT or emitter.is_full:
        return None
    if emitter.is_counted(node) or "unrolling" in emitter.without:
        return None
    copies = emitter.copies * max(1, len(members))
    if is_too_much(copies, node):
        return None
    before, outside, was_brief = emitter.bound, emitter.copies, emitter.is_brief
    parts: list[ast.expr] = []
    emitter.copies, emitter.is_brief = copies, True
    try:
        for member in members:
            emitter.bound = {**before, node.binder: member}
            where = emitter.fold(node.where)
            if isinstance(where, c.Constant):
                parts += [emitter.number(member)] if where.value else []
                continue
            condition = as_condition(emitter, where)
            if not is_at_most(condition, LARGE // len(members)):
                return None
            emitter.at(node.span)
            some, nothing = emitter.tuple_of([emitter.number(member)]), emitter.tuple_of([])
            parts.append(emitter.spread(emitter.either(condition, some, nothing)))
    except NotBrief:
        return None
    finally:
        emitter.bound, emitter.copies, emitter.is_brief = before, outside, was_brief
    return emitter.list_of(parts)
