"""Checks calls, `perform`, and the bodies of what they call, each once, when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from houserule.diagnostics import ABOVE, CALLED, NOWHERE, Related, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import begin, block, forbid_change, report_unread
from houserule.language.dispatch import condition, expr
from houserule.language.fitting import coerce, in_range, number_expr, require_present, snapshot, words_for
from houserule.language.footprints import callees_first
from houserule.language.format import format
from houserule.language.lists import (
    element_type,
    family_name,
    list_expr,
    never_empty,
    no_such_feature,
    pile_expr,
    result_may_repeat,
    selection,
)
from houserule.language.scope import ROUTINE, Analysis, Context, bind, bind_new, fresh_name, widest
from houserule.language.symbols import SymbolTable
from houserule.language.trees import diverges, statements, walk, with_results
from houserule.language.verbs import bind_unknown, now_has, set_variable, settable
from houserule.language.words import FOREIGN_FUNCTIONS

DEEP = 50
"""How long a chain of calls may be before the rest of it is checked from its end, without going down it."""


def named_in(symbols: SymbolTable, routine: c.Routine) -> list[c.Routine]:
    """The functions and actions that the text of a routine names, or what it is composed of."""
    if routine.composed is not None:
        return list(routine.composed.parts)
    named = [node for node in walk(routine.source) if isinstance(node, nodes.Name | nodes.Attribute)]
    names = dict.fromkeys(node.id if isinstance(node, nodes.Name) else node.name for node in named)
    tables = symbols.functions, symbols.actions, *(kind.functions for kind in symbols.kinds.values())
    return [table[name] for name in names for table in tables if name in table]


def check_routine(analysis: Analysis, routine: c.Routine) -> None:
    """Check the body of a routine, once.

    A recursive one is checked twice: first to infer the type of its result, then with that type.
    """
    if routine.state != "unchecked" or not analysis.is_declared or (routine.source or routine.composed) is None:
        return
    if len(analysis.checking) >= DEEP and not analysis.is_deep:
        analysis.is_deep = True
        for one in callees_first([routine], partial(named_in, analysis.symbols)):
            check_routine(analysis, one)
        analysis.is_deep = False
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
    if isinstance(routine.result, ty.List):
        routine.may_repeat = result_may_repeat(routine)
    analysis.checking.pop()
    if routine in analysis.doubtful:
        analysis.doubtful.discard(routine)
        routine.state, routine.result = "unchecked", None
        del sites[asked:], imagined[supposed:]


def await_result(analysis: Analysis, routine: c.Routine) -> None:
    """Ask for the result of a routine: if it is being checked, all routines in between have to be checked again."""
    checking = analysis.checking
    if routine in checking and routine.result is None:
        analysis.awaited.add(routine)
        analysis.doubtful.update(checking[checking.index(routine) + 1 :])


def result_of_routine(analysis: Analysis, routine: c.Routine) -> ty.Type:
    """The type of what a routine gives, which is checked first; unknown while that is going on."""
    check_routine(analysis, routine)
    await_result(analysis, routine)
    return routine.result or ty.UNKNOWN


def check_body(analysis: Analysis, routine: c.Routine) -> None:
    analysis.budget.spend(ROUTINE, routine.span)
    if routine.composed is not None:
        routine.composed.compose(analysis, routine)
        return
    source = routine.source
    assert source is not None
    routine.state = "checking"
    context = routine_context(analysis, routine)
    for parameter in routine.parameters:
        if routine.is_function and routine.this is not None:
            if parameter.name != "this":
                bind(context, parameter.name or "", parameter.type, parameter.span, "binder")
        elif parameter.name is not None and not routine.is_of_me:
            bind_new(context, parameter.name, parameter.type, parameter.span, "parameter")
    begin(context, source)
    if isinstance(source, nodes.Block):
        body = ended(context, routine, block(context, source))
        routine.body = spelling_none(body, routine.result) if routine.result is not None else body
    else:
        is_condition = routine.is_of_me and routine is not context.symbols.teams
        value = condition(context, source)[0] if is_condition else snapshot(expr(context, source))
        routine.result = value.type if routine.result is None else ty.join(routine.result, value.type) or value.type
        routine.body = (c.Return(source.span, value),)
    if isinstance(source, nodes.Block) and source.is_partial:
        routine.result = ty.UNKNOWN
    if routine.result is None:
        routine.result = ty.NoValue()
    routine.state = "checked"
    report_unread(context)


def routine_context(analysis: Analysis, routine: c.Routine) -> Context:
    """The context of a routine's body: `me` is the caller's; a trigger has none."""
    context = analysis.context(
        "me",
        "this",
        routine=routine,
        source=routine.source,
        in_function=routine.is_function,
        this=c.Local(routine.span, routine.this, "this") if routine.this is not None else None,
    )
    if routine.is_trigger:
        context.nobody = "`as p: …` makes p me inside, with p from the event: `c leaves hand of p`"
    else:
        context.me, context.me_inherited = c.Local(routine.span, ty.PLAYER, "me"), not routine.is_of_me
    return context


def ended(context: Context, routine: c.Routine, body: c.Body) -> c.Body:
    """The body of a routine, in which every path returns a result if one does."""
    ends = not diverges(body)
    if routine.is_function and ends:
        message = f"function '{routine.name}' can end without a result"
        context.error("HR541", message, routine.span, "finish with … on every path through it", follows_from=(ABOVE,))
    elif routine.result is not None and (
        ends or any(isinstance(s, c.Return) and s.value is None for s in statements(body))
    ):
        nothing = given_otherwise(routine, routine.result)
        joined = ty.join(routine.result, nothing.type)
        if joined is None:
            message = f"'{routine.name}' finishes with {routine.result}, but without a value it gives {nothing.type}"
            context.error("HR510", message, routine.span, None, [Related("which is said here", nothing.span)])
        routine.result = joined or ty.UNKNOWN
        return finishing_with(body, nothing)
    return body


def finishing_with(body: c.Body, nothing: c.Constant) -> c.Body:
    """The body of a routine that gives a value on every path: where it gives none, `nothing`."""
    return (*with_results(body, nothing, None), c.Return(nothing.span, nothing))


def says_none(body: c.Body | None) -> bool:
    """Whether some path finishes with the word `none`."""
    found = (s.value for s in statements(body or ()) if isinstance(s, c.Return))
    return any(isinstance(value, c.Constant) and isinstance(value.type, ty.NoValue) for value in found)


def spelling_none(body: c.Body, type: ty.Type) -> c.Body:
    """A body that finishes with `none` as a value of this type."""
    return with_results(body, None, c.Constant(NOWHERE, ty.maybe(type), ty.none_of(type))) if says_none(body) else body


def given_otherwise(routine: c.Routine | c.EffectSlot, result: ty.Type) -> c.Constant:
    """What a routine gives where it finishes without a value: none; an effect what its kind says, or else false or an empty list."""
    if routine.otherwise is not None:
        return routine.otherwise
    if isinstance(routine, c.EffectSlot) or routine.this is not None:
        if isinstance(result, ty.Bool):
            return c.Constant(routine.span, result, 0)
        if isinstance(result, ty.List):
            return c.Constant(routine.span, result, ())
    return c.Constant(routine.span, ty.maybe(result), ty.none_of(result))


def called(context: Context, node: nodes.Call) -> c.Expression:
    """A function of the game or an operation."""
    function, functions = node.function, context.symbols.functions
    if isinstance(function, nodes.Attribute):
        return call_of_value(context, node, function)
    if not isinstance(function, nodes.Name):
        return context.error("HR503", "only the name of a function can come before '('", function.span)
    name = function.id
    if name in context.analysis.extra:
        return context.analysis.extra[name](context, node)
    if name in functions:
        return call_function(context, functions[name], function, node.arguments, span=node.span)
    if name in context.analysis.operations:
        return call_operation(context, name, node)
    return no_such_function(context, node, function)


def call_of_value(context: Context, node: nodes.Call, function: nodes.Attribute) -> c.Expression:
    """`x.f(…)`: a function with the value before the dot as its first argument."""
    found = context.symbols.functions.get(function.name)
    if found is None:
        value = expr(context, function.of)
        return value if isinstance(value.type, ty.Unknown) else no_such_feature(context, function, ty.plain(value.type))
    wanted = found.parameters[0].type if found.parameters else ty.UNKNOWN
    first = coerce(context, expr(context, function.of), wanted, function.of, f"the first argument of '{found.name}'")
    return call_function(context, found, function, node.arguments, (first,), node.span)


def no_such_function(context: Context, node: nodes.Call, function: nodes.Name) -> c.Expression:
    """Report that there is no such function, and what the name means instead."""
    name, symbols = function.id, context.symbols
    if name in symbols.actions:
        message = f"'{name}' is an action, not a function"
        return context.error("HR503", message, function.span, f"perform {format(node)}", subject=name)
    family = symbols.zones.get(name) or symbols.variables.get(name)
    if family is not None or name in symbols.tables:
        what = "table" if family is None else "zone" if isinstance(family, c.Zone) else "variable"
        indices = ", ".join(format(argument) for argument in node.arguments)
        entry = name if family is not None and not family.parameters else f"{name}[{indices}]"
        return context.error("HR503", f"'{name}' is a {what}, not a function", function.span, entry, subject=name)
    pool = [*symbols.functions, *context.analysis.operations, *context.analysis.extra]
    otherwise = FOREIGN_FUNCTIONS.get(name)
    if otherwise is not None and node.arguments:
        otherwise = otherwise.replace("S", format(node.arguments[0]))
    if name == "points":
        otherwise = "only `winner` and scenarios know the points"
    return context.misnamed("HR503", f"there is no function '{name}'", function.span, name, pool, otherwise)


def call_function(
    context: Context,
    function: c.Routine,
    node: nodes.Expression,
    arguments: tuple[nodes.Expression, ...] = (),
    leading: tuple[c.Expression, ...] = (),
    span: Span | None = None,
) -> c.Expression:
    """A call of a function of the game, which `node` names; `span` is the place of the whole call."""
    span = span if span is not None else node.span
    function.uses += function is not context.routine
    context.record(node, function)
    given = arguments_for(context, function, arguments, leading, span)
    result = result_of_routine(context.analysis, function)
    note_call(context, function, span)
    return c.Constant(span, result, 0) if given is None else c.Call(span, result, function, given, context.me)


def note_call(context: Context, callee: c.Routine, span: Span) -> None:
    """Note caller and callee, and whether there is a `me`: who needs one is known when all bodies have been checked."""
    caller = context.routine if context.me_inherited else None
    context.analysis.inherited_calls.append((caller, callee, span, context.me is not None))


def eliminated(context: Context, player: c.Expression) -> c.Expression | None:
    """Whether a player has been eliminated; None in a game that eliminates nobody."""
    function = context.symbols.functions.get("eliminated")
    if function is None or not function.is_of_me or function is context.routine:
        return None
    result_of_routine(context.analysis, function)
    return c.Call(player.span, ty.BOOL, function, (player,), context.me)


def still_in(context: Context, players: c.Expression) -> c.Expression:
    """The players in a list who have not been eliminated."""
    unique = fresh_name(context, "player")
    out = eliminated(context, c.Local(players.span, ty.PLAYER, unique))
    if out is None:
        return players
    test = c.Apply(players.span, ty.BOOL, ty.NOT, (out,))
    return c.Select(players.span, players.type, None, unique, players, test, ())


def arguments_for(
    context: Context,
    callee: c.Routine,
    arguments: tuple[nodes.Expression, ...],
    leading: tuple[c.Expression, ...],
    span: Span,
) -> tuple[c.Expression, ...] | None:
    """The arguments of a call, checked against the signature; None if there are too many or too few."""
    parameters = callee.parameters
    count = len(arguments) + len(leading)
    if count != len(parameters):
        shape = ", ".join(f"{ty.spelled(p.type)} {p.name}" if p.name else ty.spelled(p.type) for p in parameters)
        wanted = f"{len(parameters) or 'no'} {'argument' if len(parameters) == 1 else 'arguments'}"
        context.error(
            "HR511",
            f"'{callee.name}' expects {wanted}, got {count}",
            span,
            f"{callee.name}({shape})" if parameters else f"'{callee.name}' alone, without brackets",
            [Related("declared here", callee.span)],
            follows_from=(CALLED,),
        )
        return None
    found = list(leading)
    for argument, parameter in zip(arguments, parameters[len(leading) :], strict=True):
        what = f"'{parameter.name}' of '{callee.name}'"
        check = list_expr if isinstance(parameter.type, ty.List) else expr
        value = coerce(context, check(context, argument, parameter.type), parameter.type, argument, what)
        found.append(in_range(context, value, parameter.type, argument, what))
    return tuple(found)


def call_operation(context: Context, name: str, node: nodes.Call) -> c.Expression:
    rows = context.analysis.operations[name]
    count = len(node.arguments)
    row = next((row for row in rows if takes(row, name, count)), None)
    if row is None:
        shape = ", ".join(p.rstrip("?*") for p in rows[0].parameters)
        message = f"'{name}' expects {name}({shape}), got {count} {'argument' if count == 1 else 'arguments'}"
        return context.error("HR511", message, node.span, f"for example: {rows[0].example.splitlines()[0]}")
    values = operation_arguments(context, row, name, node.arguments)
    if any(isinstance(v.type, ty.Unknown) for v in values):
        return c.Constant(node.span, ty.UNKNOWN, 0)
    if values:
        warn_of_conditions(context, name, node, values[0].type)
    type = result_of(context, row, values)
    values += [c.known_number(node.span, 1) for p in row.parameters[len(values) :] if p.endswith("?")]
    known = {"none": ty.none_of(type)}
    if "low" in row.constants:
        domain = context.symbols.domain(values[0].type)
        assert domain is not None
        known |= {"low": domain.start, "size": len(domain)}
    values += [c.known_number(node.span, known[name]) for name in row.constants if name in known]
    if "grid" in row.constants:
        values.append(geometry(context, node, values))
    return reduced(context, row, c.Apply(node.span, type, row.operator, tuple(values)))


def result_of(context: Context, row: Any, values: list[c.Expression]) -> ty.Type:
    """The type of a call: never none of a list that is never empty, and of things that are there once each no more than there are."""
    type: ty.Type = row.result([v.type for v in values])
    if row.once_each and isinstance(type, ty.List):
        return ty.List(type.of, fewest(type.most, how_many(context, type.of)))
    if row.may_be_none and isinstance(type, ty.Maybe) and len(values) == 1 and never_empty(values[0]):
        return type.of
    return type


def how_many(context: Context, type: ty.Type) -> int | None:
    """How many values a type has, none included; None if that is not known."""
    domain = context.symbols.domain(ty.plain(type))
    return len(domain) + isinstance(type, ty.Maybe) if domain is not None else None


def fewest(*bounds: int | None) -> int | None:
    return min((one for one in bounds if one is not None), default=None)


def warn_of_conditions(context: Context, name: str, node: nodes.Call, type: ty.Type) -> None:
    """Warn of a list of conditions whose members are counted, whether they hold or not."""
    listed = node.arguments[0]
    is_of_conditions = isinstance(type, ty.List) and isinstance(type.of, ty.Bool)
    if name not in ("any", "count", "empty") or not is_of_conditions or not isinstance(listed, nodes.Selection):
        return
    if listed.value is not None and listed.where is None:
        counted = nodes.Number(listed.value.span, 1) if listed.around else None
        meant = replace(listed, value=counted, where=listed.value)
        message = f"'{name}' looks at how many there are, and not at whether this holds"
        context.report.warning("HR596", message, listed.value.span, f"{name}({format(meant)})")


def geometry(context: Context, node: nodes.Call, places: list[c.Expression]) -> c.Constant:
    """The geometry of the grid whose places are the arguments of an operation."""
    kinds = [ty.plain(ty.element(value.type)) for value in places]
    last = kinds[-1]
    assert isinstance(last, ty.Piece)
    if any(kind != last for kind in kinds):
        context.error("HR510", f"these are places of different boards: {kinds[0]} and {last}", node.span)
    of = context.symbols.kinds[last.kind or ""]
    return c.Constant(node.span, ty.List(ty.NUMBER), of.geometry())


def reduced(context: Context, row: Any, made: c.Apply) -> c.Apply:
    """The reduction of a list; if it is several lists in a row, each is reduced, and then the results are."""
    listed = made.arguments[0]
    if not made.operator.gathers or not isinstance(listed, c.Apply) or listed.operator is not ty.CHAINED:
        return made
    each = listed.arguments[0]
    assert isinstance(each, c.Select) and each.value is not None
    span, gathers = made.span, made.operator.gathers
    one = context.analysis.operations["any"][0] if gathers == "nor" else row
    part = reduced(context, one, c.Apply(span, one.result([each.value.type]), one.operator, (each.value,)))
    if gathers in ("or", "nor"):
        where = part if each.where is None else c.Apply(span, ty.BOOL, ty.AND, (each.where, part))
        return c.Apply(span, ty.BOOL, made.operator, (replace(each, value=None, type=each.source.type, where=where),))
    whole = context.analysis.operations["sum"][0].operator if gathers == "count" else made.operator
    return c.Apply(span, made.type, whole, (replace(each, value=part, type=ty.List(part.type)),))


def operation_arguments(
    context: Context, row: Any, name: str, arguments: tuple[nodes.Expression, ...]
) -> list[c.Expression]:
    """The arguments of an operation, each checked by its pattern; the last pattern may stand for several."""
    patterns = [pattern.rstrip("?*") for pattern in row.parameters]
    patterns += patterns[-1:] * (len(arguments) - len(patterns))
    values: list[c.Expression] = []
    for pattern, argument in zip(patterns, arguments, strict=False):
        if pattern == "member":
            values.append(member_argument(context, argument, values[-1]))
        else:
            values.append(ARGUMENTS[pattern](context, argument, name))
    return values


def takes(row: Any, name: str, count: int) -> bool:
    """Whether an operation takes `count` arguments; for `min` and `max`, a single one is a list."""
    if name in ("min", "max"):
        return (count > 1) == (len(row.parameters) > 1)
    least = sum(1 for p in row.parameters if p[-1] not in "?*")
    most = 99 if any(p.endswith("*") for p in row.parameters) else len(row.parameters)
    return least <= count <= most


# --- the arguments of operations --------------------------------------------------------------------------------------


def member_argument(context: Context, node: nodes.Expression, among: c.Expression) -> c.Expression:
    element = element_type(among)
    value = expr(context, node, element)
    if not ty.comparable(value.type, element) or isinstance(value.type, ty.NoValue):
        message = f"'{format(node)}' is {value.type}, which can never be in {among.type}"
        return context.error("HR510", message, node.span)
    return value


ENDS_OF_ORDER = {"max": "most", "min": "least"}
"""What gives the elements that have the greatest or the least value, by what gives the value itself."""


def numbers_argument(context: Context, node: nodes.Expression, name: str) -> c.Expression:
    value = list_expr(context, node)
    if not isinstance(value.type, ty.List) or ty.fits(value.type.of, ty.NUMBER):
        return value
    text = format(node)
    if isinstance(value.type.of, ty.Maybe):
        return context.error(
            "HR520", f"some of '{text}' may be none", node.span, "leave those out: `… where x.f`", follows_from=(ABOVE,)
        )
    help = None
    if not isinstance(node, nodes.Selection):
        help = f"say what to add up: {name}(x.… for x in {text})"
    elif node.by is not None and name in ENDS_OF_ORDER:
        help = f"those that have it, of which there may be several: {ENDS_OF_ORDER[name]}({text})"
    return context.error("HR510", f"'{name}' expects a list of numbers, got {value.type}", node.span, help)


def conditions_argument(context: Context, node: nodes.Expression, name: str) -> c.Expression:
    if isinstance(node, nodes.Selection):
        return selection(context, node, as_conditions=True)
    value = list_expr(context, node)
    if isinstance(value.type, ty.List) and not ty.fits(value.type.of, ty.BOOL):
        message = f"'{name}' expects conditions, got {value.type}"
        return context.error("HR510", message, node.span, f"{name}(P for x in {format(node)})")
    return value


def keyed_argument(context: Context, node: nodes.Expression, name: str) -> c.Expression:
    if not isinstance(node, nodes.Selection) or node.by is None:
        return context.error("HR510", f"'{name}' needs to know by what", node.span, f"{name}(p in players by …)")
    return selection(context, node, keyed=True)


def one_of(types: Any, wanted: str) -> Callable[[Context, nodes.Expression, str], c.Expression]:
    """The check of an argument that has one of these types."""

    def check(context: Context, node: nodes.Expression, name: str) -> c.Expression:
        value = require_present(context, expr(context, node), node)
        if isinstance(value.type, types | ty.Unknown):
            return value
        return context.error("HR510", f"'{name}' expects {wanted}, got {words_for(value)}", node.span)

    return check


def board_argument(context: Context, node: nodes.Expression, name: str) -> c.Expression:
    value = require_present(context, expr(context, node), node)
    kind = context.symbols.kind_of(value.type)
    if isinstance(value.type, ty.Unknown) or (kind is not None and kind.grid):
        return value
    grids = [kind.name for kind in context.symbols.kinds.values() if kind.grid]
    message = f"'{name}' expects a place of a grid, got {words_for(value)}"
    help = f"a {grids[0]}" if grids else "a grid is a kind of piece with `grid: square` or `grid: hexagonal`"
    return context.error("HR510", message, node.span, help)


ARGUMENTS: dict[str, Callable[[Context, nodes.Expression, str], c.Expression]] = {
    "list": lambda context, node, _: list_expr(context, node),
    "number list": numbers_argument,
    "condition list": conditions_argument,
    "keyed": keyed_argument,
    "number": lambda context, node, _: number_expr(context, node),
    "thing": one_of(ty.Member | ty.Piece | ty.Player, "a member, a player or a piece"),
    "piece": one_of(ty.Piece, "a piece"),
    "board place": board_argument,
    "pile": lambda context, node, name: pile_expr(context, node, f"'{name}'"),
    "family": family_name,
}
"""The checks of arguments, by the pattern in the row of the operation."""


def perform(context: Context, node: nodes.Perform) -> list[c.Statement]:
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
        bind_unknown(context, node.result)
        return []
    context.scope.forget_state()
    if node.result is None:
        return [found]
    if found.effect is not None:
        type = result_of_effect(context, node, found.effect)
    else:
        assert found.action is not None
        type = found.action.result or ty.UNKNOWN
    if isinstance(type, ty.NoValue):
        message = f"'{format(callee)}' has no result"
        what = f"the '{found.effect.name}' of a {found.effect.kind}" if found.effect is not None else "an action"
        context.error("HR510", message, node.span, f"`finish with …` in {what} gives one")
        bind_unknown(context, node.result)
        return []
    return keep_result(context, node, node.result, found, type)


def perform_action(context: Context, node: nodes.Perform, callee: nodes.Name) -> c.Perform | None:
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
    return c.Perform(node.span, action, None, None, arguments, context.me, None) if arguments is not None else None


def perform_effect(context: Context, node: nodes.Perform, callee: nodes.Attribute) -> c.Perform | None:
    """The effect of a piece or member; None after a mistake."""
    of = expr(context, callee.of)
    if isinstance(of.type, ty.Unknown):
        return None
    of = require_present(context, of, callee.of)
    slot = effect_slot(context, of, callee)
    if slot is None:
        return None
    context.record(callee, slot)
    arguments = arguments_for(context, c.Routine(slot.name, slot.parameters, slot.span), node.arguments, (), node.span)
    for body in slot.bodies.values():
        body.uses += 1
        note_call(context, body, callee.span)
    return c.Perform(node.span, None, slot, of, arguments, context.me, None) if arguments is not None else None


def result_of_effect(context: Context, node: nodes.Perform, slot: c.EffectSlot) -> ty.Type:
    """What an effect gives, whichever member it is of; nothing if none of them finishes with a value."""
    for body in dict.fromkeys(slot.bodies.values()):
        result_of_routine(context.analysis, body)
    found, odd = result_of_slot(context.symbols, slot)
    if odd is not None:
        other = f"as in '{odd.name}'" if isinstance(odd, c.Routine) else "where it finishes without a value"
        result = odd.result if isinstance(odd, c.Routine) else odd.type
        message = f"'{format(node.callee)}' is {found}, but {result} {other}"
        context.error("HR510", message, node.span, "all of them give the same", [Related("here", odd.span)])
    return found if odd is None else ty.UNKNOWN


def result_of_slot(symbols: SymbolTable, slot: c.EffectSlot) -> tuple[ty.Type, c.Routine | c.Constant | None]:
    """What an effect gives, whichever member it is of, and the first effect that does not agree, or the default."""
    bodies = dict.fromkeys(slot.bodies.values())
    joined: ty.Type = ty.NO_VALUE
    for body in bodies:
        if body.result is not None and not isinstance(body.result, ty.NoValue):
            both = body.result if isinstance(joined, ty.NoValue) else ty.join(joined, body.result)
            if both is None:
                return joined, body
            joined = both
    if isinstance(joined, ty.NoValue):
        return joined, None
    if any(says_none(body.body) for body in bodies):
        joined = ty.maybe(joined)
    # A member without the effect, or whose effect gives no value.
    if len(slot.bodies) < len(symbols.kinds[slot.kind].ids) or any(isinstance(b.result, ty.NoValue) for b in bodies):
        nothing = given_otherwise(slot, joined)
        both = ty.join(joined, nothing.type)
        return (joined, nothing) if both is None else (both, None)
    return joined, None


def settle_effects(symbols: SymbolTable) -> None:
    """Have all effects of a slot give a value if one does, those of members that have none included."""
    for kind in symbols.kinds.values():
        for slot in kind.effects.values():
            result, odd = result_of_slot(symbols, slot)
            if isinstance(result, ty.NoValue) or odd is not None:
                continue
            slot.result, nothing = result, given_otherwise(slot, result)
            for body in dict.fromkeys(slot.bodies.values()):
                if isinstance(body.result, ty.NoValue):
                    body.body = spelling_none(finishing_with(body.body or (), nothing), result)
                    body.result = result
            idle = c.Routine(
                f"{kind.name} {slot.name}", slot.parameters, slot.span, body=(c.Return(slot.span, nothing),)
            )
            idle.result, idle.this, idle.state, idle.uses = result, kind.type, "checked", 1
            for position in range(len(kind.ids)):
                slot.bodies.setdefault(position, idle)


def effect_slot(context: Context, of: c.Expression, callee: nodes.Attribute) -> c.EffectSlot | None:
    """The effect of that name that a piece or member may have."""
    kind = context.symbols.kind_of(of.type)
    if isinstance(of.type, ty.Unknown):
        return None
    if kind is None:
        context.error("HR503", f"'{format(callee.of)}' is {words_for(of)}, which has no effects", callee.span)
        return None
    if callee.name not in kind.effects:
        message = f"{ty.indefinite(kind.name)} has no effect '{callee.name}'"
        context.misnamed("HR503", message, callee.name_span, callee.name, kind.effects)
    return kind.effects.get(callee.name)


def keep_result(
    context: Context, node: nodes.Perform, target: nodes.Name, found: c.Perform, type: ty.Type
) -> list[c.Statement]:
    """`ok = perform …`: into a variable, a local, or a new local."""
    word = target.id
    if word in context.symbols.variables:
        place = settable(context, target)
        if place is None:
            return []
        value = c.Local(node.span, type, fresh_name(context, "result"))
        return [replace(found, result=value.name), set_variable(context, node.span, place, value, target)]
    local = context.scope.find(word)
    if local is None:
        local = bind_new(context, word, type, target.span, "assign")
    elif not ty.fits(type, local.type):
        message = f"'{word}' is {local.type}, but '{format(node.callee)}' finishes with {type}"
        context.error("HR510", message, node.span)
    context.record(target, local)
    now_has(context, local, type)
    return [replace(found, result=local.unique)]
