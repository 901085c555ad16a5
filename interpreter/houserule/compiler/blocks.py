"""The control-flow graph of rules that ask: cut into blocks, with the live locals of each in the frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from houserule.compiler.emitter import Emitter
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import checked as c
from houserule.language import types as ty
from houserule.language.symbols import SymbolTable
from houserule.language.trees import expressions, statements

ASK, DONE, GAME_OVER, PAUSED, FORKED = -1, -2, -3, -4, -5
"""What a segment returns if no other follows."""


@frozen
class Goto:
    """Continue at a block."""

    to: Block


@frozen
class Fork:
    """Continue at one of two blocks."""

    test: c.Expression
    yes: Block
    no: Block


@frozen
class Question:
    """A player is asked; the answer arrives at `then`."""

    ask: c.Ask | c.Race
    then: Block


@frozen
class Call:
    """Call something that asks; it returns to `then`. The `last` call of a routine returns to the routine's caller."""

    invoke: c.Perform
    then: Block
    last: bool = False


@frozen
class Everyone:
    """All players act separately; their changes are merged at `then`."""

    together: c.Together
    inside: Block
    then: Block


@frozen
class Drain:
    """Run triggers that may ask, then continue."""

    then: Block


@frozen
class Still:
    """Pause."""

    then: Block


@frozen
class Finish:
    """The end of the routine. `outcome` is a result for the caller, the end of one player's part, or the end of the game."""

    value: c.Expression | None
    outcome: int


Terminator = Goto | Fork | Question | Call | Everyone | Drain | Still | Finish


@dataclass(slots=True, eq=False)
class Block:
    """A block: statements that ask nobody, and how it continues."""

    span: Span
    statements: list[c.Statement] = field(default_factory=list)
    end: Terminator | None = None
    answer: str | None = None  # the local for the answer or result on arrival
    heads: bool = False
    begins: bool = False  # whether it begins a loop or a routine, so that execution may come here again and again
    number: int = -1
    comes_from: int = 0
    live: frozenset[str] = frozenset()

    def only_ends(self) -> bool:
        return not self.statements and self.answer is None and isinstance(self.end, Finish) and self.end.value is None

    def destination(self) -> Block:
        """Itself, or the block that it only forwards to."""
        block, passed = self, {self}
        while not block.statements and not block.answer and isinstance(block.end, Goto) and block.end.to not in passed:
            block = block.end.to
            passed.add(block)
        return block

    def next(self) -> list[Block]:
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


def blocks_from(head: Block) -> list[Block]:
    """All reachable blocks."""
    found: dict[Block, None] = {}
    waiting = [head]
    while waiting:
        block = waiting.pop()
        if block not in found:
            found[block] = None
            waiting += reversed(block.next())
    return list(found)


def end_expressions(end: Terminator | None) -> Iterator[c.Expression]:
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


def block_expressions(block: Block) -> Iterator[c.Expression]:
    yield from expressions(block.statements)
    yield from end_expressions(block.end)


