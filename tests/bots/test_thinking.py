"""Bots that think answer in every game, know nothing that is hidden, and find the answer that is plainly best."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

import houserule
from houserule import Game, Match
from houserule.bots import mcts
from houserule.bots.mcts import MOST_WORK
from houserule.bots.playing import UnknownSeat, answer, bot_of, bots_at, in_order, play, seated
from houserule.bots.simple import Seat, asking
from houserule.bots.worlds import Thinking, World
from houserule.operations.fuel import allow_work
from houserule.running.playout import rewards
from tests.bundled import LARGE, load
from tests.taking_long import but_later

SMALL = Path(__file__).parent.parent / "games" / "small"
GAMES = [*LARGE, *(str(folder) for folder in sorted(SMALL.iterdir()))]


def game_of(folder: Path, rules: str) -> Game:
    file = folder / "game.yaml"
    file.write_text(rules, encoding="utf-8")
    return houserule.load(file)


@pytest.mark.parametrize("word", ["greedy", "mcts:12"])
@pytest.mark.parametrize("name", but_later(GAMES, {*LARGE, str(SMALL / "quilt")}))
def test_thinking_bots_answer_in_every_game(name: str, word: str) -> None:
    game = load(name)
    chance = Random(1)
    asked = 0
    for seed in range(2, 12):  # some matches take few answers
        match = game.start(game.players[-1], seed=seed)
        bots = bots_at(match, [word] * len(match.players), 1)
        for step in range(90):
            if match.is_over:
                break
            choice = in_order(match, chance)[0]
            if step % 9 == 0 or choice.kind == "slap":
                asked += 1
                answer(match, choice, bots[choice.player])
            else:
                match.answer(choice.player, choice.drawn(chance))
        if asked > 5:
            return
    assert asked > 5, "it is never asked"


@pytest.mark.parametrize("word", ["random", "first", "greedy", "mcts:20"])
@pytest.mark.parametrize("name", ["ali_baba", str(SMALL / "parlour")])
def test_a_bot_answers_the_same_when_only_hidden_things_differ(name: str, word: str) -> None:
    match = load(name).start(2, seed=6)
    chance = Random(3)
    differing = 0
    for step in range(45):
        choice = match.pending[0]
        if step % 5 == 4 and not match.is_over:
            others = [match.imagine(choice.player, seed) for seed in range(2)]
            differing += str(others[0].state.z) != str(match.state.z)
            found = {bot_of(word, step).choose(Seat(world, world.pending[0])).key for world in (match, *others)}
            assert found == {asking(bot_of(word, step), match, choice)().key}
            at_once = [asking(bot_of(word, step), one, one.pending[0], at_once=True) for one in (match, *others)]
            assert found == {ask().key for ask in at_once}
        match.answer(choice.player, choice.drawn(chance))
    assert differing > 3


def test_what_stands_behind_a_seat_is_not_the_match() -> None:
    match = load("ali_baba").start(2, seed=6)
    seat = Seat(match, match.pending[0])
    assert seat.choice not in match.pending
    assert seat._match.seed != match.seed
    assert seat._match.state.z != match.state.z
    assert seat.view.to_json() == match.view(seat.player).to_json()
    assert [option.key for option in seat.options] == [option.key for option in match.pending[0].options]


# --- what is plainly best -------------------------------------------------------------------------------------------

STICKS = """\
edition: 2026
game: sticks
players: 2
variables:
  sticks: 0..10 = 10
  taker: player or none
flow:
  turn:
    repeat: forever
    turns: players
    do: |
      choose n from k in 1..3 where k <= sticks "How many?"
      if n: sticks -= n
      if sticks == 0:
        taker = me
        end game
scoring: {last: 1 if taker == me else 0}
winner: {when: taker == me}
"""

AT_ONCE = """\
edition: 2026
game: at_once
players: 2
variables:
  bid(player): {type: 0..3, visible: owner}
flow:
  bid:
    repeat: 3
    together: players
    do: |
      choose n from 0..3 "How much?"
      me.bid = n
