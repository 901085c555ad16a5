"""Functions about order and players: rows of the table."""

from __future__ import annotations

from houserule.language.types import Type
from houserule.operations.table import Function


def _same(types: list[Type]) -> Type:
    return types[0]


def step(value: int, by: int, low: int, size: int) -> int:
    """The value `by` places on in a ring of `size` values from `low`."""
    return low + (value - low + by) % size


FUNCTIONS = [
    Function(
        "next",
        ("thing", "number?"),
        _same,
        "step({0}, {1}, {2}, {3})",
        "The next member, player or piece of its kind, going round; or the n-th next.",
        example="next(me).score += 1",
        runtime={"step": step},
        constants=("low", "size"),
    ),
    Function(
        "previous",
        ("thing", "number?"),
        _same,
        "step({0}, -({1}), {2}, {3})",
        "The previous one, going round.",
        example="previous(me, 2).score += 1",
        runtime={"step": step},
        constants=("low", "size"),
    ),
]
