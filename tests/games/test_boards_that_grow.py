"""Boards that grow: whole matches in both engines, and their neighbours, distances and groups against a reckoning of their own."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Match
from houserule.native.engines import machine_of
from houserule.running.playout import playout
from houserule.table.compose import scene
from tests.games.every_game import OWN, load

SQUARE = {(-1, 0), (1, 0), (0, -1), (0, 1)}
HEXAGONAL = {(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)}
"""Steps from a hexagon to its neighbours in doubled columns: the next one in the row is two to the right."""
Spot = tuple[int, int]


@pytest.mark.parametrize("game", ["quilt", "floes"])
def test_whole_matches_are_the_same_in_both_engines(game: str) -> None:
    program = load(game).program(2, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(40))) == [playout(program, seed) for seed in range(40)]
    assert machine.replayed == 0, "a match was left to Python"


def test_many_imagined_moves_need_no_more_memory_than_one(tmp_path: Path) -> None:
    text = (OWN / "floes" / "game.yaml").read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(
        text.replace("repeat: 12", "repeat: 60").replace("== 4", "== 90"), encoding="utf-8"
    )
    program = houserule.load(tmp_path).program(2, told=False)
    machine = machine_of(program)
    assert list(machine.outcomes(range(8)))[:2] == [playout(program, seed) for seed in range(2)]
    assert machine.replayed == 0, "a match was left to Python"


def played(game: str, seed: int, answers: int) -> Match:
    match, random = load(game).start(2, seed=seed), Random(seed)
    for _ in range(answers):
        if match.is_over:
            break
        choice = match.pending[0]
        match.answer(choice.player, random.choice(choice.options))
    return match


def lying(match: Match, zone: str) -> dict[Spot, str]:
    """What lies on the board, by row and column as players see them."""
    views = [one for one in match.view(match.players[0]).zones if one.name == zone and one.pieces]
    return {tuple(map(int, one.index[0].split(", "))): one.pieces[-1].id for one in views}  # type: ignore[misc]


def connected(spots: set[Spot], start: Spot, steps: set[Spot]) -> set[Spot]:
    """Those that a walk reaches, by exhaustion."""
    reached = {start}
    while more := {(r + y, c + x) for (r, c), (y, x) in product(reached, steps)} & spots - reached:
        reached |= more
    return reached


@pytest.mark.parametrize("seed", range(6))
def test_edges_match_and_fields_are_counted_as_on_a_table_of_squares(seed: int) -> None:
    match = played("quilt", seed, 99)
    assert match.is_over
    quilt = lying(match, "quilt")
    kinds = {"plain": "LLLL", "striped": "LWLW", "woolly": "WWWL", "silken": "SLSW", "mixed": "WSLS"}
    for (row, column), id in quilt.items():
        below, right = quilt.get((row + 1, column)), quilt.get((row, column + 1))
        assert below is None or kinds[id][2] == kinds[below][0]
        assert right is None or kinds[id][1] == kinds[right][3]
    spots = set(quilt)
    assert connected(spots, (0, 0), SQUARE) == spots and len(spots) > 4
    sewn = sewn_by(match)
    for seat in range(2):
        own = {spot for spot, by in sewn.items() if by == seat}
        largest = max((len(connected(own, spot, SQUARE)) for spot in own), default=0)
        far = sum(abs(row) + abs(column) > 4 for row, column in own)
        points = {line.key: line.points[match.players[seat]] for line in match.sheet}
        assert (points["field"], points["far"]) == (largest, far)


def sewn_by(match: Match) -> dict[Spot, int]:
    """Whose each place of the quilt is, from the state itself."""
    symbols, state = match.program.symbols, match.state
    spot, by = symbols.kinds["spot"], symbols.variables["sewn_by"]
    zone = symbols.zones["quilt"]
    found = {}
    for slot in range(zone.base, zone.base + zone.size):
        for piece in state.z[slot]:
            at = zone.index(slot)[0] - spot.base
            found[spot.attributes["row"][at], spot.attributes["column"][at]] = state.v[by.slot((piece,))]
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("seed", range(6))
def test_what_moves_stays_together_on_a_table_of_hexagons(seed: int) -> None:
    match = load("floes").start(2, seed=seed)
    random = Random(seed)
    while not match.is_over:
        choice = match.pending[0]
        match.answer(choice.player, random.choice(choice.options))
        doubled = {(row, 2 * column + row) for row, column in lying(match, "on")}
        if doubled:
            assert connected(doubled, next(iter(doubled)), HEXAGONAL) == doubled


def test_a_board_has_no_edge() -> None:
    kind = load("floes").program(2, told=True).symbols.kinds["ice"]
    reach = kind.reach
    assert reach == 10, "as far as there are seals"
    assert {len(near) for near in kind.near} == {6}
    places = list(zip(kind.attributes["row"], kind.attributes["column"], strict=True))
    for place, near in zip(places, kind.near, strict=True):
        for one in near:
            assert kind.numbers[places.index(place)] in kind.near[one - kind.base]
    width = 2 * reach + 1
    assert len(places) == width * width


def test_the_scene_shows_what_is_in_use_across_the_seam() -> None:
    match = load("floes").start(2, seed=1)
    symbols, state = match.program.symbols, match.state
    ice, zone = symbols.kinds["ice"], symbols.zones["on"]
    for at, cell in enumerate([(0, 10), (0, -10), (0, -9), (1, -10)]):
        slot = zone.slot((ice.cells[cell],))
        piece = symbols.kinds["seal"].base + at
        state.z[state.w[piece]].remove(piece)
        state.z[slot].append(piece)
        state.w[piece] = slot
    region = next(one for one in scene(match, houserule.SPECTATOR).regions if one.id == "on")
    assert [(one.title, one.x, one.y) for one in region.places] == [
        ("0, -10", 1.0, 0.0),
        ("0, -9", 2.0, 0.0),
        ("0, 10", 0.0, 0.0),
        ("1, -10", 1.5, 0.866),
    ]


def test_what_lies_on_a_board_is_numbered_as_declared(tmp_path: Path) -> None:
    """The same in every run: records, learned policies and studies count on it."""
    names = [f"leaf_{letter}" for letter in "hgfedcba"]
    kinds = "".join(f"  {name}: {{starts_in: pile, pieces: {{{name}_one: {{}}}}}}\n" for name in names)
    (tmp_path / "game.yaml").write_text(
        "edition: 2026\ngame: leaves\nplayers: 1\ncomponents:\n  spot: {grid: square, reach: 2}\n" + kinds +
        "zones:\n  pile: {holds: piece, visible: all}\n  ground(spot): {holds: piece, visible: all}\n"
        "flow: {fall: {do: 'draw 8 from pile to ground[spot[0, 0]]'}}\n",
        encoding="utf-8",
    )  # fmt: skip
    symbols = houserule.load(tmp_path).program(1, told=False).symbols
    assert list(symbols.kinds) == [*names, "spot"]
