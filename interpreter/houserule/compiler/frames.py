"""Liveness analysis: the live locals of each block, and their places in the frame.

What must survive a question is kept in a frame: a list of ints and lists, `[return address, me, this, parameters …, locals …]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule.compiler.blocks import Block, Everyone, block_expressions, end_expressions
from houserule.language.checked import Act, Ask, Each, Expression, Local, Perform, Race, Select, SetLocal, Statement
from houserule.language.trees import expressions, statements
from houserule.language.types import List, Piece, plain

FIXED = 3
"""Frame places before the parameters: the return address, `me`, `this`."""


def find_live(blocks: list[Block]) -> None:
    """Note which locals are live at the start of each block."""
    facts = {id(b): uses_and_sets(b) for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            uses, sets = facts[id(block)]
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
    read = [node for block in blocks for node in block_expressions(block) if isinstance(node, Local)]
    pieces = (node.name for node in read if isinstance(plain(getattr(node.type, "of", node.type)), Piece))
    return frozenset(pieces), frozenset(node.name for node in read if isinstance(plain(node.type), List))


def sets_of(body: Statement | Sequence[Statement]) -> frozenset[str]:
    """The locals that statements may assign."""
    found: set[str] = set()
    for statement in statements(body):
        match statement:
            case SetLocal(name=name):
                found.add(name)
            case Act(result=str(result)) | Perform(result=str(result)) | Ask(result=result) | Race(result=result):
                found.add(result)
            case Each(binder=binder):
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
        inner_loops = {s.binder for s in statements(statement) if isinstance(s, Each)}
        uses |= read - binders - inner_loops - sets
        match statement:
            case SetLocal(name=name):
                sets.add(name)
            case Act(result=str(result)) | Perform(result=str(result)):
                sets.add(result)
            case _:
                # assigned in a branch or a loop: the old value may survive
                uses |= sets_of(statement) - sets - inner_loops
    read, binders = reads_of(end_expressions(block.end))
    uses |= read - binders - sets
    return frozenset(uses), frozenset(sets)


def reads_of(expressions: Iterable[Expression]) -> tuple[set[str], set[str]]:
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
