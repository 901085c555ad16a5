"""Functions about order and players: rows of the table."""

from __future__ import annotations

from houserule.language.types import Type
from houserule.operations.table import Function


def _same(types: list[Type]) -> Type:
    return types[0]


FUNCTIONS = [
    Function(
        "next",
        ("thing", "number?"),
        _same,
        "(({0} - {2} + {1}) % {3} + {2})",
        "The next member, player or piece of its kind, going round; or the n-th next.",
        example="next(me).score += 1",
        constants=("low", "size"),
    ),
    Function(
        "previous",
        ("thing", "number?"),
        _same,
        "(({0} - {2} - {1}) % {3} + {2})",
        "The previous one, going round.",
        example="previous(me, 2).score += 1",
        constants=("low", "size"),
    ),
]
