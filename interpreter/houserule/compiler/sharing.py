"""Copy elision: finds each `together` whose parts can work on one state, without a copy each.

Parts that write only what is their own, and only after their last question, do so at the merge, on the one state.
"""

from __future__ import annotations

from typing import TypeGuard

from houserule.compiler.blocks import Block, Call, Drain, Everyone, Question, block_expressions, blocks_from
from houserule.compiler.emitter import Emitter
from houserule.compiler.frames import sets_of
from houserule.language import checked
from houserule.language.checked import (
    Act,
    AllPieces,
    Apply,
    Ask,
    EndGame,
    Expression,
    Local,
    Perform,
    Pile,
    ReadVariable,
    SetVariable,
    statements,
)
from houserule.language.primitives import CALLED, MARK, PASS, SNAPSHOT
from houserule.operations import VERBS

MOVE_PIECE = VERBS["move"].operators["piece"]


def final_segments(emitter: Emitter, blocks: list[Block]) -> set[int]:
    """The segments behind the last question of each together whose parts need no copy of the state: they run at the merge."""
    found: set[int] = set()
    for block in blocks:
        if isinstance(block.end, Everyone) and only_writes_last(emitter, block.end):
            for inner in blocks_from(block.end.inside):
                if inner.heads and not reaches_question(inner):
                    found.add(inner.number)
    return found


def reaches_question(block: Block) -> bool:
    """Whether somebody can be asked from here on."""
    return any(isinstance(b.end, Question | Call | Drain) for b in blocks_from(block))


def only_writes_last(emitter: Emitter, everyone: Everyone) -> bool:
    """Whether each player's part sets own variables and moves own pieces only after its last question, and reads nothing
    that another's changes."""
    binder = everyone.together.binder
    inner = blocks_from(everyone.inside)
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
                        or target.variable.name in emitter.hooks
                    ):
                        return False
                    written.add(target.variable.name)
                case Act(operator=operator) if operator.name == "move":
                    zones = own_move(emitter, statement, inner, binder)
                    if not zones:
                        return False
                    lain_in.update(zones)
                case Act() | Perform() | EndGame():
                    if not (isinstance(statement, Act) and statement.operator in (PASS, CALLED, MARK)):
                        return False
                case checked.Tell():
                    return False
                case _:
                    pass
    for block in inner:
        writes = any(
            isinstance(s, SetVariable) or (isinstance(s, Act) and s.operator.name == "move")
            for s in statements(block.statements)
        )
        if writes and (reaches_question(block) or not final_head(block, inner)):
            return False
        for expression in block_expressions(block):
            if isinstance(expression, checked.Call):
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


def own_move(emitter: Emitter, act: Act, inner: list[Block], binder: str) -> set[str]:
    """The zones of a move of the one piece that a player has chosen out of an own zone, into another; none for any other.

    No trigger waits for it, nothing can be full, and nobody else can have moved that piece in the meantime.
    """
    if act.operator is not MOVE_PIECE or act.arguments[2] is not None or emitter.sets_off(act):
        return set()
    piece, target, _ = act.arguments
    if not isinstance(piece, Local) or not is_own(target, binder):
        return set()
    asks = [b.end.ask for b in inner if isinstance(b.end, Question)]
    sources = [ask.source for ask in asks if isinstance(ask, Ask) and ask.result == piece.name]
    source = sources[0] if len(sources) == 1 else None
    if isinstance(source, Apply) and source.operator is SNAPSHOT:
        source = source.arguments[0]
    if not is_own(source, binder) or any(piece.name in sets_of(s) for b in inner for s in b.statements):
        return set()
    return {source.zone.name, target.zone.name}


def final_head(block: Block, inner: list[Block]) -> bool:
    """Whether the function in which a block is written begins behind the last question."""
    seen: set[int] = set()
    waiting = [block]
    while waiting:
        at = waiting.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if at.heads:
            if reaches_question(at):
                return False
            continue
        waiting += [b for b in inner if at in b.next()]
    return True


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
        case Apply(operator=operator):
            return operator.reads_state
        case _:
            return False
