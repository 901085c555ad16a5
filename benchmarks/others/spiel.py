"""Plays games of OpenSpiel at random for the benchmark: requests as lines of JSON in, times as lines of JSON out.

It runs in the Python that has `open_spiel`, and imports nothing of Houserule. Four ways: `bots` lets the library's own
random bots, in C++, play whole matches; `loop` asks each state for its legal actions from Python, as programs do that
use the library; `python` does the same with a game that is written in Python; `search` searches for the first answer, with so many
simulations.
"""

import json
import sys
from importlib.metadata import version
from random import Random
from time import perf_counter
from typing import Any

import pyspiel
from open_spiel.python import games  # noqa: F401  (registers the games that are written in Python)

NAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "nim": "nim",
    "pig": "pig",
    "hearts": "hearts",
    "goofspiel": "goofspiel",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "liars_dice": "liars_dice",
    "reversi": "othello",
    "checkers": "checkers",
    "go": "go(board_size=9)",
    "backgammon": "backgammon",
}
IN_PYTHON = {"tic_tac_toe": "python_tic_tac_toe", "kuhn_poker": "python_kuhn_poker"}
SEARCHED = ("tic_tac_toe", "connect_four", "checkers")
LOOKED_AT = 200
"""Of so many matches the decisions are counted, after the time is taken."""


def by_bots(game: Any, seed: int, matches: int) -> tuple[float, int]:
    """Whole matches by random bots in C++."""
    bots = [pyspiel.make_uniform_random_bot(player, seed + 1_000_003 * player) for player in range(game.num_players())]
    kept = []
    begun = perf_counter()
    for match in range(matches):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + match)
        if match < LOOKED_AT:
            kept.append(state)
    seconds = perf_counter() - begun
    decisions = sum(sum(step.player >= 0 for step in state.full_history()) for state in kept)
    return seconds, round(decisions * matches / len(kept))


def by_loop(game: Any, seed: int, matches: int) -> tuple[float, int]:
    """Each decision made in Python."""
    generator = Random(seed)
    random, choices = generator.random, generator.choices
    decisions = 0
    begun = perf_counter()
    for _ in range(matches):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choices(actions, chances)[0])
            elif state.is_simultaneous_node():
                chosen = []
                for player in range(game.num_players()):
                    actions = state.legal_actions(player)
                    chosen.append(actions[int(random() * len(actions))])
                decisions += len(chosen)
                state.apply_actions(chosen)
            else:
                actions = state.legal_actions()
                decisions += 1
                state.apply_action(actions[int(random() * len(actions))])
        state.returns()
    return perf_counter() - begun, decisions


def by_search(game: Any, seed: int, simulations: int) -> tuple[float, int]:
    """The library's search in C++, from the beginning of a match."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, seed, False)
    begun = perf_counter()
    bot.step(game.new_initial_state())
    return perf_counter() - begun, 0


def main() -> None:
    """Answer requests until there are no more."""
    ways = {
        game: ["bots", "loop"] + ["python"] * (game in IN_PYTHON) + ["search"] * (game in SEARCHED) for game in NAMES
    }
    print(json.dumps({"version": f"OpenSpiel {version('open_spiel')}", "ways": ways}), flush=True)
    loaded: dict[str, Any] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        names = IN_PYTHON if asked["way"] == "python" else NAMES
        name = names[asked["game"]]
        game = loaded.setdefault(name, pyspiel.load_game(name))
        play = {"bots": by_bots, "search": by_search}.get(asked["way"], by_loop)
        seconds, decisions = play(game, asked["seed"], asked["matches"])
        print(json.dumps({"seconds": seconds, "games": asked["matches"], "decisions": decisions}), flush=True)


if __name__ == "__main__":
    main()
