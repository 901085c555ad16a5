"""Translates calls: of other functions, of Python's own, and of methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from math import comb, floor
from operator import itemgetter
from typing import Any

from houserule.compiler.runtime import LONGEST, chained, times, without_effect
from houserule.native import loops, reductions, state
from houserule.native.blueprint import Imagined
from houserule.native.expressions import in_block, list_address, multiplied
from houserule.native.functions import (
    EXPRESSIONS,
    STATE,
    Area,
    Chance,
    Function,
    Local,
    Method,
    Scope,
    call_function,
    check_over,
    coerced,
    is_listed,
    passed,
    result_of_call,
)
from houserule.native.items import OneOf, got, loaded
from houserule.native.stand_ins import METHODS_OF_STATE, STAND_INS, imagined
from houserule.native.values import (
    FLOAT,
    INT,
    INTS,
    PILE,
    VOID,
    DictOf,
    ListOf,
    Op,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_i32,
    as_int,
    condition_code,
    i32,
    i64,
    number,
    of_known,
    parts,
    pointer,
    run_time,
    trap_if,
    truth,
    wasm_types,
)


def call(scope: Scope, node: ast.Call) -> Value:
    """A call, by its callee."""
    function = scope.expression(node.func)
    if not function.is_known:
        raise Untranslatable(ast.unparse(node))
    known = function.known
    keywords = {one.arg: one.value for one in node.keywords if one.arg is not None}
    if isinstance(known, Method):
        return in_block(scope, lambda: method(scope, known, node.args))
    if isinstance(known, Chance):
        return Value(FLOAT, (Op("call", "$random", i32(scope.module.memory.generators[known.number])),))
    if isinstance(known, Local):
        return in_block(
            scope,
            lambda: reductions.of_lambda(scope, known, [scope.temporary(scope.expression(one)) for one in node.args]),
        )
    if isinstance(known, OneOf):
        return in_block(scope, lambda: one_of(scope, known, [scope.expression(one) for one in node.args]))
    try:
        handler = BUILT_IN.get(known) or STAND_INS.get(known)
    except TypeError:
        handler = None
    if handler is not None:
        return in_block(scope, lambda: handler(scope, node.args, keywords))
    if known is itemgetter:
        return of_known(itemgetter(node.args[0].value))  # type: ignore[attr-defined]  # a number, as the runtime writes it
    if keywords or any(isinstance(one, ast.Starred) for one in node.args):
        raise Untranslatable(ast.unparse(node))
    if isinstance(known, Imagined):
        return in_block(scope, lambda: imagined(scope, known, [scope.expression(one) for one in node.args]))
    return in_block(scope, lambda: call_function(scope, known, [scope.expression(one) for one in node.args]))


def one_of(scope: Scope, table: OneOf, arguments: list[Value]) -> Value:
    """A call of one of the functions of a table, by its index."""
    module = scope.module
    made = [
        module.instance(function, arguments) if function is not without_effect else None for function in table.functions
    ]
    result = result_of_all(made)
    given = passed(arguments)
    parameters = [wasm for one in given for wasm in wasm_types(one.type)]
    signature = module.signature(parameters, wasm_types(result))
    nothing = module.nothing(parameters, wasm_types(result))
    numbers = [module.element(nothing if one is None else one.name) for one in made]
    number_of = loaded(i32(module.memory.constant(numbers)), scope.temporary(table.index), INT)
    codes = [code for one in given for code in one.code]
    value = result_of_call(scope, Op("call_indirect", Op("type", signature), *codes, as_i32(number_of)), result)
    if any(one is not None and (one.may_end or not one.is_done) for one in made):
        check_over(scope)
    return value


def result_of_all(functions: Sequence[Function | None]) -> Type:
    """The common result type of functions any of which may be called."""
    results = {one.result or VOID for one in functions if one is not None}
    if len(results) > 1:
        raise Untranslatable("effects with results of different types")
    return results.pop() if results else VOID


# --- methods --------------------------------------------------------------------------------------------------------------


def method(scope: Scope, known: Method, args: list[ast.expr]) -> Value:
    """A call of a method."""
    of = known.of
    if of.is_known:
        if of.known == STATE:
            return METHODS_OF_STATE[known.name](scope, args)
        if isinstance(of.known, Area):
            return of_area(scope, of.known, known.name, args)
        if isinstance(of.known, dict) and known.name == "get":
            default = scope.expression(args[1]) if len(args) > 1 else of_known(None)
            return got(scope, of.known, scope.expression(args[0]), default)
        if known.name == "sees":
            return METHODS_OF_STATE["sees"](scope, args[1:])
        if isinstance(of.known, dict) and known.name == "items":
            return of_known(tuple(of.known.items()))
        if of.known is dict and known.name == "fromkeys":
            return as_set(scope, args, {})
    if isinstance(of.type, DictOf) and known.name == "values":
        return loops.collect(scope, lambda visit: loops.each_pair(scope, of, lambda pair: visit(pair[1])), i32(6))
    if known.name == "index" and (isinstance(of.type, TupleOf) or (of.is_known and is_listed(of.known))):
        of = coerced(scope, of, INTS)
    if isinstance(of.type, ListOf) and known.name in ON_LISTS:
        return ON_LISTS[known.name](scope, of, args)
    raise Untranslatable(f"the method {known.name}")


def of_area(scope: Scope, area: Area, name: str, args: list[ast.expr]) -> Value:
    """A method of an area of the state."""
    memory = scope.module.memory
    if area.name == "frames":
        if name == "pop":
            return state.pop_frame(scope)
        if name == "append":
            state.push_frame(scope, state.frame_items(scope, args[0]))
            return of_known(None)
    if area.name == "queue" and name == "append":
        for part in parts(scope.expression(args[0])):
            scope.emit(Op("call", "$put", i32(memory.queue), as_int(part)))
        return of_known(None)
    raise Untranslatable(f"{area.name}.{name}")


def appended(scope: Scope, of: Value, args: list[ast.expr]) -> Value:
    value = scope.expression(args[0])
    if of.type == PILE:
        scope.emit(Op("call", "$put", of.code[0], as_int(value)))
        return of_known(None)
    name = next((name for name, known in scope.names.items() if known.code == of.code and known.locals), None)
    if name is None or name not in scope.fresh:
        raise Untranslatable("append to a list that may have other names")
    types = [of.type.item] if isinstance(of.type, ListOf) and of.type.item is not INT else []
    for code in loops.in_list(scope, value, types).code:
        scope.emit(Op("local.set", scope.names[name].locals[0], Op("call", "$push", of.code[0], code)))
    scope.names[name] = Value(ListOf(types[0] if types else INT), of.code, locals=scope.names[name].locals)
    return of_known(None)


def taken(scope: Scope, of: Value, args: list[ast.expr]) -> Value:
    if args:
        raise Untranslatable("pop at a place")
    return scope.kept(number(Op("call", "$pop", of.code[0])))


def removed(scope: Scope, of: Value, args: list[ast.expr]) -> Value:
    scope.emit(Op("call", "$remove", of.code[0], as_int(scope.expression(args[0]))))
    return of_known(None)


def inserted(scope: Scope, of: Value, args: list[ast.expr]) -> Value:
    if of.type != PILE:
        raise Untranslatable("insert into a list that may have other names")
    place, value = (as_int(scope.expression(one)) for one in args)
    scope.emit(Op("call", "$insert", of.code[0], place, value))
    return of_known(None)


def cleared(scope: Scope, of: Value, _: list[ast.expr]) -> Value:
    scope.emit(Op("i32.store", of.code[0], i32(0)))
    return of_known(None)


def sorted_in_place(scope: Scope, of: Value, _: list[ast.expr]) -> Value:
    """`sort` of a list of lists."""
    if of.type != ListOf(INTS):
        raise Untranslatable("sort of a list of anything but lists")
    scope.emit(Op("call", "$sort_lists", of.code[0]))
    return of_known(None)


def place_of(scope: Scope, of: Value, args: list[ast.expr]) -> Value:
    made = scope.kept(
        number(Op("i64.extend_i32_s", Op("call", "$index", of.code[0], as_int(scope.expression(args[0])))))
    )
    scope.emit(trap_if(Op("i64.lt_s", made.code[0], i64(0))))
    return made


ON_LISTS: dict[str, Callable[[Scope, Value, list[ast.expr]], Value]] = {
    "append": appended,
    "pop": taken,
    "remove": removed,
    "insert": inserted,
    "clear": cleared,
    "index": place_of,
    "sort": sorted_in_place,
}

# --- Python's own ---------------------------------------------------------------------------------------------------------

Keywords = dict[str, ast.expr]


def absolute(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    value = scope.temporary(run_time(scope.expression(args[0])))
    code = as_int(value)
    return number(Op("select", Op("i64.sub", i64(0), code), code, Op("i64.lt_s", code, i64(0))))


def whole_number(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`int`, and `floor` of a nonnegative number: rounds towards zero."""
    value = scope.expression(args[0])
    if value.type is FLOAT:
        return number(Op("i64.trunc_f64_s", value.code[0]))
    return of_known(int(value.known)) if value.is_known else run_time(value)


