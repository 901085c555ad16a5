"""Builds nodes of Python's `ast` with places in the rule file, and keeps the state of code generation.

Generated code lives in a closed world: it sees the state `s`, its lists `v` (variables), `z` (zones), `w` (the zone of each
piece), the constants of the program, and the runtime of the operations. Authors' names get a prefix, and builtins are removed.
A value too long for a literal becomes a named constant of the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache, partial, reduce
from typing import Any

from houserule.compiler.folding import Folding
from houserule.compiler.work import Work, units
from houserule.diagnostics import Span
from houserule.language.checked import Act, Body, Each, Expression, Parts, Routine, Select, Variable
from houserule.language.symbols import SymbolTable
from houserule.language.trees import Inside, occasions, walk_inside
from houserule.operations import FUNCTIONS
from houserule.secrecy.analysis import Secrets

Bound = int | str | partial[ast.expr]
"""The binding of a local during emission: a number, another name, or a function that makes a tree."""
BRIEF = 40
"""An argument with more nodes than this is evaluated once, however often a template uses it."""
DEEP = 3
"""The greatest depth of inlining."""
MOST_WRITTEN = 100_000
"""The most expressions of a program that are unrolled or inlined; all others become loops and calls."""
LONG = 12
"""Tuples longer than this become a named constant of the program."""


NO_NODES = {"id", "attr", "kind", "type_comment", "type_params"}
"""Fields of Python's nodes without child nodes, in the code that we emit."""
IN_PYTHON = Inside(ast.AST, lambda kind: tuple(name for name in kind._fields if name not in NO_NODES))


@cache
def template(python: str, arguments: int) -> list[ast.stmt]:
    """The statements of some Python with placeholders for its arguments.

    `{0}` becomes the name `_0_`, `{*}` all arguments, `{name}` `_name_`, `{s}` the state.
    """
    all_of_them = ", ".join(map("{{{}}}".format, range(arguments)))
    text = re.sub(r"\{(\d|name)\}", r"_\1_", python.replace("{s}", "s").replace("{*}", all_of_them))
    return ast.parse(text).body


IN_TURN = {row.in_turn for rows in FUNCTIONS.values() for row in rows} - {""}


def coming_in_turn(listed: ast.expr) -> ast.Call | None:
    """The call of a function that gives its results one by one, if a list has just these."""
    match listed:
        case ast.ListComp(
            elt=ast.Name(id=name),
            generators=[ast.comprehension(ast.Name(id=each), ast.Call(func=ast.Name(id=function)) as call, [])],
        ) if name == each and function in IN_TURN:
            return call
    return None


