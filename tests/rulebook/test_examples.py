"""Worked examples: scenarios that the rulebook shows where their rule stands, from the run that is tested."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.rulebook import Book, Worked, html, markdown, rulebook
from tests.bundled import load

HERE = Path(__file__).parent
GIVEN = """\
of: standard
players: [ann, bea]
---
scenario: A card moves
example: actions.rest
title: {en: A card moves on, de: Eine Karte wandert}
text: {en: It goes to the discard., de: Sie geht auf die Ablage.}
play:
  - do: {as: ann, effect: move top(deck)! to discard}
expect: count(discard) == 1
---
scenario: What does not hold is not shown
example: true
play:
  - do: {as: ann, effect: move top(deck)! to discard}
expect: count(discard) == 7
---
scenario: What is no example is not shown
expect: count(discard) == 0
"""


def shown(book: Book) -> dict[str, list[Worked]]:
    every = [section for chapter in book.chapters for section in chapter.sections]
    return {section.anchor: list(section.examples) for section in every if section.examples}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "standard"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text((HERE / "game.yaml").read_text("utf-8"), "utf-8")
    (folder / "scenarios" / "examples.yaml").write_text(GIVEN, "utf-8")
    return folder


def test_an_example_stands_at_its_rule_with_what_happens_and_the_table_before_and_after(game: Path) -> None:
    book = rulebook(houserule.load(game))
    ((anchor, (example,)),) = shown(book).items()
    assert anchor == "actions.rest"
    assert example.title == "Example: A card moves on"
    assert example.paragraphs == ("It goes to the discard.",)
    assert len(example.lines) == 1
    assert "discard" in example.lines[0]
    assert [one.words for one in example.before] == [one.words for one in example.after] == ["Deck", "Discard"]
    assert [len(one.things) for one in example.before] == [1, 0]
    assert '<aside class="example">' in html(book)
    assert "> **Example: A card moves on**" in markdown(book)


def test_an_example_is_told_in_the_language_of_the_page(game: Path) -> None:
    ((example,),) = shown(rulebook(houserule.load(game), "de")).values()
    assert example.title == "Beispiel: Eine Karte wandert"
    assert example.paragraphs == ("Sie geht auf die Ablage.",)
    assert "Ablage" in example.lines[0]


@pytest.mark.parametrize(
    ("name", "least"),
    [("aladdin", 9), ("ali_baba", 7), ("master_thieves", 6), ("rattlebones", 6), ("hearts", 2), ("checkers", 3)],
)
def test_bundled_games_have_the_examples_of_their_rulebooks_where_their_rules_stand(name: str, least: int) -> None:
    found = shown(rulebook(load(name)))
    assert "examples" not in found, "an example has no rule of its own"
    assert sum(map(len, found.values())) == least
    assert all(one.lines and (one.before or one.after) for some in found.values() for one in some)


def test_an_example_shows_marks_and_names_places_at_the_edge_of_a_board() -> None:
    book = rulebook(load("checkers"))
    [example] = [
        one for chapter in book.chapters for part in chapter.sections for one in part.examples if "king" in one.title
    ]
    before, after = example.before[0], example.after[0]
    assert [one.picture.icon for one in after.things if one.size < 0.5] == ["crown"]
    assert not [one for one in before.things if one.size < 0.5]
    assert ("1-1" in {text for _, _, text in after.labels}) and len(after.labels) == 7


STORY = """\
of: harvest
players: [ann, bea]
---
scenario: A basket is filled
example: flow.day
play:
  - ann: Rest
"""
HARVEST = """\
edition: 2026
game: harvest
players: 2
components:
  fruit: {starts_in: tree, pieces: {pear: {}, plum: {}, apple: {}}}
zones:
  tree: {holds: fruit, visible: all}
  lap(player): {holds: fruit, visible: all}
  basket: {holds: fruit, visible: all}
variables:
  picker: {type: player or none, title: picker}
flow:
  day:
    text: Fruit is picked.
    steps:
      pick:
        text: Everybody picks, and one of them carries it all.
        do: |
          as first(players):
            choose "What now?":
              "Rest": picker = me
          for p in players: move top(tree)! to p.lap
          picker = none
          for p in players: move p.lap to basket
scoring: {points: 0}
"""


def test_a_story_gathers_moves_and_stands_below_the_whole_text_of_its_rule(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "game.yaml").write_text(HARVEST, "utf-8")
    (tmp_path / "scenarios" / "day.yaml").write_text(STORY, "utf-8")
    ((anchor, (example,)),) = shown(rulebook(houserule.load(tmp_path))).items()
    assert anchor == "flow.day.steps.pick"
    assert example.lines[-1] == "The apple and the plum go from the lap to the basket."
    assert not [line for line in example.lines if "cleared" in line]
