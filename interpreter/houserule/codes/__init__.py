"""The table of codes: a text file for each kind of diagnostic, with why it matters and an example that a test runs.

`houserule explain` prints one, and the reference shows all of them. Codes are never reused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from houserule.frozen import by_value
from houserule.reading import own

HERE = Path(__file__).parent
PAGE = re.compile(
    r"(?P<code>HR\d{3}) \((?P<severity>error|warning)\): (?P<title>.+)\n\n(?P<why>(?:.+\n)+)"
    r"(?:\n=== broken(?: (?P<document>variant|scenario|text))?\n(?P<broken>(?s:.+))=== fixed\n(?P<mended>(?s:.+)))?"
)
"""A file: the code with its severity and title, why it matters, and the same rules broken and fixed."""


@by_value
class Code:
    """One code. `broken` and `mended` are whole files; only a mistake that no text can show lacks them.

    `document` says how both are read: as a game, a variant or a scenario, or as `text`, by the reader alone. A line `---`
    separates variants that are played together, and a game from its parts. Each is a file of its own, and the first line
    of a part names it.
    """

    code: str
    severity: Literal["error", "warning"]
    title: str
    why: str
    broken: str = ""
    mended: str = ""
    document: Literal["game", "variant", "scenario", "text"] = "game"


def code_of(text: str) -> Code:
    """The code that a file describes. Raises ValueError if it has another form."""
    found = PAGE.fullmatch(text)
    if found is None:
        raise ValueError(f"no page of a code: {text.splitlines()[:1]}")
    parts: dict[str, Any] = {name: part for name, part in found.groupdict().items() if part is not None}
    return Code(**parts | {"why": parts["why"].rstrip("\n").replace("\n", " ")})


def read(name: str) -> str:
    return own(HERE / name)


ROWS = tuple(code_of(read(path.name)) for path in sorted(HERE.glob("HR*.txt")))
CODES: dict[str, Code] = {row.code: row for row in ROWS}
CHANGED_GAME, PLAYED_GAME = read("changed_game.yaml"), read("played_game.yaml")
"""The games of the examples of variants and of scenarios."""


def examples(row: Code) -> list[tuple[str, str]]:
    """The examples of a row under their headings, after the game that they change or play."""
    game = {"variant": CHANGED_GAME, "scenario": PLAYED_GAME}.get(row.document, "") if row.broken else ""
    found = (("The game", game), ("Broken", row.broken), ("Fixed", row.mended))
    return [(heading, example.rstrip("\n")) for heading, example in found if example]


def page(row: Code) -> str:
    parts = [f"{row.code} ({row.severity}): {row.title}", row.why]
    for heading, example in examples(row):
        parts.append("\n".join([f"{heading}:", "", *(f"    {line}" for line in example.split("\n"))]))
    return "\n\n".join(parts)


__all__ = ["CHANGED_GAME", "CODES", "PLAYED_GAME", "ROWS", "Code", "code_of", "examples", "page"]
