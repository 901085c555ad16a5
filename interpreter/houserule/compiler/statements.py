"""Emits statements that ask nobody, and the score sheet, as Python."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import assert_never

from houserule.compiler.emitter import Emitter, plain_function, python_name, python_nodes, run_together
from houserule.compiler.expressions import ITEM, as_condition, expression, is_short, pile_slot, slot_of
from houserule.compiler.imagining import stretches
from houserule.compiler.runtime import MOST_PASSES
from houserule.compiler.work import has_way_out, units
from houserule.definition.flow import Winner
from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language.trees import expressions, parts
from houserule.language.types import CONDITIONAL, GREATEST, LEAST, PASS, Int, List, Maybe, none_of, plain
from houserule.operations import VERBS
from houserule.operations.fuel import GRAINS, LETTER, NAMED

SWAP_PIECES = VERBS["swap"].operators["piece"]
LONG_TEXT = 100
"""The letters of a longer sentence count as work: each recipient has a copy."""


def all_statements(emitter: Emitter, body: c.Body) -> list[ast.stmt]:
    """Statements that ask nobody."""
    found: list[ast.stmt] = []
    for statement in body:
        found += one_statement(emitter, statement)
    return found or [ast.Pass(**emitter.where)]


def do_nothing(statements: list[ast.stmt]) -> bool:
    """Whether the statements have no effect, for example a sentence in a quiet program."""
    return all(isinstance(statement, ast.Pass) for statement in statements)


def leaves_no_trace(test: ast.expr) -> bool:
    """Whether a condition cannot fail, and neither changes nor counts anything."""
    return not any(isinstance(node, ast.Call | ast.FloorDiv | ast.Mod) for node in python_nodes(test))


# complex: one case for each form, so that the type checker names one that is forgotten
def one_statement(emitter: Emitter, node: c.Statement) -> list[ast.stmt]:  # long: for the same reason
    """One statement that asks nobody."""
    match node:
        case c.SetLocal(name=name, value=value, bounded=bounded):
            made = expression(emitter, value)
            emitter.at(node.span)
            return [emitter.assign(f"l_{name}", emitter.call("whole", made) if bounded else made)]
        case c.SetVariable():
            return set_variable(emitter, node)
        case c.Act(operator=operator) if operator is PASS:
            emitter.at(node.span)
            return emitter.lines(f"s.passes += 1\nif s.passes > {MOST_PASSES}: {PASS.python}")
        case c.Act():
            return verb_at_work(emitter, node)
        case c.Tell():
            return told_sentence(emitter, node)
        case c.Branch(test=test, then=then, otherwise=otherwise):
            test = emitter.fold(test)
            if isinstance(test, c.Constant):
                return all_statements(emitter, then if test.value else otherwise)
            condition = as_condition(emitter, test)
            yes, no = side(emitter, then), side(emitter, otherwise) if otherwise else []
            if do_nothing(yes) and do_nothing(no) and leaves_no_trace(condition):
                return []
            emitter.at(node.span)
            return [emitter.branch(condition, yes, no)]
        case c.Each(binder=binder, source=source, body=body):
            listed = expression(emitter, source)
            inner = all_statements(emitter, body)
            emitter.at(node.span)
            if emitter.is_counted(node):
                listed, inner = counted_passes(emitter, node, listed, inner)
            return [emitter.loop(f"l_{binder}", listed, inner)]
        case c.Loop():
            return while_loop(emitter, node)
        case c.Times(count=count, body=body):
            passes = expression(emitter, count)
            inner = all_statements(emitter, body)
            emitter.at(node.span)
            passes, inner = counted_passes(emitter, node, passes, inner)
            return [emitter.loop("_", passes, inner)]
        case c.Labelled(body=body):
            return all_statements(emitter, body)
        case c.Jump():
            emitter.at(node.span)
            return [ast.Break(**emitter.where)]
        case c.Return(value=value):
            result = expression(emitter, value) if value is not None else None
            emitter.at(node.span)
            return [emitter.returned(result)]
        case c.EndGame(ending=ending, winners=winners):
            who = expression(emitter, winners) if winners is not None else None
            emitter.at(node.span)
            over: ast.stmt = ast.Raise(emitter.name("OVER"), None, **emitter.where)
            if not ending:
                return [over]
            how = emitter.tuple_of([ast.Constant(ending, **emitter.where), who or emitter.tuple_of([])])
            return [emitter.set_attribute("ending", how), over]
        case c.Perform():
            return performed(emitter, node)
        case c.Reset(variables=variables):
            return reset_variables(emitter, node.span, variables)
        case c.Enter(step=step, me=me):
            player = expression(emitter, me) if me is not None and emitter.told else None
            emitter.at(node.span)
            if emitter.watched and me is None and step in emitter.rounds:
                return [emitter.do(emitter.line("round_begun(s)"))]
            if not emitter.told:
                return []
            return [
                log_entry(emitter, "turn", player)
                if player
                else log_entry(emitter, "step", ast.Constant(step, **emitter.where))
            ]
        case c.Ask() | c.Together() | c.Race() | c.Pause():
            raise AssertionError("asks somebody: this is for the segmenter")
        case _:
            assert_never(node)


def side(emitter: Emitter, body: c.Body) -> list[ast.stmt]:
    """A side of a branch, which counts its own work if that is much for what is around it."""
    made = all_statements(emitter, body)
    if id(body) not in emitter.work.apart or do_nothing(made):
        return made
    return [*emitter.charge(emitter.work.of(body), is_again=False), *made]


def counted_passes(
    emitter: Emitter, loop: c.Each | c.Times, over: ast.expr, body: list[ast.stmt]
) -> tuple[ast.expr, list[ast.stmt]]:
    """What a loop goes through and its body, with the work counted: at once, or where events are recorded or there is a way out
    of the loop, in each pass."""
    a_pass = emitter.work.a_pass(loop)
    if emitter.told or has_way_out(loop):
        body, a_pass = [*emitter.charge(a_pass, is_again=True), *body], 0
    if isinstance(loop, c.Each) and not a_pass:
        return over, body
    name = "metered" if isinstance(loop, c.Each) else "passes"
    return emitter.call(name, emitter.name("s"), over, emitter.number(a_pass)), body


def log_entry(emitter: Emitter, kind: str, *values: ast.expr) -> ast.stmt:
    """Append an event: `s.log.append((kind, …))`."""
    event = emitter.tuple_of([ast.Constant(kind, **emitter.where), *values])
    return emitter.do(emitter.line("s.log.append({0})", event))


def sentence(emitter: Emitter, raw: str, parts: c.Parts) -> tuple[ast.expr, ast.expr]:
    """The number of a sentence, and its values."""
    emitter.texts.append((raw, parts))
    number = len(emitter.texts) - 1
    values = []
    for part in parts:
        if isinstance(part, str):
            continue
        value = expression(emitter, part)
        if isinstance(part.type, List):
            value = emitter.call("metered", emitter.name("s"), value, emitter.number(NAMED * GRAINS))
        values.append(emitter.line("tuple({0})", value) if isinstance(part, c.Pile | c.AllPieces) else value)
    return emitter.number(number), emitter.tuple_of(values)


def told_sentence(emitter: Emitter, node: c.Tell) -> list[ast.stmt]:
    """A sentence; nothing in a quiet program."""
    if not emitter.told:
        return []
    number, values = sentence(emitter, node.raw, node.parts)
    to = expression(emitter, node.to) if node.to is not None else emitter.number(-1)
    emitter.at(node.span)
    said = log_entry(emitter, "say", number, values, to)
    work = LETTER * len(node.raw) * GRAINS
    return [*emitter.charge(work, is_again=False), said] if len(node.raw) > LONG_TEXT else [said]


def set_variable(emitter: Emitter, node: c.SetVariable) -> list[ast.stmt]:
    """Set a variable: check its range, record the event, and queue triggers that wait for it."""
    variable = node.target.variable
    value = expression(emitter, node.value)
    hooks = emitter.hooks(variable)
    if variable.positions:
        slot = slot_of(emitter, variable, node.target.index)
        emitter.at(node.span)
        check = [bounds_check(emitter, variable)] if node.check else []
        kept = emitter.call("remember", emitter.name("s"), slot, emitter.name("t"))
        return [emitter.assign("t", value), *check, emitter.do(kept)]
    if not node.check and not emitter.told and not hooks:
        slot = slot_of(emitter, variable, node.target.index)
        emitter.at(node.span)
        return [emitter.assign(emitter.subscript(emitter.name("v"), slot, True), value)]
    emitter.at(node.span)
    found: list[ast.stmt] = [emitter.assign("t", value)]
    if node.check:
        found.append(bounds_check(emitter, variable))
    slot = slot_of(emitter, variable, node.target.index)
    emitter.at(node.span)
    if emitter.told or hooks:
        found.append(emitter.assign("i", slot))
        slot = emitter.name("i")
    if hooks:
        found += emitter.lines("noticed(s, i, t, {0})", emitter.value(tuple(hooks)))
    if emitter.told:
        found.append(log_entry(emitter, "set", emitter.name("i"), emitter.name("t")))
    found.append(emitter.assign(emitter.subscript(emitter.name("v"), slot, True), emitter.name("t")))
    if hooks and emitter.drains:
        found.append(drained(emitter))
    return found


def bounds_check(emitter: Emitter, variable: c.Variable) -> ast.stmt:
    """A value out of range is a fault; nothing is ever clamped silently."""
    type = plain(variable.type)
    low, high = (type.low, type.high) if isinstance(type, Int) else (LEAST, GREATEST)
    may_be_none = f"t != {none_of(type)} and " if isinstance(variable.type, Maybe) else ""
    name = ast.Constant(variable.name, **emitter.where)
    return emitter.lines(f"if {may_be_none}not {low} <= t <= {high}: out_of_range(t, {{0}}, {low}, {high})", name)[0]


def verb_at_work(emitter: Emitter, node: c.Act) -> list[ast.stmt]:
    """A verb: piles and variables are passed by slot."""
    if node.operator is SWAP_PIECES and emitter.is_unwatched(node) and (swapped := swapped_places(emitter, node)):
        return swapped
    values: list[ast.expr | None] = []
    for argument in node.arguments:
        match argument:
            case None:
                values.append(None)
            case c.Pile() | c.EitherPile():
                values.append(pile_slot(emitter, argument))
            case c.ReadVariable(variable=variable, index=index) if variable in node.changes:
                values.append(slot_of(emitter, variable, index))
            case _:
                values.append(expression(emitter, argument))
    emitter.at(node.span)
    unwatched = node.operator.unwatched if emitter.is_unwatched(node) else ""
    made = emitter.line(unwatched or node.operator.python, *values, name=node.name)
    found = [emitter.assign(f"l_{node.result}", made) if node.result is not None else emitter.do(made)]
    for zone in node.mixed:
        kind = emitter.symbols.kinds[zone.holds or ""]
        bounds = zone.base, zone.base + zone.size, kind.numbers.start, kind.numbers.stop
        found.append(emitter.do(emitter.call("see_kind", emitter.name("s"), *map(emitter.number, bounds))))
    if emitter.drains and emitter.sets_off(node):
        found.append(drained(emitter))
    return found


def swapped_places(emitter: Emitter, node: c.Act) -> list[ast.stmt]:
    """Swap two pieces at known positions of one pile by assignment, without a search."""
    match [emitter.fold(argument) for argument in node.arguments[:2] if argument is not None]:
        case [
            c.Apply(operator=a, arguments=(c.Pile() as pile, c.Constant(value=int(first)), _)),
            c.Apply(operator=b, arguments=(c.Pile() as other, c.Constant(value=int(second)), _)),
        ] if a is ITEM is b and first > 0 < second:
            here, there = expression(emitter, pile), expression(emitter, other)
            if ast.dump(here) == ast.dump(there):
                emitter.at(node.span)
                places = emitter.number(first), emitter.number(second)
                return [emitter.do(emitter.call("quick_swap_places", here, *places))]
    return []


def drained(emitter: Emitter) -> ast.stmt:
    return emitter.lines("if s.queue: drain(s)")[0]


def while_loop(emitter: Emitter, node: c.Loop) -> list[ast.stmt]:
    """While and until; ten thousand passes without a choice are a fault."""
    emitter.counters += 1
    counter = f"n{emitter.counters}"
    test = as_condition(emitter, emitter.fold(node.test)) if node.test is not None else emitter.number(1)
    inner = all_statements(emitter, node.body)
    until = expression(emitter, node.until) if node.until is not None else None
    emitter.at(node.span)
    a_pass = emitter.number(units(emitter.work.a_pass(node)))
    count = emitter.assign(counter, emitter.call("counted", emitter.name("s"), emitter.name(counter), a_pass))
    if until is not None:
        inner.append(emitter.branch(until, [ast.Break(**emitter.where)]))
    return [emitter.assign(counter, emitter.number(0)), ast.While(test, [count, *inner], [], **emitter.where)]


def performed(emitter: Emitter, node: c.Perform) -> list[ast.stmt]:
    """An action or effect that asks nobody, as a call."""
    arguments = [expression(emitter, a) for a in node.arguments]
    me = expression(emitter, node.me) if node.me is not None else emitter.number(-1)
    if node.action is not None:
        emitter.at(node.span)
        made = emitter.call(python_name(node.action), emitter.name("s"), me, *arguments)
    else:
        assert node.effect is not None and node.of is not None
        of = expression(emitter, node.of)
        emitter.at(node.span)
        slot = node.effect
        again: ast.expr = emitter.name("t")
        if isinstance(node.of, c.Local | c.Constant):
            again = expression(emitter, node.of)
        else:
            of = ast.NamedExpr(emitter.store("t"), of, **emitter.where)
        effect = emitter.subscript(emitter.name(f"E_{run_together(slot.kind, slot.name)}"), of)
        made = ast.Call(effect, [emitter.name("s"), again, me, *arguments], [], **emitter.where)
    return [emitter.assign(f"l_{node.result}", made) if node.result is not None else emitter.do(made)]


def reset_variables(emitter: Emitter, span: Span, variables: tuple[c.Variable, ...]) -> list[ast.stmt]:
    emitter.at(span)
    return [line for low, high in stretches(variables) for line in emitter.lines(f"reset(s, {low}, {high})")]


MOST_NESTED = 15
"""The most nested loops in one function. Python allows twenty blocks, and other blocks can be around these."""
PART = "··"
"""The separator of the name of a function and the number of a part: no author's name contains it."""


