"""Loop invariants: what is the same in each pass of a loop is worked out once, before it.

Only what the first pass certainly works out is moved, and only if there is a first pass; so the same faults come, and nothing
is worked out in vain.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from houserule.compiler.blocks import KEPT, sets_of
from houserule.frozen import by_value
from houserule.language import checked as c
from houserule.language.footprints import leading_to, reached
from houserule.language.symbols import SymbolTable
from houserule.language.trees import (
    IN_EVERYTHING,
    changed,
    everything,
    expressions,
    inner_parts,
    occasions,
    same,
    statements,
    walk_inside,
)
from houserule.language.types import AND, ANY_LIE, BOOL, CHAINED, CONDITIONAL, DISTINCT, IN_ORDER, JOINED, WITHOUT, List

LISTING = (CHAINED, DISTINCT, IN_ORDER, JOINED, WITHOUT)
LARGE = 500
"""An expression with more parts is left as it is."""
SHORT = 6
"""A loop over a constant list of this length is written out, and takes no longer than a call."""


class Before(list[c.Statement]):
    """The statements that come before another, with the names of the values that they work out, by shape."""

    def __init__(self, known: Mapping[Hashable, c.Expression] | None = None) -> None:
        super().__init__()
        self.known = dict(known or {})

    def take(self, other: Before) -> None:
        self += other
        self.known |= other.known


@by_value
class Around:
    """The loops around an expression: the names they set, their lists, and the families that they change."""

    before: Before
    bound: frozenset[str] = frozenset()
    sources: tuple[c.Expression, ...] = ()
    changes: frozenset[c.Family] = frozenset()

    def guarded(self, value: c.Expression) -> c.Expression:
        """A value if none of the lists is empty; otherwise any other, which nothing reads."""
        asked = [one for one in self.sources if not (isinstance(one, c.Constant) and one.value)]
        tests: list[c.Expression] = [c.Apply(one.span, BOOL, ANY_LIE, (one,)) for one in asked]
        if not tests:
            return value
        test = reduce(lambda one, other: c.Apply(one.span, BOOL, AND, (one, other)), tests)
        nothing = c.Constant(value.span, value.type, () if isinstance(value.type, List) else 0)
        return c.Apply(value.span, value.type, CONDITIONAL, (value, test, nothing))


class Invariants:
    """Moves invariants out of the loops of routines; `tables` are functions that are looked up."""

    def __init__(self, symbols: SymbolTable, tables: Mapping[c.Routine, Any], asks: bool) -> None:
        self.symbols = symbols
        self.tables = tables
        self.asks = asks  # whether options are worked out only where a question is put
        self.long: dict[c.Routine, bool] = {}
        self.names = 0

    # --- statements -----------------------------------------------------------------------------------------------------------

    def routine(self, body: c.Body) -> c.Body:
        """The statements of a routine, without what is the same in each pass of their loops."""
        return self.body(body) if self.takes_long(body) else body

    def body(self, body: c.Body) -> c.Body:
        """Statements, with those before them that work out what their loops need; the same body if there are none."""
        found: list[c.Statement] = []
        for statement in body:
            before = Before()
            made = self.statement(statement, Around(before))
            found += [*before, made]
        return body if len(found) == len(body) and all(map(same, found, body)) else tuple(found)

    def statement(self, node: c.Statement, around: Around) -> c.Statement:
        """One statement; what comes before it is appended to that before."""
        match node:
            case c.Each():
                source = self.certain(node.source, around)
                return self.out_of(changed(node, source=source, body=self.body(node.body)), around.before)
            case c.Branch():
                made = self.first_of(node, around)
                return changed(made, then=self.body(node.then), otherwise=self.body(node.otherwise))
            case c.Times():
                return changed(node, count=self.certain(node.count, around), body=self.body(node.body))
            case c.Loop() | c.Labelled():
                return changed(node, body=self.body(node.body))
            case c.Act():
                return changed(node, arguments=tuple(a and self.certain(a, around) for a in node.arguments))
            case c.Ask(source=c.Checked() as source) if self.asks:
                return changed(node, source=self.certain(source, around))
            case _:
                return self.first_of(node, around)

    def first_of(self, node: c.Statement, around: Around) -> c.Statement:
        """A statement of which the first thing that it works out is certain."""
        match node:
            case c.SetLocal() | c.SetVariable() | c.Return(value=c.Checked()):
                value: Any = node.value
                return changed(node, value=self.certain(value, around))
            case c.Branch(test=test):
                return changed(node, test=self.certain(test, around))
            case c.Each(source=source):
                return changed(node, source=self.certain(source, around))
            case _:
                return node

    def out_of(self, loop: c.Each, before: Before) -> c.Each:
        """A loop without what is the same in each pass."""
        changes = self.changes(loop.body)
        if changes is None or not self.takes_long(loop.body):
            return loop
        moved = Before(before.known)
        source = self.named(loop.source, Around(moved))
        bindings = len(moved)
        around = Around(moved, sets_of(loop.body) | {loop.binder}, (source,), changes)
        found: list[c.Statement] = []
        for place, statement in enumerate(loop.body):
            found.append(self.first_of(statement, around))
            if any(isinstance(one, c.Jump | c.Return | c.Loop) for one in statements(statement)):
                found += loop.body[place + 1 :]
                break
        if len(moved) == bindings and all(map(same, found, loop.body)):
            return loop
        before.take(moved)
        return replace(loop, source=source, body=tuple(found))

    def changes(self, body: c.Body) -> frozenset[c.Family] | None:
        """The zones and variables that statements change; None if they ask somebody or may do anything."""
        found: set[c.Family] = set()
        for one in statements(body):
            match one:
                case c.SetVariable(target=target):
                    found.add(target.variable)
                case c.Act(leaves=leaves, enters=enters, changes=variables):
                    found.update((*leaves, *enters, *variables))
                case c.SetLocal() | c.Branch() | c.Each() | c.Times() | c.Labelled() | c.Jump() | c.Return() | c.Tell():
                    pass
                case _:
                    return None
            if not self.symbols.waiting.keys().isdisjoint(occasions(one)):
                return None
        return frozenset(found)

    # --- expressions ----------------------------------------------------------------------------------------------------------

    def certain(self, value: c.Expression, around: Around) -> Any:
        """An expression that is certainly worked out in the first pass of the loops around it."""
        bound, inside = around.bound, expressions(value)
        if len(inside) > LARGE or not (bound or any(isinstance(part, c.Select) for part in inside)):
            return value
        if bound and not names_of(value) & bound and self.is_long(value) and not self.may_change(value, around.changes):
            return self.kept(value, around)
        match value:
            case c.Select():
                return self.selection(value, around)
            case c.EitherPile(test=test):
                return changed(value, test=self.certain(test, around))
            case c.Apply(operator=operator, arguments=(own, test, otherwise)) if operator is CONDITIONAL:
                return changed(value, arguments=(own, self.certain(test, around), otherwise))
            case c.Apply(operator=operator, arguments=(first, *rest)) if operator.lazy:
                return changed(value, arguments=(self.certain(first, around), *rest))
            case _:
                return changed(value, **{name: self.part(part, around) for name, part in inner_parts(value)})

    def part(self, part: Any, around: Around) -> Any:
        """A part of an expression, or several, which are certainly worked out as well."""
        if isinstance(part, tuple):
            return tuple(self.certain(one, around) for one in part)
        return part and self.certain(part, around)

    def selection(self, node: c.Select, around: Around) -> c.Select:
        """A selection: its condition, or without one its values, are worked out for the first member."""
        made: c.Select = changed(node, source=self.certain(node.source, around))
        parts = (node.where,) if node.where is not None else (node.value, *node.by)
        if names_of(made.source) & around.bound or not self.takes_long(parts):
            return made
        if self.may_change(made.source, around.changes):
            return made
        moved = Before(around.before.known)
        source = self.named(made.source, replace(around, before=moved))
        bindings = len(moved)
        inside = Around(moved, around.bound | {node.binder}, (*around.sources, source), around.changes)
        if made.where is not None:
            inner: c.Select = changed(made, where=self.certain(made.where, inside))
        else:
            inner = changed(made, value=made.value and self.certain(made.value, inside))
            inner = changed(inner, by=tuple(self.certain(key, inside) for key in made.by))
        if len(moved) == bindings and inner is made:
            return made
        around.before.take(moved)
        return replace(inner, source=source)

    def named(self, source: c.Expression, around: Around) -> c.Expression:
        """A list that can be asked for twice: one that needs it gets a name first."""
        return source if isinstance(source, c.Pile | c.Local | c.Constant | c.AllPieces) else self.kept(source, around)

    def kept(self, value: c.Expression, around: Around) -> c.Expression:
        """A local in place of a value, which is worked out before if none of the lists is empty; what is equal is worked out once."""
        before, shape, sources = around.before, shape_of(value), shape_of(around.sources)
        assert isinstance(sources, tuple)
        for length in range(len(sources) + 1):  # what is there if fewer lists have members is there as well
            if (known := before.known.get((shape, sources[:length]))) is not None:
                return known
        self.names += 1
        local = c.Local(value.span, value.type, f"{KEPT}{self.names}")
        before.append(c.SetLocal(value.span, local.name, around.guarded(value)))
        before.known[shape, sources] = local
        return local

    # --- what expressions read --------------------------------------------------------------------------------------------------

    def takes_long(self, parts: object) -> bool:
        """Whether statements or expressions have one in them that is long."""
        return any(self.is_long(one) for one in everything(parts) if isinstance(one, c.Select | c.Call | c.Apply))

    def is_long(self, value: c.Expression) -> bool:
        """Whether an expression itself takes a loop or lists something."""
        match value:
            case c.Select(source=c.Constant(value=tuple(listed))):
                return len(listed) >= SHORT
            case c.Select():
                return True
            case c.Call(function=function) if function not in self.tables:
                return self.is_long_routine(function)
            case c.Apply(operator=operator, arguments=arguments):
                return operator in LISTING or (bool(operator.gathers) and any(map(self.is_long, arguments)))
            case _:
                return False

    def is_long_routine(self, routine: c.Routine) -> bool:
        """Whether a routine loops or lists something, or calls one that does."""
        if routine not in self.long:
            calls: dict[c.Routine, list[c.Routine]] = {}
            goals: list[c.Routine] = []

            def called(one: c.Routine) -> list[c.Routine]:
                inside = everything(one.body or ())
                if any(map(self.is_long_by_itself, inside)):
                    goals.append(one)
                callees = [part.function for part in inside if isinstance(part, c.Call)]
                calls[one] = [callee for callee in callees if callee not in self.tables and callee not in self.long]
                return calls[one]

            found = reached([routine], called)
            long = leading_to(goals, ((one, callee) for one in found for callee in calls[one]))
            self.long |= {one: one in long for one in found}
        return self.long[routine]

    def is_long_by_itself(self, part: object) -> bool:
        """Whether a statement or an expression loops or lists something, whatever is in it, or calls what is known to."""
        match part:
            case c.Each() | c.Loop() | c.Times():
                return True
            case c.Call(function=function):
                return self.long.get(function, False)
            case c.Apply(operator=operator):
                return operator in LISTING
            case c.Select():
                return self.is_long(part)
            case _:
                return False

    def may_change(self, value: c.Expression, changes: frozenset[c.Family]) -> bool:
        """Whether what an expression reads, itself or in functions, is among what loops change."""
        if not changes:
            return False
        inside = self.all_of(value)
        others = any(isinstance(one, c.Apply) and one.operator.reads_state for one in inside) or any(
            isinstance(one, c.ReadVariable) and one.variable.positions for one in inside
        )
        return others or any(family_of(one) in changes for one in inside)

    def all_of(self, value: c.Expression) -> list[Any]:
        """All parts of an expression, and of the bodies that it calls."""
        found: list[Any] = []
        seen: set[c.Routine] = set()
        waiting: list[Any] = [value]
        while waiting:
            inside = walk_inside(waiting.pop(), IN_EVERYTHING)
            found += inside
            called = {one.function for one in inside if isinstance(one, c.Call)} - seen
            seen |= called
            waiting += [one.body for one in called]
        return found


def family_of(part: object) -> c.Family | None:
    match part:
        case c.ReadVariable(variable=variable):
            return variable
        case c.Pile(zone=zone) | c.AllPieces(zone=zone):
            return zone
        case _:
            return None


def shape_of(value: object) -> Hashable:
    """What two expressions that are written alike have in common: everything but their places."""
    if isinstance(value, tuple):
        return tuple(map(shape_of, value))
    if not isinstance(value, c.Checked):
        return value if isinstance(value, int | str | None) else id(value)
    return type(value), *(
        shape_of(getattr(value, one.name)) for one in fields(value) if one.name not in ("span", "type")
    )


def names_of(value: c.Expression) -> frozenset[str]:
    return frozenset(part.name for part in expressions(value) if isinstance(part, c.Local))
