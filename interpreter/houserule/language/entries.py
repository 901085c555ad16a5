"""Entries of tables, families and products: `price[n]`, `patch[wood]`, `hook[me, 2]` in, their values out."""

from __future__ import annotations

from typing import Any

from houserule.diagnostics import Related, did_you_mean
from houserule.language import nodes
from houserule.language.checked import Apply, Constant, Expression, Items, LookUp, known_number, numbers_of
from houserule.language.format import format
from houserule.language.names import Names
from houserule.language.primitives import CELL, ITEM
from houserule.language.symbols import Kind
from houserule.language.types import NONE, UNKNOWN, Int, List, Maybe, Unknown, maybe, none_of


class Entries(Names):
    """Checks what stands in square brackets behind something."""

    def index(self, node: nodes.Index) -> Expression:
        """`patch[wood]`, `price[n]`, `hook[me, 2]`, `me.pips[m]`."""
        symbols = self.symbols
        if isinstance(node.of, nodes.Attribute):
            return self.attribute(node.of, node.arguments)
        if isinstance(node.of, nodes.Name) and self.find(node.of.id) is None:
            word = node.of.id
            if word in symbols.variables:
                return self.family(symbols.variables[word], node.arguments, (), node.span)
            if word in symbols.zones:
                return self.family(symbols.zones[word], node.arguments, (), node.span, node.of)
            if word in symbols.tables:
                return self.look_up(word, node)
            if word in symbols.kinds:
                return self.cell(symbols.kinds[word], node)
            if word not in ("players", "opponents"):
                pool = [
                    *symbols.zones,
                    *symbols.variables,
                    *symbols.tables,
                    *(k.name for k in symbols.kinds.values() if k.product),
                ]
                found = self.global_place(word)
                message = (
                    f"'{word}' is {found[0]} and has no entries"
                    if found
                    else f"there is no zone, variable or table '{word}'"
                )
                return self.misnamed("HR501", message, node.of.span, word, pool)
        value = self.expr(node.of)
        if isinstance(value.type, List) and len(node.arguments) == 1:
            position = self.number(node.arguments[0])
            type = maybe(value.type.of)
            return Apply(node.span, type, ITEM, (value, position, known_number(node.span, none_of(type))))
        if isinstance(value.type, Unknown):
            return value
        return self.error("HR510", f"'{format(node.of)}' is {value.type} and has no entries", node.span)

    def look_up(self, word: str, node: nodes.Index) -> Expression:
        """An entry of a table."""
        table = self.symbols.tables[word]
        table.uses += 1
        if isinstance(table.type, Unknown):
            return Constant(node.span, UNKNOWN, 0)
        if len(node.arguments) != len(table.indices):
            return self.error(
                "HR511",
                f"table '{word}' wants {len(table.indices)} {'index' if len(table.indices) == 1 else 'indices'}, got {len(node.arguments)}",
                node.span,
                None,
                [Related("declared here", table.span)],
            )
        index = []
        size = len(table.values)
        for position, (argument, type) in enumerate(zip(node.arguments, table.indices, strict=True)):
            value = self.coerce(self.expr(argument, type), type, argument, f"the index of table '{word}'")
            if isinstance(value.type, Int) and isinstance(type, Int):
                if position == 1:
                    size = len(table.values[0]) if table.values and isinstance(table.values[0], tuple) else 0
                if value.type.high < 0 or value.type.low >= size:
                    self.error(
                        "HR552",
                        f"table '{word}' has the entries 0..{size - 1} (it counts from 0), so none for '{format(argument)}'",
                        argument.span,
                        None,
                        [Related("declared here", table.span)],
                    )
            index.append(value)
        numbers = numbers_of(index)
        if numbers is not None and not any(isinstance(i.type, Unknown) for i in index):
            entry: Any = table.values
            for number, low in zip(numbers, table.lows, strict=True):
                position = number - low
                if not 0 <= position < len(entry):
                    return Constant(node.span, table.type, 0)
                entry = entry[position]
            return Constant(node.span, table.type, entry)
        return LookUp(node.span, table.type, table, tuple(index))

    def cell(self, kind: Kind, node: nodes.Index) -> Expression:
        """The piece of a product, or none where there is none."""
        kind.uses += 1
        if not kind.product:
            return self.error(
                "HR511",
                f"'{kind.name}' is not made by `each`, so it has no indices",
                node.span,
                did_you_mean(kind.name, [*self.symbols.zones, *self.symbols.variables]),
            )
        if len(node.arguments) != len(kind.product):
            return self.error(
                "HR511",
                f"'{kind.name}' wants {len(kind.product)} indices, got {len(node.arguments)}",
                node.span,
                f"{kind.name}[{', '.join(kind.product_names)}]",
            )
        index = [
            self.coerce(self.expr(a, t), Int() if isinstance(t, Int) else t, a, f"the index of '{kind.name}'")
            for a, t in zip(node.arguments, kind.product, strict=True)
        ]
        lows, sizes = [], []
        for type in kind.product:
            domain = self.symbols.domain(type)
            assert domain is not None
            lows.append(domain.start)
            sizes.append(len(domain))
        inside = all(
            not isinstance(t, Int) or (isinstance(i.type, Int) and t.low <= i.type.low and i.type.high <= t.high)
            for i, t in zip(index, kind.product, strict=True)
        )
        total = 1
        for size in sizes:
            total *= size
        flat = [NONE] * total
        for place, number in kind.cells.items():
            position = 0
            for value, low, size in zip(place, lows, sizes, strict=True):
                position = position * size + value - low
            flat[position] = number
        numbers = numbers_of(index)
        if numbers is not None:
            found = kind.cells.get(numbers, NONE)
            return Constant(node.span, kind.type if found != NONE else Maybe(kind.type), found)
        type_ = kind.type if inside and NONE not in flat else Maybe(kind.type)
        return Apply(
            node.span,
            type_,
            CELL,
            (
                Constant(node.span, UNKNOWN, tuple(flat)),
                Constant(node.span, UNKNOWN, tuple(lows)),
                Constant(node.span, UNKNOWN, tuple(sizes)),
                Items(node.span, UNKNOWN, tuple(index)),
            ),
        )
