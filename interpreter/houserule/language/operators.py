"""Operators: arithmetic, comparisons and conditions in; checked expressions out, with what a test has shown."""

from __future__ import annotations

from collections.abc import Callable as Function
from operator import ge, gt, le, lt
from typing import Any

from houserule.diagnostics import Span
from houserule.language import nodes
from houserule.language.checked import Apply, Constant, Expression, Single, known_number
from houserule.language.format import format
from houserule.language.lists import Lists
from houserule.language.local_names import Narrowings
from houserule.language.primitives import (
    AND,
    ANY_LIE,
    ARITHMETIC,
    AS_LIST,
    COMPARISONS,
    EQUAL,
    JOINED,
    NOT,
    OR,
    PRESENT,
    PRESENT_NUMBER,
    WITHIN,
    WITHOUT,
)
from houserule.language.types import (
    BOOL,
    NUMBER,
    UNKNOWN,
    Int,
    List,
    Maybe,
    Member,
    NoValue,
    Piece,
    Player,
    Unknown,
    comparable,
    fits,
    join,
    none_of,
    plain,
)

ORDER: dict[str, Function[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


class Operators(Lists):
    """Checks what stands between operators."""

    def binary(self, node: nodes.Binary) -> Expression:
        """Arithmetic, and lists with `+` and `-`."""
        operator = node.operator
        left = self.expr(node.left)
        if isinstance(left.type, List) and operator in "+-":
            right = self.items(node.right, left.type)
            type = join(left.type, right.type)
            if not isinstance(type, List):
                return self.error(
                    "HR510", f"'{operator}' joins lists of one type: {left.type} and {right.type}", node.span
                )
            most = (
                (left.type.most or 0) + (right.type.most or 0)
                if isinstance(right.type, List) and left.type.most and right.type.most
                else None
            )
            if operator == "-":
                return Apply(node.span, List(type.of, left.type.most), WITHOUT, (left, right))
            return Apply(node.span, List(type.of, most), JOINED, (left, right))
        left = self.coerce(left, NUMBER, node.left, f"the left side of '{operator}'")
        right = self.coerce(self.expr(node.right, NUMBER), NUMBER, node.right, f"the right side of '{operator}'")
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return Constant(node.span, UNKNOWN, 0)
        assert isinstance(left.type, Int) and isinstance(right.type, Int)
        bounds = reach(operator, left.type, right.type)
        if bounds is None:
            return self.error("HR553", f"this divides by zero: '{format(node.right)}' is 0", node.right.span)
        if isinstance(left, Constant) and isinstance(right, Constant) and bounds.low == bounds.high:
            return Constant(node.span, bounds, bounds.low)
        return Apply(node.span, bounds, ARITHMETIC[operator], (left, right))

    def condition(self, node: nodes.Expression) -> tuple[Expression, Narrowings, Narrowings]:
        """A condition, with what is known where it holds and where it does not."""
        match node:
            case nodes.Not(span, operand):
                inner, yes, no = self.condition(operand)
                if isinstance(inner, Constant):
                    return Constant(span, BOOL, int(not inner.value)), no, yes
                return Apply(span, BOOL, NOT, (inner,)), no, yes
            case nodes.Logic(span, left, "and", right):
                a, yes, _ = self.condition(left)
                b, also, _ = self.under(yes, lambda: self.condition(right))
                return Apply(span, BOOL, AND, (a, b)), {**yes, **also}, {}
            case nodes.Logic(span, left, _, right):
                a, _, no = self.condition(left)
                b, _, neither = self.under(no, lambda: self.condition(right))
                return Apply(span, BOOL, OR, (a, b)), {}, {**no, **neither}
            case nodes.Is():
                return self.is_a(node)
            case nodes.Compare():
                return self.compare(node)
            case _:
                value = self.expr(node, BOOL)
                if isinstance(value.type, Maybe):
                    key = self.key(node)
                    return self.present(value), {key: value.type.of} if key else {}, {}
                if not fits(value.type, BOOL):
                    text = format(node)
                    key = self.key(node)
                    if isinstance(value.type, Player | Piece | Member) and key and key in self.narrowed:
                        return Constant(node.span, BOOL, 1), {}, {}
                    if isinstance(value.type, Player | Piece | Member) and not isinstance(value, Constant):
                        self.report.warning("HR522", f"'{text}' is never none, so this always holds", node.span)
                        return Constant(node.span, BOOL, 1), {}, {}
                    self.error(
                        "HR521",
                        f"a condition is wanted, but '{text}' is {self.words_for(value)}",
                        node.span,
                        self.advice(value, BOOL, node),
                    )
                    return Constant(node.span, BOOL, 1), {}, {}
                return value, {}, {}

    def present(self, value: Expression) -> Expression:
        """Whether an optional value is there."""
        if isinstance(value, Single):
            return Apply(value.span, BOOL, ANY_LIE, (value.pile,))
        if isinstance(plain(value.type), Int):
            return Apply(value.span, BOOL, PRESENT_NUMBER, (value, known_number(value.span, none_of(value.type))))
        return Apply(value.span, BOOL, PRESENT, (value,))

    def compare(self, node: nodes.Compare) -> tuple[Expression, Narrowings, Narrowings]:
        """A comparison."""
        span, operator = node.span, node.operator
        if operator in ("in", "not in"):
            if isinstance(node.right, nodes.ListOf) and not self.is_ambiguous(node.left):
                left = self.expr(node.left)
                right = self.items(node.right, List(plain(left.type)))
                element = right.type.of if isinstance(right.type, List) else UNKNOWN
            else:
                right = self.items(node.right, None)
                element = right.type.of if isinstance(right.type, List) else UNKNOWN
                self.sought = node.left.id if isinstance(node.left, nodes.Name) else ""
                left = self.expr(node.left, element)
                self.sought = ""
            if not comparable(left.type, element) or (
                isinstance(left.type, NoValue) and not isinstance(element, Maybe | Unknown)
            ):
                self.error(
                    "HR510", f"'{format(node.left)}' is {left.type}, which can never be in {right.type}", node.left.span
                )
            key = self.key(node.left)
            there: Narrowings = (
                {key: left.type.of} if key and isinstance(left.type, Maybe) and not isinstance(element, Maybe) else {}
            )
            test = Apply(span, BOOL, COMPARISONS[operator], (left, right))
            return (test, there, {}) if operator == "in" else (test, {}, there)
        if self.is_ambiguous(node.left):
            right = self.expr(node.right)
            left = self.expr(node.left, plain(right.type))
        else:
            left = self.expr(node.left)
            right = self.expr(node.right, plain(left.type))
        left, right = self.as_list(left, right), self.as_list(right, left)
        if isinstance(left.type, NoValue) or isinstance(right.type, NoValue):
            value, other = (right, node.right) if isinstance(left.type, NoValue) else (left, node.left)
            if operator not in ("==", "!="):
                self.error("HR510", f"'none' has no order, so '{operator}' cannot stand here", span)
            if not isinstance(value.type, Maybe):
                if not isinstance(value.type, Unknown):
                    self.report.warning("HR522", f"'{format(other)}' is never none", other.span)
                return Constant(span, BOOL, int(operator == "!=")), {}, {}
            key = self.key(other)
            there = {key: value.type.of} if key else {}
            present = self.present(value)
            return (Apply(span, BOOL, NOT, (present,)), {}, there) if operator == "==" else (present, there, {})
        if operator in ("==", "!="):
            if not comparable(left.type, right.type):
                self.error("HR510", f"{left.type} and {right.type} can never be equal", span)
            same: Narrowings = {}
            for one, value, other_value in ((node.left, left, right), (node.right, right, left)):
                key = self.key(one)
                if key and isinstance(value.type, Maybe) and not isinstance(other_value.type, Maybe):
                    same[key] = value.type.of
            if isinstance(left, Constant) and isinstance(right, Constant):
                return Constant(span, BOOL, int((left.value == right.value) == (operator == "=="))), {}, {}
            if isinstance(left.type, List):
                left, right = (
                    Apply(left.span, left.type, AS_LIST, (left,)),
                    Apply(right.span, right.type, AS_LIST, (right,)),
                )
            return (
                Apply(span, BOOL, COMPARISONS[operator], (left, right)),
                same if operator == "==" else {},
                {} if operator == "==" else same,
            )
        left, right = self.require_present(left, node.left), self.require_present(right, node.right)
        ordered = (Int, Member, Piece, Player, Unknown)
        if (
            not isinstance(left.type, ordered)
            or not isinstance(right.type, ordered)
            or not comparable(left.type, right.type)
        ):
            self.error(
                "HR510", f"'{operator}' compares two numbers or two of a kind, got {left.type} and {right.type}", span
            )
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(span, BOOL, int(ORDER[operator](left.value, right.value))), {}, {}
        return Apply(span, BOOL, COMPARISONS[operator], (left, right)), {}, {}

    def as_list(self, value: Expression, other: Expression) -> Expression:
        """The pile of a single piece, where it is compared with a list."""
        return value.pile if isinstance(value, Single) and isinstance(other.type, List) else value

    def is_a(self, node: nodes.Is) -> tuple[Expression, Narrowings, Narrowings]:
        """`x is mushroom`, `x is not none`."""
        if node.kind == "none":
            return self.compare(
                nodes.Compare(node.span, node.operand, "!=" if node.negated else "==", nodes.Absent(node.span))
            )
        value = self.expr(node.operand)
        key = self.key(node.operand)
        optional = isinstance(value.type, Maybe)
        bare = plain(value.type)
        test: Expression
        kind = self.symbols.kinds.get(node.kind)
        found: Narrowings = {}
        if isinstance(bare, Unknown):
            return Constant(node.span, BOOL, 1), {}, {}
        if kind is not None:
            kind.uses += 1
        if kind is not None and kind.is_piece and isinstance(bare, Piece):
            if bare.kind not in (None, kind.name):
                self.error("HR510", f"'{format(node.operand)}' is {bare}, so it is never a {kind.name}", node.span)
            test = within(value, kind.base, len(kind.ids), node.span)
            found = {key: kind.type} if key else {}
        elif isinstance(bare, Member):
            enum = self.symbols.kinds[bare.kind]
            number = enum.first(node.kind)
            if number is None:
                self.misnamed(
                    "HR501",
                    f"'{bare.kind}' has no member '{node.kind}'",
                    node.span.last(len(node.kind)),
                    node.kind,
                    enum.ids,
                )
                number = 0
            test = Apply(node.span, BOOL, EQUAL, (value, Constant(node.span, bare, number)))
            found = {key: bare} if key and optional else {}
        elif isinstance(bare, Piece):
            kinds = (
                [self.symbols.kinds[bare.kind]] if bare.kind else [k for k in self.symbols.kinds.values() if k.is_piece]
            )
            homes = [k for k in kinds if node.kind in k.ids]
            if not homes:
                names = [k.name for k in kinds] + [i for k in kinds for i in k.ids]
                self.misnamed(
                    "HR501",
                    f"there is no kind of piece and no piece '{node.kind}' here",
                    node.span.last(len(node.kind)),
                    node.kind,
                    names,
                )
                return Constant(node.span, BOOL, 1), {}, {}
            homes[0].uses += 1
            first = homes[0].first(node.kind)
            assert first is not None
            test = within(value, first, homes[0].ids.count(node.kind), node.span)
            found = {key: homes[0].type} if key else {}
        else:
            self.error(
                "HR510",
                f"'is' asks a piece or a member, but '{format(node.operand)}' is {value.type}",
                node.operand.span,
            )
            return Constant(node.span, BOOL, 1), {}, {}
        if node.negated:
            return Apply(node.span, BOOL, NOT, (test,)), {}, found
        return test, found, {}


def within(value: Expression, first: int, count: int, span: Span) -> Expression:
    """Whether a piece is one of so many in a row."""
    return Apply(span, BOOL, WITHIN, (value, known_number(span, first), known_number(span, first + count)))


def reach(operator: str, a: Int, b: Int) -> Int | None:
    """Between which bounds the result lies; None where it certainly divides by zero."""
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
