"""Translates expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeGuard

from houserule.native import values
from houserule.native.functions import (
    CONDITIONS,
    EXPRESSIONS,
    ROWS,
    Area,
    Local,
    Method,
    Scope,
    area_address,
    coerced,
    set_name,
)
from houserule.native.values import (
    BITS,
    BOOL,
    FLOAT,
    INTS,
    VOID,
    DictOf,
    ListOf,
    Op,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_condition,
    as_int,
    bits_of,
    bounded,
    condition_code,
    folded,
    i32,
    i64,
    number,
    of_known,
    pointer,
    run_time,
    truth,
    tuple_of,
    wasm_types,
    when,
)


def in_block(scope: Scope, make: Callable[[], Value]) -> Value:
    """A value whose code needs preceding statements, as one expression; tuples have theirs before the whole statement."""
    with scope.captured() as before:
        value = make()
    return wrapped(scope, before, value)


def wrapped(scope: Scope, before: list[Op], value: Value) -> Value:
    """A value preceded by statements."""
    if not before:
        return value
    if len(value.code) == 1:
        result = wasm_types(value.type)[0]
        return Value(value.type, (Op("block", Op("result", result), *before, value.code[0]),), locals=())
    scope.emit(*before)
    return value


def condition(scope: Scope, node: ast.expr) -> Op | bool:
    """The code of a condition, or its truth if it is known."""
    with scope.captured() as before:
        found = translate_test(scope, node)
    if isinstance(found, bool) or not before:
        scope.emit(*before)
        return found
    return Op("block", Op("result", "i32"), *before, found)


def jump(scope: Scope, node: ast.expr, label: str, when: bool) -> None:
    """Jump to a label if a condition holds, or if it does not: short-circuited, without a value in between."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            jump(scope, inner, label, not when)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.Or) is when:
            for value in values:
                jump(scope, value, label, when)
        case ast.BoolOp(values=[*values, last]):
            skip = scope.function.label("skip")
            with scope.block(skip):
                for value in values:
                    jump(scope, value, skip, not when)
                jump(scope, last, label, when)
        case _:
            found = condition(scope, node)
            if isinstance(found, bool):
                if found is when:
                    scope.emit(Op("br", label))
            else:
                scope.emit(Op("br_if", label, found if when else Op("i32.eqz", found)))


def translate_test(scope: Scope, node: ast.expr) -> Op | bool:
    """Translate a condition that may need statements before it."""
    match node:
        case ast.BoolOp(op=op, values=values):
            at_once = "filters" not in scope.module.blueprint.without and is_light(node)
            return translate_and_or(scope, isinstance(op, ast.And), values, at_once)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = condition(scope, inner)
            return not found if isinstance(found, bool) else Op("i32.eqz", found)
        case ast.ListComp() | ast.List():
            return CONDITIONS[type(node)](scope, node)
        case ast.Call(func=ast.Name(id="joined" | "list"), args=lists) if lists:
            parts = [condition(scope, one) for one in lists]
            return disjoined(parts)
    value = scope.expression(node)
    if value.is_known and isinstance(value.known, Area) and value.known.name in ROWS:
        return Op("i32.ne", Op("i32.load", i32(area_address(scope, value.known))), i32(0))
    return as_condition(value)


def is_light(node: ast.expr, signs: tuple[type, ...] = (ast.Eq, ast.NotEq)) -> bool:
    """Whether a test is a comparison, or `and` or `or` of such, of names, numbers and entries at one index, of which the first reads
    one: all can be evaluated at once, since an index that is sound for the first is so for the others."""
    indices = []
    for one in tests_of(node):
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not):
            one = one.operand
        if not isinstance(one, ast.Compare) or len(one.ops) > 1 or not isinstance(one.ops[0], signs):
            return False
        sides = (one.left, *one.comparators)
        read = [index_by_name(side) for side in sides if not isinstance(side, ast.Name | ast.Constant)]
        if None in read:
            return False
        indices.append(set(read))
    return len(indices[0]) == 1 and all(one <= indices[0] for one in indices)


