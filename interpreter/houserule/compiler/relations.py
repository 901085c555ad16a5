"""Finds loops over long lists that a tabulated relation restricts, so that they only visit the related members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from houserule.compiler.folding import Given, Tabulated
from houserule.language.checked import Apply, Call, Constant, Expression, Family, Local, Routine, Select
from houserule.language.symbols import SymbolTable
from houserule.language.types import AND, BOOL

SHORT = 8
"""Constant lists up to this length are unrolled."""
NARROW = 4
"""Rows of a relation up to this length are unrolled column by column."""
Row = tuple[Family, tuple[Local]]
"""The look-up of a relation's row: the range of the index, and the local."""
Related = tuple[Select, tuple[tuple[int, ...], ...], Row | None]
"""The remaining condition; the rows; and the look-up, if there is more than one row."""


def related_rows(tables: Mapping[Routine, Tabulated], symbols: SymbolTable, node: Select) -> Related | None:
    """The rows of a tabulated relation to one local, or to constants, that restricts a long constant list; None if there is none.

    `a in space where covers(a, s) and …` visits only what covers s.
    """
    members = node.source.value if isinstance(node.source, Constant) else None
    if not isinstance(members, tuple) or len(members) <= SHORT:
        return None
    parts = list(conjuncts(node.where))
    for part in parts:
        table = tables.get(part.function) if isinstance(part, Call) else None
        found = arguments_of(part, node.binder) if isinstance(part, Call) else None
        if table is None or found is None:
            continue
        given, other = found
        domain = symbols.domain(other.type) if other is not None else range(1)
        if domain is None:
            continue
        rest = replace(node, where=conjoined([p for p in parts if p is not part]))
        span = Family("", (), node.span, 0, (domain.start,), (len(domain),))
        return rest, table.rows(given, node.binder, members, domain), None if other is None else (span, (other,))
    return None


def arguments_of(relation: Call, binder: str) -> tuple[Given, Local | None] | None:
    """The arguments of a relation between the loop's member and one other local, or constants; None if it is not that simple."""
    given: list[str | Any] = []
    others: dict[str, Local] = {}
    for argument in relation.arguments:
        if isinstance(argument, Local):
            given.append(argument.name)
            others[argument.name] = argument
        elif isinstance(argument, Constant):
            given.append(argument.value)
        else:
            return None
    if others.pop(binder, None) is None or len(others) > 1:
        return None
    return tuple(given), next(iter(others.values()), None)


def conjuncts(node: Expression | None) -> Iterator[Expression]:
    """The conjuncts of a condition."""
    if isinstance(node, Apply) and node.operator is AND:
        for argument in node.arguments:
            yield from conjuncts(argument)
    elif node is not None:
        yield node


def conjunctions(node: Expression | None) -> Iterator[Apply]:
    """The `and`s between the conjuncts of a condition."""
    if isinstance(node, Apply) and node.operator is AND:
        yield node
        for argument in node.arguments:
            yield from conjunctions(argument)


def conjoined(parts: list[Expression]) -> Expression | None:
    """The conjunction of conditions."""
    whole: Expression | None = None
    for part in parts:
        whole = part if whole is None else Apply(part.span, BOOL, AND, (whole, part))
    return whole