scoring: {bid: me.bid}
"""

FORESIGHT = """\
edition: 2026
game: foresight
players: 2
variables:
  number(player): {type: 1..3, start: 1, visible: owner}
  won(player): 0..99
functions:
  gain(player a, player b): "2 if a.number == b.number + 1 else 1 if a.number < b.number - 1 else 0"
flow:
  round:
    repeat: 8
    steps:
      think:
        together: players
        do: |
          choose n from 1..3 "Which number?"
          me.number = n
      show:
        for: p in players
        do: |
          for q in players where q != p: p.won += gain(p, q)
scoring: {won: me.won}
"""
"""Against chance three is best, and against three, one is."""

MANY = """\
edition: 2026
game: many
players: 2
components:
  card: {each: {rank: 1..24}, attributes: {rank: 1..24}, starts_in: row}
zones:
  row: {holds: card, visible: all}
  hand(player): {holds: card, visible: all}
flow:
  take:
    turns: players
    do: |
      choose 2 taken from row "Which two?"
      move taken to me.hand
scoring: {ranks: sum(c.rank for c in me.hand)}
"""


def test_a_search_finds_the_way_to_win(tmp_path: Path) -> None:
    """Whoever leaves a multiple of four sticks takes the last one."""
    game = game_of(tmp_path, STICKS)
    match = game.start(2, seed=1)
    play(match, bots_at(match, ["mcts:400", "random"], 1), 1)
    assert match.answers[0][1] == "2"
    assert match.winners == [match.players[0]]


@pytest.mark.parametrize("word", ["greedy", "mcts:5"])
def test_copies_in_different_places_are_one_answer_to_a_bot(tmp_path: Path, word: str) -> None:
    match = game_of(
        tmp_path,
        MANY.replace("each: {rank: 1..24}", "pieces: {ace: {rank: 1, count: 3}}").replace("choose 2", "choose"),
    ).start(2, seed=1)
    assert len(match.pending[0].options) == 3
    play(match, bots_at(match, [word, word], 1), 1)
    assert set(match.scores.values()) == {1}


@pytest.mark.parametrize("word", ["greedy", "mcts:100"])
def test_who_answers_at_the_same_time_does_what_is_best_whatever_others_do(tmp_path: Path, word: str) -> None:
    match = game_of(tmp_path, AT_ONCE).start(2, seed=1)
    play(match, bots_at(match, [word, word], 1), 1)
    assert set(match.scores.values()) == {3}


def test_a_search_foresees_what_a_greedy_player_answers_at_the_same_time(tmp_path: Path) -> None:
    rules = game_of(tmp_path, FORESIGHT)
    found = Counter[str]()
    for seed in range(2):
        match = rules.start(2, seed)
        play(match, bots_at(match, ["mcts:60", "greedy"], seed), seed)
        found.update(option for player, option in match.answers if player == match.players[0])
    assert found["1"] > sum(found.values()) / 3


@pytest.mark.parametrize("word", ["greedy", "mcts:300"])
def test_of_many_selections_a_good_one_is_found(tmp_path: Path, word: str) -> None:
    match = game_of(tmp_path, MANY).start(2, seed=1)
    answer(match, match.pending[0], bot_of(word, 1))
    assert sum(match.scores.values()) > 30  # of 47; 25 on average


@pytest.mark.parametrize("word", ["mcts", "mcts:0", "mcts:many", "mcts:-3", "mcts:0s", "greedy:3"])
def test_a_bot_with_a_bad_number_is_refused_in_a_sentence(word: str) -> None:
    with pytest.raises(UnknownSeat, match=f"^'{word}' cannot take a seat: ") as wrong:
        seated(word, 2)
    assert "\n" not in str(wrong.value)


def test_seconds_are_kept(tmp_path: Path) -> None:
    match = game_of(tmp_path, STICKS).start(2, seed=1)
    started = perf_counter()
    answer(match, match.pending[0], bot_of("mcts:0.2s", 1))
    assert 0.2 < perf_counter() - started < 20
    assert len(match.answers) == 1


# --- what an end is worth -------------------------------------------------------------------------------------------


def finished(folder: Path, winner: str, scores: list[int]) -> Match:
    rules = f"""\
