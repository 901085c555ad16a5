"""Games are environments of PettingZoo and Gymnasium: their own tests pass, and bad input changes nothing."""

from __future__ import annotations

import importlib
import random
import sys
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test

import houserule
from houserule.bridges import gym, zoo
from houserule.extras import MissingExtra
from tests.bundled import load

QUICK = ["tic_tac_toe", "kuhn_poker", "goofspiel", "liars_dice", "aladdin"]
ALL = houserule.games()
IGNORED = pytest.mark.filterwarnings("ignore")


@IGNORED
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in QUICK else pytest.mark.bridges) for game in ALL]
)
def test_the_tests_of_pettingzoo_and_gymnasium_pass(game: str) -> None:
    rules, cycles = load(game), 20 if game in QUICK else 200
    api_test(zoo.env(rules), num_cycles=cycles)
    parallel_api_test(zoo.parallel_env(rules), num_cycles=cycles)
    seed_test(lambda: zoo.env(rules), num_cycles=cycles)
    check_env(gym.OneSeat(rules, illegal_reward=-1.0), skip_render_check=True)


@IGNORED
@pytest.mark.parametrize("game", ["goofspiel", "connect_four", "reversi", "hearts", "yahtzee"])
def test_matches_are_cut_off_after_some_cycles(game: str) -> None:
    """PettingZoo's test counts on it that all answer equally often in four cycles, and that no match ends before: so it is in these games."""

    class Module:
        @staticmethod
        def env(max_cycles: int) -> Any:
            return zoo.env(load(game), max_cycles=max_cycles)

        @staticmethod
        def parallel_env(max_cycles: int) -> Any:
            return zoo.parallel_env(load(game), max_cycles=max_cycles)

    max_cycles_test(Module)


def test_the_same_seed_plays_the_same_match_and_ends_as_the_match_does() -> None:
    rewards = []
    for _ in range(2):
        env, chance = zoo.env(load("hearts"), utility="points"), random.Random(3)
        env.reset(seed=5)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                rewards.append((agent, reward))
                env.step(None)
            else:
                env.step(chance.choice(list(np.flatnonzero(observation["action_mask"]))))
    assert rewards[:4] == rewards[4:] and sum(reward for _, reward in rewards[:4]) in (26, 78)


def test_bad_input_is_refused_and_leaves_the_match_as_it_was() -> None:
    env = zoo.env(load("tic_tac_toe"))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.observe("player_0")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    env.step(4)
    before = env.observe("player_1")
    for action in (4, -1, 99, 3.5, None, "square_1_1", True):
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(action)
    with pytest.raises(KeyError):
        env.observe("player_9")
    assert env.agent_selection == "player_1"
    assert all((env.observe("player_1")[key] == before[key]).all() for key in before)
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        env.step(0)
    with pytest.raises(houserule.OtherRules, match="other rules"):
        zoo.env("tic_tac_toe", rules="0" * 16)
    with pytest.raises(ValueError, match="is for 2 players"):
        zoo.env("tic_tac_toe", players=5)
    with pytest.raises(houserule.NotNative, match="goofspiel cannot be played natively here"):
        zoo.env(load("goofspiel"), engine="native")
    with pytest.raises(ValueError, match="engine is one of auto, python, native, not 'quick'"):
        zoo.env(load("goofspiel"), engine="quick")

    at_once = zoo.parallel_env(load("goofspiel"))
    at_once.reset(seed=1)
    for actions in ({}, {"player_0": 0}, {"player_0": 0, "player_1": at_once.waiting}):
        with pytest.raises(gymnasium.error.InvalidAction):
            at_once.step(actions)
    seen = at_once.seen()
    legal = {name: int(np.flatnonzero(seen[name]["action_mask"])[0]) for name in seen}
    assert at_once.step(legal)[1] == {"player_0": 0.0, "player_1": 0.0}

    one = gym.OneSeat(load("tic_tac_toe"))
    with pytest.raises(gymnasium.error.ResetNeeded):
        one.step(0)
    _, info = one.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        one.step(9)
    assert (one.action_masks() == info["action_mask"]).all()
    with pytest.raises(ValueError, match="no seat 7"):
        gym.OneSeat(load("tic_tac_toe"), seat=7)
    with pytest.raises(ValueError, match="opponents are 'random' or a callable, not 'greedy'"):
        gym.OneSeat(load("tic_tac_toe"), opponents="greedy")


def test_an_answer_given_at_the_same_time_is_not_seen() -> None:
    env = zoo.env(load("goofspiel"))
    env.reset(seed=1)
    before = env.observe("player_1")["observation"]
    env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[3]))
    after = env.observe("player_1")["observation"]
    changed = [env.table.numbers.entries[at].name for at in np.flatnonzero(before != after)]
    assert changed == []


def test_one_seat_is_played_against_callables() -> None:
    def lowest(play: Any, seat: int) -> int:
        return play.legal(seat)[0]

    env = gym.OneSeat(load("nim"), seat=1, opponents=lowest, render_mode="ansi")
    env.reset(seed=1)
    done = False
    while not done:
        _, reward, done, _, _ = env.step(env.action_space.sample())
    assert reward in (-1.0, 1.0) and env.render().startswith("over after")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@IGNORED
def test_many_matches_are_played_in_a_step() -> None:
    game, chance = load("tic_tac_toe"), np.random.default_rng(1)
    env = gymnasium.vector.SyncVectorEnv([lambda: gym.OneSeat(game)] * 8)
    observation, info = env.reset(seed=3)
    assert observation.shape == (8, game.observations(2).size) and info["action_mask"].shape == (8, 10)
    ends, rewards = 0, set()
    for _ in range(12):
        legal = [np.flatnonzero(row) for row in info["action_mask"]]
        _, reward, ended, _, info = env.step([chance.choice(row) if len(row) else 0 for row in legal])
        ends += int(ended.sum())
        rewards |= set(reward[ended].tolist())
    assert ends >= 8 and rewards <= {-1.0, 0.0, 1.0}


@IGNORED
def test_bundled_games_are_registered_with_gymnasium() -> None:
    env = gymnasium.make("houserule.bridges.gym:houserule/tic_tac_toe-v0", seat=1)
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and info["action_mask"].sum() == 8
    many = gymnasium.make_vec("houserule/tic_tac_toe-v0", num_envs=3)
    assert many.reset(seed=1)[0].shape[0] == 3 and isinstance(many.unwrapped, gym.OneSeatVector)


def test_a_library_that_is_not_installed_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, missing, extra in (
        ("houserule.bridges.zoo", "pettingzoo", "pettingzoo"),
        ("houserule.bridges.spiel", "pyspiel", "openspiel"),
    ):
        monkeypatch.setitem(sys.modules, missing, None)
        monkeypatch.delitem(sys.modules, module, raising=False)
        with pytest.raises(MissingExtra, match=rf"pip install 'houserule\[{extra}\]'"):
            importlib.import_module(module)
