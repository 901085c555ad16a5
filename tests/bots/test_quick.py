"""Searches in the sandbox: what they imagine, what they answer, and when Python searches instead."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from houserule import Match
from houserule.bots import mcts, quick
from houserule.bots.mcts import FUTURES, ROUNDS, GreedyBot, SearchingBot
from houserule.bots.playing import bot_of
from houserule.bots.quick import QuickSearch, machine_for
from houserule.bots.simple import InnerSeat, Seat, asking
from houserule.compiler.program import compile_game
from houserule.core import Option
from houserule.native.host import Sandbox
from houserule.native.memory import PLANTED
from houserule.native.tree import Tree
from houserule.native.values import Failed
from houserule.running.playout import playout
from houserule.running.renaming import Renaming
from tests.bots.test_thinking import AT_ONCE, STICKS, game_of
from tests.bundled import load
from tests.taking_long import but_later

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


def search_of(seat: Seat, work: int = quick.IN_ONE) -> QuickSearch:
    machine = machine_for(seat)
    assert machine is not None
    return QuickSearch(machine, seat, Random(1), ROUNDS, FUTURES, work)


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
        assert len({*search.tree.keys}) == len(singles)
        search.run(10, 4)
        arms, deviation = search.tree.arms()
        assert sum(arm.taken for arm in arms) == 40
        assert deviation > 0
        assert all(0 <= arm.mean <= 1 for arm in arms)
        for arm in arms:
            assert seat.option_of(search.value(arm.keys)) in seat.choice.options
        if not seat.question.is_of_several:
            assert len(arms) == min(len(singles), max(mcts.LISTED, len(arms)))


@pytest.mark.parametrize(("name", "players"), [("aladdin", 4), ("ali_baba", 3), ("master_thieves", 3), ("hearts", 4)])
def test_a_match_that_is_dealt_in_the_sandbox_is_one_that_the_player_can_imagine(name: str, players: int) -> None:
    planned, deals = 0, set()
    for seat in asked(load(name).start(players, seed=5), 90)[::6]:
        search, imagination = search_of(seat), seat.imagination
        if search.plan is None or not imagination.places:
            continue
        planned += 1
        for _ in range(4):
            search.run(1, 1)
            dealt = dealt_in(search)
            deals.add(str(dealt))
            assert all(piece in pieces for pieces, places in imagination.classes for piece in pieces)
            for pieces, places in imagination.classes:
                assert {place for place, piece in dealt.items() if piece in pieces} <= {*places}
            made = imagination.beginning(seat.program, dealt=dealt)
            renaming = Renaming(seat.program, dealt)
            assert not imagination.is_delicate or imagination.looks_the_same(made, renaming)
            assert search.packed(made) == stored_in(search)
    assert planned > 3
    assert len(deals) > 2 * planned


def stored_in(search: QuickSearch) -> bytes:
    """The match that was dealt last."""
    at = search.machine.memory.worlds
    return search.machine.read(at, at + len(search.origin))


def dealt_in(search: QuickSearch) -> dict[int, int]:
    """The piece at each place that was dealt."""
    words = array("q", stored_in(search))
    imagination = search.seat.imagination
    memory = search.machine.memory
    zones = memory.word_of(memory.zones[0])
    origin = array("q", search.origin)
    return {
        origin[at]: words[at]
        for zone, at in lying(origin, zones, len(search.machine.memory.zones))
        if origin[at] in imagination.places
    }


def lying(words: array[int], start: int, zones: int) -> Iterator[tuple[int, int]]:
    """Each zone of a stored match with where in its words a piece is."""
    at = start
    for zone in range(zones):
        size = words[at] & 0xFFFFFFFF
        for place in range(at + 1, at + 1 + size):
            yield zone, place
        at += 1 + size


def test_every_way_to_deal_is_as_likely() -> None:
    match = load("kuhn_poker").start(2, seed=1)
    search = search_of(Seat(match, match.pending[0]))
    found = Counter()
    for _ in range(600):
        search.run(1, 1)
        found[tuple(dealt_in(search).items())] += 1
    assert len(found) == 2
    assert min(found.values()) > 240


@pytest.mark.parametrize("name", ["aladdin", "ali_baba", str(SMALL / "parlour")])
def test_all_answers_are_tried_in_the_same_matches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "tried", None)
    seats = asked(load(name).start(2, seed=4), 60)[::7]
    assert len(seats) > 3
    for seat in seats:
        search = search_of(seat)
        search.try_each()
        arms, _ = search.tree.arms()
        assert len(arms) > 1
        assert {arm.taken for arm in arms} == {quick.WORLDS}
        if not seat.question.is_of_several:
            assert len(arms) == min(len({*search.tree.keys}), quick.MOST_TRIED)
        assert GreedyBot(seed=3).choose(seat).key == GreedyBot(seed=3).choose(seat).key


def test_what_cannot_be_read_in_the_sandbox_is_searched_for_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = asked(load("ali_baba").start(2, seed=6), 3)[0]
    monkeypatch.setattr(Tree, "arms", lambda self: self.machine.read(0, 1 << 40))
    machine = machine_for(seat)
    assert machine is not None
    assert quick.quickly_tried(machine, seat, 1) is None
    assert SearchingBot("100", 2).choose(seat) in seat.options


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


GAMES = ["aladdin", "ali_baba", "master_thieves", "rattlebones", "hearts", "leduc_poker", str(SMALL / "parlour")]


@pytest.mark.parametrize("word", ["greedy", "mcts:100"])
@pytest.mark.parametrize("name", but_later(GAMES, {"aladdin", "master_thieves", "rattlebones"}))
def test_a_search_at_the_match_itself_answers_as_at_an_imagined_one(name: str, word: str) -> None:
    chance, game = Random(3), load(name)
    for seed in range(3):
        match = game.start(max(game.players) if name in ("hearts", "aladdin") else min(game.players), seed)
        for step in range(60):
            if match.is_over:
                break
            choice = match.pending[-1]
            if step % 4 == 0:
                inside, outside = [asking(bot_of(word, step), match, choice, at_once) for at_once in (True, False)]
                assert inside().key == outside().key
            match.answer(choice.player, choice.drawn(chance))


def inner_seat(name: str = "ali_baba") -> InnerSeat:
    match = load(name).start(2, seed=6)
    return InnerSeat(match, match.pending[0])


def test_a_search_begins_at_the_match_itself_unless_that_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert search_of(seat := inner_seat()).seat is seat
    plain = compile_game(load("ali_baba").checked(2), told=False, without=frozenset({"inside"}))
    monkeypatch.setattr(Seat, "program", property(lambda _: plain))
    assert search_of(seat).seat is seat.outer


@pytest.mark.parametrize("word", ["greedy", "mcts:100"])
def test_the_match_itself_never_stands_for_an_imagined_one(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = inner_seat()
    answer = bot_of(word, 1).choose(seat).key
    assert "outer" not in vars(seat)
    number = Sandbox.number
    monkeypatch.setattr(Sandbox, "number", lambda self, name: name == "undealt" or number(self, name))
    assert bot_of(word, 1).choose(seat).key == answer
    assert "outer" in vars(seat)


def test_a_bot_of_somebody_else_never_sits_at_the_match_itself() -> None:
    class Theirs(GreedyBot):
        def choose(self, seat: Seat) -> Option:
            seats.append(seat)
            return super().choose(seat)

    match, seats = load("ali_baba").start(2, seed=6), []
    asking(Theirs(), match, match.pending[0], at_once=True)()
    assert [type(seat) for seat in seats] == [Seat]
    assert seats[0]._match is not match


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
    with pytest.raises(Failed):
        search_of(seat).run(50, 4)
    assert SearchingBot("200", 1).choose(seat).key in ("0", "1", "2")


def test_a_search_ends_when_its_tree_has_no_more_room() -> None:
    seat = asked(load("ali_baba").start(2, seed=6), 3)[0]
    search = search_of(seat)
    search.run(4, 4)
    machine, end = search.machine, search.machine.memory.planted + PLANTED
    machine.sandbox.exports["planted"].set_value(machine.sandbox.store, end - 100)
    search.run(40, 4)
    assert search.tree.is_full
    assert search.best() in seat.choice.options
    assert next(machine.outcomes([3])) == playout(seat.program, 3)


def refused(*_: object) -> None:
    raise Failed


def test_python_searches_where_the_sandbox_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = asked(load("ali_baba").start(2, seed=6), 3)[0]
    natively = SearchingBot("100", 2).choose(seat).key
    with monkeypatch.context() as without:
        without.setattr(quick, "is_installed", lambda: False)
        in_python = [SearchingBot("100", 2).choose(seat).key for _ in range(2)]
    with monkeypatch.context() as failing:
        failing.setattr(Tree, "arms", refused)
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


def test_a_pass_has_a_limit_of_work(tmp_path: Path) -> None:
    seat = Seat(match := game_of(tmp_path, ENDLESS).start(2, seed=1), match.pending[0])
    with pytest.raises(Failed):
        search_of(seat, work=100_000).run(50, 4)
