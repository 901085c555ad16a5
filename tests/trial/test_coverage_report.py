"""Which rules scenarios ran: every kind of rule and every way of a branch counts once, and what cannot happen does not count."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from xml.etree import ElementTree

import pytest

from houserule import Coverage, allow_work, rehearse
from houserule.trial.check import Wanted, check
from houserule.trial.coverage import least, shares, to_cobertura, to_json, to_text

GAME = """\
edition: 2026
game: well
title: {en: The Well}
players: 2..3
options:
  deep: {type: bool, default: false}
enums:
  side:
    effects: [turned]
    members:
      heads: {turned: me.coins += 1}
      tails: {turned: me.coins += 2}
components:
  card:
    effects: [wish]
    starts_in: deck
    pieces:
      bucket: {count: 2, wish: perform drink}
      frog:
        wish: |
          if empty(discard): me.coins += 3
          elif me.coins > 5: me.coins = 0
          else: me.coins += 1
zones:
  deck: {holds: card, visible: none}
  discard: {holds: card, visible: all}
variables:
  coins(player): 0..99
  wet: bool
functions:
  two: player_count == 2
  share: 3 if two else 2
actions:
  drink: |
    choose friend or pass from opponents "Whom do you give to drink?":
      friend.coins += share
    else:
      me.coins += 1
    if deep: wet = true
triggers:
  splash:
    whenever: c enters discard
    when: c is frog
    do: wet = true
flow:
  setup:
    do: shuffle deck
  round:
    while: not wet
    steps:
      draw:
        turns: players
        do: |
          choose "What now?":
            "Draw" when not empty(deck):
              draw 1 from deck to discard as card
              if card: perform card.wish
            "Toss":
              roll coin from side
              perform coin.turned
      extra:
        when: player_count == 3
        do: coins[first(players)] += 1
      rain:
        when: coins[first(players)] > 50
        do: wet = true
scoring:
  coins: {points: me.coins}
  dry: {points: 5, when: not wet}
