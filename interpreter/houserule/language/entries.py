"""Dots and square brackets: attributes, and entries of families, tables, lists and products."""

from __future__ import annotations

from math import prod
from typing import Any

from houserule.diagnostics import Related
from houserule.language import nodes, types
from houserule.language.calls import call_function
from houserule.language.checked import (
    AllPieces,
    Apply,
    Constant,
    Expression,
    Items,
    Kind,
    LookUp,
    Printed,
    known_number,
)
from houserule.language.dispatch import expr
from houserule.language.families import family_entry, no_such_feature
from houserule.language.fitting import (
    coerce,
    declared_at,
    number_expr,
    require_present,
    typed_expr,
    words_for,
)
from houserule.language.format import format
from houserule.language.local_names import global_place, is_kind
from houserule.language.primitives import CELL, ITEM
from houserule.language.scope import AttributeOf, Context, One
from houserule.language.trees import numbers_of
from houserule.language.types import NONE, UNKNOWN, Int, List, Maybe, Member, Piece, Unknown, fits, maybe, none_of


def attribute(context: Context, node: nodes.Attribute, arguments: tuple[nodes.Expression, ...] = ()) -> Expression:
    """`x.f`, `x.f[more]`: an attribute, else a zone or variable `f[x]`, else the function `f(x)`."""
    symbols, name = context.symbols, node.name
    member = member_of_kind(context, node)
    if member is not None:
        return member
    of = expr(context, node.of)
    if isinstance(of.type, Unknown):
        return of
    of = require_present(context, of, node.of)
    type = of.type
    if isinstance(type, List):
        text = format(node.of)
        return context.error(
            "HR508",
            f"'{text}' is {words_for(of)}, but only a single thing has a '.{name}'",
            node.name_span,
            f"for each of them: x.{name} for x in {text}" if not isinstance(of, AllPieces) else None,
            declared_at(of),
        )
    kind = symbols.kinds[type.kind] if isinstance(type, Member | Piece) and type.kind else None
    if kind is not None and name in kind.attribute_types and not arguments:
        context.record(node, AttributeOf(kind, name))
        return printed_value(node, kind, of)
    for family in (symbols.zones.get(name), symbols.variables.get(name)):
        if family is not None and family.parameters and fits(type, family.parameters[0].type):
            return family_entry(context, family, node, arguments, (of,))
    function = symbols.functions.get(name)
    if function is not None and function.parameters and fits(type, function.parameters[0].type):
        return call_function(context, function, node, arguments, (of,))
    return no_such_feature(context, node, type)


def member_of_kind(context: Context, node: nodes.Attribute) -> Expression | None:
    """`place.wood`: a member by the name of its kind; None if the dot means something else."""
    symbols, name = context.symbols, node.name
    if not isinstance(node.of, nodes.Name) or not is_kind(context, node.of):
        return None
    kind = symbols.kinds[node.of.id]
    number = kind.first(name)
    context.use(kind, node.of)
    if number is not None:
        context.record(node, One(kind, number))
        return Constant(node.span, kind.type, number)
    if kind.is_piece or kind.name in symbols.zones or kind.name in symbols.variables:
        return None
    return context.misnamed("HR501", f"'{kind.name}' has no member '{name}'", node.name_span, name, kind.ids)


def printed_value(node: nodes.Attribute, kind: Kind, of: Expression) -> Expression:
    """A printed value of a member or a piece."""
    name = node.name
    if isinstance(of, Constant) and isinstance(of.value, int):
        value = kind.attributes[name][of.value - kind.base] if kind.attributes.get(name) else 0
        return Constant(node.span, kind.attribute_types[name], value)
    return Printed(node.span, kind.attribute_types[name], kind, name, of)


def indexed(context: Context, node: nodes.Index) -> Expression:
    """`patch[wood]`, `price[n]`, `hook[me, 2]`, `me.pips[m]`."""
    symbols = context.symbols
    if isinstance(node.of, nodes.Attribute):
        return attribute(context, node.of, node.arguments)
    if isinstance(node.of, nodes.Name) and context.scope.find(node.of.id) is None:
        word = node.of.id
        if word in symbols.variables:
            return family_entry(context, symbols.variables[word], node.of, node.arguments, span=node.span)
        if word in symbols.zones:
            return family_entry(context, symbols.zones[word], node.of, node.arguments, span=node.span)
        if word in symbols.tables:
            return table_entry(context, word, node)
        if word in symbols.kinds:
            return product_entry(context, symbols.kinds[word], node)
        if word not in ("players", "opponents"):
            products = (kind.name for kind in symbols.kinds.values() if kind.product)
            pool = [*symbols.zones, *symbols.variables, *symbols.tables, *products]
            found = global_place(context, word)
            message = (
                f"'{word}' is {found[0]} and has no entries"
                if found
                else f"there is no zone, variable or table '{word}'"
            )
            return context.misnamed("HR501", message, node.of.span, word, pool)
    value = expr(context, node.of)
    if isinstance(value.type, List) and len(node.arguments) == 1:
        position = number_expr(context, node.arguments[0])
        type = maybe(value.type.of)
        return Apply(node.span, type, ITEM, (value, position, known_number(node.span, none_of(type))))
    if isinstance(value.type, Unknown):
        return value
    return context.error("HR510", f"'{format(node.of)}' is {value.type} and has no entries", node.span)


