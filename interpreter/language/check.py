"""Checks statements: syntax tree in, checked tree out. Blocks, choices, calls, and what may stand where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, assert_never

from interpreter.diagnostics import Related, Span, did_you_mean
from interpreter.language import nodes
from interpreter.language.checked import (
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
    Expression,
    Invoke,
    Jump,
    Local,
    Loop,
    Parts,
    Pile,
    Race,
    ReadVariable,
    Return,
    Select,
    SetLocal,
    SetVariable,
    Single,
    Site,
    Statement,
    Stretch,
    Tell,
    Times,
    Together,
    statements,
)
from interpreter.language.expressions import ExpressionChecker, Name, once, snapshot, widest
from interpreter.language.format import format
from interpreter.language.scope import Callable, EffectSlot, Variable, Zone
from interpreter.language.sight import Known, Sight
from interpreter.language.types import (
    BOOL,
    NONE,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Int,
    List,
    Maybe,
    Member,
    NoValue,
    Piece,
    Player,
    Type,
    Unknown,
    fits,
    join,
    maybe,
    none_of,
    plain,
)


@dataclass(frozen=True, slots=True)
class StepLabels:
    """A step around the effect: where `finish STEP` and `leave STEP` go."""

    name: str
    path: str
    one_pass: str
    repetition: str


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class of the syntax tree in which others can be."""
    return tuple(f.name for f in fields(kind) if not f.name.endswith("span"))


