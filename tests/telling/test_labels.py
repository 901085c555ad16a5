"""The interpreter's own phrases: every language has each, with the same values in it."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest

import houserule
from houserule import Game, Match
from houserule.cli.screen import FOLDER as CLI
from houserule.telling.labels import FOLDER, LANGUAGES, Labels, phrase, phrases


@pytest.mark.parametrize("key", phrases("en"))
def test_every_language_has_every_phrase_with_the_same_values(key: str) -> None:
    row = [phrases(language)[key] for language in LANGUAGES]
    assert all(row)
    assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in row}) == 1


@pytest.mark.parametrize("folder", [FOLDER, CLI])
def test_no_language_has_a_phrase_that_others_lack(folder: Path) -> None:
    assert len({tuple(phrases(language, folder)) for language in LANGUAGES}) == 1


def test_a_language_that_is_not_spoken_falls_back_on_english() -> None:
    assert phrase("fr", "pass") == "pass"
    assert phrase("zh-Hant", "of", zone="寶藏", owner="小明") == "小明的寶藏"


@pytest.fixture
def labels(match: Match) -> Labels:
    return match.labels


def test_names_that_come_up_again_are_counted(labels: Labels) -> None:
    assert labels.listed(Counter(["Ruby"]), 1) == "Ruby"
    assert labels.listed(Counter(["Ruby", "Emerald", "Ruby"]), 3) == "2 × Ruby, Emerald"
    assert labels.listed(Counter("abcdef"), 6) == "a, b, c, d, e, f"
    assert labels.listed(Counter("abcdefgghh"), 10) == "a, b, c, d, e, 5 more"


def test_zones_and_variables_say_whose_they_are(match: Match, parlour: Game) -> None:
    assert [zone.title for zone in match.view().zones][:3] == ["Deck", "Hand of Ann", "Hand of Bob"]
    purse = parlour.definition.variables["purse"]
    assert purse.title is not None
    spoken = {}
    for language in LANGUAGES:
        labels = parlour.start(["Ann", "Bob"], seed=1, language=language).labels
        slot = labels.symbols.variables["purse"].slot((1,))
        spoken[language] = labels.change(slot, 4)
    assert spoken == {
        "en": "Bob · Purse: 4",
        "de": "Bob · Beutel: 4",
        "zh-Hant": "Bob・Purse：4",
        "ja": "Bob・Purse：4",
    }


def test_a_flag_that_is_set_is_said_by_its_name_alone(labels: Labels) -> None:
    slot = labels.symbols.variables["bent"].base
    assert labels.change(slot, 1) == "Ace · bent"
    assert labels.change(slot, 0) == "Ace · bent: no"


def test_ids_of_thousands_of_pieces_take_time_that_grows_with_them(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: meadow\nplayers: 1\ncomponents:\n"
        "  spot: {attributes: {row: 1..98, column: 1..98}, each: {row: 1..98, column: 1..98}}\n"
        "  leaf: {pieces: {green: {}, red: {count: 2}}}\n"
        "flow: {fall: {do: 'for s in spot where s.row == 99: nothing'}}\n",
        encoding="utf-8",
    )
    keys = houserule.load(tmp_path).start(1).labels.keys
    before = time.process_time()
    ids = [keys.of_piece(piece) for piece in range(len(keys.program.kind_of))]
    assert time.process_time() - before < 0.5
    assert ids[:2] == ["spot_1_1", "spot_1_2"] and ids[-4:] == ["spot_98_98", "green", "red#1", "red#2"]
