"""What the terminal says, in each language; `languages/` has a file for each."""

from __future__ import annotations

from pathlib import Path

from houserule.telling.labels import phrases

FOLDER = Path(__file__).parent / "languages"


def say(language: str, key: str, /, **values: object) -> str:
    """A phrase of the terminal or the interpreter with its values; in English if neither has the language."""
    return (phrases(language, FOLDER).get(key) or phrases(language)[key]).format(**values)
