"""The page of each code as a file that an editor can open from a diagnostic."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from houserule.cache import kept_file
from houserule.codes import CODES, page
from houserule.writing import write_file


@cache
def place_of_page(code: str) -> str | None:
    """The URI of the file with the page of a code; None for an unknown code, or if no file can be written."""
    row = CODES.get(code)
    file = kept_file(f"{code}.md") if row is not None else None
    if row is None or file is None:
        return None
    with suppress(OSError):
        write_file(file, f"{page(row)}\n")
        return file.as_uri()
    return None
