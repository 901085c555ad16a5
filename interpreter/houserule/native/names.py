"""Names and their values, and values as lists."""

from __future__ import annotations

from typing import Any

from houserule.native.functions import Area, Scope
from houserule.native.values import BOOL, INT, INTS, KNOWN, VOID, ListOf, Value, of_known


def set_name(scope: Scope, name: str, value: Value) -> None:
    """Assign a value to a name."""
    if value.type is VOID:
        value = of_known(None)
    if value.is_known and value.const is None and not is_listed(value.known):
        scope.names[name] = value
        return
    known = scope.names.get(name)
    if known is not None and known.locals:
        if known.type == ListOf(VOID) and isinstance(value.type, ListOf):  # only now its item type is known
            known = scope.names[name] = Value(value.type, known.code, locals=known.locals)
        scope.set(known, value)
        return
    type = INTS if value.is_known and value.const is None else INT if value.type in (BOOL, KNOWN) else value.type
    if value.is_known and value.const is None and value.known and isinstance(value.known[0], tuple | list):
        type = ListOf(INTS)
    made = scope.names[name] = scope.declare(type)
    scope.set(made, value)


def is_listed(value: Any) -> bool:
    """Whether a known value is a list of numbers, or of such lists."""
    return isinstance(value, tuple | list | range) and all(isinstance(item, int) or is_listed(item) for item in value)


def area_address(scope: Scope, area: Area) -> int:
    """The address of an area's list."""
    memory = scope.module.memory
    at = {"v": memory.v, "w": memory.w, "queue": memory.queue, "running": memory.running}.get(area.name, 0)
    return at + memory.mirrors[area.mirror]
