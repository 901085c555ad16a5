"""A together in which everybody moves a piece of their own: nobody sees another's part, and all have moved in the end."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game, Match
from houserule.compiler.program import Program
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
    "where a piece lies": ("move given to me.lap; me.found += 1 if place(gift[next(me), 1], lap) else 0", None),
    "the table": ("move given to table; me.found += count(table)", [5, 5, 5]),
}
"""What each finds in two passes: their own gift and what lay there before; None where it depends on who gives what."""


def game(folder: Path, body: str) -> Game:
    (folder / "gifts").mkdir()
    (folder / "gifts" / "game.yaml").write_text(GAME.replace("BODY", body), encoding="utf-8")
    return houserule.load(folder / "gifts")


def together_in_turn(program: Program) -> bool:
    """Whether the parts of the together need no copies of the state."""
    return bool(program.final)


def played(program: Program) -> State:
    """The state after a match at random."""
    generator = Random(1)
    s = State(program, generator)
    play(program, s, generator)
    return s


def lap_of(match: Match, player: int) -> list[int]:
    zone = match.program.symbols.zones["lap"]
    return match.state.z[zone.base + player]


def test_own_pieces_into_own_zones_need_no_copies(tmp_path: Path) -> None:
    program = game(tmp_path, f"{OWN}; me.found += count(me.lap)").program(3, told=False)
    assert together_in_turn(program)
    s = played(program)
    found = program.symbols.variables["found"]
    assert s.v[found.base : found.base + 3] == [3, 3, 3]


@pytest.mark.parametrize("body", [body for body, _ in OTHERS.values()], ids=list(OTHERS))
def test_what_reads_anothers_part_keeps_copies(body: str, tmp_path: Path) -> None:
    assert not together_in_turn(game(tmp_path, body).program(3, told=False))


@pytest.mark.parametrize(("body", "found"), [case for case in OTHERS.values() if case[1]], ids=lambda case: str(case))
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
