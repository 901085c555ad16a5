"""Translates calls of functions, each once for its argument types and small ones inlined; and the ways out of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from houserule.compiler.runtime import without_effect
from houserule.native import state
from houserule.native.blueprint import Generated
from houserule.native.functions import DEEP, Scope, bound, coerced, is_row
from houserule.native.values import BOOL, INT, INTS, KNOWN, PILE, VOID, ListOf, Value, of_known, run_time
from houserule.native.wasm import LEAVE, Op, when


def call_function(scope: Scope, function: Any, arguments: Sequence[Value]) -> Value:
    """A call of a function in the subset; a small one is inlined."""
    if function is without_effect:
        return of_known(None)
    tree = scope.module.source(function)
    arguments = [value for _, value in bound(tree, function, arguments)]
    if scope.depth < DEEP and scope.module.is_small(tree):
        return inline(scope, function, tree, arguments)
    given = [run_time(one) if one.const is not None else one for one in arguments]
    key_known = [one for one in given if not one.is_known]
    made = scope.module.instance(function, arguments)
    result = made.result if made.result is not None else scope.module.result_of(function)
    made.result = result
    codes = [code for one in key_known for code in run_time(one).code]
    value = result_of_call(scope, Op("call", made.name, *codes), result)
    if made.may_end or not made.is_done:
        check_over(scope)
    return value


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


def inline(scope: Scope, function: Any, tree: ast.FunctionDef, arguments: Sequence[Value]) -> Value:
    """An inlined function."""
    inner = Scope(scope.module, scope.function, scope.module.world(function), scope.depth + 1)
    inner.over, inner.is_row = scope.over, is_row(tree)
    inner.routine = function.name if isinstance(function, Generated) else ""
    set_inside = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    for name, argument in bound(tree, function, arguments):
        if name in set_inside and not (argument.is_known and argument.const is None):
            kept = scope.kept(argument)
            inner.names[name] = kept
        else:
            inner.names[name] = scope.temporary(argument) if not argument.is_known else argument
    body = [one for one in tree.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    *before, last = body
    if isinstance(last, ast.Return) and last.value is not None and not any(map(returns, before)):
        inner.is_inside = True
        inner.statements(before)
        return inner.expression(last.value)
    inner.exit = scope.function.label("exit")
    with scope.captured() as out:
        inner.statements(body)
    scope.emit(Op("block", inner.exit, *out))
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
    if value.type == state.WORD_TYPE:
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
