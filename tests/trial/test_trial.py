"""`houserule check` says what is wrong with a game, leaves records that replay it, and says what was never reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import houserule
from houserule import Outcome
from houserule.cli.application import application
from houserule.study.matches import FaultInMatch
from houserule.study.simulate import simulate
from houserule.trial.check import Table, Walk, Wanted, check, violation_at

GAME = """\
edition: 2026
game: stones
title: {en: Stones}
players: 2..3
variables:
  heap: 0..9
actions:
  never:
    do: heap = 0
flow:
  round:
    repeat: 4
    turns: players
    do: |
      choose "Add or leave?":
        "Add": heap += 1
        "Leave": nothing
      if heap > 50: perform never
  rare:
    when: heap > 11
    do: heap = 1
scoring:
  heap: {points: heap}
"""
SMALL = """\
variant: small
of: stones
title: {en: Small}
change:
  flow: {round: {repeat: 2}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "stones"
    (made / "scenarios").mkdir(parents=True)
    (made / "variants").mkdir()
    (made / "game.yaml").write_text(GAME.replace("0..9", "0..12"), encoding="utf-8")
    return made


def test_a_game_that_is_well_is_said_to_be_so(folder: Path) -> None:
    found = check(folder, Wanted(matches=5, close=1))
    assert not found.failed
    assert (found.tables, found.matches) == (2, 12)
    assert [rule.name for rule in found.unreached if rule.kind == "effect"] == ["action never", "step rare"]


def test_a_fault_is_found_and_its_record_replays_it(folder: Path) -> None:
    (folder / "game.yaml").write_text(GAME.replace("0..9", "0..3"), encoding="utf-8")
    found = check(folder, Wanted(matches=30, close=1))
    assert found.failed
    violation = found.violations[0]
    assert "'heap' would become 4" in violation.message
    with pytest.raises(houserule.RuleFault, match="'heap' would become 4"):
        houserule.replay(violation.record)


def test_the_command_prints_the_seed_and_writes_the_record(folder: Path, tmp_path: Path) -> None:
    (folder / "game.yaml").write_text(GAME.replace("0..9", "0..3"), encoding="utf-8")
    runner = CliRunner()
    made = runner.invoke(application, ["check", str(folder), "-n", "30", "--records", str(tmp_path / "wrong")])
    assert made.exit_code == 1
    records = sorted((tmp_path / "wrong").glob("stones-2-*.json"))
    seed = records[0].stem.rpartition("-")[2]
    assert f"stones for 2 players, seed {seed}: " in made.stdout
    assert f"houserule replay {records[0]}" in made.stdout.replace("\n", "")
    replayed = runner.invoke(application, ["replay", str(records[0]), str(folder)])
    assert replayed.exit_code == 1
    assert "'heap' would become 4" in replayed.output


def test_json_has_it_all(folder: Path) -> None:
    (folder / "scenarios" / "some.yaml").write_text(
        "of: stones\nscenario: Wrong\nplayers: [ann, bob]\nexpect: heap == 3\n", encoding="utf-8"
    )
    made = CliRunner().invoke(application, ["check", str(folder), "-n", "2", "--close", "0", "--json"])
    assert made.exit_code == 1
    found = json.loads(made.stdout)
    assert found["failed"] and found["violations"] == []
    assert [failed["name"] for failed in found["scenarios"]["failed"]] == ["Wrong"]
    assert [rule["name"] for rule in found["unreached"] if rule["kind"] == "step"] == ["rare"]


def test_a_house_rule_is_tried_with_its_game_alone(folder: Path, tmp_path: Path) -> None:
    (folder / "scenarios" / "some.yaml").write_text(
        "of: stones\nscenario: Wrong\nplayers: [ann, bob]\nexpect: heap == 3\n"
    )
    for name, text in (("first", SMALL), ("small", SMALL + "requires: [first]\n")):
        (tmp_path / f"{name}.yaml").write_text(text.replace("small", name))
    file = tmp_path / "small.yaml"
    runner = CliRunner()
    made = runner.invoke(application, ["check", str(folder), "--with", str(file), "-n", "2", "--close", "1"])
    assert made.exit_code == 0
    assert "stones with small: 6 matches at 2 tables, none of them failed" in made.stdout
    # By itself, it is tried with the game beside it.
    found = json.loads(runner.invoke(application, ["check", str(file), "-n", "2", "--close", "0", "--json"]).stdout)
    assert (found["game"], found["variants"], found["tables"]) == ("stones", [str(file)], 2)
    file.write_text(SMALL.replace("of: stones", "of: stnoes"))
    wrong = runner.invoke(application, ["check", str(file)])
    assert wrong.exit_code == 1 and "HR701: there is no game 'stnoes'" in wrong.stderr


def test_rules_with_errors_are_not_played(folder: Path) -> None:
    (folder / "game.yaml").write_text(GAME.replace("heap += 1", "haep += 1"), encoding="utf-8")
    found = check(folder, Wanted())
    assert found.failed and found.matches == 0
    assert any("haep" in diagnostic.message for diagnostic in found.diagnostics)


def test_a_wrong_name_is_a_wrong_call() -> None:
    assert CliRunner().invoke(application, ["check", "no_such_game"]).exit_code == 2


def test_who_stops_a_check_gets_what_was_found(folder: Path) -> None:
    told: list[str] = []

    def stop(what: str, _done: int, _of: int) -> None:
        told.append(what)
        if what.startswith("3 players"):
            raise KeyboardInterrupt

    (folder / "game.yaml").write_text(
        GAME.replace("players: 2\n", "players: 2..4\n").replace("players: 2..3\n", "players: 2..4\n"), encoding="utf-8"
    )
    found = check(folder, Wanted(3, 1), stop)
    assert found.is_stopped
    assert (found.tables, found.matches) == (1, 4)
    assert told[-1] == "3 players"


def test_matches_are_counted_as_they_are_played(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def stop(_program: object, seed: int, _found: object) -> Outcome:
        seeds.append(seed)
        if seed == 5:
            raise KeyboardInterrupt
        return Outcome([1, 0], [], 1, [0])

    monkeypatch.setattr("houserule.trial.check.check_quiet_match", stop)
    found = check(folder, Wanted(20, 1))
    assert found.is_stopped
    assert found.matches == len(seeds) == 6


RARE = """\
edition: 2026
game: rare
players: 2
variables: {pips: 1..6 = 1, sixes: 0..20}
flow:
  throw:
    repeat: 8
    turns: players
    do: |
      choose "Throw?":
        "Throw": roll pips from 1..6
        "Wait": pips = 1
      if pips == 6: sixes += 1
      if sixes == 5:
        repeat 3 // (5 - sixes) times: nothing
scoring: {sixes: {points: sixes}}
winner: {most: points, tie: shared}
"""


def test_the_record_is_of_the_match_that_a_simulation_complains_of(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(RARE, encoding="utf-8")
    game = houserule.load(tmp_path)
    with pytest.raises(FaultInMatch) as raised:
        simulate(game, 2000, 2)
    assert raised.value.number > 1
    violation = violation_at(game, 2, raised.value.seed, raised.value)
    with pytest.raises(houserule.RuleFault, match="divides by zero"):
        houserule.replay(violation.record, game)


UNDEALT = """\
edition: 2026
game: undealt
players: 2
components: {card: {attributes: {worth: 0..9}, starts_in: box, pieces: {leaf: {count: 4, worth: 0}, nut: {count: 1, worth: 1}}}}
zones:
  box: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner}
flow:
  deal:
    turns: players
    do: |
      shuffle box
      draw 1 from box to me.hand
  offer:
    repeat: 60
    turns: players
    do: |
      choose 0..2 given from (c in me.hand where c.worth == 1) "Which?":
        move given to box
scoring: {cards: {points: count(me.hand)}}
winner: {most: points, tie: shared}
"""


def test_a_question_without_options_is_no_fault_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(UNDEALT, encoding="utf-8")
    found = check(tmp_path, Wanted(matches=2, close=6))
    assert [diagnostic.message for diagnostic in found.diagnostics] == []
    assert [violation.message for violation in found.violations] == []


PASSES = """\
edition: 2026
game: passes
players: 2
variables:
  n: 0..99
  score(player): int
flow:
  go:
    do: |
{0}
scoring: {{score: me.score}}
winner: {{most: points, tie: shared}}
"""
BETWEEN = """\
      repeat 600 times:
        n = 0
        while n < 20:
          n += 1
          if n > 30:
            first(players) chooses y from 1..2
            n = y
        together players:
          choose k from 1..2
          me.score += k
          say "{me} has chosen."
"""
INSIDE = """\
      together players:
        k = 0
        while k < 6000:
          k += 1
          if k > 7000: choose y from 1..2
        me.score += k
"""


@pytest.mark.parametrize("rules", [BETWEEN, INSIDE], ids=["between", "inside"])
def test_passes_are_counted_from_answer_to_answer_where_all_act_together(tmp_path: Path, rules: str) -> None:
    (tmp_path / "game.yaml").write_text(PASSES.format(rules), encoding="utf-8")
    found = check(tmp_path, Wanted(matches=1, close=0))
    assert [diagnostic.message for diagnostic in found.diagnostics if diagnostic.severity == "error"] == []
    assert [violation.message for violation in found.violations] == []


TRIED = """\
edition: 2026
game: tried
players: 2
variables: {heap: 0..9}
flow:
  add:
    repeat: 6
    turns: players
    do: |
      choose n from 1..12
      if n == 12: heap = n * 3
scoring: {heap: heap}
winner: {most: points, tie: shared}
"""


def test_the_record_leads_to_a_fault_that_is_found_by_trying_an_option(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(TRIED, encoding="utf-8")
    game = houserule.load(tmp_path)
    walk = Walk(Table(game, 2), 0, share=1)
    for lead in (walk.run, lambda: houserule.replay(walk.record, game)):
        with pytest.raises(houserule.RuleFault, match="'heap' would become 36"):
            lead()


def test_a_game_in_the_current_folder_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "meadow"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "edition: 2026\ngame: meadow\nplayers: 2\nvariables:\n  score(player): int\nflow:\n  round: {turns: players, do: me.score += 1}\n"
        "scoring: {points: me.score}\nwinner: {most: points}\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(folder)
    assert check(Path(), Wanted(matches=1, close=0)).game == "meadow"
    Path("game.yaml").rename("field.yaml")
    assert check(Path("field.yaml"), Wanted(matches=1, close=0)).game == "field"


DEALT = """\
edition: 2026
game: dealt
players: 2..3
components: {card: {starts_in: deck, pieces: {plain: {count: 7}}}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: all}}
flow:
  setup:
    do: |
      for p in players: draw 2 from deck to p.hand
  round: {turns: players, do: "choose c from me.hand: move c to deck"}
winner: {most: count(me.hand)}
"""


def test_pieces_that_do_not_suffice_for_more_players_are_told(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(DEALT, encoding="utf-8")
    crowd = tmp_path / "variants" / "crowd.yaml"
    crowd.write_text("variant: crowd\nof: dealt\nplayers: 2..5\n", encoding="utf-8")
    found = check(crowd, Wanted(matches=1, close=0)).diagnostics
    assert [(one.code, one.message) for one in found] == [
        ("HR714", "with 4 players the set-up does not give everybody as many pieces of 'hand': 2 and 1")
    ]
    assert houserule.validate(tmp_path, [str(crowd)]) == houserule.validate(crowd) == found
    crowd.write_text(crowd.read_text(encoding="utf-8").replace("2..4", "4"), encoding="utf-8")
    assert [one.message for one in houserule.validate(crowd)] == [one.message for one in found]
    crowd.write_text("variant: crowd\nof: dealt\nplayers: 2..3\n", encoding="utf-8")
    assert check(crowd, Wanted(matches=1, close=0)).diagnostics == []


def test_a_match_that_fails_at_full_speed_and_closely_has_failed_once(tmp_path: Path) -> None:
    rules = "edition: 2026\ngame: rich\nplayers: 2\nvariables: {coins(player): 0..9}\n"
    rules += "flow: {turn: {repeat: 3, turns: players, do: me.coins += 5}}\nscoring: {n: me.coins}\n"
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    (violation,) = check(tmp_path, Wanted(matches=1, close=1)).violations
    assert "coins" in violation.message
