"""Going through trees, of syntax and of what has been checked, from the outside in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def walk(root: object, kinds: Any, inside: Callable[[Any], Iterable[str]]) -> Iterator[Any]:
    """Everything of these classes in a tree, what is outside first. `inside` names the fields of a class to look into."""
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at, list | tuple):
            waiting.extend(reversed(at))
        elif isinstance(at, kinds):
            yield at
            waiting.extend([part for name in inside(type(at)) if (part := getattr(at, name))])
