"""Every helper of the runtime is in the subset that can be translated, or known by name to the translator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import indent

import pytest

import houserule
from houserule.compiler.program import Program, compile_game
from houserule.compiler.runtime import LINKED
from houserule.native.blueprint import SOURCES, Blueprint
from houserule.native.calls import BUILT_IN
from houserule.native.engines import machine_of
from houserule.native.module import Written
from houserule.native.stand_ins import STAND_INS
from houserule.operations import RUNTIME
from houserule.running.playout import playout
from tests.any_rules import Rules
from tests.bundled import load
from tests.native.same_work import hold_same_work
from tests.native.test_agreement import BY_POSITION
from tests.test_operations import GAME, ROWS

MARKED = {"mark", "way"}
"""What only programs call that mark what is carried out."""
EXAMPLES = {
    **{f"{row.id}": row.values[1] for row in ROWS},
    "a loop": "while marker < 3: marker += 1\nmarker = 0",
    "what calls itself": "perform count_down(4)",
    "a tuple": 'choose a from me.hand, b from p in players where a.cost >= 0 "Which?":\n  me.score += a.cost',
    "a selection": "choose 0..2 taken from me.hand:\n  move taken to discard",
    "what if": "if (count(discard) > 2 after draw 2 from deck to discard): me.score += 1",
    "swapped pieces": "a = top(deck)\nb = top(me.hand)\nif a and b: swap a with b",
    "filters by several attributes": (
        "me.score += count(c in me.hand where c.cost == 2 and c.suit != cups)\n"
        "move (c in me.hand where c.cost == 1 or c.suit == swords) to discard\n"
        "marker += count(c in discard where c.suit == swords or c.cost == marker or c.cost == 3)"
    ),
    "tests that stop": (
        "me.score += 1 if any(c in me.hand where any(d in discard where d.suit == c.suit)) else 0\n"
        "me.score += 2 if all(any(d in discard where d.cost < c.cost) for c in me.hand) else 0\n"
        "me.score += 4 if not any(c in me.hand where not any(d in discard where d.cost >= c.cost)) else 0\n"
        "me.score += 8 if empty(c in me.hand where count(d in me.hand where d.cost == c.cost) > 1) else 0"
    ),
    "groups on a board": (
        "marker = 1 + count(me.hand) % 3\n"
        "me.score += count(group((f in field where f.row != 2 or f.column == marker), field[1, 1]))\n"
        "me.score += 20 if any(f in group((f in field where f.column != marker), field[3, 3]) where any(g in f.neighbours where g.row == marker)) else 0\n"
        "for f in group((f in field where f.row != marker), field[2, 2]): me.score += f.row"
    ),
    "rows of a table": (
        "many = count(me.hand) % 4\n"
        "me.score += count(f in field where any(g in f.neighbours where g.row < many and g.row != 2))\n"
        "me.score += 20 * count(f in field where not any(g in f.neighbours where g.column == many or g.column > 2))\n"
        "me.score += 400 if any(f in field where empty(g in f.neighbours where g.row > many)) else 0"
    ),
    "a trigger that asks": "marker += 1\ndraw 1 from deck to discard",
}
TRIGGERS = """\
triggers:
  guessed:
    whenever: marker changes
    do: |
      for p in players:
        as p:
          choose n from 1..3
          me.score += n
  counted:
    whenever: card enters discard
    do: |
      for p in players: p.score += 1
flow:
"""
ACTIONS = """\
actions:
  count_down(int n): |
    me.score += n
    if n > 0: perform count_down(n - 1)
flow:
"""


def rules(name: str, folder: Path) -> Path:
    """A small game whose turns do what an example says."""
    text = GAME.format(effect=indent(str(EXAMPLES[name]), " " * 6))
    if "count_down" in text:
        text = text.replace("flow:\n", ACTIONS, 1)
    if name == "a trigger that asks":
        text = text.replace("flow:\n", TRIGGERS, 1)
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_an_example_does_is_the_same_natively_and_as_much_work(name: str, tmp_path: Path) -> None:
    program = houserule.load(rules(name, tmp_path)).program(2, told=False)
    hold_same_work(program)


LISTS = """\
edition: 2026
game: lists
players: 2
components:
  gem: {pieces: {red: {count: 5}, blue: {count: 5}}, starts_in: bank}
  card:
    attributes: {worth: 0..9, cost: {type: list of 0..5}}
    pieces: {one: {worth: 1, cost: [1, 2, 0], count: 10}, two: {worth: 2, cost: [0, 2, 5], count: 10}, three: {worth: 3, cost: [4], count: 10}}
    starts_in: deck
