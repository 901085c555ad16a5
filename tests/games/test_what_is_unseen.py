"""What a player may not see never changes what that player is shown: views, options and events."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Match
from tests.games.every_game import LOOKED_AT, MATCHES, an_answer, restartable, start, tables
from tests.games.unseen import another_world, go_on_together, put_anew, retold, shown_to

LOCKSTEP = 40
"""Answers for which two worlds go on side by side."""

every_table = pytest.mark.parametrize(("game", "players"), tables(), ids=lambda value: str(value))


@every_table
def test_a_match_reads_the_same_whatever_a_player_never_saw(game: str, players: int) -> None:
    renamed = 0
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)
        while True:
            if match.is_over or random.random() < LOOKED_AT / 4:
                seat = random.randrange(players)
                number, before, after = retold(match, seat, random)
                assert before == after
                renamed += number
            if match.is_over:
                break
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
    assert renamed or not has_hidden_pieces(match)


@every_table
def test_rules_show_a_player_nothing_of_what_is_hidden_from_them(game: str, players: int) -> None:
    compared = 0
    for seed in range(MATCHES):
        match = start(game, players, seed, restartable(game, players))
        random = Random(seed)
        while not match.is_over:
            if random.random() < LOOKED_AT / 2:
                seat = random.choice(match.pending).seat if random.random() < 0.7 else random.randrange(players)
                found = another_world(match, seat, random)
                if found is not None:
                    other, renaming = found
                    same = match.copy()
                    put_anew(same)
                    put_anew(other)
                    assert shown_to(other, seat) == shown_to(same, seat) == shown_to(match, seat)
                    compared += 1 + go_on_together(same, other, renaming, seat, random, LOCKSTEP)
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
    assert compared or not has_hidden_pieces(match)


@every_table
def test_what_others_answer_at_the_same_time_is_unseen(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)
        while not match.is_over:
            waiting = [choice.seat for choice in match.pending]
            choice, option = an_answer(match, random)
            if len(waiting) > 1 and random.random() < 2 * LOOKED_AT:
                seat = random.choice([seat for seat in waiting if seat != choice.seat])
                kept = (shown_to(match, seat), match.events_for(seat))
                match.answer(choice.player, option)
                assert (shown_to(match, seat), match.events_for(seat)) == kept
            else:
                match.answer(choice.player, option)


def has_hidden_pieces(match: Match) -> bool:
    """Whether a game has zones that not everybody sees into."""
    return any(sight != "all" for sight in match.program.zone_sight)