def is_call_of(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def tests_of(node: ast.expr) -> list[ast.expr]:
    """The tests that `and` or `or` joins, or a single one."""
    return node.values if isinstance(node, ast.BoolOp) else [node]


def index_by_name(node: ast.expr) -> str | None:
    """The index of an entry of a list, both by their names."""
    match node:
        case ast.Subscript(value=ast.Name(), slice=ast.Name(id=name)):
            return name
    return None


def translate_and_or(scope: Scope, all_hold: bool, nodes: list[ast.expr], at_once: bool = False) -> Op | bool:
    """`and` and `or`: the right side is evaluated only if it is needed, or `at_once`, in place of a branch."""
    found: list[Op] = []
    for node in nodes:
        one = condition(scope, node)
        if isinstance(one, bool):
            if one is not all_hold:
                found.append(i32(int(one)))
                break
            continue
        found.append(one)
    if not found:
        return all_hold
    if len(found) == 1 and found[0] in (i32(0), i32(1)):
        return found[0] == i32(1)
    if at_once:
        return values.folded("i32.and" if all_hold else "i32.or", found)
    made = found[-1]
    for one in reversed(found[:-1]):
        if all_hold:
            made = values.either("i32", one, [made], [i32(0)])
        else:
            made = values.either("i32", one, [i32(1)], [made])
    return made


def disjoined(parts: list[Op | bool]) -> Op | bool:
    """Whether one of several conditions holds; all are evaluated."""
    codes = [part for part in parts if not isinstance(part, bool)]
    if not codes:
        return any(parts)
    made = folded("i32.or", codes)
    return Op("i32.or", made, i32(1)) if True in parts else made


# --- kinds of expressions -------------------------------------------------------------------------------------------------


def constant(_: Scope, node: ast.Constant) -> Value:
    return of_known(node.value)


def name(scope: Scope, node: ast.Name) -> Value:
    found = scope.look_up(node.id)
    return Value(found.type, found.code, found.known, locals=()) if found.locals else found


def attribute(scope: Scope, node: ast.Attribute) -> Value:
    """`a.b`: a field of the state, a known value of the program, or a method."""
    from houserule.native import state

    of = scope.expression(node.value)
    if of.is_known and isinstance(of.known, Area) and of.known.name == "state":
        return state.field(scope, node.attr, of.known.mirror)
    if of.is_known and not isinstance(of.known, Area | list | dict | tuple | str):
        is_method = node.attr == "sees" or of.known is dict
        return of_known(Method(of, node.attr)) if is_method else of_known(getattr(of.known, node.attr))
    return of_known(Method(of, node.attr))


def unary(scope: Scope, node: ast.UnaryOp) -> Value:
    """`-a` and `not a`."""
    if isinstance(node.op, ast.Not):
        found = condition(scope, node)
        return of_known(found) if isinstance(found, bool) else truth(found)
    value = scope.expression(node.operand)
    if value.const is not None:
        return of_known(-value.const)
    return number(Op("i64.sub", i64(0), as_int(value)), value.bits)


ARITHMETIC: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.LShift: "shl"}


def binary(scope: Scope, node: ast.BinOp) -> Value:
    """Arithmetic, and list concatenation; a number that has become too large traps."""
    return bounded(operation(scope, node))


def multiplied(scope: Scope, args: list[ast.expr]) -> Value:
    return bounded(product(operand(scope, args[0]), operand(scope, args[1])))


def operand(scope: Scope, node: ast.expr) -> Value:
    """A value within arithmetic, whose number may have more than `BITS`."""
    match node:
        case ast.BinOp():
            return operation(scope, node)
        case ast.Call(func=ast.Name(id="times"), args=[left, right]):
            return product(operand(scope, left), operand(scope, right))
        case _:
            return scope.expression(node)


