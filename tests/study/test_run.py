"""A study counts what matches come to; its rows depend on the plan alone, wherever and however often it is begun."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import houserule
from houserule import Game
from houserule.running.playout import playout
from houserule.study.figures import Interval, of_difference, of_mean, of_share
from houserule.study.matches import FaultInMatch, Playing
from houserule.study.plan import ALONE, Means, Plan
from houserule.study.rows import Columns, Folder, WrongFolder
from houserule.study.run import Stopped, WorkerLost, in_this_process, run, source_of
from houserule.study.simulate import simulate, study
from tests.bundled import load

ORCHARD = Path(__file__).parents[1] / "rehearsing" / "orchard"
SMALL = Path(__file__).parents[1] / "games" / "small"

WINNERS = """\
edition: 2026
game: together
players: 3
variables:
  pips(player): 0..9
flow:
  round:
    repeat: 2
    do: |
      together players:
        choose n from 0..2 "How many?"
        me.pips += n
scoring: {{pips: me.pips}}
winner: {winner}
"""


@pytest.fixture(scope="module")
def orchard() -> Game:
    return houserule.load(ORCHARD)


def test_a_study_may_have_fewer_matches_than_seats_to_move_on_to(orchard: Game) -> None:
    found = simulate(orchard, 1, 3, "first,random", rotate=True).summary
    assert {bot: wins.matches for bot, wins in found.bots.items()} == {"first": 1, "random": 2}


def test_a_study_imports_neither_pandas_nor_scipys_statistics(tmp_path: Path) -> None:
    """PyArrow imports pandas to convert anything, and SciPy's statistics take half a second; a native study takes as long as that."""
    code = f"""
import sys, houserule
houserule.simulate("tic_tac_toe", 3, out={str(tmp_path / "out")!r}).summary
sys.exit("scipy.special" not in sys.modules or "pandas" in sys.modules or "scipy.stats" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_figures_are_the_same_without_numpy_and_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    found = simulate(load("kuhn_poker"), matches=60, seats="greedy,random", seed=2, rotate=True)
    whole = found.summary.to_json()
    monkeypatch.setattr("houserule.study.simulate.has_scipy", lambda: False)
    plain = simulate(load("kuhn_poker"), matches=60, seats="greedy,random", seed=2, rotate=True).summary.to_json()
    assert without_intervals(plain) == without_intervals(whole) != whole


def without_intervals(figures: Any) -> Any:
    if isinstance(figures, list):
        return [without_intervals(one) for one in figures]
    if not isinstance(figures, dict):
        return figures
    return {key: without_intervals(one) for key, one in figures.items() if "interval" not in key}


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")  # one side has won every match
def test_intervals_are_those_of_scipy() -> None:
    from scipy import stats  # no other test of these needs it, and it takes a second to load

    def same(found: Interval, estimate: float, ends: tuple[float, float], p: float = 1.0) -> None:
        expected = pytest.approx((estimate, *ends, p), rel=1e-13, abs=1e-300)
        assert (found.estimate, found.low, found.high, found.p) == expected

    for successes, trials in ((0, 7), (3, 7), (7, 7), (412, 1000), (58_600, 100_000)):
        same(
            of_share(successes, trials),
            successes / trials,
            stats.binomtest(successes, trials).proportion_ci(0.95, "wilson"),
        )
    for values in ([0.0, 1.0], [3.5, 2.0, -1.0, 8.0], [0.0, 0.0, 1.0] * 50, [-4.0, -4.5, -4.25, -4.0]):
        student = stats.ttest_1samp(values, 0.0)
        same(of_mean(np.array(values)), np.mean(values), student.confidence_interval(0.95), student.pvalue)
    for won, had, left, without in ((3, 7, 1, 9), (7, 7, 4, 9), (412, 1000, 100, 400), (5, 10, 5, 10)):
        ours, theirs = np.repeat([1.0, 0.0], [won, had - won]), np.repeat([1.0, 0.0], [left, without - left])
        welch = stats.ttest_ind(ours, theirs, equal_var=False)
        ends = welch.confidence_interval(0.95)
        same(of_difference(won, had, left, without), won / had - left / without, ends, welch.pvalue)


def plan_of(game: Game, matches: int = 120, seats: str = "random,random", **noted: bool) -> Plan:
    return Plan.of(game, seats.split(","), matches, 5, **noted)


def test_the_same_seed_gives_the_same_matches_and_another_seed_others(orchard: Game) -> None:
    plan = plan_of(orchard)
    assert run(orchard, plan) == run(orchard, plan)
    assert run(orchard, plan) != run(orchard, replace(plan, seed=6))


def test_the_summary_counts_wins_scores_and_lines_by_seat(orchard: Game) -> None:
    found = simulate(orchard, 300, 3, seed=1)
    summary, frame = found.summary, found.to_pandas()
    assert sum(summary.endings.values()) == len(found) == len(frame) == 300
    for seat in summary.seats:
        alone = sum(list(winners) == [seat.seat] for winners in frame["winners"])
        together = sum(seat.seat in winners and len(winners) > 1 for winners in frame["winners"])
        assert (seat.wins.alone, seat.wins.shared) == (alone, together)
        assert seat.score.mean == pytest.approx(np.mean([scores[seat.seat - 1] for scores in frame["scores"]]))
        assert sum(seat.lines.values()) == pytest.approx(seat.score.mean)
        interval = seat.wins.interval
        assert interval is not None and interval.low < alone / 300 < interval.high
    assert sum(seat.wins.alone for seat in summary.seats) == summary.endings["win"]
    assert sum(seat.wins.share for seat in summary.seats) == pytest.approx(
        (summary.endings["win"] + summary.endings["shared"]) / 300
    )
    assert json.loads(json.dumps(found.to_json()))["matches"] == 300
    assert "300 matches" in found._repr_html_()


def test_a_watched_match_is_the_match_and_its_notes_are_its_questions() -> None:
    for game in (load("aladdin"), load("master_thieves")):
        number = min(game.players)
        plan = Plan.of(game, ["random"] * number, 20, offers=True)
        playing = Playing(game, plan)
        columns = playing.batch(0, 20)
        quiet = game.program(number, told=False)
        outcomes = [playout(quiet, plan.seed_of(match)) for match in range(20)]
        assert list(columns.decisions) == [outcome.decisions for outcome in outcomes]
        assert list(columns.scores) == [score for outcome in outcomes for score in outcome.scores]
        offered, taken, was_offered, was_taken, _, _ = columns.offers["random"]
        assert (taken <= offered).all() and (was_taken <= was_offered).all() and (was_offered <= 20).all()
        assert (was_offered > 0).sum() == (offered > 0).sum()
        # A race is a decision of everybody who joins.
        if all(site.kind != "several" for site in quiet.sites):
            assert taken.sum() == sum(columns.decisions)


@pytest.mark.parametrize(("name", "players"), [("aladdin", 3), (str(SMALL / "parlour"), 2)])
def test_what_is_offered_and_taken_is_counted_natively_as_in_python(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houserule.study.offers.MOST_AT_ONCE", 50)  # in many parts
    quick, slow = (
        simulate(load(name), 60, players, "random", offers=True, engine=engine).columns
        for engine in ("native", "python")
    )
    assert (quick.offers["random"] == slow.offers["random"]).all()
    assert quick.offers["random"][5].any()
    assert (quick.winners, quick.rounds, quick.leads, quick.course) == (
        slow.winners,
        slow.rounds,
        slow.leads,
        slow.course,
    )


def test_what_all_win_together_is_counted_natively_as_in_python(tmp_path: Path) -> None:
    for number, winner in enumerate(("{all: me.pips > 1}", "{when: me.pips > 2, tie: draw}", "{most: points}")):
        file = tmp_path / f"{number}.yaml"
        file.write_text(WINNERS.format(winner=winner), encoding="utf-8")
        game = houserule.load(file)
        quick, slow = (
            simulate(game, 100, 3, "random", offers=True, engine=engine).columns for engine in ("native", "python")
        )
        assert (quick.offers["random"] == slow.offers["random"]).all()
        assert (quick.endings, quick.winners, quick.leads, quick.course) == (
            slow.endings,
            slow.winners,
            slow.leads,
            slow.course,
        )


FRAGILE = """\
edition: 2026
game: fragile
players: 2
variables: {dots(player): 0..5, height: 0..11}
flow:
  turn:
    turns: players
    repeat: 4
    do: |
      choose far from 1..2000 "How far?": me.dots += 0
      choose n from 1..2 "How many?": height += n
