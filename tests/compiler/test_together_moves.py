"""A together in which everybody moves a piece of their own: nobody sees another's part, and all have moved in the end."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game, Match, RuleFault
from houserule.compiler.program import Program, compile_game
from houserule.running.playout import play
from houserule.running.state import State

GAME = """\
edition: 2026
game: gifts
players: 3
components:
  gift:
    attributes: {seat: player, number: 1..3}
    each: {seat: player, number: 1..3}
    starts_in: sack[it.seat]
zones:
  sack(player): {holds: gift, visible: owner}
  lap(player): {holds: gift, visible: all}
  table: {holds: gift, visible: all}
variables:
  found(player): int
flow:
  give:
    repeat: 2
    together: players
    do: |
      choose given from me.sack:
        BODY
"""

OWN = "move given to me.lap"
"""Needs nobody's part to be kept from another's."""

OTHERS = {
    "all laps": ("move given to me.lap; me.found += count(lap)", [5, 5, 5]),
    "the next lap": ("move given to me.lap; me.found += count(next(me).lap)", [1, 1, 1]),
    "where a piece lies": ("move given to me.lap; me.found += 1 if place(gift[next(me), 1], lap) else 0", [1, 1, 1]),
    "the table": ("move given to table; me.found += count(table)", [5, 5, 5]),
}
"""What each finds in two passes: their own gift and what lay there before."""


def game(folder: Path, body: str) -> Game:
    (folder / "gifts").mkdir()
    (folder / "gifts" / "game.yaml").write_text(GAME.replace("BODY", body), encoding="utf-8")
    return houserule.load(folder / "gifts")


def played(program: Program) -> State:
    """The state after a match at random."""
    generator = Random(1)
    s = State(program, generator)
    play(program, s, generator)
    return s


def lap_of(match: Match, player: int) -> list[int]:
    zone = match.program.symbols.zones["lap"]
    return match.state.z[zone.base + player]


@pytest.mark.parametrize("told", [True, False])
def test_everybody_finds_what_they_gave_themselves(told: bool, tmp_path: Path) -> None:
    s = played(game(tmp_path, f"{OWN}; me.found += count(me.lap)").program(3, told=told))
    found = s.program.symbols.variables["found"]
    assert s.v[found.base : found.base + 3] == [3, 3, 3]


@pytest.mark.parametrize(("body", "found"), OTHERS.values(), ids=OTHERS)
def test_nobody_sees_what_another_gives_at_the_same_time(body: str, found: list[int], tmp_path: Path) -> None:
    """Everybody gives their first gift, those in later seats later."""
    match = Match.start(game(tmp_path, body), 3, 1, "en")
    while not match.is_over:
        choice = match.pending[0]
        match.answer(choice.player, choice.options[0])
    variable = match.program.symbols.variables["found"]
    assert match.state.v[variable.base : variable.base + 3] == found


@pytest.mark.parametrize(
    ("body", "found"), [case for name, case in OTHERS.items() if name != "where a piece lies"], ids=str
)
@pytest.mark.parametrize("told", [True, False])
def test_nobody_finds_what_another_gives_at_the_same_time(
    body: str, found: list[int], told: bool, tmp_path: Path
) -> None:
    program = game(tmp_path, body).program(3, told=told)
    s = played(program)
    variable = program.symbols.variables["found"]
    assert s.v[variable.base : variable.base + 3] == found


def test_the_order_of_the_answers_does_not_matter(tmp_path: Path) -> None:
    loaded = game(tmp_path, OWN)
    ends = []
    for order in permutations(range(3)):
        match = Match.start(loaded, 3, 1, "en")
        for _ in range(2):
            for seat in order:
                choice = next(c for c in match.pending if c.seat == seat)
                match.answer(choice.player, choice.options[-1])
        assert match.is_over
        ends.append((match.state.z, match.state.w, [e.text for e in match.events]))
    assert all(end == ends[0] for end in ends)


def test_until_all_have_answered_nothing_has_moved(tmp_path: Path) -> None:
    match = Match.start(game(tmp_path, OWN), 3, 1, "en")
    for seat in (2, 0):
        choice = next(c for c in match.pending if c.seat == seat)
        match.answer(choice.player, choice.options[0])
        assert [lap_of(match, p) for p in range(3)] == [[], [], []]
        assert not any(event.kind == "move" for p in range(3) for event in match.events_for(p))
    copy = match.copy()
    for table in (match, copy):
        (choice,) = table.pending
        table.answer(choice.player, choice.options[0])
        assert [len(lap_of(table, p)) for p in range(3)] == [1, 1, 1]
        assert [event.kind for event in table.events].count("move") == 3


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("without", [(), ("sharing",)])
def test_an_own_zone_may_be_filled_and_no_more(told: bool, without: tuple[str, ...], tmp_path: Path) -> None:
    rules = GAME.replace("lap(player): {holds: gift,", "lap(player): {holds: gift, capacity: ROOM,")
    for room in (1, 2):
        file = tmp_path / f"{room}.yaml"
        file.write_text(rules.replace("ROOM", str(room)).replace("BODY", OWN), encoding="utf-8")
        program = compile_game(houserule.load(file).checked(3), told=told, without=frozenset(without))
        if room == 2:
            s = played(program)
            lap = program.symbols.zones["lap"]
            assert [len(pile) for pile in s.z[lap.base : lap.base + 3]] == [2, 2, 2]
        else:
            with pytest.raises(RuleFault, match="'lap' is full: it holds 1"):
                played(program)
