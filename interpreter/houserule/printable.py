"""Makes texts of strangers printable: no terminal and no log of a service may take them for commands."""

from __future__ import annotations

import re

UNSEEN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff"
"""What cannot be seen, or makes a terminal do something, as the inside of a character class; not the usual blanks."""
CONTROL = re.compile(f"[{UNSEEN}\r\u061c\u200e\u200f]")
LINE_BREAKS = re.compile("\r\n|[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
LOG_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|##(?=\w*\[)", re.MULTILINE)
"""What services that run programs take for commands: `::error …` at the beginning of a line, `##[…` anywhere."""


def visible(text: str) -> str:
    """A text for a file: `\\ufffd` stands for what is no sign; its lines and all else stay."""
    return CONTROL.sub("\ufffd", text)


def printable(text: str, *, lines: bool = False) -> str:
    """A text as it can be printed: `\\ufffd` stands for what is no sign. It is one line, unless its `lines` may stay."""
    if not lines:
        text = LINE_BREAKS.sub(" ", text)
    text = visible(text.replace("\r\n", "\n"))
    return LOG_COMMAND.sub(lambda found: f"{found[0]}\\" if found[1] is None else f"{found[1]}\\:", text)
