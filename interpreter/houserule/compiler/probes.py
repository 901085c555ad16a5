"""Instruments rules: a copy of them with probes that mark each rule when it runs.

A probe stands for a place in a rule file: a step, an effect, one way of a branch, a line. Later optimisations
(folding, unrolling, tabulation) do not matter: the probe is put into the checked tree before them, and
rules that are unreachable with these players and options have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from houserule.compiler.emitter import Emitter
from houserule.compiler.tables import tabulate
from houserule.definition.check import CheckedGame
from houserule.definition.flow import ScoreLine, Winner
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import checked as c
from houserule.language import types
from houserule.language.trees import changed, everything, inner_parts
from houserule.language.types import BOOL, MARK, MARKED, NUMBER, OR_NOT, WAY


@dataclass(frozen=True, slots=True)
class Probe:
    """A place in the rules that runs or not.

    `kind` is step, branch or line, `piece` or `member` for an effect of one, `trigger` for the effect of a trigger, `effect` for
    all others. `name` is the path of a step, `action pick`, `mushroom.truffle.found`; for a branch, the word that
    it is written with. `way` is the way of a branch, in an author's words; "" for all others.
    """

    kind: str
    span: Span
    name: str
    way: str = ""

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        return self.kind, self.span.file, self.span.line, self.span.column, self.way


@frozen
class Probed:
    """The rules of a checked game with probes in them, and the probes by number.

    `bodies` are those of the instrumented routines. `reachable` are the probes that a match can reach with the right
    chance and choices.
    """

    flow: c.Body
    lines: tuple[ScoreLine, ...]
    winner: Winner | None
    bodies: Mapping[c.Routine, c.Body]
    probes: Sequence[Probe]
    reachable: Set[int]


def probe(game: CheckedGame) -> Probed:
    """The rules of a checked game with probes in them; the game itself does not change."""
    return Prober(game).probe()


class Prober:
    """Walks over a game from the start of a match along its calls; then over the rest."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.probes: list[Probe] = []
        self.reachable: set[int] = set()
        self.bodies: dict[c.Routine, c.Body] = {}
        self.numbers: dict[tuple[str, str, int, int, str], int] = {}
        emitter = Emitter(game.symbols, game.secrets, told=False)
        tabulate(emitter)
        self.folding = emitter.folding
        symbols, definition = game.symbols, game.definition
        self.authored = {
            id(routine)
            for routine in (*game.routines, *game.inner)
            if (routine.is_trigger and routine.name.removeprefix("trigger ") in definition.triggers)
            or (routine.this is not None and routine.source is not None)
            or (routine.name in definition.functions and routine is symbols.functions.get(routine.name))
            or (routine.name in definition.actions and routine is symbols.actions.get(routine.name))
            or routine in game.inner
            or routine.imagined_in
        } - {id(action) for action in game.inner.values()}
        self.waiting: list[c.Routine] = []
        self.met: set[int] = set()
        self.is_reachable = True
        self.path = ""  # the current step; "" outside the flow
        self.inside = True  # an effect or function, not the frame of the flow around it

    # --- the whole ------------------------------------------------------------------------------------------------------------

    def probe(self) -> Probed:
        """Instrument everything."""
        game, winner = self.game, self.game.winner
        self.inside = False
        flow = self.body(game.flow)
        self.inside = True
        lines = tuple(replace(line, points=self.points(line)) for line in game.lines)
        if winner is not None:
            winner = replace(winner, key=tuple(self.expression(key) for key in winner.key))
        for trigger in game.symbols.triggers:
            self.meet(trigger.routine)
        self.go_through_waiting()
        self.is_reachable = False
        for routine in dict.fromkeys(game.routines):
            self.meet(routine)
            self.go_through_waiting()
        return Probed(flow, lines, winner, self.bodies, self.probes, self.reachable)

    def points(self, line: ScoreLine) -> c.Expression:
        """Mark the points of a line when they are computed."""
        points = self.expression(line.points)
        return c.Apply(points.span, NUMBER, MARKED, (self.number("line", points.span), points))

    def meet(self, routine: c.Routine) -> None:
        if id(routine) not in self.met:
            self.met.add(id(routine))
            self.waiting.append(routine)

    def go_through_waiting(self) -> None:
        while self.waiting:
            routine = self.waiting.pop()
            if routine.body is None:
                continue
            if id(routine) in self.authored:
                self.bodies[routine] = self.trigger(routine) if routine.is_trigger else self.routine(routine)
                continue
            for one in everything(routine.body):
                for callee in one.callees if isinstance(one, c.Call | c.Perform) else ():
                    self.meet(callee)

    def routine(self, routine: c.Routine) -> c.Body:
        """The body of a function, an action or a piece's effect."""
        body = self.body(routine.body or ())
        if routine.is_function:
            return body
        if routine.this is None:
            return (self.mark("effect", routine.span, f"action {self.game.inner.get(routine, routine).name}"), *body)
        kind = self.game.symbols.kinds[routine.name.partition(".")[0]]
        return (self.mark("piece" if kind.is_piece else "member", routine.span, routine.name), *body)

    def trigger(self, routine: c.Routine) -> c.Body:
        """The body of a trigger: it counts as run if its `when` held."""
        name = routine.name.removeprefix("trigger ")
        body = routine.body or ()
        if self.game.definition.triggers[name].when is None:
            return (self.mark("trigger", routine.span, name), *self.body(body))
        match body:
            case (c.Branch(span=span, test=test, then=then),):
                sure = self.decided(test)
                if sure is None:
                    tested = self.tested(test, span, "when", "true", "false")
                    done = (self.mark("trigger", routine.span, name), *self.body(then))
                    return (c.Branch(span, tested, done, ()),)
                holds, inner = sure, then
            case (c.Labelled(span=span, body=inner, role=role),):
                holds = role == "then"
            case _:
                raise AssertionError(body)
        if not holds:
            return (self.mark("branch", span, "when", "false"),)
        ran = (self.mark("branch", span, "when", "true"), self.mark("trigger", routine.span, name))
        return (*ran, *self.body(inner))

    def decided(self, test: c.Expression) -> bool | None:
        """The constant value of a condition with these players and options; None if it is not constant."""
        found = self.folding.fold(test, {})
        return bool(found.value) if isinstance(found, c.Constant) else None

    # --- probes ---------------------------------------------------------------------------------------------------------------

    def number(self, kind: str, span: Span, name: str = "", way: str = "") -> c.Constant:
        """The number of a probe; each place has one."""
        made = Probe(kind, span, name, way)
        number = self.numbers.setdefault(made.key, len(self.probes))
        if number == len(self.probes):
            self.probes.append(made)
        if self.is_reachable:
            self.reachable.add(number)
        return c.Constant(span, NUMBER, number)

    def mark(self, kind: str, span: Span, name: str, way: str = "") -> c.Statement:
        return c.Act(span, MARK, (self.number(kind, span, name, way),))

    def tested(self, test: c.Expression, span: Span, name: str, yes: str, no: str | None) -> c.Expression:
        """A condition that marks its outcome; `no` is None if another probe covers the other way."""
        if isinstance(test, c.Apply) and test.operator is OR_NOT and self.is_started(test.arguments[1]):
            own = self.tested(test.arguments[0], span, name, yes, no)
            return replace(test, arguments=(own, test.arguments[1]))
        inner = self.expression(test)
        other = self.number("branch", span, name, no) if no is not None else c.Constant(span, NUMBER, -1)
        return c.Apply(test.span, BOOL, WAY, (inner, self.number("branch", span, name, yes), other))

    def is_frame(self, test: c.Expression) -> bool:
        """Whether a condition outside all effects belongs to the language itself: where a scenario begins, and whose turns are skipped."""
        match test:
            case c.Apply(operator=types.OR_NOT, arguments=(inner, _)):
                return self.is_frame(inner)
            case c.Apply(operator=types.NOT, arguments=(c.Call(function=function),)):
                return function.is_of_me and not self.inside
            case _:
                return self.is_started(test)

    def is_started(self, test: c.Expression) -> bool:
        """Whether it is the local that says whether a scenario has reached its start."""
        return isinstance(test, c.Local) and test.name == self.game.started

    # --- statements -----------------------------------------------------------------------------------------------------------

    def body(self, body: c.Body) -> c.Body:
        """Statements, with each line marked."""
        found: list[c.Statement] = []
        asked: dict[str, c.Ask] = {}
        line = 0
        for position, statement in enumerate(body):
            span = statement.span
            if self.inside and span.line != line:
                line = span.line
                found.append(self.mark("line", Span(span.file, line, 1, line, 1), ""))
            match statement:
                case c.Ask(result=result):
                    asked[result] = statement
                    found.append(self.asking(statement))
                    if statement.site.kind == "menu" and not self.is_line(
                        body[position + 1 : position + 2], statement, 0
                    ):
                        found.append(self.chosen(statement, 0))
                case _:
                    found += self.statement(statement, asked)
        return tuple(found)

    def statement(self, statement: c.Statement, asked: dict[str, c.Ask]) -> c.Body:
        """One statement that can contain others."""
        match statement:
            case c.Branch(
                test=c.Apply(arguments=(c.Local(name=name) | c.Apply(arguments=(c.Local(name=name), *_)), *_))
            ) if name in asked:
                ask = asked[name]
                return self.lines(ask, (statement,), 0) if ask.site.kind == "menu" else self.answered(ask, statement)
            case c.Branch():
                return self.branch(statement)
            case c.Loop(span=span, test=test) if test is not None:
                return self.loop(statement, test)
            case c.Labelled(span=span, body=body, role="then" | "else" as role):
                if role == "else" and goes_on(body):
                    return (replace(statement, body=self.body(body)),)
                way = "true" if role == "then" else "false"
                return (replace(statement, body=(self.mark("branch", span, "if", way), *self.body(body))),)
            case c.Labelled(span=span, body=body, role="do"):
                self.inside = True
                done = (self.mark("effect", span, f"step {self.path}"), *self.body(body))
                self.inside = False
                return (replace(statement, body=done),)
            case c.Enter(span=span, step=path, me=None):
                self.path = path
                return (statement, self.mark("step", span, path))
            case c.Perform():
                for callee in statement.callees:
                    self.meet(callee)
                return (self.under(statement),)
            case _:
                return (self.under(statement),)

    def branch(self, statement: c.Branch) -> c.Body:
        """An `if`, or the `when` of a step."""
        span, test = statement.span, statement.test
        if self.is_frame(test):
            return (replace(statement, then=self.body(statement.then)),)
        name = "if" if self.inside else "when"
        sure = self.decided(test)
        if sure is None:
            tested = self.tested(test, span, name, "true", None if goes_on(statement.otherwise) else "false")
            return (c.Branch(span, tested, self.body(statement.then), self.body(statement.otherwise)),)
        taken = self.body(statement.then if sure else statement.otherwise)
        if goes_on(statement.otherwise) and not sure:
            return taken
        return (self.mark("branch", span, name, "true" if sure else "false"), *taken)

    def loop(self, statement: c.Loop, test: c.Expression) -> c.Body:
        """A `while`: entered or skipped."""
        span = statement.span
        sure = self.decided(test)
        if sure is False:
            return (self.mark("branch", span, "while", "left out"),)
        until = self.expression(statement.until) if statement.until is not None else None
        inner = replace(statement, test=self.expression(test), until=until, body=self.body(statement.body))
        if sure:
            return (inner,)
        return (c.Branch(span, self.tested(test, span, "while", "entered", "left out"), (inner,), ()),)

    def asking(self, ask: c.Ask) -> c.Ask:
        """A question: the condition of each line of a menu marks whether the line is offered."""
        made: c.Ask = self.under(ask)
        if ask.passes is not None and self.decided(ask.passes) is None:
            made = replace(made, passes=self.tested(ask.passes, ask.passes.span, "when", "true", "false"))
        if ask.site.kind != "menu":
            return made
        whens: list[c.Expression | None] = []
        for when in ask.whens:
            if when is None or self.decided(when) is not None:
                whens.append(when)
            else:
                whens.append(self.tested(when, when.span, "when", "true", "false"))
        return replace(made, whens=tuple(whens))

    def answered(self, ask: c.Ask, statement: c.Branch) -> c.Body:
        """The body of a `choose`, and what happens without an answer if the author provides for it: `else`, `or pass`."""
        no = "without an answer" if statement.otherwise or ask.site.may_pass else None
        tested = self.tested(statement.test, ask.span, "choose", "with an answer", no)
        return (c.Branch(statement.span, tested, self.body(statement.then), self.body(statement.otherwise)),)

    def is_line(self, body: c.Body, ask: c.Ask, number: int) -> bool:
        """Whether statements branch on that line of the menu."""
        match body:
            case (c.Branch(test=c.Apply(operator=types.EQUAL, arguments=(taken, c.Constant(value=line)))),):
                answer = taken.arguments[0] if isinstance(taken, c.Apply) and ask.site.values else taken
                return isinstance(answer, c.Local) and answer.name == ask.result and line == number
        return False

    def lines(self, ask: c.Ask, body: c.Body, number: int) -> c.Body:
        """The branches for the lines of a menu from this one on, or none."""
        match body:
            case (c.Branch(then=then, otherwise=otherwise) as branch,) if self.is_line(body, ask, number):
                rest = self.lines(ask, otherwise, number + 1)
                return (replace(branch, then=(*self.chosen_if_offered(ask, number), *self.body(then)), otherwise=rest),)
        if number < len(ask.site.labels):
            return (*self.chosen_if_offered(ask, number), *self.body(body))
        if ask.site.may_pass or (body and all(when is not None for when in ask.whens)):
            return (self.mark("branch", ask.span, "choose", "without an answer"), *self.body(body))
        return self.body(body)

    def chosen_if_offered(self, ask: c.Ask, number: int) -> c.Body:
        """A probe for the choice of a line; nothing if players and options hide it."""
        when = ask.whens[number] if ask.whens else None
        return () if when is not None and self.decided(when) is False else (self.chosen(ask, number),)

    def chosen(self, ask: c.Ask, number: int) -> c.Statement:
        return self.mark("branch", ask.site.label_spans[number], "menu", ask.site.labels[number][0])

    # --- parents --------------------------------------------------------------------------------------------------------------

    def under(self, node: Any) -> Any:
        """A statement or expression with everything in it visited; itself if nothing in it is marked."""
        return changed(node, **{name: self.part(part) for name, part in inner_parts(node)})

    def part(self, part: Any) -> Any:
        """What a field holds, visited: statements, an expression, or several."""
        match part:
            case (c.Placed(), *_):
                return self.body(part)
            case tuple():
                return tuple(self.part(one) if isinstance(one, c.Checked) else one for one in part)
            case c.Checked():
                return self.expression(part)  # type: ignore[arg-type]  # all classes of `Checked` are in `Expression`
            case _:
                return part

    def expression(self, node: c.Expression) -> c.Expression:
        """An expression whose conditions mark their outcomes."""
        match node:
            case c.Call(function=function):
                self.meet(function)
            case c.Apply(operator=types.CONDITIONAL, arguments=(then, test, otherwise)):
                is_when = isinstance(otherwise, c.Constant) and otherwise.span == node.span
                sure, marked = self.condition(test, "when" if is_when else "if … else")
                first = then if sure is False else self.expression(then)
                rest = otherwise if sure else self.expression(otherwise)
                return replace(node, arguments=(first, marked, rest))
            case c.EitherPile(test=test):
                return replace(node, test=self.condition(test, "if … else")[1])
            case _:
                pass
        made: c.Expression = self.under(node)
        return made

    def condition(self, test: c.Expression, name: str) -> tuple[bool | None, c.Expression]:
        """The outcome of a condition inside an expression, if it is constant; and the same condition, marked."""
        span = test.span
        sure = self.decided(test)
        if sure is None:
            return sure, self.tested(test, span, name, "true", "false")
        number = self.number("branch", span, name, "true" if sure else "false")
        arguments = (c.Constant(span, BOOL, int(sure)), number, number)
        return sure, c.Apply(span, BOOL, WAY, arguments)


def goes_on(otherwise: c.Body) -> bool:
    """Whether an `else` is an `elif`, whose own probes cover it."""
    match otherwise:
        case (c.Branch(),) | (c.Labelled(role="then" | "else"),):
            return True
    return False
