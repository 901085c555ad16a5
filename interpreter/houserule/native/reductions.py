"""Translates reductions of lists (sums, extremes, any and all, sorting), and comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from houserule.native.expressions import MOST_BITS, as_float, in_block, is_call_of, is_light, tests_of
from houserule.native.functions import CONDITIONS, EXPRESSIONS, Area, Local, Scope, area_address, coerced
from houserule.native.items import WORDS, loaded, row_of_few
from houserule.native.loops import Visit, binding, collect, each, each_of_list, flattened, last_test
from houserule.native.values import (
    FLOAT,
    INT,
    INTS,
    NOT_THERE,
    DictOf,
    ListOf,
    Op,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_int,
    bounded,
    condition_code,
    either,
    folded,
    get_local,
    i32,
    i64,
    number,
    of_known,
    parts,
    run_time,
    side_by_side,
    trap_if,
    truth,
    tuple_of,
    when,
    words,
)

QUIET = {"len", "min", "max", "sum", "any", "all", "abs", "list", "metered", "joined", "distinct", "item", "place"}
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
    stops = isinstance(node, ast.GeneratorExp) or can_stop(node)
    scope.emit(Op("local.set", found, i32(0)))

    def visit(item: Value) -> None:
        with scope.captured() as before:
            holds = test(item)
        scope.emit(*before)
        if holds is False:
            return
        then = [Op("local.set", found, i32(1)), *([Op("br", done)] if stops else [])]
        scope.emit(*(then if holds is True else [when(holds, then)]))

    with scope.block(done):
        each(scope, node, visit)
    return get_local(found)


def has_any(scope: Scope, node: ast.expr | Value) -> Op | bool:
    """Whether there is an item."""
    if isinstance(node, ast.List) and not node.elts:
        return False
    return of_few(scope, node) or found_in(scope, node, lambda _: True)


def of_few(scope: Scope, node: ast.expr | Value) -> Op | None:
    """Whether a light test holds for one of few numbers, in a row of a table, asked of all without a branch; None for anything else."""
    match node:
        case ast.ListComp(ast.Name(), [ast.comprehension(target=target, iter=listed, ifs=[test])]) if is_light(
            test, tuple(SIGNS)
        ):
            pass
        case _:
            return None
    row = row_of_few(scope, listed.args[1] if is_call_of(listed, "metered") else listed, is_filled=True)
    if row is None:
        return None
    if isinstance(listed, ast.Call):
        scope.temporary(scope.expression(listed))  # which charges for it
    is_either = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)
    found = []
    with binding(scope, target) as bind:
        for one in parts(scope.temporary(row)):
            bind(one)
            tests = [condition_code(scope.expression(part)) for part in tests_of(test)]
            found.append(folded("i32.or" if is_either else "i32.and", tests))
    return folded("i32.or", found)


def has_member(scope: Scope, value: Value, node: ast.expr) -> Value:
    return truth(found_in(scope, node, lambda item: Op("i64.eq", as_int(value), as_int(item))))


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
        split = last_test(scope, node)
        counted = node if split is None else ast.ListComp(split[1], split[0])

        def visit(item: Value) -> None:
            one = i64(1) if split is None else Op("i64.extend_i32_u", condition_code(item))
            scope.set(total, number(Op("i64.add", total.code[0], one)))

        each(scope, counted, visit)
        return total
    value = scope.expression(node)
    if value.is_known and not isinstance(value.known, Area):
        return of_known(len(value.known))
    if value.is_known and value.known.name == "z":
        return of_known(len(scope.module.memory.zones))
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
        depth = Op("i32.sub", Op("i32.load", i32(memory.fields["top"])), i32(memory.frames - memory.frame_bytes))
        return number(Op("i64.extend_i32_u", Op("i32.div_u", depth, i32(memory.frame_bytes))))
    size = Op("i32.load", code)
    return number(Op("i64.extend_i32_u", size if width == 1 else Op("i32.div_u", size, i32(width))))


def total(scope: Scope, node: ast.expr) -> Value:
    """`sum(a)`."""
    made = scope.kept(of_known(0))
    each(scope, node, lambda item: scope.set(made, number(Op("i64.add", made.code[0], as_int(item)))))
    return bounded(replace(made, bits=MOST_BITS))  # as many numbers of `BITS` as a list may have


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
    return side_by_side([run_time(part) for part in flattened(value)])


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
    return of_lambda(scope, function.known, [item])


def of_lambda(scope: Scope, function: Local, arguments: list[Value]) -> Value:
    """An inlined lambda."""
    node, around = function.node, function.scope
    if scope.function is not around.function:
        raise Untranslatable("a lambda that is handed to another function")
    with binding(around, ast.Tuple([ast.Name(one.arg) for one in node.args.args])) as bind:
        bind(tuple_of(arguments))
        return around.expression(node.body)


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

    made = scope.temporary(collect(scope, rows, i32(12)))
    if not items:
        return made
    assert isinstance(made.type, ListOf)
    scope.emit(Op("call", "$sort", made.code[0], i32(words(made.type.item)), i32(keys[0])))

    def taken(visit: Visit) -> None:
        assert isinstance(made.type, ListOf)
        each_of_list(scope, made, made.type.item, lambda row: visit(parts(row)[1]))

    return collect(scope, taken, i32(12))


CONDITIONS |= {ast.List: has_any, ast.ListComp: has_any}


# --- comparisons -----------------------------------------------------------------------------------------------------------

SIGNS: dict[type, str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt_s", ast.LtE: "le_s", ast.Gt: "gt_s", ast.GtE: "ge_s",
}  # fmt: skip


def comparison(scope: Scope, node: ast.Compare) -> Value:
    """`a < b`, `a < b < c`, `a in b`, `a is None`."""
    if len(node.ops) == 1:
        return in_block(scope, lambda: compare(scope, node.left, node.ops[0], node.comparators[0]))

    def all_of_them() -> Value:
        left = scope.expression(node.left)
        tests: list[Op | bool] = []
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = scope.temporary(scope.expression(right_node))
            found = compare_values(scope, scope.temporary(left), op, right)
            tests.append(bool(found.known) if found.is_known else found.code[0])
            left = right
        if False in tests:
            return of_known(False)
        codes = [test for test in tests if not isinstance(test, bool)]
        return truth(folded("i32.and", codes or [i32(1)]))

    return in_block(scope, all_of_them)


def compare(scope: Scope, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Value:
    if isinstance(op, ast.In | ast.NotIn):
        found = member(scope, left, right)
        if isinstance(op, ast.In):
            return found
        return of_known(not found.known) if found.is_known else truth(Op("i32.eqz", found.code[0]))
    return compare_values(scope, scope.expression(left), op, scope.expression(right))


def compare_values(scope: Scope, a: Value, op: ast.cmpop, b: Value) -> Value:
    """One comparison of two values."""
    if isinstance(op, ast.Is | ast.IsNot):
        return of_identity(a, b, isinstance(op, ast.Is))
    if a.is_known and b.is_known:
        return of_known(COMPARED[type(op)](a.known, b.known))
    for one, other in ((a, b), (b, a)):
        if one.is_known and isinstance(one.known, str):
            return truth(Op(f"i64.{SIGNS[type(op)]}", as_int(other), i64(WORDS[one.known])))
    if isinstance(a.type, TupleOf) or isinstance(b.type, TupleOf):
        tests = [compare_values(scope, x, ast.Eq(), y) for x, y in zip(parts(a), parts(b), strict=True)]
        codes = [test.code[0] if test.code else i32(int(test.known)) for test in tests]
        made = folded("i32.and", codes)
        return truth(made if isinstance(op, ast.Eq) else Op("i32.eqz", made))
    if isinstance(a.type, ListOf) or isinstance(b.type, ListOf):
        same = Op("call", "$same", coerced(scope, a, INTS).code[0], coerced(scope, b, INTS).code[0])
        return truth(same if isinstance(op, ast.Eq) else Op("i32.eqz", same))
    if FLOAT in (a.type, b.type):
        return truth(Op(f"f64.{SIGNS[type(op)].partition('_')[0]}", as_float(a), as_float(b)))
    return truth(Op(f"i64.{SIGNS[type(op)]}", as_int(a), as_int(b)))


COMPARED: dict[type, Any] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def of_identity(a: Value, b: Value, is_same: bool) -> Value:
    """`is` and `is not`: for None, and for known values."""
    if a.is_known and b.is_known:
        return of_known((a.known is b.known) is is_same)
    if a.type == INT and b.is_known and b.known is None:
        return truth(Op(f"i64.{('eq' if is_same else 'ne')}", a.code[0], i64(NOT_THERE)))
    if b.is_known and b.known is None:
        return of_known(not is_same)
    raise Untranslatable("is, of two values that are not known")


def member(scope: Scope, left: ast.expr, right: ast.expr) -> Value:
    """`a in b`."""
    value = scope.temporary(scope.expression(left))
    if isinstance(right, ast.ListComp | ast.List) or is_call_of(right, "joined") or is_call_of(right, "list"):
        return has_member(scope, value, right)
    of = scope.expression(right)
    if isinstance(of.type, TupleOf):
        return truth(folded("i32.or", [Op("i64.eq", as_int(value), as_int(one)) for one in parts(of)]))
    if of.is_known:
        return member_of_known(scope, value, of.known)
    if isinstance(of.type, DictOf):
        raise Untranslatable("in, of a dictionary")
    found = Op("call", "$index", of.code[0], as_int(value))
    return truth(Op("i32.ge_s", found, i32(0)))


def member_of_known(scope: Scope, value: Value, of: Any) -> Value:
    """Whether a value is in a known collection."""
    if value.is_known and not isinstance(of, Area):
        return of_known(value.known in of)
    memory = scope.module.memory
    if isinstance(of, Area) and of.name == "running":
        return truth(Op("i32.ge_s", Op("call", "$index", i32(memory.running), as_int(value)), i32(0)))
    keys = sorted(of)
    if not keys:
        return of_known(False)
    if keys == list(range(keys[0], keys[0] + len(keys))):
        return truth(Op("i64.lt_u", Op("i64.sub", as_int(value), i64(keys[0])), i64(len(keys))))
    if isinstance(of, Mapping):
        flags = [int(key in of) for key in range(keys[-1] + 1)]
        inside = Op("i64.le_u", as_int(value), i64(keys[-1]))
        flag = loaded(i32(memory.constant(flags)), value, INT)
        return truth(either("i32", inside, [Op("i32.wrap_i64", flag.code[0])], [i32(0)]))
    if len(keys) <= 4:
        return truth(folded("i32.or", [Op("i64.eq", as_int(value), i64(key)) for key in keys]))
    return truth(Op("i32.ge_s", Op("call", "$index", i32(memory.constant(keys)), as_int(value)), i32(0)))


EXPRESSIONS[ast.Compare] = comparison
