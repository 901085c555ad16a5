"""Functions about lists and numbers: rows of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houserule.language.types import BOOL, GREATEST, LEAST, NUMBER, Int, List, Maybe, Type, element
from houserule.operations.table import Fault, Function

LONGEST = 10_000
"""No list is longer than this."""


def _some(types: list[Type]) -> Type:
    some = element(types[0])
    return some if isinstance(some, Maybe) else Maybe(some)


def _same(types: list[Type]) -> Type:
    return List(element(types[0]), types[0].most if isinstance(types[0], List) else None)


def _up_to(types: list[Type]) -> Type:
    listed, number = types
    bounds = [*([listed.most] if isinstance(listed, List) else []), *([number.high] if isinstance(number, Int) else [])]
    return List(element(types[0]), max(0, min((most for most in bounds if most is not None), default=LONGEST)))


def _how_many(types: list[Type]) -> Type:
    most = types[0].most if isinstance(types[0], List) else None
    return Int(0, most if most is not None else GREATEST)


def _total(types: list[Type]) -> Type:
    given = types[0]
    if not isinstance(given, List) or not isinstance(given.of, Int):
        return NUMBER
    most = given.most if given.most is not None else LONGEST
    return Int(min(0, given.of.low * most), max(0, given.of.high * most))


def _smallest(types: list[Type]) -> Type:
    numbers = [t for t in types if isinstance(t, Int)]
    return Int(min((t.low for t in numbers), default=LEAST), min((t.high for t in numbers), default=GREATEST))


def _greatest(types: list[Type]) -> Type:
    numbers = [t for t in types if isinstance(t, Int)]
    return Int(max((t.low for t in numbers), default=LEAST), max((t.high for t in numbers), default=GREATEST))


def _clamped(types: list[Type]) -> Type:
    _, low, high = types
    return Int(low.low, high.high) if isinstance(low, Int) and isinstance(high, Int) else NUMBER


def _absolute(types: list[Type]) -> Type:
    given = types[0]
    return Int(0, max(abs(given.low), abs(given.high))) if isinstance(given, Int) else NUMBER


def item(items: Sequence[int], position: int, none: int) -> int:
    return items[position - 1] if 0 < position <= len(items) else none


def first_of(items: Sequence[int], number: int) -> list[int]:
    return list(items[: max(number, 0)])


def last_of(items: Sequence[int], number: int) -> list[int]:
    return list(items[max(len(items) - number, 0) :])


def position(items: Sequence[int], member: int) -> int:
    """The position of a member in a list, counted from 1; 0 if it is not there."""
    return items.index(member) + 1 if member in items else 0


def distinct(items: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(items))


def most(pairs: Sequence[tuple[Any, int]]) -> list[int]:
    """The items with the greatest key, from pairs of key and item."""
    if not pairs:
        return []
    greatest = max(key for key, _ in pairs)
    return [x for key, x in pairs if key == greatest]


def least(pairs: Sequence[tuple[Any, int]]) -> list[int]:
    """The items with the least key, from pairs of key and item."""
    if not pairs:
        return []
    smallest = min(key for key, _ in pairs)
    return [x for key, x in pairs if key == smallest]


def place_in(known: Sequence[int], told: int) -> int:
    """The index of a number in an ascending list, or its insertion point: what `bisect_left` does, for native play."""
    low = 0
    high = len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < told:
            low = middle + 1
        else:
            high = middle
    return low


def clamp(value: int, low: int, high: int) -> int:
    """The nearest number that is at least `low` and at most `high`."""
    if low > high:
        raise Fault(f"clamp expects its lower bound first, got {low} and {high}")
    return low if value < low else high if value > high else value


def _bool(_: list[Type]) -> Type:
    return BOOL


FUNCTIONS = [
    Function(
        "count",
        ("list",),
        _how_many,
        "len({0})",
        "The number of elements.",
        example="me.score += count(c in me.hand where c.cost > 1)",
        gathers="count",
    ),
    Function(
        "sum",
        ("number list",),
        _total,
        "sum({0})",
        "The sum of all numbers; 0 for an empty list.",
        example="me.score += sum(c.cost for c in me.hand)",
        gathers="sum",
        work=(0,),
        each=6,
    ),
    Function(
        "any",
        ("list",),
        _bool,
        "(len({0}) > 0)",
        "Whether there is at least one element.",
        example="if any(c in me.hand where c.cost == 3): me.score += 1",
        gathers="or",
    ),
    Function(
        "all",
        ("condition list",),
        _bool,
        "all({0})",
        "Whether all conditions hold; true for an empty list.",
        example="if all(c.cost > 0 for c in me.hand): me.score += 1",
        gathers="and",
        work=(0,),
        each=6,
    ),
    Function(
        "first",
        ("list",),
        _some,
        "item({0}, 1, {1})",
        "The first of a list, or none.",
        True,
        "card = first(c in me.hand by c.cost)\nif card: move card to discard",
        constants=("none",),
    ),
    Function(
        "last",
        ("list",),
        _some,
        "({0}[-1:] or [{1}])[0]",
        "The last of a list, or none.",
        True,
        "card = last(me.hand)\nif card: move card to discard",
        constants=("none",),
    ),
    Function(
        "first",
        ("list", "number"),
        _up_to,
        "first_of({0}, {1})",
        "The first so many of a list; all where there are fewer.",
        example="for card in first(c in me.hand by c.cost, 2): move card to discard",
        work=(-1,),
    ),
    Function(
        "last",
        ("list", "number"),
        _up_to,
        "last_of({0}, {1})",
        "The last so many of a list; all where there are fewer.",
        example="for card in last(me.hand, 2): move card to discard",
        work=(-1,),
    ),
    Function(
        "item",
        ("list", "number"),
        _some,
        "item({0}, {1}, {2})",
        "The element at a position, counted from 1, or none.",
        True,
        "card = item(me.hand, 2)\nif card: move card to discard",
        constants=("none",),
    ),
    Function(
        "position",
        ("list", "member"),
        _how_many,
        "position({0}, {1})",
        "The position of something in a list, counted from 1; 0 if it is not there.",
        example="me.score += position(deck, top(deck))",
        work=(0,),
        each=20,
    ),
    Function(
        "empty",
        ("list",),
        _bool,
        "(not {0})",
        "Whether there is no element.",
        example="if empty(deck): end game",
        gathers="nor",
    ),
    Function(
        "distinct",
        ("list",),
        _same,
        "distinct({0})",
        "Each once.",
        example="me.score += count(distinct(c.suit for c in me.hand))",
        keeps_some=True,
        once_each=True,
        work=(0,),
        each=24,
    ),
    Function(
        "reverse",
        ("list",),
        _same,
        "list({0})[::-1]",
        "The elements in reverse order.",
        example="for p in reverse(players): p.score += 1",
        keeps_some=True,
        work=(0,),
    ),
    Function(
        "most",
        ("keyed",),
        _same,
        "most({0})",
        "All elements of a list with the greatest key.",
        example="for p in most(p in players by p.score): p.score += 1",
        keeps_some=True,
        work=(0,),
        each=48,
    ),
    Function(
        "least",
        ("keyed",),
        _same,
        "least({0})",
        "All elements of a list with the smallest key.",
        example="for p in least(p in players by p.score): p.score += 1",
        keeps_some=True,
        work=(0,),
        each=48,
    ),
    Function(
        "min",
        ("number list",),
        _some,
        "min({0}, default={1})",
        "The smallest number of a list, or none.",
        True,
        "low = min(c.cost for c in me.hand)\nif low: me.score += low",
        constants=("none",),
        work=(0,),
        each=10,
    ),
    Function(
        "max",
        ("number list",),
        _some,
        "max({0}, default={1})",
        "The greatest number of a list, or none.",
        True,
        "high = max(c.cost for c in me.hand)\nif high: me.score += high",
        constants=("none",),
        work=(0,),
        each=10,
    ),
    Function(
        "min",
        ("number", "number*"),
        _smallest,
        "min({*})",
        "The smallest of several numbers.",
        example="me.score += min(me.score, 3)",
    ),
    Function(
        "max",
        ("number", "number*"),
        _greatest,
        "max({*})",
        "The greatest of several numbers.",
        example="me.score += max(me.score, 3)",
    ),
    Function(
        "abs",
        ("number",),
        _absolute,
        "abs({0})",
        "The number without its sign.",
        example="me.score += abs(me.score - 3)",
    ),
    Function(
        "clamp",
        ("number", "number", "number"),
        _clamped,
        "clamp({0}, {1}, {2})",
        "The nearest number between two bounds.",
        example="me.score = clamp(me.score + 9, 0, 20)",
    ),
]
