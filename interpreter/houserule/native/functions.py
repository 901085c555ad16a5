"""Translates functions and calls of them: one instance for each combination of argument types, small ones inlined, known arguments folded in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.runtime import without_effect
from houserule.native.blueprint import Blueprint, Cells, Generated, Nested, source_of, world_of
from houserule.native.memory import Memory
from houserule.native.values import (
    BOOL,
    INT,
    INTS,
    KNOWN,
    LEAVE,
    PILE,
    TRAP,
    VOID,
    WORD_TYPE,
    Inliner,
    ListOf,
    Op,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_int,
    get_local,
    i32,
    of_known,
    parts,
    pointer,
    run_time,
    text_of,
    wasm_types,
    when,
)

SMALL, TINY = 120, 60
"""Functions with at most so many nodes are inlined, and with so many once a translation is half as long as it may be."""
DEEP = 6
"""The greatest depth of inlining."""
MOST_TRANSLATED = 80_000
"""The most nodes in a translation, five times those of the largest bundled game: about three seconds."""


@dataclass(frozen=True, slots=True)
class Area:
    """The state, or an area of it: variables, zones, places of pieces, the queue of triggers, running triggers, frames.

    `mirror` is 1 for its copy at the start of a `together`, and 2 for the changes of a player's part.
    """

    name: str
    mirror: int = 0


@dataclass(frozen=True, slots=True)
class Chance:
    """A generator of the state."""

    number: int


@dataclass(frozen=True, slots=True)
class Method:
    """A bound method of a value, before it is called."""

    of: Value
    name: str


@dataclass(frozen=True, slots=True)
class Local:
    """A lambda with its scope."""

    node: ast.Lambda
    scope: Scope


STATE = Area("state")
BEFORE, PART = Area("state", 1), Area("state", 2)
"""The state at the start of a `together`, and after a player's part of it."""
EXPRESSIONS: dict[type, Callable[[Scope, Any], Value]] = {}
"""The translators of each kind of expression; the modules of this package fill it in, and the next tables."""
STATEMENTS: dict[type, Callable[[Scope, Any], bool]] = {}
CONDITIONS: dict[type, Callable[[Scope, Any], Op | bool]] = {}
"""Translators of tests whether a list expression has members."""


@dataclass(eq=False)
class Function:
    """One function of the module."""

    name: str
    parameters: list[tuple[str, str]] = field(default_factory=list)
    result: Type | None = None
    locals: dict[str, str] = field(default_factory=dict)
    out: list[Op] = field(default_factory=list)
    labels: int = 0
    may_end: bool = False
    is_done: bool = False
    arguments: Sequence[Value] = ()
    """The arguments of this instance: known objects among these are compared by identity, so they must stay alive."""

    def local(self, wasm: str) -> str:
        name = f"$t{len(self.locals)}"
        self.locals[name] = wasm
        return name

    def label(self, what: str) -> str:
        self.labels += 1
        return f"${what}{self.labels}"

    def text(self, inliner: Inliner | None) -> str:
        """The function in the text format."""
        results = wasm_types(self.result or VOID)
        whole = Op(
            "func",
            self.name,
            *(Op("param", name, wasm) for name, wasm in self.parameters),
            *([Op("result", *results)] if results else []),
            *(Op("local", name, wasm) for name, wasm in self.locals.items()),
            *self.out,
            *([TRAP] if results else []),
        )
        whole = inliner.inlined(whole) if inliner is not None else whole
        return text_of(whole, Op("return", *(Op(f"{wasm}.const", "0") for wasm in results)))


