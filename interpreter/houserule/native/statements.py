"""Translates statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from houserule.compiler.runtime import OVER
from houserule.native import state
from houserule.native.expressions import condition, expression, listed
from houserule.native.functions import RETURN, Area, Scope, coerced
from houserule.native.items import set_item
from houserule.native.loops import each
from houserule.native.values import (
    BOOL,
    FRAME,
    INT,
    INTS,
    KNOWN,
    PILE,
    VOID,
    ListOf,
    Untranslatable,
    Value,
    of_known,
    parts,
    pointer,
    run_time,
)

COPIES = ("list", "tuple", "joined")
"""Calls that make a new list: a loop that changes what it is made of goes through the new one."""


def statements(scope: Scope, body: Sequence[ast.stmt]) -> bool:
    """A list of statements; whether what follows it is never reached."""
    for node in body:
        handler = STATEMENTS.get(type(node))
        if handler is None:
            raise Untranslatable(f"{type(node).__name__} in line {node.lineno}")
        if handler(scope, node):
            return True
    return False


def assignment(scope: Scope, node: ast.Assign) -> bool:
    """`a = b`."""
    (target,) = node.targets
    if isinstance(target, ast.Tuple):
        unpack(scope, target, items_of(scope, node.value))
        return False
    if isinstance(target, ast.Attribute) and state.set_field(scope, target, node.value):
        return False
    if isinstance(target, ast.Name):
        value = typed(scope, target.id, expression(scope, node.value))
        set_name(scope, target.id, value)
        is_fresh = isinstance(node.value, ast.List | ast.ListComp) or is_call_of(node.value, "list")
        (scope.fresh.add if is_fresh else scope.fresh.discard)(target.id)
        return False
    if isinstance(target, ast.Subscript):
        set_item(scope, target, node.value)
        return False
    raise Untranslatable(ast.unparse(node))


def is_call_of(node: ast.expr, name: str) -> bool:
    """Whether an expression calls a function of that name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def typed(scope: Scope, name: str, value: Value) -> Value:
    """What comes out of a frame, or as an answer, with the type that the planner gives the local."""
    if value.type == state.WORD_TYPE:
        is_list = name in scope.lists
        return pointer(f"(i32.wrap_i64 {value.code[0]})") if is_list else Value(INT, value.code)
    return value


def set_name(scope: Scope, name: str, value: Value) -> None:
    """A name gets a value."""
    if value.type is VOID:
        value = of_known(None)
    if value.is_known and value.const is None and not is_listed(value.known):
        scope.names[name] = value
        return
    known = scope.names.get(name)
    if known is not None and known.locals:
        if known.type == ListOf(VOID) and isinstance(value.type, ListOf):  # only now it is known of what
            known = scope.names[name] = Value(value.type, known.code, locals=known.locals)
        scope.set(known, value)
        return
    type = INTS if value.is_known and value.const is None else INT if value.type in (BOOL, KNOWN) else value.type
    if value.is_known and value.const is None and value.known and isinstance(value.known[0], tuple | list):
        type = ListOf(INTS)
    made = scope.names[name] = scope.declare(type)
    scope.set(made, value)


def is_listed(value: Any) -> bool:
    """Whether something known is a list of numbers, or of such lists."""
    return isinstance(value, tuple | list | range) and all(isinstance(item, int) or is_listed(item) for item in value)


