"""The checker's dispatch: `expr`, `condition` and `statement` find the function for a node by its class.

Nodes nest in each other, so the modules that check them would all import each other. Each imports these three instead, and
`typecheck` fills the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houserule.language import nodes
from houserule.language.checked import Expression, Statement
from houserule.language.scope import STATEMENT, Context, Narrowings
from houserule.language.types import Type

Condition = tuple[Expression, Narrowings, Narrowings]
"""A condition, and its narrowings where it holds and where it does not."""

EXPRESSIONS: dict[type[nodes.Node], Callable[[Context, Any], Expression]] = {}
WANTING: dict[type[nodes.Node], Callable[[Context, Any, Type | None], Expression]] = {}
"""Expressions whose meaning depends on the wanted type."""
CONDITIONS: dict[type[nodes.Node], Callable[[Context, Any], Condition]] = {}
STATEMENTS: dict[type[nodes.Node], Callable[[Context, Any], list[Statement]]] = {}


def expr(context: Context, node: nodes.Expression, wanted: Type | None = None) -> Expression:
    """A value. `wanted` selects a member that several enums have; it is not checked."""
    context.analysis.budget.spend(1, node.span)
    check = EXPRESSIONS.get(type(node))
    value = check(context, node) if check is not None else WANTING[type(node)](context, node, wanted)
    return value if context.analysis.meanings is None else context.typed(node, value)


def condition(context: Context, node: nodes.Expression) -> Condition:
    context.analysis.budget.spend(1, node.span)
    return CONDITIONS[type(node)](context, node)


def statement(context: Context, node: nodes.Statement) -> list[Statement]:
    context.analysis.budget.spend(STATEMENT, node.span)
    return STATEMENTS[type(node)](context, node)
