"""Times studies with one worker and with two, in turns, and two studies of half the matches at once (`python -m benchmarks.workers`).

Two studies at once share nothing but the machine: they show what its second core is worth at that moment, which changes
with what else runs there. How busy two workers keep two cores shows what they miss themselves: starting and summing up
take one core.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Iterable
from statistics import median
from time import perf_counter

GAMES = ("aladdin", "ali_baba", "rattlebones", "master_thieves", "tic_tac_toe", "kuhn_poker", "pig", "liars_dice")


def study(game: str, matches: int, workers: int, seed: int) -> list[str]:
    """The command that plays a study natively."""
    command = [sys.executable, "-m", "houserule", "simulate", game, "--engine", "native", "--json"]
    return [*command, "-n", str(matches), "--workers", str(workers), "--seed", str(seed)]


def seconds(commands: Iterable[list[str]]) -> tuple[float, float]:
    """How long some commands take that are begun at once, and the time of all cores in it. Raises RuntimeError where one fails."""
    started, before = perf_counter(), cores()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for command in commands]
    for one in running:
        said = one.communicate()[1]
        if one.returncode:
            raise RuntimeError(said.decode())
    return perf_counter() - started, cores() - before


def cores() -> float:
    """The seconds of all cores that commands have taken so far."""
    taken = resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken.ru_utime + taken.ru_stime


def main() -> None:
    """Print for each game how many times as fast two workers are, and two studies at once."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    print(
        f"{wanted.matches:,} matches; medians of the ratios of {wanted.rounds} rounds, with the least and the greatest"
    )
    for game in wanted.games:
        seconds([study(game, 1000, 1, 0)])  # so that the module is compiled
        workers, at_once, busy = [], [], []
        for seed in range(wanted.rounds):
            alone, _ = seconds([study(game, wanted.matches, 1, seed)])
            beside, taken = seconds([study(game, wanted.matches, 2, seed)])
            half = wanted.matches // 2
            apart, _ = seconds([study(game, half, 1, seed), study(game, half, 1, seed + 1)])
            workers.append(alone / beside)
            at_once.append(alone / apart)
            busy.append(taken / beside)
        told = [f"{median(one):.2f} ({min(one):.2f} to {max(one):.2f})" for one in (workers, at_once, busy)]
        print(f"{game}: two workers {told[0]}, two studies at once {told[1]}, cores busy {told[2]}", flush=True)


if __name__ == "__main__":
    main()
