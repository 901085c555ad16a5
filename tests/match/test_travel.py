"""Games, matches, options and records travel: they are pickled, taken back, and seen as plain data."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

import jsonschema
import pytest

import houserule
from houserule import Match
from tests.bundled import load

SCHEMA = Path(__file__).parents[2] / "schema" / "view.schema.json"


@cache
def checker() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def played(game: str, answers: int, seed: int = 3) -> Match:
    """A match of a bundled game after some random answers."""
    match, random = load(game).start(load(game).players[-1], seed=seed), Random(seed)
    while not match.is_over and len(match.answers) < answers:
        choice = random.choice(match.pending)
        match.answer(choice.player, choice.drawn(random))
    return match


@pytest.mark.parametrize("game", ["aladdin", "goofspiel", "kuhn_poker"])
def test_a_match_goes_through_pickle_and_goes_on_alike(game: str) -> None:
    match = played(game, 7)
    again = pickle.loads(pickle.dumps(match))
    assert again.game.rules_hash == match.game.rules_hash
    random, other = Random(1), Random(1)
    for _ in range(5):
        assert again.view().to_dict() == match.view().to_dict() and again.events == match.events
        for one, chance in ((match, random), (again, other)):
            if not one.is_over:
                choice = chance.choice(one.pending)
                one.answer(choice.player, choice.drawn(chance))
    assert pickle.loads(pickle.dumps(match.record)) == match.record
    if match.pending:
        option = match.pending[0].options[0]
        assert pickle.loads(pickle.dumps(option)) == option


def scores(match: Match) -> dict[str, int]:
    return match.scores


def test_a_match_goes_to_another_process() -> None:
    match = played("hearts", 9)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(scores, match).result() == match.scores


def test_a_match_with_another_future_is_not_pickled_as_if_it_had_a_record() -> None:
    match = played("aladdin", 3)
    for other in (match.copy(seed=1), match.imagine(0, seed=1)):
        with pytest.raises(pickle.PicklingError, match="without a record"):
            pickle.dumps(other)
        with pytest.raises(ValueError, match="without a record"):
            other.undo()
        assert copy.deepcopy(other).view().to_dict() == other.view().to_dict()


def test_a_game_is_not_unpickled_with_other_rules(tmp_path: Path) -> None:
    file = tmp_path / "little.yaml"
    text = """edition: 2026
game: little
players: 2
variables: {score(player): 0..9}
flow: {play: {turns: players, do: me.score += 1}}
scoring: {points: me.score}
"""
    file.write_text(text, encoding="utf-8")
    kept = pickle.dumps(houserule.load(file))
    assert repr(pickle.loads(kept)) == "<Game little, 2 players>"
    file.write_text(text.replace("+= 1", "+= 2"), encoding="utf-8")
    houserule.match.game.unpickled.cache_clear()
    with pytest.raises(houserule.OtherRules, match="have changed"):
        pickle.loads(kept)
    file.unlink()
    with pytest.raises(houserule.OtherRules, match="no longer there"):
        pickle.loads(kept)


def test_answers_are_taken_back() -> None:
    match = played("aladdin", 8)
    before = match.copy()
    choice = match.pending[0]
    match.answer(choice.player, choice.options[-1])
    match.undo()
    assert match.events == before.events and match.answers == before.answers and match.answered == before.answered
    assert [c.prompt for c in match.pending] == [c.prompt for c in before.pending]
    with pytest.raises(ValueError, match="8 answers were given"):
        match.undo(9)
    assert len(match.answers) == 8
    match.undo(8)
    assert match.answers == []
    choice = match.pending[0]
    match.answer(choice.player, choice.options[0])


@pytest.mark.parametrize("game", ["aladdin", "master_thieves", "checkers", "yahtzee", "liars_dice", "hearts"])
def test_a_view_is_plain_data_that_its_schema_describes(game: str) -> None:
    match, random = load(game).start(load(game).players[0], seed=5), Random(2)
    for _ in range(8):
        if match.is_over:
            break
        for viewer in (*match.players, houserule.SPECTATOR, None):
            found = json.loads(json.dumps(match.view(viewer).to_dict()))
            checker().validate(found)
            assert (found["question"] is None) == (viewer not in [c.player for c in match.pending])
        choice = random.choice(match.pending)
        match.answer(choice.player, choice.drawn(random))


def test_a_view_says_what_an_option_is_called_before_it_is_taken() -> None:
    match = load("hearts").start(4, seed=1)
    while match.pending[0].kind == "several":
        choice = match.pending[0]
        match.answer(choice.player, choice.options[0])
    choice = match.pending[0]
    hand = match.view(choice.player).zone(f"hand[{choice.seat}]")
    named = {piece.option for piece in hand.pieces} - {None}
    assert named == {option.key for option in choice.options}
    assert all(piece.option is None for piece in match.view(houserule.SPECTATOR).zone(hand.id).pieces)
    board = load("tic_tac_toe").start(2, seed=1)
    board.answer(0, "square_2_2")
    view = board.view(1)
    assert view.zone("board[square_1_1]").option == "square_1_1" and view.zone("board[square_2_2]").option is None
    assert view.zone("board[square_2_2]").pieces[0].attributes == {"seat": "Player 1"}


def test_what_is_hidden_has_no_id_and_only_its_back() -> None:
    match = load("hearts").start(4, seed=1)
    other = match.view(0).zone("hand[1]")
    assert {(piece.id, piece.option, tuple(piece.attributes), tuple(piece.values)) for piece in other.pieces} == {
        (None, None, (), ())
    }


def test_reprs_say_what_a_thing_is() -> None:
    match = load("aladdin").start(["Maya", "Ben", "Lea"], seed=7)
    choice = match.pending[0]
    assert repr(match).startswith("<Match of aladdin, 3 players, ") and choice.prompt in repr(match)
    assert repr(match.game) == "<Game aladdin, 2 to 5 players>"
    assert repr(match.view("Maya")).startswith("<View of Maya: ")
    assert "over: " in repr(played("tic_tac_toe", 9))
