"""What holds for every game is really looked for: where the interpreter is made to do wrong, a walk through a match says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import houserule
from houserule import IllegalAnswer, Match, RuleFault, replay
from houserule.running.playout import finish, play
from houserule.running.state import State
from houserule.telling.knowledge import with_something_beside
from houserule.telling.view import View
from houserule.trial.check import Table, Walk, answers_of, check_quiet_match, retraced
from houserule.trial.unseen import Broken, check_places
from tests.games.every_game import load, some_tables, table, tables, watched_matches

GAME, PLAYERS = tables()[-1]


def walk(seed: int) -> None:
    Walk(table(GAME, PLAYERS), seed, share=0.3).run()


def test_nothing_is_said_where_all_is_well() -> None:
    walk(0)


def test_a_copy_that_shares_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = State.copy

    def shares(self: State) -> State:
        made = copy(self)
        made.v = self.v
        return made

    monkeypatch.setattr(State, "copy", shares)
    with pytest.raises((Broken, RuleFault, IllegalAnswer)):
        walk(0)


def test_an_illegal_answer_that_is_accepted_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Match.answer

    def accepts(self: Match, player: Any, given: Any) -> None:
        answer(self, player, self.pending[0].options[0] if given == 1.5 else given)

    monkeypatch.setattr(Match, "answer", accepts)
    with pytest.raises(Broken, match=r"was allowed to answer 1\.5"):
        walk(0)


def test_a_view_that_shows_what_is_hidden_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    view: Callable[..., View] = Match.view
    monkeypatch.setattr(Match, "view", lambda self, _=None: view(self, None))
    with pytest.raises(Broken, match="may not see"):
        for seed in range(1, 9, 2):
            walk(seed)


def test_a_piece_in_two_places_or_in_none_is_noticed() -> None:
    s = State(table(GAME, PLAYERS).quiet, Random(0))
    check_places(s)
    full = next(pile for pile in s.z if len(pile) > 1)
    lost = full.pop()
    with pytest.raises(Broken, match="lost or made"):
        check_places(s)
    full.append(full[0])
    with pytest.raises(Broken, match="twice"):
        check_places(s)
    full[-1] = lost
    check_places(s)
    s.w[lost] += 1
    with pytest.raises(Broken, match="said to lie"):
        check_places(s)


def test_a_match_that_nobody_wins_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houserule.running.playout.ended", lambda *_: ("undecided", []))
    with pytest.raises(Broken, match="nobody has won"):
        check_quiet_match(table(GAME, PLAYERS).quiet, 0)


@pytest.mark.parametrize(("game", "players"), some_tables(), ids=lambda value: str(value))
def test_a_match_at_full_speed_is_retraced_by_a_record(game: str, players: int) -> None:
    program = load(game).program(players, told=False)
    for seed in watched_matches(game, players):
        s = State(program, Random(seed))
        outcome = finish(program, s, play(program, s, answers_of(seed)))
        record, fault = retraced(load(game), players, seed)
        assert fault is None
        match = replay(record, load(game))
        assert match.is_over
        assert (match.state.v, match.state.z) == (s.v, s.z)
        assert list(match.scores.values()) == outcome.scores


def test_a_rule_that_cannot_be_carried_out_is_retraced_to_the_answer_that_asks_for_it(tmp_path: Any) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: stones
title: {en: Stones}
players: 2
variables:
  heap: 0..3
flow:
  round:
    repeat: 5
    do: |
      as first(players):
        choose "Add or leave?":
          "Add": heap += 1
          "Leave": nothing
scoring:
  none_at_all: {points: 0}
""",
        encoding="utf-8",
    )
    game = houserule.load(tmp_path)
    program = game.program(2, told=False)
    faults = 0
    for seed in range(40):
        record, fault = retraced(game, 2, seed)
        if fault is None:
            check_quiet_match(program, seed)
            continue
        faults += 1
        assert record.answers[-1][1] == "Add" or "Add" in str(record.answers[-1])
        with pytest.raises(RuleFault, match="'heap' would become 4"):
            replay(record, game)
    assert faults


BY_PIECE = """\
edition: 2026
game: by_piece
players: 2
components:
  mushroom:
    attributes: {poison: bool}
    starts_in: forest
    pieces: {bolete: {count: 4}, toadstool: {count: 4, poison: true}}
zones:
  forest: {holds: mushroom, visible: none}
  basket(player): {holds: mushroom, visible: owner, order: none}
  shelf(player): {holds: mushroom, visible: viewer == player or not it.poison}
flow:
  setup:
    do: |
      shuffle forest
      for p in players: draw 3 from forest to p.basket
  store: {repeat: 2, turns: players, do: "choose m from me.basket: move m to me.shelf"}
scoring: {shelf: count(m in me.shelf where not m.poison)}
"""


def test_where_it_lies_with_a_piece_who_sees_it_nothing_is_given_away(tmp_path: Path) -> None:
    """Face down it is seen to be poisonous, as the rules have it: another in its place would lie face up."""
    path = tmp_path / "by_piece.yaml"
    path.write_text(BY_PIECE, encoding="utf-8")
    by_piece = Table(houserule.load(path), 2)
    assert sum(Walk(by_piece, seed, share=0.3).run().is_over for seed in range(40)) == 40


