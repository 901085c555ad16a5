"""The classics are the games that everybody knows: they have as many sequences of moves, and end at random as is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import houserule
from houserule import Match
from houserule.bots.playing import bots_at, play
from houserule.bundled import groups
from houserule.running.playout import playout
from tests.bundled import load
from tests.games.every_game import FEW, MATCHES

CLASSICS = groups()["classics"]

SEQUENCES = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120],
    "connect_four": [7, 49, 343, 2401, 16807],
}
"""How many sequences of one move, of two, and so on there are; published for each. `make invariants` counts the long ones."""


def after_each(match: Match) -> Iterator[Match]:
    """The match after each answer that can be given now."""
    choice = match.pending[0]
    for option in choice.options:
        after = match.copy()
        after.answer(choice.player, option)
        yield after


def sequences(match: Match, moves: int) -> int:
    """How many sequences of so many moves can follow. Answers of one player after another are one move."""
    if match.is_over:
        return 0
    mover = match.pending[0].player
    found = 0
    for after in after_each(match):
        if not after.is_over and after.pending[0].player == mover:
            found += sequences(after, moves)
        else:
            found += 1 if moves == 1 else sequences(after, moves - 1)
    return found


@pytest.mark.parametrize("name", SEQUENCES)
def test_there_are_as_many_sequences_of_moves_as_is_known(name: str) -> None:
    match = load(name).start(2, seed=1)
    known = [number for number in SEQUENCES[name] if number < 2000 or MATCHES > FEW]
    assert [sequences(match, moves) for moves in range(1, len(known) + 1)] == known


# --- exactly, over all matches ----------------------------------------------------------------------------------------


def table_of(match: Match) -> tuple[object, ...]:
    """What lies where, copies being alike, and who is asked."""
    state = match.state
    return (*(tuple(map(state.owner_of, zone)) for zone in state.z), match.pending[0].player)


def at_random(match: Match, worth: Callable[[Match], Fraction]) -> Fraction:
    """What the end of a match is worth on average, if each answer is as likely as any other; without chance in the rules."""
    known: dict[tuple[object, ...], Fraction] = {}

    def average(match: Match) -> Fraction:
        if match.is_over:
            return worth(match)
        table = table_of(match)
        if table not in known:
            worths = [average(after) for after in after_each(match)]
            known[table] = sum(worths, Fraction(0)) / len(worths)
        return known[table]

    return average(match)


def test_tic_tac_toe_at_random_is_won_by_who_begins_in_58_of_100_matches() -> None:
    # One pass for all three: a win counts 1, a draw a million.
    match = load("tic_tac_toe").start(["anna", "ben"], seed=1)
    found = at_random(match, lambda end: Fraction({"win": int(end.winners == ["anna"])}.get(end.ending, 10**6)))
    assert found == Fraction(737, 1260) + 10**6 * Fraction(8, 63)


def test_nim_is_lost_by_who_begins() -> None:
    """1, 3, 5 and 7 have the nim-sum 0, so that the other wins, whether the last match loses (Bouton 1901) or wins."""
    for last_wins in (False, True):
        known: dict[tuple[object, ...], bool] = {}

        def can_win(match: Match, known: dict[tuple[object, ...], bool] = known) -> bool:
            mover, table = match.pending[0].player, table_of(match)
            if table not in known:
                known[table] = any(
                    after.winners == [mover] if after.is_over else not can_win(after) for after in after_each(match)
                )
            return known[table]

        game = houserule.load("nim", options={"last_wins": last_wins})
        assert not can_win(game.start(2, seed=1))


# --- on average -------------------------------------------------------------------------------------------------------


def test_pig_at_random_yields_ten_points_for_seven_decisions() -> None:
    """A turn has 12/7 decisions and yields 120/49 points on average; by Wald's identity a whole match keeps their ratio."""
    program = load("pig").program(2, told=False)
    ends = [playout(program, seed) for seed in range(400)]
    ratio = sum(sum(end.scores) for end in ends) / sum(end.decisions for end in ends)
    assert ratio == pytest.approx(10 / 7, rel=0.02)


def test_a_hand_of_hearts_has_26_points_or_78_when_somebody_takes_all() -> None:
    program = load("hearts").program(4, told=False)
    ends = [playout(program, seed) for seed in range(200)]
    assert {sum(end.scores) for end in ends} <= {26, 78}
    assert {end.decisions for end in ends} == {4 + 52}
    assert any(max(end.scores) < 26 for end in ends)


# --- every classic ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSICS)
def test_a_bot_that_thinks_and_one_at_random_play_it_to_the_end(name: str) -> None:
    game = load(name)
    match = game.start(game.players[0], seed=3)
    play(match, bots_at(match, ["mcts:8", *["random"] * (game.players[0] - 1)], 3), 3)
    assert match.is_over and match.ending in houserule.ENDINGS
