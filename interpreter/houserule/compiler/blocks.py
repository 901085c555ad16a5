"""The control-flow graph of rules that ask: basic blocks that ask nobody, and how each continues.

`cutting` builds the graph, `frames` and `sharing` analyse it, `segment_writer` emits it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.checked import Ask, Expression, Perform, Race, Statement, Together
from houserule.language.trees import expressions

ASK, DONE, GAME_OVER, PAUSED, FORKED = -1, -2, -3, -4, -5
"""What a segment returns if no other follows."""


@frozen
class Goto:
    """Continue at a block."""

    to: Block


@frozen
class Fork:
    """Continue at one of two blocks."""

    test: Expression
    yes: Block
    no: Block


@frozen
class Question:
    """A player is asked; the answer arrives at `then`."""

    ask: Ask | Race
    then: Block


@frozen
class Call:
    """Call something that asks; it returns to `then`. The `last` call of a routine returns to the routine's caller."""

    invoke: Perform
    then: Block
    last: bool = False


@frozen
class Everyone:
    """All players act separately; their changes are merged at `then`."""

    together: Together
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

    value: Expression | None
    outcome: int


Terminator = Goto | Fork | Question | Call | Everyone | Drain | Still | Finish


@dataclass(slots=True, eq=False)
class Block:
    """A block: statements that ask nobody, and how it continues."""

    span: Span
    statements: list[Statement] = field(default_factory=list)
    end: Terminator | None = None
    answer: str | None = None  # the local for the answer or result on arrival
    heads: bool = False
    number: int = -1
    comes_from: int = 0
    live: frozenset[str] = frozenset()

    def only_ends(self) -> bool:
        """Whether it only ends without a result: short enough to duplicate."""
        return not self.statements and self.answer is None and isinstance(self.end, Finish) and self.end.value is None

    def destination(self) -> Block:
        """Itself, or the block that it only forwards to."""
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
        """Its successors."""
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
    found: dict[int, Block] = {}
    waiting = [head]
    while waiting:
        block = waiting.pop()
        if id(block) in found:
            continue
        found[id(block)] = block
        waiting += reversed(block.next())
    return list(found.values())


def end_expressions(end: Terminator | None) -> Iterator[Expression]:
    """The expressions evaluated at the end of a block."""
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
    """All expressions of a block."""
    yield from expressions(block.statements)
    yield from end_expressions(block.end)
