"""The classics are the games that everybody knows: they have as many sequences of moves, and end at random as is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

import pytest

import houserule
from houserule import Match
from houserule.bots.playing import bots_at, play
from houserule.bundled import groups
from houserule.operations.zones import owner
from houserule.running.playout import playout
from tests.bundled import load
from tests.games.every_game import FEW, MATCHES

Rounds = list[tuple[Fraction, tuple[int, int], int | None]]
CLASSICS = groups()["classics"]

SEQUENCES = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120],
    "connect_four": [7, 49, 343, 2401, 16807],
    "reversi": [4, 12, 56, 244, 1396, 8200],
    "checkers": [7, 49, 302, 1469, 7361, 36768],
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
    """What lies where, copies being alike, what variables say, and who is asked."""
    state = match.state
    return (*(tuple(owner(state, piece) for piece in zone) for zone in state.z), *state.v, match.pending[0].player)


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


@pytest.mark.long
def test_tic_tac_toe_at_random_is_won_by_who_begins_in_58_of_100_matches() -> None:
    # One pass for all three: a win counts 1, a draw a million.
    match = load("tic_tac_toe").start(["anna", "ben"], seed=1)
    found = at_random(match, lambda end: Fraction({"win": int(end.winners == ["anna"])}.get(end.ending, 10**6)))
    assert found == Fraction(737, 1260) + 10**6 * Fraction(8, 63)


@pytest.mark.long
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


# --- poker: what chips are worth, if everybody does anything ----------------------------------------------------------

RANKS = ("jack", "queen", "king")


def chips(match: Match) -> Fraction:
    """What the player who began has won."""
    return Fraction(match.scores[match.players[0]])


def test_kuhn_poker_at_random_is_worth_an_eighth_to_who_begins() -> None:
    """Kuhn 1950 has the tree: five ends, of which two ask for a second answer of the first player."""
    found = Fraction(0)
    for first, second in permutations(RANKS, 2):
        given = f"move every card to deck; move card[{first}] to anna.hand; move card[{second}] to ben.hand"
        found += at_random(load("kuhn_poker").start(["anna", "ben"], seed=1, given=given), chips) / 6
    assert found == Fraction(1, 8)


def bets(stakes: tuple[int, int], amount: int, raises: int = 0, mover: int = 0, last: int = 1) -> Rounds:
    """How a round of Leduc poker can end at random, worked out by hand: how likely, with which stakes, and who folds."""
    mine, other = stakes[mover], stakes[1 - mover]
    ways: list[Rounds] = []
    if mine < other:
        ways.append([(Fraction(1), stakes, mover)])
        ways.append([(Fraction(1), (other, other), None)])
    elif mover == last:
        ways.append([(Fraction(1), stakes, None)])
    else:
        ways.append(bets(stakes, amount, raises, 1 - mover))
    if raises < 2:
        raised = (other + amount, other) if mover == 0 else (other, other + amount)
        ways.append(bets(raised, amount, raises + 1, 1 - mover))
    return [(chance / len(ways), end, folds) for way in ways for chance, end, folds in way]


def by_hand(first: str, second: str, third: str) -> Fraction:
    """What Leduc poker with these cards is worth to who begins, at random."""
    strength = [(card == third, RANKS.index(card)) for card in (first, second)]
    sign = (strength[0] > strength[1]) - (strength[0] < strength[1])
    worth = Fraction(0)
    for chance, stakes, folds in bets((1, 1), 2):
        if folds is not None:
            worth += chance * (stakes[1] if folds else -stakes[0])
            continue
        for then, end, gives_up in bets(stakes, 4):
            won = sign * end[0] if gives_up is None else end[1] if gives_up else -end[0]
            worth += chance * then * won
    return worth


def test_leduc_poker_at_random_is_worth_what_it_is_by_hand() -> None:
    deals = list(permutations([(suit, rank) for suit in ("spades", "hearts") for rank in RANKS], 3))
    found = Fraction(0)
    for ranks in {tuple(rank for _, rank in deal) for deal in deals}:
        alike = [deal for deal in deals if tuple(rank for _, rank in deal) == ranks]
        cards = [f"card[{suit}, {rank}]" for suit, rank in alike[0]]
        given = "move every card to deck; " + "; ".join(
            f"move {card} to {zone}" for card, zone in zip(cards, ("anna.hand", "ben.hand", "deck"), strict=True)
        )
        worth = at_random(load("leduc_poker").start(["anna", "ben"], seed=1, given=given), chips)
        assert worth == by_hand(*ranks)
        found += worth * len(alike) / len(deals)
    assert found == Fraction(-5, 64)


def test_as_many_throws_of_five_dice_fit_each_box_as_is_known() -> None:
    """Of 7,776 throws; a small straight is in each large one, and four alike are three as well."""
    count = """
for a in 1..6:
  for b in 1..6:
    for c in 1..6:
      for d in 1..6:
        die[1].pips = a; die[2].pips = b; die[3].pips = c; die[4].pips = d
        if fits(anna, full_house): anna.bonus += 1
        if fits(anna, small_straight): ben.bonus += 1
        if fits(anna, large_straight): carla.bonus += 1
        if fits(anna, five_alike): dora.bonus += 1
        if fits(anna, three_alike): anna.bonus += 10000
        if fits(anna, four_alike): ben.bonus += 10000
"""
    found = Counter[str]()
    for last in range(1, 7):
        match = load("yahtzee").start(["anna", "ben", "carla", "dora"], 1, given=f"die[5].pips = {last}{count}")
        found.update(match.scores)
    assert found == {"anna": 300 + 10_000 * 1656, "ben": 1200 + 10_000 * 156, "carla": 240, "dora": 6}


# --- on average -------------------------------------------------------------------------------------------------------


def test_pig_at_random_yields_ten_points_for_seven_decisions() -> None:
    """A turn has 12/7 decisions and yields 120/49 points on average; by Wald's identity a whole match keeps their ratio."""
    program = load("pig").program(2, told=False)
    ends = [playout(program, seed) for seed in range(400)]
    ratio = sum(sum(end.scores) for end in ends) / sum(end.decisions for end in ends)
    assert ratio == pytest.approx(10 / 7, rel=0.02)


def test_liars_dice_at_random_is_won_as_often_as_by_hand() -> None:
    """Bids at random say nothing of the dice, so that each is true as often as two dice make it so."""
    truths = [Fraction(5, 9)] * 5 + [Fraction(11, 36)] + [Fraction(1, 9)] * 5 + [Fraction(1, 36)]

    def bidder_wins(bid: int) -> Fraction:
        """How likely it is that who has made this bid wins."""
        others = [1 - bidder_wins(higher) for higher in range(bid + 1, len(truths))]
        return (truths[bid] + sum(others, Fraction(0))) / (1 + len(others))

    by_hand = sum(map(bidder_wins, range(12)), Fraction(0)) / 12
    program = load("liars_dice").program(2, told=False)
    wins = sum(playout(program, seed).winners == [0] for seed in range(2000))
    assert wins / 2000 == pytest.approx(float(by_hand), abs=0.03)


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
    play(match, bots_at(match, ["mcts:2", *["random"] * (game.players[0] - 1)], 3), 3)
    assert match.is_over and match.ending in houserule.ENDINGS
