"""What a row of the table of codes says."""

from __future__ import annotations

from typing import Literal

from houserule.frozen import by_value


@by_value
class Code:
    """One row. `broken` and `mended` are whole files; only a fault that no text can show has none.

    `document` says how the two are read: a game, a variant or a scenario; `text` is looked at by the reader alone. A line
    of `---` stands between variants that are played together, and between a game and its parts, each a file of its own; a
    part says its name in its first line.
    """

    code: str
    severity: Literal["error", "warning"]
    title: str
    why: str
    broken: str = ""
    mended: str = ""
    document: Literal["game", "variant", "scenario", "text"] = "game"


def tiny_game(more: str) -> str:
    """The smallest game, and more."""
    return f"edition: 2026\ngame: tiny\nplayers: 2\nflow: {{round: {{do: nothing}}}}\n{more}"
