"""Fits values to their place: not none, of the wanted type, and in range."""

from __future__ import annotations

from dataclasses import replace

from houserule.diagnostics import ABOVE, Related
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.dispatch import expr
from houserule.language.format import format
from houserule.language.scope import Context, key_of


def require_present(context: Context, value: c.Expression, node: nodes.Node) -> c.Expression:
    """The value where none is not allowed; an untested optional is an error."""
    if isinstance(value.type, ty.Maybe):
        text = format(node)
        help = f"test it first: `if {text}: …`"
        has_key = not isinstance(node, nodes.Expression) or key_of(context, node) is not None
        if not isinstance(context.source, nodes.Block):
            help = f"test it here: {text} and …, or … if {text} else …"
            if not has_key:
                help = f"let a function test it, a block with x = {text} and then `if x: …`"
        elif not has_key or isinstance(node, nodes.Call):
            help = f"give it a name and test that: x = {text}, then `if x: …`"
        elif isinstance(value, c.ReadVariable | c.Single):
            help = f"test it directly before, with nothing changed in between: `if {text}: …`"
        context.report.error(
            "HR520", f"'{text}' may be none here: it is {value.type}", node.span, help, follows_from=(ABOVE,)
        )
        if isinstance(value, c.Local):  # one test is enough for all that follows, so one message is, too
            context.scope.narrow({f"={value.name}": value.type.of})
        return replace(value, type=value.type.of)
    if isinstance(value.type, ty.NoValue):
        return context.error("HR520", "'none' is not allowed here", node.span, follows_from=(ABOVE,))
    return value


def coerce(
    context: Context, value: c.Expression, wanted: ty.Type, node: nodes.Node, what: str, code: str = "HR510"
) -> c.Expression:
    """The value as that type; reports what was wanted and what was found."""
    if isinstance(value.type, ty.NoValue) and isinstance(wanted, ty.Maybe):
        return c.Constant(value.span, wanted, ty.none_of(wanted))
    if isinstance(value.type, ty.Maybe) and not isinstance(wanted, ty.Maybe) and ty.fits(value.type.of, wanted):
        return require_present(context, value, node)
    if isinstance(value.type, ty.NoValue) and not isinstance(wanted, ty.Unknown):
        return context.error(
            code,
            f"{what} is {wanted}, so it cannot be none",
            node.span,
            f"declare a type that allows none: {ty.spelled(wanted)} or none",
        )
    if not ty.fits(value.type, wanted):
        related = declared_at(value)
        return context.error(
            code,
            f"{what} is {wanted}, but '{format(node)}' is {words_for(value)}",
            node.span,
            advice_for(value, wanted, node),
            related,
        )
    if isinstance(value, c.Items) and isinstance(wanted, ty.List):
        return replace(value, type=wanted)
    return value


def words_for(value: c.Expression) -> str:
    """A description of a value in an author's words."""
    match value:
        case c.Pile():
            return "a zone"
        case c.AllPieces():
            return "a family of zones"
        case _:
            return str(value.type)


def advice_for(value: c.Expression, wanted: ty.Type, node: nodes.Node) -> str | None:
    """What to type instead, if that is likely."""
    text = format(node)
    if isinstance(node, nodes.ListOf) and len(node.items) == 1 and not isinstance(wanted, ty.List):
        return f"without the brackets: {format(node.items[0])}"
    if isinstance(wanted, ty.Int) and isinstance(value.type, ty.List):
        return f"how many there are: count({text})"
    if isinstance(wanted, ty.Bool) and isinstance(value.type, ty.List):
        return f"whether there is one: any({text})"
    if isinstance(wanted, ty.Bool) and isinstance(value, c.Constant):
        return "true or false"
    if isinstance(wanted, ty.Bool) and isinstance(value.type, ty.Int):
        return f"a condition, such as {text} > 0"
    return None


def declared_at(value: c.Expression) -> list[Related]:
    """The declaration of what a value denotes."""
    match value:
        case c.Pile() | c.AllPieces():
            return [Related(f"zone '{value.zone.name}' is declared here", value.zone.span)]
        case c.ReadVariable():
            return [Related(f"variable '{value.variable.name}' is declared here", value.variable.span)]
        case _:
            return []


def as_narrowed(context: Context, value: c.Expression, node: nodes.Expression) -> c.Expression:
    """The value with its narrowed type; a pile of one becomes its piece or none."""
    if isinstance(value, c.Pile) and value.zone.capacity == 1:
        value = c.Single(value.span, ty.Maybe(value.zone.piece), value)
    narrowed = context.scope.narrowed
    key = key_of(context, node) if narrowed else None
    type = narrowed.get(key) if key else None
    return replace(value, type=type) if type is not None and not isinstance(value.type, ty.Unknown) else value


def typed_expr(
    context: Context, node: nodes.Expression, wanted: ty.Type, what: str, code: str = "HR510"
) -> c.Expression:
    return coerce(context, expr(context, node, wanted), wanted, node, what, code)


def number_expr(context: Context, node: nodes.Expression) -> c.Expression:
    return typed_expr(context, node, ty.NUMBER, "what is wanted here")


def in_range(context: Context, value: c.Expression, wanted: ty.Type, node: nodes.Node, what: str) -> c.Expression:
    """The value, checked against a range: now if that can be proved, otherwise at run time."""
    bounds = ty.plain(wanted)
    given = ty.plain(value.type)
    if not isinstance(bounds, ty.Int) or not isinstance(given, ty.Int) or isinstance(value.type, ty.NoValue):
        return value
    if given.high < bounds.low or given.low > bounds.high:
        if isinstance(value, c.Constant) and value.value == ty.none_of(value.type):
            return value
        context.error("HR550", f"{what} is {bounds.low}..{bounds.high}, {beyond(format(node), given)}", node.span)
        return value
    if bounds.low <= given.low and given.high <= bounds.high:
        return value
    may_be_none = isinstance(wanted, ty.Maybe) and isinstance(value.type, ty.Maybe)
    allowed = ty.none_of(wanted) if may_be_none else bounds.low
    limits = (c.known_number(value.span, limit) for limit in (bounds.low, bounds.high, allowed))
    return c.Apply(value.span, wanted, ty.INSIDE, (value, *limits))


def snapshot(value: c.Expression) -> c.Expression:
    """The value to be stored: a pile as a list of its pieces now, since the pile itself goes on changing."""
    return c.Apply(value.span, value.type, ty.SNAPSHOT, (value,)) if isinstance(value, c.Pile) else value


def beyond(text: str, given: ty.Int) -> str:
    """Words for a value out of its range, without saying it twice."""
    value = str(given.low) if given.low == given.high else f"{given.low}..{given.high}"
    return f"so it cannot be {value}" if text == value else f"but '{text}' is {value}"


def is_inside(value: c.Expression, bounds: ty.Int) -> bool:
    """Whether a value is provably in a range (or is no number)."""
    type = ty.plain(value.type)
    return not isinstance(type, ty.Int) or (bounds.low <= type.low and type.high <= bounds.high)
