"""Checks statements: syntax tree in, checked tree out. Callables, loops, and one case for each statement."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from houserule.diagnostics import Span
from houserule.language import nodes
from houserule.language.blocks import StepLabels
from houserule.language.checked import (
    Branch,
    Constant,
    Each,
    EndGame,
    Expression,
    Jump,
    Labelled,
    Local,
    Loop,
    Return,
    SetLocal,
    Statement,
    Tell,
    Times,
    statements,
)
from houserule.language.fitting import snapshot
from houserule.language.local_names import widest
from houserule.language.performs import Performs
from houserule.language.reached import diverges, leaves, with_result
from houserule.language.symbols import Routine
from houserule.language.types import PLAYER, UNKNOWN, List, NoValue, join, maybe, none_of

OWN_CONTEXT = (
    "scopes", "narrowed", "me", "me_inherited", "this", "current", "taken", "loops", "finish", "steps", "in_function", "in_together",
    "assigned", "locals_made", "step_path", "missing_me_said", "kept", "origins", "nobody",
)  # fmt: skip
"""What belongs to the routine that is being checked."""


class Checker(Performs):
    """Checks effects. One is made for each number of players; routines are checked when they are first needed."""

    def routine(self, routine: Routine) -> None:
        """Check the body of a routine, once, with a context of its own.

        One that calls itself is checked twice: first to learn the type of its result, then knowing it.
        """
        if routine.state != "unchecked" or routine.source is None:
            return
        self.checking.append(routine)
        sites = len(self.sites)
        self.body_of(routine)
        if routine in self.awaited:
            self.awaited.discard(routine)
            del self.sites[sites:]
            routine.result = widest(routine.result)
            self.body_of(routine)
        self.checking.pop()
        if routine in self.doubtful:
            self.doubtful.discard(routine)
            routine.state, routine.result = "unchecked", None
            del self.sites[sites:]

    def await_result(self, routine: Routine) -> None:
        """The result of a routine that is being checked is wanted: what lies between has to be checked again."""
        if routine in self.checking and routine.result is None:
            self.awaited.add(routine)
            self.doubtful.update(self.checking[self.checking.index(routine) + 1 :])

    def body_of(self, routine: Routine) -> None:
        """Check the body of a routine in a context of its own."""
        assert routine.source is not None
        routine.state = "checking"
        keep = {name: getattr(self, name) for name in OWN_CONTEXT}
        self.scopes, self.narrowed, self.taken = [{}], {}, {"me", "this"}
        self.me = None if routine.is_trigger else Local(routine.span, PLAYER, "me")
        self.me_inherited, self.current = not routine.is_trigger, routine
        self.nobody = (
            "`as p: …` makes p me inside, with p from the event: `c leaves hand of p`"
            if routine.is_trigger
            else self.nobody
        )
        self.this = Local(routine.span, routine.this, "this") if routine.this is not None else None
        self.loops, self.finish, self.steps, self.in_function, self.in_together = (
            [],
            None,
            [],
            routine.is_function,
            False,
        )
        self.assigned, self.locals_made, self.step_path, self.missing_me_said = {}, [], "", False
        self.kept, self.origins = frozenset(), {}
        for parameter in routine.parameters:
            if parameter.name is not None:
                self.bind_new(parameter.name, parameter.type, parameter.span, "parameter")
        source = routine.source
        self.prepare(source)
        if isinstance(source, nodes.Block):
            body = self.block(source)
            ends = not diverges(body)
            if routine.is_function and ends:
                self.error(
                    "HR541",
                    f"function '{routine.name}' can end without a result",
                    routine.span,
                    "finish with … on every way through it",
                )
            elif routine.result is not None and (
                ends or any(isinstance(s, Return) and s.value is None for s in statements(body))
            ):
                routine.result = maybe(routine.result)
                nothing = Constant(routine.span, routine.result, none_of(routine.result))
                body = (*with_result(body, nothing), Return(routine.span, nothing))
        else:
            value = self.result_value(source)
            routine.result = value.type if routine.result is None else join(routine.result, value.type) or value.type
            body = (Return(source.span, value),)
        if routine.result is None:
            routine.result = NoValue()
        routine.body = body
        routine.state = "checked"
        self.report_unread(self.locals_made)
        for name, value_ in keep.items():
            setattr(self, name, value_)

    def result_value(self, node: nodes.Expression) -> Expression:
        """What a routine gives back: a pile as a snapshot."""
        return snapshot(self.expr(node))

    def statement(self, node: nodes.Statement) -> list[Statement]:
        """One statement as checked statements."""
        match node:
            case nodes.Assign():
                return self.assign(node)
            case nodes.Command():
                return self.command(node)
            case nodes.Say(span, to, text):
                self.forbid_change("say anything", span)
                listener = self.coerce(self.expr(to, PLAYER), PLAYER, to, "who is told") if to is not None else None
                return [Tell(span, listener, text.raw, self.text_parts(text))]
            case nodes.If(span, test, then, otherwise):
                condition, yes, no = self.condition(test)
                a, after = self.branch(then, yes)
                b, end = self.branch(otherwise, no)
                self.meet(after, end)
                if isinstance(condition, Constant):
                    role = "then" if condition.value else "else"
                    return [Labelled(span, a if condition.value else b, self.label("sure"), role)]
                return [Branch(span, condition, a, b)]
            case nodes.For():
                return self.for_each(node)
            case nodes.While(span, test, body):
                self.forget_assigned(body)
                condition, yes, no = self.condition(test)
                label = self.label("while")
                self.loops.append(label)
                inner, _ = self.branch(body, yes)
                self.loops.pop()
                self.forget_state()
                if isinstance(condition, Constant) and condition.value and not leaves(inner, label):
                    self.error(
                        "HR561",
                        "this loop never ends: its condition is always true and nothing leaves it",
                        test.span,
                        "`leave` ends the innermost loop",
                    )
                return [Loop(span, condition, None, inner, label)]
            case nodes.Repeat(span, count, body):
                times = self.number(count)
                self.forget_assigned(body)
                label = self.label("repeat")
                self.loops.append(label)
                inner, _ = self.branch(body, {})
                self.loops.pop()
                self.forget_state()
                return [Times(span, times, inner, label)]
            case nodes.Leave(span, step):
                return self.leave(span, step)
            case nodes.Finish(span, step):
                return self.finish_statement(span, step)
            case nodes.FinishWith(span, expression):
                return self.finish_with(span, expression)
            case nodes.EndGame(span):
                self.forbid_change("end the game", span)
                if self.in_together:
                    self.error(
                        "HR532",
                        "`end game` cannot stand in a together",
                        span,
                        "set a variable, and end the game after it",
                    )
                return [EndGame(span)]
            case nodes.Nothing():
                return []
            case nodes.Choose():
                return self.choose(node)
            case nodes.Menu():
                return self.menu(node)
            case nodes.Perform():
                return self.perform(node)
            case nodes.As(span, player, body):
                if self.in_together:
                    self.error("HR532", "`as` cannot stand in a together: everybody acts for themselves there", span)
                someone = self.coerce(self.expr(player, PLAYER), PLAYER, player, "who is me inside")
                unique = self.fresh("me")
                inner = self.as_me(Local(span, PLAYER, unique), body)
                return [SetLocal(span, unique, someone), *inner]
            case nodes.Together():
                return self.together(
                    node.span, node.binder, node.binder_span, node.source, lambda: self.block(node.body)
                )
            case nodes.Race():
                return self.race(node)
            case _:
                assert_never(node)

    def for_each(self, node: nodes.For) -> list[Statement]:
        """`for x in S: …`."""
        listed = node.source
        if isinstance(listed, nodes.Selection) and listed.binder is None and listed.value is None:
            listed = replace(listed, binder=node.binder, binder_span=node.binder_span)
        source = self.items(listed)
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        self.forget_assigned(node.body)
        self.scopes.append({})
        before = self.narrowed
        made = self.bind_new(node.binder, element, node.binder_span, "loop")
        self.found_in(made, source)
        label = self.label("for")
        self.loops.append(label)
        body = self.block(node.body)
        self.loops.pop()
        self.scopes.pop()
        self.narrowed = before
        self.forget_state()
        return [Each(node.span, made.unique, snapshot(source), body, label)]

    def leave(self, span: Span, step: str | None) -> list[Statement]:
        """`leave`, `leave STEP`."""
        if step is None:
            if not self.loops:
                self.error(
                    "HR541",
                    "there is no loop around this `leave`",
                    span,
                    "`leave STEP` ends the repetition of a step, `finish` this action or turn",
                )
                return []
            return [Jump(span, self.loops[-1])]
        labels = self.step_around(step, span)
        return [Jump(span, labels.repetition)] if labels else []

    def finish_statement(self, span: Span, step: str | None) -> list[Statement]:
        """`finish`, `finish STEP`."""
        if step is not None:
            labels = self.step_around(step, span)
            return [Jump(span, labels.one_pass)] if labels else []
        if self.in_function:
            self.error("HR541", "a function finishes with a result", span, "finish with …")
        return [Jump(span, self.finish)] if self.finish is not None else [Return(span, None)]

    def step_around(self, step: str, span: Span) -> StepLabels | None:
        """The step of that name around this effect."""
        for labels in reversed(self.steps):
            if labels.name == step or labels.path == step:
                if self.in_together:
                    self.error("HR541", f"`finish {step}` and `leave {step}` cannot stand in a together", span)
                    return None
                return labels
        names = [labels.name for labels in self.steps]
        if not names:
            self.error(
                "HR541",
                f"only the `do` of a step can finish or leave a step, and only one that is around it; '{step}' is not",
                span,
            )
        else:
            message = f"'{step}' is no step around this"
            self.misnamed("HR541", message, span.last(len(step)), step, names, f"around this: {', '.join(names)}")
        return None

    def finish_with(self, span: Span, node: nodes.Expression) -> list[Statement]:
        """`finish with e`."""
        value = self.result_value(node)
        if self.current is None or self.finish is not None:
            self.error("HR541", "only an action or a function has a result", span, "`finish` alone ends this turn")
            return []
        joined = value.type if self.current.result is None else join(self.current.result, value.type)
        if joined is None:
            self.error(
                "HR510",
                f"'{self.current.name}' finishes with {self.current.result} elsewhere, here with {value.type}",
                node.span,
            )
            joined = UNKNOWN
        self.current.result = joined
        return [Return(span, value)]
