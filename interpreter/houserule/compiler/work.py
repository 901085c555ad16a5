"""Bounds the work that rules can come to: the most calls and passes of loops, nested ones multiplied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule.language.checked import Body, Call, Checked, Each, Perform, Placed, Select, everything, inner_fields
from houserule.language.symbols import Routine
from houserule.language.types import List

BEYOND = 10**12
"""More than this is not told apart."""
UNKNOWN_LENGTH, MOST_LENGTH = 50, 1000
"""How long a list is taken to be of which nothing is known, and at most."""


def most_work(routines: Sequence[Routine], flow: Body) -> int:
    """The most calls and passes of loops over lists that one rule can come to, nested ones multiplied.

    What calls itself counts as one call.
    """
    weights: dict[int, int] = {}  # by identity of the routine
    for routine in inner_first(routines):
        weights[id(routine)] = weight(routine.body or (), weights)
    return max([*weights.values(), weight(flow, weights)])


def weight(node: object, weights: dict[int, int]) -> int:
    """The same for a part of the checked tree, knowing the weights of what is called in it."""
    total = 0
    if isinstance(node, list | tuple):
        for inner in node:
            total += weight(inner, weights)
    elif isinstance(node, Checked | Placed):
        kind: type = type(node)
        for name in inner_fields(kind):
            total += weight(getattr(node, name), weights)
        if isinstance(node, Call | Perform):
            total += 1 + max((weights.get(id(one), 0) for one in node.callees), default=0)
        if isinstance(node, Select | Each):
            source = node.source.type
            length = source.most if isinstance(source, List) and source.most is not None else UNKNOWN_LENGTH
            total = (1 + total) * min(length, MOST_LENGTH)
    return min(total, BEYOND)


def inner_first(routines: Iterable[Routine]) -> list[Routine]:
    """Callables in such an order that each comes behind those that it calls, unless they call each other."""
    found: dict[int, Routine] = {}
    begun: set[int] = set()
    waiting = list(routines)
    while waiting:
        routine = waiting[-1]
        if id(routine) in begun:
            found.setdefault(id(routine), waiting.pop())
            continue
        begun.add(id(routine))
        for node in everything(routine.body):
            if isinstance(node, Call | Perform):
                waiting += [one for one in node.callees if id(one) not in begun]
    return list(found.values())
