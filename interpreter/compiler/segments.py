"""Cuts rules that ask into segments: checked statements in, functions that run from one question to the next out.

Statements become a graph of blocks, cut where somebody is asked or something that asks is called. Each block that can be
resumed, looped to or joined is the head of a function; the others are written into the function before them. What must
survive a question is kept in a frame: a list of ints and lists, `[return to, me, this, parameters …, locals …]`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from interpreter.compiler import questions
from interpreter.compiler.emit import Emitter, callable_parameters, plain_function, run_together
from interpreter.diagnostics import Span
from interpreter.language import checked
from interpreter.language.checked import (
    Act,
    AllPieces,
    Apply,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    EndGame,
    Enter,
    Expression,
    Invoke,
    Jump,
    Local,
    Loop,
    Pause,
    Pile,
    Race,
    ReadVariable,
    Return,
    Select,
    SetLocal,
    SetVariable,
    Site,
    Statement,
    Stretch,
    Times,
    Together,
    expressions,
    statements,
)
from interpreter.language.scope import Callable, Vocabulary
from interpreter.language.types import BOOL, NUMBER, UNKNOWN, List, NoValue

ASK, DONE, GAME_OVER, PAUSED, FORKED = -1, -2, -3, -4, -5
FIXED = 3
"""Frame places before the parameters: where to return, `me`, `this`."""
SHORT_HEAD = 8
"""Statements at the head of a loop up to which it is written behind what leads back to it."""


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    """On to a block."""

    to: Block


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """One of two blocks."""

    test: Expression
    yes: Block
    no: Block


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Somebody is asked; the answer arrives at `then`."""

    ask: Ask | Race
    then: Block


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Something that asks is performed; it returns to `then`. The `last` that a callable does returns to its caller."""

    invoke: Invoke
    then: Block
    last: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Everyone:
    """Everyone acts on their own; merged at `then`."""

    together: Together
    inside: Block
    then: Block


@dataclass(frozen=True, slots=True, eq=False)
class Drain:
    """Triggers that may ask have their turn; then on."""

    then: Block


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """The machine stands still."""

    then: Block


@dataclass(frozen=True, slots=True, eq=False)
class Finish:
    """The callable is done. `outcome` says with what: a result for the caller, one player's part, or the game."""

    value: Expression | None
    outcome: int


Terminator = Goto | Fork | Question | Call | Everyone | Drain | Still | Finish


@dataclass(slots=True, eq=False)
class Block:
    """Statements that ask nobody, and how it goes on."""

    span: Span
    statements: list[Statement] = field(default_factory=list)
    end: Terminator | None = None
    answer: str | None = None  # the local that gets the answer or result on arrival
    heads: bool = False
    repeats: bool = False  # the head of a loop that may be written behind what leads back to it
    number: int = -1
    comes_from: int = 0
    alive: frozenset[str] = frozenset()

    def only_ends(self) -> bool:
        """Whether all it does is to end without a result: short enough to stand wherever it is reached from."""
        return not self.statements and self.answer is None and isinstance(self.end, Finish) and self.end.value is None

    def destination(self) -> Block:
        """Itself, or the block to which it only leads on."""
        block, passed = self, {id(self)}
        while (
            not block.statements
            and block.answer is None
            and isinstance(block.end, Goto)
            and id(block.end.to) not in passed
        ):
            block = block.end.to
            passed.add(id(block))
        return block

    def next(self) -> list[Block]:
        """Where it can go on."""
        match self.end:
            case Goto(to):
                return [to]
            case Fork(_, yes, no):
                return [yes, no]
            case Question(_, then) | Call(_, then, False) | Drain(then) | Still(then):
                return [then]
            case Everyone(_, inside, then):
                return [inside, then]
            case _:
                return []


@dataclass(slots=True, eq=False)
class Segment:
    """One function of the program, and what is known of it."""

    number: int
    span: Span
    function: ast.FunctionDef
    owner: str


