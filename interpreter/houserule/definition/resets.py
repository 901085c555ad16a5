"""Checks the `reset:` of variables: that it names a step, and that it can set something back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houserule.definition.flow import FlowChecker
from houserule.definition.model import GameDefinition, StepDefinition
from houserule.diagnostics import EFFECTS, USES, Report
from houserule.language import checked as c
from houserule.language.footprints import Footprints, footprint, reached
from houserule.language.symbols import SymbolTable
from houserule.language.trees import bodies_in

AGAIN = (c.Each, c.Loop, c.Times, c.Together)
"""What may do its content more than once."""


def check_resets(
    game: GameDefinition, flow: FlowChecker, body: c.Body, done: Footprints, symbols: SymbolTable, report: Report
) -> None:
    """Check that `reset:` names a step, and warn of those that reset nothing in the body of the whole flow."""
    resets = [variable for variable in game.variables.values() if variable.reset is not None]
    vain = vain_resets(body, done, symbols) if resets else set()
    for variable in resets:
        assert variable.reset is not None
        step = flow.find(variable.reset)
        if step is None:
            message = f"there is no step '{variable.reset}' to reset '{variable.name}' before"
            report.misnamed("HR501", message, variable.reset.span, variable.reset, flow.names)
        elif variable.name in vain:
            message = f"'{variable.name}' is never reset: step '{step.name}' is gone through only once"
            report.warning("HR596", message, variable.reset.span, way_out(step), follows_from=(EFFECTS, USES))


def way_out(step: StepDefinition) -> str:
    """What to write instead of the reset before a step that is done once."""
    if step.for_ is None:
        return "name a step that is done several times, or leave `reset` out"
    first = step.steps[0] if step.steps else None
    once = "all elements of its `for` are one pass"
    if first is None or first.turns or first.repeat is not None or first.while_ is not None or first.until is not None:
        return f"{once}; set it in a first step inside"
    return f"{once}; reset it before the first step inside: reset: {first.name}"


def vain_resets(body: c.Body, done: Footprints, symbols: SymbolTable) -> set[str]:
    """The variables that are reset only once, before anything may have changed them."""
    resets: dict[c.Variable, bool] = {}
    changed: set[c.Family] = set()
    for statement, again in in_order(body):
        if isinstance(statement, c.Reset):
            resets |= {one: not again and one not in resets and one not in changed for one in statement.variables}
        else:
            own = footprint((statement,))
            changed.update(own.changes)
            for routine in reached(own.onward(symbols), lambda one: done[one].onward(symbols)):
                changed.update(done[routine].changes)
    return {variable.name for variable, is_vain in resets.items() if is_vain}


def in_order(body: c.Body, again: bool = False) -> Iterator[tuple[c.Statement, bool]]:
    """The statements that contain no others, in the order of the rules, with whether each may be done more than once."""
    for statement in body:
        kind: Any = type(statement)
        inner = bodies_in(kind)
        for name in reversed(inner):
            yield from in_order(getattr(statement, name), again or isinstance(statement, AGAIN))
        if not inner:
            yield statement, again
