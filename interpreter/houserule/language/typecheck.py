"""The dispatch tables of the checker: the function for each class of node.

This module imports all modules that check nodes, so these import `expr`, `condition` and `statement` from `dispatch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from houserule.language import calls, choices, control, dispatch, lists, names, nodes, operators, verbs
from houserule.language.checked import Constant, Expression
from houserule.language.dispatch import condition, expr, statement
from houserule.language.fitting import as_narrowed
from houserule.language.scope import Context
from houserule.language.types import BOOL, NO_VALUE, NONE, Int

T = TypeVar("T", bound=nodes.Expression)
__all__ = ["condition", "dispatch", "expr", "statement"]


def narrowed(check: Callable[[Context, T], Expression]) -> Callable[[Context, T], Expression]:
    return lambda context, node: as_narrowed(context, check(context, node), node)


dispatch.EXPRESSIONS.update(
    {
        nodes.Number: lambda _, node: Constant(node.span, Int(node.value, node.value), node.value),
        nodes.Truth: lambda _, node: Constant(node.span, BOOL, int(node.value)),
        nodes.Absent: lambda _, node: Constant(node.span, NO_VALUE, NONE),
        nodes.Copy: names.copy_expr,
        nodes.Every: lists.every_expr,
        nodes.Range: lists.range_expr,
        nodes.Negative: operators.negative_expr,
        nodes.Not: operators.truth,
        nodes.Logic: operators.truth,
        nodes.Is: operators.truth,
        nodes.Compare: operators.truth,
        nodes.Binary: operators.binary_expr,
        nodes.Attribute: narrowed(names.attribute),
        nodes.Index: narrowed(names.indexed),
        nodes.Call: narrowed(calls.called),
        nodes.Sure: operators.sure_expr,
        nodes.PlayersFrom: lists.players_from,
        nodes.Selection: lists.selection,
    }
)
dispatch.WANTING.update(
    {
        nodes.Name: names.name_expr,
        nodes.ListOf: lists.list_literal,
        nodes.Conditional: operators.conditional_expr,
        nodes.WhatIf: operators.what_if,
    }
)
dispatch.CONDITIONS.update(dict.fromkeys([*dispatch.EXPRESSIONS, *dispatch.WANTING], operators.value_as_condition))
dispatch.CONDITIONS.update(
    {
        nodes.Not: operators.negation,
        nodes.Logic: operators.logic,
        nodes.Is: operators.is_a,
        nodes.Compare: operators.compare,
    }
)
dispatch.STATEMENTS.update(
    {
        nodes.Assign: verbs.assign,
        nodes.Command: verbs.command,
        nodes.Say: control.say,
        nodes.If: control.if_statement,
        nodes.For: control.for_each,
        nodes.While: control.while_loop,
        nodes.Repeat: control.repeat,
        nodes.Leave: control.leave,
        nodes.Finish: control.finish,
        nodes.FinishWith: control.finish_with,
        nodes.EndGame: control.end_game,
        nodes.Nothing: lambda _, _node: [],
        nodes.Choose: choices.choose,
        nodes.Menu: choices.menu,
        nodes.Perform: calls.perform,
        nodes.As: control.as_player,
        nodes.Together: choices.together_statement,
        nodes.Race: choices.race,
    }
)
