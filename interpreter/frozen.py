"""A decorator for the classes of trees: frozen and slotted, compared by identity, and quick to define."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def frozen(made: type[T]) -> type[T]:
    """A data class with slots whose fields are set once.

    That nothing sets them again is seen to by the type checker. To see to it at run time as well would cost a tenth of the
    time that a whole file takes to be validated, as four functions would be made for each of a hundred classes.
    """
    return dataclass(slots=True, eq=False, repr=False)(made)
