"""Operations over short lists, relations that are tables, and small functions go in; Python that goes through less comes out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from houserule.compiler.slots import Bound, Slots
from houserule.compiler.tables import Tabulated
from houserule.language.checked import AllPieces, Apply, Call, Constant, Expression, Local, Return, Select
from houserule.language.primitives import AND
from houserule.language.symbols import Family, SymbolTable, Zone
from houserule.language.types import BOOL

SHORT = 8
"""Constant lists up to this length are written out member by member."""
NARROW = 4
"""Rows of a relation up to this length are written out column by column."""
FILLED = 500
"""A constant that is looked up by pieces is filled up at its beginning, up to this many entries, to save a subtraction."""
MOST_COPIES = 200
"""Short lists in short lists are written out as long as nothing is there more often than this."""
DEEP = 3
"""Functions are written out into each other this deep."""
LARGE = 400
"""Functions that come to more nodes than this are called."""

Row = tuple[Family, tuple[Expression, ...]]
"""Where the row of a relation is looked up: the span of the index, and the local that it is."""


class WrittenOut(Slots):
    """Writes out what would otherwise be called, or gone through."""

    def __init__(self, symbols: SymbolTable, told: bool) -> None:
        super().__init__(symbols, told)
        self.tables: dict[int, Tabulated] = {}  # of functions of what is printed, by identity
        self.copies = 1  # how often what is emitted now is written out, by short lists in short lists
        self.inlined = 0

    def unrolled(self, node: Apply) -> ast.expr | None:
        """An operation over a short constant list, written out member by member; None where it is not that."""
        select = node.arguments[0]
        if isinstance(select, AllPieces) and node.operator.gathers in ("or", "nor"):
            return self.any_lies(select.zone, node)
        if not isinstance(select, Select) or select.by or not isinstance(select.source, Constant):
            return None
        if node.operator.gathers in ("or", "nor") and (written := self.across(node, select)) is not None:
            return written
        members = select.source.value
        if not isinstance(members, tuple) or len(members) > SHORT or self.inlined > DEEP:
            return None
        copies = self.copies * max(1, len(members))
        if copies > MOST_COPIES:
            return None
        before, parts = self.bound, []
        self.copies, outside = copies, self.copies
        wants_value = node.operator.gathers in ("sum", "and")
        for member in members:
            self.bound = {**before, select.binder: member}
            where = self.expr(select.where) if select.where is not None else None
            value = (
                (self.expr(select.value) if select.value is not None else self.number(member)) if wants_value else None
            )
            self.at(node.span)
            if where is None:
                parts.append(value if value is not None else self.number(1))
            elif value is None:
                parts.append(where)
            else:
                parts.append(
                    ast.IfExp(where, value, self.number(1 if node.operator.gathers == "and" else 0), **self.where)
                )
        self.bound, self.copies = before, outside
        self.at(node.span)
        match node.operator.gathers:
            case "or" | "nor":
                joined = self.disjoined(parts)
                return ast.UnaryOp(ast.Not(), joined, **self.where) if node.operator.gathers == "nor" else joined
            case "and":
                return (
                    ast.BoolOp(ast.And(), parts, **self.where)
                    if len(parts) > 1
                    else parts[0]
                    if parts
                    else self.number(1)
                )
            case _:
                total = parts[0] if parts else self.number(0)
                for part in parts[1:]:
                    total = ast.BinOp(total, ast.Add(), part, **self.where)
                return total

    def any_lies(self, zone: Zone, node: Apply) -> ast.expr:
        """Whether there is a piece in any zone of a family, or none, without listing them."""
        self.at(node.span)
        ends = ast.Slice(self.number(zone.base), self.number(zone.base + zone.size), **self.where)
        lying = self.call("any", self.subscript(self.name("z"), ends))
        return ast.UnaryOp(ast.Not(), lying, **self.where) if node.operator.gathers == "nor" else lying

    def disjoined(self, parts: list[ast.expr]) -> ast.expr:
        """Whether one of them holds."""
        if not parts:
            return self.number(0)
        return ast.BoolOp(ast.Or(), parts, **self.where) if len(parts) > 1 else parts[0]

    def across(self, node: Apply, select: Select) -> ast.expr | None:
        """Whether something holds in a row of a relation, written out column by column; None where rows are long.

        A short row is filled up with its own first member, which changes nothing about whether there is one.
        """
        found = self.rows(select)
        if found is None or self.inlined > DEEP:
            return None
        rest, rows, index = found
        width = max(map(len, rows))
        copies = self.copies * max(1, width)
        if width > NARROW or copies > MOST_COPIES:
            return None
        anyone = next((row[0] for row in rows if row), 0)
        filled = [(*row, *(row[:1] or (anyone,)) * (width - len(row))) for row in rows]
        parts: list[ast.expr] = []
        before, outside = self.bound, self.copies
        self.copies = copies
        if rest.where is not None:
            for column in zip(*filled, strict=True):
                self.bound = {**before, select.binder: partial(self.entry, column, index, before)}
                parts.append(self.expr(rest.where))
        self.bound, self.copies = before, outside
        self.at(node.span)
        if not all(rows) or not parts:
            related = self.row(tuple(map(bool, rows)), index)
            parts = [ast.BoolOp(ast.And(), [related, self.disjoined(parts)], **self.where) if parts else related]
        joined = self.disjoined(parts)
        return ast.UnaryOp(ast.Not(), joined, **self.where) if node.operator.gathers == "nor" else joined

    def entry(self, column: tuple[int, ...], index: Row, bound: dict[str, Bound]) -> ast.expr:
        """The entry of a column for a local, as that is bound where the row is looked up."""
        inside, self.bound = self.bound, bound
        found = self.row(column, index)
        self.bound = inside
        return found

    def row(self, rows: tuple[Any, ...], index: Row) -> ast.expr:
        """What a constant has for a local. Where the index begins with a small number, the constant is filled up to it."""
        family, local = index
        low = family.lows[0]
        if 0 < low <= FILLED:
            rows, family = (rows[0],) * low + rows, replace(family, lows=(0,), sizes=(low + family.sizes[0],))
        place = self.slot(family, local)
        self.at(local[0].span)
        return self.subscript(self.name(self.constant(rows)), place)

    def tabulated(self, node: Call, table: Tabulated) -> ast.expr:
        """The result of a function that has become a table."""
        known = [self.known(argument) for argument in node.arguments]
        if all(value is not None for value in known):
            self.at(node.span)
            return self.value(table.of(tuple(value for value in known if value is not None)))
        shape = Family(node.function.name, (), node.span, 0, table.lows, table.sizes)
        index = self.slot(shape, node.arguments)
        self.at(node.span)
        return self.subscript(self.name(self.constant(table.values, f"F_{node.function.name}")), index)

    def related(self, node: Select) -> tuple[Select, ast.expr] | None:
        """A long constant list that a tabulated relation to one local cuts down, as a row of that relation."""
        found = self.rows(node)
        if found is None:
            return None
        rest, rows, index = found
        return rest, self.row(rows, index)

    def rows(self, node: Select) -> tuple[Select, tuple[tuple[int, ...], ...], Row] | None:
        """A long constant list that a tabulated relation to one local cuts down: what else must hold, the rows, the index.

        `a in space where covers(a, s) and …` goes only through what covers s.
        """
        if (
            not isinstance(node.source, Constant)
            or not isinstance(node.source.value, tuple)
            or len(node.source.value) <= SHORT
        ):
            return None
        parts = list(conjuncts(node.where))
        for part in parts:
            if not isinstance(part, Call) or id(part.function) not in self.tables:
                continue
            others = {a.name: a for a in part.arguments if isinstance(a, Local) and a.name != node.binder}
            if len(others) != 1 or not all(isinstance(a, Local | Constant) for a in part.arguments):
                continue
            other = next(iter(others.values()))
            domain = self.symbols.domain(other.type)
            if domain is None or not any(isinstance(a, Local) and a.name == node.binder for a in part.arguments):
                continue
            table = self.tables[id(part.function)]

            def holds(
                member: int, value: int, part: Call = part, table: Tabulated = table, name: str = other.name
            ) -> bool:
                given = {node.binder: member, name: value}
                return bool(table.of(tuple(number_of(argument, given) for argument in part.arguments)))

            rows = tuple(tuple(m for m in node.source.value if holds(m, value)) for value in domain)
            rest = conjoined([p for p in parts if p is not part])
            return (
                replace(node, where=rest),
                rows,
                (Family("", (), node.span, 0, (domain.start,), (len(domain),)), (other,)),
            )
        return None

    def written_out(self, node: Call) -> ast.expr | None:
        """A small function with simple arguments, written where it is called; None where a call is better."""
        function = node.function
        body = self.body_of(function)
        if function.recursive or len(body) != 1 or self.inlined > DEEP:
            return None
        last = body[0]
        if not isinstance(last, Return) or last.value is None:
            return None
        bound: dict[str, Bound] = {}
        given = [(p.name or "", a) for p, a in zip(function.parameters, node.arguments, strict=True)]
        if node.me is not None and function.needs_me:
            given.append(("me", node.me))
        for name, argument in given:
            if isinstance(argument, Local):
                bound[name] = self.bound.get(argument.name, f"l_{argument.name}")
            elif isinstance(argument, Constant) and isinstance(argument.value, int):
                bound[name] = argument.value
            else:
                return None
        before = self.bound
        self.bound = bound
        self.inlined += 1
        made = self.expr(last.value)
        self.inlined -= 1
        self.bound = before
        if sum(1 for _ in ast.walk(made)) > LARGE:
            return None
        return made

    def picked(self, node: Select) -> ast.expr | None:
        """What fulfils a short condition in a short constant list, member by member; None where it is not that."""
        members = node.source.value if isinstance(node.source, Constant) else None
        if node.where is None or not isinstance(members, tuple) or len(members) > SHORT or self.inlined > DEEP:
            return None
        copies = self.copies * max(1, len(members))
        if copies > MOST_COPIES:
            return None
        before, outside = self.bound, self.copies
        parts: list[ast.expr] = []
        self.copies = copies
        for member in members:
            self.bound = {**before, node.binder: member}
            where = self.fold(node.where)
            if isinstance(where, Constant):
                parts += [self.number(member)] if where.value else []
                continue
            condition = self.emit(where)
            if not is_short(condition, len(members)):
                self.bound, self.copies = before, outside
                return None
            self.at(node.span)
            some = ast.IfExp(condition, self.tuple_of([self.number(member)]), self.tuple_of([]), **self.where)
            parts.append(ast.Starred(some, ast.Load(), **self.where))
        self.bound, self.copies = before, outside
        return ast.List(parts, ast.Load(), **self.where)


def is_short(condition: ast.expr, times: int) -> bool:
    """Whether a condition is worth writing so many times: it goes through nothing and is not large."""
    inside = list(ast.walk(condition))
    return len(inside) * times <= LARGE and not any(isinstance(inner, ast.ListComp) for inner in inside)


def number_of(argument: Expression, values: Mapping[str, int]) -> int:
    """What an argument comes to that is a number or one of these locals."""
    if isinstance(argument, Local):
        return values[argument.name]
    assert isinstance(argument, Constant) and isinstance(argument.value, int)
    return argument.value


def conjuncts(node: Expression | None) -> Iterator[Expression]:
    """The parts of a condition that must all hold."""
    if isinstance(node, Apply) and node.operator is AND:
        for argument in node.arguments:
            yield from conjuncts(argument)
    elif node is not None:
        yield node


def conjoined(parts: list[Expression]) -> Expression | None:
    """A condition of parts that must all hold."""
    whole: Expression | None = None
    for part in parts:
        whole = part if whole is None else Apply(part.span, BOOL, AND, (whole, part))
    return whole
