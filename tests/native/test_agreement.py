"""Matches at random come to the same natively as in Python: outcomes, lengths, and the whole table at every question.

A few seeds of each game run with the tests; `make bench` plays thousands.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule
from houserule import Outcome, RuleFault
from houserule.compiler.optimisations import NATIVE
from houserule.compiler.program import Program, compile_game
from houserule.native.blueprint import Blueprint
from houserule.native.engines import NotNative, machine_of
from houserule.native.machine import Machine
from houserule.native.module import Written
from houserule.native.values import INLINED
from houserule.running.playout import answers_of, play_on, playout
from houserule.running.state import State
from tests.any_rules import Rules
from tests.bundled import load
from tests.taking_long import but_later

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))
SEEDS = 12
TABLES = [
    ("aladdin", (), 4),
    ("ali_baba", (), 3),
    ("hearts", (), 4),
    ("liars_dice", (), 3),
    ("reversi", (), 2),
]
LARGE_TABLES = [
    ("aladdin", ("desert_wind",), 2),
    ("master_thieves", (), 5),
    ("rattlebones", (), 2),
    ("checkers", (), 2),
    ("yahtzee", (), 2),
]


def in_python(program: Program, seed: int) -> Outcome | None:
    """The outcome of a match; None where a rule fails."""
    try:
        return playout(program, seed)
    except RuleFault:
        return None


def see_alike(rules: str, matches: int, folder: Path) -> tuple[Program, Machine]:
    """See that matches of two end alike, and that none is left to Python; returns the program and its translation."""
    path = folder / "game.yaml"
    path.write_text(rules, encoding="utf-8")
    program = houserule.load(path).program(2, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(matches))) == [playout(program, seed) for seed in range(matches)]
    assert machine.replayed == 0, "a match was left to Python"
    return program, machine


@pytest.mark.parametrize(
    ("name", "variants", "players"),
    [*TABLES, *(pytest.param(*one, marks=pytest.mark.long) for one in LARGE_TABLES)],
    ids=lambda value: str(value),
)
def test_matches_end_alike(name: str, variants: tuple[str, ...], players: int) -> None:
    program = load(name, variants).program(players, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(SEEDS))) == [playout(program, seed) for seed in range(SEEDS)]
    assert machine.replayed == 0, "a match was left to Python"


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "pig"])
def test_matches_end_alike_whatever_their_seeds_look_like(name: str) -> None:
    short, long = [*range(5)], [1 << 32, 1 << 40, (1 << 64) - 1]
    mixed = [*long, *short, *long, *short, *(number << 33 for number in range(1, 14))]
    others: list[int | str] = [*short, "a seed", -3, 1 << 64, (1 << 64) + 7, "", *long]
    program = load(name).program(2, told=False)
    machine = machine_of(program)
    for seeds in (mixed, others, short[:1], long[:2]):
        assert list(machine.outcomes(seeds)) == [playout(program, seed) for seed in seeds]
    assert machine.replayed == 0, "a match was left to Python"


def test_a_match_after_one_that_only_python_can_play_has_its_own_seed(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(TRAPPED, encoding="utf-8")
    program = houserule.load(file).program(2, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(40))) == [playout(program, seed) for seed in range(40)]
    assert 3 < machine.replayed < 37


TRAPPED = """\
edition: 2026
game: large
players: 2
variables: {much: int = 1}
flow:
  turn:
    turns: players
    do: |
      roll d from 1..6
      much = d * 400000 * (d * 400000) * (d * 400000) % 97
      choose n from 1..9 "How many?": much += n
scoring: {worth: much % 1000}
"""


LARGE = "2147483647 * 2147483647"
WIDE = """\
edition: 2026
game: wide
players: 2
enums: {{metal: [tin, iron, gold]}}
tables: {{big: [{large} * 2, 1]}}
variables: {{s(player): int}}
functions:
  wide(int n): n * {large}
  doubled(int n): doubled(n - 1) + doubled(n - 1) if n > 0 else 2147483647
flow:
  turn:
    turns: players
    do: |
      roll n from 1..9
      {does}
