"""Operators, conditions and hypothetical expressions, with the bounds of results."""

from __future__ import annotations

from houserule.diagnostics import ABOVE, COUNTS, Fix, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.calls import note_call
from houserule.language.dispatch import Condition, condition, expr, statement
from houserule.language.fitting import advice_for, coerce, number_expr, require_present, snapshot, typed_expr, words_for
from houserule.language.format import format
from houserule.language.lists import element_type, list_expr
from houserule.language.scope import ENDS, Context, Narrowings, One, is_ambiguous, key_of
from houserule.language.trees import expressions
from houserule.language.words import ORDER

MOST_NAMED = 12
"""The most values that a help lists."""


def binary_expr(context: Context, node: nodes.Binary) -> c.Expression:
    """Arithmetic, and lists with `+` and `-`."""
    operator = node.operator
    left = expr(context, node.left)
    if operator in "+-" and isinstance(left, c.Single):  # a zone with room for one, as a list of what lies there
        left = left.pile
    if isinstance(left.type, ty.List) and operator in "+-":
        return joined_lists(context, node, left, left.type)
    left = coerce(context, left, ty.NUMBER, node.left, f"the left side of '{operator}'")
    right = typed_expr(context, node.right, ty.NUMBER, f"the right side of '{operator}'")
    if isinstance(left.type, ty.Unknown) or isinstance(right.type, ty.Unknown):
        return c.Constant(node.span, ty.UNKNOWN, 0)
    assert isinstance(left.type, ty.Int) and isinstance(right.type, ty.Int)
    bounds = reach(operator, left.type, right.type)
    if bounds is None:
        return context.error("HR553", f"this divides by zero: '{format(node.right)}' is 0", node.right.span)
    if isinstance(left, c.Constant) and isinstance(right, c.Constant) and bounds.low == bounds.high:
        return c.Constant(node.span, bounds, bounds.low)
    return c.Apply(node.span, bounds, ty.ARITHMETIC[operator], (left, right))


def joined_lists(context: Context, node: nodes.Binary, left: c.Expression, first: ty.List) -> c.Expression:
    """Two lists joined, or one without the members of the other."""
    right = list_expr(context, node.right, first)
    type = ty.join(first, right.type)
    if not isinstance(type, ty.List):
        message = f"'{node.operator}' joins lists of one type: {first} and {right.type}"
        return context.error("HR510", message, node.span)
    if node.operator == "-":
        return c.Apply(node.span, ty.List(type.of, first.most), ty.WITHOUT, (left, right))
    other = right.type.most if isinstance(right.type, ty.List) else None
    most = first.most + other if first.most and other else None
    return c.Apply(node.span, ty.List(type.of, most), ty.JOINED, (left, right))


def negative_expr(context: Context, node: nodes.Negative) -> c.Expression:
    """`-n`."""
    inner = number_expr(context, node.operand)
    if isinstance(inner, c.Constant) and isinstance(inner.value, int):
        return c.Constant(node.span, ty.Int(-inner.value, -inner.value), -inner.value)
    bounds = inner.type if isinstance(inner.type, ty.Int) else ty.NUMBER
    return c.Apply(node.span, ty.Int(-bounds.high, -bounds.low), ty.NEGATE, (inner,))


def sure_expr(context: Context, node: nodes.Sure) -> c.Expression:
    """`x!`."""
    value = expr(context, node.operand)
    if isinstance(value.type, ty.Maybe):
        none = c.known_number(node.span, ty.none_of(value.type))
        return c.Apply(node.span, value.type.of, ty.SURE, (value, none))
    if isinstance(value.type, ty.NoValue):
        return require_present(context, value, node.operand)
    if not isinstance(value.type, ty.Unknown):
        message = f"'{format(node.operand)}' is never none, so this says nothing"
        mark = node.span.last(1)
        fix = Fix(mark, "")
        context.report.warning("HR522", message, mark, "leave the '!' out", follows_from=(COUNTS,), fix=fix)
    return value


