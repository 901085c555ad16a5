"""Counts all that the lines of a score sheet count in a zone in one loop, before the first of them is worked out.

The lines change nothing, so a zone is the same for all of them. What is counted beforehand cannot fail, and its work is
charged where the count stands. A number is a byte, and eight are counted as one word; what a piece adds to it is known, as far
as that depends on nothing but what is printed on the piece.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from houserule.compiler.emitter import names_in
from houserule.native.blueprint import Blueprint
from houserule.native.expressions import in_block, is_call_of
from houserule.native.functions import EXPRESSIONS, Area, Module, Scope
from houserule.native.items import item_of_area, loaded, number_for
from houserule.native.loops import counted, each_value
from houserule.native.memory import WORD
from houserule.native.reductions import SIGNS
from houserule.native.values import INT, Op, Value, as_i32, condition_code, folded, i32, i64, number, of_known

MOST_PIECES = 255
"""A zone that can have more is counted in as often as before."""
MOST_COUNTED = 64
"""The most numbers of a zone."""

Values = dict[str, range]
"""Names, and the numbers that each goes through."""


class Tally(ast.expr):
    """A count of pieces, in place of its expression: a number for each value of the names in its test."""

    def __init__(self, count: ast.expr, source: ast.expr, item: str, test: ast.expr, values: Values) -> None:
        super().__init__()
        self.count, self.source, self.item, self.test = count, source, item, test
        self.read = names_in(test)
        self.values = {name: known for name, known in values.items() if name in self.read}
        self.zone: Values = {}
        """The name in the index of the zone, if there is one."""
        self.size = 1
        self.steps: dict[str, int] = {}
        """By name, how far the number of a value is from that of the one before."""
        for name, known in self.values.items():
            self.steps[name] = self.size
            self.size *= len(known)
        self.address: int | None = None

    def numbers(self) -> Iterator[Number]:
        for at in range(self.size):
            yield self, {name: known[at // self.steps[name] % len(known)] for name, known in self.values.items()}

    def put(self, at: int, width: int) -> None:
        """Say where its first number is, and how far that of the next zone."""
        self.steps |= dict.fromkeys(self.zone, width)
        self.address = at - sum(known.start * self.steps[name] for name, known in (self.values | self.zone).items())


Number = tuple[Tally, dict[str, int]]
"""A number of a tally: that with these values of its names."""


def of_lines(module: Module) -> Iterator[Callable[[Scope], None]]:
    """What writes the loops for the lines; the module gets their trees with tallies."""
    blueprint, found = module.blueprint, dict[range, list[Tally]]()
    for points in blueprint.points if "tallies" not in blueprint.without else ():
        module.trees[points.name] = Finder(blueprint, found).visit(deepcopy(module.trees[points.name]))
    for zones, tallies in found.items():
        size = sum(one.size for one in tallies)
        if 1 < size <= MOST_COUNTED and all(blueprint.rooms[slot] <= MOST_PIECES for slot in zones):
            width = size + -size % WORD
            start = at = module.memory.room(width * len(zones))
            for one in tallies:
                one.put(at, width)
                at += one.size
            numbers = [one for tally in tallies for one in tally.numbers()]
            yield partial(count, zones=zones, numbers=numbers, start=start, width=width)


def count(scope: Scope, zones: range, numbers: Sequence[Number], start: int, width: int) -> None:
    """Count in each of some zones."""
    groups = [numbers[at : at + WORD] for at in range(0, len(numbers), WORD)]

    def count_in(slot: Value) -> None:
        totals = [scope.kept(of_known(0)) for _ in groups]

        def visit(piece: Value) -> None:
            for total, group in zip(totals, groups, strict=True):
                scope.set(total, number(folded("i64.add", [total.code[0], *added(scope, group, piece)])))

        each_value(scope, item_of_area(scope, Area("z"), slot), visit)
        to = Op("i32.mul", Op("i32.sub", as_i32(slot), i32(zones.start)), i32(width))
        for place, total in enumerate(totals):
            scope.emit(Op("i64.store", f"offset={start + WORD * place}", to, total.code[0]))

    counted(scope, of_known(zones.start), of_known(zones.stop), 1, count_in)


def added(scope: Scope, numbers: Sequence[Number], piece: Value) -> Iterator[Op]:
    """What a piece adds to a word of up to eight numbers."""
    blueprint = scope.module.blueprint
    printed = [0] * len(blueprint.places)
    for place, (tally, values) in enumerate(numbers):
        if "v" in tally.read:
            scope.names |= {tally.item: piece, **{name: of_known(value) for name, value in values.items()}}
            one = Op("i64.extend_i32_u", condition_code(scope.expression(tally.test)))
            yield Op("i64.shl", one, i64(8 * place))
            continue
        tables = {name: list(map(number_for, blueprint.world[name])) for name in tally.read & blueprint.world.keys()}
        test = compile(ast.fix_missing_locations(ast.Expression(tally.test)), "", "eval")
        for each in range(min(map(len, (printed, *tables.values())))):
            holds = eval(test, {"__builtins__": {}}, {**tables, **values, tally.item: each})
            printed[each] += bool(holds) << 8 * place
    if any(printed):
        yield loaded(i32(scope.module.memory.constant(printed)), piece, INT).code[0]


class Finder(ast.NodeTransformer):
    """Puts tallies in place of the counts of a line that depend on no names but those that go through known numbers."""

    def __init__(self, blueprint: Blueprint, found: dict[range, list[Tally]]) -> None:
        self.world = blueprint.world
        self.found = found
        self.values: Values = {}

    def visit(self, node: ast.AST) -> Any:
        match node:
            case ast.Lambda() | ast.DictComp():
                return node
            case ast.ListComp() | ast.GeneratorExp():
                return self.looped(node)
            case ast.Call(ast.Name("len"), [ast.ListComp(ast.Name(item), [loop])]):
                return self.tally(node, item, loop) or self.generic_visit(node)
        return self.generic_visit(node)

    def looped(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        outside = self.values
        for one in node.generators:
            one.iter = self.visit(one.iter)
            bound, values = names_in(one.target), range_of(one.iter)
            self.values = {name: known for name, known in self.values.items() if name not in bound}
            self.values |= dict.fromkeys(bound, values) if values else {}
            one.ifs = [self.visit(test) for test in one.ifs]
        node.elt = self.visit(node.elt)
        self.values = outside
        return node

    def tally(self, node: ast.Call, item: str, loop: ast.comprehension) -> Tally | None:
        """What takes the place of a count; None if it may fail, or goes through anything but known zones."""
        if names_in(loop.target) != {item} or item in self.values or len(loop.ifs) != 1:
            return None
        if not self.is_sound(loop.ifs[0], item):
            return None
        made = Tally(node, loop.iter, item, loop.ifs[0], self.values)
        match loop.iter.args[1] if is_call_of(loop.iter, "metered") else loop.iter:
            case ast.Subscript(ast.Name("z"), ast.Constant(int(first))):
                zones = range(first, first + 1)
            case ast.Subscript(ast.Name("z"), ast.BinOp(ast.Constant(int(first)), ast.Add(), ast.Name(name))) if (
                name in self.values and name not in made.read
            ):
                made.zone = {name: self.values[name]}
                zones = range(first + self.values[name].start, first + self.values[name].stop)
            case _:
                return None
        self.found.setdefault(zones, []).append(made)
        return made

    def is_sound(self, node: ast.expr, item: str) -> bool:
        """Whether a part of a test of a piece cannot fail, and takes little time."""
        match node:
            case ast.BoolOp(values=parts):
                return all(self.is_sound(part, item) for part in parts)
            case ast.UnaryOp(ast.Not(), operand):
                return self.is_sound(operand, item)
            case ast.Compare(left, [op], [right]):
                return type(op) in SIGNS and self.is_sound(left, item) and self.is_sound(right, item)
            case ast.Constant(int()):
                return True
            case ast.Name(name):
                return name in self.values
            case ast.Subscript(ast.Name("v"), index):
                return names_in(index) == {item}
            case ast.Subscript(ast.Name(table), ast.Name(name)):
                return name == item and is_table(self.world.get(table))
        return False


def range_of(node: ast.expr) -> range:
    """The numbers that a loop goes through, if they follow one another; otherwise none."""
    found = [getattr(one, "value", None) for one in node.elts] if isinstance(node, ast.Tuple) else []
    values = range(found[0], found[0] + len(found)) if found and isinstance(found[0], int) else range(0)
    return values if found == list(values) else range(0)


def is_table(value: Any) -> bool:
    """Whether this is what is printed on each piece, as numbers."""
    return isinstance(value, tuple) and all(one is None or isinstance(one, int) for one in value)


def tallied(scope: Scope, node: Tally) -> Value:
    """What was counted before, and the work of counting it."""
    if node.address is None:
        return scope.expression(node.count)
    start = i32(node.address)

    def read() -> Value:
        scope.temporary(scope.expression(node.source))
        moved = (Op("i32.mul", as_i32(scope.look_up(name)), i32(step)) for name, step in node.steps.items())
        return number(Op("i64.load8_u", folded("i32.add", [start, *moved])), 8)

    return in_block(scope, read)


EXPRESSIONS[Tally] = tallied