class Cutter:
    """Appends statements to blocks."""

    def __init__(self, emitter: Emitter, symbols: SymbolTable, restartable: bool) -> None:
        self.emitter = emitter
        self.restartable = restartable
        self.asking_triggers = any(t.routine.asks for t in symbols.triggers)

    # --- what can be written straight ---------------------------------------------------------------------------------------

    def asks(self, statement: c.Statement) -> bool:
        """Whether a statement itself ends a segment."""
        match statement:
            case c.Ask() | c.Race() | c.Together() | c.Pause():
                return True
            case c.Perform():
                return statement.asks
            case c.Act():
                return self.asking_triggers and self.emitter.sets_off(statement)
            case c.SetVariable(target=target):
                return self.asking_triggers and bool(self.emitter.hooks(target.variable))
            case _:
                return False

    def straight(self, statement: c.Statement, own: frozenset[str] = frozenset()) -> bool:
        """Whether a statement can be emitted as plain Python: it asks nobody and does not jump out of itself."""
        if self.asks(statement):
            return False
        match statement:
            case c.Return() | c.Jump() | c.EndGame():
                return isinstance(statement, c.EndGame) or (isinstance(statement, c.Jump) and statement.label in own)
            case c.Branch(then=then, otherwise=otherwise):
                return all(self.straight(s, own) for s in (*then, *otherwise))
            case c.Each(body=body, label=label) | c.Loop(body=body, label=label) | c.Times(body=body, label=label):
                return all(self.straight(s, frozenset({label})) for s in body)
            case c.Labelled(body=body):
                return all(self.straight(s, own) for s in body)
            case _:
                return True

    # --- the graph ------------------------------------------------------------------------------------------------------------

    def build(self, body: c.Body, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """Append statements to a block; returns the block that continues, or None."""
        for statement in body:
            after = self.put(statement, block, exits, outcome)
            if after is None:
                return None
            block = after
        return block

    def put(self, statement: c.Statement, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        span = statement.span
        if span.file != block.span.file:
            block.end = Goto(Block(span, heads=True))
            block = block.end.to
        if self.straight(statement):
            block.statements.append(statement)
            return block
        match statement:
            case c.Branch():
                return self.branch(statement, block, exits, outcome)
            case c.Labelled(body=inner, label=label):
                join = Block(span)
                last = self.build(inner, block, {**exits, label: join}, outcome)
                if last is not None:
                    last.end = Goto(join)
                return join
            case c.Each():
                return self.each(statement, block, exits, outcome)
            case c.Times(count=count, body=inner, label=label):
                left = f"0left_{label}"
                block.statements.append(c.SetLocal(span, left, c.Apply(span, ty.NUMBER, ty.LIVE, (count,))))
                number = c.Local(span, ty.NUMBER, left)
                test = c.Apply(span, ty.BOOL, ty.GREATER, (number, c.known_number(span, 0)))
                fewer = c.Apply(span, ty.NUMBER, ty.SUBTRACT, (number, c.known_number(span, 1)))
                loop = c.Loop(span, test, None, (c.SetLocal(span, left, fewer), *inner), label)
                return self.loop(loop, block, exits, outcome)
            case c.Loop():
                return self.loop(statement, block, exits, outcome)
            case c.Jump(label=label):
                block.end = Goto(exits[label])
                return None
            case c.Return(value=value):
                block.end = Finish(value, outcome)
                return None
            case c.Ask() | c.Race():
                return self.question(statement, block, exits, outcome)
            case c.Perform(result=result):
                returned = Block(span, answer=result, heads=True)
                block.end = Call(statement, returned)
                # Triggers that ask nobody have run inside, each after the statement that caused it.
                return self.drain(returned, span) if self.asking_triggers else returned
            case c.Together():
                return self.together(statement, block)
            case c.Pause():
                onward = Block(span, heads=True)
                block.end = Still(onward)
                return onward
            case c.Act() | c.SetVariable():
                block.statements.append(statement)
                return self.drain(block, span)
            case _:
                raise AssertionError(statement)

    def question(self, asked: c.Ask | c.Race, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
        """End a block with a question; one that may be passed only sometimes forks into the same with `or pass` and without."""
        span = asked.span
        strict, passes = (asked.strict, asked.passes) if isinstance(asked, c.Ask) else (None, None)
        if self.restartable and (strict is None or passes is not None):  # the two of a fork begin anew together
            asking = Block(span, heads=True)
            block.end = Goto(asking)
            block = asking
        if isinstance(asked, c.Ask) and strict is not None and passes is not None:
            either = replace(asked, passes=None), replace(asked, passes=None, site=strict)
            return self.branch(c.Branch(span, passes, either[:1], either[1:]), block, exits, outcome)
        answered = Block(span, answer=asked.result, heads=True)
        block.end = Question(asked, answered)
        return answered

    def branch(self, node: c.Branch, block: Block, exits: dict[str, Block], outcome: int) -> Block | None:
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

    def together(self, node: c.Together, block: Block) -> Block:
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
            block.statements.append(c.Act(span, ty.DRAIN))
            return block
        then = Block(span, heads=True)
        block.end = Drain(then)
        return then

    def each(self, node: c.Each, block: Block, exits: dict[str, Block], outcome: int) -> Block:
        """A loop over a list whose passes ask: the list and the position are kept in the frame."""
        span = node.span
        listed, position = f"0list_{node.label}", f"0place_{node.label}"
        source: c.Expression = node.source
        if isinstance(source, c.Pile):
            source = c.Apply(span, source.type, ty.AS_LIST, (source,))
        nowhere = c.Constant(span, ty.NUMBER, 0)
        block.statements += [c.SetLocal(span, listed, source), c.SetLocal(span, position, nowhere)]
        element = node.source.type.of if isinstance(node.source.type, ty.List) else ty.UNKNOWN
        all_, here = c.Local(span, node.source.type, listed), c.Local(span, ty.NUMBER, position)
        test = c.Apply(span, ty.BOOL, ty.LESS, (here, c.Apply(span, ty.NUMBER, ty.LENGTH, (all_,))))
        advance = (
            c.SetLocal(span, node.binder, c.Apply(span, element, ty.AT, (all_, here))),
            c.SetLocal(span, position, c.Apply(span, ty.NUMBER, ty.ADD, (here, c.known_number(span, 1)))),
        )
        loop = c.Loop(span, test, None, (*advance, *node.body), node.label)
        return self.loop(loop, block, exits, outcome, bounded=True)

    def loop(self, node: c.Loop, block: Block, exits: dict[str, Block], outcome: int, bounded: bool = False) -> Block:
        """A loop whose passes ask."""
        span = node.span
        head, out = Block(span, heads=True, begins=True), Block(span)
        block.end = Goto(head)
        start = head
        if node.test is not None:
            start = Block(span)
            head.end = Fork(node.test, start, out)
        if not bounded:
            start.statements.append(c.Act(span, ty.PASS))
        last = self.build(node.body, start, {**exits, node.label: out}, outcome)
        if last is not None:
            last.end = Goto(head) if node.until is None else Fork(node.until, out, head)
        return out


FIXED = 3
"""Frame places before the parameters: the return address, `me`, `this`."""


def find_live(blocks: list[Block]) -> None:
    """Note which locals are live at the start of each block."""
    facts = {b: uses_and_sets(b) for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            uses, sets = facts[block]
            after = frozenset[str]().union(*(n.live for n in block.next()))
            if isinstance(block.end, Everyone):
                after -= {block.end.together.binder}
            live = (uses | (after - sets)) - ({block.answer} if block.answer else set())
            if live != block.live:
                block.live = frozenset(live)
                changed = True


def frame_slots(names: list[str], blocks: list[Block]) -> dict[str, int]:
    """The place in the frame of each local: first the parameters, then those that must survive."""
    slots = {name: place for place, name in enumerate(names)}
    for block in blocks:
        for name in sorted(block.live):
            slots.setdefault(name, len(slots))
    return slots


def pieces_and_lists(blocks: list[Block]) -> tuple[frozenset[str], frozenset[str]]:
    """The locals that are pieces or lists of pieces, and those that are lists, found where they are read: only these can be live."""
    read = [node for block in blocks for node in block_expressions(block) if isinstance(node, c.Local)]
    pieces = (node.name for node in read if isinstance(ty.plain(getattr(node.type, "of", node.type)), ty.Piece))
    return frozenset(pieces), frozenset(node.name for node in read if isinstance(ty.plain(node.type), ty.List))


KEPT = "0kept"
"""How the names of what is worked out before a loop begin."""


def sets_of(body: c.Statement | Sequence[c.Statement]) -> frozenset[str]:
    """The locals that statements may assign."""
    found: set[str] = set()
    for statement in statements(body):
        match statement:
            case c.SetLocal(name=name):
                found.add(name)
            case (
                c.Act(result=str(result)) | c.Perform(result=str(result)) | c.Ask(result=result) | c.Race(result=result)
            ):
                found.add(result)
            case c.Each(binder=binder):
                found.add(binder)
            case _:
                pass
    return frozenset(found)


def uses_and_sets(block: Block) -> tuple[frozenset[str], frozenset[str]]:
    """The locals that a block reads before it certainly assigns them, and those that it certainly assigns."""
    uses: set[str] = set()
    sets: set[str] = {block.answer} if block.answer else set()
    for statement in block.statements:
        read, binders = reads_of(expressions(statement))
        # What is worked out before an inner loop is read nowhere else.
        inner_loops = {s.binder for s in statements(statement) if isinstance(s, c.Each)}
        if not isinstance(statement, c.SetLocal):
            inner_loops |= {name for name in sets_of(statement) if name.startswith(KEPT)}
        uses |= read - binders - inner_loops - sets
        match statement:
            case c.SetLocal(name=name):
                sets.add(name)
            case c.Act(result=str(result)) | c.Perform(result=str(result)):
                sets.add(result)
            case _:
                # assigned in a branch or a loop: the old value may survive
                uses |= sets_of(statement) - sets - inner_loops
    read, binders = reads_of(end_expressions(block.end))
    uses |= read - binders - sets
    return frozenset(uses), frozenset(sets)


def reads_of(expressions: Iterable[c.Expression]) -> tuple[set[str], set[str]]:
    """The locals that are read, and those that are bound inside."""
    read: set[str] = set()
    binders: set[str] = set()
    for expression in expressions:
        match expression:
            case c.Local(name=name):
                read.add(name)
            case c.Select(binder=binder):
                binders.add(binder)
            case _:
                pass
    return read, binders