def conditional_expr(context: Context, node: nodes.Conditional, wanted: ty.Type | None) -> c.Expression:
    """`a if c else b`."""
    test, yes, no = condition(context, node.test)
    a = expr(context.inner(yes), node.then, wanted)
    b = expr(context.inner(no), node.otherwise, wanted)
    type = ty.join(a.type, b.type)
    if type is None:
        message = f"the two sides of `if … else` differ: {a.type} and {b.type}"
        return context.error("HR510", message, node.span)
    a, b = coerce(context, a, type, node.then, "this side"), coerce(context, b, type, node.otherwise, "this side")
    return c.Apply(node.span, type, ty.CONDITIONAL, (snapshot(a), test, snapshot(b)))


def reach(operator: str, a: ty.Int, b: ty.Int) -> ty.Int | None:
    """The bounds of the result; None if it certainly divides by zero."""
    match operator:
        case "+":
            return ty.Int(a.low + b.low, a.high + b.high)
        case "-":
            return ty.Int(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return ty.Int(max(min(corners), -ty.LARGEST), min(max(corners), ty.LARGEST))
        case "//" | "%" if b.low == b.high == 0:
            return None
        case "//":
            divisors = [d for d in (b.low, b.high, -1, 1) if d != 0 and b.low <= d <= b.high]
            corners = [x // d for x in (a.low, a.high) for d in divisors]
            return ty.Int(min(corners), max(corners))
        case "%":
            if a.low == a.high and b.low == b.high:
                return ty.Int(a.low % b.low, a.low % b.low)
            return ty.Int(min(0, b.low + 1), max(0, b.high - 1))
    raise AssertionError(operator)


def truth(context: Context, node: nodes.Expression) -> c.Expression:
    return condition(context, node)[0]


def negation(context: Context, node: nodes.Not) -> Condition:
    """`not c`."""
    inner, yes, no = condition(context, node.operand)
    if isinstance(inner, c.Constant):
        return c.Constant(node.span, ty.BOOL, int(not inner.value)), no, yes
    return c.Apply(node.span, ty.BOOL, ty.NOT, (inner,)), no, yes


def logic(context: Context, node: nodes.Logic) -> Condition:
    """`a and b`, `a or b`: the right side is evaluated if the left one does not decide."""
    if (compared := compared_with_several(context, node)) is not None:
        return condition(context, compared)
    if node.operator == "or" and isinstance(node.right, nodes.Number):
        expr(context, node.left)
        before, number = format(node.left), format(node.right)
        message = f"a condition is expected, but '{number}' is a number"
        return context.error("HR521", message, node.right.span, f"{before} if {before} else {number}"), {}, {}
    left, yes, no = condition(context, node.left)
    if node.operator == "and":
        right, also, _ = condition(context.inner(yes), node.right)
        return c.Apply(node.span, ty.BOOL, ty.AND, (left, right)), {**yes, **also}, {}
    right, _, neither = condition(context.inner(no), node.right)
    return c.Apply(node.span, ty.BOOL, ty.OR, (left, right)), {}, {**no, **neither}


def compared_with_several(context: Context, node: nodes.Logic) -> nodes.Compare | None:
    """Report `x == 1 or 2` and `x != red and blue`, of which only the first comparison can be read."""
    first: nodes.Expression = node
    others: list[nodes.Expression] = []
    while isinstance(first, nodes.Logic) and first.operator == node.operator and len(others) < MOST_NAMED:
        if not is_literal(context, first.right):
            return None
        others.insert(0, first.right)
        first = first.left
    sign, word = ("==", "in") if node.operator == "or" else ("!=", "not in")
    if not isinstance(first, nodes.Compare) or first.operator != sign:
        return None
    value, subject = (first.left, first.right) if is_literal(context, first.left) else (first.right, first.left)
    message = f"a condition is expected, but '{format(others[0])}' is a value"
    listed = ", ".join(map(format, (value, *others)))
    context.error("HR521", message, others[0].span, f"{format(subject)} {word} [{listed}]")
    return first


def is_literal(context: Context, node: nodes.Expression) -> bool:
    """Whether an expression is a number or a member of an enum, as it is written."""
    if not isinstance(node, nodes.Name):
        return isinstance(node, nodes.Number)
    is_taken = context.scope.find(node.id) is not None or node.id in context.symbols.variables
    return not is_taken and any(True for _ in context.symbols.members(node.id))


def value_as_condition(context: Context, node: nodes.Expression) -> Condition:
    """A truth value, or a value that may be none, as a condition: it holds if there is a value."""
    value = expr(context, node, ty.BOOL)
    if isinstance(value.type, ty.Maybe):
        return present(value), shown(key_of(context, node), value.type.of), {}
    if ty.fits(value.type, ty.BOOL):
        return value, *shown_of_list(node, value)
    text = format(node)
    always: Condition = c.Constant(node.span, ty.BOOL, 1), {}, {}
    if key_of(context, node) in context.scope.narrowed:  # it has been tested before
        return always
    if isinstance(value.type, ty.Player | ty.Piece | ty.Member) and not isinstance(value, c.Constant):
        message = f"'{text}' is never none, so this always holds"
        context.report.warning("HR522", message, node.span, follows_from=(COUNTS,))
        return always
    message = f"a condition is expected, but '{text}' is {words_for(value)}"
    context.error("HR521", message, node.span, advice_for(value, ty.BOOL, node), follows_from=(ABOVE,))
    return always


def shown_of_list(node: nodes.Expression, value: c.Expression) -> tuple[Narrowings, Narrowings]:
    """The narrowings of `any(S)` and `empty(S)`: whether S has a first, a last, a top, a least and a greatest number."""
    match node, value:
        case nodes.Call(function=nodes.Name(id="any" | "empty" as word), arguments=(listed,)), c.Apply(
            arguments=(of, *_)
        ):
            element = element_type(of)
            text = format(listed)
            known: Narrowings = {}
            if not isinstance(element, ty.Maybe | ty.Unknown):
                known = {f"{end}({text})": element for end in ENDS}
            return (known, {}) if word == "any" else ({}, known)
    return {}, {}


def shown(key: str | None, type: ty.Type) -> Narrowings:
    return {key: type} if key else {}


def present(value: c.Expression) -> c.Expression:
    if isinstance(value, c.Single):
        return c.Apply(value.span, ty.BOOL, ty.ANY_LIE, (value.pile,))
    if isinstance(ty.plain(value.type), ty.Int):
        return c.Apply(
            value.span, ty.BOOL, ty.PRESENT_NUMBER, (value, c.known_number(value.span, ty.none_of(value.type)))
        )
    return c.Apply(value.span, ty.BOOL, ty.PRESENT, (value,))


def compare(context: Context, node: nodes.Compare) -> Condition:
    if node.operator in ("in", "not in"):
        return compare_with_list(context, node)
    if is_ambiguous(context, node.left):
        right = expr(context, node.right)
        left = expr(context, node.left, ty.plain(right.type))
    else:
        left = expr(context, node.left)
        right = expr(context, node.right, ty.plain(left.type))
    left, right = as_list(left, right), as_list(right, left)
    warn_of_bounds(context, node, left)
    if isinstance(left.type, ty.NoValue):
        return compare_with_none(context, node, right, node.right)
    if isinstance(right.type, ty.NoValue):
        return compare_with_none(context, node, left, node.left)
    if node.operator in ("==", "!="):
        return compare_equal(context, node, left, right)
    left, right = require_present(context, left, node.left), require_present(context, right, node.right)
    ordered = (ty.Int, ty.Member, ty.Piece, ty.Player, ty.Unknown)
    if not (
        isinstance(left.type, ordered) and isinstance(right.type, ordered) and ty.comparable(left.type, right.type)
    ):
        message = f"'{node.operator}' compares two numbers or two of a kind, got {left.type} and {right.type}"
        context.error("HR510", message, node.span)
    if isinstance(left, c.Constant) and isinstance(right, c.Constant):
        return c.Constant(node.span, ty.BOOL, int(ORDER[node.operator](left.value, right.value))), {}, {}
    return c.Apply(node.span, ty.BOOL, ty.COMPARISONS[node.operator], (left, right)), {}, {}


def warn_of_bounds(context: Context, node: nodes.Compare, left: c.Expression) -> None:
    """Warn if what is declared of a value makes its comparison with a written number impossible."""
    declared = left.type
    if not (isinstance(left, c.ReadVariable | c.Printed) and isinstance(node.right, nodes.Number)):
        return
    if isinstance(declared, ty.Int) and ty.LEAST < declared.low <= declared.high < ty.GREATEST:
        low, high, number = declared.low, declared.high, node.right.value
        never = {
            "==": not low <= number <= high,
            "<": low >= number,
            "<=": low > number,
            ">": high <= number,
            ">=": high < number,
        }
        if never.get(node.operator):
            message = f"'{format(node)}' is always false: '{format(node.left)}' goes from {low} to {high}"
            help = "compare it with a number that it can be, or change its range"
            context.report.warning("HR596", message, node.span, help, follows_from=(COUNTS,))


def as_list(value: c.Expression, other: c.Expression) -> c.Expression:
    return value.pile if isinstance(value, c.Single) and isinstance(other.type, ty.List) else value


def compare_with_list(context: Context, node: nodes.Compare) -> Condition:
    """`x in S`, `x not in S`."""
    if isinstance(node.right, nodes.ListOf) and not is_ambiguous(context, node.left):
        left = expr(context, node.left)
        right = list_expr(context, node.right, ty.List(ty.plain(left.type)))
        element = element_type(right)
    else:
        right = list_expr(context, node.right, None)
        element = element_type(right)
        sought = node.left.id if isinstance(node.left, nodes.Name) else ""
        left = expr(context.inner(sought=sought) if sought else context, node.left, element)
    if not ty.comparable(left.type, element) or (
        isinstance(left.type, ty.NoValue) and not isinstance(element, ty.Maybe | ty.Unknown)
    ):
        message = f"'{format(node.left)}' is {left.type}, which can never be in {right.type}"
        kind = context.symbols.kind_of(ty.plain(element))
        types = kind.attribute_types if kind is not None else {}
        printed = next((name for name, type in types.items() if ty.plain(type) == ty.plain(left.type)), None)
        help = f"{format(node.left)} {node.operator} (x.{printed} for x in {format(node.right)})" if printed else None
        context.error("HR510", message, node.left.span, help)
    there: Narrowings = {}
    if isinstance(left.type, ty.Maybe) and not isinstance(element, ty.Maybe):
        there = shown(key_of(context, node.left), left.type.of)
    test = c.Apply(node.span, ty.BOOL, ty.COMPARISONS[node.operator], (left, right))
    return (test, there, {}) if node.operator == "in" else (test, {}, there)


def compare_with_none(context: Context, node: nodes.Compare, value: c.Expression, side: nodes.Expression) -> Condition:
    if node.operator not in ("==", "!="):
        context.error("HR510", f"'none' has no order, so '{node.operator}' is not allowed here", node.span)
    if not isinstance(value.type, ty.Maybe):
        if not isinstance(value.type, ty.Unknown):
            context.report.warning("HR522", f"'{format(side)}' is never none", side.span, follows_from=(COUNTS,))
        return c.Constant(node.span, ty.BOOL, int(node.operator == "!=")), {}, {}
    there, test = shown(key_of(context, side), value.type.of), present(value)
    return (c.Apply(node.span, ty.BOOL, ty.NOT, (test,)), {}, there) if node.operator == "==" else (test, there, {})


def compare_equal(context: Context, node: nodes.Compare, left: c.Expression, right: c.Expression) -> Condition:
    """`a == b`, `a != b`: what equals a value that is not none is not none either."""
    span, operator = node.span, node.operator
    if not ty.comparable(left.type, right.type):
        context.error("HR510", f"{left.type} and {right.type} can never be equal", span)
    same: Narrowings = {}
    for side, value, other in ((node.left, left, right), (node.right, right, left)):
        if isinstance(value.type, ty.Maybe) and not isinstance(other.type, ty.Maybe):
            same |= shown(key_of(context, side), value.type.of)
    if isinstance(left, c.Constant) and isinstance(right, c.Constant):
        return c.Constant(span, ty.BOOL, int((left.value == right.value) == (operator == "=="))), {}, {}
    if isinstance(left.type, ty.List):
        left = c.Apply(left.span, left.type, ty.AS_LIST, (left,))
        right = c.Apply(right.span, right.type, ty.AS_LIST, (right,))
    test = c.Apply(span, ty.BOOL, ty.COMPARISONS[operator], (left, right))
    return (test, same, {}) if operator == "==" else (test, {}, same)


def is_a(context: Context, node: nodes.Is) -> Condition:
    """`x is mushroom`, `x is not none`."""
    if node.kind == "none":
        operator = "!=" if node.negated else "=="
        return compare(context, nodes.Compare(node.span, node.operand, operator, nodes.Absent(node.span)))
    value = expr(context, node.operand)
    bare = ty.plain(value.type)
    unknown: Condition = c.Constant(node.span, ty.UNKNOWN, 0), {}, {}
    if isinstance(bare, ty.Unknown):
        return unknown
    kind = context.symbols.kinds.get(node.kind)
    if kind is not None:
        context.use(kind, node)
    match bare:
        case ty.Piece():
            tested = is_piece(context, node, value, bare)
        case ty.Member():
            tested = is_member(context, node, value, bare)
        case _:
            message = f"'is' asks a piece or a member, but '{format(node.operand)}' is {value.type}"
            context.error("HR510", message, node.operand.span, as_function(context, node, value))
            tested = None
    if tested is None:
        return unknown
    test, type = tested
    found = shown(key_of(context, node.operand), type) if type is not None else {}
    return (c.Apply(node.span, ty.BOOL, ty.NOT, (test,)), {}, found) if node.negated else (test, found, {})


def as_function(context: Context, node: nodes.Is, value: c.Expression) -> str | None:
    """What `x is f` means, if f is a function; for another word, what can be asked of a list."""
    if node.kind in context.analysis.operations or node.kind in context.symbols.functions:
        return f"{'not ' * node.negated}{node.kind}({format(node.operand)})"
    return advice_for(value, ty.NUMBER, node.operand)


def is_piece(
    context: Context, node: nodes.Is, value: c.Expression, type: ty.Piece
) -> tuple[c.Expression, ty.Type | None] | None:
    """Whether a piece is of a kind, or a copy of a piece, and the type that this implies; None after a mistake."""
    kind = context.symbols.kinds.get(node.kind)
    if kind is not None and kind.is_piece:
        if type.kind not in (None, kind.name):
            context.error(
                "HR510", f"'{format(node.operand)}' is {type}, so it is never {ty.indefinite(kind.name)}", node.span
            )
        return is_among(value, kind.base, len(kind.ids), node.span), kind.type
    pieces = (kind for kind in context.symbols.kinds.values() if kind.is_piece)
    kinds = [context.symbols.kinds[type.kind]] if type.kind else list(pieces)
    home = next((kind for kind in kinds if node.kind in kind.ids), None)
    first = home.first(node.kind) if home is not None else None
    if home is None or first is None:
        names = [kind.name for kind in kinds] + [id for kind in kinds for id in kind.ids]
        message = f"there is no kind of piece and no piece '{node.kind}' here"
        help = as_function(context, node, value)
        context.misnamed("HR501", message, node.span.last(len(node.kind)), node.kind, names, help)
        return None
    context.use_one(home, first, node)
    return is_among(value, first, home.ids.count(node.kind), node.span), home.type


def is_member(
    context: Context, node: nodes.Is, value: c.Expression, type: ty.Member
) -> tuple[c.Expression, ty.Type | None]:
    """Whether a member is that one, and the type that this implies, if it was not known."""
    enum = context.symbols.kinds[type.kind]
    number = enum.first(node.kind)
    if number is None:
        message = f"'{type.kind}' has no member '{node.kind}'"
        context.misnamed("HR501", message, node.span.last(len(node.kind)), node.kind, enum.ids)
    else:
        context.record(node, One(enum, number))
    test = c.Apply(node.span, ty.BOOL, ty.EQUAL, (value, c.Constant(node.span, type, number or 0)))
    return test, type if isinstance(value.type, ty.Maybe) else None


def is_among(value: c.Expression, first: int, count: int, span: Span) -> c.Expression:
    return c.Apply(span, ty.BOOL, ty.WITHIN, (value, c.known_number(span, first), c.known_number(span, first + count)))


CHANGES = (nodes.Assign, nodes.Command, nodes.Perform, nodes.Nothing)
"""The statements that can be imagined."""


def what_if(context: Context, node: nodes.WhatIf, wanted: ty.Type | None) -> c.Expression:
    """`E after EFFECT`: the value that E would have."""
    analysis = context.analysis
    if not analysis.is_declared:
        return context.error(
            "HR544", "nothing can be imagined here", node.span, "effects, functions and steps can ask what would be"
        )
    analysis.labels += 1
    rule = context.routine.name if context.routine is not None else context.step_path or "flow"
    made = c.Routine(f"{rule} after {analysis.labels}", (), node.span, is_function=True, uses=1)
    made.imagined_in, made.sets_off_triggers = rule, False  # it runs its callees itself
    has_me, before = context.me is not None, frozenset(context.locals.taken)
    inside = context.inner(
        routine=made,
        me=c.Local(node.span, ty.PLAYER, "me") if has_me else None,
        me_inherited=has_me,
        in_function=False,
        loops=(),
    )
    effect = [found for one in node.effect for found in imagined(inside, one)]
    value = snapshot(expr(inside, node.value, wanted))
    # If the effect ends the game, names that it has not reached are none.
    unset: list[c.Statement] = [
        c.SetLocal(name.span, name.unique, c.Constant(name.span, name.type, nothing(name.type)))
        for name in inside.scope.names.values()
        if name.unique not in before
    ]
    own = inside.locals.taken - before
    made.body, made.result, made.state = (*unset, *effect, c.Return(node.value.span, value)), value.type, "checked"
    known = {one.name: one for one in expressions(made.body) if isinstance(one, c.Local) and one.name not in own}
    known.pop("me", None)
    made.parameters = tuple(c.Parameter(one.type, name, one.span) for name, one in known.items())
    context.symbols.imagined.append(made)
    note_call(context, made, node.span)
    return c.Call(node.span, value.type, made, tuple(known.values()), context.me)


def imagined(context: Context, node: nodes.Statement) -> list[c.Statement]:
    if not isinstance(node, CHANGES):
        what = format(node).split("\n")[0]
        context.error(
            "HR544", f"'{what}' cannot be imagined", node.span, "assign, move and the like, or `perform` an action"
        )
        return []
    return statement(context, node)


def nothing(type: ty.Type) -> int | tuple[int, ...]:
    return () if isinstance(type, ty.List) else ty.none_of(type) if isinstance(type, ty.Maybe) else 0
