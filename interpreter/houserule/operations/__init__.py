"""The table of operations: everything a game's effects can do beyond the fixed syntax."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import isfunction
from typing import Any

from houserule.operations import lists, players, zones
from houserule.operations.table import Fault, Function, Verb

VERBS: dict[str, Verb] = {verb.name: verb for verb in zones.VERBS}
FUNCTIONS: dict[str, tuple[Function, ...]] = {}
for _row in [*lists.FUNCTIONS, *zones.FUNCTIONS, *players.FUNCTIONS]:
    FUNCTIONS[_row.name] = (*FUNCTIONS.get(_row.name, ()), _row)

PREPOSITIONS: dict[str, tuple[str, ...]] = {name: tuple(verb.prepositions) for name, verb in VERBS.items()}

RUNTIME: dict[str, Callable[..., Any]] = {}
"""The functions that the texts of the rows call: those of that name in the module of the row."""
for _module in (lists, players, zones):
    _texts = " ".join(text for row in (*_module.FUNCTIONS, *getattr(_module, "VERBS", ())) for text in row.texts)
    RUNTIME |= {word: vars(_module)[word] for word in re.findall(r"\w+", _texts) if isfunction(vars(_module).get(word))}

__all__ = ["FUNCTIONS", "PREPOSITIONS", "RUNTIME", "VERBS", "Fault", "Function", "Verb"]