class Emitter:
    """The state of code generation, for one symbol table and flavour."""

    def __init__(
        self, symbols: SymbolTable, secrets: Secrets, told: bool, without: frozenset[str] = frozenset()
    ) -> None:
        self.without = without  # optimisations that are left out
        self.symbols = symbols
        self.secrets = secrets
        self.told = told
        self.rounds: frozenset[str] = frozenset()  # the paths of the steps that are rounds, if these are watched
        self.asks_anyway = False  # whether questions are put although all can see that there is nothing to choose
        self.watched = False  # whether answers of chance and rounds are noted, for studies
        self.bodies: Mapping[Routine, Body] = {}  # bodies of routines that differ from the checker's
        self.constants: dict[str, Any] = {}
        self.constant_names: dict[tuple[Any, ...], str] = {}
        self.file = ""  # the file of the function being emitted; a Python function has one
        self.texts: list[tuple[str, Parts]] = []
        self.folding = Folding(symbols.players, body_of=self.body_of)
        self.work = Work(self.body_of, self.folding.tables, symbols, told, without)
        self.bound: dict[str, Bound] = {}  # locals bound to a number, another name or an entry
        self.copies = 1  # the factor by which current code is unrolled, nested lists included
        self.inlined = 0  # the current depth of inlining
        self.counters = 0
        self.room = MOST_WRITTEN  # how many more expressions may be unrolled or inlined
        self.is_brief = False  # whether current code is discarded if it needs a loop
        # Functions that are not inlined, with what is known of their arguments.
        self.too_large: set[tuple[object, ...]] = set()
        self.counts_all = False  # whether the passes of all loops are counted, as for tabulation
        self.has_queue = any(not trigger.is_around_action for trigger in symbols.triggers)
        self.drains = False  # whether triggers that ask nobody run right after their cause
        self.where: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}

    @property
    def is_full(self) -> bool:
        return self.inlined > DEEP or self.room < 0

    def body_of(self, routine: Routine) -> Body:
        return self.bodies.get(routine, routine.body or ())

    def at(self, span: Span) -> None:
        """Set the place of the next nodes; an inlined function of another file gets the place of its call."""
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
        return ast.Name(id, ast.Load(), **self.where)

    def number(self, value: int) -> ast.expr:
        return ast.Constant(value, **self.where)

    def store(self, id: str) -> ast.Name:
        return ast.Name(id, ast.Store(), **self.where)

    def assign(self, to: str | ast.expr, value: ast.expr) -> ast.stmt:
        return ast.Assign([self.store(to) if isinstance(to, str) else to], value, **self.where)

    def call(self, function: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(self.name(function), list(arguments), [], **self.where)

    def do(self, value: ast.expr) -> ast.stmt:
        return ast.Expr(value, **self.where)

    def returned(self, value: ast.expr | None) -> ast.stmt:
        return ast.Return(value, **self.where)

    def attribute(self, name: str) -> ast.expr:
        """An attribute of the state."""
        return ast.Attribute(self.name("s"), name, ast.Load(), **self.where)

    def set_attribute(self, name: str, value: ast.expr) -> ast.stmt:
        """Set an attribute of the state."""
        return self.assign(ast.Attribute(self.name("s"), name, ast.Store(), **self.where), value)

    def subscript(self, of: ast.expr, index: ast.expr, store: bool = False) -> ast.expr:
        return ast.Subscript(of, index, ast.Store() if store else ast.Load(), **self.where)

    def tuple_of(self, items: list[ast.expr]) -> ast.expr:
        return ast.Tuple(items, ast.Load(), **self.where)

    def list_of(self, items: list[ast.expr]) -> ast.expr:
        return ast.List(items, ast.Load(), **self.where)

    def spread(self, items: ast.expr) -> ast.expr:
        """`*items`."""
        return ast.Starred(items, ast.Load(), **self.where)

    def either(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
        return ast.IfExp(test, yes, no, **self.where)

    def negated(self, value: ast.expr) -> ast.expr:
        return ast.UnaryOp(ast.Not(), value, **self.where)

    def one_of(self, parts: list[ast.expr]) -> ast.expr:
        """Whether any of some conditions holds."""
        return ast.BoolOp(ast.Or(), parts, **self.where) if len(parts) > 1 else parts[0] if parts else self.number(0)

    def all_of(self, parts: list[ast.expr]) -> ast.expr:
        """Whether all of some conditions hold."""
        return ast.BoolOp(ast.And(), parts, **self.where) if len(parts) > 1 else parts[0] if parts else self.number(1)

    def total(self, parts: list[ast.expr]) -> ast.expr:
        return (
            reduce(lambda one, other: ast.BinOp(one, ast.Add(), other, **self.where), parts)
            if parts
            else self.number(0)
        )

    def parameters(self, names: Iterable[str]) -> ast.arguments:
        return ast.arguments([], [ast.arg(name, **self.where) for name in names], None, [], [], None, [])

    def function(self, parameters: Iterable[str], value: ast.expr) -> ast.expr:
        return ast.Lambda(self.parameters(parameters), value, **self.where)

    def listed(self, value: ast.expr, binder: str, source: ast.expr, where: Sequence[ast.expr] = ()) -> ast.ListComp:
        """`[value for binder in source if where]`."""
        each = ast.comprehension(self.store(binder), source, list(where), 0)
        return ast.ListComp(value, [each], **self.where)

    def branch(self, test: ast.expr, yes: list[ast.stmt], no: Sequence[ast.stmt] = ()) -> ast.stmt:
        return ast.If(test, yes, list(no), **self.where)

    def loop(self, binder: str, source: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        return ast.For(self.store(binder), source, body, [], **self.where)

    def line(self, python: str, *arguments: ast.expr | None, name: str = "") -> ast.expr:
        """A template with its placeholders filled; each argument must be a fresh tree.

        A call omits an argument that is None. `{name}` becomes a text. An argument that the template uses twice is
        duplicated if it is short; any other is evaluated once and named.
        """
        given: dict[str, ast.expr | None] = {f"_{position}_": value for position, value in enumerate(arguments)}
        given["_name_"] = ast.Constant(name, **self.where)
        named = [
            (position, argument)
            for position, argument in enumerate(arguments)
            if argument is not None and python.count(f"{{{position}}}") > 1 and not is_at_most(argument, BRIEF)
        ]
        for position, _ in named:
            given[f"_{position}_"] = self.name(f"_{position}_")
        (statement,) = self.filled(template(python, len(arguments)), given, set())
        made: ast.expr = statement.value
        if not named:
            return made
        line = self.function((f"_{position}_" for position, _ in named), made)
        return ast.Call(line, [argument for _, argument in named], [], **self.where)

    def lines(self, python: str, *arguments: ast.expr) -> list[ast.stmt]:
        """Statements from a template, like `line`; an argument that is used twice is evaluated twice."""
        given = {f"_{position}_": value for position, value in enumerate(arguments)}
        found: list[ast.stmt] = self.filled(template(python, len(arguments)), given, set())
        return found

    def filled(self, part: Any, given: Mapping[str, ast.expr | None], used: set[str]) -> Any:
        """A copy of a part of a template, placed here; arguments used twice are copied."""
        if isinstance(part, list):
            return [made for one in part if (made := self.filled(one, given, used)) is not None]
        if not isinstance(part, ast.AST) or not part._fields:
            return part
        if isinstance(part, ast.Name) and part.id in given:
            found = deepcopy(given[part.id]) if part.id in used else given[part.id]
            used.add(part.id)
            return found
        parts = [self.filled(getattr(part, name, None), given, used) for name in part._fields]
        is_placed = isinstance(part, ast.expr | ast.stmt | ast.keyword | ast.arg)
        return type(part)(*parts, **(self.where if is_placed else {}))

    def constant(self, value: Any, name: str | None = None) -> str:
        """The name of a constant of the program: its own, or a numbered one."""
        key = (name, type(value), value)
        found = self.constant_names.get(key)
        if found is None:
            found = self.constant_names[key] = name or f"K{len(self.constants)}"
            self.constants[found] = value
        return found

    def value(self, value: int | tuple[int, ...]) -> ast.expr:
        """A constant, as a literal or by name."""
        if isinstance(value, tuple):
            if len(value) > LONG:
                return self.name(self.constant(value))
            return self.tuple_of([self.value(v) for v in value])
        return self.number(int(value))

    def fold(self, node: Expression) -> Expression:
        return self.folding.fold(node, self.bound)

    def meter(self, listed: ast.expr, loop: Select | Each) -> ast.expr:
        """A list to loop over, metered if it can be long."""
        if not self.is_counted(loop):
            return listed
        return self.metered(listed, self.work.a_pass(loop))

    def metered(self, listed: ast.expr, price: int) -> ast.expr:
        """A list of which each element costs so many grains."""
        in_turn = coming_in_turn(listed)
        if in_turn is None:
            return self.call("metered", self.name("s"), listed, self.number(price))
        before = in_turn.args[1]
        assert isinstance(before, ast.Constant) and isinstance(before.value, int)
        in_turn.args[1] = self.number(before.value + price)
        return listed

    def is_counted(self, loop: Select | Each) -> bool:
        return self.counts_all or self.work.is_counted(loop)

    def gone_through(self, price: int, listed: ast.expr, node: Expression) -> ast.expr:
        """A list that an operator goes through, metered if that can take long."""
        if not self.work.is_gone_through(node, price):
            return listed
        return self.metered(listed, price)

    def charge(self, grains: int, is_again: bool) -> list[ast.stmt]:
        """Statements that count work. Whether the limit is reached is asked where execution may come again and again."""
        asked = "\nif s.fuel < 0: refuel(s)" if is_again else ""
        return self.lines("s.fuel -= {0}" + asked, self.number(units(grains)))

    def sets_off(self, node: Act) -> bool:
        """Whether a trigger may wait for what a verb does: for pieces that leave or enter a zone, for a variable."""
        return not self.symbols.waiting.keys().isdisjoint(occasions(node))

    def hooks(self, variable: Variable) -> list[int]:
        return [trigger.number for trigger in self.symbols.waiting.get(("changes", variable.name), ())]

    def is_unwatched(self, node: Act) -> bool:
        """Whether a verb records no event, no trigger waits for it, and no zone that it fills can be full."""
        if self.told or "quick_verbs" in self.without:
            return False
        return not self.sets_off(node) and all(zone.capacity is None for zone in node.enters)


def python_nodes(tree: ast.AST | list[ast.stmt]) -> list[Any]:
    """All nodes of a Python tree, parents first: several times as fast as `ast.walk`."""
    return walk_inside(tree, IN_PYTHON)


def names_in(tree: ast.AST | list[ast.stmt]) -> set[str]:
    return {node.id for node in python_nodes(tree) if type(node) is ast.Name}


def is_at_most(tree: ast.expr, nodes: int) -> bool:
    return len(python_nodes(tree)) <= nodes


def plain_function(
    emitter: Emitter,
    name: str,
    parameters: list[str],
    body: list[ast.stmt],
    span: Span,
    used: set[str] | None = None,
) -> ast.FunctionDef:
    """A function of the generated program; it loads what it uses from the state. `used` are its names if they are known."""
    emitter.at(span)
    used = used if used is not None else names_in(body)
    start: list[ast.stmt] = [emitter.assign(x, emitter.attribute(x)) for x in ("v", "z", "w") if x in used]
    return ast.FunctionDef(name, emitter.parameters(parameters), [*start, *body], [], **emitter.where)


def run_together(*names: str) -> str:
    """One Python name for several names of an author's. It is unique: theirs contain no dot."""
    return re.sub(r"\W", "·", "·".join(names))


def python_name(routine: Routine) -> str:
    return ("f_" if routine.is_function else "a_") + run_together(routine.name)


def callable_parameters(routine: Routine) -> list[str]:
    names = [f"l_{p.name}" if p.name else f"_{i}" for i, p in enumerate(routine.parameters)]
    if routine.is_function:
        return ["s", *(["l_me"] if routine.needs_me else []), *names]
    if routine.this is not None:
        return ["s", "l_this", "l_me", *names]
    return ["s", "l_me", *names]
