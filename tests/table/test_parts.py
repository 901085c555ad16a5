"""Places that would lie over one another are on boards of their own: of each player, and of what else tells them apart."""

from __future__ import annotations

from pathlib import Path

import houserule
from houserule import Game
from houserule.printing import stock
from houserule.table.compose import scene

RULES = """\
edition: 2026
game: walls
players: 2..3
enums:
  side: {members: {left: {}, right: {}}}
components:
  space: {attributes: {seat: player, row: 1..2, column: 1..3}, each: {seat: player, row: 1..2, column: 1..3}}
  yard: {attributes: {side: side, row: 1..2, column: 1..2}, each: {side: side, row: 1..2, column: 1..2}}
  line: {title: "line {it.length}", attributes: {seat: player, length: 1..3}, each: {seat: player, length: 1..3}}
  tile: {starts_in: bag, count: 9}
zones:
  bag: {holds: tile, visible: none}
  wall(space): {holds: tile, visible: all, capacity: 1}
  garden(yard): {holds: tile, visible: all, capacity: 1}
  row(line): {holds: tile, visible: all}
flow:
  round:
    turns: players
    until: empty(bag)
    do: |
      choose s from (s in space where empty(wall[s])) "Where?":
        draw 1 from bag to wall[s]
winner: {most: "count(row[line[me, 1]])"}
"""


def game(folder: Path, layout: str = "") -> Game:
    (folder / "game.yaml").write_text(RULES + layout, "utf-8")
    return houserule.load(folder)


def test_each_player_has_a_board_before_the_seat(tmp_path: Path) -> None:
    match = game(tmp_path).start(2, 0)
    seen = scene(match, 0)
    boards = [region for region in seen.regions if region.id.startswith("wall")]
    assert [(one.id, one.seat, one.width, one.height, len(one.places)) for one in boards] == [
        ("wall:0", 0, 3, 2, 6),
        ("wall:1", 1, 3, 2, 6),
    ]
    assert all(len({(place.x, place.y) for place in one.places}) == 6 for one in boards)
    assert "wall:0" in seen.seats[0].lies_here and "wall:1" in seen.seats[1].lies_here
    assert all(place.options for one in boards for place in one.places)  # those of others can be picked too


def test_what_else_tells_places_apart_is_said_in_titles(tmp_path: Path) -> None:
    seen = scene(game(tmp_path).start(2, 0))
    boards = [region for region in seen.regions if region.id.startswith("garden")]
    assert [(one.title, one.seat, len(one.places)) for one in boards] == [
        ("garden, left", None, 4),
        ("garden, right", None, 4),
    ]
    assert [one.id for one in boards] in seen.table


def test_lines_with_the_same_titles_lie_before_their_players(tmp_path: Path) -> None:
    seen = scene(game(tmp_path).start(3, 0))
    assert [(one.seat, len(one.places)) for one in seen.regions if one.id.startswith("row")] == [(0, 3), (1, 3), (2, 3)]


def test_a_layout_keeps_boards_of_players_in_the_middle(tmp_path: Path) -> None:
    seen = scene(game(tmp_path, "layout: {table: [[wall]], player: [row]}\n").start(2, 0))
    assert [one.title for one in seen.regions if one.id.startswith("wall")] == ["wall, Player 1", "wall, Player 2"]
    assert seen.table[0] == ["wall:0", "wall:1"]
    assert seen.seats[1].lies_here[0] == "row:1"


def test_boards_of_players_are_printed_for_each(tmp_path: Path) -> None:
    found = {item.title: item.copies for item in stock(game(tmp_path)).items if item.kind == "board"}
    assert found == {"Wall": 3, "Garden, left": 1, "Garden, right": 1, "Row": 3}
