"""What the terminal says to players, in every language that it speaks."""

from __future__ import annotations

import string

import pytest

from houserule.cli.words import WORDS, listed, say

LANGUAGES = ("en", "de", "zh-Hant", "ja")


@pytest.mark.parametrize("key", WORDS)
def test_every_phrase_is_there_in_every_language_with_the_same_values(key: str) -> None:
    row = WORDS[key]
    assert tuple(row) == LANGUAGES
    values = {language: {name for _, name, _, _ in string.Formatter().parse(row[language]) if name} for language in row}
    assert all(values[language] == values["en"] for language in row)


def test_names_are_read_out() -> None:
    assert listed("en", ["Maya"]) == "Maya"
    assert listed("en", ["Maya", "Margot", "Maurice"]) == "Maya, Margot and Maurice"
    assert listed("de", ["Maya", "Margot"]) == "Maya und Margot"


def test_a_language_that_the_terminal_does_not_speak_is_english() -> None:
    assert say("tlh", "total") == "Total"