scoring: {dots: me.dots}
winner: {most: points, tie: draw}
"""
"""Some matches pile too high."""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_what_was_noted_of_matches_that_nobody_counted_is_forgotten(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(FRAGILE, encoding="utf-8")
    game = houserule.load(file)
    plan = Plan.of(game, ["random"] * 2, 3, engine=engine, offers=True)
    playing = Playing(game, plan)
    starts = range(0, 120, 3)
    held: list[Columns] = []
    faults = 0
    for start in starts:
        try:
            held.append(playing.batch(start, start + 3))
        except FaultInMatch as fault:
            faults += 1
            assert start < fault.number <= start + 3
    assert faults and held
    for columns in held:
        offered, taken = columns.offers["random"][:2]
        assert offered.sum() == 3 * 8 * 2002
        assert taken.sum() == 3 * 8 * 2 == sum(columns.decisions)
    fresh = Playing(houserule.load(file), plan)
    assert all(same(fresh.batch(columns.start, columns.end), columns) for columns in held)


def test_bots_change_seats_and_their_wins_are_counted_together(orchard: Game) -> None:
    found = simulate(orchard, 60, 3, "first,random", rotate=True, offers=True)
    frame = found.to_pandas()
    assert [list(seats) for seats in frame["seats"][:4]] == [
        ["first", "random", "random"],
        ["random", "first", "random"],
        ["random", "random", "first"],
        ["first", "random", "random"],
    ]
    wins = found.summary.bots["first"]
    won = [list(row.seats).index("first") + 1 in row.winners and len(row.winners) == 1 for row in frame.itertuples()]
    assert (wins.matches, wins.alone) == (60, sum(won))
    options = found.options_to_pandas()
    assert set(options["bot"]) == {"first", "random"}
    assert set(options[options["bot"] == "first"]["seat"]) == {1, 2, 3}


def test_rows_are_the_same_whatever_the_workers_and_however_often_it_was_stopped(orchard: Game, tmp_path: Path) -> None:
    plan = replace(plan_of(orchard, 230), engine="python")
    study(orchard, plan, out=tmp_path / "one")
    study(orchard, plan, Means(2), tmp_path / "two")
    study(orchard, replace(plan, engine="native"), Means(2), tmp_path / "threads")
    stops = [0]

    def stop(_: int) -> None:
        stops[0] += 1
        if stops[0] % 2 == 0:
            raise KeyboardInterrupt

    for _ in range(20):
        try:
            study(orchard, plan, Means(progress=stop), tmp_path / "stopped", csv=True)
            break
        except Stopped as stopped:
            assert len(stopped.columns) < 230 or stops[0]
    tables = [
        [parquet.read_table(tmp_path / folder / f"{name}.parquet") for name in ("matches", "options")]
        for folder in ("one", "two", "threads", "stopped")
    ]
    assert len(tables[0][0]) == 230
    assert all(table == tables[0] for table in tables)
    assert sorted(file.name for file in (tmp_path / "stopped").iterdir()) == [
        "matches.csv", "matches.parquet", "options.csv", "options.parquet", "study.json",
    ]  # fmt: skip
    assert (tmp_path / "stopped" / "matches.csv").read_text(encoding="utf-8").count("\n") == 231


def test_a_study_in_a_folder_grows_and_refuses_what_is_another(orchard: Game, tmp_path: Path) -> None:
    plan = plan_of(orchard, 60)
    out = tmp_path / "study"
    study(orchard, plan, out=out)
    grown = study(orchard, plan.with_matches(130), out=out)
    assert same(grown.columns, run(orchard, replace(plan, matches=130, offers=True)))
    again = study(orchard, plan.with_matches(130), out=out)
    assert list(again.columns.scores) == list(grown.columns.scores)
    for other, sentence in (
        (replace(plan, seed=6), "seed 5 there, 6 here"),
        (replace(plan, rules="other"), "rules hash"),
        (plan, "holds 130 matches already"),
    ):
        with pytest.raises(WrongFolder, match=sentence):
            Folder(out, orchard, replace(other, offers=True))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(WrongFolder, match="not empty"):
        Folder(tmp_path / "full", orchard, plan)
    with pytest.raises(WrongFolder, match="is a file, not a folder"):
        Folder(tmp_path / "full" / "letter.txt", orchard, plan)
    (out / "study.json").write_text("{", encoding="utf-8")
    with pytest.raises(WrongFolder, match="cannot be read"):
        Folder(out, orchard, plan)


def test_a_crash_at_any_write_loses_and_doubles_nothing(
    orchard: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan_of(orchard, 120), offers=True)
    expected = run(orchard, plan)
    from houserule.study import rows as module

    write, left = module.write_file, [0]

    def failing(path: Path, content: str | bytes) -> None:
        if left[0] == 0:
            raise OSError(28, "No space left on device", str(path))
        left[0] -= 1
        write(path, content)

    monkeypatch.setattr(module, "write_file", failing)
    for writes, interval in [*((writes, -1.0) for writes in range(1, 12)), (1, 5.0), (2, 5.0), (3, 5.0)]:
        monkeypatch.setattr(module, "INTERVAL", interval)
        left[0] = writes
        out = tmp_path / f"full-{writes}-{interval}"
        with pytest.raises(OSError, match="No space"):
            study(orchard, plan, out=out)
        left[0] = -1
        found = study(orchard, plan, out=out)
        assert same(found.columns, expected), (writes, interval)


TOGETHER = """\
edition: 2026
game: together
players: 2
enums: {habitat: [meadow, wood]}
components:
  card: {attributes: {worth: 1..2}, pieces: {ace: {count: 2, worth: 2}, ten: {worth: 1}}, starts_in: row}
  die: {each: {number: 1..2}, attributes: {number: 1..2}}
