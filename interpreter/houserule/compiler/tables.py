"""Tabulates: a function of what is printed alone, over finite types, becomes a table when a game is compiled."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from houserule.compiler.runtime import world
from houserule.language.checked import (
    Apply,
    Call,
    Constant,
    Expression,
    Items,
    Local,
    LookUp,
    Printed,
    Return,
    Select,
)
from houserule.language.symbols import Routine, SymbolTable
from houserule.language.types import List
from houserule.operations import Fault

if TYPE_CHECKING:
    from houserule.compiler.emit import Emitter

MOST_ENTRIES = 10_000
MOST_LISTS = 1_000
"""Where each entry is a list."""


@dataclass(slots=True, eq=False)
class Tabulated:
    """The results of a function for all arguments, in the order of the arguments; `lows` and `sizes` span its index."""

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    values: tuple[int | tuple[int, ...], ...]

    def of(self, arguments: tuple[int, ...]) -> int | tuple[int, ...]:
        """The result for some arguments."""
        position = 0
        for value, low, size in zip(arguments, self.lows, self.sizes, strict=True):
            position = position * size + value - low
        return self.values[position]


def tabulate(symbols: SymbolTable, emitter: Emitter) -> dict[int, Tabulated]:
    """The tables of all functions that can have one, by identity; those that other functions use come first."""
    found: dict[int, Tabulated] = {}
    waiting = list(symbols.functions.values())
    progress = True
    while progress:
        progress = False
        for function in list(waiting):
            if can_have_table(function, symbols, emitter, found):
                waiting.remove(function)
                table = work_out(function, symbols, emitter, found)
                if table is not None:
                    found[id(function)] = table
                    progress = True
    return found


def can_have_table(function: Routine, symbols: SymbolTable, emitter: Emitter, found: Mapping[int, Tabulated]) -> bool:
    """Whether a function reads nothing that changes and has few enough arguments to try them all."""
    body = emitter.body_of(function)
    if function.recursive or function.needs_me or len(body) != 1:
        return False
    last = body[0]
    if not isinstance(last, Return) or last.value is None:
        return False
    total = 1
    for parameter in function.parameters:
        domain = symbols.domain(parameter.type)
        if domain is None or parameter.name is None or len(domain) == 0:
            return False
        total *= len(domain)
    most = MOST_LISTS if isinstance(function.result, List) else MOST_ENTRIES
    return total <= most and is_printed(last.value, frozenset(p.name or "" for p in function.parameters), found)


def is_printed(node: Expression | None, known: frozenset[str], found: Mapping[int, Tabulated]) -> bool:
    """Whether an expression reads only what is printed and the locals that are known."""
    match node:
        case None | Constant():
            return True
        case Local(name=name):
            return name in known
        case Printed(of=of):
            return is_printed(of, known, found)
        case LookUp(index=index):
            return all(is_printed(i, known, found) for i in index)
        case Apply(operator=operator, arguments=arguments):
            return not operator.reads_state and all(is_printed(a, known, found) for a in arguments)
        case Items(items=items):
            return all(is_printed(i, known, found) for i in items)
        case Call(function=function, arguments=arguments):
            return id(function) in found and all(is_printed(a, known, found) for a in arguments)
        case Select(value=value, binder=binder, source=source, where=where, by=by):
            inner = known | {binder}
            return is_printed(source, known, found) and all(
                is_printed(part, inner, found) for part in (value, where, *by)
            )
        case _:
            return False


def work_out(
    function: Routine, symbols: SymbolTable, emitter: Emitter, found: Mapping[int, Tabulated]
) -> Tabulated | None:
    """The table of one function; None where it faults for some arguments, so that it is worked out when they come up."""
    last = emitter.body_of(function)[0]
    assert isinstance(last, Return) and last.value is not None
    emitter.tables = dict(found)
    tree = emitter.expr(last.value)
    emitter.at(last.span)
    names = [f"l_{p.name}" for p in function.parameters]
    arguments = ast.arguments([], [ast.arg(name, **emitter.where) for name in names], None, [], [], None, [])
    space: dict[str, Any] = {**world(symbols.players), **emitter.constants, "s": None}
    made = eval(
        compile(
            ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, tree, **emitter.where))),
            function.span.file,
            "eval",
        ),
        space,
    )
    domains = [symbols.domain(p.type) or range(0) for p in function.parameters]
    try:
        results = (made(*combination) for combination in product(*domains))
        values = tuple(tuple(map(int, r)) if isinstance(function.result, List) else int(r) for r in results)
    except (Fault, ArithmeticError, LookupError):
        return None
    return Tabulated(tuple(d.start for d in domains), tuple(len(d) for d in domains), values)
