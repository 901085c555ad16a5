"""Nothing about any one game is in the interpreter."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAMES = sorted(file.parent.name for file in (ROOT / "games").rglob("game.yaml"))


@cache
def files() -> dict[Path, str]:
    """The files of the interpreter that are written by hand, with what stands in them."""
    return {
        file: file.read_text(encoding="utf-8")
        for file in sorted((ROOT / "interpreter" / "houserule").rglob("*"))
        if file.suffix in (".py", ".lark", ".json", ".yaml") and "_data" not in file.parts
    }


@pytest.mark.parametrize("game", GAMES)
def test_no_game_is_named_in_the_interpreter(game: str) -> None:
    word = re.compile(rf"(?<![a-z0-9]){re.escape(game).replace('_', '[ _-]?')}(?![a-z0-9])", re.IGNORECASE)
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file, text in files().items()
        if word.search(text)
        for number, line in enumerate(text.split("\n"), 1)
        if word.search(line)
    ]
    assert not found, "\n".join(found)


def test_there_are_games_to_look_for() -> None:
    assert GAMES
