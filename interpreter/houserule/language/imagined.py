"""Hypothetical expressions: the value of an expression after an effect, as a call of a routine that leaves no trace.

The effect and the value become the body of a new routine, with the local names that they read as parameters. So
every pass over calls and bodies handles it as well; only the emitter of the routine restores the state.
"""

from __future__ import annotations

from houserule.language import nodes
from houserule.language.calls import note_call
from houserule.language.checked import (
    Call,
    Constant,
    Expression,
    Local,
    Parameter,
    Return,
    Routine,
    SetLocal,
    Statement,
)
from houserule.language.dispatch import expr, statement
from houserule.language.fitting import snapshot
from houserule.language.format import format
from houserule.language.scope import Context
from houserule.language.trees import expressions
from houserule.language.types import PLAYER, List, Maybe, Type, none_of

CHANGES = (nodes.Assign, nodes.Command, nodes.Perform, nodes.Nothing)
"""The statements that can be imagined."""


def what_if(context: Context, node: nodes.WhatIf, wanted: Type | None) -> Expression:
    """`E after EFFECT`: the value that E would have."""
    analysis = context.analysis
    if not analysis.is_declared:
        return context.error(
            "HR544", "nothing can be imagined here", node.span, "effects, functions and steps can ask what would be"
        )
    analysis.labels += 1
    rule = context.routine.name if context.routine is not None else context.step_path or "flow"
    made = Routine(f"{rule} after {analysis.labels}", (), node.span, is_function=True, uses=1)
    made.imagined_in, made.sets_off_triggers = rule, False  # it runs its callees itself
    has_me, before = context.me is not None, frozenset(context.locals.taken)
    inside = context.inner(
        routine=made,
        me=Local(node.span, PLAYER, "me") if has_me else None,
        me_inherited=has_me,
        in_function=False,
        loops=(),
    )
    effect = [found for one in node.effect for found in imagined(inside, one)]
    value = snapshot(expr(inside, node.value, wanted))
    # If the effect ends the game, names that it has not reached are none.
    unset: list[Statement] = [
        SetLocal(name.span, name.unique, Constant(name.span, name.type, nothing(name.type)))
        for name in inside.scope.names.values()
        if name.unique not in before
    ]
    own = inside.locals.taken - before
    made.body, made.result, made.state = (*unset, *effect, Return(node.value.span, value)), value.type, "checked"
    known = {one.name: one for one in expressions(made.body) if isinstance(one, Local) and one.name not in own}
    known.pop("me", None)
    made.parameters = tuple(Parameter(one.type, name, one.span) for name, one in known.items())
    context.symbols.imagined.append(made)
    note_call(context, made, node.span)
    return Call(node.span, value.type, made, tuple(known.values()), context.me)


def imagined(context: Context, node: nodes.Statement) -> list[Statement]:
    """One statement of an imagined effect."""
    if not isinstance(node, CHANGES):
        what = format(node).split("\n")[0]
        context.error(
            "HR544", f"'{what}' cannot be imagined", node.span, "assign, move and the like, or `perform` an action"
        )
        return []
    return statement(context, node)


def nothing(type: Type) -> int | tuple[int, ...]:
    """The empty value of a type."""
    return () if isinstance(type, List) else none_of(type) if isinstance(type, Maybe) else 0
