"""Checks the body of each function, action, effect and trigger once, when it is first called or needed."""

from __future__ import annotations

from houserule.diagnostics import ABOVE
from houserule.language import nodes
from houserule.language.blocks import begin, block, report_unread
from houserule.language.checked import Body, Constant, Local, Return, Routine
from houserule.language.dispatch import condition, expr
from houserule.language.fitting import snapshot
from houserule.language.reached import diverges, with_result
from houserule.language.scope import ROUTINE, Analysis, Context, bind_new, widest
from houserule.language.trees import statements
from houserule.language.types import PLAYER, UNKNOWN, NoValue, join, maybe, none_of


def check_routine(analysis: Analysis, routine: Routine) -> None:
    """Check the body of a routine, once.

    A recursive one is checked twice: first to infer the type of its result, then with that type.
    """
    if routine.state != "unchecked" or routine.source is None or not analysis.is_declared:
        return
    analysis.checking.append(routine)
    sites, imagined = analysis.sites, analysis.symbols.imagined
    asked, supposed = len(sites), len(imagined)
    check_body(analysis, routine)
    if routine in analysis.awaited:
        analysis.awaited.discard(routine)
        del sites[asked:], imagined[supposed:]
        routine.result = widest(routine.result)
        check_body(analysis, routine)
    analysis.checking.pop()
    if routine in analysis.doubtful:
        analysis.doubtful.discard(routine)
        routine.state, routine.result = "unchecked", None
        del sites[asked:], imagined[supposed:]


def await_result(analysis: Analysis, routine: Routine) -> None:
    """Ask for the result of a routine: if it is being checked, all routines in between have to be checked again."""
    checking = analysis.checking
    if routine in checking and routine.result is None:
        analysis.awaited.add(routine)
        analysis.doubtful.update(checking[checking.index(routine) + 1 :])


def check_body(analysis: Analysis, routine: Routine) -> None:
    """Check the body of a routine in its own context."""
    source = routine.source
    assert source is not None
    analysis.budget.spend(ROUTINE, routine.span)
    routine.state = "checking"
    context = routine_context(analysis, routine)
    for parameter in routine.parameters:
        if parameter.name is not None and not routine.is_of_me:
            bind_new(context, parameter.name, parameter.type, parameter.span, "parameter")
    begin(context, source)
    if isinstance(source, nodes.Block):
        routine.body = ended(context, routine, block(context, source))
    else:
        value = condition(context, source)[0] if routine.is_of_me else snapshot(expr(context, source))
        routine.result = value.type if routine.result is None else join(routine.result, value.type) or value.type
        routine.body = (Return(source.span, value),)
    if isinstance(source, nodes.Block) and source.is_partial:
        routine.result = UNKNOWN
    if routine.result is None:
        routine.result = NoValue()
    routine.state = "checked"
    report_unread(context)


def routine_context(analysis: Analysis, routine: Routine) -> Context:
    """The context of a routine's body: `me` is the caller's; a trigger has none."""
    context = analysis.context(
        "me",
        "this",
        routine=routine,
        source=routine.source,
        in_function=routine.is_function,
        this=Local(routine.span, routine.this, "this") if routine.this is not None else None,
    )
    if routine.is_trigger:
        context.nobody = "`as p: …` makes p me inside, with p from the event: `c leaves hand of p`"
    else:
        context.me, context.me_inherited = Local(routine.span, PLAYER, "me"), not routine.is_of_me
    return context


def ended(context: Context, routine: Routine, body: Body) -> Body:
    """The body of a routine, in which every path returns a result if one does."""
    ends = not diverges(body)
    if routine.is_function and ends:
        message = f"function '{routine.name}' can end without a result"
        context.error("HR541", message, routine.span, "finish with … on every path through it", follows_from=(ABOVE,))
    elif routine.result is not None and (
        ends or any(isinstance(s, Return) and s.value is None for s in statements(body))
    ):
        routine.result = maybe(routine.result)
        nothing = Constant(routine.span, routine.result, none_of(routine.result))
        return (*with_result(body, nothing), Return(routine.span, nothing))
    return body