zones: {row: {holds: card, visible: all}}
variables: {score(player): int, seen(habitat): int}
flow:
  turn:
    turns: players
    do: |
      choose d from die, h from habitat "Which and where?":
        seen[h] += d.number
      choose c or pass from row, n from 1..c.worth "Take which?":
        me.score += c.worth * n
      choose a from 1..40, b from 1..40 "Which field?":
        me.score += a - b
      choose d from die, far from 1..600 "How far does which die go?":
        me.score += d.number * far
      choose wide from 1..2000 "How far?":
        me.score += wide
scoring: {score: me.score}
"""


def test_what_is_chosen_together_is_counted_together(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(TOGETHER, encoding="utf-8")
    game = houserule.load(file)
    found = simulate(game, 10, 2, seats="random,first", seed=5, offers=True).options_to_pandas()
    first = found[found["seat"] == 2]

    def counted(question: str) -> dict[str, tuple[str, int, int]]:
        asked = first[first["question"] == question]
        return {row.item: (row.kind, row.offered, row.taken) for row in asked.itertuples() if row.offered}

    assert counted("Which and where?") == {
        f"die_{number}, {place}": ("die and habitat", 10, 10 if (number, place) == (1, "meadow") else 0)
        for number in (1, 2)
        for place in ("meadow", "wood")
    }
    assert counted("Take which?") == {
        "ace, 1": ("card and number", 20, 10),
        "ace, 2": ("card and number", 20, 0),
        "ten, 1": ("card and number", 10, 0),
        "pass": ("pass", 10, 0),
    }
    assert counted("Which field?") == {"any": ("number and number", 10 * 1600, 10)}
    assert counted("How far does which die go?") == {"any": ("die and number", 10 * 1200, 10)}
    assert counted("How far?") == {"any": ("number", 10 * 2000, 10)}


OFFERED = """\
edition: 2026
game: market
players: 2
components:
  ware: {starts_in: stall, pieces: {honey: {count: 2}, wax: {}}}