scoring: {{s: me.s}}
"""
WIDE_RULES = (
    "me.s = 1 if n * 65536 * 65536 * 65536 * 65536 == 0 else 2",
    f"me.s = 1 if n * {LARGE} * 3 > 0 else 2",
    "me.s = 1 if wide(n) * 5 > 0 else 2",
    "me.s = 1 if doubled(n + 6) > 0 and doubled(n + 6) + doubled(n + 6) + doubled(n + 6) > 0 else 2",
    f"me.s = 1 if sum(n * {LARGE} for i in 1..5) > 0 else 2",
    f"me.s = 1 if sum(x + x for x in (y + y for y in [n * {LARGE}])) > 0 else 2",
    f"me.s = 1 if abs(0 - n * {LARGE} * 5) > 3 else 2",
    "me.s = n * 65536 * 65536 * 65536 * 65536 % 1000",
    f"me.s = n * {LARGE} * 3 // 2147483647 // 2147483647",
    "me.s = count((n * 65536 * 65536 * 65536 * 65536)..5)",
    f"x = first(m in metal by position(metal, m) * {LARGE} * 3)\n      me.s = 1 if x == tin else 2",
    f"x = first(most(m in metal by position(metal, m) * {LARGE} * 3))\n      me.s = 1 if x == gold else 2",
    "me.s = 1 if big[n % 2] + big[n % 2] > 1 else 2",
    "me.s = 1 if sum(x for x in [big[0], big[0], n]) > 0 else 2",
    "me.s = 1 if n * 1024 * 1024 * 1024 * -1024 + (n - 1) * 3 < 0 else 2",
)


@pytest.mark.parametrize("does", but_later(WIDE_RULES, {rule for rule in WIDE_RULES if rule.count("doubled") > 2}))
def test_numbers_within_a_rule_have_room_natively_as_in_python(does: str, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(WIDE.format(does=does, large=LARGE), encoding="utf-8")
    program = houserule.load(file).program(2, told=False)
    assert list(machine_of(program).outcomes(range(10))) == [playout(program, seed) for seed in range(10)]


DIVIDING = """\
edition: 2026
game: dividing
players: 1
variables: {n: -40..40}
flow:
  turn:
    do: |
      roll d from 1..81
      n = d - 41
scoring:
  quotients: n // 1 + n // 2 * 100 + n // 8 * 10000 + n // 16 * 1000000 + n // 7 * 100000000
  remainders: n % 1 + n % 2 * 100 + n % 8 * 10000 + n % 16 * 1000000 + n % 7 * 100000000
"""


def test_triggers_around_actions_stand_beside_a_together(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: paid
players: 2
components: {hero: {starts_in: deck, pieces: {bard: {count: 9}}}}
zones:
  deck: {holds: hero, visible: none}
  discard: {holds: hero, visible: all}
  hand(player): {holds: hero, visible: owner, order: none}
variables: {coins(player): 0..99}
triggers:
  paid: {whenever: after pay, do: "for p in players: p.coins += 2"}
  pays: {whenever: before pay, do: "for p in players: p.coins += 4"}
  thrown: {whenever: h enters discard, do: "for p in players: p.coins += 8"}
actions: {pay: me.coins += 1}
flow:
  setup: {do: "for p in players: draw 2 from deck to p.hand"}
  day: {turns: players, do: perform pay}
  night:
    together: players
    do: |
      choose spent from me.hand "Throw which away?": move spent to discard
scoring: {c: me.coins}
""",
        encoding="utf-8",
    )
    game = houserule.load(tmp_path)
    found = [[*game.random_matches(2, range(20), engine)] for engine in ("python", "native")]
    assert found[0] == found[1]
    assert found[0][0].scores == [1 + 2 * 6 + 2 * 8] * 2


