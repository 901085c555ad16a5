"""Emits Python: checked expressions and statements in, nodes of Python's own `ast` out, each placed where its rule stands.

Generated code lives in a closed world: it sees the state `s`, its lists `v` (variables), `z` (zones), `w` (where each piece
is), the constants of the program, and the runtime of the operations. Authors' names are prefixed, builtins are closed off.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, assert_never

from interpreter.compiler.tables import Tabulated
from interpreter.diagnostics import Span
from interpreter.language import checked
from interpreter.language.checked import (
    Act,
    AllPieces,
    Apply,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    EitherPile,
    EndGame,
    Enter,
    Evaluate,
    Expression,
    Invoke,
    Items,
    Jump,
    Local,
    LookUp,
    Loop,
    Parts,
    Pause,
    Pile,
    Printed,
    Race,
    ReadVariable,
    Reset,
    Return,
    Select,
    SetLocal,
    SetVariable,
    Single,
    Statement,
    Stretch,
    Tell,
    Times,
    Together,
)
from interpreter.language.scope import Callable, Family, Kind, Variable, Vocabulary, Zone
from interpreter.language.types import BOOL, GREATEST, LEAST, Int, List, Maybe, none_of, plain

LONG = 12
"""Tuples longer than this become a named constant of the program."""
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
MANY = 200
"""Lists that may be longer than this are metered."""


@cache
def template(python: str) -> ast.expr:
    """The tree of a line of Python with placeholders: `{0}` becomes the name `_0_`, `{s}` the state."""
    text = python.replace("{s}", "s")
    for number in range(10):
        text = text.replace(f"{{{number}}}", f"_{number}_")
    tree = ast.parse(text, mode="eval").body
    return tree


QUICK = re.compile(r"\b(move|move_pile|draw|draw_one|swap_pieces|swap_piles)(?=\()")


Bound = int | str | partial[ast.expr]
"""What a local is written as: a number, another name, or what makes a tree."""
Row = tuple[Family, tuple[Expression, ...]]
"""Where the row of a relation is looked up: the span of the index, and the local that it is."""


class Emitter:
    """Emits for one vocabulary and flavour. Constants it needs are collected in `constants`."""

    def __init__(self, words: Vocabulary, told: bool) -> None:
        self.words = words
        self.told = told
        self.constants: dict[str, Any] = {}
        self.constant_names: dict[tuple[Any, ...], str] = {}
        self.texts: list[tuple[str, Parts]] = []
        self.metered = False
        self.copies = 1  # how often what is emitted now is written out, by short lists in short lists
        self.counters = 0
        self.hooks: dict[str, list[int]] = {}  # triggers of `changes`, by variable
        self.left: set[str] = set()  # zones that a trigger of `leaves` waits for
        self.entered: set[str] = set()
        self.drains = False  # whether triggers that ask nobody have their turn right after what caused them
        self.tables: dict[int, Tabulated] = {}  # of functions of what is printed, by identity
        self.bound: dict[str, Bound] = {}  # locals that are written as a number, under another name or as an entry
        self.inlined = 0
        self.file = ""  # the file whose function is being written; a Python function has one
        self.where: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}

    # --- making nodes ------------------------------------------------------------------------------------------------------

    def at(self, span: Span) -> None:
        """From here on nodes are placed there; a function of another file that is written out stands where it is called."""
        if self.file and span.file != self.file:
            return
        end_line, end_column = max(span.line, span.end_line), span.end_column - 1
        if end_line == span.line:
            end_column = max(end_column, span.column)
        self.where = {
            "lineno": max(1, span.line),
            "col_offset": max(0, span.column - 1),
            "end_lineno": max(1, end_line),
            "end_col_offset": max(0, end_column),
        }

    def name(self, id: str) -> ast.expr:
        """A name that is read."""
        return ast.Name(id, ast.Load(), **self.where)

    def number(self, value: int) -> ast.expr:
        """A number."""
        return ast.Constant(value, **self.where)

    def store(self, id: str) -> ast.Name:
        """A name that is set."""
        return ast.Name(id, ast.Store(), **self.where)

    def assign(self, id: str, value: ast.expr) -> ast.stmt:
        """`id = value`."""
        return ast.Assign([self.store(id)], value, **self.where)

    def call(self, function: str, *arguments: ast.expr) -> ast.expr:
        """`function(arguments)`."""
        return ast.Call(self.name(function), list(arguments), [], **self.where)

    def do(self, value: ast.expr) -> ast.stmt:
        """An expression as a statement."""
        return ast.Expr(value, **self.where)

    def attribute(self, of: str, name: str, store: bool = False) -> ast.expr:
        """`s.name`."""
        return ast.Attribute(self.name(of), name, ast.Store() if store else ast.Load(), **self.where)

    def set_attribute(self, of: str, name: str, value: ast.expr) -> ast.stmt:
        """`s.name = value`."""
        return ast.Assign([self.attribute(of, name, True)], value, **self.where)

    def subscript(self, of: ast.expr, index: ast.expr, store: bool = False) -> ast.expr:
        """`of[index]`."""
        return ast.Subscript(of, index, ast.Store() if store else ast.Load(), **self.where)

    def tuple_of(self, items: list[ast.expr]) -> ast.expr:
        """`(a, b)`."""
        return ast.Tuple(items, ast.Load(), **self.where)

    def line(self, python: str, *arguments: ast.expr) -> ast.expr:
        """A line of Python with its placeholders filled; each argument must be a fresh tree."""
        made: ast.expr = self.fill(template(python), arguments)
        return made

    def fill(self, node: ast.AST, arguments: tuple[ast.expr, ...]) -> Any:
        """A copy of a template, placed here."""
        if isinstance(node, ast.Name) and node.id.startswith("_") and node.id.endswith("_") and node.id[1:-1].isdigit():
            return arguments[int(node.id[1:-1])]
        made = type(node)()
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(made, field, self.fill(value, arguments))
            elif isinstance(value, list):
                setattr(made, field, [self.fill(v, arguments) if isinstance(v, ast.AST) else v for v in value])
            else:
                setattr(made, field, value)
        if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg):
            for key, place in self.where.items():
                setattr(made, key, place)
        return made

    def constant(self, value: Any, stem: str = "K") -> str:
        """The name of a constant of the program."""
        key = (stem if stem != "K" else "", type(value), value)
        found = self.constant_names.get(key)
        if found is None:
            found = f"{stem}{len(self.constants)}" if stem == "K" else stem
            self.constant_names[key] = found
            self.constants[found] = value
        return found

    def value(self, value: int | tuple[int, ...]) -> ast.expr:
        """A constant, written out or by name."""
        if isinstance(value, tuple):
            if len(value) > LONG:
                return self.name(self.constant(value))
            return self.tuple_of([self.value(v) for v in value])
        return self.number(int(value))

    # --- expressions -------------------------------------------------------------------------------------------------------

    def slot(self, family: Family, index: tuple[Expression, ...]) -> ast.expr:
        """The slot of one of a family, with what is known folded in."""
        if (shifted := self.shifted(family, index)) is not None:
            return shifted
        known = family.base
        moving: list[ast.expr] = []
        stride = family.size
        for value, low, size in zip(index, family.lows, family.sizes, strict=True):
            stride = stride // size if size else 0
            constant = self.known(value)
            if constant is not None:
                known += (constant - low) * stride
                continue
            part = self.expr(value)
            type = plain(value.type)
            if isinstance(value.type, Maybe) or (
                isinstance(type, Int) and not (low <= type.low and type.high < low + size)
            ):
                part = self.call("at", part, self.number(low), self.number(size))
            known -= low * stride
            moving.append(part if stride == 1 else ast.BinOp(part, ast.Mult(), self.number(stride), **self.where))
        if not moving:
            return self.number(known)
        total = moving[0]
        for part in moving[1:]:
            total = ast.BinOp(total, ast.Add(), part, **self.where)
        if known > 0:
            return ast.BinOp(self.number(known), ast.Add(), total, **self.where)
        if known < 0:
            return ast.BinOp(total, ast.Sub(), self.number(-known), **self.where)
        return total

    def shifted(self, family: Family, index: tuple[Expression, ...]) -> ast.expr | None:
        """The slot where the only index is an entry of a column: the column holds the slots themselves."""
        if len(index) != 1 or not isinstance(index[0], Local) or isinstance(index[0].type, Maybe | Int):
            return None
        entry = self.bound.get(index[0].name)
        if not isinstance(entry, partial):
            return None
        column, *rest = entry.args
        slots = tuple(family.base + member - family.lows[0] for member in column)
        found: ast.expr = entry.func(slots, *rest)
        return found

    def known(self, value: Expression) -> int | None:
        """The number that an expression is, if it is known now."""
        if isinstance(value, Constant) and isinstance(value.value, int):
            return value.value
        if isinstance(value, Local):
            found = self.bound.get(value.name)
            return found if isinstance(found, int) else None
        return None

    def pile_slot(self, node: Pile | EitherPile) -> ast.expr:
        """The slot of a pile, or of one of two."""
        if isinstance(node, Pile):
            return self.slot(node.zone, node.index)
        test, yes, no = self.expr(node.test), self.pile_slot(node.yes), self.pile_slot(node.no)
        self.at(node.span)
        return ast.IfExp(test, yes, no, **self.where)

    def expr(self, node: Expression) -> ast.expr:
        """An expression."""
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
                inner = self.expr(pile)
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
                piece = self.expr(of)
                self.at(node.span)
                return self.subscript(self.name(self.attribute_table(kind, attribute)), piece)
            case LookUp():
                return self.look_up(node)
            case Evaluate(function=function, arguments=arguments, me=me):
                if (table := self.tables.get(id(function))) is not None:
                    return self.tabulated(node, table)
                if (written := self.written_out(node)) is not None:
                    return written
                values = [self.expr(a) for a in arguments]
                who = self.expr(me) if me is not None and function.needs_me else None
                self.at(node.span)
                return self.call(python_name(function), self.name("s"), *([who] if who is not None else []), *values)
            case Apply(python=python, arguments=arguments):
                if node.fold and (written := self.unrolled(node)) is not None:
                    return written
                filled = tuple(self.expr(a) for a in arguments)
                self.at(node.span)
                if "item(" in python or python.count("{0}") > 1:
                    # an argument that stands twice must be two trees
                    return (
                        self.line(python, *(self.expr(a) for a in arguments))
                        if python.count("{0}") <= 1
                        else self.twice(python, arguments)
                    )
                return self.line(python, *filled)
            case Select():
                return self.select(node)
            case Items(items=items):
                listed = [self.expr(i) for i in items]
                self.at(node.span)
                return (
                    ast.List(listed, ast.Load(), **self.where) if isinstance(node.type, List) else self.tuple_of(listed)
                )
            case _:
                assert_never(node)

    def local(self, name: str) -> ast.expr:
        """A local: a number or another name where it is bound to one."""
        found = self.bound.get(name, f"l_{name}")
        if isinstance(found, int):
            return self.number(found)
        return self.name(found) if isinstance(found, str) else found()

    def unrolled(self, node: Apply) -> ast.expr | None:
        """An operation over a short constant list, written out member by member; None where it is not that."""
        select = node.arguments[0]
        if isinstance(select, AllPieces) and node.fold in ("or", "nor"):
            return self.any_lies(select.zone, node)
        if not isinstance(select, Select) or select.by or not isinstance(select.source, Constant):
            return None
        if node.fold in ("or", "nor") and (written := self.across(node, select)) is not None:
            return written
        members = select.source.value
        if not isinstance(members, tuple) or len(members) > SHORT or self.inlined > DEEP:
            return None
        copies = self.copies * max(1, len(members))
        if copies > MOST_COPIES:
            return None
        before, parts = self.bound, []
        self.copies, outside = copies, self.copies
        wants_value = node.fold in ("sum", "and")
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
                parts.append(ast.IfExp(where, value, self.number(1 if node.fold == "and" else 0), **self.where))
        self.bound, self.copies = before, outside
        self.at(node.span)
        match node.fold:
            case "or" | "nor":
                joined = self.disjoined(parts)
                return ast.UnaryOp(ast.Not(), joined, **self.where) if node.fold == "nor" else joined
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
        return ast.UnaryOp(ast.Not(), lying, **self.where) if node.fold == "nor" else lying

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
        return ast.UnaryOp(ast.Not(), joined, **self.where) if node.fold == "nor" else joined

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

    def tabulated(self, node: Evaluate, table: Tabulated) -> ast.expr:
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
            if not isinstance(part, Evaluate) or id(part.function) not in self.tables:
                continue
            others = {a.name: a for a in part.arguments if isinstance(a, Local) and a.name != node.binder}
            if len(others) != 1 or not all(isinstance(a, Local | Constant) for a in part.arguments):
                continue
            other = next(iter(others.values()))
            domain = self.words.domain(other.type)
            if domain is None or not any(isinstance(a, Local) and a.name == node.binder for a in part.arguments):
                continue
            table = self.tables[id(part.function)]

            def holds(
                member: int, value: int, part: Evaluate = part, table: Tabulated = table, name: str = other.name
            ) -> bool:
                given = {node.binder: member, name: value}
                return bool(table.of(tuple(given[a.name] if isinstance(a, Local) else a.value for a in part.arguments)))  # type: ignore[union-attr, misc]

            rows = tuple(tuple(m for m in node.source.value if holds(m, value)) for value in domain)
            rest = conjoined([p for p in parts if p is not part])
            return (
                replace(node, where=rest),
                rows,
                (Family("", (), node.span, 0, (domain.start,), (len(domain),)), (other,)),
            )
        return None

    def written_out(self, node: Evaluate) -> ast.expr | None:
        """A small function with simple arguments, written where it is called; None where a call is better."""
        function = node.function
        body = function.body
        if function.recursive or body is None or len(body) != 1 or self.inlined > DEEP:
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

    def twice(self, python: str, arguments: tuple[Expression, ...]) -> ast.expr:
        """A template in which the first argument stands more than once."""
        count = python.count("{0}")
        for _ in range(count):
            python = python.replace("{0}", f"{{{9 - _}}}", 1)
        filled: list[ast.expr] = [self.number(0)] * 10
        for position, argument in enumerate(arguments):
            if position > 0:
                filled[position] = self.expr(argument)
        for turn in range(count):
            filled[9 - turn] = self.expr(arguments[0])
        return self.line(python, *filled)

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
            index = self.expr(value)
            self.at(node.span)
            type = plain(value.type)
            safe = not isinstance(type, Int) or (type.low >= 0 and type.high < len(rows))
            found = self.subscript(found, index) if safe else self.call("entry", found, index)
            rows = rows[0] if rows and isinstance(rows[0], tuple) else ()
        return found

    def meter(self, source: ast.expr, type: Any) -> ast.expr:
        """A list that may be long, or is gone through deep inside others, counts against the bound on work."""
        most = type.most if isinstance(type, List) else None
        if self.metered or most is None or most > MANY:
            return self.call("metered", self.name("s"), source)
        return source

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
            source = self.meter(self.expr(node.source), node.source.type)
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
            where = self.expr(node.where)
            if not parts and not is_short(where, len(members)):
                break
            self.at(node.span)
            some = ast.IfExp(where, self.tuple_of([self.number(member)]), self.tuple_of([]), **self.where)
            parts.append(ast.Starred(some, ast.Load(), **self.where))
        self.bound, self.copies = before, outside
        return ast.List(parts, ast.Load(), **self.where) if len(parts) == len(members) else None

    def comprehension(self, node: Select, source: ast.expr, binder: str) -> ast.expr:
        """The comprehension itself."""
        where = [self.expr(node.where)] if node.where is not None else []
        self.at(node.span)
        if node.by:
            inner: ast.expr = ast.ListComp(
                self.name(binder), [ast.comprehension(self.store(binder), source, where, 0)], **self.where
            )
            keys = [self.expr(k) for k in node.by]
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
        value = self.expr(node.value) if node.value is not None else self.name(binder)
        self.at(node.span)
        return ast.ListComp(value, [ast.comprehension(self.store(binder), source, where, 0)], **self.where)

    # --- statements --------------------------------------------------------------------------------------------------------

    def body(self, body: Body) -> list[ast.stmt]:
        """Statements that ask nobody."""
        found: list[ast.stmt] = []
        for statement in body:
            found += self.statement(statement)
        return found or [ast.Pass(**self.where)]

    def statement(self, node: Statement) -> list[ast.stmt]:
        """One statement that asks nobody."""
        match node:
            case SetLocal(name=name, value=value, bounded=bounded):
                made = self.expr(value)
                self.at(node.span)
                return [self.assign(f"l_{name}", self.call("whole", made) if bounded else made)]
            case SetVariable():
                return self.set_variable(node)
            case Act():
                return self.act(node)
            case Tell():
                return self.tell(node)
            case Branch(test=test, then=then, otherwise=otherwise):
                condition = self.expr(test)
                yes, no = self.body(then), self.body(otherwise) if otherwise else []
                self.at(node.span)
                return [ast.If(condition, yes, no, **self.where)]
            case Each(binder=binder, source=source, body=body):
                listed = self.meter(self.expr(source), source.type)
                inner = self.body(body)
                self.at(node.span)
                return [ast.For(self.store(f"l_{binder}"), listed, inner, [], **self.where)]
            case Loop():
                return self.loop(node)
            case Times(count=count, body=body):
                passes = self.call("passes", self.name("s"), self.expr(count))
                inner = self.body(body)
                self.at(node.span)
                return [ast.For(self.store("_"), passes, inner, [], **self.where)]
            case Stretch(body=body):
                return self.body(body)
            case Jump():
                self.at(node.span)
                return [ast.Break(**self.where)]
            case Return(value=value):
                result = self.expr(value) if value is not None else None
                self.at(node.span)
                return [ast.Return(result, **self.where)]
            case EndGame():
                self.at(node.span)
                return [ast.Raise(self.name("OVER"), None, **self.where)]
            case Invoke():
                return self.invoke(node)
            case Reset(variables=variables):
                return self.reset(node.span, variables)
            case Enter(step=step, me=me):
                player = self.expr(me) if me is not None and self.told else None
                self.at(node.span)
                if not self.told:
                    return []
                return [self.log("turn", player) if player else self.log("step", ast.Constant(step, **self.where))]
            case Ask() | Together() | Race() | Pause():
                raise AssertionError("asks somebody: this is for the segmenter")
            case _:
                assert_never(node)

    def log(self, kind: str, *values: ast.expr) -> ast.stmt:
        """`s.log.append((kind, …))`."""
        event = self.tuple_of([ast.Constant(kind, **self.where), *values])
        return self.do(
            ast.Call(
                ast.Attribute(self.attribute("s", "log"), "append", ast.Load(), **self.where), [event], [], **self.where
            )
        )

    def text(self, raw: str, parts: Parts) -> tuple[ast.expr, ast.expr]:
        """The number of a sentence, and the values that go into it."""
        self.texts.append((raw, parts))
        number = len(self.texts) - 1
        values = []
        for part in parts:
            if isinstance(part, str):
                continue
            value = self.expr(part)
            if isinstance(part.type, List):
                value = self.meter(value, part.type)
            values.append(self.line("tuple({0})", value) if isinstance(part, Pile | AllPieces) else value)
        return self.number(number), self.tuple_of(values)

    def tell(self, node: Tell) -> list[ast.stmt]:
        """A sentence; nothing in the quiet flavour."""
        if not self.told:
            return []
        number, values = self.text(node.raw, node.parts)
        to = self.expr(node.to) if node.to is not None else self.number(-1)
        self.at(node.span)
        return [self.log("say", number, values, to)]

    def set_variable(self, node: SetVariable) -> list[ast.stmt]:
        """A variable gets a value: checked, told, and noticed where somebody waits for it."""
        variable = node.target.variable
        value = self.expr(node.value)
        hooks = self.hooks.get(variable.name, [])
        if not node.check and not self.told and not hooks:
            slot = self.slot(variable, node.target.index)
            self.at(node.span)
            return [ast.Assign([self.subscript(self.name("v"), slot, True)], value, **self.where)]
        self.at(node.span)
        found: list[ast.stmt] = [self.assign("t", value)]
        if node.check:
            found.append(self.bounds_check(variable))
        slot = self.slot(variable, node.target.index)
        self.at(node.span)
        if self.told or hooks:
            found.append(self.assign("i", slot))
            slot = self.name("i")
        if hooks:
            found.append(
                self.do(self.call("noticed", self.name("s"), self.name("i"), self.name("t"), self.value(tuple(hooks))))
            )
        if self.told:
            found.append(self.log("set", self.name("i"), self.name("t")))
        found.append(ast.Assign([self.subscript(self.name("v"), slot, True)], self.name("t"), **self.where))
        if hooks and self.drains:
            found.append(self.drain())
        return found

    def bounds_check(self, variable: Variable) -> ast.stmt:
        """A value out of its range is a fault; nothing is ever clamped in silence."""
        type = plain(variable.type)
        low, high = (type.low, type.high) if isinstance(type, Int) else (LEAST, GREATEST)
        test = (
            self.line(f"not {low} <= t <= {high}")
            if not isinstance(variable.type, Maybe)
            else self.line(f"t != {none_of(type)} and not {low} <= t <= {high}")
        )
        said = self.call(
            "out_of_range",
            self.name("t"),
            ast.Constant(variable.name, **self.where),
            self.number(low),
            self.number(high),
        )
        return ast.If(test, [self.do(said)], [], **self.where)

    def act(self, node: Act) -> list[ast.stmt]:
        """A verb at work: piles and variables go in as slots."""
        values = []
        for argument in node.arguments:
            match argument:
                case Pile() | EitherPile():
                    values.append(self.pile_slot(argument))
                case ReadVariable(variable=variable, index=index) if variable in node.variables:
                    values.append(self.slot(variable, index))
                case _:
                    values.append(self.expr(argument))
        self.at(node.span)
        python = node.python
        if self.quick(node):
            if to_bottom(node):
                python = python.replace("move(", "quick_move_below(").replace(", {2}", "")
                values.pop()
            python = QUICK.sub(lambda m: f"quick_{m[0]}", python)
        elif python.startswith("move(") and len(values) == 2 and not self.told and not self.may_be_full(node):
            python = f"watched_{python}"
        made = self.line(python, *values)
        found = [self.assign(f"l_{node.result}", made) if node.result is not None else self.do(made)]
        if self.drains and self.sets_off(node):
            found.append(self.drain())
        return found

    def drain(self) -> ast.stmt:
        """Triggers that ask nobody have their turn, if any wait."""
        return ast.If(self.line("s.queue"), [self.do(self.call("drain", self.name("s")))], [], **self.where)

    def sets_off(self, node: Act) -> bool:
        """Whether somebody may wait for what a verb does: for pieces that leave or enter a zone, for a variable."""
        leaving: Iterable[Zone] = node.zones
        entering: Iterable[Zone] = node.zones
        match node:
            case Act(verb="move", arguments=(Pile() | EitherPile() as source, Pile() | EitherPile() as target, *_)):
                leaving, entering = zones_of(source), zones_of(target)
            case Act(verb="draw", arguments=(*_, Pile() | EitherPile() as source, Pile() | EitherPile() as target)):
                refills = [zone for zone in zones_of(source) if zone.refill is not None]
                if not refills:
                    leaving, entering = zones_of(source), zones_of(target)
        return (
            any(zone.name in self.left for zone in leaving)
            or any(zone.name in self.entered for zone in entering)
            or any(variable.name in self.hooks for variable in node.variables)
        )

    def quick(self, node: Act) -> bool:
        """Whether nobody waits for what a verb moves, no zone that it goes to can be full, and nothing is told."""
        match node:
            case Act(verb="move", arguments=(_, _, *rest)) if not rest or to_bottom(node):
                pass
            case Act(verb="draw" | "swap"):
                pass
            case _:
                return False
        return not self.told and not self.may_be_full(node) and not self.sets_off(node)

    def may_be_full(self, node: Act) -> bool:
        """Whether a zone that pieces go to has room for so many only."""
        entered: Iterable[Zone] = node.zones
        match node:
            case Act(verb="move", arguments=(_, Pile() | EitherPile() as target, *_)):
                entered = zones_of(target)
        return any(zone.capacity is not None for zone in entered)

    def loop(self, node: Loop) -> list[ast.stmt]:
        """While and until; ten thousand passes without a choice are a fault."""
        self.counters += 1
        counter = f"n{self.counters}"
        test = self.expr(node.test) if node.test is not None else self.number(1)
        inner = self.body(node.body)
        until = self.expr(node.until) if node.until is not None else None
        self.at(node.span)
        count = self.assign(counter, self.call("counted", self.name("s"), self.name(counter)))
        if until is not None:
            inner.append(ast.If(until, [ast.Break(**self.where)], [], **self.where))
        return [self.assign(counter, self.number(0)), ast.While(test, [count, *inner], [], **self.where)]

    def invoke(self, node: Invoke) -> list[ast.stmt]:
        """An action or effect that asks nobody, as a call."""
        arguments = [self.expr(a) for a in node.arguments]
        me = self.expr(node.me) if node.me is not None else self.number(-1)
        if node.action is not None:
            self.at(node.span)
            made = self.call(python_name(node.action), self.name("s"), me, *arguments)
        else:
            assert node.effect is not None and node.of is not None
            of = self.expr(node.of)
            self.at(node.span)
            slot = node.effect
            again: ast.expr = self.name("t")
            if isinstance(node.of, Local | Constant):
                again = self.expr(node.of)
            else:
                of = ast.NamedExpr(self.store("t"), of, **self.where)
            effect = self.subscript(self.name(f"E_{run_together(slot.kind, slot.name)}"), of)
            made = ast.Call(effect, [self.name("s"), again, me, *arguments], [], **self.where)
        return [self.assign(f"l_{node.result}", made) if node.result is not None else self.do(made)]

    def reset(self, span: Span, variables: tuple[Variable, ...]) -> list[ast.stmt]:
        """Variables back to their starts."""
        self.at(span)
        stretches: list[tuple[int, int]] = []
        for variable in sorted(variables, key=lambda v: v.base):
            low, high = variable.base, variable.base + variable.size
            if stretches and stretches[-1][1] == low:
                low = stretches.pop()[0]
            stretches.append((low, high))
        return [
            self.do(self.call("reset", self.name("s"), self.number(low), self.number(high))) for low, high in stretches
        ]


def is_short(condition: ast.expr, times: int) -> bool:
    """Whether a condition is worth writing so many times: it goes through nothing and is not large."""
    inside = list(ast.walk(condition))
    return len(inside) * times <= LARGE and not any(isinstance(inner, ast.ListComp) for inner in inside)


def to_bottom(node: Act) -> bool:
    """Whether a verb puts one piece under a pile."""
    match node:
        case Act(verb="move", arguments=(_, _, Constant(value=0)), python=python):
            return python.startswith("move(")
    return False


def zones_of(pile: Pile | EitherPile) -> list[Zone]:
    """The zone of a pile, or those of which it is one."""
    return [pile.zone] if isinstance(pile, Pile) else [*zones_of(pile.yes), *zones_of(pile.no)]


def conjuncts(node: Expression | None) -> Iterator[Expression]:
    """The parts of a condition that must all hold."""
    if isinstance(node, Apply) and node.python == "({0} and {1})":
        for argument in node.arguments:
            yield from conjuncts(argument)
    elif node is not None:
        yield node


def conjoined(parts: list[Expression]) -> Expression | None:
    """A condition of parts that must all hold."""
    whole: Expression | None = None
    for part in parts:
        whole = part if whole is None else Apply(part.span, BOOL, "({0} and {1})", (whole, part))
    return whole


def plain_function(
    emitter: Emitter, name: str, parameters: list[str], body: list[ast.stmt], span: Span
) -> ast.FunctionDef:
    """A function of the generated program; it takes from the state what it uses."""
    emitter.at(span)
    used = {n.id for statement in body for n in ast.walk(statement) if isinstance(n, ast.Name)}
    start: list[ast.stmt] = [emitter.assign(x, emitter.attribute("s", x)) for x in ("v", "z", "w") if x in used]
    arguments = ast.arguments([], [ast.arg(p, **emitter.where) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(name, arguments, [*start, *body], [], **emitter.where)


def run_together(*names: str) -> str:
    """One name of Python for several of an author's. No others make the same one: theirs have no dot in them."""
    return re.sub(r"\W", "·", "·".join(names))


def python_name(callable: Callable) -> str:
    """What a callable that asks nobody is called in the generated program."""
    return ("f_" if callable.is_function else "a_") + run_together(callable.name)


def callable_parameters(callable: Callable) -> list[str]:
    """The parameters of a callable in the generated program."""
    names = [f"l_{p.name}" if p.name else f"_{i}" for i, p in enumerate(callable.parameters)]
    if callable.is_function:
        return ["s", *(["l_me"] if callable.needs_me else []), *names]
    if callable.this is not None:
        return ["s", "l_this", "l_me", *names]
    return ["s", "l_me", *names]


def hidden(words: Vocabulary) -> Iterator[Zone]:
    """Zones that not everybody sees."""
    for zone in words.zones.values():
        if zone.visible != "all":
            yield zone


__all__ = ["Emitter", "callable_parameters", "checked", "plain_function"]
