"""Functions for constants that are computed before functions are declared: which pieces there are, and how many.

Each is checked with what is known so far, as a temporary routine: the real ones are declared and checked
once all names are known, and their mistakes are reported there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from houserule.definition.model import CallableDefinition
from houserule.diagnostics import Report
from houserule.language import checked, nodes
from houserule.language.calls import check_routine
from houserule.language.checked import Parameter, Routine
from houserule.language.scope import Analysis
from houserule.language.trees import expressions, walk
from houserule.language.types import Type, Unknown

CHANGING = checked.ReadVariable | checked.Pile | checked.AllPieces | checked.Single
Functions = dict[str, CallableDefinition]


def wanted(functions: Functions, node: object) -> Functions:
    """The functions of a game that a text may call, with their callees."""
    found: Functions = {}
    waiting = [node]
    while waiting:
        for inner in walk(waiting.pop()):
            match inner:
                case nodes.Name(id=word) | nodes.Attribute(name=word) if word in functions and word not in found:
                    found[word] = functions[word]
                    waiting.append(functions[word].body)
    return found


@contextmanager
def lent(analysis: Analysis, functions: Functions, typed: Callable[[nodes.TypeName], Type]) -> Iterator[None]:
    """A context in which these functions can be called; afterwards they are undeclared again."""
    symbols, report = analysis.symbols, analysis.report
    before, was_declared = symbols.functions, analysis.is_declared
    noted: tuple[list[Any], ...] = (analysis.inherited_calls, analysis.sites, symbols.imagined)
    lengths = [len(one) for one in noted]
    try:
        analysis.report, analysis.is_declared, symbols.functions = Report(), True, {}
        for name, definition in functions.items():
            parameters = tuple(Parameter(typed(p.type), p.name, p.span) for p in definition.parameters)
            symbols.functions[name] = Routine(name, parameters, definition.span, True, definition.body)
        for routine in symbols.functions.values():
            wrong = len(analysis.report.found)
            check_routine(analysis, routine)
            if len(analysis.report.found) > wrong:
                routine.body = ()
        analysis.report = report
        yield
    finally:
        analysis.report, analysis.is_declared, symbols.functions = report, was_declared, before
        for one, length in zip(noted, lengths, strict=True):
            del one[length:]


def reads_what_changes(value: object, calling: tuple[Routine, ...] = ()) -> bool:
    """Whether an expression reads what changes during a match, or calls what cannot be evaluated before one."""
    for part in expressions(value):
        if isinstance(part, CHANGING) or isinstance(part.type, Unknown):
            return True
        if isinstance(part, checked.Call):
            function, body = part.function, part.function.body or ()
            if function in calling or function.needs_me or len(body) != 1 or not isinstance(body[0], checked.Return):
                return True
            if reads_what_changes(body, (*calling, function)):
                return True
    return False
