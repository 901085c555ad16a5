"""Translates exits from functions: results, `finally`, and the end of the game."""

from __future__ import annotations

from houserule.native import state
from houserule.native.functions import Scope, coerced
from houserule.native.values import BOOL, INT, INTS, KNOWN, PILE, VOID, ListOf, Value
from houserule.native.wasm import LEAVE, Op, when


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
