"""Searches in the sandbox: what they imagine, what they answer, and when Python searches instead."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from houserule import Match
from houserule.bots import mcts, quick
from houserule.bots.mcts import FUTURES, ROUNDS, SearchingBot
from houserule.bots.playing import bot_of
from houserule.bots.quick import QuickSearch, machine_for
from houserule.bots.simple import Seat
from houserule.compiler.program import compile_game
from houserule.native import tree
from houserule.native.memory import PLANTED
from houserule.running.playout import playout
from tests.bots.test_thinking import AT_ONCE, STICKS, game_of
from tests.bundled import load

SMALL = Path(__file__).parent.parent / "games" / "small"


def asked(match: Match, steps: int) -> list[Seat]:
    """The seats of those who have a choice in the first steps of a match at random."""
    chance, found = Random(3), []
    for step in range(steps):
        if match.is_over:
            break
        choice = match.pending[step % len(match.pending)]
        seat = Seat(match, choice)
        if seat.only is None and not seat.question.is_race:
            found.append(seat)
        match.answer(choice.player, choice.drawn(chance))
    return found


def search_of(seat: Seat, seed: int = 1) -> QuickSearch:
    machine = machine_for(seat)
    assert machine is not None
    return QuickSearch(machine, seat, Random(seed), ROUNDS, FUTURES)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("aladdin", 4),
        ("ali_baba", 2),
        ("master_thieves", 3),
        ("rattlebones", 2),
        (str(SMALL / "parlour"), 2),
    ],
)
def test_a_question_has_the_same_answers_as_in_python_and_its_search_takes_them(name: str, players: int) -> None:
    seats = asked(load(name).start(players, seed=4), 50)[::9]
    assert len(seats) > 3
    for seat in seats:
        search, singles = search_of(seat), seat.question.singles()
        assert len({*search.keys}) == len(singles)
        search.run(10, 4)
        _, _, table = search.tree.root(search.origin)
        arms, deviation = search.tree.arms(table)
        assert sum(arm.taken for arm in arms) == 40
        assert deviation > 0
        assert all(0 <= arm.mean <= 1 for arm in arms)
        for arm in arms:
            assert seat.option_of(search.value(arm.keys)) in seat.choice.options
        if not seat.question.is_of_several:
            assert len(arms) == min(len(singles), max(mcts.LISTED, len(arms)))


@pytest.mark.parametrize(("name", "players"), [("aladdin", 4), ("master_thieves", 3), ("hearts", 4)])
def test_a_match_that_is_dealt_by_its_plan_is_the_one_that_is_dealt_piece_by_piece(name: str, players: int) -> None:
    planned = 0
    for seat in asked(load(name).start(players, seed=5), 90)[::6]:
        search, imagination = search_of(seat), seat.imagination
        if search.plan is None or not imagination.places:
            continue
        planned += 1
        for seed in range(4):
            dealt = imagination.dealt(Random(seed))
            assert sorted(dealt.values()) == sorted(imagination.dealt_quickly(Random(seed)).values())
            assert search.plan.dealt(dealt) == search.packed(imagination.beginning(seat.program, dealt=dealt))
    assert planned > 3


def test_it_answers_the_same_for_a_seed_whatever_was_searched_before() -> None:
    seats = asked(load("master_thieves").start(3, seed=6), 40)[::8]
    first = [SearchingBot("100", 2).choose(seat).key for seat in seats]
    again = [SearchingBot("100", 2).choose(seat).key for seat in reversed(seats)]
    assert first == again[::-1]


def test_it_answers_the_same_when_only_hidden_things_differ() -> None:
    match = load("ali_baba").start(2, seed=6)
    chance = Random(3)
    differing = 0
    for step in range(30):
        choice = match.pending[0]
        if step % 6 == 4:
            others = [match.imagine(choice.player, seed) for seed in range(2)]
            differing += str(others[0].state.z) != str(match.state.z)
            found = {bot_of("mcts:100", step).choose(Seat(world, world.pending[0])).key for world in (match, *others)}
            assert len(found) == 1
        match.answer(choice.player, choice.drawn(chance))
    assert differing > 2


@pytest.mark.parametrize("left", [5, 6, 7, 9])
def test_it_finds_the_answer_that_wins(left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "Search", None)
    rules = STICKS.replace("0..10 = 10", f"0..10 = {left}")
    match = game_of(tmp_path, rules).start(2, seed=1)
    assert SearchingBot("400", 1).choose(Seat(match, match.pending[0])).key == str(left % 4)


def test_it_bids_the_most_where_all_bid_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "Search", None)
    match = game_of(tmp_path, AT_ONCE.replace("repeat: 3", "repeat: 1")).start(2, seed=1)
    match.answer(match.players[0], "1")
    for choice in [*match.pending]:
        assert SearchingBot("200", 1).choose(Seat(match, choice)).key == "3"


FAILS = """\
edition: 2026
game: fails
players: 2
variables: {dots(player): 0..9}
flow:
  turn:
    repeat: 4
    turns: players
    do: |
      choose n from 0..2 "How many?"
      if n == 2: me.dots -= 1
      me.dots += n
scoring: {dots: me.dots}
"""


def test_an_answer_that_a_rule_forbids_is_worth_nothing_much(tmp_path: Path) -> None:
    match = game_of(tmp_path, FAILS).start(2, seed=1)
    seat = Seat(match, match.pending[0])
    with pytest.raises(tree.Failed):
        search_of(seat).run(50, 4)
    assert SearchingBot("200", 1).choose(seat).key in ("0", "1", "2")


def test_a_search_ends_when_its_tree_has_no_more_room() -> None:
    seat = asked(load("ali_baba").start(2, seed=6), 3)[0]
    search = search_of(seat)
    search.run(4, 4)
    machine, end = search.machine, search.machine.memory.planted + PLANTED
    machine.exports["planted"].set_value(machine.store, end - 100)
    search.run(40, 4)
    assert search.tree.is_full
    assert search.best() in seat.choice.options
    assert next(machine.outcomes([3])) == playout(seat.program, 3)


def refused(*_: object) -> None:
    raise tree.Failed


def test_python_searches_where_the_sandbox_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = asked(load("ali_baba").start(2, seed=6), 3)[0]
    natively = SearchingBot("100", 2).choose(seat).key
    with monkeypatch.context() as without:
        without.setattr(quick, "is_installed", lambda: False)
        in_python = [SearchingBot("100", 2).choose(seat).key for _ in range(2)]
    with monkeypatch.context() as failing:
        failing.setattr(tree.Tree, "root", refused)
        assert {SearchingBot("100", 2).choose(seat).key} == {*in_python}
    assert natively in {option.key for option in seat.options}
    plain = compile_game(load("ali_baba").checked(2), told=False, without=frozenset({"search"}))
    monkeypatch.setattr(Seat, "program", property(lambda _: plain))
    assert machine_for(seat) is None


ENDLESS = """\
edition: 2026
game: endless
players: 2
variables: {dots(player): 0..99, time: 0..9999999}
flow:
  turn:
    repeat: 4
    turns: players
    do: |
      choose n from 0..2 "How many?"
      if n == 2:
        repeat 400000 times: time += 1
        time = 0
      me.dots += n
scoring: {dots: me.dots}
"""


def test_a_pass_has_a_limit_of_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "IN_ONE", 100_000)
    seat = Seat(match := game_of(tmp_path, ENDLESS).start(2, seed=1), match.pending[0])
    with pytest.raises(tree.Failed):
        search_of(seat).run(50, 4)
