"""Plays every bundled game twice, in Python and natively, and compares match by match: outcomes, and what lies where in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random

import houserule
from benchmarks.contenders import machine_of
from houserule.running.playout import answers_of, finish, play
from houserule.running.state import State

SHOWN = 10
"""So many seeds are named where matches differ."""


@dataclass(frozen=True, slots=True)
class Twice:
    """A game with its house rules for a number of players: over how many seeds, and for which of them the two ended differently.

    `replayed` counts matches that native play left to Python.
    """

    game: str
    variants: list[str]
    players: int
    seeds: int
    different: list[int]
    replayed: int


def played_twice(game: str, variants: Sequence[str], players: int, seeds: int) -> Twice:
    """Compare scores, lines of the score sheet, winners, endings, decisions, variables, zones, and the places of pieces."""
    program = houserule.load(game, variants=variants).program(players, told=False)
    machine = machine_of(program)
    outcomes = list(machine.outcomes(range(seeds)))
    different = []
    for seed, natively in enumerate(outcomes):
        s = State(program, Random(seed))
        outcome = finish(program, s, play(program, s, answers_of(seed)))
        machine.begin(seed)
        machine.play()
        if natively != outcome or machine.table() != (s.v, s.z, s.w):
            different.append(seed)
    return Twice(game, list(variants), players, seeds, different[:SHOWN], machine.replayed)


def settings(is_quick: bool) -> Iterator[tuple[str, list[str], int]]:
    """Each bundled game, with each of its house rules, for each number of players; of a quick run each game once."""
    for game in houserule.games():
        house_rules = sorted(file.stem for file in (houserule.find(game) / "variants").glob("*.yaml"))
        for variants in [[], *([] if is_quick else [[one] for one in house_rules])]:
            players = houserule.load(game, variants=variants).players
            for count in [max(players)] if is_quick else players:
                yield game, variants, count


def all_played_twice(seeds: int, is_quick: bool, tick: Callable[[], None]) -> list[Twice]:
    """Everything, on as many cores as there are: no time is measured here."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        waiting = [processes.submit(played_twice, *setting, seeds) for setting in settings(is_quick)]
        for _ in as_completed(waiting):
            tick()
        return [one.result() for one in waiting]