zones:
  stall: {holds: ware, visible: none}
  seen: {holds: ware, visible: all}
  basket(player): {holds: ware, visible: all}
flow:
  round:
    turns: players
    repeat: 1
    do: |
      draw 1 from stall to seen as ware
      if ware:
        choose "Do you buy {ware}?":
          "Buy": move ware to me.basket
          "Leave": move ware to stall at bottom
winner: {most: count(me.basket)}
"""


@pytest.mark.parametrize(("seats", "engine"), [("first", "auto"), ("random", "python"), ("random", "native")])
def test_a_question_about_a_thing_is_counted_for_each_thing(tmp_path: Path, seats: str, engine: str) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(OFFERED, encoding="utf-8")
    game = houserule.load(file)
    rows = simulate(game, 40, 2, seats, seed=5, offers=True, engine=engine).options_to_pandas()
    assert set(rows["question"]) == {"Do you buy {ware}?"}
    offered = rows.groupby(["about", "item"])["offered"].sum()
    taken = rows.groupby(["about", "item"])["taken"].sum()
    assert set(offered.index) == {(ware, line) for ware in ("honey", "wax") for line in ("Buy", "Leave")}
    assert all(taken[ware, "Buy"] + taken[ware, "Leave"] == offered[ware, "Buy"] for ware in ("honey", "wax"))
    assert offered["honey", "Buy"] + offered["wax", "Buy"] == 80
    if seats == "first":
        assert taken["honey", "Leave"] == taken["wax", "Leave"] == 0


SALT = """\
variant: salt
of: market
add:
  components: {ware: {pieces: {salt: {count: 2}}}}
