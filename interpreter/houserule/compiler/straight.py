"""Writes rules that are played straight through: checked statements in, plain functions that never stop to ask out.

Random play from the first step to the last needs no segments and no frames. Where somebody would be asked, chance answers on the
spot, and what asks is called like anything else. Not all rules can be written so; those that cannot are played in segments.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from houserule.compiler import questions
from houserule.compiler.cutting import Cutter
from houserule.compiler.emit import Emitter
from houserule.compiler.frames import names_set
from houserule.compiler.runtime import DEEPEST
from houserule.compiler.work import inner_first
from houserule.compiler.writer import callable_parameters, plain_function, python_name
from houserule.diagnostics import Span
from houserule.language.checked import (
    Act,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    Expression,
    Jump,
    Labelled,
    Local,
    Loop,
    Perform,
    Pile,
    Race,
    ReadVariable,
    Statement,
    Times,
    Together,
    statements,
)
from houserule.language.primitives import CALLED
from houserule.language.symbols import Parameter, Routine


def can_be_straight(asking: Sequence[Routine], flow: Body, cutter: Cutter, copies: bool) -> bool:
    """Whether rules can be played straight through, with the same result as in segments.

    Not where triggers ask or what asks calls itself or very deep, and not where everybody acts at once on copies of the table.
    """
    if cutter.asking_triggers or cutter.restartable or copies:
        return False
    if any(routine.recursive for routine in asking) or calls_inside_calls(asking) >= DEEPEST:
        return False
    return keeps_to_itself(flow, ()) and all(keeps_to_itself(c.body or (), c.parameters) for c in asking)


def calls_inside_calls(asking: Sequence[Routine]) -> int:
    """How deep what asks, and never performs itself, can be inside each other. Segments count effects down to a bound."""
    depths: dict[int, int] = {}  # by identity
    for routine in inner_first(asking):
        inside = [one for node in statements(routine.body) if isinstance(node, Perform) for one in node.callees]
        depths[id(routine)] = 1 + max((depths[id(one)] for one in inside if one.asks), default=0)
    return max((depths[id(routine)] for routine in asking), default=0)


def keeps_to_itself(body: Body, parameters: Sequence[Parameter]) -> bool:
    """Whether no part of a together sets a local that has a value before it, which each part would have to find again."""
    everywhere = Counter([*names_set(body), *(parameter.name for parameter in parameters)])
    for statement in statements(body):
        if isinstance(statement, Together):
            inside = Counter(names_set(statement.body))
            if any(everywhere[name] != number for name, number in inside.items()):
                return False
    return True


def is_somebody(chooser: Expression) -> bool:
    """Whether who is asked can be said without looking anything up that may not be there."""
    return isinstance(chooser, Local | Constant) or (isinstance(chooser, ReadVariable) and not chooser.index)


@dataclass(slots=True)
class Around:
    """A loop of the generated code that is being written: jumps to its label end it."""

    label: str
    is_far: bool = False  # whether a jump from inside another loop ends it
    beyond: set[str] = field(default_factory=set)  # the labels of loops around it that jumps inside it end


class StraightWriter:
    """Writes functions that never stop. What asks nobody is written by the emitter, as everywhere."""

    def __init__(self, emitter: Emitter, cutter: Cutter) -> None:
        self.emitter = emitter
        self.cutter = cutter
        self.around: list[Around] = []

    def routine(self, routine: Routine) -> ast.FunctionDef:
        """A routine that asks, as a function."""
        body = routine.body or ()
        if self.emitter.counts_calls:
            body = (Act(routine.span, CALLED), *body)
        return self.function(python_name(routine), callable_parameters(routine), body, routine.span)

    def function(self, name: str, parameters: list[str], body: Body, span: Span) -> ast.FunctionDef:
        """A function of some rules."""
        self.emitter.file = span.file
        return plain_function(self.emitter, name, parameters, self.body(body), span)

    def body(self, body: Body) -> list[ast.stmt]:
        """Statements, one after another."""
        found = [written for statement in body for written in self.statement(statement)]
        return found or [ast.Pass(**self.emitter.where)]

    def statement(self, node: Statement) -> list[ast.stmt]:
        """One statement."""
        emitter = self.emitter
        if self.cutter.straight(node):
            return emitter.statement(node)
        match node:
            case Branch(test=test, then=then, otherwise=otherwise):
                condition = emitter.expr(test)
                yes, no = self.body(then), self.body(otherwise) if otherwise else []
                emitter.at(node.span)
                return [ast.If(condition, yes, no, **emitter.where)]
            case Labelled(body=body, label=label):
                return self.stretch(body, label, node.span)
            case Jump(label=label):
                return self.jump(label, node.span)
            case Each(binder=binder, source=source, body=body, label=label):
                listed = emitter.expr(source)
                if isinstance(source, Pile):
                    listed = emitter.call("list", listed)
                listed = emitter.meter(listed, source.type)
                return self.each(binder, listed, lambda: self.body(body), label, node.span)
            case Loop(test=test_, until=until, body=body, label=label):
                tested = emitter.expr(test_) if test_ is not None else emitter.number(1)
                return self.loop(tested, [], body, emitter.expr(until) if until is not None else None, label, node.span)
            case Times(count=count, body=body, label=label):
                return self.times(emitter.expr(count), body, label, node.span)
            case Together(binder=binder, source=source, body=body, label=label):
                people = emitter.expr(source)
                emitter.at(node.span)
                listed = emitter.call("each_once", people)
                found = self.each(
                    binder, listed, lambda: self.stretch(body, label, node.span), f"{label}_all", node.span
                )
                return [*found, *([emitter.drain()] if emitter.drains else [])]
            case Ask(result=result):
                answer = emitter.assign(f"l_{result}", self.answer(node))
                # Who is asked makes no difference, but that there is somebody.
                return [answer] if is_somebody(node.chooser) else [emitter.do(emitter.expr(node.chooser)), answer]
            case Race(entrants=entrants, must=must, result=result):
                order = [emitter.expr(entrants), emitter.expr(must)]
                emitter.at(node.span)
                return [emitter.assign(f"l_{result}", emitter.call("in_any_order", emitter.name("s"), *order))]
            case _:
                return emitter.statement(node)

    def answer(self, ask: Ask) -> ast.expr:
        """What chance answers to a question."""
        emitter, site = self.emitter, ask.site
        s, offered = emitter.name("s"), questions.options(emitter, ask)
        nothing, may_pass = emitter.number(questions.nothing(ask)), emitter.number(int(site.may_pass))
        if site.kind == "several":
            bounds = questions.bounds(emitter, ask, emitter.name("o"))
            kept = ast.NamedExpr(emitter.store("o"), offered, **emitter.where)
            return emitter.call("several", s, kept, bounds, may_pass, emitter.number(int(site.always)))
        if site.always:
            return emitter.call("asked_anyhow", s, offered, nothing, may_pass)
        return emitter.call("one_or_pass" if site.may_pass else "one", s, offered, nothing)

    # --- loops, and what ends them --------------------------------------------------------------------------------------

    def each(
        self, binder: str, listed: ast.expr, write: Callable[[], list[ast.stmt]], label: str, span: Span
    ) -> list[ast.stmt]:
        """A loop over a list."""
        emitter = self.emitter
        around, inner = self.inside(label, write)
        emitter.at(span)
        return self.ended(around, ast.For(emitter.store(f"l_{binder}"), listed, inner, [], **emitter.where))

    def loop(
        self, test: ast.expr, first: list[ast.stmt], body: Body, until: ast.expr | None, label: str, span: Span
    ) -> list[ast.stmt]:
        """A loop that goes on while a test holds; each pass is counted."""
        emitter = self.emitter
        around, inner = self.inside(label, lambda: self.body(body))
        emitter.at(span)
        if until is not None:
            inner.append(ast.If(until, [ast.Break(**emitter.where)], [], **emitter.where))
        counted = emitter.do(emitter.call("passed", emitter.name("s")))
        return self.ended(around, ast.While(test, [counted, *first, *inner], [], **emitter.where))

    def times(self, count: ast.expr, body: Body, label: str, span: Span) -> list[ast.stmt]:
        """A number of passes, worked out once."""
        emitter = self.emitter
        emitter.counters += 1
        left = f"n{emitter.counters}"
        emitter.at(span)
        start = emitter.assign(left, count)
        fewer = emitter.assign(left, emitter.line("{0} - 1", emitter.name(left)))
        return [start, *self.loop(emitter.line("{0} > 0", emitter.name(left)), [fewer], body, None, label, span)]

    def stretch(self, body: Body, label: str, span: Span) -> list[ast.stmt]:
        """Statements that a jump can end: a loop of one pass, where there is such a jump."""
        if not any(isinstance(inner, Jump) and inner.label == label for inner in statements(body)):
            return self.body(body)
        emitter = self.emitter
        around, inner = self.inside(label, lambda: self.body(body))
        emitter.at(span)
        once = [*inner, ast.Break(**emitter.where)]
        return self.ended(around, ast.While(emitter.number(1), once, [], **emitter.where))

    def inside(self, label: str, write: Callable[[], list[ast.stmt]]) -> tuple[Around, list[ast.stmt]]:
        """What is written inside a loop."""
        around = Around(label)
        self.around.append(around)
        inner = write()
        self.around.pop()
        return around, inner

    def jump(self, label: str, span: Span) -> list[ast.stmt]:
        """To just behind a loop: out of the innermost one, and of all that lie between, which look whether they are meant."""
        emitter = self.emitter
        emitter.at(span)
        leave: list[ast.stmt] = [ast.Break(**emitter.where)]
        if self.around[-1].label == label:
            return leave
        for around in reversed(self.around):
            if around.label == label:
                around.is_far = True
                break
            around.beyond.add(label)
        return [emitter.assign(f"j_{label}", emitter.number(1)), *leave]

    def ended(self, around: Around, loop: ast.stmt) -> list[ast.stmt]:
        """A loop, and after it the way on out of those around it."""
        emitter = self.emitter
        found = [loop]
        if around.is_far:
            found.insert(0, emitter.assign(f"j_{around.label}", emitter.number(0)))
        for label in sorted(around.beyond):
            found.append(ast.If(emitter.name(f"j_{label}"), [ast.Break(**emitter.where)], [], **emitter.where))
        return found
