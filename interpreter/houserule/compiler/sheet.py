"""Emits the score sheet: each line and the rule for winning as a function of the state.

A line is computed for all players together, with loop-invariant parts computed only once: who leads, the
greatest score.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from houserule.compiler.emitter import Emitter, plain_function
from houserule.compiler.expressions import expression
from houserule.definition.flow import Winner
from houserule.language.checked import Apply, Call, Expression, Local, Select
from houserule.language.primitives import CONDITIONAL
from houserule.language.trees import expressions, parts


def line_function(emitter: Emitter, name: str, points: Expression, players: int) -> ast.FunctionDef:
    """The points of a line by seat, as a function of the state."""
    emitter.file = points.span.file
    alike: list[tuple[str, Expression]] = []
    own = without_alike(points, alike)
    body = [emitter.assign(f"l_{local}", expression(emitter, value)) for local, value in alike]
    each = expression(emitter, own)
    emitter.at(points.span)
    seats = ast.comprehension(emitter.store("l_me"), emitter.value(tuple(range(players))), [], 0)
    listed = ast.ListComp(each, [seats], **emitter.where)
    return plain_function(emitter, name, ["s"], [*body, emitter.returned(listed)], points.span)


def without_alike(value: Expression, alike: list[tuple[str, Expression]]) -> Expression:
    """A value with its loop-invariant parts replaced by locals; only parts that are certainly evaluated."""
    if is_long(value) and not reads_me(value):
        local = f"0alike{len(alike)}"
        alike.append((local, value))
        return Local(value.span, value.type, local)
    if not isinstance(value, Apply):
        return value
    if value.operator is CONDITIONAL:
        own, condition, otherwise = value.arguments
        return replace(value, arguments=(own, without_alike(condition, alike), otherwise))
    if value.operator.lazy:
        return value
    return replace(value, arguments=tuple(without_alike(argument, alike) for argument in value.arguments))


def reads_me(value: Expression) -> bool:
    """Whether it depends on `me`."""
    match value:
        case Local(name=name):
            return name == "me"
        case Call(function=function) if not function.needs_me:
            return any(reads_me(argument) for argument in value.arguments)
        case _:
            return any(reads_me(part) for part in parts(value))


def is_long(value: Expression) -> bool:
    """Whether it contains a loop or a call."""
    return any(isinstance(part, Select | Call) for part in expressions(value))


def winner_function(emitter: Emitter, winner: Winner) -> ast.FunctionDef:
    """The key of a player, of which the greatest wins, as a function of the state, the player and their points."""
    span = winner.key[0].span
    emitter.file = span.file
    keys = [expression(emitter, key) for key in winner.key]
    emitter.at(span)
    body = [emitter.returned(emitter.tuple_of(keys))]
    return plain_function(emitter, "winner_key", ["s", "l_me", "l_points"], body, span)
