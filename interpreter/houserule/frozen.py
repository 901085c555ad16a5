"""Objects that last: data classes whose fields are set once, and pauses of the garbage collector while many are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def frozen(made: type[T]) -> type[T]:
    """A data class with slots whose fields are set once, compared by identity: a node of a tree."""
    is_plain = not hasattr(made, "__post_init__")
    found: Any = dataclass(slots=True, eq=False, repr=False, init=not is_plain)(made)
    if is_plain:
        found.__init__ = initialiser(found)
    whole: type[T] = found
    return whole


def initialiser(made: Any) -> Any:
    """The function that sets the fields; `dataclass` takes three times as long to compile one."""
    names: dict[str, Any] = {"missing": MISSING}
    taken, by_name, body = ["self"], ["*"], ["pass"]
    for field in fields(made):
        name, default = field.name, f"default_{field.name}"
        word, value = name, name
        if field.default is not MISSING:
            names[default] = field.default
            word = f"{name}={default}"
        elif field.default_factory is not MISSING:
            names[default] = field.default_factory
            word, value = f"{name}=missing", f"{default}() if {name} is missing else {name}"
        (by_name if field.kw_only else taken).append(word)
        body.append(f"self.{name}={value}")
    taken += by_name if len(by_name) > 1 else []
    exec(f"def __init__({','.join(taken)}): {';'.join(body)}", names)
    return names["__init__"]


@dataclass_transform(frozen_default=True)
def by_value(made: type[T]) -> type[T]:
    """A data class with slots whose fields are set once, compared and hashed by value."""
    found: Any = frozen(made)
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
