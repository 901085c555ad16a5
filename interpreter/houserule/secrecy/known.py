"""The facts that hold before each statement, however control gets there: the conditions that decide who sees what.

A forward analysis of facts that must hold, to its greatest fixed point. A routine begins with the facts common to all its calls and ends
with those common to all its exits. A routine not called yet has all facts, and facts only fall away, so the analysis
ends. A fact speaks of variables, printed values and local names, and of nothing that a trigger changes, since triggers
may run after any statement.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from houserule.language import primitives
from houserule.language.checked import (
    Act,
    Apply,
    Body,
    Branch,
    Call,
    Checked,
    Constant,
    Each,
    EndGame,
    Expression,
    Jump,
    Labelled,
    Loop,
    Perform,
    Placed,
    Reset,
    Return,
    Routine,
    Select,
    SetVariable,
    Statement,
    Times,
    Together,
)
from houserule.language.symbols import SymbolTable
from houserule.language.trees import expressions, inner_fields, statements
from houserule.language.types import Bool, Type
from houserule.secrecy.labels import Token, renamed
from houserule.secrecy.sight import learned, token, whole

Facts = dict[Token, bool]
"""Conditions that hold, or do not. None stands for unreachable code."""
MOST_FACTS = 16
"""The most facts kept at one place. Each can be lost only once, so that the analysis ends in time."""
TIMELESS = frozenset({"variable", "local", "constant", "printed", "table", "next", "sure", *primitives.COMPARISONS})
"""The tokens that only a change of their variables and local names can invalidate."""
Changed = frozenset[tuple[str, str]]
"""The variables and the local names that are assigned."""
NOTHING: Changed = frozenset()


class Known:
    """The facts before each statement of a game. `before` has no entry where nothing is known."""

    def __init__(self, symbols: SymbolTable, flow: Body, bodies: Mapping[Routine, Body]) -> None:
        self.before: dict[Statement, Facts] = {}
        self.heads = heads_of_sight(symbols)
        if not self.heads:
            return
        self.bodies: dict[Routine | None, Body] = {None: flow, **dict[Routine | None, Body](bodies.items())}
        self.changed: dict[Routine | None, Changed] = {}
        self.local: dict[Routine | None, Changed] = {}
        self.changing: dict[Statement, Changed] = {}
        self.looked: dict[Hashable, Facts] = {}  # with which facts each node was looked at last
        self.callers: dict[Routine, dict[Routine | None, None]] = {}
        self.begins: dict[Routine | None, Facts] = {}
        self.ends: dict[Routine | None, Facts] = {}
        self.at: dict[str, Facts] = {}  # where jumps lead, by label; the exits of a routine by ""
        triggers = [trigger.routine for trigger in symbols.triggers]
        self.find_changes()
        self.triggered = NOTHING.union(*(self.changed.get(routine, NOTHING) for routine in triggers))
        self.settle(dict.fromkeys([None, *triggers]))
        self.settle(dict.fromkeys(routine for routine in bodies if routine not in self.begins))

    def settle(self, roots: dict[Routine | None, None]) -> None:
        """Walk over these routines, starting with no facts, and over all they call, until nothing changes."""
        self.begins |= {routine: {} for routine in roots}
        self.waiting = roots
        while self.waiting:
            routine = next(iter(self.waiting))
            del self.waiting[routine]
            self.routine, self.at = routine, {}
            facts = shared(self.block(self.bodies[routine], self.begins[routine]), self.at.get(""))
            ends = shared(facts, self.ends.get(routine))
            if ends is not None and ends != self.ends.get(routine):
                self.ends[routine] = ends
                if routine is not None:
                    self.waiting |= self.callers.get(routine, {})

    # --- what changes -------------------------------------------------------------------------------------------------

    def find_changes(self) -> None:
        """Find the variables that each routine changes, itself or through its calls, and the local names that it assigns."""
        callees: dict[Routine | None, list[Routine]] = {}
        for routine, body in self.bodies.items():
            inside = statements(body)
            both = frozenset(one for statement in inside for one in changed(statement))
            self.local[routine] = frozenset(one for one in both if one[0] == "local")
            self.changed[routine] = both - self.local[routine]
            callees[routine] = list(dict.fromkeys(callee for one in inside for callee in performed(one)))
        grows = True
        while grows:  # two passes, or more in cycles
            grows = False
            for routine, performs in callees.items():
                found = self.changed[routine].union(*(self.changed.get(callee, NOTHING) for callee in performs))
                grows = grows or len(found) > len(self.changed[routine])
                self.changed[routine] = found

    def changes(self, statement: Statement) -> Changed:
        """What a statement changes, with everything it performs and contains."""
        found = self.changing.get(statement)
        if found is None:
            inside = statements(statement)
            callees = dict.fromkeys(callee for one in inside for callee in performed(one))
            found = NOTHING.union(*map(changed, inside), *(self.changed.get(callee, NOTHING) for callee in callees))
            self.changing[statement] = found
        return found

    def left(self, facts: Facts, statement: Statement) -> Facts:
        """The facts that still hold after a statement."""
        return without(facts, self.changes(statement)) if facts else {}

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, body: Body, facts: Facts | None) -> Facts | None:
        """The facts after statements, given those before."""
        for statement in body:
            if facts is None:
                return None
            facts = self.statement(statement, facts)
        return facts

    def statement(self, node: Statement, facts: Facts) -> Facts | None:
        """The facts after one statement."""
        self.before[node] = shared(facts, self.before.get(node)) or {}
        match node:
            case Branch(test=test, then=then, otherwise=otherwise):
                self.look(test, facts)
                yes = self.block(then, self.with_test(facts, test, True))
                return shared(yes, self.block(otherwise, self.with_test(facts, test, False)))
            case Labelled(body=body, label=label):
                return shared(self.block(body, facts), self.at.pop(label, None))
            case Each() | Loop() | Times() | Together():
                return self.loop(node, facts)
            case Jump(label=label):
                self.leave(label, facts)
                return None
            case Return(value=value):
                self.look(value, facts)
                self.leave("", facts)
                return None
            case EndGame():
                return None
            case Perform():
                return self.perform(node, facts)
        self.look(node, facts)
        left = self.left(facts, node)
        if isinstance(node, SetVariable) and isinstance(node.value, Constant):
            holds = node.target.type != Bool() or bool(node.value.value)
            found = is_set(token(node.target, {}), node.value, node.target.type)
            for one, so in facts.items():  # what has been set to the same value is no longer different
                if so == holds and found is not None and is_alike(one, found):
                    left[one] = so
            self.learn(left, found, holds)
        return left

    def leave(self, label: str, facts: Facts) -> None:
        """Record a jump from here to a label."""
        self.at[label] = shared(facts, self.at.get(label)) or {}

    def loop(self, node: Each | Loop | Times | Together, facts: Facts) -> Facts:
        """A loop: facts that nothing in it changes hold before, during and after every pass."""
        before, facts = facts, self.left(facts, node)
        inside = facts
        match node:
            case Loop(test=test, until=until):
                self.look((test, until), facts)
                inside = self.with_test(facts, test, True) if test is not None else facts
            case Times(count=count):
                self.look(count, before)
            case Each(source=source, binder=binder) | Together(source=source, binder=binder):
                self.look(source, before)
                tested = whole(source)
                if isinstance(tested, Select) and tested.value is None and tested.where is not None:
                    names: dict[Token, Token] = {("local", tested.binder): ("local", binder)}
                    for one, so in learned(tested.where, True, {}, self.heads):
                        self.learn(inside := dict(inside), in_names(one, names), so)
                    inside = without(inside, frozenset(one for one in self.changes(node) if one[0] == "variable"))
        self.block(node.body, inside)
        self.at.pop(node.label, None)
        return facts

    def with_test(self, facts: Facts, test: Expression, holds: bool) -> Facts:
        """The facts where a condition holds, or does not."""
        found = dict(facts)
        for one, so in learned(test, holds, {}, self.heads):
            self.learn(found, one, so)
        return found

    def learn(self, facts: Facts, found: Token, holds: bool) -> None:
        """Note a fact if it decides who sees what."""
        if found is None or len(facts) >= MOST_FACTS or head(found) not in self.heads:
            return
        if is_timeless(found) and not touches(found, self.triggered):
            facts[found] = holds

    # --- calls --------------------------------------------------------------------------------------------------------

    def look(self, node: Hashable, facts: Facts) -> None:
        """Functions called in expressions begin with the facts that hold there."""
        if self.looked.get(node) == facts:
            return
        self.looked[node] = facts
        if any(isinstance(one, Call) for one in expressions(node)):
            self.look_into(node, facts)

    def look_into(self, node: object, facts: Facts) -> None:
        """The same for each part. After a condition that decides whether a part is evaluated, that condition is a fact as well."""
        match node:
            case tuple():
                for part in node:
                    self.look_into(part, facts)
                return
            case Apply(operator=primitives.AND | primitives.OR as operator, arguments=arguments):
                for part in arguments:
                    self.look_into(part, facts)
                    facts = self.with_test(facts, part, operator is primitives.AND)
                return
            case Apply(operator=primitives.CONDITIONAL, arguments=(then, test, otherwise)):
                self.look_into(test, facts)
                self.look_into(then, self.with_test(facts, test, True))
                self.look_into(otherwise, self.with_test(facts, test, False))
                return
            case Select(source=source, where=where):
                self.look_into((source, where), facts)
                facts = self.with_test(facts, where, True) if where is not None else facts
                self.look_into((node.value, node.by), facts)
                return
            case Call():
                self.enter(node.function, node.arguments, {"me": node.me}, facts)
        if isinstance(node, Checked | Placed):
            kind: Any = type(node)
            for name in inner_fields(kind):
                self.look_into(getattr(node, name), facts)

    def perform(self, node: Perform, facts: Facts) -> Facts | None:
        """The facts after a call: those that the callees do not change, and those common to all their exits."""
        self.look((node.arguments, node.of, node.me), facts)
        left = self.left(facts, node)
        behind = left if node.effect is not None else None  # a member may have no body of its own
        for callee in node.callees:
            names = self.enter(callee, node.arguments, {"me": node.me, "this": node.of}, facts)
            if callee in self.ends:
                own = self.local[callee]
                kept = {renamed(one, names): so for one, so in self.ends[callee].items() if not touches(one, own)}
                behind = shared({**left, **kept}, behind)
        if behind is not None:
            behind.pop(None, None)
        return behind

    def enter(
        self, callee: Routine, nodes: Sequence[Expression], more: Mapping[str, Expression | None], facts: Facts
    ) -> dict[str, Token]:
        """Intersect the facts at a routine's entry with those of this call, renamed to its parameters; and bind its names."""
        given = dict(more)
        given |= {p.name: node for p, node in zip(callee.parameters, nodes, strict=False) if p.name}
        names = {name: token(node, {}) for name, node in given.items() if node is not None}
        self.callers.setdefault(callee, {})[self.routine] = None
        theirs = {known: ("local", name) for name, known in names.items() if known is not None}
        begins: Facts = {}
        for one, so in facts.items():
            self.learn(begins, in_names(one, theirs), so)
        found = shared(begins, self.begins.get(callee)) or {}
        if callee in self.bodies and found != self.begins.get(callee):
            self.begins[callee] = found
            self.waiting[callee] = None
        return names


