"""Measures how bots do against each other, and writes the table into docs/bots.md (`python -m benchmarks.bots`).

Two sit at the table; each match is played twice with the same seed, seats swapped. A shared win counts half. Results are kept
in a file, line by line, and what is there is not played again: so a run can be stopped and gone on with. Results of other
rules, or of bots that answered otherwise, do not count. Rows of the table that are not measured stay.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import houserule
from houserule import Game
from houserule.bots.playing import answer, bots_at, in_order, play
from houserule.bundled import groups

DOCUMENT = Path(__file__).parent.parent / "docs" / "bots.md"
BEGINS, ENDS = "<!-- rates: python -m benchmarks.bots -->\n", "<!-- end of rates -->\n"
PAIRS = (("greedy", "random"), ("mcts:200", "greedy"))
MATCHES = 200
TRIED = 20
"""Decisions that tell bots apart."""
HEAD = "| bot | against | game | matches | wins | 95 % interval | seconds a match |\n|---|---|---|--:|--:|--:|--:|"


@dataclass(frozen=True)
class Result:
    """What one match came to: the share of the win that the first of the pair had, and seconds.

    `trial` stands for the rules and for how both bots play.
    """

    game: str
    bot: str
    against: str
    number: int
    share: float
    seconds: float
    trial: str


def trial(game: Game, bot: str, against: str) -> str:
    """A digest of the rules and of what both answer at the beginning of one match: other bots, another digest."""
    match = game.start(2, seed="trial")
    bots, chance = bots_at(match, (bot, against), 0), random.Random(0)
    while not match.is_over and len(match.answers) < TRIED:
        choice = in_order(match, chance)[0]
        answer(match, choice, bots[choice.player])
    return hashlib.sha256(f"{game.rules_hash} {match.answers}".encode()).hexdigest()[:12]


def play_match(game: Game, bot: str, against: str, number: int, of: str) -> Result:
    """Play the match of that number; in every second one the first of the pair sits in the second seat."""
    started = time.perf_counter()
    match = game.start(2, seed=number // 2)
    seats = (bot, against) if number % 2 == 0 else (against, bot)
    play(match, bots_at(match, seats, number), number)
    player = match.players[number % 2]
    winners = match.winners
    share = 0.5 if not winners else (player in winners) / len(winners)
    return Result(game.id, bot, against, number, share, round(time.perf_counter() - started, 3), of)


def kept(file: Path) -> list[Result]:
    """The results of a file; none where there is no such file."""
    if not file.exists():
        return []
    return [Result(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def current(results: list[Result], games: list[str], pairs: list[tuple[str, str]]) -> list[Result]:
    """Those results that are of these games and pairs as they are now."""
    now = {(name, *pair): trial(houserule.load(name), *pair) for name in games for pair in pairs}
    return [one for one in results if now.get((one.game, one.bot, one.against)) == one.trial]


def measure(games: list[str], pairs: list[tuple[str, str]], matches: int, file: Path) -> Iterator[Result]:
    """Play what is missing, each match of all pairs and games before the next, and keep each result."""
    loaded = {name: houserule.load(name) for name in games}
    trials = {(name, *pair): trial(loaded[name], *pair) for name in games for pair in pairs}
    done = {(one.game, one.bot, one.against, one.number, one.trial) for one in kept(file)}
    with file.open("a", encoding="utf-8") as kept_in:
        for number in range(matches):
            for (name, bot, against), of in trials.items():
                if (name, bot, against, number, of) not in done:
                    result = play_match(loaded[name], bot, against, number, of)
                    kept_in.write(json.dumps(result.__dict__) + "\n")
                    kept_in.flush()
                    yield result


def rows(results: list[Result]) -> dict[str, str]:
    """A row for each pair and game, by its first three columns: the share of wins with its 95 % interval (Wilson)."""
    from scipy.stats import binomtest

    groups: dict[str, list[Result]] = {}
    for one in results:
        groups.setdefault(f"| `{one.bot}` | `{one.against}` | {one.game} |", []).append(one)
    found = {}
    for first, group in groups.items():
        wins = sum(one.share for one in group)
        interval = binomtest(int(wins), len(group)).proportion_ci(method="wilson")
        seconds = sum(one.seconds for one in group) / len(group)
        found[first] = (
            f"{first} {len(group)} | {wins / len(group):.1%} | {interval.low:.1%} to {interval.high:.1%} | {seconds:.1f} |"
        )
    return found


def write(results: list[Result], document: Path = DOCUMENT) -> None:
    """Put the rows into the table of the document, between its marks; rows of other pairs and games stay."""
    before, _, rest = document.read_text(encoding="utf-8").partition(BEGINS)
    table, _, after = rest.partition(ENDS)
    kept_rows = {"|".join(line.split("|")[:4]) + "|": line for line in table.splitlines() if line.startswith("| `")}
    lines = [HEAD, *{**kept_rows, **rows(results)}.values()]
    document.write_text(before + BEGINS + "\n" + "\n".join(lines) + "\n\n" + ENDS + after, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many matches of each pair and game")
    parser.add_argument(
        "--games", nargs="*", default=groups()[""], help="which games for two, by default the large ones"
    )
    parser.add_argument(
        "--pairs", nargs="*", default=[f"{a}/{b}" for a, b in PAIRS], help="who against whom: greedy/random"
    )
    parser.add_argument("--results", type=Path, default=Path("bots.jsonl"), help="where results are kept")
    parser.add_argument("--only-write", action="store_true", help="write the table of what is there, and play nothing")
    wanted = parser.parse_args()
    pairs = [(pair.partition("/")[0], pair.partition("/")[2]) for pair in wanted.pairs]
    if not wanted.only_write:
        for result in measure(wanted.games, pairs, wanted.matches, wanted.results):
            print(f"{result.game}: {result.bot} against {result.against}, match {result.number}: {result.share:g}")
    write(current(kept(wanted.results), wanted.games, pairs))


if __name__ == "__main__":
    main()
