"""What the project promises besides the speed of play: ratios of two things that are measured by turns in one run."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import houserule
from benchmarks.by_hand.aladdin import Aladdin
from benchmarks.measuring import Spread, spread, timed
from houserule import Game, Match
from houserule.compiler.program import Program
from houserule.running.playout import Outcome, playout

GAME = "aladdin"
FOUR = 4
DECISIONS = 60
"""How far a match has gone when it is copied."""
IMPORTED = ("yaml", "lark", "typer", "rich")
"""The packages that Houserule itself imports; they load others in their turn."""
THREE = ("bazaar", "desert_wind", "my_precious")
"""House rules that go together."""
SLEEPING = """\
variant: sleeping
of: aladdin
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
class Promise:
    """How one thing compares with another: `ratio` is what `wanted` speaks of, the times are in seconds for each."""

    what: str
    ratio: Spread
    wanted: str
    first: float
    second: float


def often_done(work: Callable[[], object], number: int) -> None:
    """Do something so many times."""
    for _ in range(number):
        work()


def played(program: Program, matches: int) -> list[Outcome]:
    """So many matches at random."""
    return [playout(program, seed) for seed in range(matches)]


def compared(
    what: str,
    wanted: str,
    first: Callable[[], object],
    second: Callable[[], object],
    rounds: int,
    often: tuple[int, int] = (1, 1),
    is_speed: bool = False,
) -> Promise:
    """The ratio of the times of two things, or of their speeds, each done so often in a round."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for work, number, kept in zip((first, second), often, times, strict=True):
            kept.append(timed(partial(often_done, work, number)) / number)
    ratios = [b / a if is_speed else a / b for a, b in zip(*times, strict=True)]
    return Promise(what, spread(ratios), wanted, spread(times[0]).median, spread(times[1]).median)


def told_play(game: Game, matches: int, rounds: int) -> Promise:
    """Matches at random with every event logged against quiet ones."""
    told, quiet = game.program(FOUR, told=True), game.program(FOUR, told=False)
    what = f"told random play of {GAME} for {FOUR}: speed relative to quiet play"
    one, other = partial(played, told, matches), partial(played, quiet, matches)
    return compared(what, "≥ 0.8", one, other, rounds, is_speed=True)


def at_a_choice(game: Game, players: int, told: bool = True) -> Match:
    """A match in the middle."""
    random = Random(1)
    match = Match.start(game, players, 1, "en", game.program(players, told))
    while len(match.answers) < DECISIONS:
        choice = random.choice(match.pending)
        match.answer(choice.player, choice.options[random.randrange(len(choice.options))])
    return match


def copies(game: Game, rounds: int) -> list[Promise]:
    """Copies of a match at a choice against deep copies of the game written by hand with objects."""
    by_hand: list[Aladdin] = []
    chance = Random(1)

    def halfway(_question: str, options: Sequence[Any]) -> Any:
        if match_by_hand.decisions >= DECISIONS and not by_hand:
            by_hand.append(copy.deepcopy(match_by_hand))
        return options[chance.randrange(len(options))]

    match_by_hand = Aladdin(FOUR, 1, choose=halfway)
    match_by_hand.play()
    match, quiet = at_a_choice(game, FOUR), at_a_choice(game, FOUR, told=False)
    deep = lambda: copy.deepcopy(by_hand[0])  # noqa: E731  (one of two things that are compared)
    return [
        compared(
            f"copying {what} at a choice: time relative to a deep copy by hand", "< 0.05", ours, deep, rounds, (500, 5)
        )
        for what, ours in (("a told match", match.copy), ("a quiet state", quiet.state.copy))
    ]


def validating(rounds: int) -> list[Promise]:
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
        found.append(
            compared(f"{what}: time relative to importing its dependencies", wanted, validate, importing, rounds)
        )
    what = f"importing all its dependencies: time relative to {', '.join(IMPORTED)} alone"
    return [*found, compared(what, "", importing, process("-c", f"import {', '.join(IMPORTED)}"), rounds)]


def loaded_by(*words: str) -> list[str]:
    """The packages of others that a command imports, and their modules, in order."""
    listing = (
        "import sys\nfrom houserule.cli import main\nsys.argv = ['houserule', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*(name for name, module in sys.modules.items() if 'site-packages' in (getattr(module, '__file__', '') or '')))"
    )
    done = subprocess.run([sys.executable, "-c", listing, *words], check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split() if not name.startswith(("houserule", "_", "distutils"))]


def house_rules(game: Game, matches: int, rounds: int) -> list[Promise]:
    """A house rule that never comes into play against play without it, and loading with several against loading with none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sleeping.yaml"
        file.write_text(SLEEPING, encoding="utf-8")
        changed = houserule.load(GAME, variants=[str(file)]).program(FOUR, told=False)
    plain = game.program(FOUR, told=False)
    one, other = partial(played, changed, matches), partial(played, plain, matches)
    return [
        compared(
            "play with a house rule that never applies: time relative to play without", "≤ 1.02", one, other, rounds
        ),
        compared(
            "loading with three house rules in new processes: time relative to the game alone",
            "< 2",
            loading(THREE),
            loading(()),
            min(rounds, 3),
        ),
    ]


def loading(variants: Sequence[str]) -> Callable[[], object]:
    """Loading the game with house rules, in a process that has nothing from before."""

    def load() -> None:
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-c", f"import houserule; houserule.load({GAME!r}, variants={list(variants)})"]
            subprocess.run(words, check=True, env={**os.environ, "XDG_CACHE_HOME": folder})

    return load


def promises(matches: int, rounds: int, is_quick: bool) -> list[Promise]:
    """All of them; whole processes are left out where there is little time."""
    game = houserule.load(GAME)
    return [
        told_play(game, matches, rounds),
        *copies(game, rounds),
        *house_rules(game, matches, rounds),
        *([] if is_quick else validating(rounds)),
    ]
