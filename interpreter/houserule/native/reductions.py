"""Translates reductions of lists: sums, extremes, any and all, and sorting."""

from __future__ import annotations

import ast
from collections.abc import Callable
from operator import itemgetter

from houserule.native.functions import CONDITIONS, Area, Local, Scope
from houserule.native.loops import Visit, binding, collected, each, each_of_list, flattened
from houserule.native.names import area_address
from houserule.native.values import (
    DictOf,
    ListOf,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_int,
    condition_code,
    number,
    of_known,
    parts,
    run_time,
    truth,
    tuple_of,
    words,
)
from houserule.native.wasm import Op, either, get_local, i32, i64, trap_if, when

QUIET = {
    "len",
    "min",
    "max",
    "sum",
    "any",
    "all",
    "abs",
    "list",
    "metered",
    "joined",
    "distinct",
    "item",
    "place",
    "alike_in",
}
"""Calls that cannot fail: an iteration that contains them may stop early."""


def can_stop(node: ast.expr | Value) -> bool:
    """Whether an iteration may stop early: nothing in it can fail."""
    if isinstance(node, Value):
        return True
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in QUIET):
            return False
        if isinstance(one, ast.FloorDiv | ast.Mod):
            return False
    return True


def found_in(scope: Scope, node: ast.expr | Value, test: Callable[[Value], Op | bool]) -> Op:
    """Whether there is an item that satisfies a test."""
    found = scope.function.local("i32")
    done = scope.function.label("found")
    stops = can_stop(node)
    scope.emit(Op("local.set", found, i32(0)))

    def visit(item: Value) -> None:
        with scope.captured() as before:
            holds = test(item)
        for code in before:
            scope.emit(code)
        if holds is False:
            return
        then = [Op("local.set", found, i32(1)), *([Op("br", done)] if stops else [])]
        for one in then if holds is True else [when(holds, then)]:
            scope.emit(one)

    with scope.captured() as body:
        each(scope, node, visit)
    scope.emit(Op("block", done, *body))
    return get_local(found)


def has_any(scope: Scope, node: ast.expr | Value) -> Op | bool:
    """Whether there is an item."""
    if isinstance(node, ast.List) and not node.elts:
        return False
    return found_in(scope, node, lambda _: True)


def has_member(scope: Scope, value: Value, node: ast.expr) -> Value:
    """Whether a value is in a list."""
    code = found_in(scope, node, lambda item: Op("i64.eq", as_int(value), as_int(item)))
    return truth(code)


def has_true(scope: Scope, node: ast.expr | Value, wanted: bool) -> Value:
    """Whether an item is true, or whether none is false."""

    def test(item: Value) -> Op:
        return condition_code(item) if wanted else Op("i32.eqz", condition_code(item))

    code = found_in(scope, node, test)
    return truth(code if wanted else Op("i32.eqz", code))


def length(scope: Scope, node: ast.expr) -> Value:
    """`len(a)`."""
    if isinstance(node, ast.ListComp):
        total = scope.kept(of_known(0))
        each(scope, node, lambda _: scope.set(total, number(Op("i64.add", total.code[0], i64(1)))))
        return total
    value = scope.expression(node)
    if value.is_known and not isinstance(value.known, Area):
        return of_known(len(value.known))
    if isinstance(value.type, TupleOf):
        return of_known(len(value.type.items))
    width = 1
    if isinstance(value.type, DictOf):
        width = words(value.type.key) + words(value.type.value)
    elif isinstance(value.type, ListOf):
        width = words(value.type.item) or 1
    code = value.code[0] if value.code else i32(area_address(scope, value.known))
    if value.is_known and value.known.name == "frames":
        memory = scope.module.memory
        depth = Op("i32.sub", Op("i32.load", i32(memory.fields["top"])), i32(memory.frames - memory.frame_words * 8))
        return number(Op("i64.extend_i32_u", Op("i32.div_u", depth, i32(memory.frame_words * 8))))
    size = Op("i32.load", code)
    return number(Op("i64.extend_i32_u", size if width == 1 else Op("i32.div_u", size, i32(width))))


def total(scope: Scope, node: ast.expr) -> Value:
    """`sum(a)`."""
    made = scope.kept(of_known(0))
    each(scope, node, lambda item: scope.set(made, number(Op("i64.add", made.code[0], as_int(item)))))
    return made


