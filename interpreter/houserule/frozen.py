"""Decorators for data classes whose fields are set once: slotted, and quick to define.

Only the type checker ensures that fields are not set again. Ensuring it at run time, and generating the code that
compares and prints each class, as `dataclass` does, would take a fifth of the time to validate a whole file:
six functions compiled for each of a hundred and fifty classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def frozen(made: type[T]) -> type[T]:
    """A data class with slots whose fields are set once, compared by identity: a node of a tree."""
    return dataclass(slots=True, eq=False, repr=False)(made)


@dataclass_transform(frozen_default=True)
def by_value(made: type[T]) -> type[T]:
    """A data class with slots whose fields are set once, compared and hashed by value."""
    found: Any = dataclass(slots=True, eq=False, repr=False)(made)
    names: tuple[str, ...] = found.__match_args__
    contents = attrgetter("__class__", *names)

    def equal(self: Any, other: object) -> bool:
        return self is other or (other.__class__ is found and contents(self) == contents(other))

    def hashed(self: Any) -> int:
        return hash(contents(self))

    def shown(self: Any) -> str:
        return f"{found.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    found.__eq__, found.__hash__, found.__repr__ = equal, hashed, shown
    whole: type[T] = found
    return whole