class Module:
    """A program in translation: its functions, and its needs of memory."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self.cells: Cells | None = blueprint.cells
        self.memory = Memory(blueprint)
        self.trees = dict(blueprint.trees)
        self.functions: dict[tuple[Any, ...], Function] = {}
        self.signatures: dict[tuple[str, ...], str] = {}
        self.elements: list[str] = []
        self.extra: dict[str, str] = {}
        self.sizes: dict[ast.FunctionDef, int] = {}
        self.translated = 0

    def count(self) -> None:
        """Count a node that is translated, inlined ones every time. Raises Untranslatable at the limit."""
        self.translated += 1
        if self.translated > MOST_TRANSLATED:
            raise Untranslatable("its translation would be too long")

    def source(self, function: Any) -> ast.FunctionDef:
        """The tree of a function: a generated one, or one of the runtime."""
        match function:
            case Generated(name):
                return self.trees[name]
            case Nested(tree):
                return tree
        return source_of(function)

    def world(self, function: Any) -> Mapping[str, Any]:
        """The names that a function knows."""
        match function:
            case Generated():
                return self.blueprint.world
            case Nested():
                return world_of(function)
        found: Mapping[str, Any] = function.__globals__
        return found

    def is_small(self, tree: ast.FunctionDef) -> bool:
        """Whether a function is inlined: it is short and does not call itself."""
        if tree not in self.sizes:
            is_recursive = any(isinstance(one, ast.Try) for one in tree.body)
            self.sizes[tree] = MOST_TRANSLATED if is_recursive else sum(1 for _ in ast.walk(tree))
        return self.sizes[tree] <= (SMALL if self.translated <= MOST_TRANSLATED // 2 else TINY)

    def result_of(self, function: Any) -> Type:
        """The result type of a routine that is being translated: it is recursive."""
        result = self.blueprint.results.get(function.name) if isinstance(function, Generated) else None
        if result is None:
            raise Untranslatable(f"{function} calls itself")
        return RESULTS[result]

    def instance(self, function: Any, arguments: Sequence[Value]) -> Function:
        """The instance of a function for arguments of these types."""
        key = (function, *(shape(argument) for argument in arguments))
        found = self.functions.get(key)
        if found is None:
            name = f"$f{len(self.functions)}"
            found = self.functions[key] = Function(name, arguments=arguments)
            Scope.of_function(self, found, function, arguments).write()
            found.is_done = True
        return found

    def element(self, function: str) -> int:
        """The index of a function in the function table."""
        if function not in self.elements:
            self.elements.append(function)
        return len(self.blueprint.segments) + 2 * len(self.blueprint.sites) + self.elements.index(function)

    def nothing(self, parameters: Sequence[str], results: Sequence[str]) -> str:
        """A function that does nothing, for members without an effect."""
        name = f"$nothing{self.signature(parameters, results)[1:]}"
        made = Op(
            "func", name, *(Op("param", wasm) for wasm in parameters), *([Op("result", *results)] if results else [])
        )
        self.extra[name] = text_of(Op(made.name, *made.parts, *(Op(f"{wasm}.const", "0") for wasm in results)))
        return name

    def signature(self, parameters: Sequence[str], results: Sequence[str]) -> str:
        """The name of the type of a function."""
        key = (*parameters, "->", *results)
        return self.signatures.setdefault(key, f"$s{len(self.signatures)}")


RESULTS: dict[str, Type] = {"nothing": VOID, "number": INT, "list": INTS}


def shape(value: Value) -> Any:
    """The part of an argument that determines the instance."""
    if value.is_known and value.const is None:
        return value.known if isinstance(value.known, str | tuple) or value.known is None else id(value.known)
    return run_time(value).type


class Scope:
    """The names of a function, and where its code goes; an inlined function has its own."""

    def __init__(self, module: Module, function: Function, world: Mapping[str, Any], depth: int = 0) -> None:
        self.module = module
        self.function = function
        self.world = world
        self.depth = depth
        self.routine = ""  # the generated function whose statements these are
        self.names: dict[str, Value] = {}
        self.lists: frozenset[str] = frozenset()  # for a segment: its locals that are lists
        self.body: Sequence[ast.stmt] = ()
        self.result: Value | None = None  # for an inlined function
        self.exit = ""
        self.is_inside = depth > 0
        self.loops: list[tuple[str, str]] = []  # targets of `break` and `continue`
        self.over = ""  # the target at the end of the game, if somebody catches it
        self.finally_: list[Sequence[ast.stmt]] = []
        self.is_row = False  # whether the result is a tuple of varying length
        self.fresh: set[str] = set()  # lists that only this name refers to
        self.visit: Callable[[Value], None] | None = None
        """For an inlined generator: what happens to each of its values."""

    @classmethod
    def of_function(cls, module: Module, made: Function, function: Any, arguments: Sequence[Value]) -> Scope:
        """The scope of a function that is not inlined."""
        tree = module.source(function)
        scope = cls(module, made, module.world(function))
        scope.routine = function.name if isinstance(function, Generated) else ""
        scope.body, scope.is_row = tree.body, is_row(tree)
        for name, argument in bound(tree, function, arguments):
            given = run_time(argument) if argument.const is not None else argument
            if given.is_known:
                scope.names[name] = given
                continue
            locals = []
            for wasm in wasm_types(given.type):
                local = f"$p{len(made.parameters)}"
                made.parameters.append((local, wasm))
                locals.append(local)
            scope.names[name] = variable(given.type, locals)
        return scope

    def write(self) -> None:
        self.statements(self.body)
        self.function.result = self.function.result or VOID

    def emit(self, *codes: Op) -> None:
        self.function.out += codes

    @contextmanager
    def captured(self) -> Iterator[list[Op]]:
        """A context in which instructions go into a separate list."""
        before, self.function.out = self.function.out, []
        try:
            yield self.function.out
        finally:
            self.function.out = before

    @contextmanager
    def block(self, label: str) -> Iterator[None]:
        """A context whose instructions become a block, which jumps to the label leave."""
        with self.captured() as body:
            yield
        self.emit(Op("block", label, *body))

    def temporary(self, value: Value) -> Value:
        """The value in new locals, so that it is evaluated once."""
        if value.is_known:
            return value
        value = run_time(value) if value.type is not INT else value
        if all(code.is_plain for code in value.code):
            return value
        return self.kept(value)

    def kept(self, value: Value, type: Type | None = None) -> Value:
        """The value in new locals that can be assigned."""
        made = self.declare(type or run_time(value).type)
        self.set(made, value)
        return made

    def declare(self, type: Type) -> Value:
        return variable(type, [self.function.local(wasm) for wasm in wasm_types(type)])

    def set(self, to: Value, value: Value) -> None:
        given = coerced(self, value, to.type)
        for local, code in zip(to.locals, given.code, strict=True):
            if code.name != "local.get" or code.parts != (local,):
                self.emit(Op("local.set", local, code))

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise Untranslatable(f"{type(node).__name__}: {ast.unparse(node)}")
        self.module.count()
        return handler(self, node)

    def statements(self, body: Sequence[ast.stmt]) -> bool:
        """Translate statements; returns whether the code after them is unreachable."""
        for node in body:
            try:
                self.module.count()
                handler = STATEMENTS.get(type(node))
                if handler is None:
                    raise Untranslatable(f"the statement {type(node).__name__}")
                if handler(self, node):
                    return True
            except Untranslatable as reason:
                if reason.place is None and self.routine:
                    reason.place = self.routine, node.lineno
                raise
        return False

    def part_of_list(self, value: Value, place: int) -> Value:
        return Value(INT, (Op("i64.load", f"offset={8 + 8 * place}", value.code[0]),))

    def look_up(self, name: str) -> Value:
        """The meaning of a name."""
        if name in self.names:
            return self.names[name]
        if name in self.world:
            return of_known(self.world[name])
        if name in BUILTINS:
            return of_known(BUILTINS[name])
        raise Untranslatable(f"the name {name} is not known here")


BUILTINS: dict[str, Any] = {
    f.__name__: f
    for f in (len, sum, min, max, all, any, abs, sorted, list, tuple, set, frozenset, int, bool, range, zip, map, enumerate, dict)
}  # fmt: skip


def is_row(tree: ast.FunctionDef) -> bool:
    return tree.returns is not None and ast.unparse(tree.returns) == "tuple[int, ...]"


def variable(type: Type, locals: Sequence[str]) -> Value:
    return Value(type, tuple(get_local(local) for local in locals), locals=tuple(locals))


def bound(tree: ast.FunctionDef, function: Any, arguments: Sequence[Value]) -> list[tuple[str, Value]]:
    """The parameters of a function with their arguments or defaults."""
    if tree.args.vararg is not None:
        return []
    names = [parameter.arg for parameter in tree.args.args]
    defaults = getattr(function, "__defaults__", None) or ()
    missing = len(names) - len(arguments)
    if missing > len(defaults) or missing < 0:
        raise Untranslatable(f"{tree.name} has other parameters")
    given = [*arguments, *(of_known(value) for value in (defaults[len(defaults) - missing :] if missing else ()))]
    return list(zip(names, given, strict=True))


def coerced(scope: Scope, value: Value, type: Type) -> Value:
    """A value as one of another type that can hold it."""
    if type is KNOWN or value.type == type:
        return value
    return coerced_list(scope, value, type) or coerced_item(value, type)


def coerced_list(scope: Scope, value: Value, type: Type) -> Value | None:
    """A list or a tuple as one of another type; None for anything else."""
    if value.is_known and isinstance(value.known, tuple | list | range) and isinstance(type, ListOf):
        return Value(type, (i32(scope.module.memory.constant(value.known)),))
    if isinstance(type, TupleOf) and value.is_known:
        items = [coerced(scope, item, one) for item, one in zip(parts(value), type.items, strict=True)]
        return Value(type, tuple(code for item in items for code in item.code))
    if isinstance(value.type, TupleOf) and type == INTS:
        made = scope.kept(pointer(Op("call", "$new", i32(len(value.type.items)))))
        for item in parts(value):
            scope.emit(Op("call", "$put", made.code[0], as_int(item)))
        return made
    return None


def coerced_item(value: Value, type: Type) -> Value:
    """A number, or a list of that type already, apart from where it lies."""
    made = run_time(value)
    if made.type == type:
        return made
    is_list = isinstance(made.type, ListOf) and isinstance(type, ListOf)
    if is_list and ((made.type.item == type.item and not type.zone) or made.type.item is VOID):  # type: ignore[union-attr]  # both are lists
        return Value(type, made.code)
    raise Untranslatable(f"{type} is expected, not {value.known if value.is_known else made.type}")


# --- names -----------------------------------------------------------------------------------------------------------------


def set_name(scope: Scope, name: str, value: Value) -> None:
    if value.type is VOID:
        value = of_known(None)
    if value.is_known and value.const is None and not is_listed(value.known):
        scope.names[name] = value
        return
    known = scope.names.get(name)
    if known is not None and known.locals:
        if known.type == ListOf(VOID) and isinstance(value.type, ListOf):  # only now its item type is known
            known = scope.names[name] = Value(value.type, known.code, locals=known.locals)
        scope.set(known, value)
        return
    type = INTS if value.is_known and value.const is None else INT if value.type in (BOOL, KNOWN) else value.type
    if value.is_known and value.const is None and value.known and isinstance(value.known[0], tuple | list):
        type = ListOf(INTS)
    made = scope.names[name] = scope.declare(type)
    scope.set(made, value)


def is_listed(value: Any) -> bool:
    return isinstance(value, tuple | list | range) and all(isinstance(item, int) or is_listed(item) for item in value)


BARE = {"counts": "cells", "tallies": "tallies", "observed": "observed"}
"""Areas without the head of a list, and the attributes of the memory with their addresses."""


def area_address(scope: Scope, area: Area) -> int:
    """The address of an area's list."""
    memory = scope.module.memory
    if area.name in BARE:
        return int(getattr(memory, BARE[area.name])) - 8
    at = {"v": memory.v, "w": memory.w, "queue": memory.queue, "running": memory.running}[area.name]
    return at + memory.mirrors[area.mirror]


