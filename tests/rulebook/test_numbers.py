"""Numbers in texts come from the rules, and those that a house rule has made wrong are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.rulebook import disused, markdown, outdated, renamed, rulebook, stale

GAME = """\
edition: 2026
game: mushrooms
title: {en: Mushrooms, de: Pilze, ja: きのこ}
players: 2
options: {hand_size: {type: 1..9, default: 3}}
components:
  mushroom:
    title: {en: mushroom, de: Pilz, ja: きのこ}
    grammar: {de: {gender: m, plural: Pilze}}
    starts_in: patch
    pieces: {morel: {count: 20}, truffle: {count: 10}}
zones: {patch: {holds: mushroom, visible: none}, basket(player): {holds: mushroom, visible: all}}
flow:
  deal:
    text:
      en: Shuffle all thirty mushrooms and deal 3 to each player, {count(mushroom) - 6} stay.
      de: Mischt die 30 Pilze und gebt allen drei, {count(mushroom) - 6} bleiben.
      ja: 三十個のきのこを混ぜ、3個ずつ配ります。
    do: |
      for p in players: draw hand_size from patch to p.basket
winner: {most: count(me.basket)}
"""
MORE = "variant: more\nof: mushrooms\nadd: {components: {mushroom: {pieces: {chanterelle: {count: 4}}}}}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "more.yaml").write_text(MORE, encoding="utf-8")
    return tmp_path


def test_a_text_shows_how_many_pieces_the_rules_have(game: Path) -> None:
    assert "24 stay" in markdown(rulebook(houserule.load(game)))
    assert "28 bleiben" in markdown(rulebook(houserule.load(game, variants=["more"]), language="de"))


@pytest.mark.parametrize(
    "language, said", [("en", "thirty mushrooms: 34"), ("de", "30 Pilze: 34"), ("ja", "三十個のきのこ: 34")]
)
def test_a_number_that_a_house_rule_changes_is_found_in_figures_and_words(game: Path, language: str, said: str) -> None:
    assert [gap.shown for gap in stale(houserule.load(game, variants=["more"]), language)] == [said]


LAYERED = """\
edition: 2026
game: forest
title: {en: Forest}
players: 2
enums: {tree: [oak, beech]}
components:
  leaf: {title: {en: leaf}, attributes: {layer: 1..4}, each: {layer: 1..4}, starts_in: heap}
zones:
  heap: {holds: leaf, visible: all}
  crown(tree): {holds: leaf, visible: all, title: {en: crown}}
flow:
  deal:
    text: {en: Lay four layers of leaves. Two crowns are in the middle. Every leaf begins in a crown.}
    do: "for t in tree: draw 1 from heap to crown[t]"
winner: {most: 0}
"""


@pytest.mark.parametrize(
    "rule, numbers, titles",
    [
        ("change: {components: {leaf: {attributes: {layer: 1..5}, each: {layer: 1..5}}}}", ["four layers: 5"], []),
        ("add: {enums: {tree: [elm]}}", ["Two crowns: 3"], []),
        ("change: {components: {leaf: {title: {en: needle}}}}", [], ["leaf -> needle"]),
    ],
)
def test_what_else_a_text_may_count_or_name_is_found(
    tmp_path: Path, rule: str, numbers: list[str], titles: list[str]
) -> None:
    """The greatest number printed, a place for each member, and what has another title."""
    (tmp_path / "game.yaml").write_text(LAYERED, encoding="utf-8")
    (tmp_path / "new.yaml").write_text(f"variant: new\nof: forest\n{rule}\n", encoding="utf-8")
    game = houserule.load(tmp_path, [tmp_path / "new.yaml"])
    assert [gap.shown for gap in stale(game, "en")] == numbers
    assert [gap.shown for gap in renamed(game, "en")] == titles


@pytest.mark.parametrize("language, said", [("en", "3: 5"), ("de", "drei: 5"), ("ja", "3: 5")])
def test_a_number_that_a_setting_changes_is_found_where_the_rule_reads_it(game: Path, language: str, said: str) -> None:
    assert [gap.shown for gap in stale(houserule.load(game, options={"hand_size": 5}), language)] == [said]


def test_without_house_rules_every_number_is_right(game: Path) -> None:
    assert stale(houserule.load(game), "en") == []


def test_a_text_that_shows_the_setting_itself_is_right(game: Path) -> None:
    rules = game / "game.yaml"
    rules.write_text(GAME.replace("deal 3 to each", "deal {hand_size} of the 3 to each"), encoding="utf-8")
    assert stale(houserule.load(game, options={"hand_size": 5}), "en") == []


@pytest.mark.parametrize(
    "change, found",
    [
        ('do: "for p in players: draw 2 from patch to p.basket"', 1),
        ('do: "for p in players: draw 2 from patch to p.basket", text: {en: Deal 2., de: Gebt 2.}', 0),
    ],
)
def test_a_text_beside_an_effect_that_a_house_rule_changes_is_asked_about(game: Path, change: str, found: int) -> None:
    (game / "variants" / "few.yaml").write_text(
        f"variant: few\nof: mushrooms\nchange: {{flow: {{deal: {{{change}}}}}}}\n"
    )
    assert outdated(houserule.load(game), "en") == []
    told = outdated(houserule.load(game, variants=["few"]), "en")
    assert [gap.shown.partition(" ")[0] for gap in told] == ["Shuffle"] * found


WALKED = """\
edition: 2026
game: walk
title: {en: A walk, de: Ein Gang}
text: {en: "Four players walk along four paths, with a lamp in the fog.", de: "Vier Spieler gehen vier Wege, im Nebel mit einer Lampe."}
players: 4
enums:
  path:
    title: {en: path, de: Weg}
    grammar: {de: {gender: m, plural: Wege}}
    members:
      moss: {title: {en: moss, de: Moos}}
      fog: {title: {en: fog, de: Nebel}}
      rain: {title: {en: rain, de: Regen}}
      snow: {title: {en: snow, de: Schnee}}