class Segmenter:
    """Makes segments of all callables that ask, and of the flow. Numbers run through the whole program."""

    def __init__(self, emitter: Emitter, words: Vocabulary, restartable: bool) -> None:
        self.emitter = emitter
        self.words = words
        self.restartable = restartable
        self.segments: list[Segment] = []
        self.sites: list[Site] = []
        self.entries: dict[int, int] = {}  # of a callable, by identity
        self.frames: dict[int, int] = {}
        self.asking_triggers = any(t.callable.asks for t in words.triggers)
        self.final: set[int] = set()  # segments of a together that only write, run at the merge
        self.asked_at: dict[int, int] = {}  # by site: the segment that asks
        self.together_at: dict[
            int, tuple[Span, str]
        ] = {}  # by the segment that follows: where it stands, and in which rule
        self.owner = ""
        self.gives_result = False  # whether the callable that is written now has a result
        self.questions = 0
        self.copies = False  # whether somewhere everybody acts at once on a copy of the table

    # --- what can be written straight ---------------------------------------------------------------------------------------

    def asks(self, statement: Statement) -> bool:
        """Whether a statement by itself cuts a segment."""
        match statement:
            case Ask() | Race() | Together() | Pause():
                return True
            case Invoke(action=action, effect=effect):
                if action is not None:
                    return action.asks
                return effect is not None and self.effect_asks(effect.bodies.values())
            case Act() | SetVariable():
                return self.asking_triggers and self.causes(statement)
            case _:
                return False

    def effect_asks(self, bodies: object) -> bool:
        """Whether any member's effect asks."""
        return any(b.asks for b in bodies)  # type: ignore[attr-defined]

    def causes(self, statement: Statement) -> bool:
        """Whether a statement can set off a trigger."""
        match statement:
            case Act():
                return self.emitter.sets_off(statement)
            case SetVariable(target=target):
                return target.variable.name in self.emitter.hooks
            case _:
                return False

    def straight(self, statement: Statement, own: frozenset[str] = frozenset()) -> bool:
        """Whether a statement can be written as plain Python: it asks nobody and does not jump out of itself."""
        if self.asks(statement):
            return False
        match statement:
            case Return() | Jump() | EndGame():
                return isinstance(statement, EndGame) or (isinstance(statement, Jump) and statement.label in own)
            case Branch(then=then, otherwise=otherwise):
                return all(self.straight(s, own) for s in (*then, *otherwise))
            case Each(body=body, label=label) | Loop(body=body, label=label) | Times(body=body, label=label):
                return all(self.straight(s, frozenset({label})) for s in body)
            case Stretch(body=body):
                return all(self.straight(s, own) for s in body)
            case _:
                return True

    # --- the graph ------------------------------------------------------------------------------------------------------------

    def build(self, body: Body, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """Put statements behind a block; the block where it goes on, or None if it does not."""
        for statement in body:
            after = self.put(statement, block, exits, outcome)
            if after is None:
                return None
            block = after
        return block

    def put(self, statement: Statement, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """Put one statement behind a block."""
        span = statement.span
        if span.file != block.span.file:
            block.end = Goto(Block(span, heads=True))
            block = block.end.to
        if self.straight(statement):
            block.statements.append(statement)
            return block
        match statement:
            case Branch(test=test, then=then, otherwise=otherwise):
                yes, no, join = Block(span), Block(span), Block(span)
                block.end = Fork(test, yes, no)
                reached = False
                for start, inner in ((yes, then), (no, otherwise)):
                    last = self.build(inner, start, exits, outcome)
                    if last is not None:
                        last.end = Goto(join)
                        reached = True
                return join if reached else None
            case Stretch(body=inner, label=label):
                join = Block(span)
                last = self.build(inner, block, {**exits, label: join}, outcome)
                if last is not None:
                    last.end = Goto(join)
                return join
            case Each():
                return self.each(statement, block, exits, outcome)
            case Times(count=count, body=inner, label=label):
                left = f"0left_{label}"
                block.statements.append(SetLocal(span, left, Apply(span, NUMBER, "{0}", (count,))))
                test = Apply(span, BOOL, "({0} > 0)", (Local(span, NUMBER, left),))
                fewer = SetLocal(span, left, Apply(span, NUMBER, "({0} - 1)", (Local(span, NUMBER, left),)))
                return self.loop(span, test, None, (fewer, *inner), label, block, exits, outcome)
            case Loop(test=test_, until=until, body=inner, label=label):
                return self.loop(span, test_, until, inner, label, block, exits, outcome)
            case Jump(label=label):
                block.end = Goto(exits[label])
                return None
            case Return(value=value):
                block.end = Finish(value, outcome)
                return None
            case Ask() | Race():
                if self.restartable:
                    asking = Block(span, heads=True)
                    block.end = Goto(asking)
                    block = asking
                answered = Block(span, answer=statement.result, heads=True)
                block.end = Question(statement, answered)
                return answered
            case Invoke(result=result):
                returned = Block(span, answer=result, heads=True)
                block.end = Call(statement, returned)
                # Triggers that ask nobody had their turn inside, each after the statement that caused it.
                return self.drain(returned, span) if self.asking_triggers else returned
            case Together():
                inside, merged = Block(span, heads=True), Block(span, heads=True)
                ending = Block(span)
                last = self.build(statement.body, inside, {statement.label: ending}, DONE)
                if last is not None:
                    last.end = Goto(ending)
                ending.end = Finish(None, DONE)
                block.end = Everyone(statement, inside, merged)
                return self.drain(merged, span)
            case Pause():
                onward = Block(span, heads=True)
                block.end = Still(onward)
                return onward
            case Act() | SetVariable():
                block.statements.append(statement)
                return self.drain(block, span)
            case _:
                raise AssertionError(statement)

    def drain(self, block: Block, span: Span) -> Block:
        """After what may set off triggers, they have their turn."""
        if not (self.emitter.hooks or self.emitter.left or self.emitter.entered):
            return block
        if not self.asking_triggers:
            block.statements.append(Act(span, "drain", "({s}.queue and drain({s}))", (), None, ()))
            return block
        then = Block(span, heads=True)
        block.end = Drain(then)
        return then

    def each(self, node: Each, block: Block, exits: dict[str, Block], outcome: int) -> Block:
        """A loop over a list whose passes ask: the list and the position live in the frame."""
        span = node.span
        listed, position = f"0list_{node.label}", f"0place_{node.label}"
        source = (
            Apply(span, node.source.type, "list({0})", (node.source,)) if isinstance(node.source, Pile) else node.source
        )
        if self.emitter.meters(source.type):
            source = Apply(span, source.type, "metered({s}, {0})", (source,))
        block.statements += [SetLocal(span, listed, source), SetLocal(span, position, Constant(span, NUMBER, 0))]
        element = node.source.type.of if isinstance(node.source.type, List) else UNKNOWN
        all_, here = Local(span, node.source.type, listed), Local(span, NUMBER, position)
        test = Apply(span, BOOL, "({0} < len({1}))", (here, all_))
        advance = (
            SetLocal(span, node.binder, Apply(span, element, "{0}[{1}]", (all_, here))),
            SetLocal(span, position, Apply(span, NUMBER, "({0} + 1)", (here,))),
        )
        return self.loop(span, test, None, (*advance, *node.body), node.label, block, exits, outcome, bounded=True)

    def loop(
        self,
        span: Span,
        test: Expression | None,
        until: Expression | None,
        body: Body,
        label: str,
        block: Block,
        exits: dict[str, Block],
        outcome: int,
        bounded: bool = False,
    ) -> Block:
        """A loop whose passes ask."""
        # In a together, what comes after the last question is a function of its own; a question put again begins one.
        repeats = outcome != DONE and not self.restartable
        head, out = Block(span, heads=True, repeats=repeats), Block(span)
        block.end = Goto(head)
        start = head
        if test is not None:
            start = Block(span)
            head.end = Fork(test, start, out)
        if not bounded:
            start.statements.append(Act(span, "pass", "passed({s})", (), None, ()))
        last = self.build(body, start, {**exits, label: out}, outcome)
        if last is not None:
            if until is not None:
                last.end = Fork(until, out, head)
            else:
                last.end = Goto(head)
        return out

    # --- from the graph to functions ----------------------------------------------------------------------------------------------

    def callable(self, callable: Callable) -> None:
        """Segments of one callable that asks."""
        head = Block(callable.span, heads=True)
        if self.emitter.counts_calls:
            head.statements.append(Act(callable.span, "pass", "called({s})", (), None, ()))
        last = self.build(callable.body or (), head, {}, 0)
        if last is not None:
            last.end = Finish(None, 0)
        names = ["0return", "me", "this", *(p.name or f"0parameter{i}" for i, p in enumerate(callable.parameters))]
        self.gives_result = not isinstance(callable.result, NoValue)
        self.write(head, names, callable.name, self.entries[id(callable)], id(callable))

    def flow(self, body: Body, span: Span) -> int:
        """Segments of the flow; the number of the first."""
        head = Block(span, heads=True)
        last = self.build(body, head, {}, GAME_OVER)
        if last is not None:
            last.end = Finish(None, GAME_OVER)
        entry = self.reserve()
        self.write(head, ["0return", "me", "this"], "flow", entry, 0)
        return entry

    def reserve(self) -> int:
        """A number for a segment that is written later."""
        self.segments.append(
            Segment(
                len(self.segments),
                Span(""),
                ast.FunctionDef("", ast.arguments([], [], None, [], [], None, []), [], []),
                "",
            )
        )
        return len(self.segments) - 1

    def plan(self, callables: list[Callable]) -> None:
        """Numbers for the entries of all callables that ask, so that they can call each other."""
        for callable in callables:
            self.entries[id(callable)] = self.reserve()

    def blocks(self, head: Block) -> list[Block]:
        """All blocks that can be reached."""
        found: dict[int, Block] = {}
        waiting = [head]
        while waiting:
            block = waiting.pop()
            if id(block) in found:
                continue
            found[id(block)] = block
            waiting += reversed(block.next())
        return list(found.values())

    def write(self, head: Block, names: list[str], owner: str, entry: int, key: int) -> None:
        """Functions for the graph behind a head."""
        self.owner = owner
        self.shorten(head)
        blocks = self.blocks(head)
        for block in blocks:
            for other in block.next():
                other.comes_from += 1
                if other.span.file != block.span.file:
                    other.heads = True
        self.find_alive(blocks)
        for block in blocks:
            if block.comes_from > 1 and not block.only_ends():
                block.heads = True
        slots = {name: place for place, name in enumerate(names)}
        for block in blocks:
            for name in sorted(block.alive):
                slots.setdefault(name, len(slots))
        self.frames[key] = len(slots)
        head.number = entry
        for block in blocks:
            if block.heads and block.number < 0:
                block.number = self.reserve()
        for block in blocks:
            if block.heads:
                writer = SegmentWriter(self, slots)
                function = writer.function(block)
                self.segments[block.number] = Segment(block.number, block.span, function, owner)
        self.mark_final(blocks)

    def shorten(self, head: Block) -> None:
        """Whatever leads to a block that only leads on leads where that one does."""
        for block in self.blocks(head):
            match block.end:
                case Goto(to):
                    block.end = Goto(to.destination())
                case Fork(test, yes, no):
                    block.end = Fork(test, yes.destination(), no.destination())
                case Call(invoke, then):
                    onward = then.destination()
                    if onward.only_ends() and self.may_be_last(invoke, onward.end):
                        block.end = Call(invoke, onward, last=True)
                    else:
                        block.end = Call(invoke, resumed(onward))
                case Everyone(together, inside, then):
                    block.end = Everyone(together, inside, resumed(then.destination()))
                case _:
                    pass

    def may_be_last(self, invoke: Invoke, end: Terminator | None) -> bool:
        """Whether what is performed can return to the caller at once: nobody waits for a result, and calls stay counted."""
        if not isinstance(end, Finish) or end.outcome != 0 or self.gives_result:
            return False
        if invoke.action is not None:
            return not invoke.action.recursive
        return invoke.effect is not None and not any(body.recursive for body in invoke.effect.bodies.values())

    def find_alive(self, blocks: list[Block]) -> None:
        """Which locals are still wanted when a block is reached."""
        facts = {id(b): uses_and_sets(b) for b in blocks}
        changed = True
        while changed:
            changed = False
            for block in reversed(blocks):
                uses, sets = facts[id(block)]
                after = frozenset().union(*(n.alive for n in block.next())) if block.next() else frozenset()
                if isinstance(block.end, Everyone):
                    after -= {block.end.together.binder}
                alive = (uses | (after - sets)) - ({block.answer} if block.answer else set())
                if alive != block.alive:
                    block.alive = frozenset(alive)
                    changed = True

    def mark_final(self, blocks: list[Block]) -> None:
        """Parts of a together that write only after the last question need no copy of the state: they run at the merge."""
        for block in blocks:
            if isinstance(block.end, Everyone) and self.only_writes_last(block.end):
                for inner in self.blocks(block.end.inside):
                    if inner.heads and not self.reaches_question(inner):
                        self.final.add(inner.number)

    def reaches_question(self, block: Block) -> bool:
        """Whether somebody can be asked from here on."""
        return any(isinstance(b.end, Question | Call | Drain) for b in self.blocks(block))

    def only_writes_last(self, everyone: Everyone) -> bool:
        """Whether each player's part sets own variables and moves own pieces only after its last question, and reads nothing
        that another's changes."""
        binder = everyone.together.binder
        inner = self.blocks(everyone.inside)
        if any(isinstance(b.end, Call | Drain) for b in inner):
            return False
        written: set[str] = set()
        lain_in: set[str] = set()
        for block in inner:
            for statement in statements(block.statements):
                match statement:
                    case SetVariable(target=target):
                        if (
                            not target.variable.owned
                            or not is_local(target.index[0], binder)
                            or target.variable.name in self.emitter.hooks
                        ):
                            return False
                        written.add(target.variable.name)
                    case Act(verb="move"):
                        zones = self.own_move(statement, inner, binder)
                        if not zones:
                            return False
                        lain_in.update(zones)
                    case Act() | Invoke() | EndGame():
                        if not (isinstance(statement, Act) and statement.verb in ("pass", "mark")):
                            return False
                    case checked.Tell():
                        return False
                    case _:
                        pass
        for block in inner:
            writes = any(
                isinstance(s, SetVariable) or (isinstance(s, Act) and s.verb == "move")
                for s in statements(block.statements)
            )
            if writes and (self.reaches_question(block) or not self.final_head(block, inner)):
                return False
            for expression in block_expressions(block):
                if isinstance(expression, checked.Evaluate):
                    return False
                if (
                    isinstance(expression, ReadVariable)
                    and expression.variable.name in written
                    and not is_local(expression.index[0], binder)
                ):
                    return False
                if lain_in and looks_elsewhere(expression, lain_in, binder):
                    return False
        return True

    def own_move(self, act: Act, inner: list[Block], binder: str) -> set[str]:
        """The zones of a move of the one piece that a player has chosen out of an own zone, into another; none for any other.

        No trigger waits for it, nothing can be full, and nobody else can have moved that piece in the meantime.
        """
        if len(act.arguments) != 2 or not act.python.startswith("move(") or self.emitter.sets_off(act):
            return set()
        piece, target = act.arguments
        if not isinstance(piece, Local) or not is_own(target, binder):
            return set()
        asks = [b.end.ask for b in inner if isinstance(b.end, Question)]
        sources = [ask.source for ask in asks if isinstance(ask, Ask) and ask.result == piece.name]
        source = sources[0] if len(sources) == 1 else None
        if isinstance(source, Apply) and source.python == "{0}[:]":
            source = source.arguments[0]
        if not is_own(source, binder) or any(piece.name in sets_of(s) for b in inner for s in b.statements):
            return set()
        return {source.zone.name, target.zone.name}

    def final_head(self, block: Block, inner: list[Block]) -> bool:
        """Whether the function in which a block is written begins behind the last question."""
        seen: set[int] = set()
        waiting = [block]
        while waiting:
            at = waiting.pop()
            if id(at) in seen:
                continue
            seen.add(id(at))
            if at.heads:
                if self.reaches_question(at):
                    return False
                continue
            waiting += [b for b in inner if at in b.next()]
        return True


class SegmentWriter:
    """Writes one function: the block at its head and those that only it leads to."""

    def __init__(self, segmenter: Segmenter, slots: dict[str, int]) -> None:
        self.segmenter = segmenter
        self.emitter = segmenter.emitter
        self.slots = slots
        self.head = -1
        self.repeated: Block | None = None  # the head of a loop that is being written here

    def function(self, head: Block) -> ast.FunctionDef:
        """The function that begins at a block."""
        emitter = self.emitter
        emitter.file = head.span.file
        self.head = head.number
        tree = list(self.tree(head))
        touched: set[str] = set()
        for block in tree:
            uses, sets = uses_and_sets(block)
            touched |= uses | sets
            if block.answer:
                touched.add(block.answer)
        for block in tree:
            for other in block.next():
                if other.heads:
                    touched |= other.alive & head.alive & touched
        body = self.block(head, frozenset())
        emitter.at(head.span)
        loads: list[ast.stmt] = []
        for name in sorted(head.alive & touched, key=lambda n: self.slots[n]):
            loads.append(
                emitter.assign(
                    self.local(name), emitter.subscript(emitter.name("frame"), emitter.number(self.slots[name]))
                )
            )
        used = {n.id for statement in body for n in ast.walk(statement) if isinstance(n, ast.Name)}
        if loads or "frame" in used:
            loads.insert(
                0, emitter.assign("frame", emitter.subscript(emitter.attribute("s", "frames"), emitter.number(-1)))
            )
        return plain_function(emitter, f"s{head.number}", ["s"], [*loads, *body], head.span)

    def local(self, name: str) -> str:
        """A local in the generated function."""
        return f"l_{name}"

    def tree(self, block: Block) -> Iterator[Block]:
        """The blocks that are written into the function of a head."""
        yield block
        match block.end:
            case Goto(to):
                following = [to]
            case Fork(_, yes, no):
                following = [yes, no]
            case _:
                following = []
        for other in following:
            if self.stands_here(other):
                before, self.repeated = self.repeated, other if other.heads else self.repeated
                yield from self.tree(other)
                self.repeated = before

    def stands_here(self, block: Block) -> bool:
        """Whether a block is written where it is reached from. Of loops that go round, the head of one, if it is short."""
        if not block.heads or block.only_ends():
            return True
        if not block.repeats or self.repeated is not None or block.number == self.head:
            return False
        self.repeated = block
        length = sum(len(inner.statements) for inner in self.tree(block))
        self.repeated = None
        return length <= SHORT_HEAD

    def block(self, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """A block and what follows it; `dirty` are locals set since the head."""
        emitter = self.emitter
        found: list[ast.stmt] = []
        if block.answer:
            emitter.at(block.span)
            found.append(emitter.assign(self.local(block.answer), emitter.attribute("s", "answer")))
            dirty |= {block.answer}
        for statement in block.statements:
            found += emitter.statement(statement)
            dirty |= sets_of(statement)
        return found + self.ending(block, dirty)

    def save(self, to: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """What a block needs goes into the frame."""
        emitter = self.emitter
        wanted = sorted((to.alive & dirty), key=lambda n: self.slots[n])
        return [
            ast.Assign(
                [emitter.subscript(emitter.name("frame"), emitter.number(self.slots[name]), True)],
                emitter.name(self.local(name)),
                **emitter.where,
            )
            for name in wanted
        ]

    def leave(self, number: int) -> ast.stmt:
        """`return number`."""
        return ast.Return(self.emitter.number(number), **self.emitter.where)

    def go(self, to: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """On to a block: by returning its number, or by writing it here."""
        if not self.stands_here(to):
            self.emitter.at(to.span)
            return [*self.save(to, dirty), self.leave(to.number)]
        before, self.repeated = self.repeated, to if to.heads else self.repeated
        found = self.block(to, dirty)
        self.repeated = before
        return found

    def ending(self, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """How a block goes on."""
        emitter = self.emitter
        emitter.at(block.span)
        end = block.end
        match end:
            case Goto(to):
                return self.go(to, dirty)
            case Fork(test, yes, no):
                condition = emitter.expr(test)
                here = dict(emitter.where)
                a, b = self.go(yes, dirty), self.go(no, dirty)
                return [ast.If(condition, a, [], **here), *b]
            case Question(Ask() as ask, then):
                return self.ask(ask, then, dirty)
            case Question(Race() as race, then):
                return self.race(race, then, dirty)
            case Call(invoke, then, last):
                return self.call(invoke, then, dirty, last)
            case Everyone(together, inside, then):
                people = emitter.expr(together.source)
                emitter.at(together.span)
                saved = self.save(inside, dirty) + self.save(then, dirty)
                slot = self.slots.get(together.binder, -1)
                shared = self.segmenter.only_writes_last(end)
                self.segmenter.copies |= not shared
                self.segmenter.together_at[then.number] = (together.span, self.segmenter.owner)
                return [
                    *saved,
                    ast.Return(
                        emitter.call(
                            "fork",
                            emitter.name("s"),
                            people,
                            emitter.number(inside.number),
                            emitter.number(slot),
                            emitter.number(then.number),
                            emitter.number(int(shared)),
                        ),
                        **emitter.where,
                    ),
                ]
            case Drain(then):
                saved = self.save(then, dirty)
                return [
                    *saved,
                    ast.Return(
                        emitter.call("drain_asking", emitter.name("s"), emitter.number(then.number)), **emitter.where
                    ),
                ]
            case Still(then):
                return [
                    *self.save(then, dirty),
                    emitter.set_attribute("s", "pc", emitter.number(then.number)),
                    self.leave(PAUSED),
                ]
            case Finish(value, outcome):
                if outcome != 0:
                    return [self.leave(outcome)]
                result = emitter.expr(value) if value is not None else emitter.number(-1)
                return [
                    emitter.set_attribute("s", "answer", result),
                    ast.Return(emitter.line("s.frames.pop()[0]"), **emitter.where),
                ]
        raise AssertionError(end)

    def site(self, ask: Ask | Race) -> int:
        """The number of a site."""
        site = ask.site
        sites = self.segmenter.sites
        if site.number < 0 or site.number >= len(sites) or sites[site.number] is not site:
            site.number = len(sites)
            sites.append(site)
        return site.number

    def ask(self, ask: Ask, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Work out the options; ask, or go on where there are none."""
        emitter, site = self.emitter, ask.site
        number = self.site(ask)
        self.segmenter.asked_at[number] = self.head
        found = [emitter.assign("o", questions.options(emitter, ask))]
        chooser = emitter.expr(ask.chooser)
        emitter.at(ask.span)
        put: list[ast.stmt] = [
            *self.save(then, dirty),
            emitter.set_attribute("s", "site", emitter.number(number)),
            emitter.set_attribute("s", "asker", chooser),
            emitter.set_attribute("s", "options", emitter.name("o")),
            emitter.set_attribute("s", "pc", emitter.number(then.number)),
        ]
        nothing: ast.expr = emitter.number(questions.nothing(ask))
        test: ast.expr = emitter.name("o")
        if site.kind == "several":
            found.append(emitter.assign("b", questions.bounds(emitter, ask, emitter.name("o"))))
            put.insert(0, emitter.set_attribute("s", "bounds", emitter.name("b")))
            nothing = ast.List([], ast.Load(), **emitter.where)
            test = emitter.line("b[1] > 0")
        if emitter.told:
            put += self.told_parts(ask)
        put.append(self.leave(ASK))
        if questions.is_always_asked(ask):
            return [*found, *put]
        emitter.at(ask.span)
        skip = [emitter.set_attribute("s", "answer", nothing), *self.save(then, dirty), self.leave(then.number)]
        return [*found, ast.If(test, put, [], **emitter.where), *skip]

    def told_parts(self, ask: Ask) -> list[ast.stmt]:
        """The values in the prompt and in the labels, for those who read them."""
        emitter, site = self.emitter, ask.site
        sentences = [(site.raw, site.parts), *site.labels]
        if not any(not isinstance(p, str) for _, parts in sentences for p in parts):
            return [emitter.set_attribute("s", "said", emitter.tuple_of([]))]
        values = [emitter.text(raw, parts)[1] for raw, parts in sentences]
        emitter.at(ask.span)
        return [emitter.set_attribute("s", "said", emitter.tuple_of(values))]

    def race(self, race: Race, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Everybody who may slap is asked at once."""
        emitter = self.emitter
        number = self.site(race)
        self.segmenter.asked_at[number] = self.head
        entrants = emitter.expr(race.entrants)
        must = emitter.expr(race.must)
        emitter.at(race.span)
        return [
            emitter.assign("o", emitter.line("list({0})", entrants)),
            *self.save(then, dirty),
            emitter.set_attribute("s", "site", emitter.number(number)),
            emitter.set_attribute("s", "options", emitter.name("o")),
            emitter.set_attribute("s", "must", must),
            emitter.set_attribute("s", "slapped", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "declined", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "said", emitter.tuple_of([])),
            emitter.set_attribute("s", "answer", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "pc", emitter.number(then.number)),
            ast.Return(
                ast.IfExp(emitter.name("o"), emitter.number(ASK), emitter.number(then.number), **emitter.where),
                **emitter.where,
            ),
        ]

    def call(self, invoke: Invoke, then: Block, dirty: frozenset[str], last: bool) -> list[ast.stmt]:
        """Perform something that asks: a new frame on top, in place of this one where this has nothing left to do."""
        emitter, segmenter = self.emitter, self.segmenter
        arguments = [emitter.expr(a) for a in invoke.arguments]
        me = emitter.expr(invoke.me) if invoke.me is not None else emitter.number(-1)
        emitter.at(invoke.span)
        saved = [] if last else self.save(then, dirty)
        back = emitter.subscript(emitter.name("frame"), emitter.number(0)) if last else emitter.number(then.number)
        frame = [back, me, emitter.number(-1), *arguments]
        if invoke.action is not None:
            entry = segmenter.entries[id(invoke.action)]
            if not invoke.action.recursive:
                room = ast.Starred(emitter.name(f"ROOM_{entry}"), ast.Load(), **emitter.where)
                full = ast.List([*frame, room], ast.Load(), **emitter.where)
                if last:
                    top = emitter.subscript(emitter.attribute("s", "frames"), emitter.number(-1), True)
                    return [ast.Assign([top], full, **emitter.where), self.leave(entry)]
                return [*saved, emitter.do(emitter.line("s.frames.append({0})", full)), self.leave(entry)]
            made = emitter.call(
                "enter", emitter.name("s"), emitter.number(entry), ast.List(frame, ast.Load(), **emitter.where)
            )
        else:
            assert invoke.effect is not None and invoke.of is not None
            of = emitter.expr(invoke.of)
            emitter.at(invoke.span)
            if last:
                saved = [emitter.do(emitter.line("s.frames.pop()"))]
            table = emitter.name(f"S_{run_together(invoke.effect.kind, invoke.effect.name)}")
            made = emitter.call(
                "enter_effect", emitter.name("s"), table, of, ast.List(frame, ast.Load(), **emitter.where)
            )
        return [*saved, ast.Return(made, **emitter.where)]


def resumed(block: Block) -> Block:
    """A block that something returns to: it is a function of its own."""
    block.heads = True
    return block


# --- what statements use and set ----------------------------------------------------------------------------------------------


def is_local(value: Expression, name: str) -> bool:
    """Whether an expression is that local."""
    return isinstance(value, Local) and value.name == name


def is_own(value: Expression | None, binder: str) -> TypeGuard[Pile]:
    """Whether an expression is a zone of the player of that name that cannot be full."""
    return (
        isinstance(value, Pile)
        and value.zone.owned
        and is_local(value.index[0], binder)
        and value.zone.capacity is None
    )


def looks_elsewhere(expression: Expression, zones: set[str], binder: str) -> bool:
    """Whether an expression may depend on what lies in one of these zones of somebody else."""
    match expression:
        case Pile(zone=zone, index=index):
            return zone.name in zones and not is_local(index[0], binder)
        case AllPieces(zone=zone):
            return zone.name in zones
        case Apply(python=python):
            return "{s}" in python
        case _:
            return False


def end_expressions(end: Terminator | None) -> Iterator[Expression]:
    """The expressions that are worked out where a block ends."""
    match end:
        case Fork(test, _, _):
            yield from expressions(test)
        case Question(ask, _):
            yield from expressions(ask)
        case Call(invoke, _):
            yield from expressions(invoke)
        case Everyone(together, _, _):
            yield from expressions(together.source)
        case Finish(value, _):
            yield from expressions(value)
        case _:
            pass


def block_expressions(block: Block) -> Iterator[Expression]:
    """Every expression of a block."""
    yield from expressions(block.statements)
    yield from end_expressions(block.end)


def sets_of(statement: Statement) -> frozenset[str]:
    """The locals that a statement that asks nobody may set."""
    found: set[str] = set()
    for inner in statements(statement):
        match inner:
            case SetLocal(name=name):
                found.add(name)
            case Act(result=str(result)) | Invoke(result=str(result)):
                found.add(result)
            case Each(binder=binder):
                found.add(binder)
            case _:
                pass
    return frozenset(found)


def uses_and_sets(block: Block) -> tuple[frozenset[str], frozenset[str]]:
    """The locals that a block reads before it surely sets them, and those that it surely sets."""
    uses: set[str] = set()
    sets: set[str] = {block.answer} if block.answer else set()
    for statement in block.statements:
        read, binders = reads_of(expressions(statement))
        inner_loops = {s.binder for s in statements(statement) if isinstance(s, Each)}
        uses |= read - binders - inner_loops - sets
        match statement:
            case SetLocal(name=name):
                sets.add(name)
            case Act(result=str(result)) | Invoke(result=str(result)):
                sets.add(result)
            case _:
                # set in a branch or a loop: the old value may live on
                uses |= sets_of(statement) - sets - inner_loops
    read, binders = reads_of(end_expressions(block.end))
    uses |= read - binders - sets
    return frozenset(uses), frozenset(sets)


def reads_of(expressions: Iterator[Expression]) -> tuple[set[str], set[str]]:
    """The locals that are read, and those that are bound inside."""
    read: set[str] = set()
    binders: set[str] = set()
    for expression in expressions:
        match expression:
            case Local(name=name):
                read.add(name)
            case Select(binder=binder):
                binders.add(binder)
            case _:
                pass
    return read, binders


__all__ = ["ASK", "DONE", "FORKED", "GAME_OVER", "PAUSED", "Enter", "Segmenter", "callable_parameters"]
