"""Estimates the work of rules at compile time, so that only what can become much is counted at run time.

The work of a part of the checked tree is a number of grains, sixteen to a unit (`operations.fuel`): its operations, and for a
loop the work of a pass, times the passes. What may be left out, or done many times, is *counted* if it can take more than a
little: generated code charges each pass, each call and each side of a branch at run time, and only this charge counts for
whatever contains it. So what is charged is what is done.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from houserule.compiler.folding import (
    NARROW,
    SHORT,
    Related,
    Tabulated,
    conjoined,
    conjunctions,
    conjuncts,
    related_rows,
)
from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language import types
from houserule.language.footprints import callees_first
from houserule.language.symbols import SymbolTable
from houserule.language.trees import IN_EVERYTHING, children, everything, inner_parts, statements
from houserule.language.types import AND, CONDITIONAL, List
from houserule.operations.fuel import GRAINS, NOTED, PIECE

SIMPLE = 4
"""The grains of a simple operation: reading a variable, a comparison, a sum."""
BUILT_IN = 32
"""The grains of a call of a function of Python's own."""
CALLED = 80
"""The grains of a call of any other function."""
SORTED = 80
"""The grains of sorting an element, with the call of its key."""
LITTLE = 16 * GRAINS
"""A routine that takes more than this is counted at each call."""
SOME = 64 * GRAINS
"""A loop that may have few passes, and a block of a segment, is counted if it takes more than this."""
POSITION = 40 * GRAINS
"""Identifying a position, besides its pieces and variables."""
SIDE = 4 * GRAINS
"""A side of a branch that takes more than this is counted where it is taken."""
MUCH = 1_000 * GRAINS
"""A loop that takes more than this is always counted, so that the limit is noticed in time."""
COUNTERS = (types.MARK, types.PASS, types.DRAIN, types.BEGIN, types.END)
MANY = 200
"""A loop over a list that can be longer than this is always counted."""
PASS = 12
"""The grains of a pass of a loop, besides its body."""


