"""Measures the speed: nothing in, a table of ratios out (`python -m benchmarks`, with `--json` as JSON).

Everything is a ratio of two things measured by turns in one run, so that the machine and its mood cancel out: A B A B,
and the median of A by the median of B. Nothing fails here; `wanted` says what the project promises.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

import houserule
from benchmarks.by_hand.aladdin import Aladdin
from benchmarks.by_hand.aladdin import play as play_aladdin
from benchmarks.by_hand.ali_baba import play as play_ali_baba
from benchmarks.by_hand.master_thieves import play as play_master_thieves
from benchmarks.by_hand.rattlebones import play as play_rattlebones
from houserule import Game, Match
from houserule.compiler.program import compile_game
from houserule.running.playout import playout
from houserule.workshop.examine import forget

GAME = "aladdin"
FOUR = 4
OTHERS = (2, 4)
"""For how many the games after the first are played."""
PLAY_BY_HAND: dict[str, Callable[[int, int], object]] = {
    "aladdin": play_aladdin,
    "ali_baba": play_ali_baba,
    "master_thieves": play_master_thieves,
    "rattlebones": play_rattlebones,
}
"""Games that there are by hand as well: a number of players and a seed in, a match played at random."""
DECISIONS = 60
"""How far a match has gone when it is copied."""

THREE = ("bazaar", "desert_wind", "my_precious")
"""House rules that go together."""

SLEEPING = """\
variant: sleeping
add:
  options: {feast: {type: bool, default: false}}
  variables: {guests(player): 0..99}
  actions:
    invite(int n): |
      for p in opponents:
        choose dish from metal "Which dish?": p.guests += n
      me.guests += n
  triggers:
    crowd:
      whenever: guests of p changes
      do: p.guests += 0 if p.guests > 50 else 1
  flow:
    round:
      steps:
        feast: {when: feast, turns: players, do: perform invite(2)}
  scoring: {feast: {when: feast, points: me.guests}}
"""
"""A house rule of every power whose rules never come into play."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How one thing compares with another: `ratio` is what `wanted` speaks of, the times are in seconds for each."""

    what: str
    ratio: float
    wanted: str
    first: float
    second: float


