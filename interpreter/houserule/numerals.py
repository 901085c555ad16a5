"""Reads integers that people write."""

from __future__ import annotations

import re

WHOLE = re.compile(r"-?[0-9]{1,18}")
"""Latin digits only: others that Python accepts (`²`, `٣`) have no value in rules."""


def whole_number(text: str) -> int | None:
    """The integer in a text, with or without blanks around it; None if there is none, or a too large one."""
    written = text.strip()
    return int(written) if WHOLE.fullmatch(written) else None