def split_loops(function: ast.FunctionDef) -> ast.FunctionDef:
    """Split the loops of a function in place where they are too deep."""
    function.body = Splitter(function.name).body(function.body, 0)
    return function


def whole_name(name: str) -> str:
    return name.partition(PART)[0]


class Splitter:
    """Walks over the statements of one function."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts = 0

    def body(self, body: list[ast.stmt], depth: int) -> list[ast.stmt]:
        return [made for statement in body for made in self.statement(statement, depth)]

    def statement(self, node: ast.stmt, depth: int) -> list[ast.stmt]:
        match node:
            case ast.If():
                node.body, node.orelse = self.body(node.body, depth), self.body(node.orelse, depth)
            case ast.Try():
                node.body = self.body(node.body, depth)
            case ast.For() | ast.While() if depth < MOST_NESTED:
                node.body = self.body(node.body, depth + 1)
            case ast.For() | ast.While():
                return self.part(node)
            case _:
                pass
        return [node]

    def part(self, loop: ast.For | ast.While) -> list[ast.stmt]:
        """A loop as a function, and its call. It returns `...` if its caller continues after the loop."""
        inside = list(ast.walk(loop))
        names = sorted({node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)})
        returns = any(isinstance(node, ast.Return) for node in inside)
        self.parts += 1
        name = f"{self.name}{PART}{self.parts}"
        loop.body = self.body(loop.body, 1)
        shared: list[ast.stmt] = [ast.Nonlocal(names)] if names else []
        nothing = ast.arguments([], [], None, [], [], None, [])
        part = ast.FunctionDef(name, nothing, [*shared, loop, ast.Return(ast.Constant(...))], [])
        call = ast.Call(ast.Name(name, ast.Load()), [], [])
        made: list[ast.stmt] = [part]
        if names:
            # Never executed: it makes them locals of the outer function, which `nonlocal` requires.
            belong = ast.Assign([ast.Name(each, ast.Store()) for each in names], ast.Constant(0))
            made.insert(0, ast.If(ast.Constant(0), [belong], []))
        if returns:
            kept = ast.NamedExpr(ast.Name("r", ast.Store()), call)
            ends = ast.Compare(kept, [ast.IsNot()], [ast.Constant(...)])
            made.append(ast.If(ends, [ast.Return(ast.Name("r", ast.Load()))], []))
        else:
            made.append(ast.Expr(call))
        return [ast.fix_missing_locations(ast.copy_location(statement, loop)) for statement in made]


def line_function(emitter: Emitter, name: str, points: c.Expression, players: int) -> ast.FunctionDef:
    """The points of a line by seat, as a function of the state."""
    emitter.file = points.span.file
    alike: list[tuple[str, c.Expression]] = []
    own = points if "invariants" in emitter.without else without_alike(points, alike)
    body = [emitter.assign(f"l_{local}", expression(emitter, value)) for local, value in alike]
    each = expression(emitter, own)
    emitter.at(points.span)
    if not is_short(own):
        each = emitter.call("scored", each)
    listed = emitter.listed(each, "l_me", emitter.value(tuple(range(players))))
    return plain_function(emitter, name, ["s"], [*body, emitter.returned(listed)], points.span)


def without_alike(value: c.Expression, alike: list[tuple[str, c.Expression]]) -> c.Expression:
    """A value with its loop-invariant parts replaced by locals; only parts that are certainly evaluated."""
    if is_long(value) and not reads_me(value):
        local = f"0alike{len(alike)}"
        alike.append((local, value))
        return c.Local(value.span, value.type, local)
    if not isinstance(value, c.Apply):
        return value
    if value.operator is CONDITIONAL:
        own, condition, otherwise = value.arguments
        return replace(value, arguments=(own, without_alike(condition, alike), otherwise))
    if value.operator.lazy:
        return value
    return replace(value, arguments=tuple(without_alike(argument, alike) for argument in value.arguments))


def reads_me(value: c.Expression) -> bool:
    match value:
        case c.Local(name=name):
            return name == "me"
        case c.Call(function=function) if not function.needs_me:
            return any(reads_me(argument) for argument in value.arguments)
        case _:
            return any(reads_me(part) for part in parts(value))


def is_long(value: c.Expression) -> bool:
    return any(isinstance(part, c.Select | c.Call) for part in expressions(value))


def winner_function(emitter: Emitter, winner: Winner) -> ast.FunctionDef:
    """The key of a player, of which the greatest wins, as a function of the state, the player and their points."""
    span = winner.key[0].span
    emitter.file = span.file
    keys = [expression(emitter, key) for key in winner.key]
    emitter.at(span)
    body = [emitter.returned(emitter.tuple_of(keys))]
    return plain_function(emitter, "winner_key", ["s", "l_me", "l_points"], body, span)