def test_quotients_and_remainders_of_negative_numbers_round_down(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(DIVIDING, encoding="utf-8")
    program = houserule.load(file).program(1, told=False)
    outcomes = [playout(program, seed) for seed in range(200)]
    assert list(machine_of(program).outcomes(range(200))) == outcomes
    assert any(line[0] < 0 for outcome in outcomes for line in outcome.lines)


@pytest.mark.parametrize(
    "name", but_later(["aladdin", "ali_baba", "hearts", "rattlebones"], {"aladdin", "hearts", "rattlebones"})
)
def test_matches_end_alike_without_the_optimisations_of_native_play(name: str) -> None:
    checked = load(name).checked(4)
    usual, plain = (compile_game(checked, told=False, without=without) for without in (frozenset(), frozenset(NATIVE)))
    texts = [Written(Blueprint.of(program)).text for program in (usual, plain)]
    calls = [sum(text.count(f"(call {name} ") for name in INLINED) for text in texts]
    assert calls[0] < calls[1] / 5, "little is inlined"
    assert list(machine_of(plain).outcomes(range(SEEDS))) == list(machine_of(usual).outcomes(range(SEEDS)))


@pytest.mark.parametrize(
    "name", but_later(["aladdin", "ali_baba", "master_thieves", "rattlebones"], {"master_thieves", "rattlebones"})
)
def test_the_table_is_the_same_at_every_question(name: str) -> None:
    program = load(name).program(3, told=False)
    machine = machine_of(program)
    for decisions in range(0, 60, 7):
        s = State(program, Random(5))
        is_over = play_on(program, s, answers_of(5), decisions)
        machine.begin(5)
        assert machine.play(decisions) == is_over
        assert machine.table() == (s.v, s.z, s.w)


def test_seeds_may_be_texts_and_large_numbers() -> None:
    program = load("rattlebones").program(2, told=False)
    seeds: list[int | str] = ["a text", "", 2**32, 2**32 - 1, 2**64 + 7, -3, 10**40, 0]
    assert list(machine_of(program).outcomes(seeds)) == [playout(program, seed) for seed in seeds]


def test_a_text_as_long_as_the_room_for_seeds_is_played_in_python() -> None:
    program = load("rattlebones").program(2, told=False)
    seeds: list[int | str] = [1, "x" * 70_000, 2]
    assert list(machine_of(program).outcomes(seeds)) == [playout(program, seed) for seed in seeds]


RULES = """\
edition: 2026
game: brittle
players: 1
variables: {score(player): 0..6}
flow:
  turn:
    repeat: {repeat}
    turns: players
    do: |
      choose n from 1..3
      me.score += n
scoring: {score: me.score}
"""


def test_a_fault_of_the_rules_is_told_as_in_python(tmp_path: Path) -> None:
    path = tmp_path / "brittle.yaml"
    path.write_text(RULES.replace("{repeat}", "3"), encoding="utf-8")
    program = houserule.load(path).program(1, told=False)
    machine = machine_of(program)
    for seed in range(12):
        expected = in_python(program, seed)
        if expected is not None:
            assert list(machine.outcomes([seed])) == [expected]
            continue
        with pytest.raises(RuleFault) as natively:
            list(machine.outcomes([seed]))
        with pytest.raises(RuleFault) as by_python:
            playout(program, seed)
        assert str(natively.value) == str(by_python.value)


def test_an_endless_match_is_stopped_as_in_python(tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    text = RULES.replace("{repeat}", "forever").replace("me.score += n", "me.score = n\n      if n > 3: end game")
    path.write_text(text, encoding="utf-8")
    program = houserule.load(path).program(1, told=False)
    with pytest.raises(RuleFault, match="this match goes on and on"):
        list(machine_of(program).outcomes([1]))


@settings(max_examples=EXAMPLES or 4, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_rules_come_to_the_same(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any_rules.yaml"
    path.write_text(Rules(Random(seed)).game(), encoding="utf-8")
    program = houserule.load(path).program(2, told=False)
    try:
        machine = machine_of(program)
    except NotNative as refusal:  # Long menus in long menus may come to more than a module may hold.
        assert "too long" in str(refusal.__cause__)
        return
    for number in range(3):
        expected = in_python(program, number)
        if expected is not None:
            assert list(machine.outcomes([number])) == [expected]


def test_what_follows_a_long_menu_is_not_written_again_after_each_of_its_lines(tmp_path: Path) -> None:
    sizes = []
    for lines in (10, 40):
        menu = [
            f'        "{n}" when n != {n}:\n          choose w{n} from 1..2\n          me.score += w{n}'
            for n in range(lines)
        ]
        path = tmp_path / "game.yaml"
        path.write_text(MENU + "\n".join(menu), encoding="utf-8")
        program = houserule.load(path).program(2, told=False)
        sizes.append(len(Written(Blueprint.of(program)).text))
        assert list(machine_of(program).outcomes(range(5))) == [playout(program, seed) for seed in range(5)]
    assert sizes[1] < 3 * sizes[0]


MENU = """\
edition: 2026
game: long_menu
players: 2
variables: {score(player): int, n: 0..6}
scoring: {score: me.score}
flow:
  many:
    repeat: 3
    turns: players
    do: |
      roll n from 0..6
      choose "Which?" or pass when me.score > 3:
"""


BY_POSITION = """\
edition: 2026
game: by_position
players: 2
components:
  man: {pieces: {pawn: {count: 3}, king: {count: 2}}, starts_in: box, variables: {tired: 0..3}}
zones:
  box: {holds: man, visible: all, order: none}
  field(player): {holds: man, visible: all}
variables:
  score(player): int
  seen: {type: 0..99, per_position: [box, field, tired]}
  mine(player): {type: 0..99, per_position: [field]}
flow:
  turn:
    repeat: 60
    turns: players
    do: |
      choose n from 1..4
      if n == 1 and any(box): move top(box) to me.field
      if n == 2 and any(me.field): move top(me.field) to box
      if n == 3 and any(me.field):
        m = top(me.field)
        if m: m.tired = (m.tired + 1) % 3
      seen = min(99, seen + 1)
      me.mine = min(99, me.mine + n)
      me.score += seen + me.mine
scoring: {score: me.score}
"""


def test_values_by_position_are_remembered_alike(tmp_path: Path) -> None:
    program, machine = see_alike(BY_POSITION, 8, tmp_path)
    s = State(program, Random(3))
    play_on(program, s, answers_of(3), 50)
    machine.begin(3)
    machine.play(50)
    assert [sorted(values) for values in machine.remembered()[1::2]] == [sorted(values) for values in s.kept[1::2]]


NESTED = """\
edition: 2026
game: nested
players: 2
components:
  card: {attributes: {cost: 0..9}, each: {cost: 0..9}, starts_in: box}
zones:
  box: {holds: card, visible: none}
  hand(player): {holds: card, visible: all}
variables:
  score(player): int
functions:
  rising: (c for p in players for c in p.hand where c.cost > 2 by c.cost)
  pairs: (10 * a.cost + b.cost for a in hand for b in box by [b.cost % 3, -a.cost])
flow:
  setup: {do: shuffle box}
  turn:
    repeat: 4
    turns: players
    do: |
      draw 1 from box to me.hand
      choose c from rising:
        me.score += position(rising, c) * 10 + c.cost + first(pairs)!
scoring: {score: me.score}
"""


def test_lists_of_lists_are_sorted_alike(tmp_path: Path) -> None:
    see_alike(NESTED, 8, tmp_path)


FLOODED = """\
edition: 2026
game: flooded
players: 2
components:
  plot: {grid: square, attributes: {row: 1..4, column: 1..4}, each: {row: 1..4, column: 1..4}}
  tile: {attributes: {spot: plot}, each: {spot: plot}, starts_in: bag}
zones:
  bag: {holds: tile, visible: none}
  town(plot): {holds: tile, visible: all, capacity: 1}
variables:
  owner_of(plot): player or none
  score(player): int
flow:
  setup: {do: shuffle bag}
  turn:
    repeat: 7
    turns: players
    do: |
      t = top(bag)!
      move t to t.spot.town
      choose p from players:
        owner_of[t.spot] = p
      me.score += count(group((x in plot where any(x.town) and owner_of[x] == me), t.spot))
scoring: {score: me.score}
"""


def test_a_list_beside_a_comparison_is_a_test(tmp_path: Path) -> None:
    see_alike(FLOODED, 20, tmp_path)
