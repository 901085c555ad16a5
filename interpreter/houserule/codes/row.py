"""One row of the table of codes."""

from __future__ import annotations

from typing import Literal

from houserule.frozen import by_value


@by_value
class Code:
    """One row. `broken` and `mended` are whole files; only a mistake that no text can show lacks them.

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


def tiny_game(more: str) -> str:
    """The smallest game with more lines."""
    return f"edition: 2026\ngame: tiny\nplayers: 2\nflow: {{round: {{do: nothing}}}}\n{more}"
