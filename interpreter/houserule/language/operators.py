"""Arithmetic and operations on lists, with the bounds of results."""

from __future__ import annotations

from houserule.language import nodes
from houserule.language.checked import Apply, Constant, Expression, known_number
from houserule.language.dispatch import condition, expr
from houserule.language.fitting import coerce, number_expr, require_present, snapshot, typed_expr
from houserule.language.format import format
from houserule.language.lists import list_expr
from houserule.language.primitives import ARITHMETIC, CONDITIONAL, JOINED, NEGATE, SURE, WITHOUT
from houserule.language.scope import Context
from houserule.language.types import NUMBER, UNKNOWN, Int, List, Maybe, NoValue, Type, Unknown, join, none_of


def binary_expr(context: Context, node: nodes.Binary) -> Expression:
    """Arithmetic, and lists with `+` and `-`."""
    operator = node.operator
    left = expr(context, node.left)
    if isinstance(left.type, List) and operator in "+-":
        return joined_lists(context, node, left, left.type)
    left = coerce(context, left, NUMBER, node.left, f"the left side of '{operator}'")
    right = typed_expr(context, node.right, NUMBER, f"the right side of '{operator}'")
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return Constant(node.span, UNKNOWN, 0)
    assert isinstance(left.type, Int) and isinstance(right.type, Int)
    bounds = reach(operator, left.type, right.type)
    if bounds is None:
        return context.error("HR553", f"this divides by zero: '{format(node.right)}' is 0", node.right.span)
    if isinstance(left, Constant) and isinstance(right, Constant) and bounds.low == bounds.high:
        return Constant(node.span, bounds, bounds.low)
    return Apply(node.span, bounds, ARITHMETIC[operator], (left, right))


def joined_lists(context: Context, node: nodes.Binary, left: Expression, first: List) -> Expression:
    """Two lists joined, or one without the members of the other."""
    right = list_expr(context, node.right, first)
    type = join(first, right.type)
    if not isinstance(type, List):
        message = f"'{node.operator}' joins lists of one type: {first} and {right.type}"
        return context.error("HR510", message, node.span)
    if node.operator == "-":
        return Apply(node.span, List(type.of, first.most), WITHOUT, (left, right))
    other = right.type.most if isinstance(right.type, List) else None
    most = first.most + other if first.most and other else None
    return Apply(node.span, List(type.of, most), JOINED, (left, right))


def negative_expr(context: Context, node: nodes.Negative) -> Expression:
    """`-n`."""
    inner = number_expr(context, node.operand)
    if isinstance(inner, Constant) and isinstance(inner.value, int):
        return Constant(node.span, Int(-inner.value, -inner.value), -inner.value)
    bounds = inner.type if isinstance(inner.type, Int) else NUMBER
    return Apply(node.span, Int(-bounds.high, -bounds.low), NEGATE, (inner,))


def sure_expr(context: Context, node: nodes.Sure) -> Expression:
    """`x!`."""
    value = expr(context, node.operand)
    if isinstance(value.type, Maybe):
        none = known_number(node.span, none_of(value.type))
        return Apply(node.span, value.type.of, SURE, (value, none))
    if isinstance(value.type, NoValue):
        return require_present(context, value, node.operand)
    if not isinstance(value.type, Unknown):
        message = f"'{format(node.operand)}' is never none, so this says nothing"
        context.report.warning("HR522", message, node.span.last(1), "leave the '!' out")
    return value


def conditional_expr(context: Context, node: nodes.Conditional, wanted: Type | None) -> Expression:
    """`a if c else b`."""
    test, yes, no = condition(context, node.test)
    a = expr(context.inner(yes), node.then, wanted)
    b = expr(context.inner(no), node.otherwise, wanted)
    type = join(a.type, b.type)
    if type is None:
        message = f"the two sides of `if … else` differ: {a.type} and {b.type}"
        return context.error("HR510", message, node.span)
    a, b = coerce(context, a, type, node.then, "this side"), coerce(context, b, type, node.otherwise, "this side")
    return Apply(node.span, type, CONDITIONAL, (snapshot(a), test, snapshot(b)))


def reach(operator: str, a: Int, b: Int) -> Int | None:
    """The bounds of the result; None if it certainly divides by zero."""
    match operator:
        case "+":
            return Int(a.low + b.low, a.high + b.high)
        case "-":
            return Int(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Int(min(corners), max(corners))
        case "//":
            if b.low == b.high == 0:
                return None
            divisors = [d for d in (b.low, b.high, -1, 1) if d != 0 and b.low <= d <= b.high]
            corners = [x // d for x in (a.low, a.high) for d in divisors]
            return Int(min(corners), max(corners))
        case "%":
            if b.low == b.high == 0:
                return None
            if a.low == a.high and b.low == b.high:
                return Int(a.low % b.low, a.low % b.low)
            return Int(min(0, b.low + 1), max(0, b.high - 1))
    raise AssertionError(operator)