def items_of(scope: Scope, node: ast.expr) -> list[Value]:
    """The items of a tuple."""
    if isinstance(node, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return [expression(scope, one) for one in node.elts]
    return parts(expression(scope, node))


def unpack(scope: Scope, target: ast.Tuple, items: list[Value]) -> None:
    """`a, b = …`; zones that change places do so by what lies in them."""
    values = []
    for item in items:
        if item.type == PILE:
            values.append(scope.temporary(pointer(f"(call $copied {item.code[0]})")))
        elif item.is_known or item.type == FRAME:
            values.append(item)
        else:
            made = scope.declare(run_time(item).type)
            scope.set(made, item)
            values.append(made)
    for one, item in zip(target.elts, values, strict=True):
        if isinstance(one, ast.Name):
            set_name(scope, one.id, item)
        elif isinstance(one, ast.Subscript):
            set_item(scope, one, item)
        elif not (isinstance(one, ast.Attribute) and state.set_field(scope, one, item)):
            raise Untranslatable(ast.unparse(target))


def annotated(scope: Scope, node: ast.AnnAssign) -> bool:
    """`a: type = b`."""
    if node.value is None:
        return False
    return assignment(scope, ast.Assign([node.target], node.value, lineno=node.lineno))


def augmented(scope: Scope, node: ast.AugAssign) -> bool:
    """`a += b`."""
    target = node.target
    if isinstance(node.op, ast.Add) and not isinstance(target, ast.Attribute):
        value = expression(scope, as_read(target))
        if isinstance(value.type, ListOf):
            more = scope.temporary(pointer(listed(scope, node.value)))
            if value.type == PILE:
                scope.emit(f"(call $append {value.code[0]} {more.code[0]})")
            elif isinstance(target, ast.Name) and target.id in scope.fresh:
                scope.set(
                    scope.names[target.id], Value(value.type, (f"(call $extend {value.code[0]} {more.code[0]})",))
                )
            else:
                raise Untranslatable(f"{ast.unparse(node)}: the list may have other names")
            return False
    combined = ast.copy_location(ast.BinOp(as_read(target), node.op, node.value), node)
    return assignment(scope, ast.Assign([target], combined, lineno=node.lineno))


def as_read(target: ast.expr) -> Any:
    """The expression that reads what a target sets."""
    match target:
        case ast.Name(id=name):
            return ast.Name(name, ast.Load())
        case ast.Attribute(value=value, attr=name):
            return ast.Attribute(value, name, ast.Load())
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(value, index, ast.Load())
    raise Untranslatable(ast.unparse(target))


def branch(scope: Scope, node: ast.If) -> bool:
    """`if`; a test that is known leaves one branch."""
    test = condition(scope, node.test)
    if isinstance(test, bool):
        return statements(scope, node.body if test else node.orelse)
    with scope.captured() as yes:
        leaves = statements(scope, node.body)
    with scope.captured() as no:
        leaves_otherwise = statements(scope, node.orelse)
    otherwise = f"(else {' '.join(no)})" if no else ""
    scope.emit(f"(if {test} (then {chr(10).join(yes)}) {otherwise})")
    return leaves and leaves_otherwise


def while_loop(scope: Scope, node: ast.While) -> bool:
    """`while`."""
    done, again = scope.function.label("done"), scope.function.label("again")
    with scope.captured() as body:
        test = condition(scope, node.test)
        if test is not True:
            scope.emit(f"(br_if {done} (i32.eqz {condition_text(test)}))")
        scope.loops.append((done, again))
        if not statements(scope, node.body):
            scope.emit(f"(br {again})")
        scope.loops.pop()
    text = "\n".join(body)
    scope.emit(f"(block {done} (loop {again} {text}))")
    return test is True and f"(br {done})" not in text and f"(br_if {done} " not in text


def condition_text(test: str | bool) -> str:
    """A condition as code."""
    return f"(i32.const {int(test)})" if isinstance(test, bool) else test


def for_loop(scope: Scope, node: ast.For) -> bool:
    """`for`; a list that is made for it is made before its first pass."""
    done = scope.function.label("done")
    source: ast.expr | Value = node.iter
    if isinstance(node.iter, ast.ListComp | ast.List) or any(is_call_of(node.iter, name) for name in COPIES):
        source = scope.temporary(pointer(listed(scope, node.iter)))

    def visit(item: Value) -> None:
        following = scope.function.label("next")
        scope.emit(f"(block {following}")
        if isinstance(node.target, ast.Tuple):
            unpack(scope, node.target, parts(item))
        elif isinstance(node.target, ast.Name):
            set_name(scope, node.target.id, item)
            scope.fresh.discard(node.target.id)
        scope.loops.append((done, following))
        statements(scope, node.body)
        scope.loops.pop()
        scope.emit(")")

    scope.emit(f"(block {done}")
    each(scope, source, visit)
    scope.emit(")")
    return False


def returned(scope: Scope, node: ast.Return) -> bool:
    """`return`."""
    value = expression(scope, node.value) if node.value is not None else of_known(None)
    leave(scope, value)
    return True


def leave(scope: Scope, value: Value) -> None:
    """Return a value, after what must be done in any case."""
    kept = result_for(scope, value)
    if scope.finally_:
        if kept.code:
            kept = scope.temporary(kept)
        finish_all(scope)
    if scope.is_inside:
        if scope.result is not None and scope.result.locals:
            scope.set(scope.result, kept)
        scope.emit(f"(br {scope.exit})")
        return
    scope.emit(f"(return {' '.join(kept.code)})")


def finish_all(scope: Scope) -> None:
    """Carry out what stands in `finally`."""
    waiting, scope.finally_ = scope.finally_, []
    for body in reversed(waiting):
        statements(scope, body)
    scope.finally_ = waiting


def result_for(scope: Scope, value: Value) -> Value:
    """A value as the function returns it; the first one decides about the type."""
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


def raised(scope: Scope, node: ast.Raise) -> bool:
    """`raise`: the end of the game, or a fault, which traps: the match is then played in Python, which says where it was."""
    if isinstance(node.exc, ast.Name) and scope.look_up(node.exc.id).known is OVER:
        scope.emit("(global.set $over (i32.const 1))")
        scope.function.may_end = True
        end_here(scope)
    else:
        scope.emit("(unreachable)")
    return True


def end_here(scope: Scope) -> None:
    """Leave everything, as the game is over; or go where somebody catches that."""
    if scope.over:
        scope.emit(f"(br {scope.over})")
        return
    finish_all(scope)
    scope.emit(RETURN)


def check_over(scope: Scope) -> None:
    """After a call that may have ended the game."""
    if not scope.over:
        scope.function.may_end = True
    with scope.captured() as out:
        end_here(scope)
    scope.emit(f"(if (global.get $over) (then {' '.join(out)}))")


def attempt(scope: Scope, node: ast.Try) -> bool:
    """`try`: with what is done in any case, or around the end of the game in what is only imagined."""
    if node.finalbody:
        scope.finally_.append(node.finalbody)
        leaves = statements(scope, node.body)
        scope.finally_.pop()
        if not leaves:
            statements(scope, node.finalbody)
        return leaves
    before, scope.over = scope.over, scope.function.label("over")
    scope.emit(f"(block {scope.over}")
    statements(scope, node.body)
    scope.emit(")")
    scope.emit("(global.set $over (i32.const 0))")
    scope.over = before
    return False


def deleted(scope: Scope, node: ast.Delete) -> bool:
    """`del pile[-n:]`."""
    match node.targets:
        case [ast.Subscript(value=of, slice=ast.Slice(lower=ast.UnaryOp(op=ast.USub(), operand=many), upper=None))]:
            from houserule.native.values import as_i32

            pile = scope.temporary(expression(scope, of))
            count = scope.temporary(expression(scope, many))
            length = f"(i32.load {pile.code[0]})"
            scope.emit(f"(call $cut {pile.code[0]} (i32.sub {length} {as_i32(count)}) {length})")
            return False
    raise Untranslatable(ast.unparse(node))


def evaluated(scope: Scope, node: ast.Expr) -> bool:
    """An expression for what it does."""
    if isinstance(node.value, ast.Constant):
        return False
    if isinstance(node.value, ast.BoolOp) and isinstance(node.value.op, ast.And):
        *tests, last = node.value.values
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        return branch(scope, ast.If(test, [ast.Expr(last, lineno=node.lineno)], []))
    value = expression(scope, node.value)
    for code in value.code:
        if not code.startswith("(local.get"):
            scope.emit(f"(drop {code})")
    return False


def broken(scope: Scope, _: ast.Break) -> bool:
    """`break`."""
    scope.emit(f"(br {scope.loops[-1][0]})")
    return True


def continued(scope: Scope, _: ast.Continue) -> bool:
    """`continue`."""
    scope.emit(f"(br {scope.loops[-1][1]})")
    return True


def skipped(_: Scope, __: ast.stmt) -> bool:
    """What says nothing."""
    return False


STATEMENTS: dict[type, Any] = {
    ast.Assign: assignment,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.If: branch,
    ast.While: while_loop,
    ast.For: for_loop,
    ast.Return: returned,
    ast.Raise: raised,
    ast.Try: attempt,
    ast.Delete: deleted,
    ast.Expr: evaluated,
    ast.Break: broken,
    ast.Continue: continued,
    ast.Pass: skipped,
    ast.Assert: skipped,
}

__all__ = ["Area", "check_over", "leave", "statements"]