"""


@pytest.mark.usefixtures("undrawn")
def test_a_report_counts_what_a_question_was_about_among_a_house_rules_own_things(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(OFFERED, encoding="utf-8")
    (tmp_path / "variants" / "salt.yaml").write_text(SALT, encoding="utf-8")
    found = houserule.ladder(tmp_path, variants=["salt"], bots=["random", "first"], matches=30, seed=3)
    page = tmp_path / "report.html"
    houserule.report(found, page)
    own = page.read_text(encoding="utf-8").split("Its own things and choices")[1].split("</figure>")[0]
    assert "salt: Buy" in own and "never" not in own.split("<table")[1]
    assert not [one for one in found.findings if one.kind == "never" and "salt" in one.sentence]
    assert "kingmaking" not in found.sides[0].top.measures  # there are two players


FAIR = """\
edition: 2026
game: fair
players: 2
enums:
  sort:
    members: {fruit: {}, metal: {}}
components:
  ware:
    starts_in: stall
    attributes: {worth: -9..9, sort: sort}
    pieces: {pear: {count: 6, worth: 3, sort: fruit}, nail: {count: 6, worth: 2, sort: metal}}
zones:
  stall: {holds: ware, visible: none}
  seen: {holds: ware, visible: all}
  basket(player): {holds: ware, visible: all}
flow:
  setup: {do: shuffle stall}
  round:
    turns: players
    repeat: 3
    do: |
      draw 1 from stall to seen as ware
      if ware:
        choose "Do you buy {ware}?":
          "Buy": move ware to me.basket
          "Leave": move ware to stall at bottom
