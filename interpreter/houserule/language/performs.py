"""Calls of actions and effects, with their results."""

from __future__ import annotations

from dataclasses import replace

from houserule.language import nodes
from houserule.language.assignments import now_has, set_variable, settable
from houserule.language.blocks import forbid_change
from houserule.language.calls import arguments_for, note_call
from houserule.language.checked import EffectSlot, Expression, Local, Perform, Routine, Statement
from houserule.language.dispatch import expr
from houserule.language.fitting import require_present, words_for
from houserule.language.format import format
from houserule.language.routines import await_result, check_routine
from houserule.language.scope import Context, bind, bind_new, fresh_name
from houserule.language.types import UNKNOWN, Member, NoValue, Piece, Type, Unknown, fits


def perform(context: Context, node: nodes.Perform) -> list[Statement]:
    """`perform rest`, `perform m.found`, `ok = perform pay(2)`."""
    forbid_change(context, "perform an action", node.span)
    callee = node.callee
    match callee:
        case nodes.Name():
            found = perform_action(context, node, callee)
        case nodes.Attribute():
            found = perform_effect(context, node, callee)
        case _:
            message = "`perform` expects the name of an action, or an effect such as card.found"
            context.error("HR503", message, callee.span)
            return []
    if found is None:
        bind_anyway(context, node)
        return []
    context.scope.forget_state()
    if node.result is None:
        return [found]
    type = NoValue() if found.action is None else found.action.result or UNKNOWN
    if isinstance(type, NoValue):
        message = f"'{format(callee)}' has no result"
        context.error("HR510", message, node.span, "`finish with …` in an action gives one")
        bind_anyway(context, node)
        return []
    return with_result(context, node, node.result, found, type)


def perform_action(context: Context, node: nodes.Perform, callee: nodes.Name) -> Perform | None:
    """An action by its name; None after a mistake."""
    actions = context.symbols.actions
    action = actions.get(callee.id)
    if action is None:
        message = f"there is no action '{callee.id}'"
        if callee.id in context.symbols.functions:
            help = f"'{callee.id}' is a function: use its value, {callee.id}(…)"
            context.error("HR503", message, callee.span, help, subject=callee.id)
        else:
            context.misnamed("HR503", message, callee.span, callee.id, actions)
        return None
    context.record(callee, action)
    action.uses += action is not context.routine  # One that only performs itself is never used.
    arguments = arguments_for(context, action, node.arguments, (), node.span)
    check_routine(context.analysis, action)
    if node.result is not None:
        await_result(context.analysis, action)
    note_call(context, action, callee.span)
    return Perform(node.span, action, None, None, arguments, context.me, None) if arguments is not None else None


def perform_effect(context: Context, node: nodes.Perform, callee: nodes.Attribute) -> Perform | None:
    """The effect of a piece or member; None after a mistake."""
    of = expr(context, callee.of)
    if isinstance(of.type, Unknown):
        return None
    of = require_present(context, of, callee.of)
    slot = effect_slot(context, of, callee)
    if slot is None:
        return None
    context.record(callee, slot)
    arguments = arguments_for(context, Routine(slot.name, slot.parameters, slot.span), node.arguments, (), node.span)
    for body in slot.bodies.values():
        body.uses += 1
        note_call(context, body, callee.span)
    return Perform(node.span, None, slot, of, arguments, context.me, None) if arguments is not None else None


def effect_slot(context: Context, of: Expression, callee: nodes.Attribute) -> EffectSlot | None:
    """The effect of that name that a piece or member may have."""
    type = of.type
    if isinstance(type, Unknown):
        return None
    if not isinstance(type, Member | Piece) or not type.kind:
        context.error("HR503", f"'{format(callee.of)}' is {words_for(of)}, which has no effects", callee.span)
        return None
    slots = context.symbols.kinds[type.kind].effects
    if callee.name not in slots:
        message = f"a {type.kind} has no effect '{callee.name}'"
        context.misnamed("HR503", message, callee.name_span, callee.name, slots)
    return slots.get(callee.name)


def with_result(
    context: Context, node: nodes.Perform, target: nodes.Name, found: Perform, type: Type
) -> list[Statement]:
    """`ok = perform …`: into a variable, a local, or a new local."""
    word = target.id
    if word in context.symbols.variables:
        place = settable(context, target)
        if place is None:
            return []
        value = Local(node.span, type, fresh_name(context, "result"))
        return [replace(found, result=value.name), set_variable(context, node.span, place, value, target)]
    local = context.scope.find(word)
    if local is None:
        local = bind_new(context, word, type, target.span, "assign")
        context.locals.made.append(local)
    elif not fits(type, local.type):
        message = f"'{word}' is {local.type}, but '{format(node.callee)}' finishes with {type}"
        context.error("HR510", message, node.span)
    context.record(target, local)
    now_has(context, local, type)
    return [replace(found, result=local.unique)]


def bind_anyway(context: Context, node: nodes.Perform) -> None:
    """After a mistake, declare the result's name with an unknown type."""
    result = node.result
    if result is not None and result.id not in context.symbols.variables and context.scope.find(result.id) is None:
        bind(context, result.id, UNKNOWN, result.span, "verb")
