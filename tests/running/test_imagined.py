"""What if: a legal move is told in one line, of which nothing stays, however the match is played."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game, Match
from houserule.compiler.emitter import run_together
from houserule.trial.check import Wanted, check

# A king and two rooks against the same: no piece may go where its own king would be attacked then, nor leave it so.
ROOKS = """\
edition: 2026
game: rooks
players: 2
enums:
  shape: [king, rook]
components:
  field:
    attributes: {row: 1..5, column: 1..5}
    each: {row: 1..5, column: 1..5}
  man:
    attributes: {seat: player, shape: shape}
    each: {seat: player, shape: shape}
    count: 1 if it.shape == king else 2
    starts_in: box
zones:
  box: {holds: man, visible: all}
  on(field): {holds: man, visible: all, capacity: 1}
  lost: {holds: man, visible: all}
variables:
  moves: int
functions:
  reaches(man m, field goal): |
    here = place(m, on)
    if not here or here == goal: finish with false
    rows = abs(here.row - goal.row)
    columns = abs(here.column - goal.column)
    if m.shape == king: finish with max(rows, columns) == 1
    if rows > 0 and columns > 0: finish with false
    finish with all(empty(on[f]) for f in field where f != here and f != goal and f.row in min(here.row, goal.row)..max(here.row, goal.row) and f.column in min(here.column, goal.column)..max(here.column, goal.column))
  attacked(player p): any(f in field where (m in on[f] where m.seat == p and m.shape == king) != [] and any(e in man where e.seat != p and reaches(e, f)))
  legal(man m, field goal): reaches(m, goal) and not any(own in on[goal] where own.seat == m.seat) and (not attacked(m.seat) after perform go(m, goal))
actions:
  go(man m, field goal): |
    move on[goal] to lost
    move m to on[goal]
    moves += 1
    say "{m} goes."
flow:
  set_out:
    do: |
      for m in box:
        roll f from (f in field where empty(on[f]) and (not any(p in players where attacked(p)) after move m to on[f]))
        if f: move m to on[f]
  play:
    repeat: 12
    steps:
      turn:
        turns: players
        do: |
          choose m from (m in man where m.seat == me and any(f in field where legal(m, f))):
            choose goal from (f in field where legal(m, f)):
              perform go(m, goal)
          else:
            end game
winner: {most: 1}
"""

Place = tuple[int, int]
Board = dict[int, Place]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rooks") / "game.yaml"
    path.write_text(ROOKS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rooks(file: Path) -> Game:
    return houserule.load(file)


def board_of(match: Match) -> Board:
    """Where each man stands, by a way of its own."""
    state, symbols = match.state, match.state.program.symbols
    man, on, fields = symbols.kinds["man"], symbols.zones["on"], symbols.kinds["field"]
    found = {}
    for number in man.numbers:
        where = state.w[number]
        if on.base <= where < on.base + on.size:
            row, column = divmod(on.index(where)[0] - fields.base, 5)
            found[number - man.base] = (row, column)
    return found


def is_king(man: int) -> bool:
    return man % 3 == 0


def seat_of(man: int) -> int:
    return man // 3


def reached(board: Board, man: int, goal: Place) -> bool:
    """Whether a man could go there if nobody minded the kings."""
    (row, column), (to_row, to_column) = board[man], goal
    rows, columns = abs(row - to_row), abs(column - to_column)
    if is_king(man):
        return max(rows, columns) == 1
    if (rows > 0) == (columns > 0):
        return False
    steps = max(rows, columns)
    between = [(row + (to_row - row) * n // steps, column + (to_column - column) * n // steps) for n in range(1, steps)]
    return not any(place in board.values() for place in between)


def is_attacked(board: Board, seat: int) -> bool:
    kings = [place for man, place in board.items() if is_king(man) and seat_of(man) == seat]
    return any(reached(board, man, king) for king in kings for man in board if seat_of(man) != seat)


def legal_goals(board: Board, man: int) -> list[Place]:
    """What the rules say of a man, worked out on boards of our own."""
    found = []
    for goal in product(range(5), repeat=2):
        there = [other for other, place in board.items() if place == goal]
        if any(seat_of(other) == seat_of(man) for other in there) or not reached(board, man, goal):
            continue
        after = {other: place for other, place in board.items() if other not in there} | {man: goal}
        if not is_attacked(after, seat_of(man)):
            found.append(goal)
    return found


def test_a_legal_move_is_one_line_and_right(rooks: Game) -> None:
    chance, compared = Random(5), 0
    for seed in range(3):
        match = rooks.start(2, seed)
        assert not any(is_attacked(board_of(match), seat) for seat in (0, 1))
        while match.pending:
            (choice,) = match.pending
            base = match.program.symbols.kinds["man"].base
            if choice.name == "m":
                board = board_of(match)
                men = {man for man in board if seat_of(man) == match.state.asker}
                assert {number - base for number in match.state.options} == {
                    man for man in men if legal_goals(board, man)
                }
                compared += 1
            match.answer(choice.player, chance.choice(choice.options))
            said = [event for event in match.events if event.kind == "say"]
            assert len(said) == sum(view.value for view in match.view().variables if view.name == "moves"), (
                "only what is really done is told"
            )
    assert compared > 40


def test_all_that_holds_of_any_match_holds_where_effects_are_imagined(file: Path) -> None:
    found = check(file, Wanted(matches=3))
    assert not found.violations


def test_what_is_imagined_is_work(rooks: Game) -> None:
    match = rooks.start(2, 1)
    program = match.program
    (legal,) = (r for r in program.symbols.imagined if r.imagined_in == "legal")
    man, state, kept = program.symbols.kinds["man"].base, match.state, match.state.copy()
    before = state.fuel = 10**9
    program.namespace["f_" + run_together(legal.name)](state, man, 1)
    assert (state.v, state.z, state.w, state.log) == (kept.v, kept.z, kept.w, kept.log)
    assert before - state.fuel > 50
