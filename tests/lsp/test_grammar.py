"""The colours of the editor extension: its words are those of the language."""

from __future__ import annotations

import json
import re
from pathlib import Path

from houserule.language.words import OF_EVERY_GAME, RESERVED
from houserule.operations import VERBS

GRAMMAR = Path(__file__).parents[2] / "editors" / "vscode" / "syntaxes" / "effects.tmLanguage.json"


def words(scope: str) -> set[str]:
    rules = json.loads(GRAMMAR.read_text(encoding="utf-8"))["repository"]["effect"]["patterns"]
    [rule] = [rule for rule in rules if rule.get("name") == scope]
    found = re.search(r"\(([^)]*)\)", rule["match"])
    assert found is not None
    return set(found[1].replace("or pass", "or|pass").split("|"))


def test_the_extension_colours_the_words_of_the_language() -> None:
    assert words("support.function.verb.houserule") == set(VERBS)
    coloured = words("keyword.control.houserule") | words("keyword.operator.logical.houserule")
    coloured |= words("constant.language.houserule")
    assert {word for word in RESERVED if word not in VERBS} - coloured - set(OF_EVERY_GAME) == set()
