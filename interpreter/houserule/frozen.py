"""Objects that last: data classes whose fields are set once, and pauses of the garbage collector while many are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause the garbage collector: reading, checking and compiling a game makes many objects, most of which stay."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
