"""Faults: what went wrong while rules ran, with its place in the rule files."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Protocol

from houserule.compiler.program import Program
from houserule.compiler.runtime import ENDLESS, ENDLESS_LOOP
from houserule.compiler.statements import whole_name
from houserule.diagnostics import Span
from houserule.language.checked import Site
from houserule.operations import Fault
from houserule.operations.fuel import At, named

FAULTS = (Fault, ArithmeticError, LookupError, RecursionError, MemoryError)
"""What a compiled rule raises if it asks for something impossible."""
MOST_TOLD = 100
"""The most events that are told before a fault."""
LONGEST_LOG = 100_000
"""With a longer log nothing is told before a fault: endless rules write endless logs. A match of 10,000 answers has half as long a one."""


class FaultyMatch(Protocol):
    """What a fault needs of the match in which a rule failed; `houserule.Match` has it."""

    players: list[str]
    seed: int
    language: str

    @property
    def state(self) -> Any:
        """The state at the fault."""

    @property
    def events(self) -> list[Any]:
        """Everything that happened, as `houserule.Event`."""


class RuleFault(Exception):
    """A rule asked for something impossible. `span` is its place; the match is as it was before the answer.

    `match` is the match at that moment, if one was played; `before` says what led there.
    """

    def __init__(self, message: str, span: Span, rule: str) -> None:
        self.message = message
        self.span = span
        self.rule = rule
        self.match: FaultyMatch | None = None
        super().__init__(f"{span}: {message} (in '{rule}')")

    def before(self, told: int = 0) -> list[Any]:
        """The last events before it, without those already `told`; none after a very long log."""
        if self.match is None or len(self.match.state.log or ()) > LONGEST_LOG:
            return []
        return self.match.events[told:][-MOST_TOLD:]

    def __reduce__(self) -> tuple[type[RuleFault], tuple[object, ...]]:
        """The arguments to rebuild it from, so that it can be pickled in a worker process."""
        return RuleFault, (self.message, self.span, self.rule)


def endless(site: Site) -> Fault:
    """The fault of a match that never ends, placed at the next question."""
    fault = Fault(ENDLESS)
    fault.place = (site.span, site.step or "flow")
    return fault


def rule_fault(program: Program, error: BaseException) -> RuleFault:
    """The fault that an exception means, with the place of its rule."""
    place, rule = rule_place(program, error.__traceback__)
    match error:
        case Fault():
            message = str(error)
            place, rule = error.place or (place_of(program, error.at) if error.at is not None else (place, rule))
            if message == ENDLESS_LOOP and rule == "flow" and program.eliminated is not None:
                message += "; if everybody is eliminated, nobody has a turn, and the match goes on"
        case ZeroDivisionError():
            message = "this divides by zero"
        case RecursionError():
            message = "calls are nested too deep"
        case MemoryError():
            message = "this needs too much memory"
        case _:
            message = "the table has no such entry"
    return RuleFault(message, place, rule)


def rule_place(program: Program, traceback: TracebackType | None) -> tuple[Span, str]:
    """The innermost rule in a traceback, as its place and its name."""
    at: At | None = None
    while traceback is not None:
        if traceback.tb_frame.f_globals is program.namespace:
            code = traceback.tb_frame.f_code
            at = code, traceback.tb_lasti, named(code) or (at[2] if at is not None else "")
        traceback = traceback.tb_next
    return (Span(program.game.definition.span.file), "the rules") if at is None else place_of(program, at)


def place_of(program: Program, at: At) -> tuple[Span, str]:
    """The place of an instruction of a rule, and the name of the rule."""
    code, instruction, function = at
    positions = list(code.co_positions())
    line, end_line, column, end_column = (
        positions[instruction // 2] if instruction // 2 < len(positions) else (None,) * 4
    )
    first = line or code.co_firstlineno
    place = Span(code.co_filename, first, (column or 0) + 1, end_line or first, (end_column or 0) + 1)
    name = whole_name(function)
    lines = {points.__name__: f"scoring.{key}" for key, points in program.points}
    rule = program.owners.get(name) or lines.get(name) or name or "the rules"
    return place, step_of(program, place) if rule == "flow" else rule


def step_of(program: Program, place: Span) -> str:
    """The step whose `do` contains a place; otherwise the flow."""
    waiting = list(program.game.definition.flow)
    while waiting:
        step = waiting.pop()
        waiting += step.steps
        effect = step.do.span if step.do is not None else None
        if effect is not None and effect.file == place.file and effect.line <= place.line <= effect.end_line:
            return step.path
    return "flow"
