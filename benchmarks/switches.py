"""What an optimisation of the compiler gains: each game at random, with it and without it by turns, in Python and natively."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from rich.table import Table

import houserule
from benchmarks.contenders import in_python, machine_of, native_is_installed, natively
from benchmarks.measuring import Contender, measure_by_turns
from houserule.bundled import groups
from houserule.compiler.program import compile_game


def gains(names: Sequence[str], games: Sequence[str], rounds: int, seconds: float, tick: Callable[[], None]) -> Table:
    """How many times as long a match takes without these optimisations together: a row for each game."""
    table = Table(title=f"times as long without {', '.join(names)}")
    table.add_column("game")
    ways = ["in Python", *(["natively"] if native_is_installed() else [])]
    for way in ways:
        table.add_column(way, justify="right")
    for game in games or [game for group in groups().values() for game in group]:
        loaded = houserule.load(game)
        checked = loaded.checked(min(loaded.players, key=lambda players: abs(players - 3)))
        contenders = []
        for without in (frozenset[str](), frozenset(names)):
            program = compile_game(checked, told=False, without=without)
            contenders.append(Contender(game, in_python(program)))
            if len(ways) > 1:
                contenders.append(Contender(game, natively(machine_of(program))))
        measure_by_turns(contenders, rounds, seconds, tick)
        rates = [median(contender.rates) for contender in contenders]
        table.add_row(game, *(f"{rates[way] / rates[way + len(ways)]:.2f}" for way in range(len(ways))))
    return table
