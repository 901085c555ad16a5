"""The ways to play a game at random: ours in Python and native, by hand in Python and C, and by other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import houserule
from benchmarks.agreement import Played
from benchmarks.c import AS_OURS, FAST, compiled, compiler
from benchmarks.measuring import Contender, Play, Sample
from benchmarks.others import SEARCH, WAYS, Library
from houserule.compiler.program import Program
from houserule.native.memory import Results
from houserule.running.playout import Seeds, playout
from houserule.study.rows import Columns

PYTHON = "Houserule, Python"
NATIVE = "Houserule, native"
AS_OBJECTS = "Houserule, native, an object for each result"
AS_STUDY = "Houserule, native, a study of who leads and what is offered"
THROUGH_PETTINGZOO = "Houserule, through PettingZoo"
THROUGH_OPENSPIEL = "Houserule, through OpenSpiel"
THROUGH_GYMNASIUM = "Houserule, one seat of 1,000 matches of Gymnasium at once"
AT_ONCE = 1000
TIGHT = "tight Python by hand"
OBJECTS = "Python by hand, with objects"
IN_C = "tight C by hand"
IN_C_FAST = "tight C by hand, splitmix64"

FOUR = {"aladdin": 4, "ali_baba": 4, "rattlebones": 4, "master_thieves": 5}
"""The four games, and for how many each is played."""
CLASSICS = {
    "tic_tac_toe": 2, "connect_four": 2, "nim": 2, "pig": 2, "hearts": 4, "goofspiel": 2, "kuhn_poker": 2,
    "leduc_poker": 2, "liars_dice": 2, "reversi": 2, "checkers": 2, "go": 2, "backgammon": 2,
}  # fmt: skip
"""The games that others play as well."""


def place_of(game: str) -> str:
    """The name of a bundled game, or the folder of one that is only measured."""
    folder = Path(__file__).parent / game
    return str(folder) if (folder / "game.yaml").exists() else game


def program_of(game: str, players: int) -> Program:
    """The quiet program of a game."""
    return houserule.load(place_of(game)).program(players, told=False)


def native_is_installed() -> bool:
    """Whether matches can be played natively."""
    return find_spec("wasmtime") is not None and find_spec("houserule.native") is not None


def machine_of(program: Program) -> Any:
    """A program translated, compiled, and ready to run."""
    return import_module("houserule.native.machine").Machine(program)


def in_python(program: Program) -> Play:
    """Our program as Python."""

    def play(seed: int, matches: int) -> Sample:
        begun = perf_counter()
        outcomes = [playout(program, number) for number in range(seed, seed + matches)]
        return Sample(perf_counter() - begun, matches, sum(outcome.decisions for outcome in outcomes))

    return play


def natively(machine: Any) -> Play:
    """Our program in its sandbox, as a study plays it: seeds made there, results as columns."""

    def play(seed: int, matches: int) -> Sample:
        begun = perf_counter()
        decisions = 0
        for results, _ in machine.stretches(Seeds(seed, 0, matches)):
            decisions += sum(read_columns(results).decisions)
        return Sample(perf_counter() - begun, matches, decisions)

    return play


def read_columns(results: Results) -> Columns:
    """Read how each match ended."""
    columns = Columns(results.players, tail=results.tail)
    columns.add_words(results.columns())
    _ = columns.lines, columns.scores, columns.won, columns.endings
    return columns


def as_objects(machine: Any) -> Play:
    """The same with an object for each match."""

    def play(seed: int, matches: int) -> Sample:
        begun = perf_counter()
        outcomes = list(machine.outcomes(range(seed, seed + matches)))
        return Sample(perf_counter() - begun, matches, sum(outcome.decisions for outcome in outcomes))

    return play


def as_study(game: str, players: int) -> Play:
    """What `simulate` plays without its tables: it looks who leads when each round begins, and counts what is offered and chosen."""
    loaded = houserule.load(place_of(game))

    def play(seed: int, matches: int) -> Sample:
        begun = perf_counter()
        study = houserule.simulate(loaded, matches, players, seed=seed, engine="native")
        return Sample(perf_counter() - begun, matches, sum(study.columns.decisions))

    return play


def by_hand(matches_of: Callable[[int, int], Any], players: int, decisions_of: Callable[[Any], int]) -> Play:
    """A game written by hand in Python."""

    def play(seed: int, matches: int) -> Sample:
        begun = perf_counter()
        played = [matches_of(players, number) for number in range(seed, seed + matches)]
        return Sample(perf_counter() - begun, matches, sum(map(decisions_of, played)))

    return play


def in_c(game: str, players: int, folder: Path, chance: Sequence[str]) -> Play:
    """A game written by hand in C, which takes its own time."""
    command = compiled(game, folder, chance)

    def play(seed: int, matches: int) -> Sample:
        found = command.timed(players, seed, matches)
        return Sample(found["seconds"], found["games"], found["decisions"])

    return play


def elsewhere(library: Library, game: str, way: str) -> Play:
    """A game of another library, which takes its own time."""
    return lambda seed, matches: library.play(game, way, seed, matches)


def ours(program: Program) -> list[Contender]:
    """Our ways to play a program; natively where that is installed and can be done."""
    found = [Contender(PYTHON, in_python(program))]
    if native_is_installed():
        machine = machine_of(program)
        found += [Contender(NATIVE, natively(machine)), Contender(AS_OBJECTS, as_objects(machine))]
    return found


def contenders_of_four(game: str, folder: Path) -> list[Contender]:
    """All ways to play one of the four games."""
    players = FOUR[game]
    tight, objects = (import_module(f"benchmarks.{style}.{game}").play for style in ("tight", "by_hand"))
    found = ours(program_of(game, players))
    if native_is_installed():
        found.append(Contender(AS_STUDY, as_study(game, players)))
    found.append(Contender(TIGHT, by_hand(tight, players, lambda match: int(match[1]))))
    found.append(Contender(OBJECTS, by_hand(objects, players, lambda match: int(match["decisions"]))))
    if compiler() is not None:
        found.append(Contender(IN_C, in_c(game, players, folder, AS_OURS)))
        found.append(Contender(IN_C_FAST, in_c(game, players, folder, FAST)))
    return found


def through_pettingzoo(game: str) -> Play:
    """Our environment of PettingZoo, played as the library's own are."""
    env = import_module("houserule.bridges.zoo").env(place_of(game), CLASSICS[game])
    return as_others(import_module("benchmarks.others.zoo").play, env)


