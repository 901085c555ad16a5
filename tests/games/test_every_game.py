"""What holds for every game and every number of players, in matches at random."""

from __future__ import annotations

from random import Random

import pytest

from houserule import replay
from houserule.compiler.program import compile_game
from houserule.running.playout import playout
from houserule.trial.check import Walk, check_quiet_match
from houserule.trial.unseen import an_answer
from tests.games.every_game import FEW, MATCHES, QUIET_MATCHES, load, some_tables, table, watched_matches

QUESTIONS = 150
WATCHED = 1 if MATCHES == FEW else None
"""Players of a match whose other worlds are compared; `make invariants` compares those of all."""

every_table = pytest.mark.parametrize(("game", "players"), some_tables(), ids=lambda value: str(value))


@every_table
def test_a_match_ends_with_every_piece_in_one_place(game: str, players: int) -> None:
    program = load(game).program(players, told=False)
    for seed in range(QUIET_MATCHES):
        check_quiet_match(program, seed)


@every_table
def test_options_copies_records_and_what_is_seen_are_as_they_must_be(game: str, players: int) -> None:
    hidden = any(sight != "all" for sight in table(game, players).told.zone_sight)
    compared = 0
    seeds = watched_matches(game, players)
    for seed in seeds:
        walk = Walk(table(game, players), seed, watched=WATCHED)
        walk.run()
        compared += walk.compared
    looks = any(seed % 2 for seed in seeds)
    assert compared or not hidden or not looks, "nothing that is hidden was ever exchanged"


@every_table
def test_told_quiet_and_marking_are_one_game(game: str, players: int) -> None:
    quiet = load(game).program(players, told=False)
    marking = compile_game(load(game).checked(players), told=False, marking=True)
    marking_told = compile_game(load(game).checked(players), told=True, restartable=True, marking=True)
    for seed in range(3 * MATCHES):
        outcome = playout(quiet, seed)
        assert playout(table(game, players).told, seed) == outcome
        assert playout(marking, seed) == outcome
        assert playout(marking_told, seed) == outcome
    assert any(marking.marks)
    assert marking.marks == marking_told.marks


@every_table
def test_no_two_options_of_a_question_read_alike(game: str, players: int) -> None:
    for language in load(game).languages:
        match = load(game).start(players, seed=1, language=language)
        random = Random(1)
        for _ in range(QUESTIONS):
            for choice in match.pending:
                labels = [option.label for option in choice.single]
                assert len(set(labels)) == len(labels), (choice.prompt, labels)
            if not match.is_over:
                choice, option = an_answer(match, random)
                match.answer(choice.player, option)


@every_table
def test_a_record_of_a_match_that_goes_on_replays_too(game: str, players: int) -> None:
    match = table(game, players).start(0, table(game, players).told)
    random = Random(0)
    for _ in range(random.randrange(60)):
        if not match.is_over:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
    again = match.record
    played = replay(again, load(game))
    assert (played.events, played.pending == (), played.record) == (match.events, match.pending == (), again)
