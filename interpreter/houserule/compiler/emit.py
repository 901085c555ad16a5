"""Emits Python: checked expressions and statements in, nodes of Python's own `ast` out, each placed where its rule stands.

Generated code lives in a closed world: it sees the state `s`, its lists `v` (variables), `z` (zones), `w` (where each piece
is), the constants of the program, and the runtime of the operations. Authors' names are prefixed, builtins are closed off.
"""

from __future__ import annotations

import ast
from typing import assert_never

from houserule.compiler.expressions import ITEM, Expressions
from houserule.compiler.writer import python_name, run_together
from houserule.diagnostics import Span
from houserule.language.checked import (
    Act,
    AllPieces,
    Apply,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    EitherPile,
    EndGame,
    Enter,
    Jump,
    Labelled,
    Local,
    Loop,
    Parts,
    Pause,
    Perform,
    Pile,
    Race,
    ReadVariable,
    Reset,
    Return,
    SetLocal,
    SetVariable,
    Statement,
    Tell,
    Times,
    Together,
)
from houserule.language.symbols import SymbolTable, Variable
from houserule.language.types import GREATEST, LEAST, Int, List, Maybe, none_of, plain
from houserule.operations import VERBS

SWAP_PIECES = VERBS["swap"].operators["piece"]


class Emitter(Expressions):
    """Emits for one symbol table and flavour: expressions, and the statements that ask nobody."""

    def __init__(self, symbols: SymbolTable, told: bool) -> None:
        super().__init__(symbols, told)
        self.texts: list[tuple[str, Parts]] = []
        self.hooks: dict[str, list[int]] = {}  # triggers of `changes`, by variable
        self.left: set[str] = set()  # zones that a trigger of `leaves` waits for
        self.entered: set[str] = set()
        self.drains = False  # whether triggers that ask nobody have their turn right after what caused them

    def body(self, body: Body) -> list[ast.stmt]:
        """Statements that ask nobody."""
        found: list[ast.stmt] = []
        for statement in body:
            found += self.statement(statement)
        return found or [ast.Pass(**self.where)]

    def statement(self, node: Statement) -> list[ast.stmt]:
        """One statement that asks nobody."""
        match node:
            case SetLocal(name=name, value=value, bounded=bounded):
                made = self.expr(value)
                self.at(node.span)
                return [self.assign(f"l_{name}", self.call("whole", made) if bounded else made)]
            case SetVariable():
                return self.set_variable(node)
            case Act():
                return self.act(node)
            case Tell():
                return self.tell(node)
            case Branch(test=test, then=then, otherwise=otherwise):
                test = self.fold(test)
                if isinstance(test, Constant):
                    return self.body(then if test.value else otherwise)
                condition = self.condition(test)
                yes, no = self.body(then), self.body(otherwise) if otherwise else []
                self.at(node.span)
                return [ast.If(condition, yes, no, **self.where)]
            case Each(binder=binder, source=source, body=body):
                listed = self.meter(self.expr(source), source.type)
                inner = self.body(body)
                self.at(node.span)
                return [ast.For(self.store(f"l_{binder}"), listed, inner, [], **self.where)]
            case Loop():
                return self.loop(node)
            case Times(count=count, body=body):
                passes = self.call("passes", self.name("s"), self.expr(count))
                inner = self.body(body)
                self.at(node.span)
                return [ast.For(self.store("_"), passes, inner, [], **self.where)]
            case Labelled(body=body):
                return self.body(body)
            case Jump():
                self.at(node.span)
                return [ast.Break(**self.where)]
            case Return(value=value):
                result = self.expr(value) if value is not None else None
                self.at(node.span)
                return [self.returned(result)]
            case EndGame():
                self.at(node.span)
                return [ast.Raise(self.name("OVER"), None, **self.where)]
            case Perform():
                return self.invoke(node)
            case Reset(variables=variables):
                return self.reset(node.span, variables)
            case Enter(step=step, me=me):
                player = self.expr(me) if me is not None and self.told else None
                self.at(node.span)
                if not self.told:
                    return []
                return [self.log("turn", player) if player else self.log("step", ast.Constant(step, **self.where))]
            case Ask() | Together() | Race() | Pause():
                raise AssertionError("asks somebody: this is for the segmenter")
            case _:
                assert_never(node)

    def log(self, kind: str, *values: ast.expr) -> ast.stmt:
        """`s.log.append((kind, …))`."""
        event = self.tuple_of([ast.Constant(kind, **self.where), *values])
        return self.do(
            ast.Call(
                ast.Attribute(self.attribute("s", "log"), "append", ast.Load(), **self.where), [event], [], **self.where
            )
        )

    def text(self, raw: str, parts: Parts) -> tuple[ast.expr, ast.expr]:
        """The number of a sentence, and the values that go into it."""
        self.texts.append((raw, parts))
        number = len(self.texts) - 1
        values = []
        for part in parts:
            if isinstance(part, str):
                continue
            value = self.expr(part)
            if isinstance(part.type, List):
                value = self.meter(value, part.type)
            values.append(self.line("tuple({0})", value) if isinstance(part, Pile | AllPieces) else value)
        return self.number(number), self.tuple_of(values)

    def tell(self, node: Tell) -> list[ast.stmt]:
        """A sentence; nothing in the quiet flavour."""
        if not self.told:
            return []
        number, values = self.text(node.raw, node.parts)
        to = self.expr(node.to) if node.to is not None else self.number(-1)
        self.at(node.span)
        return [self.log("say", number, values, to)]

    def set_variable(self, node: SetVariable) -> list[ast.stmt]:
        """A variable gets a value: checked, told, and noticed where somebody waits for it."""
        variable = node.target.variable
        value = self.expr(node.value)
        hooks = self.hooks.get(variable.name, [])
        if not node.check and not self.told and not hooks:
            slot = self.slot(variable, node.target.index)
            self.at(node.span)
            return [ast.Assign([self.subscript(self.name("v"), slot, True)], value, **self.where)]
        self.at(node.span)
        found: list[ast.stmt] = [self.assign("t", value)]
        if node.check:
            found.append(self.bounds_check(variable))
        slot = self.slot(variable, node.target.index)
        self.at(node.span)
        if self.told or hooks:
            found.append(self.assign("i", slot))
            slot = self.name("i")
        if hooks:
            found.append(
                self.do(self.call("noticed", self.name("s"), self.name("i"), self.name("t"), self.value(tuple(hooks))))
            )
        if self.told:
            found.append(self.log("set", self.name("i"), self.name("t")))
        found.append(ast.Assign([self.subscript(self.name("v"), slot, True)], self.name("t"), **self.where))
        if hooks and self.drains:
            found.append(self.drain())
        return found

    def bounds_check(self, variable: Variable) -> ast.stmt:
        """A value out of its range is a fault; nothing is ever clamped in silence."""
        type = plain(variable.type)
        low, high = (type.low, type.high) if isinstance(type, Int) else (LEAST, GREATEST)
        test = (
            self.line(f"not {low} <= t <= {high}")
            if not isinstance(variable.type, Maybe)
            else self.line(f"t != {none_of(type)} and not {low} <= t <= {high}")
        )
        said = self.call(
            "out_of_range",
            self.name("t"),
            ast.Constant(variable.name, **self.where),
            self.number(low),
            self.number(high),
        )
        return ast.If(test, [self.do(said)], [], **self.where)

    def act(self, node: Act) -> list[ast.stmt]:
        """A verb at work: piles and variables go in as slots."""
        if node.operator is SWAP_PIECES and self.is_unwatched(node) and (swapped := self.swapped_places(node)):
            return swapped
        values: list[ast.expr | None] = []
        for argument in node.arguments:
            match argument:
                case None:
                    values.append(None)
                case Pile() | EitherPile():
                    values.append(self.pile_slot(argument))
                case ReadVariable(variable=variable, index=index) if variable in node.changes:
                    values.append(self.slot(variable, index))
                case _:
                    values.append(self.expr(argument))
        self.at(node.span)
        unwatched = node.operator.unwatched if self.is_unwatched(node) else ""
        made = self.line(unwatched or node.operator.python, *values, name=node.name)
        found = [self.assign(f"l_{node.result}", made) if node.result is not None else self.do(made)]
        if self.drains and self.sets_off(node):
            found.append(self.drain())
        return found

    def swapped_places(self, node: Act) -> list[ast.stmt]:
        """Two pieces that are named by their known places in one pile change them there; nobody looks for them."""
        match [self.fold(argument) for argument in node.arguments[:2] if argument is not None]:
            case [
                Apply(operator=a, arguments=(Pile() as pile, Constant(value=int(first)), _)),
                Apply(operator=b, arguments=(Pile() as other, Constant(value=int(second)), _)),
            ] if a is ITEM is b and first > 0 < second:
                here, there = self.expr(pile), self.expr(other)
                if ast.dump(here) == ast.dump(there):
                    self.at(node.span)
                    places = self.number(first), self.number(second)
                    return [self.do(self.call("quick_swap_places", here, *places))]
        return []

    def drain(self) -> ast.stmt:
        """Triggers that ask nobody have their turn, if any wait."""
        return ast.If(self.line("s.queue"), [self.do(self.call("drain", self.name("s")))], [], **self.where)

    def sets_off(self, node: Act) -> bool:
        """Whether somebody may wait for what a verb does: for pieces that leave or enter a zone, for a variable."""
        return (
            any(zone.name in self.left for zone in node.leaves)
            or any(zone.name in self.entered for zone in node.enters)
            or any(variable.name in self.hooks for variable in node.changes)
        )

    def is_unwatched(self, node: Act) -> bool:
        """Whether nothing is told of a verb, nobody waits for it, and no zone that it fills can be full."""
        return not self.told and not self.sets_off(node) and all(zone.capacity is None for zone in node.enters)

    def loop(self, node: Loop) -> list[ast.stmt]:
        """While and until; ten thousand passes without a choice are a fault."""
        self.counters += 1
        counter = f"n{self.counters}"
        test = self.condition(self.fold(node.test)) if node.test is not None else self.number(1)
        inner = self.body(node.body)
        until = self.expr(node.until) if node.until is not None else None
        self.at(node.span)
        count = self.assign(counter, self.call("counted", self.name("s"), self.name(counter)))
        if until is not None:
            inner.append(ast.If(until, [ast.Break(**self.where)], [], **self.where))
        return [self.assign(counter, self.number(0)), ast.While(test, [count, *inner], [], **self.where)]

    def invoke(self, node: Perform) -> list[ast.stmt]:
        """An action or effect that asks nobody, as a call."""
        arguments = [self.expr(a) for a in node.arguments]
        me = self.expr(node.me) if node.me is not None else self.number(-1)
        if node.action is not None:
            self.at(node.span)
            made = self.call(python_name(node.action), self.name("s"), me, *arguments)
        else:
            assert node.effect is not None and node.of is not None
            of = self.expr(node.of)
            self.at(node.span)
            slot = node.effect
            again: ast.expr = self.name("t")
            if isinstance(node.of, Local | Constant):
                again = self.expr(node.of)
            else:
                of = ast.NamedExpr(self.store("t"), of, **self.where)
            effect = self.subscript(self.name(f"E_{run_together(slot.kind, slot.name)}"), of)
            made = ast.Call(effect, [self.name("s"), again, me, *arguments], [], **self.where)
        return [self.assign(f"l_{node.result}", made) if node.result is not None else self.do(made)]

    def reset(self, span: Span, variables: tuple[Variable, ...]) -> list[ast.stmt]:
        """Variables back to their starts."""
        self.at(span)
        stretches: list[tuple[int, int]] = []
        for variable in sorted(variables, key=lambda v: v.base):
            low, high = variable.base, variable.base + variable.size
            if stretches and stretches[-1][1] == low:
                low = stretches.pop()[0]
            stretches.append((low, high))
        return [
            self.do(self.call("reset", self.name("s"), self.number(low), self.number(high))) for low, high in stretches
        ]
