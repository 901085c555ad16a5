"""Estimates the work of rules at compile time, so that only what can become much is counted at run time.

The work of a part of the checked tree is a number of units (`operations.fuel`): its operations, and for a loop the work of a
pass, times the passes. A loop or a routine that can take more than a little is *counted*: generated code charges each pass
or call at run time, and only this charge counts for whatever contains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from houserule.compiler.folding import Tabulated
from houserule.compiler.relations import SHORT, related_rows
from houserule.language.checked import (
    Act,
    AllPieces,
    Apply,
    Body,
    Call,
    Checked,
    Constant,
    Each,
    Expression,
    Loop,
    Perform,
    Placed,
    ReadVariable,
    Reset,
    Routine,
    Select,
    Times,
)
from houserule.language.symbols import SymbolTable
from houserule.language.trees import everything, inner_fields
from houserule.language.types import List, Piece, Type
from houserule.operations.fuel import CALL, PASS, PIECE

LITTLE = 5_000
"""A loop that can take more units than this is counted."""
MUCH = 10_000
"""A routine that can take more units than this is counted, at each call."""
COPIED = 16
"""So many elements of a list are copied in one unit of work."""
MANY = 200
"""A loop over a list that can be longer than this is always counted."""


class Work:
    """The work of parts of the checked tree that is not counted at run time."""

    def __init__(
        self, body_of: Callable[[Routine], Body], tables: Mapping[int, Tabulated], symbols: SymbolTable
    ) -> None:
        self.body_of = body_of
        self.symbols = symbols
        self.tables = tables  # tabulated functions, by identity
        self.routines: dict[int, tuple[Routine, int]] = {}  # by identity of the routine
        self.nodes: dict[int, tuple[object, int]] = {}  # by identity of the node

    def learn(self, routines: Iterable[Routine]) -> None:
        """Estimate the work of routines, callees first."""
        self.nodes.clear()  # estimates so far did not know of them
        for routine in inner_first(routines):
            self.routines[id(routine)] = routine, self.of(self.body_of(routine))

    def counts_calls(self, routine: Routine) -> bool:
        """Whether each call of a routine is counted."""
        return routine.recursive or self.of_routine(routine) > MUCH

    def of_routine(self, routine: Routine) -> int:
        """The work of a routine's body; still 0 for a recursive one, as its calls are counted."""
        return self.routines.get(id(routine), (routine, 0))[1]

    def of(self, node: object) -> int:
        """The work of a part, without what is counted at run time."""
        if isinstance(node, list | tuple):
            return sum(map(self.of, node))
        if not isinstance(node, Checked | Placed):
            return 0
        if id(node) not in self.nodes:
            # Children first: recursion over a deep expression would overflow the stack.
            for one in reversed(everything(node)):
                if id(one) not in self.nodes:
                    self.nodes[id(one)] = one, self.work_out(one)
        return self.nodes[id(node)][1]

    def work_out(self, node: Checked | Placed) -> int:
        """The same for a node that has no estimate yet."""
        kind: type = type(node)
        inside = 1 + self.own(node) + sum([self.of(getattr(node, name)) for name in inner_fields(kind)])
        match node:
            case Select() | Each():
                before = self.of(node.source)
                a_pass = self.a_pass(node)
                return before + (PASS if self.is_counted(node) else a_pass * self.most_passes(node))
            case Loop() | Times():
                return PASS  # counted, whatever they contain
            case _:
                return inside

    def own(self, node: Checked | Placed) -> int:
        """The work of a node without its children."""
        match node:
            case Call(function=function) if id(function) in self.tables:
                return 0
            case Call() | Perform():
                uncounted = (0 if self.counts_calls(one) else self.of_routine(one) for one in node.callees)
                return CALL + max(uncounted, default=0)
            case Act():
                return PIECE
            case Apply(arguments=arguments):
                return sum([self.of_list(argument.type) for argument in arguments])
            case ReadVariable(variable=variable) if variable.positions:
                return CALL + sum(family.size for family in variable.positions)
            case Reset(variables=variables):
                return sum(variable.size for variable in variables)
            case AllPieces(zone=zone):
                return zone.size
            case _:
                return 0

    def of_list(self, type: Type) -> int:
        """The work of copying a list of this type, if it can be long."""
        if not isinstance(type, List):
            return 0
        length = type.most
        if length is None and isinstance(type.of, Piece):
            length = len(self.symbols.kinds[type.of.kind].ids) if type.of.kind else MANY
        return length // COPIED if length is not None and length > MANY else 0

    def a_pass(self, node: Select | Each | Loop | Times) -> int:
        """The work of one pass of a loop."""
        kind: type = type(node)
        parts = [getattr(node, name) for name in inner_fields(kind) if name not in ("source", "count")]
        return PASS + 1 + self.of(parts)

    def is_counted(self, loop: Select | Each) -> bool:
        """Whether the passes over a list are counted. A short constant list may take more, since counting prevents unrolling."""
        length = self.most_passes(loop)
        little = MUCH if isinstance(loop.source, Constant) and length <= SHORT else LITTLE
        return length > MANY or length * self.a_pass(loop) > little

    def most_passes(self, loop: Select | Each) -> int:
        """The most passes of a loop over a list; one restricted by a relation visits only related members."""
        related = related_rows(self.tables, self.symbols, loop) if isinstance(loop, Select) else None
        return most(loop.source) if related is None else max(map(len, related[1]), default=0)


def most(source: Expression) -> int:
    """The greatest length of a list."""
    if isinstance(source, Constant) and isinstance(source.value, tuple):
        return len(source.value)
    length = source.type.most if isinstance(source.type, List) else None
    return length if length is not None else MANY + 1


def inner_first(routines: Iterable[Routine]) -> list[Routine]:
    """Callees before callers, except in cycles."""
    found: dict[int, Routine] = {}
    begun: set[int] = set()
    waiting = list(routines)
    while waiting:
        routine = waiting[-1]
        if id(routine) in begun:
            found.setdefault(id(routine), waiting.pop())
            continue
        begun.add(id(routine))
        for node in everything(routine.body):
            if isinstance(node, Call | Perform):
                waiting += [one for one in node.callees if id(one) not in begun]
    return list(found.values())
