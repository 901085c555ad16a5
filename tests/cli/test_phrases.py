"""What the terminal says to players, in every language that it speaks."""

from __future__ import annotations

import string

import pytest

from houserule.cli.screen import FOLDER, say
from houserule.telling.labels import LANGUAGES, phrases, read_out


@pytest.mark.parametrize("key", phrases("en", FOLDER))
def test_every_phrase_is_there_in_every_language_with_the_same_values(key: str) -> None:
    row = [phrases(language, FOLDER)[key] for language in LANGUAGES]
    assert all(row)
    values = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in row]
    assert all(names == values[0] for names in values)


def test_names_are_read_out() -> None:
    assert read_out("en", ["Maya"]) == "Maya"
    assert read_out("en", ["Maya", "Margot", "Maurice"]) == "Maya, Margot and Maurice"
    assert read_out("de", ["Maya", "Margot"]) == "Maya und Margot"


def test_a_language_that_the_terminal_does_not_speak_is_english() -> None:
    assert say("tlh", "total") == "Total"
