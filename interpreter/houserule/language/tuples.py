"""Choices of several things in one question: a card and a target, a field and a field to move to."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.diagnostics import Span
from houserule.language import nodes
from houserule.language.checked import Apply, Body, Constant, Expression, Local, SetLocal, known_number
from houserule.language.conditions import present
from houserule.language.fitting import snapshot
from houserule.language.lists import Level, carried_over, combined, element_type, members, once
from houserule.language.local_names import bind_new
from houserule.language.primitives import CONDITIONAL, PACKED, UNPACKED
from houserule.language.scope import Context, Name
from houserule.language.types import (
    GREATEST,
    LEAST,
    NO_VALUE,
    UNKNOWN,
    List,
    Maybe,
    Tuple,
    Type,
    Unknown,
    maybe,
    none_of,
)


def offered(context: Context, name: str, node: nodes.Expression) -> tuple[Expression, Type, Level | None]:
    """What one thing is chosen from, its type, and the narrowings of it."""
    source, level = members(context.inner(chosen=name), node)
    if isinstance(source.type, Unknown):
        source = Constant(source.span, List(UNKNOWN), ())
    element = element_type(source)
    if isinstance(element, Maybe):
        context.error("HR520", "some of the options may be none", node.span, "leave those out: `… where …`")
        element = element.of
    return source, element, level


def offered_together(context: Context, node: nodes.Choose) -> tuple[Expression, Tuple, list[Level]]:
    """What several things are chosen from: each of the first list combined with each of the next, which may depend on it.

    The narrowings of each part are returned under the name that it has in the lists.
    """
    levels: list[Level] = []
    types: list[Type] = []
    inside = context
    for part in parts_of(node):
        source, element, shown = offered(inside, part.name, part.source)
        inside = inside.inner()
        local = bind_new(inside, part.name, element, part.name_span, "binder")
        known = carried_over(shown, local) if shown is not None else {}
        inside.scope.narrow(known)
        types.append(element)
        levels.append(Level(part.source.span, once(snapshot(source)), local, None, known))
    type = tuple_of(context, types)
    packed: Expression = known_number(node.span, 0)
    for level, element, low, size in zip(levels, types, type.lows, type.sizes, strict=True):
        span = level.span
        place = known_number(span, low), known_number(span, size)
        packed = Apply(span, type, PACKED, (packed, Local(span, element, level.local.unique), *place))
    return combined(levels, packed, type), type, levels


def parts_of(node: nodes.Choose) -> tuple[nodes.ChosenPart, ...]:
    """All that is chosen in a question, in order."""
    return (nodes.ChosenPart(node.source.span, node.name, node.name_span, node.source), *node.also)


def tuple_of(context: Context, types: Sequence[Type]) -> Tuple:
    """The type of tuples of values of these types; numbers without bounds have those of `int`."""
    domains = [context.symbols.domain(type) or range(LEAST, GREATEST + 1) for type in types]
    return Tuple(tuple(types), tuple(d.start for d in domains), tuple(len(d) for d in domains))


def bind_parts(context: Context, node: nodes.Choose, type: Tuple, is_sure: bool) -> list[Name]:
    """Declare the names of what is chosen."""
    return [
        bind_new(context, part.name, element if is_sure else maybe(element), part.name_span, "choose")
        for part, element in zip(parts_of(node), type.of, strict=True)
    ]


def taken_apart(span: Span, answer: str, type: Tuple, names: Sequence[Name], is_sure: bool) -> Body:
    """The statements that give each name its part of an answer, or none if there may be no answer."""
    found: list[SetLocal] = []
    whole = Local(span, type if is_sure else maybe(type), answer)
    below = 1
    for name, element, low, size in reversed(list(zip(names, type.of, type.lows, type.sizes, strict=True))):
        known = (known_number(span, number) for number in (below, size, low))
        part: Expression = Apply(span, element, UNPACKED, (whole, *known))
        if not is_sure:
            nothing = Constant(span, NO_VALUE, none_of(element))
            part = Apply(span, maybe(element), CONDITIONAL, (part, present(whole), nothing))
        found.append(SetLocal(span, name.unique, part))
        below *= size
    return tuple(reversed(found))
