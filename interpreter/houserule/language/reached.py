"""What can be reached: nodes and checked statements in; what stands under them, where they end and whether they jump out."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache, lru_cache
from typing import Any

from houserule.language import nodes, trees
from houserule.language.checked import (
    Body,
    Branch,
    Constant,
    Each,
    EndGame,
    Expression,
    Jump,
    Labelled,
    Loop,
    Perform,
    Return,
    Statement,
    Times,
    Together,
    statements,
)


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class of the syntax tree in which others can be, the last one first."""
    return tuple(f.name for f in reversed(fields(kind)) if not f.name.endswith("span"))


IN_SYNTAX = trees.Inside(nodes.Node, parts_of)


def walk(node: object) -> list[nodes.Node]:
    """Every node under a node, itself first."""
    return trees.walk(node, IN_SYNTAX)


@lru_cache(maxsize=2048)
def setting(block: nodes.Node) -> tuple[nodes.Assign | nodes.Perform | nodes.Command, ...]:
    """The statements under a node that may set a name; looked for once, as each number of players asks again."""
    return tuple(node for node in walk(block) if isinstance(node, nodes.Assign | nodes.Perform | nodes.Command))


def diverges(body: Body) -> bool:
    """Whether nothing after the statements can be reached."""
    if not body:
        return False
    match body[-1]:
        case Jump() | Return() | EndGame():
            return True
        case Branch(then=then, otherwise=otherwise):
            return diverges(then) and diverges(otherwise)
        case Labelled(body=inner, label=label):
            return diverges(inner) and not jumps(inner, label)
        case Loop(test=None | Constant(value=1), until=None, body=inner, label=label):
            return not jumps(inner, label)
        case _:
            return False


def jumps(body: Body, label: str) -> bool:
    """Whether anything in the statements jumps to behind that label."""
    return any(isinstance(s, Jump) and s.label == label for s in statements(body))


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
            case Each(body=inner) | Loop(body=inner) | Times(body=inner) | Labelled(body=inner) | Together(body=inner):
                if leaves(inner, label):
                    return True
            case Perform():
                return True
            case _:
                pass
    return False


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
            case Each(body=inner) | Loop(body=inner) | Times(body=inner) | Labelled(body=inner):
                found.append(replace(statement, body=with_result(inner, nothing)))
            case _:
                found.append(statement)
    return tuple(found)