def operation(scope: Scope, node: ast.BinOp) -> Value:
    left, right = operand(scope, node.left), operand(scope, node.right)
    if left.is_known and right.is_known:
        return of_known(eval(compile(ast.Expression(ast.fix_missing_locations(
            ast.BinOp(ast.Name("a", ast.Load()), node.op, ast.Name("b", ast.Load())))), "", "eval"),
            {"__builtins__": {}, "a": left.known, "b": right.known}))  # fmt: skip
    if FLOAT in (left.type, right.type):
        return Value(FLOAT, (Op(f"f64.{ARITHMETIC[type(node.op)]}", as_float(left), as_float(right)),))
    if isinstance(node.left, ast.List) and isinstance(node.op, ast.Mult):
        return filled(scope, node.left, right)
    if isinstance(left.type, ListOf) or isinstance(right.type, ListOf):
        return scope.expression(ast.List([ast.Starred(node.left), ast.Starred(node.right)]))
    if type(node.op) in (ast.Mod, ast.FloorDiv):
        return divided(left, right, isinstance(node.op, ast.Mod))
    return arithmetic(type(node.op), left, right)


def filled(scope: Scope, item: ast.List, length: Value) -> Value:
    """`[0] * n`."""
    if [one.value for one in item.elts if isinstance(one, ast.Constant)] != [0]:
        raise Untranslatable("a list repeated")
    size = Op("i32.wrap_i64", as_int(scope.temporary(length)))
    made = scope.temporary(pointer(Op("call", "$new", size)))
    scope.emit(Op("i32.store", made.code[0], size))
    scope.emit(Op("memory.fill", Op("i32.add", made.code[0], i32(8)), i32(0), Op("i32.shl", size, i32(3))))
    return made


def as_float(value: Value) -> Op:
    return value.code[0] if value.type is FLOAT else Op("f64.convert_i64_s", as_int(value))


def divided(left: Value, right: Value, is_rest: bool) -> Value:
    """Quotients and remainders, rounded as Python does; those by a power of two without a division."""
    by = right.const
    if by is not None and by > 0 and by & (by - 1) == 0:
        shift = by.bit_length() - 1
        if is_rest:
            return number(Op("i64.and", as_int(left), i64(by - 1)), shift)
        return number(Op("i64.shr_s", as_int(left), i64(shift)), max(bits_of(left) - shift, 1))
    if is_rest:
        return number(Op("call", "$modulo", as_int(left), as_int(right)), bits_of(right))
    return number(Op("call", "$divide", as_int(left), as_int(right)), bits_of(left))


MOST_BITS = 62
"""Within an expression numbers may have so many bits: the next sum cannot overflow."""
FEW_BITS = 32
"""A number of so few bits is added without a check: no rule is long enough to add as many as would matter."""


def arithmetic(op: type, left: Value, right: Value) -> Value:
    """Sums, differences and products."""
    if op not in ARITHMETIC:
        raise Untranslatable(f"the operator {op.__name__}")
    name = ARITHMETIC[op]
    if name == "mul":
        return product(left, right)
    a, b = (bounded(one) if bits_of(one) > MOST_BITS else one for one in (left, right))
    bits = max(bits_of(a), bits_of(b)) + 1
    if name == "shl" or (bits == BITS + 1 and min(bits_of(a), bits_of(b)) <= FEW_BITS):
        bits = BITS
    return number(Op(f"i64.{name}", as_int(a), as_int(b)), bits)


def product(left: Value, right: Value) -> Value:
    """A product, checked if its factors do not show that it fits."""
    bits = bits_of(left) + bits_of(right)
    if bits <= MOST_BITS + 1:
        return number(Op("i64.mul", as_int(left), as_int(right)), bits)
    return number(Op("call", "$product", as_int(left), as_int(right)), MOST_BITS)


