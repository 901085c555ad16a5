"""Reads whole numbers that people write."""

from __future__ import annotations

import re

WHOLE = re.compile(r"-?[0-9]{1,18}")
"""Digits of the Latin script only: what Python takes for a digit besides them (`²`, `٣`) has no value in rules."""


def whole_number(text: str) -> int | None:
    """The whole number that a text says, with or without blanks around it; None where it says none, or one too large."""
    written = text.strip()
    return int(written) if WHOLE.fullmatch(written) else None