MARKED = """\
edition: 2026
game: marked
players: 2
components:
  card: {attributes: {n: 1..8}, each: {n: 1..8}, starts_in: deck}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner, order: none}
  pile: {holds: card, visible: all}
variables: {marked(card): bool, "worth(player, card)": 0..1}
flow:
  round:
    repeat: 3
    steps:
      deal:
        do: |
          shuffle deck
          for p in players: draw 3 from deck to p.hand
      lay:
        turns: players
        do: |
          choose c from me.hand "Which?":
            move c to pile
            c.marked = true
            worth[me, c] = 1
      gather: {do: "for p in players: move p.hand to deck\\nmove pile to deck"}
scoring: {marked: count(c in card where c.marked)}
"""


def test_what_all_see_of_a_piece_wherever_it_lies_is_no_secret(tmp_path: Path) -> None:
    """A card that was laid openly is known to be marked, though nobody sees where it lies now."""
    path = tmp_path / "marked.yaml"
    path.write_text(MARKED, encoding="utf-8")
    marked = Table(houserule.load(path), 2)
    walks = [Walk(marked, seed, share=0.3) for seed in range(12)]
    assert all(walk.run().is_over for walk in walks)
    assert sum(walk.compared for walk in walks) > 20
    given_away = MARKED.replace("choose c from me.hand", "choose c from (c in me.hand where top(next(me).hand)!.n > 4)")
    path.write_text(given_away, encoding="utf-8")
    leaking = Table(houserule.load(path), 2)
    with pytest.raises(
        Broken,
        match=r"is shown what they may not see: the rules give it away: .*, they may choose .* where other things are hidden",
    ):
        for seed in range(12):
            Walk(leaking, seed, share=0.3).run()


OPENED = """\
edition: 2026
game: opened
players: 2
components: {mushroom: {attributes: {worth: 1..5}, each: {worth: 1..5}, starts_in: forest}}
zones: {forest: {holds: mushroom, visible: none}, basket(player): {holds: mushroom, visible: owner}}
variables:
  opened: bool
  low: {type: 0..99, visible: opened, for_people: true}
flow:
  gather:
    do: |
      shuffle forest
      for p in players: draw 1 from forest to p.basket
      low = sum(m.worth for p in players for m in p.basket)
  look:
    turns: players
    do: |
      choose "Open?":
        "Yes": opened = true
        "No": nothing
"""


def test_what_its_own_visibility_brings_to_light_later_is_seen_though_validate_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "opened.yaml"
    path.write_text(OPENED, encoding="utf-8")
    assert not houserule.validate(path)
    opened = Table(houserule.load(path), 2)
    with pytest.raises(Broken, match=r"the rules give it away: .*low"):
        for seed in range(12):
            Walk(opened, seed, share=0.3).run()


STANDING = """\
edition: 2026
game: standing
players: 2
components:
  follower: {pieces: {small: {}}, starts_in: supply}
  tile: {attributes: {n: 1..9}, each: {n: 1..9}, starts_in: bag}
zones:
  bag: {holds: tile, visible: none}
  board: {holds: tile, visible: all}
  supply: {holds: follower, visible: all}
  standing(tile): {holds: follower, visible: all, capacity: 1}
flow:
  setup: {do: shuffle bag}
  round:
    repeat: 3
    turns: players
    do: |
      draw 1 from bag to board as t
      choose stands from 0..1 "Does the follower stand on it?":
        if stands == 1: move small to standing[t!]
scoring: {tiles: count(board)}
"""


def test_hidden_pieces_on_which_nothing_lies_are_changed(tmp_path: Path) -> None:
    path = tmp_path / "standing.yaml"
    path.write_text(STANDING, encoding="utf-8")
    walks = [Walk(Table(houserule.load(path), 2), seed, share=0.3) for seed in range(6)]
    assert all(walk.run().is_over for walk in walks)
    assert sum(walk.compared for walk in walks) > 10


def test_what_lies_beside_a_piece_is_looked_for_anew(tmp_path: Path) -> None:
    """A piece on which something lies is not exchanged any more."""
    path = tmp_path / "standing.yaml"
    path.write_text(STANDING, encoding="utf-8")
    match, found = houserule.load(path).start(2, 1), []
    while not match.is_over:
        found.append(len(with_something_beside(match.program, match.state)))
        match.answer(match.pending[0].player, 1)
    assert found == [0, 1, 1, 1, 1, 1]


SUPPLY = """\
edition: 2026
game: supply
players: 2
components:
  card: {attributes: {n: 1..8}, each: {n: 1..8}, starts_in: supply}
zones:
  supply: {holds: card, visible: all}
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner, order: none}
  pile: {holds: card, visible: all}
variables: {high: bool}
flow:
  round:
    repeat: 3
    steps:
      shuffle:
        do: |
          move supply to deck
          shuffle deck
          for p in players: draw 3 from deck to p.hand
          HINT
      lay: {turns: players, do: "choose c from me.hand: move c to pile"}
      gather: {do: "for p in players: move p.hand to supply\\nmove pile to supply\\nmove deck to supply"}
scoring: {high: 1 if high else 0}
"""


def test_what_all_have_seen_is_a_secret_again_once_it_is_shuffled_out_of_sight(tmp_path: Path) -> None:
    path = tmp_path / "supply.yaml"
    path.write_text(SUPPLY.replace("HINT", "high = any(c in deck where c.n > 7)"), encoding="utf-8")
    with pytest.raises(Broken, match="may not see"):
        for seed in range(20):
            Walk(Table(houserule.load(path), 2), seed, share=0.3).run()
    path.write_text(SUPPLY.replace("HINT", "high = true"), encoding="utf-8")
    told = Table(houserule.load(path), 2)
    assert sum(Walk(told, seed, share=0.3).run().is_over for seed in range(20)) == 20
