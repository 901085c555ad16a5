"""Answers questions at random: draws one option, a selection of several, or the order of a race.

The quiet program calls the first four where a question stands, as long as `s.chances` says that chance may answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, TypeVar

from houserule.language.checked import Site
from houserule.language.types import none_of
from houserule.operations.fuel import FUEL

State = Any
Random = Callable[[], float]
T = TypeVar("T")
JUST_ONE = (1, 1)


def drawn(s: State, options: Sequence[int], nothing: int) -> int:
    """One of the options, each as likely; `nothing` where there are none."""
    if not options:
        return nothing
    s.chances -= 1
    s.fuel = FUEL
    s.passes = 0
    return options[int(s.chance() * len(options))]


def drawn_or_passed(s: State, options: Sequence[int], nothing: int) -> int:
    """The same where passing is as likely as each of them."""
    if not options:
        return nothing
    s.chances -= 1
    s.fuel = FUEL
    s.passes = 0
    number = int(s.chance() * (len(options) + 1))
    return options[number] if number < len(options) else nothing


def drawn_anyhow(s: State, options: Sequence[int], nothing: int, may_pass: bool) -> int:
    """The same where somebody is asked even if there are no options."""
    s.chances -= 1
    s.fuel = FUEL
    s.passes = 0
    number = int(s.chance() * (len(options) + (1 if may_pass or not options else 0)))
    return options[number] if number < len(options) else nothing


def selected(s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool) -> list[int]:
    """A selection of as many as the bounds say, each as likely; an empty one where none can be taken."""
    if bounds[1] <= 0:
        return []
    s.chances -= 1
    s.fuel = FUEL
    s.passes = 0
    if bounds == JUST_ONE and not may_pass:
        return [options[int(s.chance() * len(options))]]
    return any_selection(options, bounds[0], bounds[1], may_pass, s.chance)


def any_answer(s: State, site: Site, random: Random) -> int | list[int]:
    """An answer to the question at which a state waits."""
    options = s.options
    if site.kind == "race":
        return shuffled(s.must, random)
    if site.kind == "several":
        low, high = s.bounds
        return any_selection(options, low, high, site.may_pass, random)
    number = int(random() * (len(options) + (1 if site.may_pass or not options else 0)))
    return options[number] if number < len(options) else (none_of(site.type) if site.kind == "pick" else -1)


def any_selection(options: Sequence[int], low: int, high: int, may_pass: bool, random: Random) -> list[int]:
    """A selection of low to high options, each as likely; passing is one more where at least one must be taken."""
    if low == high == 1 and not may_pass:
        return [options[int(random() * len(options))]]
    count = selections(len(options), low, high)
    rank = int(random() * (count + (may_pass and low > 0)))
    return selection_at(options, low, rank) if rank < count else []


def selections(items: int, low: int, high: int) -> int:
    """How many ways there are to take low to high of so many items."""
    return sum(comb(items, size) for size in range(low, high + 1))


def selection_at(items: Sequence[T], low: int, rank: int) -> list[T]:
    """Unranks a selection: the one of that rank among all of at least `low` items, smaller ones first."""
    size = low
    while rank >= comb(len(items), size):
        rank -= comb(len(items), size)
        size += 1
    found: list[T] = []
    for position, item in enumerate(items):
        if size == 0:
            break
        with_it = comb(len(items) - position - 1, size - 1)
        if rank < with_it:
            found.append(item)
            size -= 1
        else:
            rank -= with_it
    return found


def shuffled(players: Sequence[int], random: Random) -> list[int]:
    """Players in any order (Fisher and Yates)."""
    order = list(players)
    for i in range(len(order) - 1, 0, -1):
        j = int(random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order
