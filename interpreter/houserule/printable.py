"""Texts of strangers: made printable, and read as numbers."""

from __future__ import annotations

import re

UNSEEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff"
"""Invisible characters, and those that make a terminal act, as the inside of a character class; not the usual blanks."""
CONTROL = re.compile(f"[{UNSEEN}\r\u061c\u200e\u200f]")
LINE_BREAKS = re.compile("\r\n|[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
LOG_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|##(?=\w*\[)", re.MULTILINE)
"""What CI services interpret as commands: `::error …` at the beginning of a line, `##[…` anywhere."""


def visible(text: str) -> str:
    """A text for a file, with `\\ufffd` for each of these characters; lines and all else stay."""
    return CONTROL.sub("\ufffd", text)


def printable(text: str, *, lines: bool = False) -> str:
    """A text for printing, with `\\ufffd` for each of these characters, on one line unless `lines` may stay."""
    if not lines:
        text = LINE_BREAKS.sub(" ", text)
    text = visible(text.replace("\r\n", "\n"))
    return LOG_COMMAND.sub(lambda found: f"{found[0]}\\" if found[1] is None else f"{found[1]}\\:", text)


LONGEST_TITLE = 300


def short_title(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE]}…"


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet reads as a formula, blanks before it or not."""


def no_formula(text: str) -> str:
    """A text for a cell of a table that is never read as a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith(("\t", "\r")) else text


WHOLE = re.compile(r"-?[0-9]{1,18}")
"""Latin digits only: others that Python accepts (`²`, `٣`) have no value in rules."""


def whole_number(text: str) -> int | None:
    """The integer in a text, with or without blanks around it; None if there is none, or a too large one."""
    written = text.strip()
    return int(written) if WHOLE.fullmatch(written) else None