edition: 2026
game: ended
players: 2..4
variables:
  score(player): 0..9
flow:
  turn:
    turns: players
    do: |
      choose n from 0..9 "How many?"
      me.score = n
scoring: {{score: me.score}}
winner: {winner}
"""
    match = game_of(folder, rules).start(len(scores), seed=1)
    for score in scores:
        match.answer(match.pending[0].player, str(score))
    return match


@pytest.mark.parametrize(
    ("winner", "scores", "ranked"),
    [
        ("{most: points}", [7, 5, 1], [1, 0.5, 0]),
        ("{least: points}", [7, 5, 1], [0, 0.5, 1]),
        ("{most: points, tie: shared}", [5, 5, 1], [0.75, 0.75, 0]),
        ("{when: me.score > 6}", [7, 5], [1, 0]),
        ("{when: me.score > 6}", [7, 8], [0.5, 0.5]),
        ("{when: me.score > 6}", [1, 8, 8, 8], [0, 2 / 3, 2 / 3, 2 / 3]),
        ("{all: me.score > 6}", [7, 8], [1, 1]),
        ("{all: me.score > 6}", [7, 1], [0, 0]),
    ],
)
def test_what_an_end_is_worth_is_the_final_ranking(
    tmp_path: Path, winner: str, scores: list[int], ranked: list[float]
) -> None:
    match = finished(tmp_path, winner, scores)
    found = rewards(match.program, match.state)
    assert found == pytest.approx(ranked, abs=0.1)
    if "points" in winner and len(set(scores)) == len(scores):
        assert sorted(found) != sorted(ranked), "the margin of points counts a little"


SLOW = """\
edition: 2026
game: slow
players: 2
variables: {score(player): 0..9}
flow:
  round:
    repeat: 40
    turns: players
    do: |
      choose x from 1..3 "How many?"
      repeat 9999 times: me.score = (x + x + 3 * me.score + x // 2) % 7 + x % 2 + 1
scoring: {points: me.score}
"""


class WatchedSeat(Seat):
    """A seat that remembers the thinking of its bot, and how many matches it imagined."""

    thinking: Thinking | None = None
    budget = 0
    worlds = 0

    def world(self, seed: int, thinking: Thinking | None = None) -> World:
        """What the bot imagines."""
        if self.thinking is None and thinking is not None:
            self.budget = thinking.left
        self.thinking = thinking
        self.worlds += 1
        return super().world(seed, thinking)


def test_a_greedy_bot_thinks_no_longer_about_many_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "machine_for", lambda _: None)
    allow_work(0.01)
    try:
        match = game_of(tmp_path, SLOW.replace("1..3", "1..30").replace("0..9}", "0..30}")).start(2, seed=1)
        seat = WatchedSeat(match, match.pending[0])
        found = bot_of("greedy", 1).choose(seat)
    finally:
        allow_work(1)
    assert found.key in {option.key for option in match.pending[0].options}
    assert seat.budget == MOST_WORK // 100


@pytest.mark.parametrize(("word", "wanted"), [("mcts:400", 100), ("greedy", 6)])
def test_all_that_a_bot_imagines_in_python_before_an_answer_shares_one_budget_of_work(
    tmp_path: Path, word: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcts, "machine_for", lambda _: None)
    allow_work(0.01)
    try:
        match = game_of(tmp_path, SLOW).start(2, seed=1)
        seat = WatchedSeat(match, match.pending[0])
        found = bot_of(word, 1).choose(seat)
    finally:
        allow_work(1)
    assert found.key in {option.key for option in match.pending[0].options}
    assert seat.worlds < wanted
    assert seat.thinking is not None and -2_000_000 < seat.thinking.left <= 0