def either(scope: Scope, node: ast.IfExp) -> Value:
    test = condition(scope, node.test)
    if isinstance(test, bool):
        return scope.expression(node.body if test else node.orelse)
    with scope.captured() as before_yes:
        yes = scope.expression(node.body)
    with scope.captured() as before_no:
        no = scope.expression(node.orelse)
    return choose_value(scope, test, (before_yes, yes), (before_no, no))


def choose_value(scope: Scope, test: Op, yes: tuple[list[Op], Value], no: tuple[list[Op], Value]) -> Value:
    """A choice between two values."""
    type = common_type(yes[1], no[1])
    a, b = coerced(scope, yes[1], type), coerced(scope, no[1], type)
    if len(a.code) == 1:
        return Value(type, (values.either(wasm_types(type)[0], test, [*yes[0], a.code[0]], [*no[0], b.code[0]]),))
    made = scope.declare(type)
    with scope.captured() as first:
        scope.set(made, a)
    with scope.captured() as second:
        scope.set(made, b)
    scope.emit(when(test, [*yes[0], *first], [*no[0], *second]))
    return made


def common_type(a: Value, b: Value) -> Type:
    """A type for either of two values."""
    if a.type is BOOL and b.type is BOOL:
        return BOOL
    for one, other in ((a, b), (b, a)):
        if isinstance(one.type, ListOf):
            return ListOf(one.type.item) if one.type.item is not VOID else other.type
        if isinstance(one.type, TupleOf) and not other.is_known:
            return one.type
    for one in (a, b):
        if one.is_known and isinstance(one.known, tuple | list):
            return INTS
    return run_time(a).type if not a.is_known or a.const is not None else run_time(b).type


def chain(scope: Scope, node: ast.BoolOp) -> Value:
    """`a and b`, `a or b` as values."""
    values = []
    for part in node.values:
        with scope.captured() as own:
            values.append((own, scope.expression(part)))
    is_and = isinstance(node.op, ast.And)
    lists = {isinstance(value.type, ListOf | TupleOf) for _, value in values if not value.is_known}
    if all(value.type is BOOL or isinstance(value.known, bool) for _, value in values) or len(lists) > 1:
        # A list beside a number can only be a test, as in `any(S) and x == y`.
        found = condition(scope, node)
        return of_known(found) if isinstance(found, bool) else truth(found)
    made_before, made = values[-1]
    for own, value in reversed(values[:-1]):
        if value.is_known:
            if bool(value.known) is not is_and:
                made_before, made = own, value
            continue
        kept = scope.declare(run_time(value).type)
        with scope.captured() as setting:
            scope.set(kept, value)
        test = Op("block", Op("result", "i32"), *[*own, *setting], condition_code(kept))
        nothing: list[Op] = []
        yes, no = (made_before, made), (nothing, kept)
        made_before, made = [], choose_value(scope, test, yes, no) if is_and else choose_value(scope, test, no, yes)
    return wrapped(scope, made_before, made)


def named(scope: Scope, node: ast.NamedExpr) -> Value:
    set_name(scope, node.target.id, scope.expression(node.value))
    return scope.look_up(node.target.id)


def tupled(scope: Scope, node: ast.Tuple) -> Value:
    """`(a, b)`; with a starred list, a list."""
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return scope.expression(ast.List(node.elts, ast.Load()))
    return tuple_of([scope.expression(item) for item in node.elts])


def list_address(scope: Scope, node: ast.expr) -> Op:
    """The address of a list."""
    value = scope.expression(node)
    if isinstance(value.type, ListOf | DictOf):
        return value.code[0]
    return coerced(scope, value, INTS).code[0]


def anonymous(scope: Scope, node: ast.Lambda) -> Value:
    return of_known(Local(node, scope))


EXPRESSIONS |= {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.UnaryOp: unary,
    ast.BinOp: binary,
    ast.BoolOp: chain,
    ast.IfExp: either,
    ast.NamedExpr: named,
    ast.Tuple: tupled,
    ast.Lambda: anonymous,
}
