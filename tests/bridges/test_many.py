"""Many matches at once are those that one environment after another plays: natively, in Python, and where a match goes from one to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np

import houserule
from houserule import Game
from houserule.bridges import gym, zoo
from tests.bundled import load

IGNORED = pytest.mark.filterwarnings("ignore")
QUICK = ["tic_tac_toe", "kuhn_poker", "leduc_poker", "connect_four", "goofspiel"]
NATIVE = {"checkers", "connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "nim", "pig", "reversi", "tic_tac_toe"}
SHELLS = """\
edition: 2026
game: shells
players: 2
components:
  shell:
    attributes: {pearls: 0..2}
    starts_in: sand
    pieces: {bare: {pearls: 0, count: 4}, fair: {pearls: 1, count: 4}, fine: {pearls: 2, count: 4}}
zones:
  sand: {holds: shell, visible: none, order: none}
  line: {holds: shell, visible: none}
  bag(player): {holds: shell, visible: owner, order: none}
variables:
  wind(player): {type: 1..3, start: 1}
  liked(player): {type: shell or none, visible: owner}
flow:
  setup:
    do: |
      shuffle sand
      for p in players: draw 1 from sand to p.bag
      draw 3 from sand to line
  dig:
    repeat: 4
    turns: players
    do: |
      roll me.wind from 1..3
      choose "Where?":
        "In the line":
          choose c from line: move c to me.bag
          move top(sand) to line
        "In the sand" when me.wind == 3:
          choose c from sand: move c to me.bag
      choose c or pass from me.bag: me.liked = c
