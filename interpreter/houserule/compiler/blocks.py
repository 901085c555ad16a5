"""The graph that rules which ask become: blocks of statements that ask nobody, and how each goes on.

`cutting` makes the graph, `frames` and `sharing` look at it, `segment_writer` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.checked import Ask, Expression, Perform, Race, Statement, Together, expressions

ASK, DONE, GAME_OVER, PAUSED, FORKED = -1, -2, -3, -4, -5
"""What a segment returns where no other follows."""


@frozen
class Goto:
    """On to a block."""

    to: Block


@frozen
class Fork:
    """One of two blocks."""

    test: Expression
    yes: Block
    no: Block


@frozen
class Question:
    """Somebody is asked; the answer arrives at `then`."""

    ask: Ask | Race
    then: Block


@frozen
class Call:
    """Something that asks is performed; it returns to `then`. The `last` that a routine does returns to its caller."""

    invoke: Perform
    then: Block
    last: bool = False


@frozen
class Everyone:
    """Everyone acts on their own; merged at `then`."""

    together: Together
    inside: Block
    then: Block


@frozen
class Drain:
    """Triggers that may ask have their turn; then on."""

    then: Block


@frozen
class Still:
    """The machine stands still."""

    then: Block


@frozen
class Finish:
    """The routine is done. `outcome` says with what: a result for the caller, one player's part, or the game."""

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
    number: int = -1
    comes_from: int = 0
    live: frozenset[str] = frozenset()

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


def blocks_from(head: Block) -> list[Block]:
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
