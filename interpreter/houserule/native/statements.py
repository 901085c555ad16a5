"""Translates statements."""

from __future__ import annotations

import ast

from houserule.compiler.runtime import OVER
from houserule.native import state
from houserule.native.expressions import condition, is_call_of, jump, list_address
from houserule.native.functions import STATEMENTS, Scope, end_here, leave, set_name
from houserule.native.items import set_item
from houserule.native.loops import each
from houserule.native.values import (
    FRAME,
    INT,
    PILE,
    TRAP,
    WORD_TYPE,
    ListOf,
    Op,
    Untranslatable,
    Value,
    as_i32,
    i32,
    of_known,
    parts,
    pointer,
    when,
)

COPIES = ("list", "tuple", "joined")
"""Calls that make a new list: a loop that changes their argument iterates over the new one."""


def assignment(scope: Scope, node: ast.Assign) -> bool:
    (target,) = node.targets
    if isinstance(target, ast.Tuple):
        unpack(scope, target, items_of(scope, node.value))
        return False
    if isinstance(target, ast.Attribute) and state.set_field(scope, target, node.value):
        return False
    if isinstance(target, ast.Name):
        value = typed(scope, target.id, scope.expression(node.value))
        set_name(scope, target.id, value)
        is_fresh = isinstance(node.value, ast.List | ast.ListComp | ast.BinOp) or is_call_of(node.value, "list")
        (scope.fresh.add if is_fresh else scope.fresh.discard)(target.id)
        return False
    if isinstance(target, ast.Subscript):
        set_item(scope, target, node.value)
        return False
    raise Untranslatable(ast.unparse(node))


def typed(scope: Scope, name: str, value: Value) -> Value:
    """A value from a frame, or an answer, with the planner's type of the local."""
    if value.type == WORD_TYPE:
        is_list = name in scope.lists
        return pointer(Op("i32.wrap_i64", value.code[0])) if is_list else Value(INT, value.code)
    return value


