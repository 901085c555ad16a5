"""Tabulation: a function of printed values alone, over finite types, becomes a table when a game is compiled."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import prod

from houserule.compiler.emitter import Emitter, plain_function
from houserule.compiler.folding import FAULTS, Folding, Tabulated, space_for
from houserule.compiler.runtime import LINKED
from houserule.compiler.statements import all_statements, split_loops
from houserule.language import checked as c
from houserule.language.footprints import callees_first
from houserule.language.symbols import SymbolTable
from houserule.language.trees import everything
from houserule.language.types import List
from houserule.operations.fuel import Laying

MOST_ENTRIES = 10_000
MOST_TABULATED = 2_500_000
"""The most entries of all tables of a program, and expressions visited for them; other functions are called."""


def tabulate(emitter: Emitter) -> None:
    """Give folding the tables of all functions that can have one, callees first."""
    symbols, folding = emitter.symbols, emitter.folding
    inside = {
        one: everything(folding.body_of(one)) for one in (*symbols.functions.values(), *symbols.functions_of_kinds)
    }
    called = {one: [part.function for part in parts if isinstance(part, c.Call)] for one, parts in inside.items()}
    work = Laying(None, fuel=MOST_TABULATED, reserve=0)
    for function in callees_first(inside, lambda one: called.get(one, ())):
        if function in inside and can_be_tabulated(function, inside[function], symbols, folding):
            table = work_out(function, emitter, work)
            if table is not None:
                folding.tables[function] = table


def can_be_tabulated(function: c.Routine, inside: Sequence[object], symbols: SymbolTable, folding: Folding) -> bool:
    """Whether a function reads nothing that changes, and has few enough combinations of arguments."""
    if function.recursive or function.needs_me:
        return False
    total = 1
    for parameter in function.parameters:
        domain = symbols.domain(parameter.type)
        if domain is None or parameter.name is None or len(domain) == 0:
            return False
        total *= len(domain)
    known = {"me", *(p.name for p in function.parameters)}  # a `me` goes only to functions that do not need it
    known |= {s.name for s in inside if isinstance(s, c.SetLocal)}
    known |= {s.binder for s in inside if isinstance(s, c.Each | c.Select)}
    return total <= MOST_ENTRIES and all(reads_printed(one, known, folding.tables) for one in inside)


def reads_printed(one: object, known: Collection[str | None], found: Mapping[c.Routine, Tabulated]) -> bool:
    """Whether a statement or an expression itself reads only printed values and known locals, and only computes a result."""
    match one:
        case c.SetLocal() | c.Branch() | c.Each() | c.Times() | c.Loop() | c.Labelled() | c.Jump():
            return True
        case c.Constant() | c.Printed() | c.LookUp() | c.Items() | c.Select():
            return True
        case c.Return(value=value):
            return value is not None
        case c.Local(name=name):
            return name in known
        case c.Apply(operator=operator):
            return not operator.reads_state
        case c.Call(function=function):
            return function in found
        case _:
            return False


def work_out(function: c.Routine, emitter: Emitter, state: Laying) -> Tabulated | None:
    """The table of one function; None if it faults for some arguments, so that it faults at run time.

    Its lists and loops count on the fuel of `state`; if that runs out, there is no table either.
    """
    domains = [emitter.symbols.domain(p.type) or range(0) for p in function.parameters]
    entries = prod(map(len, domains))
    if state.fuel < entries:
        return None
    state.fuel -= entries
    emitter.counts_all = True
    body = all_statements(emitter, emitter.body_of(function))
    emitter.counts_all = False
    made = plain_function(emitter, "worked_out", [f"l_{p.name}" for p in function.parameters], body, function.span)
    code = compile(ast.Module([split_loops(made)], []), function.span.file, "exec")
    space = {**space_for(emitter.symbols.players), **LINKED, **emitter.constants, "s": state}
    exec(code, space)
    try:
        results = [space["worked_out"](*arguments) for arguments in product(*domains)]
    except FAULTS:
        return None
    values = tuple(tuple(map(int, r)) if isinstance(function.result, List) else int(r) for r in results)
    return Tabulated(tuple(d.start for d in domains), tuple(len(d) for d in domains), values)
