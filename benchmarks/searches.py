"""Measures searches: passes of `mcts` and answers of `greedy` in a second, in the middle of a match, in Python and natively."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter

import houserule
from benchmarks.contenders import CLASSICS, FOUR, NATIVE, PYTHON, elsewhere, native_is_installed, place_of
from benchmarks.measuring import Contender, Play, Sample
from benchmarks.others import SEARCH, WAYS, Library
from houserule import Match
from houserule.bots.playing import bot_of
from houserule.bots.simple import InnerSeat, Seat
from houserule.compiler.program import Program, compile_game

PASSES = 200
GREEDY = "greedy"
MCTS = f"mcts:{PASSES}"
ELSEWHERE = ("tic_tac_toe", "connect_four", "checkers")
"""Games whose positions OpenSpiel's search can take as well."""
STEPS = 40
SEATS = 8


def searches() -> list[tuple[str, str]]:
    """What is measured: games and bots."""
    return [(game, bot) for bot in (MCTS, GREEDY) for game in FOUR] + [(game, MCTS) for game in ELSEWHERE]


def seats_of(game: str) -> list[Match]:
    """Some moments of a match for two at which somebody has a choice; of a game that others search, only the first."""
    match = houserule.load(place_of(game)).start(2, seed=4)
    if game in CLASSICS:
        return [match]
    chance, found = Random(3), []
    for step in range(STEPS):
        choice = match.pending[0]
        if step % (STEPS // SEATS) == 0 and choice.kind != "slap" and len(choice.options) > 1:
            found.append(match.copy())
        match.answer(choice.player, choice.drawn(chance))
    return found


def answering(matches: Sequence[Match], word: str, program: Program | None) -> Play:
    """Answers of a bot by turns at these moments; with a program that is not translated, in Python. The number is that of passes."""

    def play(seed: int, wanted: int) -> Sample:
        answers = max(1, wanted // PASSES) if word == MCTS else wanted
        bot = bot_of(word, seed)
        seconds = 0.0
        for number in range(answers):
            match = matches[number % len(matches)]
            begun = perf_counter()
            seat = (InnerSeat if program is None else Seat)(match, match.pending[0])
            if program is not None:
                seat.__dict__["program"] = program
            bot.choose(seat)
            seconds += perf_counter() - begun
        return Sample(seconds, answers * PASSES if word == MCTS else answers)

    return play


def contenders_of_search(game: str, word: str, libraries: Sequence[Library]) -> list[Contender]:
    """All ways to search for an answer in a game."""
    matches = seats_of(game)
    rules = houserule.load(place_of(game))
    untranslated = compile_game(rules.checked(2), told=False, without=frozenset({"search"}))
    found = [Contender(PYTHON, answering(matches, word, untranslated))]
    if native_is_installed():
        found.append(Contender(NATIVE, answering(matches, word, None)))
    for library in libraries:
        if SEARCH in library.ways.get(game, []) and word == MCTS:
            found.append(Contender(WAYS[library.name, SEARCH], elsewhere(library, game, SEARCH)))
    return found
