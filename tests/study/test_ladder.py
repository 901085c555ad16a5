"""The ladder of bots: strength pays where the rules reward it, and planted faults of house rules are found by name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import houserule
from houserule import Game, Ladders
from houserule.study.compare import compare, names_of
from houserule.study.course import gap_and_stake, sway
from houserule.study.figures import Interval, of_share
from houserule.study.findings import never_offered
from houserule.study.ladder import Ladder, Rung, duels, in_turn, ladder, rungs
from houserule.study.measures import brief
from houserule.study.plan import ALONE
from houserule.study.report import report_of_comparison
from houserule.study.simulate import simulate
from houserule.study.studio import report_of_ladders

MARKET = Path(__file__).parent / "market"
FAULTS = {
    "dead": "the strongest bot almost never takes rust",
    "luck": "With Lottery luck decides more",
    "runaway": "With Interest the leader runs away",
    "kingmaking": "Presents lets players who cannot win decide",
}
BOTS = ("random", "greedy")
MATCHES = {"dead": 40, "luck": 60, "runaway": 60, "kingmaking": 80, "harmless": 60}


@pytest.fixture(scope="module")
def game() -> Game:
    return houserule.load(MARKET / "game.yaml")


@cache
def side(variant: str, matches: int, seed: int) -> Ladder:
    """The ladder with a variant, or without."""
    game = houserule.load(MARKET / "game.yaml", [variant] if variant else [])
    return Ladder([*rungs(game, BOTS, matches, 3, seed, ALONE, None)])


def climbed(variant: str, matches: int, seed: int = 0) -> Ladders:
    """The same as `ladder` with a variant, except that the game without it is played once for all of them."""
    sides = side(variant, matches, seed), side("", matches, seed)
    return Ladders(names_of((sides[0].top.game, sides[1].top.game)), sides)


@pytest.mark.long
def test_planted_faults_are_found_and_named() -> None:
    """A small part of what `make test-planted` repeats twenty times."""
    found = climbed("dead", 40)
    assert [one.kind for one in found.findings] == ["dead"]
    assert FAULTS["dead"] in " ".join(found.verdict)
    words = report_of_ladders(found)
    assert FAULTS["dead"] in words and "What the house rule changes" in words
    assert [rung.stronger for rung in found.sides[1].rungs] == ["greedy"]
    assert found.sides[1].climbed == [True] and found.sides[1].rungs[0].duels.low > 0.8
    assert json.loads(json.dumps(found.to_json()))["findings"][0]["kind"] == "dead"
    assert len(found.to_pandas()) == 2 and "<table>" in found._repr_html_()


@pytest.mark.long
def test_a_harmless_rule_is_said_to_be_so_and_a_runaway_leader_is_not_called_luck() -> None:
    """Silence would leave open whether anything was looked for."""
    found = climbed("harmless", 40)
    assert (
        found.findings == [] and "Other goods does nothing wrong that 40 matches a rung could show" in found.verdict[0]
    )
    runaway = climbed("runaway", 40)
    assert [one.kind for one in runaway.findings] == ["runaway"]
    assert FAULTS["runaway"] in runaway.verdict[0] and "nothing wrong" not in " ".join(runaway.verdict)
    assert "nothing wrong" not in " ".join(climbed("harmless", 6).verdict)


@pytest.mark.planted
@pytest.mark.parametrize("variant", [*FAULTS, "harmless"])
def test_planted_faults_are_found_in_nineteen_of_twenty(variant: str) -> None:
    found = [[one.kind for one in climbed(variant, MATCHES[variant], seed).findings] for seed in range(20)]
    right = sum(variant in kinds if variant in FAULTS else not kinds for kinds in found)
    print(variant, right, found)
    assert right >= 19


def test_where_there_is_no_choice_strength_is_worth_nothing(tmp_path: Path) -> None:
    """Duels of bots that only roll: the share is one half, whatever the number of seats."""
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: rolls\nplayers: 3\nvariables: {pips(player): 0..99}\n"
        'flow:\n  roll:\n    repeat: 2\n    turns: players\n    do: |\n      choose d from 1..3 "Which die?"\n'
        "      roll n from 1..6\n      me.pips += n\nscoring: {pips: me.pips}\n",
        encoding="utf-8",
    )
    found = ladder(tmp_path, bots=("first", "random"), matches=120).sides[0]
    (rung,) = found.rungs
    assert rung.duels.low < 0.5 < rung.duels.high and found.climbed == [False]
    assert rung.duels.high - rung.duels.low < 0.3


def test_a_duel_counts_a_seat_for_a_seat(game: Game) -> None:
    study = simulate(game, 30, seats="first,random,first", rotate=True)
    by_bot = {bot: wins.share for bot, wins in study.summary.bots.items()}
    rung = Rung("random", "first", study, duels(study, "first"))
    assert rung.duels.estimate == pytest.approx(by_bot["first"] / (by_bot["first"] + by_bot["random"]))
    assert in_turn("a", "b", 4, (0, 0, 2, 2)) == ["b", "b", "a", "a"]
    assert in_turn("a", "b", 3, None) == ["b", "a", "b"]


def test_an_interval_in_brief_stays_within_the_whole() -> None:
    assert brief(of_share(22, 22), "share") == "100 % (85-100)"
    assert brief(of_share(900, 1000), "share") == "90.0 % (88.0-91.7)"
    assert brief(Interval(24.0, 23.5, 24.5), "choices") == "24.00 ± 0.50"


def test_a_decision_is_weighed_without_flattery() -> None:
    """Where all answers are worth the same, the best of noisy numbers is none better."""
    random = np.random.default_rng(1)
    gaps, sways = [], []
    for _ in range(400):
        values = random.integers(0, 2, (4, 8, 3)).astype(float).tolist()
        gaps.append(gap_and_stake(values, 0)[0])
        sways.append(sway(values, 0))
    assert abs(np.mean(gaps)) < 0.04 and abs(np.mean(sways)) < 0.05
    sure = [[[0.0, 1.0, 0.0]] * 8, [[0.0, 0.0, 1.0]] * 8]  # the first player decides which of the others wins
    assert gap_and_stake(sure, 1) == (1.0, 0.5) and sway(sure, 0) == 1.0


def test_pairs_that_cannot_be_are_not_told_as_never_offered() -> None:
    study = simulate("nim", 60, offers=True)
    assert any(item.kind == "row and number" for item in study.rows.items)
    assert never_offered(study) == {}


def test_what_is_never_offered_is_said(tmp_path: Path, game: Game) -> None:
    lost = tmp_path / "lost.yaml"
    lost.write_text(
        "variant: lost\nof: market\ntitle: Lost\nadd:\n  zones: {cellar: {holds: good, visible: all, order: none}}\n"
        "  components:\n    good:\n      pieces:\n        pearl: {count: 1, worth: 9, sort: metal}\n"
        "  flow:\n    loss:\n      after: setup\n      do: |\n"
        "        for g in sacks where g.worth == 9: move g to cellar\n"
        "        for g in stall where g.worth == 9: move g to cellar\n",
        encoding="utf-8",
    )
    with_lost = houserule.load(MARKET / "game.yaml", [str(lost)])
    study = simulate(with_lost, 60, offers=True)
    assert list(never_offered(study)) == [("good", "pearl")]
    assert never_offered(simulate(with_lost, 40, offers=True)) == {}  # too few to say it
    found = compare(with_lost, game, matches=200)
    assert "Lost: never offered: pearl." in found.verdict or "lost: never offered: pearl." in [
        one.lower() for one in found.verdict
    ]
    page = report_of_comparison(found)
    assert "What the house rule changes" in page and "pearl" in page and "Distributions" in page