scoring: {worth: sum(w.worth for w in me.basket)}
winner: {most: points}
"""
ROT = """\
variant: rot
of: fair
add: {components: {ware: {pieces: {rot: {count: 6, worth: -8, sort: fruit}}}}}
"""
APPLE = """\
variant: apple
of: fair
add: {components: {ware: {pieces: {apple: {count: 6, worth: 4, sort: fruit}}}}}
remove: [components.ware.pieces.pear]
"""
DEAR = """\
variant: dear
of: fair
change: {components: {ware: {pieces: {pear: {worth: 5}}}}}
"""


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(FAIR, encoding="utf-8")
    for name, text in (("rot", ROT), ("apple", APPLE), ("dear", DEAR)):
        (tmp_path / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_what_is_declined_whenever_it_is_asked_about_is_dead(fair: Path) -> None:
    found = houserule.ladder(fair, variants=["rot"], bots=["random", "greedy"], matches=50, seed=3)
    [dead] = [one for one in found.findings if one.kind == "dead"]
    assert "almost never takes rot, though it could" in dead.sentence
    [rot] = [use for use in found.sides[0].uses if use.title == "rot"]
    assert rot.offered >= 30 and rot.taken == 0 and 0.3 < rot.by_chance < 0.7
    well = houserule.ladder(fair, variants=["dear"], bots=["random", "greedy"], matches=50, seed=3)
    assert not [one for one in well.findings if one.kind in ("dead", "never")]


def rows_of_own_things(page: str) -> list[str]:
    own = page.split("Its own things and choices")[1].split("</figure>")[0]
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in own.split("<tr>")[1:]]


@pytest.mark.usefixtures("undrawn")
def test_what_a_house_rule_changes_or_replaces_is_pinned_side_by_side(fair: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    for name, titles in (("dear", "pear: Buy"), ("apple", "apple: Buy: Do you buy …? / pear: Buy")):
        game = houserule.load(fair, [name])
        houserule.report(houserule.compare(game, houserule.load(fair), matches=40), page)
        head, *rows = rows_of_own_things(page.read_text(encoding="utf-8"))
        assert head.count("offered") == 2
        assert [row for row in rows if row.startswith(titles)]
        assert not [row for row in rows if "nail" in row]
    houserule.report(simulate(houserule.load(fair, ["dear"]), 40, offers=True), page)
    head, *rows = rows_of_own_things(page.read_text(encoding="utf-8"))
    assert head.count("offered") == 1
    assert {row.split(":")[0] for row in rows} == {"pear"}


def test_a_ladder_of_few_matches_says_so(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(OFFERED, encoding="utf-8")
    found = houserule.ladder(tmp_path / "game.yaml", bots=["random", "first"], matches=4, seed=3)
    assert "4 matches a rung are too few to say whether skill pays" in " ".join(found.verdict)


def same(found: Columns, expected: Columns) -> bool:
    """Whether columns have the same matches and the same counts of options."""
    numbers = all(
        getattr(found, name) == getattr(expected, name)
        for name in ("endings", "winners", "scores", "lines", "decisions", "rounds", "leads", "course")
    )
    return numbers and all((found.offers[bot] == counts).all() for bot, counts in expected.offers.items())


def test_progress_is_told_until_every_match_is_played(orchard: Game) -> None:
    told: list[int] = []
    simulate(orchard, 123, 2, progress=told.append)
    assert sum(told) == 123


def test_what_cannot_be_played_is_refused_in_a_sentence(orchard: Game) -> None:
    with pytest.raises(ValueError, match="at least one"):
        simulate(orchard, 0)
    with pytest.raises(ValueError, match="players, not for 17"):
        simulate(orchard, 1, 17)
    with pytest.raises(ValueError, match="'rondom' cannot take a seat"):
        simulate(orchard, 1, seats="rondom")
    with pytest.raises(ValueError, match="3 seats are named for 2 players"):
        simulate(orchard, 1, 2, "random,random,random")


def test_matches_of_a_study_have_seeds_of_their_own(orchard: Game) -> None:
    plans = [Plan.of(orchard, ["random", "random"], 200, seed) for seed in range(20)]
    assert len({one for plan in plans for one in plan.seeds(0, 200)}) == 4000


def test_seeds_are_digests_of_the_seed_of_the_study_and_the_number_of_the_match(orchard: Game) -> None:
    digests = [hashlib.blake2b(b"-7:%d" % match, digest_size=8).hexdigest() for match in (0, 9, 10, 1234567)]
    plan = Plan.of(orchard, ["random", "random"], 20, -7)
    assert [f"{plan.seed_of(match):016x}" for match in (0, 9, 10, 1234567)] == digests
    seeds = plan.seeds(0, 20)
    assert [*seeds] == [plan.seed_of(match) for match in range(20)]
    assert seeds[-1] == seeds[19]
    assert [*seeds[5:50]] == [*seeds][5:]
    assert [*seeds[::-2]] == [*seeds][::-2]


@pytest.mark.parametrize("seed", [0, -3, 10**19, 10**90, -(10**140)])
def test_both_engines_play_matches_with_the_same_seeds(seed: int) -> None:
    game = houserule.load("kuhn_poker")
    native, python = (simulate(game, 1010, seed=seed, engine=engine) for engine in ("native", "python"))
    assert [*native.columns.decisions] == [*python.columns.decisions]


def test_a_worker_that_ends_before_its_matches_do_is_not_waited_for(tmp_path: Path) -> None:
    shutil.copytree(ORCHARD, tmp_path / "orchard")
    game = houserule.load(tmp_path / "orchard")
    shutil.rmtree(tmp_path / "orchard")
    with pytest.raises(BrokenExecutor):
        simulate(game, 120, 2, workers=2, engine="python")


@pytest.mark.parametrize(("workers", "engine"), [(1, "python"), (2, "python"), (2, "native")])
def test_who_stops_a_study_gets_what_was_counted_and_nobody_is_left(orchard: Game, workers: int, engine: str) -> None:
    before = multiprocessing.active_children(), threading.active_count()

    def stop(_matches: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        simulate(orchard, 500, 2, workers=workers, engine=engine, progress=stop)
    assert len(stopped.value.columns) >= 50
    assert (multiprocessing.active_children(), threading.active_count()) == before


def test_matches_without_number_are_not_counted_before_the_first(orchard: Game) -> None:
    plan = replace(plan_of(orchard, 10**18), engine="python")
    assert source_of(plan, ALONE, 0) is in_this_process
    assert source_of(plan, Means(2), 0) is not in_this_process
    assert source_of(plan, Means(2), 10**18 - 1) is in_this_process


def test_a_worker_that_is_killed_ends_a_study_with_what_was_counted(orchard: Game) -> None:
    before = multiprocessing.active_children()

    def kill(_matches: int) -> None:
        os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    with pytest.raises(WorkerLost) as lost:
        simulate(orchard, 100_000, 2, workers=2, engine="python", progress=kill)
    assert 50 <= len(lost.value.columns) < 100_000
    assert multiprocessing.active_children() == before


def children_of(process: int) -> list[int]:
    """The processes that a process has begun and that live."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