def through_openspiel(game: str) -> Play:
    """Our game of OpenSpiel, played as the library's own are in Python."""
    made = import_module("houserule.bridges.spiel").game(place_of(game), CLASSICS[game])
    return as_others(import_module("benchmarks.others.spiel").by_loop, made)


def through_gymnasium(game: str) -> Play | None:
    """Our environment of many matches, one seat at random against random bots; counted are the decisions of that seat. None if Python plays the game."""
    import numpy as np

    env = import_module("houserule.bridges.gym").OneSeatVector(place_of(game), AT_ONCE, CLASSICS[game])
    if env.engine == "python":
        return None
    mask, chance = env.reset(seed=0)[1]["action_mask"], np.random.default_rng(0)
    ended = np.zeros(AT_ONCE, bool)

    def play(_: int, matches: int) -> Sample:
        nonlocal mask, ended  # the matches go on from round to round
        over, decisions = 0, 0
        begun = perf_counter()
        while over < matches:
            actions = (chance.random(mask.shape, np.float32) * mask).argmax(axis=1)
            decisions += AT_ONCE - int(ended.sum())
            _, _, terminated, truncated, info = env.step(actions)
            mask, ended = info["action_mask"], terminated | truncated
            over += int(ended.sum())
        return Sample(perf_counter() - begun, over, decisions)

    return play


def as_others(loop: Callable[[Any, int, int], tuple[float, int]], game: Any) -> Play:
    """A game in the interface of another library, in the loop that plays those of the library."""

    def play(seed: int, matches: int) -> Sample:
        seconds, decisions = loop(game, seed, matches)
        return Sample(seconds, matches, decisions)

    return play


BRIDGES: dict[str, tuple[str, Callable[[str], Play | None]]] = {
    "pettingzoo": (THROUGH_PETTINGZOO, through_pettingzoo),
    "pyspiel": (THROUGH_OPENSPIEL, through_openspiel),
    "gymnasium": (THROUGH_GYMNASIUM, through_gymnasium),
}
"""By the library that each needs: the name of the way through it."""


def bridges(game: str) -> list[Contender]:
    """Our games through the interfaces of other libraries, where these are installed."""
    ways = [(name, made(game)) for module, (name, made) in BRIDGES.items() if find_spec(module) is not None]
    return [Contender(name, play) for name, play in ways if play is not None]


def contenders_of_classic(game: str, libraries: Sequence[Library]) -> list[Contender]:
    """All ways to play a game that others have."""
    found = [*ours(program_of(game, CLASSICS[game])), *bridges(game)]
    for library in libraries:
        for way in library.ways.get(game, []):
            if way != SEARCH:
                found.append(Contender(WAYS[library.name, way], elsewhere(library, game, way)))
    return found


def samples_of_four(game: str, matches: int, folder: Path) -> dict[str, list[Played]]:
    """Matches of one of the four games in each way that can be compared with the rule files, ours first."""
    players = FOUR[game]
    program, tight = program_of(game, players), import_module(f"benchmarks.tight.{game}").play
    outcomes = [playout(program, seed) for seed in range(matches)]
    found: dict[str, list[Played]] = {
        PYTHON: [(outcome.scores, outcome.decisions, outcome.winners) for outcome in outcomes],
        TIGHT: [tight(players, seed) for seed in range(2 * matches)],
    }
    if compiler() is not None:
        found[IN_C] = compiled(game, folder, AS_OURS).matches(players, 0, 20 * matches)
        found[IN_C_FAST] = compiled(game, folder, FAST).matches(players, 0, 20 * matches)
    return found
