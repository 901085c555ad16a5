"""Tension and choices: who leads over the course of a match, and how much there is to decide."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Game
from houserule.operations import fuel
from houserule.running.playout import playout
from houserule.study.compare import compare, sweep
from houserule.study.measures import of_study
from houserule.study.report import report_of_study
from houserule.study.simulate import Study, simulate
from tests.bundled import load

CLIMBING = """\
edition: 2026
game: climbing
players: 2
options: {{swing: {{type: 0..40, default: {swing}}}}}
variables: {{height(player): 0..200, days: 0..12}}
flow:
  climb:
    repeat: 12
    do: |
      for p in players:
        as p:
          choose n from 1..(3 if me == first(players) else 1) "How far?"
          if me == first(players): me.height += {step}
      days += 1
      if days == 12:
        for p in players where p != first(players): p.height += swing
scoring: {{height: me.height}}
"""


def climbing(folder: Path, swing: int = 0, step: str = "1") -> Game:
    """The first seat climbs each day and has three options; the other has one, and is lifted on the last day."""
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(CLIMBING.format(swing=swing, step=step), encoding="utf-8")
    return houserule.load(folder)


def shown(study: Study) -> dict[str, float]:
    return {key: interval.estimate for key, interval in study.measures.items()}


ALWAYS = {"options": 2.0, "forced": 0.5, "idle": 0.5}


@pytest.mark.parametrize("seats", ["random", "first"])
@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_course_is_told_as_it_was(seats: str, engine: str, tmp_path: Path) -> None:
    if seats == "first":
        engine = "auto"
    straight = simulate(climbing(tmp_path / "straight"), 25, seats=seats, engine=engine)
    leading = {"leader.quarter": 1.0, "leader.half": 1.0, "leader.three_quarters": 1.0}
    told = {"lead_changes": 0, "decided": 1 / 12, "comebacks": 0, "closeness": 12, "closeness.relative": 1.0}
    assert shown(straight) == pytest.approx(leading | told | ALWAYS)
    assert straight.columns.of_course(0).tolist() == [2] * 25
    turned = simulate(climbing(tmp_path / "turned", swing=40), 25, seats=seats, engine=engine)
    leading = dict.fromkeys(leading, 0.0)
    told = {"lead_changes": 1, "decided": 1, "comebacks": 1, "closeness": 28, "closeness.relative": 28 / 40}
    assert shown(turned) == pytest.approx(leading | told | ALWAYS)
    row = turned.to_pandas().iloc[0]
    assert (row["led_since"], list(row["leaders"])) == (13, [1] * 11)
    assert (row["questions"], row["options_offered"], row["forced"], row["idle"]) == (24, 48, 12, 12)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_every_seat_of_twenty_can_lead(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "lead.yaml"
    rest = "repeat: 24, turns: players, do: 'choose n from 0..9 \"How many?\"; me.paid += n'"
    file.write_text(f"edition: 2026\ngame: lead\nplayers: 2..20\nvariables: {{paid(player): 0..999}}\nflow: {{pay: {{{rest}}}}}\n"
        "scoring: {paid: me.paid}\n", encoding="utf-8")  # fmt: skip
    study = simulate(file, 60, players=20, engine=engine)
    leaders = study.columns.leaders
    assert set(leaders[:, -1].tolist()) >= {0, 16, 19}
    rows = study.to_pandas()["leaders"]
    assert [list(row) for row in rows] == (leaders + 1).tolist()


SECRET = """\
edition: 2026
game: chips
players: 2
variables: {chips(player): {type: 0..9 = 2, visible: owner}}
flow:
  pay:
    repeat: 4
    turns: players
    do: |
      choose "Pay?":
        "Pay a chip" when me.chips > 0: me.chips -= 1
