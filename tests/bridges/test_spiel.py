"""Games are games of OpenSpiel: its tests pass, its own games agree with ours, and its algorithms find what is known."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import houserule
from benchmarks.agreement import average_of
from houserule.bridges import spiel
from houserule.native.machine import Machine
from tests.bundled import load
from tests.test_spaces import SECRETLY

QUICK = ["tic_tac_toe", "kuhn_poker", "goofspiel", "liars_dice"]
DEALT = {"kuhn_poker", "leduc_poker"}
AGREE = 3.6
"""So many standard errors: 99 % for all of about thirty comparisons together."""


def ours(game: str, **more: Any) -> Any:
    wants = (
        {"utility": "points", "zero_sum": True} if game in DEALT else {"utility": "points"} if game == "hearts" else {}
    )
    return spiel.game(load(game), **wants, **more)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in QUICK else pytest.mark.bridges) for game in houserule.games()]
)
def test_the_tests_of_openspiel_pass(game: str) -> None:
    made = ours(game)
    pyspiel.random_sim_test(made, 1, game in ("kuhn_poker", "tic_tac_toe"), False)
    if game in QUICK:
        from open_spiel.python.algorithms import generate_playthrough  # takes half a second

        text = generate_playthrough.playthrough(made.get_type().short_name, action_sequence=None, seed=1)
        assert "IsTerminal() = True" in text and "Returns() = " in text
        again = generate_playthrough.playthrough(made.get_type().short_name, action_sequence=None, seed=1)
        assert again == text


def play(game: Any, random: Random, pass_left: bool) -> tuple[list[float], int]:
    """A match at random: what it was worth, and how many answers were given."""
    state, answers = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            listed, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(1 if pass_left and not state.history() else random.choices(listed, chances)[0])
        elif state.is_simultaneous_node():
            answers += game.num_players()
            state.apply_actions([random.choice(state.legal_actions(one)) for one in range(game.num_players())])
        else:
            answers += 1
            state.apply_action(random.choice(state.legal_actions()))
    return list(state.returns()), answers


@pytest.mark.parametrize(
    ("game", "matches"),
    [
        ("tic_tac_toe", 300), ("connect_four", 60), ("kuhn_poker", 300), ("leduc_poker", 300), ("liars_dice", 300),
        ("goofspiel", 60), ("pig", 12), ("hearts", 12),
        *(pytest.param(*row, marks=pytest.mark.bridges) for row in (("pig", 300), ("hearts", 300), ("goofspiel", 1000), ("connect_four", 1000))),
    ],
)  # fmt: skip
def test_random_play_agrees_with_openspiels_own_game(game: str, matches: int) -> None:
    """Their hearts counts from 26 down. Ours does not ask for the last card of a bid, or to doubt the highest bid."""
    random, other = Random(4), pyspiel.load_game(game)
    made = ours(game)
    ours_ = [play(made, random, False) for _ in range(matches)]
    theirs = [play(other, random, game == "hearts") for _ in range(4 * matches)]
    if game == "hearts":
        theirs = [([26 - worth for worth in worths], answers) for worths, answers in theirs]
    measured = [lambda one: one[0][0], lambda one: one[0][-1], lambda one: one[0][0] ** 2]
    if game not in ("liars_dice", "goofspiel"):
        measured.append(lambda one: one[1])
    for measure in measured:
        (one, error), (another, other_error) = (average_of([measure(m) for m in side]) for side in (ours_, theirs))
        assert abs(one - another) <= AGREE * (error + other_error) ** 0.5 + 1e-9, (one, another)


def tree_of(game: Any) -> Any:
    return game.new_initial_state().tree


def walked(game: str, matches: int, keeps: bool, prepare: Callable[[Any], None]) -> tuple[list[Any], Any]:
    """What is shown in some matches at random, in which other ways are looked at and left; and the tree of the game. Each begins when the tree is prepared."""
    spiel.tree_of.cache_clear()
    random, shown, made = Random(8), list[Any](), ours(game, keeps=keeps)

    def look(state: Any, seats: list[int]) -> None:
        shown.append((state.current_player(), state.history(), state.returns()))
        shown.extend((state.legal_actions(seat), state.observation_tensor(seat)) for seat in seats)

    for _ in range(matches):
        prepare(tree_of(made))
        state, earlier = made.new_initial_state(), None
        while not state.is_terminal():
            seats = [] if state.is_chance_node() else [*range(made.num_players())]
            look(state, seats)
            if state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in seats])
                continue
            if random.random() < 0.2:
                other = (earlier or state).clone()
                other.apply_action(random.choice(other.legal_actions()))
                look(other, seats)
                earlier = state.clone()
            state.apply_action(random.choice(state.legal_actions()))
        look(state, [*range(made.num_players())])
        shown.append([state.information_state_string(seat) for seat in range(made.num_players())])
    return shown, tree_of(made)


def as_it_is(_: Any) -> None:
    pass


def keep_nothing(tree: Any) -> None:
    tree.room, tree.root = 0, None
    tree.questions.clear()


def go_to_the_sandbox(tree: Any) -> None:
    if tree.walk is None:
        tree.patience = 1


@pytest.mark.parametrize("game", [*QUICK, "nim", "pig", "leduc_poker"])
def test_what_is_kept_changes_nothing(game: str) -> None:
    """The states and questions that matches come back to are the same as if they were made each time."""
    anew, _ = walked(game, 12, False, keep_nothing)
    assert walked(game, 12, False, as_it_is)[0] == anew
    assert walked(game, 12, True, as_it_is)[0] == anew


@pytest.mark.parametrize(
    "game", ["tic_tac_toe", "connect_four", "nim", "reversi", pytest.param("checkers", marks=pytest.mark.bridges)]
)
def test_a_game_without_chance_is_the_same_in_a_sandbox(game: str) -> None:
    in_python, _ = walked(game, 3, False, as_it_is)
    in_sandbox, tree = walked(game, 3, False, go_to_the_sandbox)
    assert in_sandbox == in_python and tree.walk is not None
    state = ours(game).new_initial_state()
    for action in state.legal_actions()[:1]:
        state.apply_action(action)
    again = pickle.loads(pickle.dumps(state.stop))
    assert isinstance(state.stop, spiel.Walked) and again.legal(again.player) == state.legal_actions()


def test_threads_have_matches_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spiel, "PATIENCE", 1)
    spiel.tree_of.cache_clear()
    made = ours("connect_four")
    tree_of(made).room = 0
    one_by_one = [play(made, Random(seed), False) for seed in range(60)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert [*pool.map(lambda seed: play(made, Random(seed), False), range(60))] == one_by_one
    finally:
        sys.setswitchinterval(before)
    assert tree_of(made).walk is not None


def test_a_match_that_traps_goes_on_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    in_python, _ = walked("nim", 5, False, as_it_is)
    ran, left = Machine.ran, iter(range(20))
    monkeypatch.setattr(Machine, "ran", lambda *words: next(left, None) is not None and ran(*words))
    in_sandbox, _ = walked("nim", 5, False, go_to_the_sandbox)
    assert in_sandbox == in_python and next(left, None) is None


@pytest.mark.parametrize("game", ["kuhn_poker", "pig", "liars_dice"])
def test_a_game_with_chance_leaves_the_sandbox(game: str) -> None:
    in_python, _ = walked(game, 5, False, as_it_is)
    in_sandbox, tree = walked(game, 5, False, go_to_the_sandbox)
    assert in_sandbox == in_python and tree.walk is None


def test_cfr_finds_the_value_of_the_smallest_poker() -> None:
    game = ours("kuhn_poker", keeps=True)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=0.003)
    assert exploitability.exploitability(game, policy) < 0.01


@pytest.mark.bridges
def test_cfr_finds_a_strategy_for_the_next_poker() -> None:
    game = ours("leduc_poker", keeps=True)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.1


def test_information_states_hold_what_a_player_knows_and_no_more() -> None:
    """With other cards in the other's hand, the information state is the same; with other cards of one's own, it is not."""
    game = ours("kuhn_poker")
    own: dict[str, set[str]] = {}
    for first in range(3):
        for second in range(2):
            state = game.new_initial_state()
            for outcome in (first, second):
                state.apply_action(outcome)
            card = state.moment.vector(0)
            own.setdefault(state.information_state_string(0), set()).add(str(card))
            state.apply_action(1)
            assert "took 1" in state.child(3).information_state_string(0)
    assert len(own) == 3 and all(len(seen) == 1 for seen in own.values())


def test_bad_input_is_refused_and_leaves_the_state_as_it_was() -> None:
    state = ours("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    before = str(state), state.legal_actions()
    for action in (4, 99, -5):
        with pytest.raises(ValueError, match="not among the legal numbers"):
            state.apply_action(action)
        assert (str(state), state.legal_actions()) == before
        assert str(state.child(0)) != before[0]
    with pytest.raises(houserule.OtherRules):
        spiel.game("tic_tac_toe", rules="no such hash")
    with pytest.raises(ValueError, match="utility is one of"):
        spiel.game("tic_tac_toe", utility="money")


def test_a_moment_is_pickled_by_the_way_that_leads_to_it() -> None:
    state, random = ours("kuhn_poker").new_initial_state(), Random(1)
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    again = pickle.loads(pickle.dumps(state.moment))
    assert again.returns() == state.moment.returns() and again.told(0) == state.moment.told(0)


def test_an_information_state_does_not_tell_how_often_others_were_asked_in_secret(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SECRETLY, encoding="utf-8")
    game = spiel.game(path)
    told = []
    for plan in (0, 1):
        state = game.new_initial_state()
        mine, theirs = state.legal_actions(0), state.legal_actions(1)
        state.apply_actions([mine[plan], theirs[0]])
        while state.is_simultaneous_node() or state.current_player() == 0:
            state.apply_action(state.legal_actions()[0])
        told.append(state.information_state_string(1))
    assert told[0] == told[1] != ""