def listed(scope: Scope, value: Value) -> Value:
    """A value; an area that is a list as one."""
    if not (value.is_known and isinstance(value.known, Area) and value.known.name in ROWS):
        return value
    return pointer(i32(area_address(scope, value.known)), ListOf(ROWS[value.known.name]))


ROWS: dict[str, Type] = {"v": INT, "w": INT, "queue": TupleOf((INT, INT, INT))}
"""The items of areas that are lists."""


def call_function(scope: Scope, function: Any, arguments: Sequence[Value]) -> Value:
    """A call of a function in the subset; a small one is inlined."""
    if function is without_effect:
        return of_known(None)
    tree = scope.module.source(function)
    arguments = [value for _, value in bound(tree, function, arguments)]
    if scope.depth < DEEP and scope.module.is_small(tree):
        return inline(scope, function, tree, arguments)
    made = scope.module.instance(function, arguments)
    result = made.result if made.result is not None else scope.module.result_of(function)
    made.result = result
    codes = [code for one in passed(arguments) for code in one.code]
    value = result_of_call(scope, Op("call", made.name, *codes), result)
    if made.may_end or not made.is_done:
        check_over(scope)
    return value


def passed(arguments: Sequence[Value]) -> list[Value]:
    """The arguments that a function gets when it runs: all numbers, and what else is not known."""
    return [run_time(one) for one in arguments if not one.is_known or one.const is not None]