scoring: {chips: me.chips}
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_passing_a_secret_question_is_an_answer_only_where_there_is_no_other(engine: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(SECRET, encoding="utf-8")
    study = simulate(houserule.load(tmp_path), 20, offers=True, engine=engine)
    row = study.to_pandas().iloc[0]
    assert (row["questions"], row["options_offered"], row["forced"]) == (8, 8, 8)
    counted = study.options_to_pandas()
    assert {id: tuple(int(n) for n in rows[["offered", "taken"]].sum()) for id, rows in counted.groupby("item")} == {
        "Pay a chip": (80, 80),
        "pass": (80, 80),
    }


def test_what_few_matches_cannot_carry_is_not_shown(tmp_path: Path) -> None:
    game = climbing(tmp_path)
    assert simulate(game, 19).measures == {}
    drawn = simulate(climbing(tmp_path / "drawn", step="0"), 25)  # nobody ever leads
    assert set(drawn.measures) == {"lead_changes", "closeness", *ALWAYS}
    alone = "edition: 2026\ngame: alone\nplayers: 1\nvariables: {x: 0..99}\nflow: {a: {repeat: 9, turns: players, do: 'choose n from 1..3\n  x += n'}}\nscoring: {x: x}\n"
    file = tmp_path / "alone.yaml"
    file.write_text(alone.replace("do: 'choose n from 1..3\n  x += n'", 'do: "choose n from 1..3\\nx += n"'), "utf-8")
    assert set(simulate(houserule.load(file), 25).measures) == set(ALWAYS)


def test_the_best_can_be_further_ahead_than_their_own_points(tmp_path: Path) -> None:
    file = climbing(tmp_path).file
    file.write_text(file.read_text("utf-8").replace("height: me.height}", 'height: "me.height * 2 - 12"}'), "utf-8")
    found = simulate(houserule.load(file), 25)
    assert found.measures["closeness.relative"].estimate == pytest.approx(24 / 12)
    assert "distance between the best two" in report_of_study(found)


def test_the_best_two_are_no_partners(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: sides
players: 4
enums: {side: [one, other]}
tables: {sides: [one, other]}
variables: {score(side): int}
teams: side_of(me)
functions: {side_of(player p): "sides[position(players, p) % 2]"}
flow: {turn: {turns: players, do: "if side_of(me) == one: score[one] += 3"}}
scoring: {points: "score[side_of(me)]"}
""",
        encoding="utf-8",
    )
    found = simulate(houserule.load(tmp_path), 25).measures
    assert (found["closeness"].estimate, found["closeness.relative"].estimate) == (6, 1)


def test_comparisons_sweeps_reports_and_verdicts_have_the_measures(tmp_path: Path) -> None:
    game = climbing(tmp_path / "one", step="n")
    found = compare(climbing(tmp_path / "other", step="n", swing=24), game, matches=200)
    told = {one.key: one for one in found.differences}
    assert told["leader.half"].first < told["leader.half"].second == 1.0 and told["leader.half"].is_told
    assert not told["options"].is_told
    assert "leader.half" in sweep(game.path, {"swing": [0, 24]}, matches=30).keys
    study = simulate(game, 30)
    assert of_study(study)[-3].startswith("Who leads at half-time wins 100 of 100 matches (95 %: 89 to 100)")
    assert of_study(study)[-2] == "A question has 2.0 options on average; 50 of 100 have only one."
    assert "The course of a match" in report_of_study(study)
    assert set(study.to_json()["measures"]) == set(study.measures)


COSTLY = """\
edition: 2026
game: costly
players: 2
variables: {taken(player): 0..99}
functions: {long(player p): "count(1 for a in 1..300 for b in 1..300 where a * b % 7 == p.taken % 7)"}
flow: {go: {repeat: 40, turns: players, do: "me.taken += 1"}}
scoring: {taken: me.taken, long: long(me)}
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_looking_who_leads_takes_nothing_from_the_match_and_ends(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look takes millions of units here; with looks, the match is played as it is without."""
    (tmp_path / "game.yaml").write_text(COSTLY, encoding="utf-8")
    game = houserule.load(tmp_path)
    program = game.program(2, told=False)
    alone = playout(program, 1)
    monkeypatch.setattr(fuel, "IN_A_MATCH", 12_000_000)
    monkeypatch.setattr(fuel, "FOR_LOOKS", 9_000_000)
    study = simulate(game, 3, 2, engine=engine)
    assert len(study.columns) == 3 and study.columns.decisions[0] == alone.decisions
    monkeypatch.setattr(fuel, "IN_A_MATCH", 600_000_000)
    monkeypatch.setattr(fuel, "FOR_LOOKS", 600_000_000)
    whole = simulate(houserule.load(tmp_path), 1, 2, engine=engine)
    assert list(whole.columns.scores) == list(study.columns.scores)[:2]


@pytest.mark.parametrize("name", houserule.games())
def test_every_bundled_game_has_its_measures(name: str) -> None:
    assert simulate(load(name), 24).to_json()["measures"]
