"""What happens in a room, one entry after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Unreadable(ValueError):
    """What is stored of a room cannot be read: it was not stored by us. The sentence says what is wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in a room. Entries of a room are numbered from 0, without gaps, and never change.

    Whether its kind and content are what they should be is seen when it is applied.
    """

    number: int
    kind: str
    content: dict[str, Any]
    moment: float | None = field(default=None, compare=False)
    """When it was stored, by the clock of the process that did so; None if it is new."""
