"""Tabulates: a function of what is printed alone, over finite types, becomes a table when a game is compiled."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import product
from math import prod

from houserule.compiler.emitter import Emitter
from houserule.compiler.expressions import expression
from houserule.compiler.folding import FAULTS, Folding, Tabulated, space_for
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
from houserule.operations.fuel import PASS, Laying

MOST_ENTRIES = 10_000
MOST_LISTS = 1_000
"""Where each entry is a list."""
MOST_TABULATED = 1_000_000
"""Entries of all tables of a program and what is gone through for them; other functions are called."""


def tabulate(emitter: Emitter) -> None:
    """Give folding the tables of all functions that can have one; those that other functions use come first."""
    symbols, folding = emitter.symbols, emitter.folding
    waiting = list(symbols.functions.values())
    work = Laying(None, fuel=MOST_TABULATED * PASS, reserve=0)
    progress = True
    while progress:
        progress = False
        for function in list(waiting):
            value = value_of(function, symbols, folding)
            if value is not None:
                waiting.remove(function)
                table = work_out(function, value, emitter, work)
                if table is not None:
                    folding.tables[id(function)] = table
                    progress = True


def value_of(function: Routine, symbols: SymbolTable, folding: Folding) -> Expression | None:
    """The value of a function that reads nothing that changes and has few enough arguments to try them all."""
    body = folding.body_of(function)
    if function.recursive or function.needs_me or len(body) != 1:
        return None
    last = body[0]
    if not isinstance(last, Return) or last.value is None:
        return None
    total = 1
    for parameter in function.parameters:
        domain = symbols.domain(parameter.type)
        if domain is None or parameter.name is None or len(domain) == 0:
            return None
        total *= len(domain)
    most = MOST_LISTS if isinstance(function.result, List) else MOST_ENTRIES
    names = frozenset(p.name or "" for p in function.parameters)
    return last.value if total <= most and is_printed(last.value, names, folding.tables) else None


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


def work_out(function: Routine, value: Expression, emitter: Emitter, state: Laying) -> Tabulated | None:
    """The table of one function; None where it faults for some arguments, so that it is worked out when they come up.

    It counts the lists that it goes through on the fuel of `state`; where that does not suffice, there is no table either.
    """
    domains = [emitter.symbols.domain(p.type) or range(0) for p in function.parameters]
    entries = prod(map(len, domains))
    if state.fuel < entries:
        return None
    state.fuel -= entries
    emitter.counts_all = True
    tree = expression(emitter, value)
    emitter.counts_all = False
    emitter.at(value.span)
    names = [ast.arg(f"l_{p.name}", **emitter.where) for p in function.parameters]
    made = ast.Lambda(ast.arguments([], names, None, [], [], None, []), tree, **emitter.where)
    code = compile(ast.fix_missing_locations(ast.Expression(made)), function.span.file, "eval")
    work = eval(code, {**space_for(emitter.symbols.players), **emitter.constants, "s": state})
    try:
        results = [work(*arguments) for arguments in product(*domains)]
    except FAULTS:
        return None
    values = tuple(tuple(map(int, r)) if isinstance(function.result, List) else int(r) for r in results)
    return Tabulated(tuple(d.start for d in domains), tuple(len(d) for d in domains), values)