WRITES_OFTEN = """
from houserule.cli import main
from houserule.study import rows
rows.INTERVAL = 0.2
main()
"""
"""The command, which writes what is counted five times a second, so that nobody waits for it with two busy workers."""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the children of a process there")
@pytest.mark.parametrize(
    ("number", "is_worker", "code"),
    [pytest.param(signal.SIGKILL, True, 1, marks=pytest.mark.long), (signal.SIGTERM, False, 143)],
)
def test_the_command_ends_with_what_was_counted_and_leaves_no_worker(
    number: int, is_worker: bool, code: int, tmp_path: Path
) -> None:
    out = tmp_path / "study"
    words = ["simulate", str(ORCHARD), "-n", "10000000", "--workers", "2", "--engine", "python", "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, "-c", WRITES_OFTEN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not (out / "study.json").exists() or '"parts": []' in (out / "study.json").read_text():
            time.sleep(0.05)  # until something has been counted, however slow the machine is
        busy: list[int] = []
        while len(busy) < 2:
            time.sleep(0.05)
            busy = [one for one in children_of(process.pid) if times_of(one) > 20]
        os.kill(busy[0] if is_worker else process.pid, number)
        told, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    assert "random matches for 2" in told
    assert said.startswith("houserule: ") and "of 10,000,000 matches were counted" in said
    assert not any(Path(f"/proc/{one}").exists() for one in busy)


def times_of(process: int) -> int:
    """Hundredths of a second that a process has worked."""
    return sum(int(word) for word in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13])


CLEAN = """\
variant: clean
of: market
add: {components: {powder: {pieces: {salt: {}}}}}
remove: [components.powder.pieces.dust]
"""


@pytest.mark.usefixtures("undrawn")
def test_what_the_game_itself_never_offers_is_not_listed_beside_a_house_rule(tmp_path: Path) -> None:
    text = OFFERED.replace(
        "zones:", "  powder: {starts_in: rest, pieces: {dust: {}}}\nzones:\n  rest: {holds: powder, visible: all}"
    )
    text = text.replace(
        "winner:",
        '  sweep:\n    when: count(seen) > 9\n    turns: players\n    do: |\n      choose p from rest: say "Swept."\nwinner:',
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    rule = tmp_path / "clean.yaml"
    rule.write_text(CLEAN, encoding="utf-8")
    page = tmp_path / "report.html"
    houserule.report(houserule.compare(tmp_path, variants=rule, matches=20), page)
    own = page.read_text(encoding="utf-8").split("Its own things and choices")[1].split("</figure>")[0]
    assert "salt" in own and "dust" not in own