zones:
  bank: {holds: gem, visible: all}
  deck: {holds: card, visible: none}
  market(1..12 slot): {holds: card, visible: all, capacity: 1}
  hand(player): {holds: card, visible: all}
variables: {score(player): int, n: 0..9}
flow:
  prepare:
    do: |
      shuffle deck
      for i in 1..12: draw 1 from deck to market[i]
  turn:
    repeat: 4
    turns: players
    do: |
      n = (n * 3 + 1) % 7
      choose c from market:
DOES
        move c to me.hand
scoring: {score: me.score}
"""
OF_NUMBERS = ("c.cost", "[3, 4, 5]", "[n, 2, me.score]", "(1..n)", "(x in 0..n where x != 2)", "(c.cost + [n])", "([1, 2] if n > 3 else c.cost)",
              "reverse(c.cost)", "first(c.cost, 2)", "(x.worth + 1 for x in market)")  # fmt: skip
OF_CARDS = (
    "market",
    "me.hand",
    "[c]",
    "every card",
    "(me.hand + [c])",
    "(x in market where x.worth > n % 3)",
    "most(x in market by x.worth)",
)
WITH_LISTS = (
    "me.score += position({list}, {member}) * 3 + count({list})",
    "me.score += 5 if {member} in {list} else 0",
    "if not empty({list}): me.score += count(distinct({list})) + count(last({list}, n)) + count(first({list}, n))",
    "me.score += count({list} - {list}) + count({list} + {list})",
    "for x in {list}: me.score += x{worth}",
    "m = item({list}, n) if n > 0 else none\nif m: me.score += m{worth}",
    "choose x from {list}: me.score += x{worth}",
    "choose 1..2 x from {list}\nme.score += count(x)",
    "x = {list} if n > 3 else {list}\nme.score += count(x)",
)


@pytest.mark.parametrize("listed", [*OF_NUMBERS, *OF_CARDS])
def test_any_function_of_any_list_is_translated(listed: str, tmp_path: Path) -> None:
    words = (
        {"list": listed, "member": "n", "worth": ""}
        if listed in OF_NUMBERS
        else {"list": listed, "member": "c", "worth": ".worth"}
    )
    lines = "\n".join(WITH_LISTS).format(**words)
    path = tmp_path / "lists.yaml"
    path.write_text(LISTS.replace("DOES", indent(lines, " " * 8)), encoding="utf-8")
    program = houserule.load(path).program(2, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(6))) == [playout(program, seed) for seed in range(6)]
    assert machine.replayed == 0


OF_ANY_KIND = """\
edition: 2026
game: mixed
players: 2
components: {man: {starts_in: heap, pieces: {one: {count: 2}}}, tile: {starts_in: heap, pieces: {red: {count: 2}}}}
zones: {heap: {holds: piece, visible: all}, row: {holds: man, visible: all}}
flow: {go: {do: move first(heap) to row}}
winner: {when: true}
"""


def programs(folder: Path) -> Iterator[Program]:
    """Programs that call every helper together; those that call what few do come early."""
    small = Path(__file__).parents[1] / "games/small"
    file = folder / "rules.yaml"
    for name in EXAMPLES:
        yield houserule.load(rules(name, folder)).program(2, told=False)
    for name in ("parlour", "quilt", "floes"):
        yield houserule.load(small / name).program(2, told=False)
    yield compile_game(load("pig").checked(2), told=False, without=frozenset({"drawing"}))
    file.write_text(BY_POSITION, encoding="utf-8")
    yield houserule.load(file).program(2, told=False)
    file.write_text(OF_ANY_KIND, encoding="utf-8")
    yield houserule.load(file).program(2, told=False)
    for name, players in (("master_thieves", 3), ("yahtzee", 2), ("ali_baba", 3), ("rattlebones", 3), ("aladdin", 3)):
        yield load(name).program(players, told=False)
    for seed in (2, 1, 35, *range(8)):  # with triggers, and copies that nothing tells apart
        file.write_text(Rules(Random(seed)).game(), encoding="utf-8")
        yield houserule.load(file).program(2, told=False)


@pytest.mark.long
def test_no_helper_drifts_out_of_the_subset(tmp_path: Path) -> None:
    known = {getattr(function, "__name__", "") for function in (*STAND_INS, *BUILT_IN)}
    helpers = {name: helper.__name__ for name, helper in {**RUNTIME, **LINKED}.items() if callable(helper)}
    left = set(helpers)
    for program in programs(tmp_path):
        Written(Blueprint.of(program))
        reached = {function.__name__ for function in SOURCES}
        left = {name for name, helper in helpers.items() if helper not in reached | known}
        if left == MARKED:
            break
    assert left == MARKED
