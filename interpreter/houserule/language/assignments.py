"""Assignments: targets, values, and what is known of the target afterwards."""

from __future__ import annotations

from houserule.diagnostics import Related, Report, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import forbid_change
from houserule.language.dispatch import expr
from houserule.language.fitting import coerce, declared_at, in_range, is_inside, snapshot
from houserule.language.format import format
from houserule.language.lists import element_type, list_expr
from houserule.language.scope import Context, Name, bind, declared_place, key_of
from houserule.language.trees import walk
from houserule.language.words import NEVER_BOUND


def assign(context: Context, node: nodes.Assign) -> list[c.Statement]:
    """`x = e`, `x += e`."""
    value_node: nodes.Expression = node.value
    if node.operator != "=":
        value_node = nodes.Binary(node.span, node.target, node.operator[:-1], node.value)
    target = node.target
    if isinstance(target, nodes.Name) and target.id not in context.symbols.variables:
        return assign_local(context, node, target, value_node)
    if isinstance(target, nodes.Name) and is_brought_later(context, target):
        context.error(
            "HR526",
            f"'{target.id}' is a local name here, and a house rule makes a variable of that name",
            target.span,
            "give one of the two another name",
            [Related("the variable is declared here", context.symbols.variables[target.id].span)],
        )
        return []
    place = settable(context, target)
    if place is None:
        expr(context, node.value)
        return []
    value = value_for(context, value_node, place.type)
    return [set_variable(context, node.span, place, value, value_node)]


def is_brought_later(context: Context, target: nodes.Name) -> bool:
    """Whether a variant that this effect does not know of declares such a variable: the name must not silently become local."""
    added = context.analysis.added
    files = [file for file, _ in added]
    if target.span.file not in files:
        return False  # A scenario names its variants, and knows their variables.
    return any(target.id in names for _, names in added[files.index(target.span.file) + 1 :])


def value_for(context: Context, node: nodes.Expression, wanted: ty.Type) -> c.Expression:
    check = list_expr if isinstance(wanted, ty.List) else expr
    return snapshot(check(context, node, wanted))


def settable(context: Context, node: nodes.Expression) -> c.ReadVariable | None:
    """A variable that can be set; None after a diagnostic."""
    if isinstance(node, nodes.Name) and node.id in NEVER_BOUND:
        context.error("HR542", f"'{node.id}' cannot be set", node.span)
        return None
    key = key_of(context, node)
    inside = context.inner()
    inside.scope.narrowed = {k: t for k, t in inside.scope.narrowed.items() if k != key}
    value = expr(inside, node)
    match value:
        case c.ReadVariable():
            value.variable.writes += 1
            value.variable.uses -= 1
            return value
        case _ if isinstance(value.type, ty.Unknown):
            return None
        case c.Pile() | c.Single() | c.AllPieces():
            text = format(node)
            message = f"'{text}' is a zone: pieces are moved, not set"
            context.error("HR542", message, node.span, f"move … to {text}", declared_at(value))
        case _:
            message = f"'{format(node)}' is not a variable, so it cannot be set"
            context.error("HR542", message, node.span, "declare what changes under `variables:`")
    return None


def set_variable(
    context: Context, span: Span, place: c.ReadVariable, value: c.Expression, node: nodes.Expression
) -> c.Statement:
    """Set a variable, within its range."""
    forbid_change(context, "set a variable", span)
    what = f"variable '{place.variable.name}'"
    value = coerce(context, value, place.type, node, what)
    checked = in_range(context, value, place.type, node, what)
    bounds = ty.plain(place.type)
    needs_check = checked is not value or (isinstance(bounds, ty.Int) and not is_inside(value, bounds))
    context.scope.forget_state()
    return c.SetVariable(span, place, value, needs_check)