def items_of(scope: Scope, node: ast.expr) -> list[Value]:
    """The items of a tuple."""
    if isinstance(node, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return [scope.expression(one) for one in node.elts]
    return parts(scope.expression(node))


def unpack(scope: Scope, target: ast.Tuple, items: list[Value]) -> None:
    """`a, b = …`; swapped zones exchange their contents."""
    values = []
    for item in items:
        if item.type == PILE:
            values.append(scope.temporary(pointer(Op("call", "$copied", item.code[0]))))
        else:
            values.append(item if item.is_known or item.type == FRAME else scope.kept(item))
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
        value = scope.expression(target)
        if isinstance(value.type, ListOf):
            more = scope.temporary(pointer(list_address(scope, node.value)))
            if value.type == PILE:
                scope.emit(Op("call", "$append", value.code[0], more.code[0]))
            elif isinstance(target, ast.Name) and target.id in scope.fresh:
                scope.set(
                    scope.names[target.id], Value(value.type, (Op("call", "$extend", value.code[0], more.code[0]),))
                )
            else:
                raise Untranslatable(f"{ast.unparse(node)}: the list may have other names")
            return False
    combined = ast.copy_location(ast.BinOp(target, node.op, node.value), node)
    return assignment(scope, ast.Assign([target], combined, lineno=node.lineno))


def branch(scope: Scope, node: ast.If) -> bool:
    """`if`; a known condition leaves one branch."""
    with scope.captured() as before:
        test = condition(scope, node.test)
    if isinstance(test, bool):
        scope.emit(*before)
        return scope.statements(node.body if test else node.orelse)
    if isinstance(node.test, ast.BoolOp):
        return branch_by_parts(scope, node)
    scope.emit(*before)
    with scope.captured() as yes:
        leaves = scope.statements(node.body)
    with scope.captured() as no:
        leaves_otherwise = scope.statements(node.orelse)
    scope.emit(when(test, yes, no))
    return leaves and leaves_otherwise


def branch_by_parts(scope: Scope, node: ast.If) -> bool:
    """`if` with `and` or `or`, short-circuited."""
    other, end = scope.function.label("else"), scope.function.label("end")
    with scope.block(end):
        with scope.block(other):
            jump(scope, node.test, other, False)
            leaves = scope.statements(node.body)
            if not leaves:
                scope.emit(Op("br", end))
        leaves_otherwise = scope.statements(node.orelse)
    return leaves and leaves_otherwise


def while_loop(scope: Scope, node: ast.While) -> bool:
    done, again = scope.function.label("done"), scope.function.label("again")
    with scope.captured() as body:
        is_endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if not is_endless:
            jump(scope, node.test, done, False)
        scope.loops.append((done, again))
        if not scope.statements(node.body):
            scope.emit(Op("br", again))
        scope.loops.pop()
    scope.emit(Op("block", done, Op("loop", again, *body)))
    return is_endless and not any(one.jumps_to(done) for one in body)


def for_loop(scope: Scope, node: ast.For) -> bool:
    """`for`; a list made for it is made before the first pass."""
    done = scope.function.label("done")
    source: ast.expr | Value = node.iter
    if isinstance(node.iter, ast.ListComp | ast.List) or any(is_call_of(node.iter, name) for name in COPIES):
        source = scope.temporary(pointer(list_address(scope, node.iter)))

    def visit(item: Value) -> None:
        following = scope.function.label("next")
        with scope.block(following):
            if isinstance(node.target, ast.Tuple):
                unpack(scope, node.target, parts(item))
            elif isinstance(node.target, ast.Name):
                set_name(scope, node.target.id, item)
                scope.fresh.discard(node.target.id)
            scope.loops.append((done, following))
            scope.statements(node.body)
            scope.loops.pop()

    with scope.block(done):
        each(scope, source, visit)
    return False


def returned(scope: Scope, node: ast.Return) -> bool:
    value = scope.expression(node.value) if node.value is not None else of_known(None)
    leave(scope, value)
    return True


def raised(scope: Scope, node: ast.Raise) -> bool:
    """`raise`: the end of the game, or a fault, which traps: the match is then replayed in Python, which reports the place."""
    if isinstance(node.exc, ast.Name) and scope.look_up(node.exc.id).known is OVER:
        scope.emit(Op("global.set", "$over", i32(1)))
        scope.function.may_end = True
        end_here(scope)
    else:
        scope.emit(TRAP)
    return True


def attempt(scope: Scope, node: ast.Try) -> bool:
    """`try`: with `finally`, or around the end of the game in an imagined effect."""
    if node.finalbody:
        scope.finally_.append(node.finalbody)
        leaves = scope.statements(node.body)
        scope.finally_.pop()
        if not leaves:
            scope.statements(node.finalbody)
        return leaves
    before, scope.over = scope.over, scope.function.label("over")
    with scope.block(scope.over):
        scope.statements(node.body)
    scope.emit(Op("global.set", "$over", i32(0)))
    scope.over = before
    return False


def deleted(scope: Scope, node: ast.Delete) -> bool:
    """`del pile[-n:]`."""
    match node.targets:
        case [ast.Subscript(value=of, slice=ast.Slice(lower=ast.UnaryOp(op=ast.USub(), operand=many), upper=None))]:
            pile = scope.temporary(scope.expression(of))
            count = scope.temporary(scope.expression(many))
            length = Op("i32.load", pile.code[0])
            scope.emit(Op("call", "$cut", pile.code[0], Op("i32.sub", length, as_i32(count)), length))
            return False
    raise Untranslatable(ast.unparse(node))


def evaluated(scope: Scope, node: ast.Expr) -> bool:
    """An expression for its side effect."""
    if isinstance(node.value, ast.Constant):
        return False
    if isinstance(node.value, ast.Yield) and node.value.value is not None and scope.visit is not None:
        scope.visit(scope.expression(node.value.value))
        return False
    if isinstance(node.value, ast.BoolOp) and isinstance(node.value.op, ast.And):
        *tests, last = node.value.values
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        return branch(scope, ast.If(test, [ast.Expr(last, lineno=node.lineno)], []))
    value = scope.expression(node.value)
    scope.emit(*(Op("drop", code) for code in value.code if code.name != "local.get"))
    return False


def broken(scope: Scope, _: ast.Break) -> bool:
    scope.emit(Op("br", scope.loops[-1][0]))
    return True


def continued(scope: Scope, _: ast.Continue) -> bool:
    scope.emit(Op("br", scope.loops[-1][1]))
    return True


def skipped(_: Scope, __: ast.stmt) -> bool:
    return False


STATEMENTS |= {
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
