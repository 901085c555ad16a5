"""Answers questions at random: an option, a selection of several, or the order of a race.

The quiet program calls the first four functions in place of a question, as long as `s.chances` allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, floor
from typing import Any, TypeVar

from houserule.language.checked import Site
from houserule.language.types import none_of
from houserule.operations.fuel import DRAWN

State = Any
Random = Callable[[], float]
T = TypeVar("T")


def drawn(s: State, options: Sequence[int], nothing: int) -> int:
    """One of the options, all equally likely; `nothing` if there are none."""
    if not options:
        return nothing
    s.chances -= 1
    s.passes = 0
    place: int = floor(s.chance() * len(options))
    return options[place]


def drawn_or_passed(s: State, options: Sequence[int], nothing: int) -> int:
    """One of the options, or passing, all equally likely."""
    if not options:
        return nothing
    s.chances -= 1
    s.passes = 0
    number = floor(s.chance() * (len(options) + 1))
    return options[number] if number < len(options) else nothing


def drawn_anyhow(s: State, options: Sequence[int], nothing: int, may_pass: bool) -> int:
    """One of the options of a question that is put even without options, all equally likely."""
    s.chances -= 1
    s.passes = 0
    number = floor(s.chance() * (len(options) + (1 if may_pass or not options else 0)))
    return options[number] if number < len(options) else nothing


def selected(s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool) -> list[int]:
    """A selection whose size is within the bounds, all equally likely; an empty one if none is possible."""
    low, high = bounds[0], bounds[1]
    if high <= 0:
        return []
    s.chances -= 1
    s.passes = 0
    if low == high == 1 and not may_pass:
        return [options[floor(s.chance() * len(options))]]
    s.fuel -= len(options) * (DRAWN + (high - low) // 16)
    return any_selection(options, low, high, may_pass, s.chance)


def any_answer(s: State, site: Site, random: Random) -> int | list[int]:
    options = s.options
    if site.kind == "race":
        return shuffled(s.must, random)
    if site.kind == "several":
        low, high = s.bounds
        s.fuel -= len(options) * (DRAWN + (high - low) // 16)
        return any_selection(options, low, high, site.may_pass, random)
    number = floor(random() * (len(options) + (1 if site.may_pass or not options else 0)))
    return options[number] if number < len(options) else (none_of(site.type) if site.kind == "pick" else -1)


def any_selection(options: Sequence[T], low: int, high: int, may_pass: bool, random: Random) -> list[T]:
    """A selection of low to high options, all equally likely; passing counts as one more if at least one must be taken."""
    if low == high == 1 and not may_pass:
        return [options[floor(random() * len(options))]]
    ways = ways_of_each_size(len(options), low, high)
    count = sum(ways)
    rank = below(count + (may_pass and low > 0), random)
    if rank >= count:
        return []
    if count <= EXACT:
        return selection_at(options, low, rank)
    size = low
    while rank >= ways[size - low]:
        rank -= ways[size - low]
        size += 1
    return sample(options, size, random)


EXACT = 1 << 53
"""Up to this count, one random number chooses exactly enough."""


def below(count: int, random: Random) -> int:
    return floor(random() * count) if count <= EXACT else below_great(count, random)


def below_great(count: int, random: Random) -> int:
    """A number from 0 to before `count`, all equally likely, where one random number is too coarse."""
    drawn = 0
    for _ in range(0, count.bit_length() + 64, 32):
        drawn = (drawn << 32) + floor(random() * (1 << 32))
    return drawn % count


def sample(items: Sequence[T], size: int, random: Random) -> list[T]:
    """So many of the items in their order, all selections equally likely."""
    found: list[T] = []
    left = len(items)
    for item in items:
        if random() * left < size:
            found.append(item)
            size -= 1
        left -= 1
    return found


def ways_of_each_size(items: int, low: int, high: int) -> list[int]:
    """The numbers of selections of low, low + 1, … high items."""
    found: list[int] = []
    count = comb(items, low)
    for size in range(low, high + 1):
        found.append(count)
        count = count * (items - size) // (size + 1)
    return found


def selections(items: int, low: int, high: int) -> int:
    return sum(ways_of_each_size(items, low, high))


def selection_at(items: Sequence[T], low: int, rank: int) -> list[T]:
    """Unranks a selection: the one with that rank among all of at least `low` items, smaller ones first."""
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
    """Players in random order (Fisher and Yates)."""
    order = list(players)
    for i in range(len(order) - 1, 0, -1):
        j = floor(random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order
