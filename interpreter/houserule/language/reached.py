"""Reachability: what nodes and checked statements contain, whether control gets past them, and their jumps."""

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
)
from houserule.language.trees import statements


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class of the syntax tree that can hold nodes, the last one first."""
    return tuple(f.name for f in reversed(fields(kind)) if not f.name.endswith("span"))


IN_SYNTAX = trees.Inside(nodes.Node, parts_of)


def walk(node: object) -> list[nodes.Node]:
    return trees.walk(node, IN_SYNTAX)


@lru_cache(maxsize=2048)
def setting(block: nodes.Node) -> tuple[nodes.Assign | nodes.Perform | nodes.Command, ...]:
    """The nodes that may set a name; cached, since each number of players needs them."""
    return tuple(node for node in walk(block) if isinstance(node, nodes.Assign | nodes.Perform | nodes.Command))


def diverges(body: Body) -> bool:
    """Whether nothing after the statements is reachable."""
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
    return any(isinstance(s, Jump) and s.label == label for s in statements(body))


def leaves(body: Body, label: str) -> bool:
    """Whether a statement can end the loop with that label."""
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
    """The statements with `nothing` as the result of every end that has none."""
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