def extreme(scope: Scope, args: list[ast.expr], keywords: dict[str, ast.expr], sign: str) -> Value:
    """`min` and `max`, of several numbers or of a list."""
    if len(args) > 1:
        made = scope.temporary(run_time(scope.expression(args[0])))
        for one in args[1:]:
            other = scope.temporary(run_time(scope.expression(one)))
            test = Op(f"i64.{sign}_s", other.code[0], made.code[0])
            made = scope.temporary(number(Op("select", other.code[0], made.code[0], test)))
        return made
    is_there = scope.function.local("i32")
    scope.emit(Op("local.set", is_there, i32(0)))
    key = scope.expression(keywords["key"]) if "key" in keywords else None
    best: list[Value] = []

    def visit(item: Value) -> None:
        item = scope.temporary(run_time(item))
        rank = scope.temporary(as_rank(apply(scope, key, item))) if key is not None else item
        if not best:
            best.extend((scope.declare(item.type), scope.declare(rank.type)))
        with scope.captured() as taking:
            scope.set(best[0], item)
            scope.set(best[1], rank)
            scope.emit(Op("local.set", is_there, i32(1)))
        first = Op("i32.eqz", get_local(is_there))
        test = either("i32", first, [i32(1)], [precedes(rank, best[1], sign)])
        scope.emit(when(test, taking))

    each(scope, args[0], visit)
    default = scope.expression(keywords["default"]) if "default" in keywords else None
    if not best:
        return default or of_known(0)
    if default is None:
        scope.emit(trap_if(Op("i32.eqz", get_local(is_there))))
    else:
        with scope.captured() as otherwise:
            scope.set(best[0], default)
        scope.emit(when(Op("i32.eqz", get_local(is_there)), otherwise))
    return best[0]


def as_rank(value: Value) -> Value:
    """A key as numbers side by side."""
    if isinstance(value.type, TupleOf) or (value.is_known and isinstance(value.known, tuple)):
        return flat_tuple(value)
    return run_time(value)


def flat_tuple(value: Value) -> Value:
    """A tuple without nested tuples, of evaluated numbers."""
    flat = [run_time(part) for part in flattened(value)]
    return Value(TupleOf(tuple(part.type for part in flat)), tuple(code for part in flat for code in part.code))


def precedes(a: Value, b: Value, sign: str) -> Op:
    """Whether one key comes before another."""
    if not isinstance(a.type, TupleOf):
        return Op(f"i64.{sign}_s", as_int(a), as_int(b))
    made = i32(0)
    for x, y in zip(reversed(a.code), reversed(b.code), strict=True):
        same = either("i32", Op("i64.eq", x, y), [made], [i32(0)])
        made = either("i32", Op(f"i64.{sign}_s", x, y), [i32(1)], [same])
    return made


def apply(scope: Scope, function: Value, item: Value) -> Value:
    """Apply a lambda or an `itemgetter` to an item."""
    if isinstance(function.known, itemgetter):
        return parts(item)[int(function.known.__reduce__()[1][0])]
    if not isinstance(function.known, Local):
        raise Untranslatable("a key that is no lambda")
    node, around = function.known.node, function.known.scope
    (parameter,) = node.args.args
    with binding(around, ast.Name(parameter.arg)) as bind:
        bind(item)
        return scope_value(scope, around, node.body)


def scope_value(scope: Scope, around: Scope, node: ast.expr) -> Value:
    """An expression with the names of another scope of the same function."""
    if scope.function is not around.function:
        raise Untranslatable("a lambda that is handed to another function")
    return around.expression(node)


def in_order(scope: Scope, node: ast.expr, key: ast.expr | None) -> Value:
    """`sorted(a, key=…)`: rows of key and item are sorted by key, and the items extracted."""
    by = scope.expression(key) if key is not None else None
    keys, items = [0], list[Type]()

    def rows(visit: Visit) -> None:
        def inside(item: Value) -> None:
            item = scope.temporary(run_time(item))
            rank = as_rank(apply(scope, by, item)) if by is not None else as_rank(item)
            keys[0] = words(rank.type)
            if not items:
                items.append(item.type)
            visit(tuple_of([scope.temporary(rank), item]))

        each(scope, node, inside)

    made = scope.temporary(collected(scope, rows, i32(12)))
    if not items:
        return made
    assert isinstance(made.type, ListOf)
    scope.emit(Op("call", "$sort", made.code[0], i32(words(made.type.item)), i32(keys[0])))

    def taken(visit: Visit) -> None:
        assert isinstance(made.type, ListOf)
        each_of_list(scope, made, made.type.item, lambda row: visit(parts(row)[1]))

    return collected(scope, taken, i32(12))


CONDITIONS |= {ast.List: has_any, ast.ListComp: has_any}
