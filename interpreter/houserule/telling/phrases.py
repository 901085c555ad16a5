"""The interpreter's own phrases, in each of its languages; `languages/` has a file for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from houserule.reading import own

LANGUAGES = ("en", "de", "zh-Hant", "ja")
FOLDER = Path(__file__).parent / "languages"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def phrases(language: str, folder: Path = FOLDER) -> dict[str, str]:
    """The phrases of a language by key; those of English for an unknown language."""
    found: dict[str, str] = yaml.load(own(folder / f"{language if language in LANGUAGES else 'en'}.yaml"), LOADER)
    return found


def phrase(language: str, key: str, /, **values: object) -> str:
    return phrases(language)[key].format(**values)


def read_out(language: str, words: Sequence[str]) -> str:
    """Words as a list in a sentence: `Parasol, Truffle and Boletus`."""
    if len(words) < 2:
        return "".join(words)
    return phrase(language, "comma").join(words[:-1]) + phrase(language, "and") + words[-1]
