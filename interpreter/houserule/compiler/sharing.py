"""Copy elision: finds each `together` whose parts can share one state, without a copy each.

Parts that change only what is their own, and only after their last question, do so at the merge, in the one state.
"""

from __future__ import annotations

from typing import TypeGuard

from houserule.compiler.blocks import Block, Call, Drain, Everyone, Question, block_expressions, blocks_from, sets_of
from houserule.compiler.emitter import Emitter
from houserule.language import checked
from houserule.language import checked as c
from houserule.language.trees import argument, statements
from houserule.language.types import MARK, PASS, SNAPSHOT, Moves, Piece, plain


def final_segments(emitter: Emitter, blocks: list[Block]) -> set[int]:
    """The segments after the last question of each together whose parts need no copy of the state: they run at the merge."""
    found: set[int] = set()
    for block in blocks:
        if isinstance(block.end, Everyone) and only_writes_last(emitter, block.end):
            for inner in blocks_from(block.end.inside):
                if inner.heads and not reaches_question(inner):
                    found.add(inner.number)
    return found


def reaches_question(block: Block) -> bool:
    return any(isinstance(b.end, Question | Call | Drain) for b in blocks_from(block))


def only_writes_last(emitter: Emitter, everyone: Everyone) -> bool:
    """Whether each player's part sets own variables and moves own pieces only after its last question, and reads nothing
    that another's changes."""
    if "sharing" in emitter.without:
        return False
    binder = everyone.together.binder
    inner = blocks_from(everyone.inside)
    if any(isinstance(b.end, Call | Drain) for b in inner):
        return False
    changed = changes_of_own(emitter, inner, binder)
    if changed is None:
        return False
    variables, zones = changed
    return all(
        writes_behind_questions(block, inner)
        and not any(may_differ(expression, variables, zones, binder) for expression in block_expressions(block))
        for block in inner
    )


def changes_of_own(emitter: Emitter, inner: list[Block], binder: str) -> tuple[set[str], set[str]] | None:
    """The variables that a part sets and the zones between which it moves pieces; None if it changes what is not its own."""
    variables: set[str] = set()
    zones: set[str] = set()
    for statement in statements([block.statements for block in inner]):
        match statement:
            case c.SetVariable(target=c.ReadVariable(variable=variable, index=index)):
                if not variable.owned or not is_local(index[0], binder) or emitter.hooks(variable):
                    return None
                variables.add(variable.name)
            case c.Act(operator=operator) if operator not in (PASS, MARK):
                moved = own_move(emitter, statement, inner, binder)
                if not moved:
                    return None
                zones |= moved
            case c.Perform() | c.EndGame() | checked.Tell():
                return None
            case _:
                pass
    return variables, zones


def writes_behind_questions(block: Block, inner: list[Block]) -> bool:
    """Whether a block changes nothing, or begins after the last question."""
    writes = any(
        isinstance(s, c.SetVariable) or (isinstance(s, c.Act) and s.operator not in (PASS, MARK))
        for s in statements(block.statements)
    )
    return not writes or (not reaches_question(block) and final_head(block, inner))


def may_differ(value: c.Expression, variables: set[str], zones: set[str], binder: str) -> bool:
    """Whether an expression may read what another player's part has changed."""
    if isinstance(value, checked.Call) or (isinstance(value, c.ReadVariable) and value.variable.positions):
        return True
    if isinstance(value, c.ReadVariable) and value.variable.name in variables and not is_local(value.index[0], binder):
        return True
    return bool(zones) and looks_elsewhere(value, zones, binder)


def own_move(emitter: Emitter, act: c.Act, inner: list[Block], binder: str) -> set[str]:
    """The zones of a move of the one piece that a player has chosen from an own zone into another; none for any other move.

    No trigger waits for it, and nobody else can have moved that piece in the meantime.
    """
    match act.operator.doing.effects:
        case (Moves(what=what, to=to, number=""),) if sum(one is not None for one in act.arguments) == 2:
            piece, target = argument(act, what), argument(act, to)
        case _:
            return set()
    if not isinstance(piece, c.Local) or not isinstance(plain(piece.type), Piece):
        return set()
    if emitter.sets_off(act) or not is_own(target, binder):
        return set()
    asks = [b.end.ask for b in inner if isinstance(b.end, Question)]
    sources = [ask.source for ask in asks if isinstance(ask, c.Ask) and ask.result == piece.name]
    source = sources[0] if len(sources) == 1 else None
    if isinstance(source, c.Apply) and source.operator is SNAPSHOT:
        source = source.arguments[0]
    if not is_own(source, binder) or any(piece.name in sets_of(s) for b in inner for s in b.statements):
        return set()
    return {source.zone.name, target.zone.name}


def final_head(block: Block, inner: list[Block]) -> bool:
    """Whether the function that contains a block begins after the last question."""
    seen: set[Block] = set()
    waiting = [block]
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if at.heads:
            if reaches_question(at):
                return False
            continue
        waiting += [b for b in inner if at in b.next()]
    return True


def is_local(value: c.Expression, name: str) -> bool:
    return isinstance(value, c.Local) and value.name == name


def is_own(value: c.Expression | None, binder: str) -> TypeGuard[c.Pile]:
    """Whether an expression is a zone of the player of that name."""
    return isinstance(value, c.Pile) and value.zone.owned and is_local(value.index[0], binder)


def looks_elsewhere(expression: c.Expression, zones: set[str], binder: str) -> bool:
    """Whether an expression may depend on the content of somebody else's zone among these."""
    match expression:
        case c.Pile(zone=zone, index=index):
            return zone.name in zones and not is_local(index[0], binder)
        case c.AllPieces(zone=zone):
            return zone.name in zones
        case c.Apply(operator=operator):
            return operator.reads_state
        case _:
            return False
