"""`houserule check` says what is wrong with a game, leaves records that replay it, and says what was never reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import houserule
from houserule.cli.application import application
from houserule.play.trial import Wanted, check

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
VARIANT = """\
variant: small
of: stones
title: {en: Small}
change:
  variables: {heap: {was: 0..9, now: 0..2}}
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

    def stop(_program: object, seed: int) -> None:
        seeds.append(seed)
        if seed == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr("houserule.play.trial.check_quiet_match", stop)
    found = check(folder, Wanted(20, 1))
    assert found.is_stopped
    assert found.matches == len(seeds) == 6
