"""Checked expressions go in; the Python that works them out comes out."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any, assert_never

from houserule.compiler.writer import python_name, run_together
from houserule.compiler.written_out import WrittenOut
from houserule.language import primitives
from houserule.language.checked import (
    AllPieces,
    Apply,
    Call,
    Constant,
    EitherPile,
    Expression,
    Items,
    Local,
    LookUp,
    Pile,
    Printed,
    ReadVariable,
    Select,
    Single,
)
from houserule.language.symbols import Kind, SymbolTable
from houserule.language.types import Int, List, plain
from houserule.operations import FUNCTIONS

FIRST, ITEM = (FUNCTIONS[name][0].operator for name in ("first", "item"))
MANY = 200
"""Lists that may be longer than this are metered."""


class Expressions(WrittenOut):
    """Writes every form of expression."""

    def __init__(self, symbols: SymbolTable, told: bool) -> None:
        super().__init__(symbols, told)
        self.metered = False  # whether all lists are, as calls and loops inside each other may come to very many passes
        self.counts_calls = False  # whether calls may come to as many
        self.counters = 0

    def emit(self, node: Expression) -> ast.expr:
        """An expression that is folded."""
        match node:
            case Constant(value=value):
                self.at(node.span)
                return self.value(value)
            case Local(name=name):
                self.at(node.span)
                return self.local(name)
            case ReadVariable(variable=variable, index=index):
                slot = self.slot(variable, index)
                self.at(node.span)
                return self.subscript(self.name("v"), slot)
            case Pile(zone=zone, index=index):
                slot = self.slot(zone, index)
                self.at(node.span)
                return self.subscript(self.name("z"), slot)
            case EitherPile():
                slot = self.pile_slot(node)
                self.at(node.span)
                return self.subscript(self.name("z"), slot)
            case Single(pile=pile):
                inner = self.emit(pile)
                self.at(node.span)
                return self.line("({0} or NOBODY)[0]", inner)
            case AllPieces(zone=zone):
                self.at(node.span)
                if zone.size > 16:
                    return self.call(
                        "gather", self.name("z"), self.number(zone.base), self.number(zone.base + zone.size)
                    )
                piles: list[ast.expr] = [
                    ast.Starred(self.subscript(self.name("z"), self.number(zone.base + i)), ast.Load(), **self.where)
                    for i in range(zone.size)
                ]
                return ast.List(piles, ast.Load(), **self.where)
            case Printed(kind=kind, attribute=attribute, of=of):
                piece = self.emit(of)
                self.at(node.span)
                return self.subscript(self.name(self.attribute_table(kind, attribute)), piece)
            case LookUp():
                return self.look_up(node)
            case Call(function=function, arguments=arguments, me=me):
                if (table := self.tables.get(id(function))) is not None:
                    return self.tabulated(node, table)
                if (written := self.written_out(node)) is not None:
                    return written
                values = [self.emit(a) for a in arguments]
                who = self.emit(me) if me is not None and function.needs_me else None
                self.at(node.span)
                return self.call(python_name(function), self.name("s"), *([who] if who is not None else []), *values)
            case Apply(operator=operator, arguments=(Pile(), *place, _)) if operator is FIRST or operator is ITEM:
                return self.item(node, place[0] if place else None)
            case Apply(operator=operator, arguments=arguments):
                if operator.gathers and (written := self.unrolled(node)) is not None:
                    return written
                filled = [self.emit(a) for a in arguments]
                self.at(node.span)
                return self.line(operator.python, *filled)
            case Select():
                return self.select(node)
            case Items(items=items):
                listed = [self.emit(i) for i in items]
                self.at(node.span)
                return (
                    ast.List(listed, ast.Load(), **self.where) if isinstance(node.type, List) else self.tuple_of(listed)
                )
            case _:
                assert_never(node)

    def condition(self, node: Expression) -> ast.expr:
        """An expression that is folded, where only true or false is asked for: a list stands for whether it has anything."""
        match node:
            case Apply(operator=primitives.NOT, arguments=(inner,)):
                self.at(node.span)
                return ast.UnaryOp(ast.Not(), self.condition(inner), **self.where)
            case Apply(operator=primitives.AND | primitives.OR as operator, arguments=arguments):
                parts = [self.condition(argument) for argument in arguments]
                self.at(node.span)
                return ast.BoolOp(ast.And() if operator is primitives.AND else ast.Or(), parts, **self.where)
            case Apply(operator=primitives.ANY_LIE, arguments=(pile,)):
                return self.emit(pile)
            case Apply(operator=operator, arguments=(listed,)) if operator.gathers == "or":
                return self.unrolled(node) or self.emit(listed)
            case _:
                return self.emit(node)

    def item(self, node: Apply, place: Expression | None) -> ast.expr:
        """The item of a pile at a place that is known, looked up where it is wanted; at any other, by a call."""
        number = place.value if isinstance(place, Constant) else 1 if place is None else 0
        arguments = [self.emit(argument) for argument in node.arguments]
        self.at(node.span)
        if not isinstance(number, int) or number < 1:
            return self.line(node.operator.python, *arguments)
        there = "{0}" if number == 1 else f"len({{0}}) >= {number}"
        return self.line(f"({{0}}[{number - 1}] if {there} else {{1}})", arguments[0], arguments[-1])

    def attribute_table(self, kind: Kind, attribute: str) -> str:
        """The constant with what is printed on each, by number."""
        name = f"P_{run_together(kind.name, attribute)}"
        if name not in self.constants:
            self.constants[name] = (0,) * kind.base + tuple(kind.attributes.get(attribute) or ())
        return name

    def look_up(self, node: LookUp) -> ast.expr:
        """An entry of a table; a number that may lie outside is looked up with care."""
        table = node.table
        self.constants[f"T_{table.name}"] = table.values
        found = self.name(f"T_{table.name}")
        rows: Any = table.values
        for value in node.index:
            index = self.emit(value)
            self.at(node.span)
            type = plain(value.type)
            safe = not isinstance(type, Int) or (type.low >= 0 and type.high < len(rows))
            found = self.subscript(found, index) if safe else self.call("entry", found, index)
            rows = rows[0] if rows and isinstance(rows[0], tuple) else ()
        return found

    def meter(self, source: ast.expr, type: Any) -> ast.expr:
        """A list that may be long, or is gone through deep inside others, counts against the bound on work."""
        return self.call("metered", self.name("s"), source) if self.meters(type) else source

    def meters(self, type: Any) -> bool:
        """Whether a list counts against the bound on work."""
        most = type.most if isinstance(type, List) else None
        return self.metered or most is None or most > MANY

    def select(self, node: Select) -> ast.expr:
        """A selection as a list comprehension; sorted where it has keys."""
        related = self.related(node)
        picked = self.picked(node) if related is None and node.value is None else None
        if related is not None:
            node, source = related
        elif picked is not None:
            node, source = replace(node, where=None), picked
            if not node.by:
                return picked
        else:
            source = self.meter(self.emit(node.source), node.source.type)
        binder = f"l_{node.binder}"
        before = self.bound
        if self.inlined:
            self.counters += 1
            binder = f"l_{node.binder}_{self.counters}_"
            self.bound = {**before, node.binder: binder}
        try:
            return self.comprehension(node, source, binder)
        finally:
            self.bound = before

    def comprehension(self, node: Select, source: ast.expr, binder: str) -> ast.expr:
        """The comprehension itself."""
        where = [self.condition(node.where)] if node.where is not None else []
        self.at(node.span)
        if node.by:
            inner: ast.expr = ast.ListComp(
                self.name(binder), [ast.comprehension(self.store(binder), source, where, 0)], **self.where
            )
            keys = [self.emit(k) for k in node.by]
            self.at(node.span)
            key = keys[0] if len(keys) == 1 else self.tuple_of(keys)
            arguments = ast.arguments([], [ast.arg(binder, **self.where)], None, [], [], None, [])
            source = ast.Call(
                self.name("sorted"),
                [inner],
                [ast.keyword("key", ast.Lambda(arguments, key, **self.where), **self.where)],
                **self.where,
            )
            if node.value is None:
                return source
            where = []
        value = self.emit(node.value) if node.value is not None else self.name(binder)
        self.at(node.span)
        return ast.ListComp(value, [ast.comprehension(self.store(binder), source, where, 0)], **self.where)
