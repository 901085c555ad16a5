"""What a score sheet counts in one loop natively comes to the same as in Python, and to the same work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import RuleFault
from houserule.compiler.program import Program, compile_game
from houserule.compiler.questions import Watch
from houserule.native.blueprint import Blueprint
from houserule.native.functions import Module
from houserule.native.machine import Machine
from houserule.native.memory import WORD
from houserule.native.tallies import of_lines
from houserule.operations.fuel import allow_work
from houserule.running.playout import answers_of, finish, play
from houserule.running.state import State
from houserule.study.course import Course
from houserule.study.offers import Items
from tests.bundled import load

SEEDS = 30
GAME = """\
edition: 2026
game: coffers
players: 2..3
enums: {metal: [tin, iron, gold], suit: [red, blue]}
components:
  coin: {attributes: {worth: 0..3}, each: {worth: 0..3}, count: 2, starts_in: bank}
  card:
    attributes: {metal: metal, suit: suit or none = none, cost: 0..4}
    each: {metal: metal, cost: 0..4}
    count: 3
    starts_in: deck
  pebble: {attributes: {size: 0..2}, each: {size: 0..2}, count: 100, starts_in: beach}
zones:
  bank: {holds: coin, visible: all}
  deck: {holds: card, visible: all}
  beach: {holds: pebble, visible: all}
  hand(player): {holds: card, visible: all}
  purse(player): {holds: coin, visible: all}
  tableau: {holds: card, visible: all}
  never: {holds: card, visible: all}
variables:
  marked(card): bool
  owed(coin): 0..9
  n(player): int
flow:
  setup: {do: shuffle deck}
  turn:
    repeat: 6
    turns: players
    do: |
      roll d from 1..6
      draw d - 1 from deck to me.hand
      if d > 3: draw 1 from bank to me.purse
      for c in me.hand:
        c.marked = c.cost == d
      for c in me.purse:
        c.owed = c.worth + d
      choose k from 1..9
      repeat {idle} * d times: me.n = count(i in 1..9 where i != k)
      me.n = k * count(c in me.hand where c.metal == tin) + count(c in me.hand where c.metal == gold)
      if d == 6:
        move me.hand to tableau
        me.n += count(c in me.hand where c.metal == tin)
scoring:
  marked: count(c in me.hand where c.marked)
  gold: count(c in me.hand where c.metal == gold)
  tin: count(c in me.hand where c.metal == tin and c.cost != 3) if me.n > 3 else 0
  most: {for: m in metal, when: "most(p in players by count(c in p.hand where c.metal == m)) == [me]", points: 5}
  sets: min(count(c in me.hand where c.metal == m or c.cost == 2) for m in metal)
  none: {when: me.n > 9, points: count(c in me.hand where c.suit == none) - count(c in me.hand where c.suit == red)}
  owing: count(c in me.purse where c.owed == 3) + count(c in me.purse where c.worth == 2)
  public: count(c in tableau where c.metal == iron) * 2 - count(c in tableau where c.cost == 1 or c.metal == iron)
  empty: count(c in never where c.metal == iron) - count(c in never where c.cost == 1)
  after: (count(c in me.hand where c.metal == gold) after move tableau to me.hand)
  gone: (count(c in me.hand where c.cost == 4) after move me.hand to tableau) + count(c in me.hand where c.cost == 4)
  dear: {for: m in metal, points: "count(c in me.hand where c.metal == m and c.cost >= 3)"}
  beach: count(p in beach where p.size == 2) - count(p in beach where p.size == 1)
winner: {most: points, then: [count(c in me.hand where c.metal == gold)]}
"""


@pytest.fixture
def usual() -> Iterator[None]:
    """What rules may do is as usual again afterwards."""
    yield
    allow_work(1)


def coffers(folder: Path, idle: int = 1) -> houserule.Game:
    """The game, in which some work is for nothing."""
    (folder / "game.yaml").write_text(GAME.replace("{idle}", str(idle)), encoding="utf-8")
    return houserule.load(folder)


def watched(game: houserule.Game, *without: str, players: int = 3) -> Program:
    """A program as studies play it."""
    program = compile_game(game.checked(players), told=False, watched=True, without=frozenset(without))
    program.cells = Items(program).cells(counts=True)
    return program


def in_python(program: Program, seed: int) -> tuple[object, ...]:
    """What a match and its course come to, what it leaves of the work, and what looks leave of theirs."""
    s, watch = State(program, Random(seed)), Watch()
    s.watch, course = watch, Course(program, Items(program), watch)
    watch.look = course.look
    try:
        outcome = finish(program, s, play(program, s, answers_of(seed)))
    except RuleFault as fault:
        return (str(fault),)
    return outcome, watch.rounds, *course.ended(outcome), s.fuel + s.reserve, course.left


def natively(machine: Machine, seed: int) -> tuple[object, ...]:
    """The same."""

    def trapped(seed: int | str) -> tuple[object, ...]:
        assert isinstance(seed, int)
        return in_python(machine.program, seed)

    (found,) = machine.watched([seed], trapped)  # type: ignore[arg-type]  # with what is left
    if machine.replayed:
        machine.replayed = 0
        return found
    outcome, rounds, changes, words = found
    looks = machine.memory.fields["looks"]
    left = int.from_bytes(machine.read(looks, looks + WORD), "little", signed=True)
    return outcome, rounds, changes, list(words), machine.unspent, left


@pytest.mark.parametrize("players", [2, 3])
def test_rows_and_work_are_those_of_python(players: int, tmp_path: Path) -> None:
    game = coffers(tmp_path)
    usual, plain = (watched(game, *without, players=players) for without in ((), ("tallies",)))
    machines = Machine(usual), Machine(plain)
    for seed in range(SEEDS):
        expected = in_python(usual, seed)
        assert len(expected) == 6
        assert [natively(machine, seed) for machine in machines] == [expected] * 2


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(("times", "idle"), [(0.0001, 1), (0.00009, 1), (0.001, 190)])
def test_work_ends_where_it_does_in_python(times: float, idle: int, tmp_path: Path) -> None:
    allow_work(times)
    game = coffers(tmp_path, idle)
    program = watched(game)
    machines = Machine(program), Machine(watched(game, "tallies"))
    expected = [in_python(program, seed) for seed in range(SEEDS)]
    for machine in machines:
        assert [natively(machine, seed) for seed in range(SEEDS)] == expected
    ended = [len(found) == 1 or found[-1] < 0 for found in expected]  # type: ignore[operator]  # a number
    assert 0 < sum(ended) < SEEDS


def test_what_is_counted_in_one_loop(tmp_path: Path) -> None:
    def counted(program: Program) -> dict[int, int]:
        """By the first of some zones, how many numbers are counted in each."""
        found = [loop.keywords for loop in of_lines(Module(Blueprint.of(program)))]  # type: ignore[attr-defined]  # a partial
        return {one["zones"].start: len(one["numbers"]) for one in found}

    game = coffers(tmp_path)
    hands, purses, tableau, never = 3, 6, 9, 10
    assert counted(watched(game)) == {hands: 15, purses: 2, tableau: 2, never: 2}
    assert counted(watched(game, "tallies")) == {}
    assert [len(counted(load(name).program(4, told=False))) for name in ("aladdin", "ali_baba", "hearts")] == [1, 1, 0]
