"""Checks expressions: syntax tree in, checked tree out, with names resolved, types known and optionals tested."""

from __future__ import annotations

from typing import assert_never

from houserule.language import nodes
from houserule.language.calls import Calls
from houserule.language.checked import Apply, Constant, Expression
from houserule.language.fitting import snapshot
from houserule.language.primitives import CONDITIONAL, NEGATE, SEATING
from houserule.language.types import BOOL, NO_VALUE, NONE, NUMBER, PLAYER, Int, List, Type, join


class ExpressionChecker(Calls):
    """Checks expressions against a symbol table. Mistakes go into the report and become `Unknown`."""

    def expr(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A value. `wanted` helps to find a member that several enums have; it is not checked."""
        match node:
            case nodes.Number(span, value):
                return Constant(span, Int(value, value), value)
            case nodes.Truth(span, value):
                return Constant(span, BOOL, int(value))
            case nodes.Absent(span):
                return Constant(span, NO_VALUE, NONE)
            case nodes.Name():
                return self.known(self.name(node, wanted), node)
            case nodes.Copy(span, id, number):
                return self.copy(span, id, number)
            case nodes.Every(span, word):
                kind = self.symbols.kinds.get(word)
                if kind is None:
                    return self.misnamed(
                        "HR501",
                        f"there is no kind of piece or enum '{word}'",
                        span.last(len(word)),
                        word,
                        self.symbols.kinds,
                    )
                return self.members(kind, span)
            case nodes.ListOf(span, items):
                return self.list_of(span, items, wanted)
            case nodes.Range(span, low, high):
                return self.range(span, low, high)
            case nodes.Negative(span, operand):
                inner = self.number(operand)
                if isinstance(inner, Constant) and isinstance(inner.value, int):
                    return Constant(span, Int(-inner.value, -inner.value), -inner.value)
                bounds = inner.type if isinstance(inner.type, Int) else NUMBER
                return Apply(span, Int(-bounds.high, -bounds.low), NEGATE, (inner,))
            case nodes.Not() | nodes.Logic() | nodes.Is():
                return self.condition(node)[0]
            case nodes.Compare():
                return self.condition(node)[0]
            case nodes.Binary():
                return self.binary(node)
            case nodes.Conditional(span, then, test, otherwise):
                condition, yes, no = self.condition(test)
                a = self.under(yes, lambda: self.expr(then, wanted))
                b = self.under(no, lambda: self.expr(otherwise, wanted))
                type = join(a.type, b.type)
                if type is None:
                    return self.error("HR510", f"the two sides of `if … else` differ: {a.type} and {b.type}", span)
                a, b = self.coerce(a, type, then, "this side"), self.coerce(b, type, otherwise, "this side")
                a, b = snapshot(a), snapshot(b)
                return Apply(span, type, CONDITIONAL, (a, condition, b))
            case nodes.Attribute():
                return self.known(self.attribute(node, ()), node)
            case nodes.Index():
                return self.known(self.index(node), node)
            case nodes.Call():
                return self.call(node)
            case nodes.PlayersFrom(span, first):
                start = self.coerce(self.expr(first, PLAYER), PLAYER, first, "what `players from` begins with")
                return Apply(span, List(PLAYER, self.symbols.players), SEATING, (start,))
            case nodes.Selection():
                return self.selection(node)
            case _:
                assert_never(node)