class Work:
    """The work of parts of the checked tree that is not counted at run time."""

    def __init__(
        self,
        body_of: Callable[[c.Routine], c.Body],
        tables: Mapping[c.Routine, Tabulated],
        symbols: SymbolTable,
        told: bool = False,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.without = without
        self.body_of = body_of
        self.symbols = symbols
        self.noted = NOTED * GRAINS if told else 0  # the work of noting an event
        self.tables = tables
        self.routines: dict[c.Routine, int] = {}
        self.nodes: dict[int, tuple[object, int]] = {}  # by identity of the node, or of a body
        self.apart: set[int] = set()  # by identity: sides of branches that are counted where they are taken
        self.optional: set[tuple[c.Routine, Span]] = set()  # calls that may be left out, by their places

    def learn(self, routines: Iterable[c.Routine]) -> None:
        """Estimate the work of routines, callees first."""
        self.nodes.clear()  # estimates so far did not know of them
        for routine in callees_first(routines, called_by):
            self.routines[routine] = self.of(self.body_of(routine))

    def counts_calls(self, routine: c.Routine) -> bool:
        return routine.recursive or routine.asks or self.of_routine(routine) > LITTLE

    def is_inlined(self, call: c.Call) -> bool:
        """Whether a call of a function is inlined, so that its work is that of whatever contains it.

        A long one that may be left out is called, as only the function itself knows then whether it runs.
        """
        if "inlining" in self.without:
            return False
        function, body = call.function, self.body_of(call.function)
        if (
            function.recursive
            or function.asks
            or len(body) != 1
            or not isinstance(body[0], c.Return)
            or body[0].value is None
        ):
            return False
        for argument in (*call.arguments, call.me):
            is_number = isinstance(argument, c.Constant) and isinstance(argument.value, int)
            if not (is_number or argument is None or isinstance(argument, c.Local)):
                return False
        return self.of_routine(function) <= LITTLE or (function, call.span) not in self.optional

    def of_routine(self, routine: c.Routine) -> int:
        """The work of a routine's body; still 0 for a recursive one, as its calls are counted."""
        return self.routines.get(routine, 0)

    def of(self, node: object) -> int:
        """The work of a part, without what is counted at run time."""
        if isinstance(node, list | tuple):
            return self.of_several(node)
        if not isinstance(node, c.Checked | c.Placed):
            return 0
        if id(node) not in self.nodes:
            # Children first: recursion over a deep expression would overflow the stack.
            inside = everything(node)
            self.find_optional(inside)
            for one in reversed(inside):
                if id(one) not in self.nodes:
                    self.nodes[id(one)] = one, self.work_out(one)
        return self.nodes[id(node)][1]

    def find_optional(self, inside: Iterable[c.Checked | c.Placed]) -> None:
        """Find the calls that may be left out, among all parts of a tree, parents first."""
        optional: set[int] = set()
        stages: set[int] = set()
        for one in inside:
            if isinstance(one, c.Select) and isinstance(one.where, c.Apply) and one.where.operator is AND:
                stages.update(map(id, conjunctions(one.where) if not isinstance(one.source, c.Constant) else ()))
            if isinstance(one, c.Apply) and one.operator.lazy and id(one) not in stages:
                optional.update(map(id, one.arguments[::2] if one.operator is CONDITIONAL else one.arguments[1:]))
            if id(one) in optional:
                optional.update(map(id, [one.source] if isinstance(one, c.Select) else children(one, IN_EVERYTHING)))
                if isinstance(one, c.Call):
                    self.optional.add((one.function, one.span))

    def of_several(self, nodes: Sequence[object], around: int = 0) -> int:
        """The work of several parts in a row, with that `around` them already counted.

        A branch belongs to it if it takes no longer than what is certainly done; else it is counted on the side that is taken.
        """
        if id(nodes) in self.nodes and not around:
            return self.nodes[id(nodes)][1]
        work = 0
        branches: list[c.Branch] = []
        for one in nodes:
            work += self.of(one)
            if isinstance(one, c.Branch):
                branches.append(one)
        for branch in branches:
            belongs = 0
            for side in (branch.then, branch.otherwise):
                longest = self.of_several(side)
                if longest > max(SIDE, work + around):
                    self.apart.add(id(side))
                else:
                    self.apart.discard(id(side))
                    belongs = max(belongs, longest)
            work += belongs
        return work

    # complex: one case for each form that is more than its parts
    def work_out(self, node: c.Checked | c.Placed) -> int:
        """The work of a node whose parts have estimates."""
        match node:
            case c.Select() if (staged := self.in_stages(node)) is not node:
                return self.of(staged)
            case c.Select() | c.Each():
                return self.of(node.source) + (0 if self.is_counted(node) else self.passes(node))
            case c.Loop():
                return SIMPLE  # counted, whatever it contains
            case c.Times(count=count):
                return CALLED + self.of(count)
            case c.Branch(test=test, then=then, otherwise=otherwise):
                for side in (then, otherwise):  # they belong to the statements among which it stands
                    self.nodes[id(side)] = side, self.of_several(side)
                return SIMPLE + self.of(test)
            case c.Labelled(body=body):
                return SIMPLE + self.of_several(body)
            case c.Apply(operator=operator, arguments=(c.Select() as select,)) if self.is_unrolled(
                select, operator.gathers
            ):
                return SIMPLE + self.passes(select, operator.gathers)
            case c.Apply(operator=operator, arguments=(c.AllPieces(zone=zone),)) if operator.gathers in ("or", "nor"):
                by_pieces = self.symbols.few_in(zone) is not None
                return BUILT_IN + SIMPLE * (2 if by_pieces else 1) * self.gone_by(zone)
            case c.Apply(operator=operator, arguments=(then, test, otherwise)) if operator is CONDITIONAL:
                return SIMPLE + self.of(test) + max(self.of(then), self.of(otherwise))
            case c.Tell() if not self.noted:
                return 0
            case c.Call(function=function) if function in self.tables:
                own = SIMPLE
            case c.Call(function=function) if self.is_inlined(node):
                own = self.of_routine(function)
            case c.Call() | c.Perform():
                callees = [SIMPLE if self.counts_calls(one) else CALLED + self.of_routine(one) for one in node.callees]
                own = max(callees, default=CALLED)
            case c.Act(operator=operator):
                own = CALLED if operator in COUNTERS else PIECE * GRAINS + self.noted
            case c.Tell() | c.Enter():
                own = self.noted
            case c.Apply(operator=operator) if operator.gathers in ("or", "nor"):
                own = SIMPLE
            case c.Apply(operator=operator):
                own = SIMPLE + calls_in(operator.python) + sum(self.gone_through(node))
            case c.ReadVariable(variable=variable) if variable.positions:
                own = POSITION
            case c.SetVariable(check=check):
                own = SIMPLE * (3 if check else 1) + self.noted
            case c.Reset(variables=variables):
                own = CALLED + sum(variable.size for variable in variables)
            case c.AllPieces(zone=zone):
                own = CALLED + BUILT_IN * self.gone_by(zone)
            case _:
                own = SIMPLE
        for _, part in inner_parts(node):
            for one in part if isinstance(part, tuple) else (part,):
                own += self.nodes[id(one)][1] if id(one) in self.nodes else 0
        return own

    def gone_by(self, zone: c.Zone) -> int:
        """How many zones or pieces are looked at to list the pieces of a family."""
        few = self.symbols.few_in(zone)
        return zone.size if few is None else 3 * len(few)

    def gone_through(self, node: c.Apply) -> Iterable[int]:
        """The work of going through each of an operator's lists, where it is not counted."""
        operator = node.operator
        lists = [(node.arguments[at] if at >= 0 else node, operator.price(at)) for at in operator.work]
        return [
            most(one) * price
            for one, price in lists
            if isinstance(one.type, List) and not self.is_gone_through(one, price)
        ]

    def is_gone_through(self, listed: c.Expression, price: int) -> bool:
        """Whether it is counted how many elements an operator goes through. What a loop has just listed has been counted."""
        if not isinstance(listed.type, List) or (isinstance(listed, c.Select) and price <= PASS):
            return False
        return most(listed) * price > SOME

    def passes(self, loop: c.Select | c.Each, gathers: str = "") -> int:
        """The most work of all passes over a list, which may be unrolled."""
        length, a_pass = self.most_passes(loop), self.a_pass(loop)
        is_unrolled = isinstance(loop, c.Select) and self.is_unrolled(loop, gathers)
        return length * (a_pass - PASS) if is_unrolled else CALLED + length * a_pass

    def is_unrolled(self, loop: c.Select, gathers: str) -> bool:
        """Whether a loop is mostly unrolled: one over a short constant list, or over a narrow relation."""
        if loop.by or not isinstance(loop.source, c.Constant) or "unrolling" in self.without:
            return False
        return most(loop.source) <= SHORT or (gathers in ("or", "nor") and self.most_passes(loop) <= NARROW)

    def in_stages(self, node: c.Select) -> c.Select:
        """A selection of which a later condition takes long, as a selection from those that meet the earlier ones.

        So it is counted how many elements come that far.
        """
        if isinstance(node.source, c.Constant) or not isinstance(node.where, c.Apply) or node.where.operator is not AND:
            return node
        conditions = list(conjuncts(node.where))
        first = next((place for place, one in enumerate(conditions) if place and self.of(one) > LITTLE), None)
        if first is None:
            return node
        earlier = replace(node, where=conjoined(conditions[:first]), value=None, by=(), type=node.source.type)
        return replace(node, source=earlier, where=conjoined(conditions[first:]))

    def a_pass(self, node: c.Select | c.Each | c.Loop | c.Times) -> int:
        match node:
            case c.Select(value=value, by=by):
                related = self.related(node)
                where = node.where if related is None else related[0].where
                return PASS + self.of((where, value, by)) + SORTED * len(by)
            case c.Loop(test=test, until=until, body=body):
                return 2 * CALLED + self.of((test, until)) + self.of(body)
            case c.Each(body=body) | c.Times(body=body):
                return PASS + self.of(body)

    def related(self, node: c.Select) -> Related | None:
        """The rows of the relation that restricts a selection; None if there is none."""
        return None if "relations" in self.without else related_rows(self.tables, self.symbols, node)

    def is_counted(self, loop: c.Select | c.Each) -> bool:
        """Whether the passes over a list are counted. Those over a short constant list seldom are, as counting prevents unrolling."""
        is_short = isinstance(loop.source, c.Constant) and most(loop.source) <= SHORT
        return self.most_passes(loop) > MANY or self.passes(loop) > (MUCH if is_short else SOME)

    def most_passes(self, loop: c.Select | c.Each) -> int:
        """The most passes of a loop over a list; one restricted by a relation visits only related members."""
        if isinstance(loop, c.Each):
            return self.most_passes(loop.source) if isinstance(loop.source, c.Select) else most(loop.source)
        related = self.related(loop)
        return most(loop.source) if related is None else max(map(len, related[1]), default=0)


def units(grains: int) -> int:
    return -(-grains // GRAINS)


@cache
def calls_in(python: str) -> int:
    return sum(BUILT_IN if hasattr(builtins, name) else CALLED for name in re.findall(r"(\w+)\(", python))


def has_way_out(loop: c.Each | c.Times) -> bool:
    return any(isinstance(statement, c.Jump | c.Return) for statement in statements(loop.body))


def most(source: c.Expression) -> int:
    """The greatest length of a list."""
    if isinstance(source, c.Constant) and isinstance(source.value, tuple):
        return len(source.value)
    length = source.type.most if isinstance(source.type, List) else None
    return length if length is not None else MANY + 1


def called_by(routine: c.Routine) -> list[c.Routine]:
    calls = (node for node in everything(routine.body) if isinstance(node, c.Call | c.Perform))
    return [callee for call in calls for callee in call.callees]
