"""Finds relations that have become tables: a long list that one of them cuts down goes only through what it relates to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from houserule.compiler.emitter import Emitter
from houserule.compiler.folding import Tabulated
from houserule.compiler.work import SHORT
from houserule.language.checked import Apply, Call, Constant, Expression, Local, Select
from houserule.language.primitives import AND
from houserule.language.symbols import Family
from houserule.language.types import BOOL

LARGE = 400
"""Functions that come to more nodes than this are called."""
Row = tuple[Family, tuple[Expression, ...]]
"""Where the row of a relation is looked up: the span of the index, and the local that it is."""


def related_rows(emitter: Emitter, node: Select) -> tuple[Select, tuple[tuple[int, ...], ...], Row] | None:
    """A long constant list that a tabulated relation to one local cuts down: what else must hold, the rows, the index.

    `a in space where covers(a, s) and …` goes only through what covers s.
    """
    members = node.source.value if isinstance(node.source, Constant) else None
    if not isinstance(members, tuple) or len(members) <= SHORT:
        return None
    parts = list(conjuncts(node.where))
    for part in parts:
        if not isinstance(part, Call) or (table := emitter.folding.tables.get(id(part.function))) is None:
            continue
        other = related_local(part, node.binder)
        domain = emitter.symbols.domain(other.type) if other is not None else None
        if other is None or domain is None:
            continue
        rows = tuple(
            tuple(m for m in members if holds(table, part, {node.binder: m, other.name: value})) for value in domain
        )
        rest = conjoined([p for p in parts if p is not part])
        index = Family("", (), node.span, 0, (domain.start,), (len(domain),))
        return replace(node, where=rest), rows, (index, (other,))
    return None


def related_local(relation: Call, binder: str) -> Local | None:
    """The one other local that a relation relates to what is gone through; None where it is not so simple."""
    arguments = relation.arguments
    if not all(isinstance(argument, Local | Constant) for argument in arguments):
        return None
    locals = [argument for argument in arguments if isinstance(argument, Local)]
    others = {argument.name: argument for argument in locals if argument.name != binder}
    if len(others) != 1 or not any(argument.name == binder for argument in locals):
        return None
    return next(iter(others.values()))


def holds(table: Tabulated, relation: Call, given: Mapping[str, int]) -> bool:
    """Whether a relation holds for these locals."""
    return bool(table.of(tuple(number_of(argument, given) for argument in relation.arguments)))


def number_of(argument: Expression, values: Mapping[str, int]) -> int:
    """What an argument comes to that is a number or one of these locals."""
    if isinstance(argument, Local):
        return values[argument.name]
    assert isinstance(argument, Constant) and isinstance(argument.value, int)
    return argument.value


def conjuncts(node: Expression | None) -> Iterator[Expression]:
    """The parts of a condition that must all hold."""
    if isinstance(node, Apply) and node.operator is AND:
        for argument in node.arguments:
            yield from conjuncts(argument)
    elif node is not None:
        yield node


def conjoined(parts: list[Expression]) -> Expression | None:
    """A condition of parts that must all hold."""
    whole: Expression | None = None
    for part in parts:
        whole = part if whole is None else Apply(part.span, BOOL, AND, (whole, part))
    return whole
