"""Traversal of trees, syntax trees and checked ones, from the outside in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any

from houserule.language.checked import (
    Act,
    Ask,
    Call,
    Checked,
    Constant,
    EitherPile,
    Expression,
    Family,
    Occasion,
    Perform,
    Pile,
    Placed,
    Routine,
    SetVariable,
    Statement,
    Zone,
)
from houserule.language.types import Moves


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


# --- the checked tree ---------------------------------------------------------------------------------------------------------

ASIDE = frozenset(
    "span type operator site zone variable table kind function action effect leaves enters changes variables".split()
)
PLAIN = frozenset({"str", "str | None", "bool", "int | tuple[int, ...]"})
"""The annotations of fields that hold no part of the tree."""


@cache
def inner_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a class of the checked tree that can hold other nodes."""
    prompts = ("prompts",) if kind is Ask else ()
    return (*[f.name for f in fields(kind) if f.name not in ASIDE and f.type not in PLAIN], *prompts)


@cache
def bodies_in(kind: Any) -> tuple[str, ...]:
    """The fields of a class of statements that hold statements, the last one first."""
    return tuple(f.name for f in reversed(fields(kind)) if f.type == "Body")


IN_EVERYTHING = Inside((Checked, Placed), inner_fields)
IN_STATEMENTS = Inside(Placed, bodies_in)


def everything(node: object) -> list[Checked | Placed]:
    """Every statement and every expression in one, or in several, including those in prompts."""
    return walk(node, IN_EVERYTHING)


def expressions(node: object) -> list[Expression]:
    """Every expression in a statement, an expression, or several, including those in prompts."""
    return [inner for inner in everything(node) if isinstance(inner, Checked)]  # type: ignore[misc]  # all are in `Expression`


def statements(body: object) -> list[Statement]:
    return walk(body, IN_STATEMENTS)


def parts(value: Expression) -> list[Expression]:
    return children(value, IN_EVERYTHING)


def called_among(inside: Iterable[Checked | Placed]) -> Iterator[Routine]:
    for one in inside:
        if isinstance(one, Call | Perform):
            yield from one.callees


def occasions(statement: object) -> tuple[Occasion, ...]:
    """The occasions of triggers that a statement itself can be."""
    match statement:
        case Act(leaves=leaves, enters=enters, changes=changes):
            return (*named("leaves", leaves), *named("enters", enters), *named("changes", changes))
        case SetVariable(target=target):
            return (("changes", target.variable.name),)
        case Perform(action=action) if action is not None:
            return (("before", action.name), ("after", action.name))
        case _:
            return ()


@lru_cache(maxsize=256)
def named(happening: str, families: tuple[Family, ...]) -> tuple[Occasion, ...]:
    """These occasions by name; a verb whose pieces may lie anywhere counts for all zones."""
    return tuple((happening, family.name) for family in families)


def argument(act: Act, word: str) -> Expression:
    """What stands in an act for a required word of its verb."""
    found = act.arguments[act.operator.doing.words.index(word)]
    assert found is not None
    return found


def refilled_by(act: Act) -> Zone | None:
    """The zone, if any, that is refilled, and shuffled, when pieces are taken from its top."""
    moves = [effect for effect in act.operator.doing.effects if isinstance(effect, Moves) and effect.number]
    zones = (pile.zone for effect in moves for pile in piles_of(argument(act, effect.what)))
    return next((zone for zone in zones if zone.refill is not None), None)


def piles_of(value: Expression | None) -> tuple[Pile, ...]:
    """The pile that an expression denotes, or all that it can denote; none if it denotes no pile."""
    match value:
        case Pile():
            return (value,)
        case EitherPile(yes=yes, no=no):
            return (*piles_of(yes), *piles_of(no))
        case _:
            return ()


def zones_of(value: Expression | None) -> tuple[Zone, ...]:
    return tuple(pile.zone for pile in piles_of(value))


def numbers_of(values: Sequence[Expression]) -> tuple[int, ...] | None:
    """The values of constants; None if not all are constant."""
    numbers = tuple(v.value for v in values if isinstance(v, Constant) and isinstance(v.value, int))
    return numbers if len(numbers) == len(values) else None
