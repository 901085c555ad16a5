"""Golden files: what was accepted once, and is to stay so. `make accept` writes them anew; read the diff."""

from __future__ import annotations

import os
from pathlib import Path

ACCEPTING = bool(os.environ.get("HOUSERULE_ACCEPT"))


def assert_golden(file: Path, text: str) -> None:
    """Compare a text with its golden file, or write the file where texts are accepted."""
    if ACCEPTING:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{file.name} says something else: make accept, and read the diff"
