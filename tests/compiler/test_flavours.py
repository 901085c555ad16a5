"""The told program stops at each question, in the quiet one chance answers where it stands: both come to the same.

A few rules as chance would have them run with the tests, always the same. With `HOUSERULE_FUZZ=5000` so many others do.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule
from houserule import Game, RuleFault
from houserule.compiler.program import Program
from houserule.running.playout import Outcome, finish, play
from houserule.running.state import State
from tests.any_rules import Rules

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))

GAME = """\
edition: 2026
game: detours
players: 3
enums:
  spell:
    effects: [cast]
    members:
      ask_more:
        cast: |
          choose n from 1..3
          me.score += n
      hum: {cast: me.score += 10}
      rest:
components:
  card: {pieces: {ace: {count: 4}, king: {count: 4}}, starts_in: deck}
zones:
  deck: {holds: card, visible: all, order: none}
  hand(player): {holds: card, visible: all, order: none}
variables:
  score(player): int
actions:
  look_far: |
    for p in players:
      repeat 3 times:
        p chooses n from 1..6 "How many?"
        if n == 6: finish with p
        p.score += n
    finish with first(players)
flow:
  many:
    repeat: 20
    steps:
      turn:
        turns: players
        do: |
          DO
scoring: {score: me.score}
"""

WAYS = {
    "out of two loops": """
for p in players:
  for x in spell:
    choose n from 1..4
    if n == 1: finish
    if n == 2: leave
    p.score += n
me.score += 100
""",
    "out of steps": """
for p in players:
  while p.score < 1000:
    choose n from 1..9
    if n == 1: finish many
    if n == 2 and p.score > 500: leave many
    if n == 3: finish turn
    p.score += 10 * n
me.score += 7
""",
    "a number of times": """
choose n from 1..3
repeat n times:
  choose m from 1..5
  if m == 5: leave
  me.score += m
""",
    "effects that ask, that do not, and none": """
for x in spell: perform x.cast
""",
    "several, some or none": """
draw 2 from deck to me.hand
choose 1..2 given or pass from me.hand
for g in given: move g to deck
choose 0..9 more from me.hand
me.score += 10 * count(more)
choose 1 others from me.hand
for g in others: move g to deck
""",
    "one, or none of them": """
draw 3 from deck to me.hand
choose c from me.hand
if c: move c to deck
choose d or pass from me.hand
if d: me.score += 1
choose "Which?":
  "One" when me.score > 3: me.score += 1
  "Other" when me.score > 5: me.score += 2
choose "Or none?" or pass:
  "One": me.score += 3
""",
    "several things in one question": """
draw 3 from deck to me.hand
choose c or pass from me.hand, p from q in players where q != me or q.score > 9: me.score += p.score + count(me.hand)
choose a from 1..4, b from 1..a, x from spell
if a > b: me.score += 1
choose d from me.hand, e from me.hand where it > d:
  choose n from 1..2, m from n..3
  move [d, e] to deck
  me.score += 10 * n + m
else: me.score += 1
""",
    "who is found": """
p = perform look_far
p.score += 1
""",
    "all at once": """
together players:
  choose n from 1..3
  if n == 1: finish
  choose m from 1..n
  me.score += m
race p in players must p.score > 5 as order
for p in order where p == first(order): p.score += 1
""",
    "the end of the game": """
choose n from 1..9
if n == 9: end game
me.score += n
""",
}


WAYS["out of more loops than Python nests"] = "\n".join(
    [
        *("  " * level + f"for x{level} in 1..2:" for level in range(33)),
        f"{'  ' * 33}choose n from 1..3",
        f"{'  ' * 33}me.score += n",
        f"{'  ' * 33}if n == 1 and me.score > 20: finish",
        f"{'  ' * 33}if n == 2 and me.score > 20: leave turn",
    ]
)


def game(folder: Path, effects: str, rules: str = GAME) -> Game:
    (folder / "detours").mkdir()
    written = rules.replace("DO\n", effects.strip().replace("\n", "\n          ") + "\n")
    (folder / "detours" / "game.yaml").write_text(written, encoding="utf-8")
    return houserule.load(folder / "detours")


def at_random(program: Program, seed: int) -> tuple[Outcome, State]:
    """A match played at random, and its state at the end."""
    generator = Random(seed)
    s = State(program, generator)
    decisions = play(program, s, generator)
    return finish(program, s, decisions), s


def fault_at_random(program: Program, seed: int) -> str:
    """The fault in which a match ends that is played at random."""
    with pytest.raises(RuleFault) as fault:
        at_random(program, seed)
    return str(fault.value)


def without_counts(fault: str) -> str:
    """A fault without what too much work was for: only a match that is told counts its events apart."""
    return re.sub(r"these did .*? Most was done here: [^;]*", "", fault)


def check_both_ways(game: Game, players: int, seeds: range) -> None:
    told, quiet = game.program(players, told=True), game.program(players, told=False)
    for seed in seeds:
        (outcome, stopping), (again, going_on) = at_random(told, seed), at_random(quiet, seed)
        assert again == outcome
        assert (going_on.v, going_on.z, going_on.w) == (stopping.v, stopping.z, stopping.w)


@pytest.mark.parametrize("effects", WAYS.values(), ids=WAYS)
def test_every_way_on_leads_to_the_same_place(effects: str, tmp_path: Path) -> None:
    check_both_ways(game(tmp_path, effects), 3, range(20))


TOO_MUCH = """
choose n from 1..3
perform ask_on(n)
me.score += n
"""

FAULTY = GAME.replace(
    "  look_far:", "  ask_on(int n): |\n    choose m from 1..3\n    me.few += n * m\n  look_far:"
).replace("  score(player): int\n", "  score(player): int\n  few(player): 0..50\n")


def test_what_is_at_fault_is_said_alike(tmp_path: Path) -> None:
    loaded = game(tmp_path, TOO_MUCH, FAULTY)
    fault = fault_at_random(loaded.program(3, told=False), 1)
    assert fault == fault_at_random(loaded.program(3, told=True), 1)
    assert "few" in fault and "ask_on" in fault


MUCH_AT_ONCE = """
if me == first(players):
  repeat 9 times:
    made = 0
    repeat 9000 times: made = made % 9 + 1
    me.score += made
  choose any_number from 1..9
  together players:
    choose n from 1..3
    repeat 9 times:
      sum_up = 0
      repeat 9000 times: sum_up = sum_up % 9 + n
      me.score += sum_up
    choose m from 1..n, k from m..3:
      me.score += m * k
