"""Going through trees, of syntax and of what has been checked, from the outside in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def walk(root: object, kinds: Any, inside: Callable[[Any], Iterable[str]]) -> list[Any]:
    """Everything of these classes in a tree, what is outside first. `inside` names the fields of a class to look into."""
    found, waiting = [], [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at, list | tuple):
            waiting.extend(reversed(at))
        elif isinstance(at, kinds):
            found.append(at)
            for name in inside(type(at)):
                part = getattr(at, name)
                if part:
                    waiting.append(part)
    return found