variables: {steps: {type: int, title: {en: steps, de: Schritte}}}
functions:
  longer(int n): {title: {en: longer, de: länger}, text: {en: One more than before., de: Einer mehr als zuvor.}, do: "n + 1"}
  next_length: longer(steps)
flow:
  walk:
    text: {en: "Do this four times, each time with one more step.", de: "Viermal, jedes Mal ein Schritt mehr."}
    repeat: count(path)
    do: steps = next_length
winner: {most: 0}
"""


@pytest.mark.parametrize(
    "rule, numbers, titles, texts",
    [
        ("change: {players: 3}", ["Four players: 3"], [], []),
        ("remove: [enums.path.members.fog]", ["four paths: 3", "four: 3"], ["fog"], []),
        (
            "change: {functions: {longer: {do: n + 2, text: {en: Two more.}}}}",
            [],
            [],
            ["Do this four times, each time with one more step."],
        ),
    ],
)
def test_a_text_may_tell_what_is_gone_or_what_a_function_does(
    tmp_path: Path, rule: str, numbers: list[str], titles: list[str], texts: list[str]
) -> None:
    """The number of players or rounds, what has been removed, and what a function does that the rule calls through another one."""
    (tmp_path / "game.yaml").write_text(WALKED, encoding="utf-8")
    (tmp_path / "new.yaml").write_text(f"variant: new\nof: walk\n{rule}\n", encoding="utf-8")
    game = houserule.load(tmp_path, [tmp_path / "new.yaml"])
    assert [gap.shown for gap in stale(game, "en")] == numbers
    assert [gap.shown for gap in renamed(game, "en")] == titles
    assert [gap.shown for gap in outdated(game, "en")] == texts


LONG = """\
edition: 2026
game: long
title: {en: A long walk, de: Ein langer Gang}
text: {en: "Walk seven miles. Then rest; this is done thirteen times.", de: "Lauft sieben Meilen, das geschieht dreizehnmal."}
players: 2
options: {rest: {type: 1..3, default: 2, title: {en: Rest, de: Rast}}}
zones: {bag: {holds: stone, visible: all, title: {en: bag, de: Beutel}}}
components: {stone: {title: {en: stone, de: Stein}, starts_in: bag, pieces: {pebble: {count: 3}}}}
variables: {steps: {type: int, title: {en: steps, de: Schritte}}, sat: {type: int, title: {en: sat, de: Pausen}}}
flow:
  walk:
    text: {en: "13 times, a step.", de: "Dreizehn-mal ein Schritt."}
    repeat: 13
    steps:
      go: {text: {en: "Go, thirteen times in all.", de: Geht.}, do: steps += 1}
      halt: {repeat: 2, do: "sat = rest + count(bag) + sat"}
winner: {most: 0}
"""


@pytest.mark.parametrize(
    "rule, language, numbers",
    [
        ("change: {flow: {walk: {repeat: 17}}}", "en", ["thirteen times: 17", "13 times: 17"]),
        ("change: {flow: {walk: {repeat: 17}}}", "de", ["dreizehnmal: 17", "Dreizehn-mal: 17"]),
        ("change: {flow: {walk: {repeat: 17, steps: {halt: {repeat: 13}}}}}", "en", []),
        ("change: {flow: {walk: {steps: {halt: {repeat: 3}}}}}", "en", []),
    ],
)
def test_how_often_something_is_done_is_found_in_the_texts_around_it(
    tmp_path: Path, rule: str, language: str, numbers: list[str]
) -> None:
    assert [gap.shown for gap in stale(with_rule(tmp_path, rule), language)] == numbers


@pytest.mark.parametrize(
    "rule, titles",
    [
        ("change: {flow: {walk: {repeat: 17}}}", []),
        ("remove: [flow.walk.steps.halt]", ["Rest", "sat"]),
        ("change: {flow: {walk: {steps: {halt: {do: sat += 1 + count(bag)}}}}}", ["Rest"]),
        ("remove: [flow.walk.steps.halt, options.rest, variables.sat]", []),
    ],
)
def test_what_a_house_rule_leaves_without_use_is_listed(tmp_path: Path, rule: str, titles: list[str]) -> None:
    assert [gap.shown for gap in disused(with_rule(tmp_path, rule), "en")] == titles


def with_rule(folder: Path, rule: str) -> houserule.Game:
    (folder / "game.yaml").write_text(LONG, encoding="utf-8")
    (folder / "new.yaml").write_text(f"variant: new\nof: long\n{rule}\n", encoding="utf-8")
    return houserule.load(folder, [folder / "new.yaml"])
