"""Lowers triggers before and after actions: the action performs them around its body."""

from __future__ import annotations

from houserule.language.checked import Act, Apply, Body, Branch, Local, Perform, Return, Routine, known_number
from houserule.language.primitives import BEGIN, END, IDLE
from houserule.language.symbols import SymbolTable
from houserule.language.types import BOOL, NO_VALUE, UNKNOWN

RESULT = "0result"
"""The local with the result of an action while triggers run after it."""


def lower_triggers(symbols: SymbolTable) -> dict[Routine, Routine]:
    """Put triggers around the actions that they wait for; returns, by new routine with an author's body, its action."""
    inner: dict[Routine, Routine] = {}
    for action in symbols.actions.values():
        before = symbols.waiting.get(("before", action.name), [])
        after = symbols.waiting.get(("after", action.name), [])
        around = sorted([*before, *after], key=lambda trigger: trigger.number)
        if not around or action.body is None:
            continue
        span = action.span
        authored = inner_routine(action)
        inner[authored] = action
        result = RESULT if action.result not in (None, NO_VALUE) else None
        me = Local(span, UNKNOWN, "me")
        values = tuple(Local(span, p.type, p.name or "") for p in action.parameters)
        body: Body = (Perform(span, authored, None, None, values, me, result),)
        for trigger in around:
            given = (Local(span, UNKNOWN, RESULT),) if trigger.event.result is not None else ()
            known = known_number(span, trigger.number)
            performed = Perform(span, trigger.routine, None, None, given, None, None)
            guarded = Branch(
                span, Apply(span, BOOL, IDLE, (known,)), (Act(span, BEGIN, (known,)), performed, Act(span, END)), ()
            )
            body = (guarded, *body) if trigger.event.happening == "before" else (*body, guarded)
            action.asks |= trigger.routine.asks
        action.body = (*body, Return(span, Local(span, UNKNOWN, RESULT))) if result else body
    return inner


def inner_routine(action: Routine) -> Routine:
    """The same body under a name that no author can give."""
    return Routine(
        f"{action.name} inside",
        action.parameters,
        action.span,
        False,
        action.source,
        action.body,
        action.result,
        action.needs_me,
        action.asks,
        uses=1,
        recursive=action.recursive,
        state="checked",
    )
