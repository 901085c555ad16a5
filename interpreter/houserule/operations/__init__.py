"""The table of operations: everything a game's effects can do beyond the fixed syntax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houserule.operations import lists, players, zones
from houserule.operations.table import Fault, Function, Verb

VERBS: dict[str, Verb] = {verb.name: verb for verb in zones.VERBS}
FUNCTIONS: dict[str, tuple[Function, ...]] = {}
for _row in [*lists.FUNCTIONS, *zones.FUNCTIONS, *players.FUNCTIONS]:
    FUNCTIONS[_row.name] = (*FUNCTIONS.get(_row.name, ()), _row)

PREPOSITIONS: dict[str, tuple[str, ...]] = {name: tuple(verb.prepositions) for name, verb in VERBS.items()}

RUNTIME: dict[str, Callable[..., Any]] = {}
for _verb in VERBS.values():
    RUNTIME.update(_verb.runtime)
for _rows in FUNCTIONS.values():
    for _row in _rows:
        RUNTIME.update(_row.runtime)

__all__ = ["FUNCTIONS", "PREPOSITIONS", "RUNTIME", "VERBS", "Fault", "Function", "Verb"]
