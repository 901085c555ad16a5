"""Plays classic games of PettingZoo at random for the benchmark: requests as lines of JSON in, times as lines of JSON out.

It runs in the Python that has `pettingzoo`, and imports nothing of Houserule.
"""

import json
import sys
from importlib import import_module
from importlib.metadata import version
from random import Random
from time import perf_counter
from typing import Any

NAMES = {"tic_tac_toe": "tictactoe", "connect_four": "connect_four", "leduc_poker": "leduc_holdem"}


def found() -> dict[str, Any]:
    """The environments that can be imported, whatever number their version has."""
    import pkgutil

    import pettingzoo.classic

    modules = [module.name for module in pkgutil.iter_modules(pettingzoo.classic.__path__)]
    environments = {}
    for game, name in NAMES.items():
        versions = [module for module in modules if module.startswith(f"{name}_v")]
        try:
            environments[game] = import_module(f"pettingzoo.classic.{versions[-1]}").env()
        except (ImportError, IndexError):
            continue
    return environments


def play(env: Any, seed: int, matches: int) -> tuple[float, int]:
    """Matches by actions at random among those that the mask allows."""
    random = Random(seed).random
    decisions = 0
    begun = perf_counter()
    for match in range(matches):
        env.reset(seed=seed + match)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            actions = observation["action_mask"].nonzero()[0]
            decisions += 1
            env.step(actions[int(random() * len(actions))])
    return perf_counter() - begun, decisions


def main() -> None:
    """Answer requests until there are no more."""
    environments = found()
    ways = {game: ["loop"] for game in environments}
    print(json.dumps({"version": f"PettingZoo {version('pettingzoo')}", "ways": ways}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        seconds, decisions = play(environments[asked["game"]], asked["seed"], asked["matches"])
        print(json.dumps({"seconds": seconds, "games": asked["matches"], "decisions": decisions}), flush=True)


if __name__ == "__main__":
    main()