"""


def test_the_parts_of_what_all_do_at_once_may_work_much(tmp_path: Path) -> None:
    check_both_ways(game(tmp_path, MUCH_AT_ONCE, GAME.replace("repeat: 20", "repeat: 1")), 3, range(1))


NOBODY_THERE = """
n = 2
choose m from 1..3
boss[n + m] chooses k from 1..3
me.score += k
"""


def test_where_nobody_can_be_asked_that_is_a_fault_both_ways(tmp_path: Path) -> None:
    rules = GAME.replace("variables:\n", "variables:\n  boss(0..4): {type: player, start: first(players)}\n")
    loaded = game(tmp_path, NOBODY_THERE, rules)
    fault = fault_at_random(loaded.program(3, told=False), 1)
    assert fault == fault_at_random(loaded.program(3, told=True), 1)
    assert "there is no entry 5" in fault


def test_effects_may_not_be_performed_too_deep(tmp_path: Path) -> None:
    names = [f"deep_{number}" for number in range(105)]
    members = ", ".join(
        f'{name}: "choose n from 1..2; me.score += n; perform rest.{onward}; me.score += 1"'
        for name, onward in pairwise(names)
    )
    rules = GAME.replace("effects: [cast]", f"effects: [cast, {', '.join(names)}]")
    rules = rules.replace(
        "      rest:\n", f"      rest: {{{members}, {names[-1]}: choose n from 1..2; me.score += n}}\n"
    )
    program = game(tmp_path, "perform rest.deep_0", rules).program(3, told=False)
    assert "deeper than 100" in fault_at_random(program, 1)


ASKING_TRIGGER = GAME.replace(
    "flow:",
    """\
triggers:
  again:
    whenever: score of p changes
    do: |
      p chooses n from 1..2
flow:""",
)
CALLS_ITSELF = GAME.replace(
    "  look_far:",
    """\
  dig(int depth): |
    choose "Deeper?":
      "Yes": me.score += depth
      "No": finish
    if depth > 0: perform dig(depth - 1)
  look_far:""",
)


COPIES = """
together players:
  choose n from 1..3
  me.score += n + count(p in players where p.score > n)
"""

FROM_BEFORE = """\
together players:
  choose n from 1..3
  x = x + n
  me.score += x
"""
INDENTED = "".join(f"\n    {line}" for line in FROM_BEFORE.strip().split("\n"))


@pytest.mark.parametrize(
    ("effects", "rules"),
    [
        ("choose n from 1..3; me.score += n", ASKING_TRIGGER),
        ("perform dig(5)", CALLS_ITSELF),
        (COPIES, GAME),
        ("x = 0\n" + FROM_BEFORE, GAME),
        ("perform share(5)", GAME.replace("  look_far:", f"  share(int x): |{INDENTED}\n  look_far:")),
    ],
    ids=[
        "a trigger asks",
        "what asks performs itself",
        "everybody has a copy of the table",
        "everybody changes a name from before",
        "everybody changes a parameter",
    ],
)
def test_where_rules_have_to_stop_they_do(effects: str, rules: str, tmp_path: Path) -> None:
    check_both_ways(game(tmp_path, effects, rules), 3, range(5))


@settings(
    max_examples=EXAMPLES or 15,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_any_rules_come_to_the_same_both_ways(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any_rules.yaml"
    path.write_text(Rules(Random(seed)).game(), encoding="utf-8")
    loaded = houserule.load(path)
    told, quiet = loaded.program(2, told=True), loaded.program(2, told=False)
    for number in range(2):
        try:
            outcome, stopping = at_random(told, number)
        except RuleFault as fault:
            other = without_counts(fault_at_random(quiet, number))
            # What never ends stops where its work does: events, which only one of the two has, are work as well.
            assert other == without_counts(str(fault)) or ("takes too long" in str(fault) and "too many" in other)
        else:
            again, going_on = at_random(quiet, number)
            assert again == outcome
            assert (going_on.v, going_on.z, going_on.w) == (stopping.v, stopping.z, stopping.w)