def as_truth(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    value = scope.expression(args[0])
    return of_known(bool(value.known)) if value.is_known else truth(condition_code(value))


def as_list(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`list`, `tuple`: a copy."""
    if not args:
        return loops.gather(scope, ast.List([]))
    value = scope.expression(args[0])
    if isinstance(value.type, ListOf):
        return Value(ListOf(value.type.item), (Op("call", "$copied", value.code[0]),))
    if value.is_known and not isinstance(value.known, Area):
        return pointer(Op("call", "$copied", i32(scope.module.memory.constant(list(value.known)))))
    return loops.collect(scope, lambda visit: loops.each_value(scope, value, visit), i32(6))


def as_set(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    return pointer(Op("call", "$distinct", list_address(scope, args[0])))


def combinations(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    n, k = (as_int(scope.expression(one)) for one in args)
    return number(Op("call", "$comb", n, k))


def of_range(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`range` as a list."""
    values = [scope.expression(one) for one in args]
    if all(value.const is not None for value in values):
        return of_known(range(*(value.const or 0 for value in values)))
    return loops.collect(scope, lambda visit: loops.numbers(scope, args, visit), i32(8))


def in_one_list(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`chained`: several lists joined, of numbers or tuples."""
    count = scope.kept(of_known(0))

    def visiting(visit: loops.Visit) -> None:
        def inside(item: Value) -> None:
            scope.set(count, number(Op("i64.add", count.code[0], i64(1))))
            scope.emit(trap_if(Op("i64.gt_s", count.code[0], i64(LONGEST))))
            visit(item)

        loops.each(scope, args[0], lambda one: loops.each_value(scope, one, inside))

    return loops.collect(scope, visiting, i32(12))


BUILT_IN: dict[Any, Callable[[Scope, list[ast.expr], Keywords], Value]] = {
    len: lambda scope, args, _: reductions.length(scope, args[0]),
    sum: lambda scope, args, _: reductions.total(scope, args[0]),
    min: lambda scope, args, keywords: reductions.extreme(scope, args, keywords, "lt"),
    max: lambda scope, args, keywords: reductions.extreme(scope, args, keywords, "gt"),
    any: lambda scope, args, _: reductions.has_true(scope, args[0], True),
    all: lambda scope, args, _: reductions.has_true(scope, args[0], False),
    sorted: lambda scope, args, keywords: reductions.in_order(scope, args[0], keywords.get("key")),
    abs: absolute,
    int: whole_number,
    floor: whole_number,
    bool: as_truth,
    list: as_list,
    tuple: as_list,
    set: as_set,
    frozenset: as_set,
    chained: in_one_list,
    comb: combinations,
    range: of_range,
    times: lambda scope, args, _: multiplied(scope, args),
}


EXPRESSIONS[ast.Call] = call
