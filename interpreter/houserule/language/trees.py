"""Traversal of trees, syntax trees and checked ones, from the outside in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Inside(dict[type, "tuple[str, ...] | None"]):
    """The fields to traverse, by class; None for a class that is none of `kinds`. Each class is looked up once."""

    def __init__(self, kinds: type | tuple[type, ...], fields_of: Callable[[Any], tuple[str, ...]]) -> None:
        super().__init__()
        self.kinds = kinds
        self.fields_of = fields_of

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        found = self[kind] = self.fields_of(kind) if issubclass(kind, self.kinds) else None
        return found


def children(node: object, inside: Inside) -> list[Any]:
    """The direct children of a node, among the classes traversed."""
    listed = (getattr(node, name) for name in inside[type(node)] or ())
    under = (one for part in listed for one in (part if isinstance(part, tuple) else (part,)))
    return [one for one in under if inside[type(one)] is not None]


def walk(root: object, inside: Inside) -> list[Any]:
    """All nodes of a tree, among the classes traversed, parents first."""
    found, waiting = [], [root]
    while waiting:
        at = waiting.pop()
        names = inside[type(at)]
        if names is not None:
            found.append(at)
            for name in names:
                if part := getattr(at, name):
                    waiting.append(part)
        elif isinstance(at, list | tuple):
            waiting.extend(reversed(at))
    return found