scoring: {pearls: sum(c.pearls for c in me.bag)}
"""


def step_by_step(game: Game, engine: str, steps: int, matches: int = 5, **more: Any) -> gym.OneSeatVector:
    """Play in one environment of many matches and in many of one each, and compare everything."""
    mode = more.pop("autoreset_mode", "NextStep")
    ours = gym.OneSeatVector(game, matches, engine=engine, autoreset_mode=mode, **more)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: gym.OneSeat(game, **more)] * matches, autoreset_mode=mode)
    assert (
        ours.observation_space == theirs.observation_space
        and ours.single_action_space.n == theirs.single_action_space.n
    )
    chance = np.random.default_rng(3)
    (seen, info), (seen_there, info_there) = ours.reset(seed=7), theirs.reset(seed=7)
    for _ in range(steps):
        assert (seen == seen_there).all() and set(info) == set(info_there)
        assert (info["action_mask"] == info_there["action_mask"]).all()
        actions = (chance.random(info["action_mask"].shape) * info["action_mask"]).argmax(1)
        seen, *results, info = ours.step(actions)
        seen_there, *results_there, info_there = theirs.step(actions)
        assert all((one == other).all() for one, other in zip(results, results_there, strict=True))
        for one, other in zip(info.get("final_obs", ()), info_there.get("final_obs", ()), strict=True):
            assert (one is None and other is None) or (one == other).all()
    return ours


@IGNORED
@pytest.mark.parametrize(
    "name", [pytest.param(game, marks=() if game in QUICK else pytest.mark.bridges) for game in houserule.games()]
)
def test_many_matches_are_those_of_one_environment_after_another(name: str) -> None:
    game, steps = load(name), 30 if name in QUICK else 200
    many = step_by_step(game, "auto", steps)
    assert many.engine == ("native" if name in NATIVE else "python") and (name not in NATIVE or not many.matches.plays)
    last = len(range(game.players[0])) - 1
    step_by_step(game, "auto", steps, seat=last, utility="points", autoreset_mode="SameStep")


@IGNORED
def test_python_plays_the_same_matches_as_the_sandbox() -> None:
    results = []
    for engine in ("python", "native"):
        many = gym.OneSeatVector(load("kuhn_poker"), 40, engine=engine)
        _, info = many.reset(seed=[*range(40)])
        rewards = []
        for _ in range(10):
            *_, info = found = many.step(info["action_mask"].argmax(1))
            rewards.append(found[1].tolist())
        results.append(rewards)
    assert results[0] == results[1] and any(map(any, results[0]))


def test_an_illegal_number_in_one_match_changes_none() -> None:
    many = gym.OneSeatVector(load("tic_tac_toe"), 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.step([0, 0, 0])
    before, info = many.reset(seed=1)
    numbers = [int(row.argmax()) for row in info["action_mask"]]
    for wrong in (numbers[:2], [*numbers[:2], 99], [*numbers[:2], -2], [-1, *numbers[1:]], [0.5, 1, 1], "abc"):
        with pytest.raises(gymnasium.error.InvalidAction):
            many.step(wrong)
    after, *_ = many.step(numbers)
    again, _ = many.reset(seed=1)
    assert (again == before).all() and not (after == before).all()
    many.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        many.step(numbers)


def test_numbers_are_those_of_any_array_of_whole_numbers() -> None:
    env = gym.OneSeatVector("tic_tac_toe", 2)
    seen = [(env.reset(seed=1), env.step(np.zeros(2, kind)))[1][0] for kind in (np.int64, np.int8, np.uint8, np.uint64)]
    assert all((one == seen[0]).all() for one in seen)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(np.array([2**64 - 1, 0], np.uint64))


def test_what_cannot_be_had_is_said() -> None:
    with pytest.raises(houserule.NotNative, match="goofspiel cannot be played natively here"):
        gym.OneSeatVector(load("goofspiel"), 2, engine="native")
    with pytest.raises(ValueError, match="no seat 2"):
        gym.OneSeatVector(load("nim"), 2, seat=2)
    with pytest.raises(ValueError, match="NEXT_STEP or SAME_STEP"):
        gym.OneSeatVector(load("nim"), 2, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="2 matches, and 3 seeds"):
        gym.OneSeatVector(load("nim"), 2).reset(seed=[1, 2, 3])
    with pytest.raises(houserule.OtherRules):
        gym.OneSeatVector(load("nim"), 2, rules="other")


@IGNORED
def test_what_only_python_can_do_is_played_on_there(tmp_path: Path) -> None:
    """Hidden pieces that lie in no order are mixed before they are offered."""
    file = tmp_path / "shells.yaml"
    file.write_text(SHELLS, encoding="utf-8")
    many = step_by_step(houserule.load(file), "native", 60, 12)
    assert 0 < len(many.matches.plays) < 12


@IGNORED
def test_a_rule_that_fails_is_told(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(SHELLS.replace("me.liked = c", "me.wind = 3 // (me.wind - 1)"), encoding="utf-8")
    many = gym.OneSeatVector(houserule.load(file), 12, engine="native")
    with pytest.raises(houserule.RuleFault):
        _, info = many.reset(seed=1)
        for _ in range(30):
            *_, info = many.step(info["action_mask"].argmax(1))


def one_after_another(game: Game, engine: str, matches: int) -> tuple[list[Any], set[str]]:
    """What everybody sees and gets in some matches of one environment of PettingZoo, and where they were played."""
    env, chance, found, where = zoo.env(game, engine=engine, utility="points"), np.random.default_rng(3), [], set()
    for match in range(matches):
        env.reset(seed=match)
        for _ in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            everybody = [env.observe(agent) for agent in env.possible_agents]
            found.append(
                (
                    env.agent_selection,
                    reward,
                    over,
                    cut,
                    [(one["observation"].tolist(), one["action_mask"].tolist()) for one in everybody],
                )
            )
            env.step(
                None
                if over or cut
                else int((chance.random(len(observation["action_mask"])) * observation["action_mask"]).argmax())
            )
            where.add(type(env.table.play).__name__)
    return found, where


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "liars_dice", "shells"])
def test_an_environment_of_pettingzoo_plays_the_same_matches_in_the_sandbox(name: str, tmp_path: Path) -> None:
    """In the last game, matches leave the sandbox in the middle."""
    (tmp_path / "shells.yaml").write_text(SHELLS, encoding="utf-8")
    game = houserule.load(tmp_path / "shells.yaml") if name == "shells" else load(name)
    (python, in_python), (native, natively) = (one_after_another(game, engine, 12) for engine in ("python", "native"))
    assert python == native and in_python == {"Play"}
    assert natively == ({"Play", "Sandboxed"} if name == "shells" else {"Sandboxed"})


def test_python_plays_where_functions_of_the_sandbox_cannot_be_called_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    from wasmtime import _bindings

    monkeypatch.delattr(_bindings, "wasm_trap_t")
    assert zoo.env(load("tic_tac_toe")).table.sandbox is None
