"""What happens is told in sentences, in each language of the phrase books, and to nobody more than they may know."""

from __future__ import annotations

import pytest

import houserule
from houserule.rulebook import LANGUAGES, chronicle
from houserule.telling.events import Event

GAME = """\
edition: 2026
game: gathering
players: 2
enums:
  metal: {title: {de: Metall}, members: {gold: {title: {en: Gold, de: Gold, zh-Hant: 黃金, ja: 金}}, tin: {title: {en: Tin, de: Zinn, zh-Hant: 錫, ja: 錫}}}}
components:
  gem:
    title: {en: gem, de: Stein, zh-Hant: 寶石, ja: 宝石}
    grammar: {de: {gender: m, acc: Stein}}
    starts_in: chest[gold]
    pieces:
      ruby: {title: {en: Ruby, de: Rubin, zh-Hant: 紅寶石, ja: ルビー}, grammar: {de: {gender: m}}}
      opal: { title: {en: Opal, de: Opal, zh-Hant: 蛋白石, ja: オパール}}
zones:
  chest(metal): {holds: gem, visible: all, order: none, title: {en: chest, de: Truhe, zh-Hant: 寶箱, ja: 箱}, grammar: {de: {gender: f}}}
  hand(player): {holds: gem, visible: owner, order: none, title: {en: hand, de: Hand, zh-Hant: 手牌, ja: 手札}, grammar: {de: {gender: f}}}
  loot(player): {holds: gem, visible: all, order: none, title: {en: loot, de: rote Beute, zh-Hant: 寶藏, ja: 宝}, grammar: {de: {gender: f}}}
flow:
  go:
    turns: players
    do: |
      choose w from metal "Which?"
      move ruby to loot[first(players)]
      move ruby to loot[last(players)]
      move ruby to chest[tin]
      move ruby to chest[gold]
      move ruby to hand[last(players)]
      move ruby to loot[last(players)]
      choose more from metal "Again?"
winner: {most: 1}

"""
TOLD = {
    "en": [
        "Ann takes the ruby from the gold chest.", "Bob gets the ruby from Ann.", "Bob puts the ruby into the tin chest.",
        "The ruby goes from the tin chest to the gold chest.", "Bob takes the ruby from the gold chest.",
        "Bob moves the ruby from the hand to the loot.",
    ],
    "de": [
        "Ann nimmt den Rubin aus der Truhe (Gold).", "Bob bekommt den Rubin von Ann.", "Bob legt den Rubin in die Truhe (Zinn).",
        "Der Rubin kommt aus der Truhe (Zinn) in die Truhe (Gold).", "Bob nimmt den Rubin aus der Truhe (Gold).",
        "Bob legt den Rubin aus der Hand in „rote Beute“.",
    ],
    "zh-Hant": [
        "Ann從寶箱（黃金）拿走紅寶石。", "Bob從Ann得到紅寶石。", "Bob把紅寶石放到寶箱（錫）。", "紅寶石從寶箱（錫）移到寶箱（黃金）。",
        "Bob從寶箱（黃金）拿走紅寶石。", "Bob把紅寶石從手牌移到寶藏。",
    ],
    "ja": [
        "Annは箱（金）からルビーを取ります。", "BobはAnnからルビーを受け取ります。", "Bobはルビーを箱（錫）に置きます。", "ルビーが箱（錫）から箱（金）へ移ります。",
        "Bobは箱（金）からルビーを取ります。", "Bobはルビーを手札から宝へ移します。",
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> houserule.Game:
    file = tmp_path_factory.mktemp("gathering") / "game.yaml"
    file.write_text(GAME, "utf-8")
    return houserule.load(file)


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_are_sentences_in_each_language(language: str, game: houserule.Game) -> None:
    match = game.start(["Ann", "Bob"], seed=1, language=language)
    match.answer("Ann", "gold")
    told = chronicle(match)
    assert [told.text(event) for event in match.told(1).tables[1] if event.kind == "move"] == TOLD[language]
    others = [told.text(event) for event in match.told(0).tables[0] if event.kind == "move"]
    assert others[:4] == TOLD[language][:4]


def test_other_events_and_other_languages_are_told_as_they_are(game: houserule.Game) -> None:
    match = game.start(["Ann", "Bob"], seed=1, language="fr")
    match.answer("Ann", "gold")
    told = chronicle(match)
    assert all(told.text(event) == event.text for event in match.told(1).tables[1])
    assert told.to_json(Event("say", "Hello", "go")) == {"kind": "say", "text": "Hello", "step": "go"}