def by_turns(first: Callable[[], object], second: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The median times of both, measured by turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for measured, kept in zip((first, second), times, strict=True):
            begun = perf_counter()
            measured()
            kept.append(perf_counter() - begun)
    return median(times[0]), median(times[1])


def repeated(one: Callable[[], object], number: int) -> Callable[[], None]:
    """The same thing several times."""

    def several() -> None:
        for _ in range(number):
            one()

    return several


def quiet_play(game: Game, players: int, matches: int, rounds: int) -> Ratio:
    """Matches at random from the rule files against the same game written by hand."""
    program = game.program(players, told=False)
    play_by_hand = PLAY_BY_HAND[game.id]
    ours, by_hand = by_turns(
        lambda: [playout(program, seed) for seed in range(matches)],
        lambda: [play_by_hand(players, seed) for seed in range(matches)],
        rounds,
    )
    what = f"quiet random play of {game.id} for {players}, times as fast as by hand"
    wanted = "≥ 1.0" if game.id == GAME else "≥ 0.8"
    return Ratio(what, by_hand / ours, wanted if players == FOUR else "", ours / matches, by_hand / matches)


def told_play(game: Game, matches: int, rounds: int) -> Ratio:
    """Matches at random with every event logged against quiet ones."""
    told, quiet = game.program(FOUR, told=True), game.program(FOUR, told=False)
    loud, still = by_turns(
        lambda: [playout(told, seed) for seed in range(matches)],
        lambda: [playout(quiet, seed) for seed in range(matches)],
        rounds,
    )
    return Ratio(f"told random play for {FOUR}, speed by quiet", still / loud, "≥ 0.7", loud / matches, still / matches)


def copies(game: Game, rounds: int) -> list[Ratio]:
    """Copies of a match at a choice against deep copies of the game written by hand."""
    match = at_a_choice(game, FOUR)
    still = at_a_choice(game, FOUR, told=False)
    by_hand: list[Aladdin] = []
    often, seldom = 500, 5

    def halfway(_question: str, options: Sequence[Any]) -> Any:
        if played.decisions >= DECISIONS and not by_hand:
            by_hand.append(copy.deepcopy(played))
        return options[chance.randrange(len(options))]

    chance = Random(1)
    played = Aladdin(FOUR, 1, choose=halfway)
    played.play()
    found = []
    for what, ours in (("a told match", match.copy), ("a quiet state", still.state.copy)):
        a, b = by_turns(repeated(ours, often), repeated(lambda: copy.deepcopy(by_hand[0]), seldom), rounds)
        first, second = a / often, b / seldom
        found.append(
            Ratio(f"copying {what} at a choice, share of a deep copy by hand", first / second, "< 0.05", first, second)
        )
    return found


def at_a_choice(game: Game, players: int, told: bool = True) -> Match:
    """A match in the middle."""
    random = Random(1)
    match = Match.start(game, players, 1, "en", game.program(players, told))
    while len(match.answers) < DECISIONS:
        choice = random.choice(match.pending)
        match.answer(choice.player, choice.options[random.randrange(len(choice.options))])
    return match


FIVE = ("yaml", "lark", "jsonschema", "typer", "rich")
"""The packages that Houserule itself imports; they load others in their turn."""


def validating(rounds: int) -> list[Ratio]:
    """`houserule validate` as a whole process against importing what others made of what it loads.

    All find their modules compiled. The last ratio says how much more that is than the five packages by themselves.
    """
    writing = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def process(*arguments: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=writing)

    importing = process("-c", f"import {', '.join(loaded_by('validate', GAME, '--no-cache'))}")
    found = []
    for what, wanted, words in (
        (f"houserule validate {GAME}, checked before", "≤ 2.0", [GAME, "--rules-only"]),
        (f"houserule validate {GAME}, checked anew", "≤ 2.0", [GAME, "--rules-only", "--no-cache"]),
        ("houserule validate of all bundled games, checked before", "< 3.0", ["--bundled", "--rules-only"]),
        ("houserule validate of all bundled games, checked anew", "< 3.0", ["--bundled", "--rules-only", "--no-cache"]),
    ):
        validate = process("-m", "houserule", "validate", *words)
        validate()
        ours, imports = by_turns(validate, importing, rounds)
        found.append(Ratio(f"{what}, time by importing its dependencies", ours / imports, wanted, ours, imports))
    imports, five = by_turns(importing, process("-c", f"import {', '.join(FIVE)}"), rounds)
    what = f"importing all that this loads of others, time by importing {', '.join(FIVE)} alone"
    return [*found, Ratio(what, imports / five, "", imports, five)]


def loaded_by(*words: str) -> list[str]:
    """The packages of others that a command imports, and their modules, in order."""
    listing = (
        "import sys\nfrom houserule.cli import main\nsys.argv = ['houserule', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*(name for name, module in sys.modules.items() if 'site-packages' in (getattr(module, '__file__', '') or '')))"
    )
    done = subprocess.run([sys.executable, "-c", listing, *words], check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split() if not name.startswith(("houserule", "_", "distutils"))]


def loading(variants: Sequence[str] = ()) -> None:
    """Load the game as if it had not been loaded before."""
    forget()
    houserule.load(GAME, variants=variants)


def compiling(game: Game, rounds: int) -> Ratio:
    """Checking and compiling for four against loading: reading, parsing and checking for every number of players."""
    made, loaded = by_turns(lambda: compile_game(game.checked(FOUR), told=False), loading, rounds)
    return Ratio(f"compiling for {FOUR}, time by loading the game", made / loaded, "", made, loaded)


def sleeping_rules(game: Game, matches: int, rounds: int) -> Ratio:
    """Matches at random with a house rule whose rules never come into play against matches without it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sleeping.yaml"
        file.write_text(SLEEPING.replace("add:", f"of: {GAME}\nadd:", 1), encoding="utf-8")
        changed = houserule.load(GAME, variants=[str(file)]).program(FOUR, told=False)
    plain = game.program(FOUR, told=False)
    slow, fast = by_turns(
        lambda: [playout(changed, seed) for seed in range(matches)],
        lambda: [playout(plain, seed) for seed in range(matches)],
        rounds,
    )
    what = "a house rule that never comes into play, time by play without"
    return Ratio(what, slow / fast, "≤ 1.02", slow / matches, fast / matches)


def stacking(rounds: int) -> Ratio:
    """Loading the game with three house rules against loading it alone: below 2, stacking takes less than loading."""
    stacked, alone = by_turns(lambda: loading(THREE), loading, rounds)
    return Ratio(
        "loading with three house rules, time by loading the game alone", stacked / alone, "< 2", stacked, alone
    )


def measure(matches: int, rounds: int) -> list[Ratio]:
    """Everything, in the order of the table."""
    game = houserule.load(GAME)
    return [
        *(quiet_play(game, players, matches, rounds) for players in game.players),
        *(
            quiet_play(houserule.load(other), players, matches, rounds)
            for other in PLAY_BY_HAND
            if other != GAME
            for players in OTHERS
        ),
        told_play(game, matches, rounds),
        *copies(game, rounds),
        *validating(rounds),
        compiling(game, rounds),
        sleeping_rules(game, matches, rounds),
        stacking(rounds),
    ]


def spoken(seconds: float) -> str:
    """A time in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures the speed as ratios in one run."
    )
    parser.add_argument("--matches", type=int, default=100, help="matches in one round (100)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds, of which the median counts (9)")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    chosen = parser.parse_args()
    found = measure(chosen.matches, chosen.rounds)
    if chosen.json:
        print(json.dumps([asdict(ratio) for ratio in found], ensure_ascii=False, indent=1))
        return
    table = Table(title=f"{chosen.rounds} rounds by turns, {chosen.matches} matches in each")
    table.add_column("what")
    for heading in ("ratio", "wanted", "one", "other"):
        table.add_column(heading, justify="right")
    for row in found:
        table.add_row(row.what, f"{row.ratio:.3g}", row.wanted, spoken(row.first), spoken(row.second))
    Console().print(table)


if __name__ == "__main__":
    main()