def assign_local(
    context: Context, node: nodes.Assign, target: nodes.Name, value_node: nodes.Expression
) -> list[c.Statement]:
    word = target.id
    if word in NEVER_BOUND:
        context.error("HR542", f"'{word}' cannot be set", target.span)
        return []
    local = context.scope.find(word)
    if local is None:
        return make_local(context, node, target)
    context.record(target, local)
    was_read = local.reads > 0
    value = value_for(context, value_node, local.type)
    if node.operator != "=":
        local.reads -= 1
    type = local.type
    is_empty_list = isinstance(type, ty.List) and isinstance(type.of, ty.Unknown)
    if not ty.fits(value.type, type):
        joined = ty.join(type, value.type) if is_empty_list or isinstance(value.type, ty.Unknown) else None
        if joined is None:
            value = coerce(context, value, type, value_node, f"'{word}'")
        else:
            local.type = joined
    elif is_empty_list and isinstance(value.type, ty.List):
        local.type = value.type
    if is_empty_list and was_read and element_type_is_known(local.type):
        context.analysis.begun.setdefault(local.span, local.type)
    if not isinstance(value.type, ty.Unknown):
        value = coerce(context, value, local.type, value_node, f"'{word}'")
    now_has(context, local, value.type)
    return [c.SetLocal(node.span, local.unique, value, not is_inside(value, ty.NUMBER))]


def make_local(context: Context, node: nodes.Assign, target: nodes.Name) -> list[c.Statement]:
    """Declare a local name by giving it a value."""
    word = target.id
    if node.operator != "=":
        expr(context, node.value)
        pool = [*context.symbols.variables, *context.scope.names]
        message = f"there is nothing called '{word}' here to add to"
        context.misnamed("HR501", message, target.span, word, pool)
        return []
    other = declared_place(context, word)
    if other is not None:
        expr(context, node.value)
        related = [Related("declared here", other[1])]
        context.error("HR542", f"'{word}' is {other[0]}, so it cannot be set", target.span, None, related)
        return []
    value = value_for(context, node.value, ty.UNKNOWN)
    type = later_type(context, word) if isinstance(value.type, ty.NoValue) else value.type
    if isinstance(type, ty.List) and not element_type_is_known(type):
        type = context.analysis.begun.get(target.span, type)
    is_shown = isinstance(node.value, nodes.Call) and key_of(context, node.value) in context.scope.narrowed
    made = bind(context, word, ty.maybe(type) if is_shown else type, target.span, "assign")
    if is_shown:  # testing the name again is no mistake
        context.scope.narrow({f"={made.unique}": type})
    context.locals.made.append(made)
    context.record(target, made)
    fitted = coerce(context, value, made.type, node.value, f"'{word}'")
    return [c.SetLocal(node.span, made.unique, fitted, not is_inside(value, ty.NUMBER))]


def element_type_is_known(type: ty.Type) -> bool:
    """Whether the type of a list's members is known; not for an empty list before something is added to it."""
    return isinstance(type, ty.List) and not isinstance(type.of, ty.Unknown)


def now_has(context: Context, local: Name, type: ty.Type) -> None:
    """A local name gets a value of that type: one that cannot be none needs no test."""
    context.scope.forget_local(local)
    if isinstance(local.type, ty.Maybe) and not isinstance(type, ty.Maybe | ty.Unknown | ty.NoValue):
        context.scope.narrow({f"={local.unique}": local.type.of})


def later_type(context: Context, word: str) -> ty.Type:
    """The type of a local that starts as none: that of the value it gets later in the text."""
    for node in walk(context.source):
        match node:
            case nodes.Assign(target=nodes.Name(id=target), value=value) if target == word and not isinstance(
                value, nodes.Absent
            ):
                return ty.maybe(guessed_type(context, value))
    return ty.Maybe(ty.UNKNOWN)


def guessed_type(context: Context, node: nodes.Expression) -> ty.Type:
    """The type that an expression further down will have, as far as that can be inferred here; reports nothing."""
    silent = context.inner(report=Report())
    found = expr(silent, node).type
    if isinstance(found, ty.Unknown) and isinstance(node, nodes.Name):
        for other in walk(context.source):
            match other:
                case nodes.For(binder=name, source=source) | nodes.Choose(name=name, source=source) if name == node.id:
                    return element_type(list_expr(context.inner(report=Report()), source))
    return found