# --- facts and tokens -------------------------------------------------------------------------------------------------


def heads_of_sight(symbols: SymbolTable) -> frozenset[Token]:
    """The heads of the tokens of all conditions that decide who sees zones and variables."""
    zones, variables = symbols.zones.values(), symbols.variables.values()
    rules = [*(zone.visible for zone in zones), *(zone.amount for zone in zones), *(one.visible for one in variables)]
    waiting = [rule for rule in rules if not isinstance(rule, str)]
    found: set[Token] = set()
    while waiting:
        rule = waiting.pop()
        if isinstance(rule, Apply) and rule.operator in (primitives.NOT, primitives.AND, primitives.OR):
            waiting += rule.arguments
        elif (condition := token(rule, {})) is not None:
            found.add(head(condition))
    return frozenset(found)


def head(known: Token) -> Token:
    """The subject of a condition: a variable, an attribute, a comparison."""
    assert isinstance(known, tuple)
    return known[:2] if known[0] in ("variable", "printed", "table") else ("==",) if known[0] == "!=" else known[:1]


def is_set(target: Token, value: Constant, type: Type) -> Token:
    """The condition that a variable has a value. A truth value is its own condition."""
    return target if target is None or type == Bool() else ("==", target, ("constant", value.value))


def is_alike(known: Token, other: Token) -> bool:
    """Whether two conditions compare one variable alike, perhaps at other indices that do not depend on it."""
    assert isinstance(known, tuple) and isinstance(other, tuple)
    if known[0] == "==" == other[0]:
        return known[2:] == other[2:] and is_alike(known[1], other[1])
    if known[0] == "variable" == other[0]:
        return known[1] == other[1] and not touches(("", *known[2:]), frozenset({("variable", str(known[1]))}))
    return False


