"""Translates comparisons."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from houserule.native.expressions import as_float, in_block
from houserule.native.functions import EXPRESSIONS, Area, Scope, coerced
from houserule.native.items import SIGHTS, loaded
from houserule.native.reductions import has_member
from houserule.native.values import (
    FLOAT,
    INT,
    INTS,
    NOT_THERE,
    DictOf,
    ListOf,
    TupleOf,
    Untranslatable,
    Value,
    as_int,
    of_known,
    parts,
    truth,
)
from houserule.native.wasm import Op, either, folded, i32, i64

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
    """One comparison."""
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
            return truth(Op(f"i64.{SIGNS[type(op)]}", as_int(other), i64(SIGHTS[one.known])))
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
    if isinstance(right, ast.ListComp | ast.List) or (
        isinstance(right, ast.Call) and isinstance(right.func, ast.Name) and right.func.id in ("joined", "list")
    ):
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