def walk(node: object) -> Iterator[nodes.Node]:
    """Every node under a node, itself first."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, tuple):
            waiting.extend(reversed(at))
        elif isinstance(at, nodes.Node):
            yield at
            kind: Any = type(at)
            waiting.extend(getattr(at, name) for name in reversed(parts_of(kind)))


def diverges(body: Body) -> bool:
    """Whether nothing after the statements can be reached."""
    if not body:
        return False
    match body[-1]:
        case Jump() | Return() | EndGame():
            return True
        case Branch(then=then, otherwise=otherwise):
            return diverges(then) and diverges(otherwise)
        case Stretch(body=inner, label=label):
            return diverges(inner) and not jumps(inner, label)
        case Loop(test=None | Constant(value=1), until=None, body=inner, label=label):
            return not jumps(inner, label)
        case _:
            return False


def jumps(body: Body, label: str) -> bool:
    """Whether anything in the statements jumps to behind that label."""
    return any(isinstance(s, Jump) and s.label == label for s in statements(body))


def with_result(body: Body, nothing: Expression) -> Body:
    """The statements, where every end without a result gives `nothing`."""
    found: list[Statement] = []
    for statement in body:
        match statement:
            case Return(value=None):
                found.append(Return(statement.span, nothing))
            case Branch(then=then, otherwise=otherwise):
                found.append(
                    replace(statement, then=with_result(then, nothing), otherwise=with_result(otherwise, nothing))
                )
            case Each(body=inner) | Loop(body=inner) | Times(body=inner) | Stretch(body=inner):
                found.append(replace(statement, body=with_result(inner, nothing)))
            case _:
                found.append(statement)
    return tuple(found)


OWN_CONTEXT = (
    "scopes", "narrowed", "me", "me_inherited", "this", "current", "taken", "loops", "finish", "steps", "in_function", "in_together",
    "assigned", "locals_made", "step_path", "missing_me_said", "kept", "nobody",
)  # fmt: skip
"""What belongs to the callable that is being checked."""


def surely_some(offered: Expression) -> bool:
    """Whether a list has something in it, whatever the state: one that is known, or a range that cannot be empty."""
    match offered:
        case Constant(value=tuple() as values):
            return len(values) > 0
        case Apply(python="span({0}, {1})", arguments=(low, high)):
            return isinstance(low.type, Int) and isinstance(high.type, Int) and low.type.high <= high.type.low
        case _:
            return False


class Checker(ExpressionChecker):
    """Checks effects. One is made for each number of players; callables are checked when they are first needed."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.loops: list[str] = []
        self.finish: str | None = None  # where `finish` goes in the `do` of a step; None: it returns
        self.steps: list[StepLabels] = []
        self.block_of_step: nodes.Block | None = None
        self.in_function = False
        self.in_together = False
        self.labels = 0
        self.sites: list[Site] = []
        self.verbs: Any = {}
        self.step_path = ""
        self.locals_made: list[Name] = []
        self.kept: frozenset[str] = frozenset()  # local names that were made of what not everybody may see
        self.seen_by_nobody: Known = {}
        self.checking: list[Callable] = []
        self.added: tuple[
            tuple[str, frozenset[str]], ...
        ] = ()  # file by file, in order: the variables that a variant brings
        self.rolled: dict[str, Type] = {}  # what can be rolled, by how its target is written

    # --- small things -----------------------------------------------------------------------------------------------------

    def label(self, stem: str) -> str:
        """A new label."""
        self.labels += 1
        return f"{stem}{self.labels}"

    def forbid_change(self, what: str, span: Span) -> None:
        """A function asks nobody and changes nothing."""
        if self.in_function:
            self.error(
                "HR540",
                f"a function changes nothing and asks nobody, so it cannot {what}",
                span,
                "make it an action: `actions:` instead of `functions:`",
            )

    def forget_state(self) -> None:
        """After a change, what a test has shown of variables and zones may hold no longer."""
        self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=")}

    def text_parts(self, text: nodes.Text) -> Parts:
        """The values in a sentence."""
        parts: list[str | Expression] = []
        for part in text.parts:
            if isinstance(part, str):
                parts.append(part)
            else:
                value = self.expr(part)
                parts.append(replace(value) if not isinstance(value, AllPieces) else value)
        return tuple(parts)

    def prepare(self, block: nodes.Node) -> None:
        """Count how often each name is assigned in a callable: one that is assigned once keeps its exact range."""
        for node in walk(block):
            match node:
                case nodes.Assign(target=nodes.Name(id=word), operator=operator):
                    self.assigned[word] = self.assigned.get(word, 0) + (1 if operator == "=" else 2)
                case (
                    nodes.Perform(result=nodes.Name(id=word)) | nodes.Command(verb="roll", argument=nodes.Name(id=word))
                ):
                    self.assigned[word] = self.assigned.get(word, 0) + 1
                case nodes.Command(argument=one, prepositions=(nodes.Preposition(word="with", value=other),)):
                    for word in (side.id for side in (one, other) if isinstance(side, nodes.Name)):
                        self.assigned[word] = self.assigned.get(word, 0) + 2
                case _:
                    pass

    def report_unread(self, names: list[Name]) -> None:
        """A local that is set and never read is a mistake: most often a misspelt variable."""
        for name in names:
            if name.reads == 0 and name.set_by == "assign":
                pool = [*self.words.variables, *(n.word for n in names if n is not name)]
                self.error(
                    "HR572",
                    f"'{name.word}' is set here and never read",
                    name.span,
                    did_you_mean(name.word, pool) or "remove it, or use it",
                )

    # --- callables --------------------------------------------------------------------------------------------------------

    def callable(self, callable: Callable) -> None:
        """Check the body of a callable, once, with a context of its own.

        One that calls itself is checked twice: first to learn the type of its result, then knowing it.
        """
        if callable.state != "unchecked" or callable.source is None:
            return
        self.checking.append(callable)
        sites = len(self.sites)
        self.body_of(callable)
        if callable in self.awaited:
            self.awaited.discard(callable)
            del self.sites[sites:]
            callable.result = widest(callable.result)
            self.body_of(callable)
        self.checking.pop()
        if callable in self.doubtful:
            self.doubtful.discard(callable)
            callable.state, callable.result = "unchecked", None
            del self.sites[sites:]

    def await_result(self, callable: Callable) -> None:
        """The result of a callable that is being checked is wanted: what lies between has to be checked again."""
        if callable in self.checking and callable.result is None:
            self.awaited.add(callable)
            self.doubtful.update(self.checking[self.checking.index(callable) + 1 :])

    def body_of(self, callable: Callable) -> None:
        """Check the body of a callable in a context of its own."""
        assert callable.source is not None
        callable.state = "checking"
        keep = {name: getattr(self, name) for name in OWN_CONTEXT}
        self.scopes, self.narrowed, self.taken = [{}], {}, {"me", "this"}
        self.me = None if callable.is_trigger else Local(callable.span, PLAYER, "me")
        self.me_inherited, self.current = not callable.is_trigger, callable
        self.nobody = (
            "`as p: …` makes p me inside, with p from the event: `c leaves hand of p`"
            if callable.is_trigger
            else self.nobody
        )
        self.this = Local(callable.span, callable.this, "this") if callable.this is not None else None
        self.loops, self.finish, self.steps, self.in_function, self.in_together = (
            [],
            None,
            [],
            callable.is_function,
            False,
        )
        self.assigned, self.locals_made, self.step_path, self.missing_me_said = {}, [], "", False
        self.kept = frozenset()
        for parameter in callable.parameters:
            if parameter.name is not None:
                self.bind_new(parameter.name, parameter.type, parameter.span, "parameter")
        source = callable.source
        self.prepare(source)
        if isinstance(source, nodes.Block):
            body = self.block(source)
            ends = not diverges(body)
            if callable.is_function and ends:
                self.error(
                    "HR541",
                    f"function '{callable.name}' can end without a result",
                    callable.span,
                    "finish with … on every way through it",
                )
            elif callable.result is not None and (
                ends or any(isinstance(s, Return) and s.value is None for s in statements(body))
            ):
                callable.result = maybe(callable.result)
                nothing = Constant(callable.span, callable.result, none_of(callable.result))
                body = (*with_result(body, nothing), Return(callable.span, nothing))
        else:
            value = self.result_value(source)
            callable.result = value.type if callable.result is None else join(callable.result, value.type) or value.type
            body = (Return(source.span, value),)
        if callable.result is None:
            callable.result = NoValue()
        callable.body = body
        callable.state = "checked"
        self.report_unread(self.locals_made)
        for name, value_ in keep.items():
            setattr(self, name, value_)

    def result_value(self, node: nodes.Expression) -> Expression:
        """What a callable gives back: a pile as a snapshot."""
        return snapshot(self.expr(node))

    # --- blocks -----------------------------------------------------------------------------------------------------------

    def block(self, block: nodes.Block, new_scope: bool = True) -> Body:
        """Statements one after another, with names of their own."""
        if new_scope:
            self.scopes.append({})
        found: list[Statement] = []
        ended: nodes.Node | None = None
        is_said = False
        for node in block.statements:
            if ended is not None:
                if not is_said:
                    self.report.warning(
                        "HR560",
                        "this can never be reached",
                        node.span,
                        related=[Related("because of this", ended.span)],
                    )
                is_said = True
            found.extend(self.statement(node))
            if ended is None and diverges(tuple(found[-1:])):
                ended = node
        if new_scope:
            self.scopes.pop()
        return tuple(found)

    def branch(self, block: nodes.Block | None, known: dict[str, Type]) -> tuple[Body, dict[str, Type] | None]:
        """A block under what a test has shown; what is known at its end, or None if its end is not reached."""
        before = self.narrowed
        self.narrow(known)
        body = self.block(block) if block is not None else ()
        after = None if diverges(body) else self.narrowed
        self.narrowed = before
        return body, after

    def meet(self, *ends: dict[str, Type] | None) -> None:
        """After branches only that is known which each of them knows."""
        reached = [e for e in ends if e is not None]
        if not reached:
            return
        first, *rest = reached
        self.narrowed = {k: t for k, t in first.items() if all(r.get(k) == t for r in rest)}

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
                    return [Stretch(span, a if condition.value else b, self.label("sure"))]
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

    def fresh(self, stem: str) -> str:
        """A unique name that authors cannot see."""
        count = 1
        while f"{stem}_{count}" in self.taken:
            count += 1
        self.taken.add(f"{stem}_{count}")
        return f"{stem}_{count}"

    def as_me(self, me: Expression, body: nodes.Block) -> Body:
        """A block in which someone else is me."""
        keep = self.me, self.me_inherited
        self.me, self.me_inherited = me, False
        found = self.block(body)
        self.me, self.me_inherited = keep
        return found

    def forget_assigned(self, body: nodes.Node) -> None:
        """Before a loop: what its passes may change is not known."""
        self.forget_state()
        for node in walk(body):
            match node:
                case (
                    nodes.Assign(target=nodes.Name(id=word))
                    | nodes.Perform(result=nodes.Name(id=word))
                    | nodes.Command(argument=nodes.Name(id=word))
                ):
                    local = self.find(word)
                    if local is not None:
                        self.forget_local(local)
                case _:
                    pass

    # --- assignment -------------------------------------------------------------------------------------------------------

    def assign(self, node: nodes.Assign) -> list[Statement]:
        """`x = e`, `x += e`."""
        value_node: nodes.Expression = node.value
        if node.operator != "=":
            value_node = nodes.Binary(node.span, node.target, node.operator[:-1], node.value)
        target = node.target
        if isinstance(target, nodes.Name) and target.id not in self.words.variables:
            return self.assign_local(node, target, value_node)
        if isinstance(target, nodes.Name) and self.brought_later(target):
            variable = self.words.variables[target.id]
            self.error(
                "HR526",
                f"'{target.id}' is a local name here, and a house rule makes a variable of that name",
                target.span,
                "give one of the two another name",
                [Related("the variable is declared here", variable.span)],
            )
            return []
        place = self.place(target)
        if place is None:
            self.expr(node.value)
            return []
        value = self.value_for(value_node, place.type)
        return [*self.set_variable(node.span, place, value, value_node)]

    def brought_later(self, target: nodes.Name) -> bool:
        """Whether a variable is brought by a variant that this effect knows nothing of: a local name must not become one in silence."""
        files = [file for file, _ in self.added]
        if target.span.file not in files:
            return False  # A scenario names the variants that it is played with, and knows what they bring.
        return any(target.id in names for _, names in self.added[files.index(target.span.file) + 1 :])

    def value_for(self, node: nodes.Expression, wanted: Type) -> Expression:
        """A value for a place of that type."""
        value = self.items(node, wanted) if isinstance(wanted, List) else self.expr(node, wanted)
        return snapshot(value)

    def place(self, node: nodes.Expression) -> ReadVariable | None:
        """A variable that can be set."""
        if isinstance(node, nodes.Name) and node.id in ("me", "it", "this", "players", "opponents"):
            self.error("HR542", f"'{node.id}' cannot be set", node.span)
            return None
        keep = self.narrowed
        self.narrowed = {k: t for k, t in keep.items() if k != self.key(node)}
        value = self.expr(node)
        self.narrowed = keep
        if isinstance(value.type, Unknown) and not isinstance(value, ReadVariable):
            return None
        match value:
            case ReadVariable():
                value.variable.writes += 1
                value.variable.uses -= 1
                return value
            case Pile() | Single() | AllPieces():
                self.error(
                    "HR542",
                    f"'{format(node)}' is a zone: pieces are moved, not set",
                    node.span,
                    f"move … to {format(node)}",
                    self.declared(value),
                )
            case Constant(type=Unknown()):
                pass
            case _:
                self.error(
                    "HR542",
                    f"'{format(node)}' is not a variable, so it cannot be set",
                    node.span,
                    "what changes is declared under `variables:`",
                )
        return None

    def set_variable(
        self, span: Span, place: ReadVariable, value: Expression, node: nodes.Expression
    ) -> list[Statement]:
        """Set a variable, in its range."""
        self.forbid_change("set a variable", span)
        name = place.variable.name
        value = self.coerce(value, place.type, node, f"variable '{name}'")
        checked = self.within(value, place.type, node, f"variable '{name}'")
        bounds = plain(place.type)
        needs_check = checked is not value or (isinstance(bounds, Int) and not inside(value, bounds))
        self.forget_state()
        return [SetVariable(span, place, value, needs_check)]

    def assign_local(self, node: nodes.Assign, target: nodes.Name, value_node: nodes.Expression) -> list[Statement]:
        """Set a local name, or make one."""
        word = target.id
        if word in ("me", "it", "this", "players", "opponents"):
            self.error("HR542", f"'{word}' cannot be set", target.span)
            return []
        local = self.find(word)
        if local is None:
            if node.operator != "=":
                self.expr(node.value)
                self.error(
                    "HR501",
                    f"there is nothing called '{word}' here to add to",
                    target.span,
                    did_you_mean(word, [*self.words.variables, *self.local_words()]),
                )
                return []
            other = self.global_place(word)
            if other is not None:
                self.expr(node.value)
                self.error(
                    "HR542",
                    f"'{word}' is {other[0]}, so it cannot be set",
                    target.span,
                    None,
                    [Related("declared here", other[1])],
                )
                return []
            value = self.value_for(value_node, UNKNOWN)
            type = value.type
            if isinstance(type, NoValue):
                type = self.later_type(word)
            made = self.bind(word, type, target.span, "assign")
            self.locals_made.append(made)
            self.keep(made, value)
            return [
                SetLocal(
                    node.span,
                    made.unique,
                    self.coerce(value, made.type, value_node, f"'{word}'"),
                    not inside(value, NUMBER),
                )
            ]
        value = self.value_for(value_node, local.type)
        if node.operator != "=":
            local.reads -= 1
        type = local.type
        if not fits(value.type, type):
            joined = (
                join(type, value.type)
                if (isinstance(type, List) and type.of == UNKNOWN) or isinstance(value.type, Unknown)
                else None
            )
            if joined is None:
                value = self.coerce(value, type, value_node, f"'{word}'")
            else:
                local.type = joined
        elif isinstance(type, List) and isinstance(type.of, Unknown) and isinstance(value.type, List):
            local.type = value.type
        value = (
            self.coerce(value, local.type, value_node, f"'{word}'") if not isinstance(value.type, Unknown) else value
        )
        self.now_has(local, value.type)
        self.keep(local, value)
        return [SetLocal(node.span, local.unique, value, not inside(value, NUMBER))]

    def keep(self, local: Name, value: Expression) -> None:
        """A local name that was made of what not everybody may see tells it as well."""
        if self.tells(value):
            self.kept |= {local.unique}

    def now_has(self, local: Name, type: Type) -> None:
        """A local name got a value of that type: one that is surely there needs no test."""
        self.forget_local(local)
        if isinstance(local.type, Maybe) and not isinstance(type, Maybe | Unknown | NoValue):
            self.narrow({f"={local.unique}": local.type.of})

    def local_words(self) -> list[str]:
        """The local names in sight."""
        return [word for scope in self.scopes for word in scope]

    def around(self) -> object:
        """The whole text that is being checked: that of a callable, or of the step at hand."""
        return self.current.source if self.current is not None else self.block_of_step

    def later_type(self, word: str) -> Type:
        """The type of a local that begins as none: that of what it is set to later in the callable."""
        for node in walk(self.around()):
            if (
                isinstance(node, nodes.Assign)
                and isinstance(node.target, nodes.Name)
                and node.target.id == word
                and not isinstance(node.value, nodes.Absent)
            ):
                return maybe(self.guess(node.value))
        return Maybe(UNKNOWN)

    def guess(self, node: nodes.Expression) -> Type:
        """The type that an expression further down will have, as far as it can be told from here; says nothing."""
        keep = self.report
        self.report = type(keep)()
        try:
            found = self.expr(node).type
        finally:
            self.report = keep
        if not isinstance(found, Unknown):
            return found
        name = node.id if isinstance(node, nodes.Name) else None
        for other in walk(self.around()):
            if (
                name
                and isinstance(other, nodes.For | nodes.Choose)
                and (other.binder if isinstance(other, nodes.For) else other.name) == name
            ):
                self.report = type(keep)()
                try:
                    listed = self.items(other.source).type
                finally:
                    self.report = keep
                return listed.of if isinstance(listed, List) else UNKNOWN
        return UNKNOWN

    # --- loops and ends -----------------------------------------------------------------------------------------------------

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
            self.error(
                "HR541",
                f"'{step}' is no step around this",
                span,
                did_you_mean(step, names) or f"around this: {', '.join(names)}",
            )
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

    # --- verbs --------------------------------------------------------------------------------------------------------------

    def command(self, node: nodes.Command) -> list[Statement]:
        """A verb of the table of operations."""
        verb = self.verbs.get(node.verb)
        if verb is None:
            self.error("HR503", f"there is no verb '{node.verb}'", node.verb_span, did_you_mean(node.verb, self.verbs))
            return []
        self.forbid_change(node.verb, node.span)
        given = {p.word: p for p in node.prepositions}
        wanted = {word: pattern.rstrip("?") for word, pattern in verb.prepositions.items()}
        ok = True
        for word, preposition in given.items():
            if word not in wanted:
                ok = False
                self.error(
                    "HR513",
                    f"'{node.verb}' does not know '{word}'",
                    preposition.span,
                    f"for example: {verb.example.splitlines()[0]}",
                )
        for word, pattern in verb.prepositions.items():
            if not pattern.endswith("?") and word not in given:
                ok = False
                self.error(
                    "HR513", f"'{node.verb}' wants '{word}'", node.span, f"for example: {verb.example.splitlines()[0]}"
                )
        if self.in_together and (verb.uses_chance or verb.shared):
            self.error(
                "HR532",
                f"'{node.verb}' cannot stand in a together: it is not one player's own doing",
                node.verb_span,
                "do it after the together",
            )
        if node.verb == "roll":
            return self.roll(node, verb, given) if ok else []
        if verb.argument == "alike" and ok and (exchanged := self.swap_names(node, given["with"].value)) is not None:
            return exchanged
        shape, argument = self.verb_argument(verb, node)
        values: dict[str, Expression] = {"argument": argument}
        if (
            verb.argument == "number"
            and isinstance(node.argument, nodes.Number)
            and node.argument.value == 1
            and "one" in verb.python
        ):
            shape = "one"
        for word, preposition in given.items():
            if word in wanted and wanted[word] not in ("name",):
                values[word] = self.verb_preposition(wanted[word], preposition, node, argument, shape)
        if not ok or any(isinstance(v.type, Unknown) for v in values.values()):
            self.bind_result_anyway(given)
            return []
        self.check_holds(values)
        python = verb.python.get(shape) or verb.python["any"]
        order = list(values)
        for position, word in enumerate(order):
            python = python.replace(
                f"{{{word}}}",
                f"{{{position}}}"
                if wanted.get(word, "") not in ("position",) and word != "by"
                else f", {{{position}}}",
            )
        for word in wanted:
            python = python.replace(f"{{{word}}}", "")
        python = python.replace("{players}", str(self.words.players))
        result = None
        if "as" in given and wanted.get("as") == "name":
            name_node = given["as"].value
            if isinstance(name_node, nodes.Name):
                source = values.get("from", argument)
                element = source.type.of if isinstance(source.type, List) else UNKNOWN
                result = self.bind_new(
                    name_node.id, maybe(element) if shape == "one" else List(element), name_node.span, "verb"
                )
        zones = tuple(z for z in self.touched(values))
        variables = (
            tuple(v.variable for v in values.values() if isinstance(v, ReadVariable)) if shape == "variable" else ()
        )
        for variable in variables:
            variable.writes += 1
        self.forget_state()
        return [
            Act(
                node.span,
                node.verb,
                python,
                tuple(values[w] for w in order),
                result.unique if result else None,
                zones,
                variables,
            )
        ]

    def bind_result_anyway(self, given: dict[str, nodes.Preposition]) -> None:
        """After a mistake, the name that the command would have made is known as something unknown."""
        if "as" in given and isinstance(given["as"].value, nodes.Name):
            self.bind(given["as"].value.id, UNKNOWN, given["as"].span, "verb")

    def verb_argument(self, verb: Any, node: nodes.Command) -> tuple[str, Expression]:
        """The argument of a verb and its shape."""
        argument = node.argument
        what = f"what '{verb.name}' takes"
        match verb.argument:
            case "number":
                value = self.expr(argument, NUMBER)
                if not fits(value.type, NUMBER):
                    if isinstance(value, Pile | Single | AllPieces):
                        text = format(argument)
                        self.error(
                            "HR512",
                            f"{verb.name}'s count is a number, but '{text}' is a zone",
                            argument.span,
                            f"for example: {verb.example.splitlines()[0]}",
                            self.declared(value),
                        )
                    else:
                        self.coerce(value, NUMBER, argument, f"{verb.name}'s count", "HR512")
                    return "any", Constant(argument.span, UNKNOWN, 0)
                return "any", self.solid(value, argument)
            case "pile":
                return "any", self.pile(argument, what, "HR512")
            case "pieces":
                return self.pieces(argument, what)
            case "alike":
                return self.alike(argument, what)
            case "hands":
                return "any", self.hands(argument, what)
        raise AssertionError(verb.argument)

    def pieces(self, node: nodes.Expression, what: str) -> tuple[str, Expression]:
        """A piece, a list of pieces, or a zone."""
        if isinstance(node, nodes.Compare) and node.operator == "in":
            value = self.items(node)
        else:
            value = self.expr(node)
        type = value.type
        if isinstance(value, Pile):
            return "pile", value
        if isinstance(type, List) and isinstance(type.of, Piece | Unknown):
            return "list", value
        if isinstance(plain(type), Piece) or isinstance(type, NoValue):
            return "piece", value
        if isinstance(type, Unknown):
            return "piece", value
        help = None
        if isinstance(type, Int) and what.startswith("what 'move'"):
            help = "to move a number of pieces from a pile: draw 2 from … to …"
        return "piece", self.error(
            "HR512", f"{what} is a piece, a list of pieces or a zone, but '{format(node)}' is {type}", node.span, help
        )

    def swap_names(self, node: nodes.Command, other: nodes.Expression) -> list[Statement] | None:
        """Two values change places, one of which at least has a local name; None where pieces, zones or variables do."""
        sides = (node.argument, other)
        types = [plain(self.expr(side).type) for side in sides if isinstance(side, nodes.Name) and self.find(side.id)]
        if all(isinstance(t, Unknown | List) or (isinstance(t, Piece) and self.lies(t)) for t in types):
            return None
        a, b = (self.expr(side).type for side in sides)
        if not (fits(a, b) and fits(b, a)):
            self.error("HR512", f"'{node.verb}' wants two things of one type: {a} and {b}", other.span)
            return []
        kept = nodes.Name(node.span, "0kept")
        self.scopes[-1].pop(kept.id, None)
        steps = (
            nodes.Assign(node.span, kept, "=", node.argument),
            nodes.Assign(node.span, node.argument, "=", other),
            nodes.Assign(node.span, other, "=", kept),
        )
        return [made for step in steps for made in self.assign(step)]

    def lies(self, piece: Piece) -> bool:
        """Whether a piece of that type can lie anywhere; a space of a board does not."""
        return piece.kind is None or self.words.kinds[piece.kind].lies

    def alike(self, node: nodes.Expression, what: str) -> tuple[str, Expression]:
        """What can be exchanged: a piece, a zone or a variable."""
        value = self.expr(node)
        if isinstance(value, Single):
            return "pile", value.pile
        if isinstance(value, Pile):
            return "pile", value
        type = plain(value.type)
        if isinstance(type, Unknown):
            return "piece", value
        if isinstance(type, Piece) and self.lies(type):
            return "piece", value
        if isinstance(value, ReadVariable):
            self.place(node)
            return "variable", value
        return "piece", self.error(
            "HR512", f"{what} is a piece, a zone or a variable, but '{format(node)}' is {value.type}", node.span
        )

    def hands(self, node: nodes.Expression, what: str) -> Expression:
        """A family of zones with one for each player: as the number of its first slot."""
        value = self.expr(node)
        if isinstance(value, AllPieces) and value.zone.owned and len(value.zone.parameters) == 1:
            return Constant(node.span, NUMBER, value.zone.base)
        if isinstance(value.type, Unknown):
            return value
        return self.error(
            "HR512",
            f"{what} is a family of zones, one for each player, but '{format(node)}' is {self.words_for(value)}",
            node.span,
            "rotate hand",
        )

    def verb_preposition(
        self, pattern: str, preposition: nodes.Preposition, node: nodes.Command, argument: Expression, shape: str
    ) -> Expression:
        """What follows a preposition."""
        value_node = preposition.value
        what = f"what follows '{preposition.word}'"
        match pattern:
            case "pile":
                return self.pile(value_node, what, "HR512")
            case "number":
                return self.coerce(self.expr(value_node, NUMBER), NUMBER, value_node, what, "HR512")
            case "position":
                if (
                    isinstance(value_node, nodes.Name)
                    and value_node.id in ("bottom", "top")
                    and self.find(value_node.id) is None
                ):
                    return Constant(value_node.span, NUMBER, 0 if value_node.id == "bottom" else 1_000_000)
                return self.coerce(self.expr(value_node, NUMBER), NUMBER, value_node, what, "HR512")
            case "players":
                value = (
                    self.expr(value_node, PLAYER)
                    if not isinstance(value_node, nodes.Compare)
                    else self.items(value_node)
                )
                if fits(value.type, List(PLAYER)):
                    return value
                one = self.coerce(value, PLAYER, value_node, what, "HR512")
                return Apply(one.span, List(PLAYER), "[{0}]", (one,))
            case "alike":
                other_shape, other = self.alike(value_node, what)
                if isinstance(other.type, Unknown) or isinstance(argument.type, Unknown):
                    return other
                alike = other.type == argument.type if shape == "variable" else fits(other.type, argument.type)
                if other_shape != shape or not alike:
                    return self.error(
                        "HR512",
                        f"'{node.verb}' wants two things of one type: {self.words_for(argument)} and {self.words_for(other)}",
                        value_node.span,
                    )
                return other
        raise AssertionError(pattern)

    def check_holds(self, values: dict[str, Expression]) -> None:
        """A zone takes only pieces of its kind."""
        target = values.get("to")
        source = values.get("from", values["argument"])
        type = source.type
        element = type.of if isinstance(type, List) else plain(type)
        for pile in either(target) if isinstance(target, Pile | EitherPile) else ():
            if (
                pile.zone.holds is not None
                and isinstance(element, Piece)
                and element.kind not in (None, pile.zone.holds)
            ):
                self.error(
                    "HR514",
                    f"zone '{pile.zone.name}' holds {pile.zone.holds} pieces, not {element.kind}",
                    pile.span,
                    None,
                    [Related("declared here", pile.zone.span)],
                )

    def touched(self, values: dict[str, Expression]) -> Iterator[Zone]:
        """The zones that pieces may leave or enter."""
        seen: dict[str, Zone] = {}
        for word, value in values.items():
            if isinstance(value, Pile | EitherPile):
                for pile in either(value):
                    seen[pile.zone.name] = pile.zone
                    if word == "from" and pile.zone.refill is not None:
                        seen[pile.zone.refill] = self.words.zones[pile.zone.refill]
            elif word == "argument" or word == "with":
                type = value.type.of if isinstance(value.type, List) else plain(value.type)
                if isinstance(type, Piece):
                    for zone in self.words.zones.values():
                        if zone.holds is None or type.kind is None or zone.holds == type.kind:
                            seen[zone.name] = zone
                elif isinstance(value, Constant) and isinstance(value.type, Int):
                    for zone in self.words.zones.values():
                        if zone.base == value.value:
                            seen[zone.name] = zone
        yield from seen.values()

    def roll(self, node: nodes.Command, verb: Any, given: dict[str, nodes.Preposition]) -> list[Statement]:
        """`roll n from S`: into a new name, a local, or a variable."""
        source = snapshot(self.items(given["from"].value))
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        never_empty = isinstance(source, Constant) and isinstance(source.value, tuple) and len(source.value) > 0
        type = element if never_empty else maybe(element)
        target = node.argument
        spoken = format(target)
        self.rolled[spoken] = element
        python = (
            verb.python["any"]
            .replace("{name}", repr(spoken))
            .replace("{from}", "{0}")
            .replace("{n}", str(none_of(type)))
        )
        if isinstance(target, nodes.Name) and target.id not in self.words.variables:
            local = self.find(target.id)
            if local is None:
                local = self.bind_new(target.id, type, target.span, "verb")
            elif not fits(type, local.type):
                self.error(
                    "HR510",
                    f"'{target.id}' is {local.type}, but this rolls {type}",
                    target.span,
                    None,
                    self.declared(source),
                )
            self.now_has(local, type)
            return [Act(node.span, "roll", python, (source,), local.unique, ())]
        place = self.place(target)
        if place is None:
            return []
        value = Local(node.span, type, self.fresh("rolled"))
        act = Act(node.span, "roll", python, (source,), value.name, ())
        return [act, *self.set_variable(node.span, place, value, given["from"].value)]

    # --- choices ------------------------------------------------------------------------------------------------------------

    def chooser(self, node: nodes.Expression | None, span: Span) -> Expression:
        """Who chooses: me, or someone named."""
        self.forbid_change("ask anybody", span)
        if node is None:
            return self.use_me(span)
        if self.in_together:
            self.error("HR532", "in a together everybody chooses for themselves", node.span, "choose … from …")
        return self.coerce(self.expr(node, PLAYER), PLAYER, node, "who chooses")

    def site(self, kind: str, name: str, type: Type, span: Span, may_pass: bool, prompt: nodes.Text | None) -> Site:
        """A place where somebody is asked."""
        made = Site(
            kind,
            name,
            type,
            span,
            may_pass,
            prompt.raw if prompt else "",
            self.text_parts(prompt) if prompt else (),
            step=self.step_path,
        )
        self.sites.append(made)
        return made

    def choose(self, node: nodes.Choose) -> list[Statement]:
        """`choose card from S …`."""
        chooser = self.chooser(node.chooser, node.span)
        self.chosen = node.name
        source = self.items(node.source)
        self.chosen = ""
        if isinstance(source.type, Unknown):
            source = Constant(source.span, List(UNKNOWN), ())
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        if isinstance(element, Maybe):
            self.error("HR520", "some of what is offered may be none", node.source.span, "leave those out: `… where …`")
            element = element.of
        low = high = None
        kind = "pick"
        if node.count is not None:
            kind = "several"
            if isinstance(node.count, nodes.Range):
                low, high = self.number(node.count.low), self.number(node.count.high)
            else:
                low = high = self.number(node.count)
        always_some = surely_some(source) and not node.may_pass
        type: Type = List(element) if kind == "several" else element if always_some else maybe(element)
        source = snapshot(source)
        site = self.site(kind, node.name, element, node.span, node.may_pass, node.prompt)
        site.always = self.tells(source)
        filter = node.source.where or node.source.by if isinstance(node.source, nodes.Selection) else None
        self.warn_leak(source, chooser, (filter or node.source).span)
        unique: str
        if node.body is not None:
            self.scopes.append({})
            made = self.bind_new(node.name, List(element) if kind == "several" else element, node.name_span, "choose")
            unique = made.unique
            self.forget_state()
            before = self.narrowed
            body, after = self.branch(node.body, {})
            self.scopes.pop()
            otherwise, end = self.branch(node.otherwise, {})
            self.narrowed = before
            self.meet(after, end)
            ask = Ask(node.span, site, chooser, once(source), (), low, high, unique)
            answer = Local(node.span, maybe(element), unique)
            test: Expression
            if kind == "several":
                test = Apply(node.span, BOOL, "(len({0}) > 0)", (answer,))
            else:
                test = self.present(answer)
            if always_some and kind == "pick":
                return [ask, *body]
            return [ask, Branch(node.span, test, body, otherwise)]
        made = self.bind_new(node.name, type, node.name_span, "choose")
        self.forget_state()
        return [Ask(node.span, site, chooser, once(source), (), low, high, made.unique)]

    def tells(self, value: Expression) -> bool:
        """Whether a value depends on something that not everybody may see, so that a silence would tell it."""
        return any(True for _ in Sight(None, self.kept, self.seen_by_nobody).reads(value))

    def warn_leak(self, value: Expression, chooser: Expression, span: Span) -> None:
        """A filter that reads what the chooser may not see tells it by what it offers."""
        for family in Sight(chooser).reads(value):
            if family is not None:
                what = "variable" if isinstance(family, Variable) else "zone"
                self.report.warning(
                    "HR580",
                    f"this reads what the chooser may not see of '{family.name}': the options give it away",
                    span,
                    "show it first, or offer everything",
                    [Related(f"the {what} is declared here", family.span)],
                )
                return

    def menu(self, node: nodes.Menu) -> list[Statement]:
        """A menu: the answer is the number of a line."""
        chooser = self.chooser(node.chooser, node.span)
        site = self.site("menu", "", Int(0, max(0, len(node.items) - 1)), node.span, node.may_pass, node.prompt)
        labels: list[tuple[str, Parts]] = []
        conditions: list[tuple[Expression | None, dict[str, Type]]] = []
        for item in node.items:
            if any(raw == item.label.raw for raw, _ in labels):
                self.error("HR543", f"this menu has '{item.label.raw}' twice", item.label.span)
            labels.append((item.label.raw, self.text_parts(item.label)))
            if item.when is None:
                conditions.append((None, {}))
            else:
                condition, yes, _ = self.condition(item.when)
                conditions.append((condition, yes))
        site.labels = tuple(labels)
        site.always = any(c is not None and self.tells(c) for c, _ in conditions)
        for item, (shown, _) in zip(node.items, conditions, strict=True):
            if shown is not None and item.when is not None:
                self.warn_leak(shown, chooser, item.when.span)
        unique = self.fresh("line")
        answer = Local(node.span, Int(NONE, len(node.items)), unique)
        ends: list[dict[str, Type] | None] = []
        bodies: list[Body] = []
        self.forget_state()
        for item, (_, yes) in zip(node.items, conditions, strict=True):
            body, after = self.branch(item.body, {k: t for k, t in yes.items() if k.startswith("=")})
            bodies.append(body)
            ends.append(after)
        otherwise, end = self.branch(node.otherwise, {})
        self.meet(*ends, end)
        chain: Body = otherwise
        for number in range(len(bodies) - 1, -1, -1):
            test = Apply(node.span, BOOL, f"({{0}} == {number})", (answer,))
            last = (
                number == len(bodies) - 1 and not node.may_pass and all(c is None for c, _ in conditions) and not chain
            )
            chain = bodies[number] if last else (Branch(node.span, test, bodies[number], chain),)
        return [Ask(node.span, site, chooser, None, tuple(c for c, _ in conditions), None, None, unique), *chain]

    # --- calls ----------------------------------------------------------------------------------------------------------------

    def perform(self, node: nodes.Perform) -> list[Statement]:
        """`perform summon`, `perform card.wish`, `ok = perform open(d)`."""
        self.forbid_change("perform an action", node.span)
        callee = node.callee
        result_type: Type
        found: Invoke
        if isinstance(callee, nodes.Name):
            action = self.words.actions.get(callee.id)
            if action is None:
                help = did_you_mean(callee.id, self.words.actions)
                if callee.id in self.words.functions:
                    help = f"'{callee.id}' is a function: use its value, {callee.id}(…)"
                self.error("HR503", f"there is no action '{callee.id}'", callee.span, help)
                self.bind_perform_anyway(node)
                return []
            action.uses += 1
            arguments = self.arguments(action, node.arguments, (), node.span)
            self.demand(action)
            if node.result is not None:
                self.await_result(action)
            me = self.call_me(action, callee.span)
            result_type = action.result or UNKNOWN
            found = Invoke(node.span, action, None, None, arguments or (), me, None)
            if arguments is None:
                self.bind_perform_anyway(node)
                return []
        elif isinstance(callee, nodes.Attribute):
            of = self.expr(callee.of)
            if isinstance(of.type, Unknown):
                self.bind_perform_anyway(node)
                return []
            of = self.solid(of, callee.of)
            slot = self.effect_slot(of, callee)
            if slot is None:
                self.bind_perform_anyway(node)
                return []
            arguments = self.arguments(Callable(slot.name, slot.parameters, slot.span), node.arguments, (), node.span)
            for body in slot.bodies.values():
                body.uses += 1
                self.inherited_calls.append(
                    (self.current if self.me_inherited else None, body, callee.span, self.me is not None)
                )
            result_type = NoValue()
            if arguments is None:
                return []
            found = Invoke(node.span, None, slot, of, arguments, self.me, None)
        else:
            self.error("HR503", "`perform` wants the name of an action, or an effect such as card.wish", callee.span)
            return []
        self.forget_state()
        if node.result is None:
            return [found]
        if isinstance(result_type, NoValue):
            self.error(
                "HR510", f"'{format(callee)}' has no result", node.span, "`finish with …` in an action gives one"
            )
            self.bind_perform_anyway(node)
            return []
        return self.perform_result(node, found, result_type)

    def perform_result(self, node: nodes.Perform, found: Invoke, type: Type) -> list[Statement]:
        """`ok = perform …`: into a variable, a local, or a new name."""
        assert node.result is not None
        word = node.result.id
        if word in self.words.variables:
            place = self.place(node.result)
            if place is None:
                return []
            value = Local(node.span, type, self.fresh("result"))
            return [replace(found, result=value.name), *self.set_variable(node.span, place, value, node.result)]
        local = self.find(word)
        if local is None:
            local = self.bind_new(word, type, node.result.span, "assign")
            self.locals_made.append(local)
        elif not fits(type, local.type):
            self.error(
                "HR510", f"'{word}' is {local.type}, but '{format(node.callee)}' finishes with {type}", node.span
            )
        self.now_has(local, type)
        return [replace(found, result=local.unique)]

    def bind_perform_anyway(self, node: nodes.Perform) -> None:
        """After a mistake, the result's name is known as something unknown."""
        if node.result is not None and node.result.id not in self.words.variables and self.find(node.result.id) is None:
            self.bind(node.result.id, UNKNOWN, node.result.span, "verb")

    def effect_slot(self, of: Expression, callee: nodes.Attribute) -> EffectSlot | None:
        """The effect of that name that the piece or member may have."""
        type = of.type
        if isinstance(type, Member | Piece) and type.kind:
            slots = self.words.kinds[type.kind].effects
            if callee.name in slots:
                return slots[callee.name]
            self.error(
                "HR503",
                f"a {type.kind} has no effect '{callee.name}'",
                callee.name_span,
                did_you_mean(callee.name, slots),
            )
            return None
        self.error("HR503", f"'{format(callee.of)}' is {self.words_for(of)}, which has no effects", callee.span)
        return None

    # --- everyone at once -------------------------------------------------------------------------------------------------------

    def together(
        self, span: Span, binder: str | None, binder_span: Span | None, source_node: nodes.Expression, work: Any
    ) -> list[Statement]:
        """Everyone on their own, unseen."""
        self.forbid_change("ask anybody", span)
        if self.in_together:
            self.error("HR532", "a together cannot stand in a together", span)
        source = self.coerce(self.items(source_node), List(PLAYER), source_node, "who acts together")
        self.scopes.append({})
        if binder is not None:
            unique = self.bind_new(binder, PLAYER, binder_span or span, "loop").unique
        else:
            unique = self.fresh("me")
        keep = self.me, self.me_inherited, self.in_together, self.finish, self.loops
        label = self.label("together")
        self.me, self.me_inherited, self.in_together, self.finish, self.loops = (
            Local(span, PLAYER, unique),
            False,
            True,
            label,
            [],
        )
        before = self.narrowed
        body = work()
        self.me, self.me_inherited, self.in_together, self.finish, self.loops = keep
        self.scopes.pop()
        self.narrowed = before
        self.forget_state()
        return [Together(span, unique, source, body, label)]

    def race(self, node: nodes.Race) -> list[Statement]:
        """Who slaps, fastest first."""
        self.forbid_change("start a race", node.span)
        if self.in_together:
            self.error("HR532", "a race cannot stand in a together", node.span)
        entrants = self.coerce(self.items(node.source), List(PLAYER), node.source, "who may slap")
        must: Expression = Constant(node.span, List(PLAYER), ())
        if node.must is not None:
            self.scopes.append({})
            local = (
                self.bind_new(node.binder, PLAYER, node.binder_span or node.span, "binder")
                if node.binder
                else self.bind("it", PLAYER, node.span, "binder")
            )
            condition = self.condition(node.must)[0]
            self.scopes.pop()
            must = Select(node.span, List(PLAYER), None, local.unique, entrants, condition, ())
        site = self.site("race", node.result, PLAYER, node.span, False, None)
        self.forget_state()
        made = self.bind_new(node.result, List(PLAYER, self.words.players), node.result_span, "choose")
        return [Race(node.span, site, entrants, must, made.unique)]


def either(value: Pile | EitherPile) -> Iterator[Pile]:
    """The pile that an expression means, or those that it can mean."""
    if isinstance(value, Pile):
        yield value
    else:
        yield from either(value.yes)
        yield from either(value.no)


def inside(value: Expression, bounds: Int) -> bool:
    """Whether a value is provably in a range (or is no number)."""
    type = plain(value.type)
    return not isinstance(type, Int) or (bounds.low <= type.low and type.high <= bounds.high)


def leaves(body: Body, label: str) -> bool:
    """Whether anything in the statements can end the loop of that label."""
    for statement in body:
        match statement:
            case Jump(label=target) if target == label:
                return True
            case Return() | EndGame():
                return True
            case Jump(label=target) if not target.startswith(("while", "for", "repeat")):
                return True
            case Branch(then=then, otherwise=otherwise):
                if leaves(then, label) or leaves(otherwise, label):
                    return True
            case Each(body=inner) | Loop(body=inner) | Times(body=inner) | Stretch(body=inner) | Together(body=inner):
                if leaves(inner, label):
                    return True
            case Invoke():
                return True
            case _:
                pass
    return False


__all__ = ["Checker", "Player", "StepLabels", "diverges", "leaves", "walk"]
