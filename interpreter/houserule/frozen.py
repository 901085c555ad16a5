"""Decorators for classes whose fields are set once: frozen and slotted, and quick to define.

That nothing sets the fields again is seen to by the type checker. To see to it at run time as well, and to write out what
compares and shows each class, as `dataclass` does, would cost a fifth of the time that a whole file takes to be validated:
six functions would be compiled for each of a hundred and fifty classes.
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
    """A data class with slots whose fields are set once, compared and hashed by what they hold."""
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
