"""Answers at random: a state whose chance it is and what is offered go in, what is chosen comes out.

Generated code calls these where rules are played straight through; random play that stops at each question draws alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, floor
from typing import Any, TypeVar

from houserule.compiler.runtime import ENDLESS, LONGEST_MATCH
from houserule.operations import Fault
from houserule.operations.fuel import FUEL

State = Any
T = TypeVar("T")


def decided(s: State, decisions: int = 1) -> None:
    """Count what was decided; from here on rules may work as much as ever again."""
    s.decisions += decisions
    if s.decisions > LONGEST_MATCH:
        raise Fault(ENDLESS)
    s.fuel = FUEL
    s.passes = 0


def one(s: State, options: Sequence[int], nothing: int) -> int:
    """One of several, each as likely; `nothing` where there are none."""
    if not options:
        return nothing
    s.decisions += 1
    if s.decisions > LONGEST_MATCH:
        raise Fault(ENDLESS)
    s.fuel = FUEL
    s.passes = 0
    found: int = options[floor(s.random() * len(options))]
    return found


def one_or_pass(s: State, options: Sequence[int], nothing: int) -> int:
    """The same where passing is as likely as each of them."""
    if not options:
        return nothing
    s.decisions += 1
    if s.decisions > LONGEST_MATCH:
        raise Fault(ENDLESS)
    s.fuel = FUEL
    s.passes = 0
    number = floor(s.random() * (len(options) + 1))
    return options[number] if number < len(options) else nothing


def asked_anyhow(s: State, options: Sequence[int], nothing: int, may_pass: bool) -> int:
    """The same where somebody is asked even if there are none."""
    decided(s)
    number = floor(s.random() * (len(options) + (1 if may_pass or not options else 0)))
    return options[number] if number < len(options) else nothing


def several(
    s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool, is_always_asked: bool
) -> list[int]:
    """A selection of as many as the bounds say, each as likely; none where none can be taken or they pass."""
    low, high = bounds
    if high <= 0 and not is_always_asked:
        return []
    decided(s)
    return selection(options, low, high, may_pass, s.random)


def in_any_order(s: State, entrants: Sequence[int], must: Sequence[int]) -> list[int]:
    """Who slaps, fastest first: those who must, in any order."""
    if not entrants:
        return []
    order = shuffled(must, s.random)
    decided(s, len(order))
    return order


def selection(options: Sequence[int], low: int, high: int, may_pass: bool, random: Callable[[], float]) -> list[int]:
    """A uniformly random selection of low to high options, in their order; passing is one more where one must be taken."""
    if low == high == 1 and not may_pass:
        return [options[floor(random() * len(options))]]
    return subset(options, low, high, may_pass and low > 0, random)


def subset(options: Sequence[int], low: int, high: int, may_pass: bool, random: Callable[[], float]) -> list[int]:
    """A uniformly random selection of low to high options, in their order; or none, where they may pass."""
    total = selections(len(options), low, high)
    at = floor(random() * (total + may_pass))
    return [] if at == total else selection_at(options, low, at)


def selections(count: int, low: int, high: int) -> int:
    """How many ways there are to choose from low to high of so many."""
    return sum(comb(count, size) for size in range(low, high + 1))


def selection_at(options: Sequence[T], low: int, at: int) -> list[T]:
    """The selection of that rank, counted from 0: fewer options first, from `low` on, then by their order (unranking)."""
    size = low
    while at >= comb(len(options), size):
        at -= comb(len(options), size)
        size += 1
    found: list[T] = []
    for position, option in enumerate(options):
        if size == 0:
            break
        with_it = comb(len(options) - position - 1, size - 1)
        if at < with_it:
            found.append(option)
            size -= 1
        else:
            at -= with_it
    return found


def shuffled(players: Sequence[int], random: Callable[[], float]) -> list[int]:
    """Players in any order (Fisher and Yates)."""
    order = list(players)
    for i in range(len(order) - 1, 0, -1):
        j = floor(random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


ANSWERS: dict[str, Any] = {
    "one": one,
    "one_or_pass": one_or_pass,
    "asked_anyhow": asked_anyhow,
    "several": several,
    "in_any_order": in_any_order,
}
