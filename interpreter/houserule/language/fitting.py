"""Fits values to their place: not none, of the wanted type, and in range."""

from __future__ import annotations

from dataclasses import replace

from houserule.diagnostics import ABOVE, Related
from houserule.language import nodes
from houserule.language.checked import (
    AllPieces,
    Apply,
    Constant,
    Expression,
    Items,
    Pile,
    ReadVariable,
    Single,
    known_number,
)
from houserule.language.dispatch import expr
from houserule.language.format import format
from houserule.language.scope import Context, key_of
from houserule.language.types import (
    INSIDE,
    NUMBER,
    SNAPSHOT,
    Bool,
    Int,
    List,
    Maybe,
    NoValue,
    Type,
    Unknown,
    fits,
    none_of,
    plain,
    spelled,
)


def require_present(context: Context, value: Expression, node: nodes.Node) -> Expression:
    """The value where none is not allowed; an untested optional is an error."""
    if isinstance(value.type, Maybe):
        text = format(node)
        help = f"test it first: `if {text}: …`"
        has_key = not isinstance(node, nodes.Expression) or key_of(context, node) is not None
        if not isinstance(context.source, nodes.Block):
            help = f"test it here: {text} and …, or … if {text} else …"
            if not has_key:
                help = f"let a function test it, a block with x = {text} and then `if x: …`"
        elif not has_key or isinstance(node, nodes.Call):
            help = f"give it a name and test that: x = {text}, then `if x: …`"
        elif isinstance(value, ReadVariable | Single):
            help = f"test it directly before, with nothing changed in between: `if {text}: …`"
        context.report.error(
            "HR520", f"'{text}' may be none here: it is {value.type}", node.span, help, follows_from=(ABOVE,)
        )
        return replace(value, type=value.type.of)
    if isinstance(value.type, NoValue):
        return context.error("HR520", "'none' is not allowed here", node.span, follows_from=(ABOVE,))
    return value


def coerce(
    context: Context, value: Expression, wanted: Type, node: nodes.Node, what: str, code: str = "HR510"
) -> Expression:
    """The value as that type; reports what was wanted and what was found."""
    if isinstance(value.type, NoValue) and isinstance(wanted, Maybe):
        return Constant(value.span, wanted, none_of(wanted))
    if isinstance(value.type, Maybe) and not isinstance(wanted, Maybe) and fits(value.type.of, wanted):
        return require_present(context, value, node)
    if isinstance(value.type, NoValue) and not isinstance(wanted, Unknown):
        return context.error(
            code,
            f"{what} is {wanted}, so it cannot be none",
            node.span,
            f"declare a type that allows none: {spelled(wanted)} or none",
        )
    if not fits(value.type, wanted):
        related = declared_at(value)
        return context.error(
            code,
            f"{what} is {wanted}, but '{format(node)}' is {words_for(value)}",
            node.span,
            advice_for(value, wanted, node),
            related,
        )
    if isinstance(value, Items) and isinstance(wanted, List):
        return replace(value, type=wanted)
    return value


def words_for(value: Expression) -> str:
    """A description of a value in an author's words."""
    match value:
        case Pile():
            return "a zone"
        case AllPieces():
            return "a family of zones"
        case _:
            return str(value.type)


def advice_for(value: Expression, wanted: Type, node: nodes.Node) -> str | None:
    """What to type instead, if that is likely."""
    text = format(node)
    if isinstance(wanted, Int) and isinstance(value.type, List):
        return f"how many there are: count({text})"
    if isinstance(wanted, Bool) and isinstance(value.type, List):
        return f"whether there is one: any({text})"
    if isinstance(wanted, Bool) and isinstance(value, Constant):
        return "true or false"
    if isinstance(wanted, Bool) and isinstance(value.type, Int):
        return f"a condition, such as {text} > 0"
    return None


def declared_at(value: Expression) -> list[Related]:
    """The declaration of what a value denotes."""
    match value:
        case Pile() | AllPieces():
            return [Related(f"zone '{value.zone.name}' is declared here", value.zone.span)]
        case ReadVariable():
            return [Related(f"variable '{value.variable.name}' is declared here", value.variable.span)]
        case _:
            return []


def as_narrowed(context: Context, value: Expression, node: nodes.Expression) -> Expression:
    """The value with its narrowed type; a pile of one becomes its piece or none."""
    if isinstance(value, Pile) and value.zone.capacity == 1:
        value = Single(value.span, Maybe(value.zone.piece), value)
    narrowed = context.scope.narrowed
    key = key_of(context, node) if narrowed else None
    type = narrowed.get(key) if key else None
    return replace(value, type=type) if type is not None and not isinstance(value.type, Unknown) else value


def typed_expr(context: Context, node: nodes.Expression, wanted: Type, what: str, code: str = "HR510") -> Expression:
    return coerce(context, expr(context, node, wanted), wanted, node, what, code)


def number_expr(context: Context, node: nodes.Expression) -> Expression:
    return typed_expr(context, node, NUMBER, "what is wanted here")


def in_range(context: Context, value: Expression, wanted: Type, node: nodes.Node, what: str) -> Expression:
    """The value, checked against a range: now if that can be proved, otherwise at run time."""
    bounds = plain(wanted)
    given = plain(value.type)
    if not isinstance(bounds, Int) or not isinstance(given, Int) or isinstance(value.type, NoValue):
        return value
    if given.high < bounds.low or given.low > bounds.high:
        if isinstance(value, Constant) and value.value == none_of(value.type):
            return value
        context.error("HR550", f"{what} is {bounds.low}..{bounds.high}, {beyond(format(node), given)}", node.span)
        return value
    if bounds.low <= given.low and given.high <= bounds.high:
        return value
    may_be_none = isinstance(wanted, Maybe) and isinstance(value.type, Maybe)
    allowed = none_of(wanted) if may_be_none else bounds.low
    limits = (known_number(value.span, limit) for limit in (bounds.low, bounds.high, allowed))
    return Apply(value.span, wanted, INSIDE, (value, *limits))


def snapshot(value: Expression) -> Expression:
    """The value to be stored: a pile as a list of its pieces now, since the pile itself goes on changing."""
    return Apply(value.span, value.type, SNAPSHOT, (value,)) if isinstance(value, Pile) else value


def beyond(text: str, given: Int) -> str:
    """Words for a value out of its range, without saying it twice."""
    value = str(given.low) if given.low == given.high else f"{given.low}..{given.high}"
    return f"so it cannot be {value}" if text == value else f"but '{text}' is {value}"


def is_inside(value: Expression, bounds: Int) -> bool:
    """Whether a value is provably in a range (or is no number)."""
    type = plain(value.type)
    return not isinstance(type, Int) or (bounds.low <= type.low and type.high <= bounds.high)