"""

Collect = Callable[..., Coverage]


@pytest.fixture
def collect(tmp_path: Path) -> Collect:
    """Runs scenarios of the well, or of another game, and says which rules ran."""

    def collect(scenarios: str, game: str = GAME, **variants: str) -> Coverage:
        folder = tmp_path / "well"
        for inside in ("scenarios", "variants"):
            (folder / inside).mkdir(parents=True, exist_ok=True)
        (folder / "game.yaml").write_text(game, encoding="utf-8")
        for name, text in variants.items():
            (folder / "variants" / f"{name}.yaml").write_text(dedent(text), encoding="utf-8")
        file = folder / "scenarios" / "some.yaml"
        file.write_text("of: well\nplayers: [ann, bob]\n---\n" + dedent(scenarios), encoding="utf-8")
        coverage = Coverage()
        for result in rehearse(file, coverage=coverage):
            assert result.passed, result.message
        return coverage

    return collect


NOTHING = "scenario: Nothing is played\nexpect: coins[ann] == 0\n"
ALL = """\
scenario: Everything
play:
  - deck: {deck: [frog, bucket#1, bucket#2]}
  - ann: Draw
  - expect: wet
  - roll: {coin: heads}
  - bob: Toss
until: end
expect: [points(ann) == 1, points(bob) == 1]
---
scenario: A bucket for a friend, then for oneself
play:
  - deck: {deck: [bucket#1, bucket#2, frog]}
  - ann: Draw
  - ann: {friend: bob}
  - bob: Draw
  - bob: {friend: pass}
  - do: {as: ann, effect: me.coins = 51}
  - roll: {coin: [tails, tails]}
  - ann: Toss
  - bob: Toss
until: end
"""


def counted(coverage: Coverage) -> dict[str, tuple[int, int]]:
    return {word: (share.ran, share.of) for word, share in shares(coverage).items()}


def ways(coverage: Coverage, line: str) -> dict[str, bool]:
    """The branches that stand on the line of the game that reads so, by their ways."""
    number = [text.strip() for text in GAME.splitlines()].index(line) + 1
    return {rule.way: rule.ran for rule in coverage.rules if rule.kind == "branch" and rule.span.line == number}


def test_every_rule_of_the_game_counts_once_for_all_numbers_of_players(collect: Collect) -> None:
    found = counted(collect(NOTHING))
    assert {word: of for word, (_, of) in found.items()} == {
        "steps": 5,
        "effects": 2 + 2 + 1 + 1 + 4,
        "cards": 2,
        "faces": 2,
        "triggers": 1,
        "branches": 2 + 3 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 1 + 2 + 2,
    }


def test_what_no_scenario_runs_has_not_run(collect: Collect) -> None:
    found = counted(collect(NOTHING))
    assert {word: ran for word, (ran, _) in found.items()} == {
        "steps": 1,
        "effects": 1,
        "cards": 0,
        "faces": 0,
        "triggers": 0,
        "branches": 0,
    }


def test_what_scenarios_run_has_run(collect: Collect) -> None:
    coverage = collect(ALL)
    found = counted(coverage)
    assert found["cards"] == (2, 2)
    assert found["faces"] == (2, 2)
    assert found["triggers"] == (1, 1)
    assert ways(coverage, 'choose friend or pass from opponents "Whom do you give to drink?":') == {
        "with an answer": True,
        "without an answer": True,
    }
    assert ways(coverage, '"Draw" when not empty(deck):') == {"true": True, "false": False, "Draw": True}
    assert ways(coverage, '"Toss":') == {"Toss": True}
    assert ways(coverage, "rain:") == {"true": True, "false": True}
    assert ways(coverage, "dry: {points: 5, when: not wet}") == {"true": False, "false": True}


def test_when_a_question_may_be_passed_has_two_ways(collect: Collect) -> None:
    line = 'choose "What now?":'
    coverage = collect(ALL, GAME.replace(line, 'choose "What now?" or pass when me.coins > 60:'))
    assert ways(coverage, line) == {"true": False, "false": True, "without an answer": False}


def test_if_elif_else_has_a_way_for_each(collect: Collect) -> None:
    coverage = collect(ALL)
    assert ways(coverage, "if empty(discard): me.coins += 3") == {"true": False}
    assert ways(coverage, "elif me.coins > 5: me.coins = 0") == {"true": False, "false": True}


def test_what_is_folded_away_for_two_players_counts_where_three_can_come_to_it(collect: Collect) -> None:
    coverage = collect(ALL)
    assert ways(coverage, "share: 3 if two else 2") == {"true": True, "false": False}
    assert ways(coverage, "extra:") == {"true": False, "false": True}
    three = collect(
        "scenario: Three\nplayers: [ann, bob, cid]\nplay:\n  - do: {as: ann, effect: perform drink}\n  - ann: {friend: cid}\n"
    )
    assert ways(three, "share: 3 if two else 2") == {"true": False, "false": True}


def test_what_an_option_shuts_off_counts_only_where_a_scenario_sets_it(collect: Collect) -> None:
    shut = "if deep: wet = true"
    assert ways(collect(ALL), shut) == {"false": True}
    assert ways(collect(NOTHING), shut) == {"false": False}
    assert ways(collect("options: {deep: true}\n" + NOTHING), shut) == {"false": False, "true": False}


def test_a_while_is_entered_or_left_out(collect: Collect) -> None:
    assert ways(collect(ALL), "round:") == {"entered": True, "left out": False}
    wet = "scenario: It is wet\ngiven: wet = true\nuntil: end\n"
    assert ways(collect(wet), "round:") == {"entered": False, "left out": True}


def test_what_a_variant_brings_counts(collect: Collect) -> None:
    rope = """
    variant: rope
    of: well
    title: {en: Rope}
    add:
      components: {card: {pieces: {rope: {wish: me.coins += 7}}}}
    """
    plain = counted(collect(NOTHING))
    more = counted(collect(NOTHING, rope=rope))
    assert more["cards"] == (0, plain["cards"][1] + 1)
    ran = collect(
        "scenario: A rope\nwith: [rope]\nplay: [deck: {deck: [rope]}, ann: Draw]\nexpect: coins[ann] == 7\n", rope=rope
    )
    assert counted(ran)["cards"] == (1, 3)


def test_an_action_that_nothing_comes_to_counts_only_if_a_scenario_runs_it(collect: Collect) -> None:
    game = GAME.replace("actions:\n", "actions:\n  sing:\n    do: wet = false\n")
    assert counted(collect(NOTHING, game))["effects"] == (1, 10)
    assert counted(collect("scenario: A song\nplay: [do: perform sing]\n", game))["effects"] == (2, 11)


def test_the_text_says_how_much_and_what_is_missing(collect: Collect) -> None:
    said = to_text(collect(ALL)).splitlines()
    assert said[:2] == ["steps         4 of 5      80 %", "effects       9 of 10     90 %"]
    line = GAME.splitlines().index("          if empty(discard): me.coins += 3") + 1
    assert any(text.endswith(f"game.yaml:{line}:11: 'if' is never true") for text in said)
    assert any(line.endswith(": step round.extra never ran") for line in said)
    assert any(line.endswith(": 'while' always holds at first") for line in said)


def test_the_least_of_all_kinds_is_what_counts(collect: Collect) -> None:
    assert least(collect(NOTHING)) == 0
    coverage = collect(ALL)
    assert least(coverage) == min(share.percent for share in shares(coverage).values()) < 100


def test_json_has_every_rule_with_its_place(collect: Collect) -> None:
    coverage = collect(ALL)
    found = json.loads(to_json(coverage))
    assert found["shares"]["triggers"] == {"ran": 1, "of": 1, "percent": 100.0}
    rules = found["rules"]
    assert len(rules) == sum(share.of for share in shares(coverage).values())
    trigger = next(rule for rule in rules if rule["kind"] == "trigger")
    assert (
        trigger["name"] == "splash" and trigger["ran"] and GAME.splitlines()[trigger["line"] - 1].strip() == "splash:"
    )


def test_cobertura_counts_lines_and_branches(collect: Collect) -> None:
    coverage = collect(ALL)
    root = ElementTree.fromstring(to_cobertura(coverage).split("\n", 2)[2])
    branches = shares(coverage)["branches"]
    assert root.attrib["branches-covered"] == str(branches.ran)
    assert root.attrib["branches-valid"] == str(branches.of)
    listed = root.findall("packages/package/classes/class/lines/line")
    assert root.attrib["lines-valid"] == str(len(listed))
    assert root.attrib["lines-covered"] == str(sum(line.attrib["hits"] != "0" for line in listed))
    numbers = [int(line.attrib["number"]) for line in listed]
    assert numbers == sorted(set(numbers))
    by_text = {GAME.splitlines()[int(line.attrib["number"]) - 1].strip(): line for line in listed}
    assert by_text["round:"].attrib["condition-coverage"] == "50% (1/2)"
    assert by_text["friend.coins += share"].attrib == {
        "number": by_text["friend.coins += share"].attrib["number"],
        "hits": "1",
        "branch": "false",
    }
    assert by_text["share: 3 if two else 2"].find("conditions/condition").attrib["coverage"] == "50%"  # type: ignore[union-attr]


NEIGHBOURS = """\
edition: 2026
game: field
players: 2
components:
  patch: {attributes: {x: 1..9, y: 1..9}, each: {x: 1..9, y: 1..9}}
variables: {found: int}
functions:
  near(patch a, patch b): abs(a.x - b.x) + abs(a.y - b.y) == 1 or abs(a.x - b.x) + abs(a.y - b.y) == (3 if found_far else 2)
  found_far: player_count == 3
flow:
  look:
    repeat: 99
    turns: players
    do: |
      seen = 0
      repeat 2 times:
        for p in patch: seen += count(q in patch where near(p, q))
      found += seen
scoring: {points: found}
winner: {most: points, nobody: draw}
"""
SEEN = """\
of: field
players: [anna, ben]
---
scenario: Everybody looks
until: end
expect: found > 0
"""


@pytest.fixture
def little_work() -> Iterator[None]:
    """Rules may work so little that these can be carried out as they are, and not with marks in them."""
    allow_work(0.05)
    yield
    allow_work(1)


@pytest.mark.usefixtures("little_work")
def test_marks_take_work_and_change_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "game.yaml").write_text(NEIGHBOURS, encoding="utf-8")
    file = tmp_path / "scenarios" / "all.yaml"
    file.write_text(SEEN, encoding="utf-8")
    coverage = Coverage()
    assert [result.message for result in rehearse(file)] == [""]
    assert [result.message for result in rehearse(file, coverage=coverage)] == [""]
    assert all(rule.ran for rule in coverage.rules if rule.kind == "step")
    assert allow_work() == 0.05
    assert check(tmp_path, Wanted(matches=2, close=0)).violations == []
    allow_work(0.002)
    assert "takes too long" in rehearse(file)[0].message
    assert "takes too long" in rehearse(file, coverage=Coverage())[0].message
