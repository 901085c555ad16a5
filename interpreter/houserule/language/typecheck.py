"""The dispatch tables of the checker: the function for each class of node.

This module imports all modules that check nodes, so these import `expr`, `condition` and `statement` from `dispatch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from houserule.language import dispatch, nodes
from houserule.language.calls import called, perform
from houserule.language.checked import Constant, Expression
from houserule.language.choices import choose, menu, race, together_statement
from houserule.language.control import (
    as_player,
    end_game,
    finish,
    finish_with,
    for_each,
    if_statement,
    leave,
    repeat,
    say,
    while_loop,
)
from houserule.language.dispatch import condition, expr, statement
from houserule.language.fitting import as_narrowed
from houserule.language.lists import every_expr, list_literal, players_from, range_expr, selection
from houserule.language.names import attribute, copy_expr, indexed, name_expr
from houserule.language.operators import (
    binary_expr,
    compare,
    conditional_expr,
    is_a,
    logic,
    negation,
    negative_expr,
    sure_expr,
    truth,
    value_as_condition,
    what_if,
)
from houserule.language.scope import Context
from houserule.language.types import BOOL, NO_VALUE, NONE, Int
from houserule.language.verbs import assign, command

T = TypeVar("T", bound=nodes.Expression)
__all__ = ["condition", "dispatch", "expr", "statement"]


def narrowed(check: Callable[[Context, T], Expression]) -> Callable[[Context, T], Expression]:
    return lambda context, node: as_narrowed(context, check(context, node), node)


dispatch.EXPRESSIONS.update(
    {
        nodes.Number: lambda _, node: Constant(node.span, Int(node.value, node.value), node.value),
        nodes.Truth: lambda _, node: Constant(node.span, BOOL, int(node.value)),
        nodes.Absent: lambda _, node: Constant(node.span, NO_VALUE, NONE),
        nodes.Copy: copy_expr,
        nodes.Every: every_expr,
        nodes.Range: range_expr,
        nodes.Negative: negative_expr,
        nodes.Not: truth,
        nodes.Logic: truth,
        nodes.Is: truth,
        nodes.Compare: truth,
        nodes.Binary: binary_expr,
        nodes.Attribute: narrowed(attribute),
        nodes.Index: narrowed(indexed),
        nodes.Call: narrowed(called),
        nodes.Sure: sure_expr,
        nodes.PlayersFrom: players_from,
        nodes.Selection: selection,
    }
)
dispatch.WANTING.update(
    {nodes.Name: name_expr, nodes.ListOf: list_literal, nodes.Conditional: conditional_expr, nodes.WhatIf: what_if}
)
dispatch.CONDITIONS.update(dict.fromkeys([*dispatch.EXPRESSIONS, *dispatch.WANTING], value_as_condition))
dispatch.CONDITIONS.update({nodes.Not: negation, nodes.Logic: logic, nodes.Is: is_a, nodes.Compare: compare})
dispatch.STATEMENTS.update(
    {
        nodes.Assign: assign,
        nodes.Command: command,
        nodes.Say: say,
        nodes.If: if_statement,
        nodes.For: for_each,
        nodes.While: while_loop,
        nodes.Repeat: repeat,
        nodes.Leave: leave,
        nodes.Finish: finish,
        nodes.FinishWith: finish_with,
        nodes.EndGame: end_game,
        nodes.Nothing: lambda _, _node: [],
        nodes.Choose: choose,
        nodes.Menu: menu,
        nodes.Perform: perform,
        nodes.As: as_player,
        nodes.Together: together_statement,
        nodes.Race: race,
    }
)