def is_timeless(known: Token) -> bool:
    """Whether all parts of a token keep their meaning until they are assigned."""
    return not isinstance(known, tuple) or (
        not known
        or not isinstance(known[0], str)
        or (known[0] in TIMELESS and (known[0] == "constant" or all(map(is_timeless, known[1:]))))
    )


def touches(known: Token, gone: Changed) -> bool:
    """Whether a token mentions any of these variables and local names."""
    return isinstance(known, tuple) and (known[:2] in gone or any(touches(part, gone) for part in known[1:]))


def in_names(known: Token, names: Mapping[Token, Token]) -> Token:
    """A caller's token in the names of its routine; None if it cannot be expressed there."""
    if known in names:
        return names[known]
    if not isinstance(known, tuple):
        return known
    if known[:1] == ("local",):
        return None
    parts = tuple(in_names(part, names) if isinstance(part, tuple) else part for part in known)
    return None if None in parts else parts


def shared(one: Facts | None, other: Facts | None) -> Facts | None:
    """The facts common to two paths; an unreachable one has all facts."""
    if one is None or other is None:
        return other if one is None else one
    return {known: holds for known, holds in one.items() if other.get(known) == holds}


def without(facts: Facts, gone: Changed) -> Facts:
    """The facts that survive assignments to some variables and local names."""
    return {known: holds for known, holds in facts.items() if not touches(known, gone)}


def performed(statement: Statement) -> Iterable[Routine]:
    """The routines that a statement may perform."""
    return statement.callees if isinstance(statement, Perform) else ()


def changed(statement: Statement) -> Iterator[tuple[str, str]]:
    """The variables and local names that a statement itself assigns."""
    match statement:
        case SetVariable(target=target):
            yield "variable", target.variable.name
        case Act(changes=variables) | Reset(variables=variables):
            yield from (("variable", variable.name) for variable in variables)
    for field in ("name", "result", "binder"):
        name = getattr(statement, field, None)
        if isinstance(name, str):
            yield "local", name