def table_entry(context: Context, word: str, node: nodes.Index) -> Expression:
    """An entry of a table."""
    table = context.symbols.tables[word]
    context.use(table, node.of)
    if isinstance(table.type, Unknown):
        return Constant(node.span, UNKNOWN, 0)
    wanted = len(table.indices)
    if len(node.arguments) != wanted:
        message = f"table '{word}' expects {wanted} {'index' if wanted == 1 else 'indices'}, got {len(node.arguments)}"
        return context.error("HR511", message, node.span, None, [Related("declared here", table.span)])
    index = []
    size = len(table.values)
    for position, (argument, type) in enumerate(zip(node.arguments, table.indices, strict=True)):
        value = typed_expr(context, argument, type, f"the index of table '{word}'")
        if isinstance(value.type, Int) and isinstance(type, Int):
            if position == 1:
                size = len(table.values[0]) if table.values and isinstance(table.values[0], tuple) else 0
            if value.type.high < 0 or value.type.low >= size:
                message = (
                    f"table '{word}' has the entries 0..{size - 1} (it counts from 0), so none for '{format(argument)}'"
                )
                context.error("HR552", message, argument.span, None, [Related("declared here", table.span)])
        index.append(value)
    numbers = numbers_of(index)
    if numbers is None or any(isinstance(i.type, Unknown) for i in index):
        return LookUp(node.span, table.type, table, tuple(index))
    entry: Any = table.values
    for number, low in zip(numbers, table.lows, strict=True):
        if not 0 <= number - low < len(entry):
            return Constant(node.span, table.type, 0)
        entry = entry[number - low]
    return Constant(node.span, table.type, entry)


def product_entry(context: Context, kind: Kind, node: nodes.Index) -> Expression:
    """The piece of a product, or none if it does not exist."""
    context.use(kind, node.of)
    if not kind.product:
        message = f"'{kind.name}' is not made by `each`, so it has no indices"
        similar = context.report.did_you_mean(kind.name, [*context.symbols.zones, *context.symbols.variables])
        return context.error("HR511", message, node.span, similar)
    if len(node.arguments) != len(kind.product):
        message = f"'{kind.name}' expects {len(kind.product)} indices, got {len(node.arguments)}"
        return context.error("HR511", message, node.span, f"{kind.name}[{', '.join(kind.product_names)}]")
    if any(isinstance(type, Unknown) for type in kind.product):
        return Constant(node.span, UNKNOWN, 0)
    what = f"the index of '{kind.name}'"
    index = [
        coerce(context, expr(context, a, t), Int() if isinstance(t, Int) else t, a, what)
        for a, t in zip(node.arguments, kind.product, strict=True)
    ]
    numbers = numbers_of(index)
    if numbers is not None:
        found = kind.cells.get(numbers, NONE)
        return Constant(node.span, kind.type if found != NONE else Maybe(kind.type), found)
    inside = all(
        not isinstance(t, Int) or (isinstance(i.type, Int) and t.low <= i.type.low and i.type.high <= t.high)
        for i, t in zip(index, kind.product, strict=True)
    )
    cells, lows, sizes = flat_cells(context, kind)
    type = kind.type if inside and NONE not in cells else Maybe(kind.type)
    grid = tuple(Constant(node.span, UNKNOWN, numbers) for numbers in (cells, lows, sizes))
    return Apply(node.span, type, CELL, (*grid, Items(node.span, UNKNOWN, tuple(index))))


def flat_cells(context: Context, kind: Kind) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The pieces of a product in a flat tuple, with the least value and the number of values of each index."""
    domains = [domain for type in kind.product if (domain := context.symbols.domain(type)) is not None]
    assert len(domains) == len(kind.product)
    lows, sizes = tuple(domain.start for domain in domains), tuple(map(len, domains))
    cells = [NONE] * prod(sizes)
    for values, number in kind.cells.items():
        cells[types.place_of(values, lows, sizes)] = number
    return tuple(cells), lows, sizes
