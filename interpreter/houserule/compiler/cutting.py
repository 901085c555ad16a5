"""Builds the control-flow graph of rules that ask: blocks that end where somebody is asked or something that asks is called."""

from __future__ import annotations

from houserule.compiler.blocks import DONE, Block, Call, Drain, Everyone, Finish, Fork, Goto, Question, Still
from houserule.compiler.emitter import Emitter
from houserule.diagnostics import Span
from houserule.language.checked import (
    Act,
    Apply,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    EndGame,
    Expression,
    Jump,
    Labelled,
    Local,
    Loop,
    Pause,
    Perform,
    Pile,
    Race,
    Return,
    SetLocal,
    SetVariable,
    Statement,
    Times,
    Together,
    known_number,
)
from houserule.language.primitives import ADD, AS_LIST, AT, DRAIN, GREATER, LENGTH, LESS, LIVE, PASS, SUBTRACT
from houserule.language.symbols import SymbolTable
from houserule.language.types import BOOL, NUMBER, UNKNOWN, List


class Cutter:
    """Appends statements to blocks."""

    def __init__(self, emitter: Emitter, symbols: SymbolTable, restartable: bool) -> None:
        self.emitter = emitter
        self.restartable = restartable
        self.asking_triggers = any(t.routine.asks for t in symbols.triggers)

    # --- what can be written straight ---------------------------------------------------------------------------------------

    def asks(self, statement: Statement) -> bool:
        """Whether a statement itself ends a segment."""
        match statement:
            case Ask() | Race() | Together() | Pause():
                return True
            case Perform():
                return statement.asks
            case Act():
                return self.asking_triggers and self.emitter.sets_off(statement)
            case SetVariable(target=target):
                return self.asking_triggers and bool(self.emitter.hooks(target.variable))
            case _:
                return False

    def straight(self, statement: Statement, own: frozenset[str] = frozenset()) -> bool:
        """Whether a statement can be emitted as plain Python: it asks nobody and does not jump out of itself."""
        if self.asks(statement):
            return False
        match statement:
            case Return() | Jump() | EndGame():
                return isinstance(statement, EndGame) or (isinstance(statement, Jump) and statement.label in own)
            case Branch(then=then, otherwise=otherwise):
                return all(self.straight(s, own) for s in (*then, *otherwise))
            case Each(body=body, label=label) | Loop(body=body, label=label) | Times(body=body, label=label):
                return all(self.straight(s, frozenset({label})) for s in body)
            case Labelled(body=body):
                return all(self.straight(s, own) for s in body)
            case _:
                return True

    # --- the graph ------------------------------------------------------------------------------------------------------------

    def build(self, body: Body, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """Append statements to a block; returns the block that continues, or None."""
        for statement in body:
            after = self.put(statement, block, exits, outcome)
            if after is None:
                return None
            block = after
        return block

    def put(self, statement: Statement, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """Append one statement to a block."""
        span = statement.span
        if span.file != block.span.file:
            block.end = Goto(Block(span, heads=True))
            block = block.end.to
        if self.straight(statement):
            block.statements.append(statement)
            return block
        match statement:
            case Branch():
                return self.branch(statement, block, exits, outcome)
            case Labelled(body=inner, label=label):
                join = Block(span)
                last = self.build(inner, block, {**exits, label: join}, outcome)
                if last is not None:
                    last.end = Goto(join)
                return join
            case Each():
                return self.each(statement, block, exits, outcome)
            case Times(count=count, body=inner, label=label):
                left = f"0left_{label}"
                block.statements.append(SetLocal(span, left, Apply(span, NUMBER, LIVE, (count,))))
                test = Apply(span, BOOL, GREATER, (Local(span, NUMBER, left), known_number(span, 0)))
                fewer = SetLocal(
                    span, left, Apply(span, NUMBER, SUBTRACT, (Local(span, NUMBER, left), known_number(span, 1)))
                )
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
            case Perform(result=result):
                returned = Block(span, answer=result, heads=True)
                block.end = Call(statement, returned)
                # Triggers that ask nobody have run inside, each after the statement that caused it.
                return self.drain(returned, span) if self.asking_triggers else returned
            case Together():
                return self.together(statement, block)
            case Pause():
                onward = Block(span, heads=True)
                block.end = Still(onward)
                return onward
            case Act() | SetVariable():
                block.statements.append(statement)
                return self.drain(block, span)
            case _:
                raise AssertionError(statement)

    def branch(self, node: Branch, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """A branch and its join; None if neither side continues."""
        yes, no, join = Block(node.span), Block(node.span), Block(node.span)
        block.end = Fork(node.test, yes, no)
        reached = False
        for start, inner in ((yes, node.then), (no, node.otherwise)):
            last = self.build(inner, start, exits, outcome)
            if last is not None:
                last.end = Goto(join)
                reached = True
        return join if reached else None

    def together(self, node: Together, block: Block) -> Block:
        """Each player's part, and the block after the merge."""
        span = node.span
        inside, merged, ending = Block(span, heads=True), Block(span, heads=True), Block(span)
        last = self.build(node.body, inside, {node.label: ending}, DONE)
        if last is not None:
            last.end = Goto(ending)
        ending.end = Finish(None, DONE)
        block.end = Everyone(node, inside, merged)
        return self.drain(merged, span)

    def drain(self, block: Block, span: Span) -> Block:
        """Run triggers after whatever may set them off."""
        if not self.emitter.has_queue:
            return block
        if not self.asking_triggers:
            block.statements.append(Act(span, DRAIN))
            return block
        then = Block(span, heads=True)
        block.end = Drain(then)
        return then

    def each(self, node: Each, block: Block, exits: dict[str, Block], outcome: int) -> Block:
        """A loop over a list whose passes ask: the list and the position are kept in the frame."""
        span = node.span
        listed, position = f"0list_{node.label}", f"0place_{node.label}"
        source = (
            Apply(span, node.source.type, AS_LIST, (node.source,)) if isinstance(node.source, Pile) else node.source
        )
        block.statements += [SetLocal(span, listed, source), SetLocal(span, position, Constant(span, NUMBER, 0))]
        element = node.source.type.of if isinstance(node.source.type, List) else UNKNOWN
        all_, here = Local(span, node.source.type, listed), Local(span, NUMBER, position)
        test = Apply(span, BOOL, LESS, (here, Apply(span, NUMBER, LENGTH, (all_,))))
        advance = (
            SetLocal(span, node.binder, Apply(span, element, AT, (all_, here))),
            SetLocal(span, position, Apply(span, NUMBER, ADD, (here, known_number(span, 1)))),
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
        head, out = Block(span, heads=True), Block(span)
        block.end = Goto(head)
        start = head
        if test is not None:
            start = Block(span)
            head.end = Fork(test, start, out)
        if not bounded:
            start.statements.append(Act(span, PASS))
        last = self.build(body, start, {**exits, label: out}, outcome)
        if last is not None:
            if until is not None:
                last.end = Fork(until, out, head)
            else:
                last.end = Goto(head)
        return out