def result_of_call(scope: Scope, code: Op, result: Any) -> Value:
    """What a call returns, in locals."""
    if result is VOID:
        scope.emit(code)
        return of_known(None)
    made = scope.declare(result)
    if len(made.locals) == 1:
        scope.emit(Op("local.set", made.locals[0], code))
    else:
        scope.emit(code)
        for local in reversed(made.locals):
            scope.emit(Op("local.set", local))
    return made


def inline(
    scope: Scope,
    function: Any,
    tree: ast.FunctionDef,
    arguments: Sequence[Value],
    visit: Callable[[Value], None] | None = None,
) -> Value:
    """An inlined function; a generator with a `visit` of each of its values."""
    inner = Scope(scope.module, scope.function, scope.module.world(function), scope.depth + 1)
    inner.over, inner.is_row, inner.visit = scope.over, is_row(tree), visit
    inner.routine = function.name if isinstance(function, Generated) else ""
    set_inside = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    for name, argument in bound(tree, function, arguments):
        is_changed = name in set_inside and not (argument.is_known and argument.const is None)
        inner.names[name] = scope.kept(argument) if is_changed else scope.temporary(argument)
    body = [one for one in tree.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    *before, last = body
    if isinstance(last, ast.Return) and last.value is not None and not any(map(returns, before)):
        inner.is_inside = True
        inner.statements(before)
        return inner.expression(last.value)
    inner.exit = scope.function.label("exit")
    with scope.block(inner.exit):
        inner.statements(body)
    if inner.result is None or inner.result.type is VOID:
        return of_known(None)
    return Value(inner.result.type, inner.result.code)


def returns(node: ast.stmt) -> bool:
    return any(isinstance(one, ast.Return) for one in ast.walk(node))


# --- the ways out of a function --------------------------------------------------------------------------------------------


def leave(scope: Scope, value: Value) -> None:
    """Return a value, after all `finally` blocks."""
    kept = result_for(scope, value)
    if scope.finally_:
        if kept.code:
            kept = scope.temporary(kept)
        finish_all(scope)
    if scope.is_inside:
        if scope.result is not None and scope.result.locals:
            scope.set(scope.result, kept)
        scope.emit(Op("br", scope.exit))
        return
    scope.emit(Op("return", *kept.code))


def finish_all(scope: Scope) -> None:
    """Run the `finally` blocks."""
    waiting, scope.finally_ = scope.finally_, []
    for body in reversed(waiting):
        scope.statements(body)
    scope.finally_ = waiting


def result_for(scope: Scope, value: Value) -> Value:
    """A value as the function's result; the first one decides the type."""
    if value.type == WORD_TYPE:
        value = Value(INT, value.code)
    known = scope.result if scope.is_inside else None
    type = known.type if known is not None else None if scope.is_inside else scope.function.result
    if type is None:
        if value.type is VOID or (value.is_known and value.known is None):
            type = VOID
        elif value.is_known and value.const is None:
            type = coerced(scope, value, INTS).type
        elif value.type in (BOOL, KNOWN):
            type = INT
        elif scope.is_row:
            type = INTS
        else:
            type = INTS if value.type in (PILE, ListOf(VOID)) else value.type
        if scope.is_inside:
            scope.result = scope.declare(type) if type is not VOID else Value(VOID)
        else:
            scope.function.result = type
    return Value(VOID) if type is VOID else coerced(scope, value, type)


def end_here(scope: Scope) -> None:
    """End the game: leave everything, or jump to whoever catches that."""
    if scope.over:
        scope.emit(Op("br", scope.over))
        return
    finish_all(scope)
    scope.emit(LEAVE)


def check_over(scope: Scope) -> None:
    """After a call that may have ended the game."""
    if not scope.over:
        scope.function.may_end = True
    with scope.captured() as out:
        end_here(scope)
    scope.emit(when(Op("global.get", "$over"), out))
