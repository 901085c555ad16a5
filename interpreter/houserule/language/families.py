"""Families of zones and variables: one of them by its index, and what can follow a dot."""

from __future__ import annotations

from houserule.diagnostics import CALLED, Related, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language.dispatch import expr
from houserule.language.fitting import in_range, typed_expr
from houserule.language.format import format
from houserule.language.scope import Context, index_for
from houserule.language.types import UNKNOWN, Int, List, Member, Piece, Player, Type, Unknown, fits, indefinite, spelled

MOST_LISTED = 8
"""What can follow a dot is listed if there are no more than these."""


def family_entry(
    context: Context,
    family: c.Family,
    node: nodes.Expression,
    arguments: tuple[nodes.Expression, ...] = (),
    leading: tuple[c.Expression, ...] = (),
    span: Span | None = None,
) -> c.Expression:
    """A zone or variable with its indices; `node` is what precedes the square brackets, and `span` the place of the whole."""
    span = span if span is not None else node.span
    context.use(family, node)
    given = len(arguments) + len(leading)
    wanted = len(family.parameters)
    if given == 0 and wanted and isinstance(family, c.Zone):
        return c.AllPieces(span, List(family.piece), family)
    if given != wanted:
        listed = ", ".join(index_for(context, p.type) for p in family.parameters)
        shape = f"{family.name}[{listed}]" if wanted else family.name
        if isinstance(family, c.Zone) and given == wanted + 1:
            shape = item_at(context, format(node), arguments) or shape
        message = f"'{family.name}' expects {wanted} {'index' if wanted == 1 else 'indices'}, got {given}"
        return context.error(
            "HR511", message, span, shape, [Related("declared here", family.span)], follows_from=(CALLED,)
        )
    index = leading + tuple(
        family_index(context, argument, parameter.type, family)
        for argument, parameter in zip(arguments, family.parameters[len(leading) :], strict=True)
    )
    if isinstance(family, c.Zone):
        return c.Pile(span, List(family.piece, holds_at_most(context, family)), family, index)
    assert isinstance(family, c.Variable)
    return c.ReadVariable(span, family.type, family, index)


def item_at(context: Context, pile: str, arguments: tuple[nodes.Expression, ...]) -> str | None:
    """How to write the piece at a position of a pile, if the last index is a position: `item(me.hand, 2)`."""
    *indices, at = arguments
    if not isinstance(expr(context, at).type, Int):
        return None
    pile += f"[{', '.join(map(format, indices))}]" if indices else ""
    position = "1" if isinstance(at, nodes.Number) and at.value == 0 else format(at)
    return f"item({pile}, {position}): it counts from 1"


def family_index(context: Context, node: nodes.Expression, wanted: Type, family: c.Family) -> c.Expression:
    """One index; it is checked at run time, unless it is certainly out of range."""
    what = f"the index of '{family.name}'"
    value = typed_expr(context, node, wanted, what)
    in_range(context, value, wanted, node, what)
    return value


def holds_at_most(context: Context, zone: c.Zone) -> int:
    if zone.capacity is not None:
        return zone.capacity
    kinds = context.symbols.kinds
    return len(kinds[zone.holds].ids) if zone.holds in kinds else context.symbols.pieces


def features(context: Context, type: Type) -> list[str]:
    """Everything that can follow a dot after a value of a type."""
    symbols = context.symbols
    found: list[str] = []
    if isinstance(type, Member | Piece) and type.kind:
        kind = symbols.kinds[type.kind]
        found += [*kind.attribute_types, *kind.functions, *kind.effects]
    others: list[c.Family | c.Routine] = [
        *symbols.zones.values(),
        *symbols.variables.values(),
        *symbols.functions.values(),
    ]
    return found + [other.name for other in others if other.parameters and fits(type, other.parameters[0].type)]


def no_such_feature(context: Context, node: nodes.Attribute, type: Type) -> c.Expression:
    """Report that x has no f, and what was probably meant."""
    name, kinds = node.name, context.symbols.kinds
    if isinstance(type, Unknown):
        return c.Constant(node.span, UNKNOWN, 0)
    if isinstance(type, Member | Piece) and type.kind and name in kinds[type.kind].effects:
        message = f"'{name}' is an effect, not a value"
        return context.error("HR509", message, node.name_span, f"perform {format(node)}")
    if isinstance(type, Piece) and type.kind is None:
        homes = [k.name for k in kinds.values() if k.is_piece and (name in k.attribute_types or name in k.functions)]
        if homes:
            message = f"a piece of any kind has no '{name}'; {indefinite(homes[0])} has"
            help = f"ask first: if {format(node.of)} is {homes[0]}: …"
            return context.error("HR502", message, node.name_span, help, subject=name)
    otherwise = None
    if isinstance(type, Member | Piece | Player):
        otherwise = f"declare what changes: `variables: {{{name}({spelled(type)}): int}}`"
    message, known = f"{type} has no '{name}'", features(context, type)
    if otherwise is not None and 0 < len(known) <= MOST_LISTED:
        otherwise = f"known here: {', '.join(known)}; or {otherwise}"
    return context.misnamed("HR502", message, node.name_span, name, known, otherwise)
