"""What the tests of every game share: games and player counts in, matches at random and facts about states out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import interpreter
from interpreter import Choice, Game, Match, Option
from interpreter.compiler.program import Program, compile_game
from interpreter.engine.state import State

GAMES = Path(__file__).parent.parent.parent / "games"
OWN = Path(__file__).parent / "small"
"""Small games of the tests, with more that is hidden than the bundled ones have."""
MATCHES = int(os.environ.get("HOUSERULE_MATCHES", "25"))
"""Told matches for each game and number of players; `make invariants` plays 2,000."""
LOOKED_AT = 0.04 if MATCHES < 200 else 0.005
"""The share of questions that are looked at closely, others in every match."""


def tables(*folders: Path) -> list[tuple[str, int]]:
    """Every game with every number of players; without folders the bundled games and those of the tests."""
    found = []
    for file in (file for folder in folders or (GAMES, OWN) for file in sorted(folder.glob("*/game.yaml"))):
        bounds = re.search(r"^players: *(\d+)(?: *\.\. *(\d+))?", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert bounds, f"{file} does not say for how many it is"
        low, high = int(bounds[1]), int(bounds[2] or bounds[1])
        found += [(file.parent.name, players) for players in range(low, high + 1)]
    return found


@cache
def load(game: str) -> Game:
    """A game of the repository, loaded once."""
    return interpreter.load(next(folder / game for folder in (GAMES, OWN) if (folder / game).exists()))


@cache
def restartable(game: str, players: int) -> Program:
    """A told program in which a question can be put again."""
    return compile_game(load(game).fresh(players), told=True, restartable=True)


def start(game: str, players: int, seed: int, program: Program | None = None) -> Match:
    """A match; names are those that the game gives."""
    return Match.start(load(game), players, seed, "en", program)


def an_answer(match: Match, random: Random) -> tuple[Choice, Option]:
    """Somebody who may answer now, and one of their options."""
    choice = random.choice(match.pending)
    return choice, choice.options[random.randrange(len(choice.options))]


def play_on(match: Match, random: Random, at_each: Callable[[Match], None] | None = None) -> None:
    """Play to the end at random; `at_each` looks at every question."""
    while not match.is_over:
        if at_each is not None:
            at_each(match)
        choice, option = an_answer(match, random)
        match.answer(choice.player, option)


def facts(s: State) -> tuple[Any, ...]:
    """Everything in a state, comparable: two states with the same facts are at the same point of the same match."""
    return (
        s.v[:],
        [pile[:] for pile in s.z],
        s.w[:],
        [[list(entry) if isinstance(entry, list | tuple) else entry for entry in frame] for frame in s.frames],
        s.pc,
        s.site,
        s.asker,
        list(s.options),
        s.bounds,
        list(s.must),
        s.slapped[:],
        s.declined[:],
        s.said,
        s.waits,
        s.shared,
        s.player,
        s.queue[:],
        s.running,
        s.draining,
        s.depth,
        None if s.log is None else s.log[:],
        s.generator.getstate() if s.generator is not None else None,
        None if s.forks is None else [facts(part) for part in s.forks],
    )


def match_facts(match: Match) -> tuple[Any, ...]:
    """Everything in a match that can change."""
    return (facts(match.state), match.is_over, match.answers[:])


def check_places(s: State) -> None:
    """Every piece is in exactly one place, and the piles and the places of the pieces say the same."""
    program = s.program
    lying = [piece for pile in s.z for piece in pile]
    expected = [piece for piece, where in enumerate(program.places) if where >= 0]
    assert sorted(lying) == expected, "pieces were lost or made"
    for slot, pile in enumerate(s.z):
        for piece in pile:
            assert s.w[piece] == slot, f"piece {piece} lies in zone {slot} and is said to lie in {s.w[piece]}"
        assert len(pile) <= program.capacities.get(slot, len(lying)), f"zone {slot} is too full"
    for piece, where in enumerate(program.places):
        if where < 0:
            assert s.w[piece] == where, f"piece {piece}, which lies nowhere, was moved"
    for part in s.forks or ():
        if part.z is not s.z:
            check_places(part)
