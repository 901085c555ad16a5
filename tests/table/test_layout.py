"""Layouts: what of them is read, what is refused, and that they change no rule."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import houserule
from houserule import Match
from houserule.cli.picture import Painter
from houserule.table.compose import scene
from houserule.table.scene import Thing
from tests.bundled import load

PATCHES = """\
edition: 2026
game: patches
players: 2
enums:
  ground: [wood, bog]
components:
  spot: {attributes: {row: 1..2, column: 1..3}, each: {row: 1..2, column: 1..3}}
  mushroom:
    attributes: {ground: ground, worth: 0..9}
    back: [ground]
    starts_in: bag
    pieces:
      morel: {count: 3, ground: wood, worth: 4}
      truffle: {count: 3, ground: bog, worth: 9, title: Fine truffle, text: Smells of rain.}
zones:
  bag: {holds: mushroom, visible: none, order: none}
  patch(spot): {holds: mushroom, capacity: 1, visible: all}
  basket(player): {holds: mushroom, visible: owner, order: none}
variables:
  score(player): int
  rain: 0..5
  wet: bool
flow:
  setup: {do: "for s in spot: draw 1 from bag to patch[s]"}
  round:
    turns: players
    do: |
      rain = (rain + 1) % 6
      wet = not wet
      choose found from patch "Pick which?":
        me.score += found.worth
        move found to me.basket
winner: {most: me.score}
"""
LAYOUT = """\
layout:
  enums: {ground: {wood: {fill: green, letter: W}, bog: {fill: brown, pattern: waves, letter: "~"}}}
  pieces:
    mushroom:
      shape: cube
      fill: it.ground
      symbol: it.worth
      words: {en: "{it.ground} {it.worth}"}
      back: {pattern: stars}
      pieces: {truffle: {fill: black}}
  zones: {patch: {arrange: grid, row: -spot.row, column: 2 * spot.column, parts: 2}, bag: {arrange: none}}
  variables:
    score: {show: track, to: 9}
    rain: {show: gauge, to: 5, fill: sky}
    wet: {show: flag}
  table: [[patch, rain], [score]]
  player: [basket]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(PATCHES, encoding="utf-8")
    return tmp_path


def laid_out(folder: Path, layout: str = LAYOUT) -> Match:
    (folder / "game.yaml").write_text(PATCHES + layout, encoding="utf-8")
    return houserule.load(folder).start(["Ann", "Bob"], seed=1)


def painted(match: Match, viewer: str = "Ann") -> str:
    printed = Console(width=80, record=True, file=StringIO())
    printed.print(Painter(scene(match, viewer), 80).table())
    return printed.export_text()


def named(match: Match, viewer: str, words: str) -> Thing:
    return next(thing for thing in scene(match, viewer).things if words in thing.words)


def test_a_layout_says_how_everything_looks_and_where_it_lies(folder: Path) -> None:
    match = laid_out(folder)
    seen = scene(match, "Ann")
    assert seen.table == [["patch", "=rain"], ["#score"], ["=wet"]]
    assert [seat.lies_here for seat in seen.seats] == [["basket:0"], ["basket:1"]]
    patch = seen.region("patch")
    assert (patch.arrangement, patch.width, patch.height) == ("grid", 3, 1.5)
    assert sorted({(place.x, place.y) for place in patch.places}) == [(x, y) for x in (0, 1, 2) for y in (0, 0.5)]
    truffle, morel = named(match, "Ann", "bog 9"), named(match, "Ann", "wood 4")
    assert (truffle.shape, truffle.fill, truffle.symbol, truffle.text) == ("cube", "black", "9", "Smells of rain.")
    assert (morel.fill, morel.pattern, morel.symbol, morel.is_face_up) == ("green", "plain", "4", True)
    assert truffle.options and seen.question is not None
    assert {option.at for option in seen.question.options} == {"thing"}
    assert [value.show for value in seen.variables] == ["gauge", "flag"]
    pawns = [thing for thing in seen.things if thing.region == "#score"]
    assert [(pawn.words, pawn.place) for pawn in pawns] == [("Ann: 0", "#score@0"), ("Bob: 0", "#score@0")]
    match.answer("Ann", match.pending[0].single[0])
    hidden = next(thing for thing in scene(match, "Bob").things if thing.region == "basket:0")
    assert not hidden.is_face_up and hidden.pattern == "stars" and hidden.symbol in "W~" and not hidden.text
    assert named(match, "Ann", "Ann: ").is_changed


def test_a_member_a_piece_and_a_number_on_a_die_have_signs(folder: Path) -> None:
    match = laid_out(folder, SIGNS)
    seen = scene(match)
    looks = {thing.words: (thing.icon, thing.ink, thing.corner, thing.symbol) for thing in seen.things}
    assert looks["Fine truffle"] == ("crown", "brown", "9", "T")
    assert looks["morel"] == ("suit/club", "green", "4", "C")
    assert next(value.icon for value in seen.variables if value.id == "=rain") == "heavy-rain"
    match.answer("Ann", match.pending[0].single[0])
    hidden = next(thing for thing in scene(match, "Bob").things if not thing.is_face_up)
    assert hidden.icon == "beech"
    dice = scene(laid_out(folder, "layout: {pieces: {mushroom: {shape: die, symbol: it.worth}}}\n"))
    assert {(thing.symbol, thing.icon) for thing in dice.things if thing.is_face_up} == {
        ("4", "pips/4"),
        ("9", "pips/9"),
    }


CASES = """\
layout:
  pieces:
    mushroom:
      fill: it.ground
      symbol: it.worth
      pieces: {truffle: {fill: black}}
      cases:
        - {when: wet and it.worth > 5, fill: sky, letter: "!", words: "Wet {it} ({rain})"}
        - {when: wet, icon: suit/club, shape: stone}
        - {when: it in first(players).basket, words: Never}
"""


def test_a_piece_looks_different_while_a_condition_holds(folder: Path) -> None:
    match = laid_out(folder, CASES.replace("in first(players).basket", "in patch and rain == 4"))

    def looks() -> dict[str, tuple[str, str | None, str, str]]:
        lying = [thing for thing in scene(match, "Ann").things if thing.region == "patch"]
        return {thing.words: (thing.shape, thing.fill, thing.symbol, thing.icon) for thing in lying}

    def by_turns() -> dict[str, tuple[str, str | None, str, str]]:
        match.answer(match.pending[0].player, match.pending[0].single[0])
        return looks()

    assert looks()["Wet Fine truffle (1)"] == ("card", "sky", "!", "")
    assert looks()["morel"] == ("stone", "red", "4", "suit/club")
    after = by_turns()
    assert after["Fine truffle"] == ("card", "black", "9", "")
    assert after["morel"] == ("card", "red", "4", "")


def test_a_trick_a_sheet_a_spinner_and_a_board_lie_in_the_middle(folder: Path) -> None:
    match = laid_out(folder, MIDDLE)
    seen = scene(match, "Bob")
    assert [region.id for region in seen.regions] == ["bag", "patch", "basket", "#score"]
    assert [(seat.fill, seat.lies_here) for seat in seen.seats] == [("white", []), ("black", [])]
    trick, sheet, patch = seen.region("basket"), seen.region("#score"), seen.region("patch")
    assert [(place.title, place.y > 0) for place in trick.places] == [("Ann", False), ("Bob", True)]
    assert [(place.y > 0) for place in scene(match, "Ann").region("basket").places] == [True, False]
    assert [(one.title, one.fill) for one in sheet.columns] == [("Ann", "white"), ("Bob", "black")]
    assert [one.title for one in sheet.rows] == ["score"]
    match.answer("Ann", match.pending[0].single[0])
    after = scene(match, "Bob").region("#score").places
    assert [(place.x, place.y) for place in after] == [(0, 0), (1, 0)] and after[0].title in ("4", "9")
    assert (patch.board, patch.fill) == ("chequered", "green")
    rain = next(value for value in seen.variables if value.id == "=rain")
    assert [one.title for one in rain.sectors] == ["0", "1", "2", "3", "4", "5"] and rain.words == "1"
    printed = Console(width=60, record=True, file=StringIO())
    printed.print(Painter(scene(match, "Ann"), 60).table())
    assert "Ann  Bob" in (text := printed.export_text()) and "score" in text


def test_a_solid_has_levels_sides_and_a_lid(folder: Path) -> None:
    solid = "layout: {zones: {basket: {arrange: solid, fill: brown, lid: rain}}, players: [white]}\n"
    match = laid_out(folder, solid)
    basket = scene(match, "Ann").region("basket:0")
    assert (basket.arrangement, basket.is_solid, basket.fill) == ("box", True, "brown")
    assert basket.lid is not None and basket.lid.title == "1"
    plain = scene(laid_out(folder, solid.replace("solid", "box"))).region("basket:0")
    assert (plain.arrangement, plain.is_solid) == ("box", False)


MIDDLE = """\
layout:
  players: [white, black]
  zones: {basket: {arrange: trick}, patch: {arrange: grid, row: spot.row, column: spot.column, board: chequered, fill: green}}
  variables: {score: {show: sheet}, rain: {show: spinner}}
"""

SIGNS = """\
layout:
  enums: {ground: {wood: {fill: green, letter: C, icon: suit/club}, bog: {fill: brown, letter: S, icon: suit/spade}}}
  pieces:
    mushroom:
      fill: white
      ink: it.ground
      symbol: it.ground
      corner: it.worth
      back: {icon: game-icons/beech}
      pieces: {truffle: {letter: T, icon: game-icons/crown}}
  variables: {rain: {show: number, icon: game-icons/heavy-rain}}
"""

GRAPH = """\
layout:
  zones:
    patch:
      arrange: graph
      row: spot.row
      column: spot.column
      joined: abs(spot.row - other.row) + abs(spot.column - other.column) == 1
"""


def test_the_places_of_a_graph_are_joined_by_lines(folder: Path) -> None:
    match = laid_out(folder, GRAPH)
    patch = scene(match, "Ann").region("patch")
    ends = [{(patch.places[at].x, patch.places[at].y) for at in line} for line in patch.lines]
    assert len(ends) == 7  # four along the rows, three between them
    assert {(0, 0), (1, 0)} in ends and {(0, 0), (0, 1)} in ends and {(0, 0), (1, 1)} not in ends
    assert "───" in painted(match)


def test_a_zone_keeps_its_room_and_is_called_by_what_holds(folder: Path) -> None:
    layout = """\
layout:
  zones:
    bag: {arrange: none}
    patch: {arrange: graph, row: spot.row, column: spot.column, words: {en: "Day {rain}"}, cases: [{when: rain > 1, words: {en: "Rain {rain}"}}]}
    basket: {arrange: row, keep: true, words: {en: "What {it} found"}}
"""
    match = laid_out(folder, layout)
    seen = scene(match, "Ann")
    assert seen.region("patch").title == "Day 1"
    assert (seen.region("basket:0").title, seen.region("basket:0").is_kept) == ("What Ann found", True)
    assert "What Bob found  —" in painted(match), "an empty zone that is kept has its line"
    assert painted(match).count("1 3") == 1, "what lies in a place of a graph does not hide its name"
    match.answer("Ann", match.pending[0].single[0])
    assert scene(match, "Ann").region("patch").title == "Rain 2"


def test_a_number_rolled_for_no_variable_is_a_die_on_the_table(folder: Path) -> None:
    rules = PATCHES.replace("rain = (rain + 1) % 6", "roll luck from 1..6")
    (folder / "game.yaml").write_text(rules, encoding="utf-8")
    match = houserule.load(folder).start(["Ann", "Bob"], seed=3)
    match.answer("Ann", match.pending[0].single[0])
    (die,) = [value for value in scene(match, "Ann").variables if value.show == "die"]
    assert (die.title, die.icon, die.is_changed) == ("Rolled", f"pips/{die.words}", True)
    assert die.id in scene(match, "Bob").table[-1]
    assert f"Rolled {'⚀⚁⚂⚃⚄⚅'[int(die.words) - 1]} {die.words}" in painted(match)


def test_a_layout_changes_no_rule_and_no_record(folder: Path) -> None:
    plain = houserule.load(folder).start(["Ann", "Bob"], seed=1)
    hashes = {plain.game.rules_hash}
    for text in (PATCHES + LAYOUT, LAYOUT + PATCHES, PATCHES + "layout: {zones: {\n  bag: {arrange: none},\n}}\n"):
        (folder / "game.yaml").write_text(text, encoding="utf-8")
        hashes.add(houserule.load(folder).rules_hash)
    (folder / "layout.yaml").write_text("# How it looks\n" + LAYOUT, encoding="utf-8")
    (folder / "empty.yaml").write_text("functions: {half: 2}\n", encoding="utf-8")
    for include in ("include: [layout.yaml]\n", "include:\n  - layout.yaml\n"):
        (folder / "game.yaml").write_text(PATCHES + include, encoding="utf-8")
        assert houserule.load(folder).definition.layout is not None
        hashes.add(houserule.load(folder).rules_hash)
    assert len(hashes) == 1
    match = laid_out(folder)
    for played in (plain, match):
        played.answer("Ann", played.pending[0].single[0])
    assert plain.record == match.record
    (folder / "game.yaml").write_text(PATCHES.replace("worth: 4", "worth: 5") + LAYOUT, encoding="utf-8")
    assert houserule.load(folder).rules_hash not in hashes


@pytest.mark.parametrize(
    ("layout", "code", "said"),
    [
        (
            "pieces: {mushrom: {shape: tile}}",
            "HR501",
            "there is no kind of piece 'mushrom', which 'layout.pieces.mushrom' lays out",
        ),
        ("zones: {path: {arrange: row}}", "HR501", "there is no zone 'path', which 'layout.zones.path' lays out"),
        (
            "variables: {rains: {show: number}}",
            "HR501",
            "there is no variable 'rains', which 'layout.variables.rains' lays out",
        ),
        (
            "enums: {grounds: {wood: {letter: W}}}",
            "HR501",
            "there is no enum 'grounds', which 'layout.enums.grounds' lays out",
        ),
        (
            "enums: {ground: {would: {letter: W}}}",
            "HR501",
            "there is no 'ground' 'would', which 'layout.enums.ground.would' lays out",
        ),
        (
            "pieces: {mushroom: {pieces: {morell: {letter: W}}}}",
            "HR501",
            "there is no 'mushroom' 'morell', which 'layout.pieces.mushroom.pieces.morell' lays out",
        ),
        ("pieces: {mushroom: {fill: it.grond}}", "HR502", "grond"),
        ("pieces: {mushroom: {words: '{it.wort}'}}", "HR502", "wort"),
        ("pieces: {mushroom: {fill: players}}", "HR510", "'fill' wants a member, a player or a number"),
        ("pieces: {mushroom: {stands_for: it.worth}}", "HR510", "'stands_for' wants a piece"),
        ("zones: {patch: {arrange: grid, row: first(patch)}}", "HR510", "'row' wants a number or a member"),
        ("zones: {patch: {arrange: grid, row: count(basket)}}", "", ""),
        ("zones: {patch: {arrange: grid, row: count(b in bag where b.worth > 4)}}", "HR593", "reads 'bag'"),
        ("table: [[patch, pach]]", "HR501", "there is no zone or variable 'pach', which 'layout.table' lays out"),
        ("table: [[basket]]", "HR594", "'basket' belongs to each player"),
        ("player: [patch]", "HR594", "'patch' belongs to no player"),
        ("variables: {score: {show: gauge}}", "HR594", "nothing says where the gauge of 'score' ends"),
        ("variables: {rain: {show: gauge, from: 5}}", "HR594", "there is nothing from 5 to 5"),
        ("variables: {wet: {show: track}}", "HR594", "a track has numbers, and 'wet' is true or false"),
        ("variables: {rain: {show: gauge, from: 5, to: 5}}", "HR594", "there is nothing from 5 to 5"),
        (
            "variables: {rain: {show: track, on: fog}}",
            "HR501",
            "there is no variable 'fog', which 'layout.variables.rain.on' lays out",
        ),
        ("zones: {patch: {arrange: pile}}", "HR205", "pile"),
        ("zones: {patch: {arrange: graph, joined: other.row}}", "HR510", "'joined' wants a condition"),
        ("zones: {bag: {arrange: graph, joined: true}}", "HR594", "a family over one index, and 'bag' is not one"),
        ("pieces: {mushroom: {back: {fill: puce}}}", "HR205", "puce"),
        ("pieces: {mushroom: {icon: game-icons/magic-lmap}}", "HR501", "there is no icon 'game-icons/magic-lmap'"),
        ("enums: {ground: {wood: {icon: pips/12}}}", "HR501", "there is no icon 'pips/12'"),
        ("variables: {rain: {show: number, icon: rain}}", "HR501", "there is no icon 'rain'"),
        ("pieces: {mushroom: {ink: it.grond}}", "HR502", "grond"),
        ("pieces: {mushroom: {corner: players}}", "HR510", "'corner' wants a member, a player or a number"),
        ("pieces: {mushroom: {cases: [{fill: red}]}}", "HR203", "when"),
        ("pieces: {mushroom: {cases: [{when: it.worth, fill: red}]}}", "HR510", "'when' wants a condition"),
        ("pieces: {mushroom: {cases: [{when: it in bag, fill: red}]}}", "HR593", "reads 'bag'"),
        ("pieces: {mushroom: {cases: {when: wet, fill: red}}}", "HR202", "a list of cases"),
        ("zones: {patch: {arrange: trick}}", "HR594", "'patch' does not"),
        ("zones: {patch: {arrange: solid, lid: patch}}", "HR510", "'lid' wants a member, a player or a number"),
        ("zones: {patch: {arrange: solid, lid: count(b in bag)}}", "HR593", "reads 'bag'"),
        ("zones: {patch: {board: striped}}", "HR205", "striped"),
        ("players: [white, puce]", "HR205", "puce"),
        ("shapes: {}", "HR201", "shapes"),
    ],
)
def test_what_a_layout_gets_wrong_is_said(folder: Path, layout: str, code: str, said: str) -> None:
    (folder / "game.yaml").write_text(PATCHES + f"layout: {{{layout}}}\n", encoding="utf-8")
    found = houserule.validate(folder)
    assert [d.code for d in found] == ([code] if code else [])
    assert all(said in d.message for d in found)


@pytest.mark.parametrize(
    "layout", ["rain: {show: track}", "rain: {show: track, from: 0}", "rain: {show: track, to: 5}"]
)
def test_a_track_ends_where_its_variable_does(folder: Path, layout: str) -> None:
    (track,) = (
        r for r in scene(laid_out(folder, f"layout: {{variables: {{{layout}}}}}\n"), "Ann").regions if r.id == "#rain"
    )
    assert [place.title for place in track.places] == list("012345")


def test_a_variant_changes_the_layout_and_only_that(folder: Path) -> None:
    (folder / "game.yaml").write_text(PATCHES + LAYOUT, encoding="utf-8")
    (folder / "variants").mkdir()
    (folder / "variants" / "dark.yaml").write_text(
        "variant: dark\nof: patches\nchange: {layout: {variables: {rain: {show: number}}}}\n"
        "add: {layout: {pieces: {mushroom: {letter: m}}}}\n",
        encoding="utf-8",
    )
    match = houserule.load(folder, variants=["dark"]).start(2, seed=1)
    assert [value.show for value in scene(match, 0).variables] == ["number", "flag"]


@pytest.mark.parametrize("players", [2])
def test_the_small_cave_is_a_pyramid_too(players: int) -> None:
    seen = scene(load("ali_baba", ("small_cave",)).start(players, seed=1), 0)
    cave = seen.region("cell")
    assert (cave.width, cave.height) == (4, 4)
    assert [sum(place.layer == layer for place in cave.places) for layer in (1, 2, 3, 4)] == [16, 12, 6, 2]
    assert sum(not thing.is_covered for thing in seen.things if thing.region == "cell") == 2


def test_a_layout_of_a_stranger_costs_little(folder: Path) -> None:
    """Places far apart are moved together, letters are cut, and an expression that goes through too much has no value."""
    nested = " ".join(f"any({name} in mushroom where" for name in "bcde")
    match = laid_out(
        folder,
        """\
layout:
  enums: {ground: {wood: {letter: Wonderful}}}
  pieces:
    mushroom:
      fill: FILL
      symbol: it.ground
  zones: {patch: {arrange: grid, row: spot.row * 1000000, column: spot.column}}
""".replace("FILL", f"count(a in mushroom where {nested} e.worth > 9)))))"),
    )
    seen = scene(match, "Ann")
    assert (seen.region("patch").width, seen.region("patch").height) == (3, 2)
    morel = next(thing for thing in seen.things if thing.words == "morel")
    assert (morel.fill, morel.symbol) == (None, "Wo")
    (folder / "game.yaml").write_text(PATCHES + "layout: {variables: {rain: {show: track, to: 100000000}}}\n", "utf-8")
    assert [d.code for d in houserule.validate(folder)] == ["HR202"]


def test_several_variables_of_the_members_of_an_enum_are_a_sheet_if_no_layout_says_otherwise(tmp_path: Path) -> None:
    realms = """\
edition: 2026
game: realms
players: 2
enums:
  realm:
    variables: {holder: player or none, armies: 0..9 = 3, marked: bool, plan: {type: 0..9, visible: none}}
    members: {dale: {}, fen: {}}
  site: {variables: {stock: 0..9, taken: bool}, members: {wood: {}, well: {}}}
components: {worker: {attributes: {seat: player}, each: {seat: players}, starts_in: "home[it.seat]"}}
zones: {"home(player)": {holds: worker, visible: all}, "spot(site)": {holds: worker, visible: all, capacity: 1}}
flow:
  setup: {do: dale.holder = first(players)}
  turn: {turns: players, do: 'choose r from realm "Where?": r.armies += 1'}
"""
    (tmp_path / "game.yaml").write_text(realms, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    seen = scene(match, 0)
    sheet = seen.region("#holder")
    assert [one.title for one in sheet.rows] == ["dale", "fen"]
    assert [one.title for one in sheet.columns][:2] == ["holder", "armies"]
    lines = [[place.title for place in sheet.places if place.y == at][:2] for at in range(2)]
    assert (sheet.title, lines) == ("realm", [["Ann", "3"], ["", "3"]])
    assert all(place.options == (place.y,) for place in sheet.places)
    assert not any(value.id.startswith("=plan") for value in seen.variables)
    assert {value.show for value in seen.variables if value.id.startswith(("=stock", "=taken"))} == {"gauge", "flag"}
    printed = Console(file=StringIO(), width=60)
    printed.print(Painter(seen, 60).table())
    assert isinstance(printed.file, StringIO)
    assert "dale    1:Ann     1:3    1:no" in printed.file.getvalue()


def test_each_variable_of_a_sheet_has_its_column_whoever_sees_it(tmp_path: Path) -> None:
    realms = """\
edition: 2026
game: realms
players: 2
enums:
  realm:
    variables:
      holder: {type: player = first(players)}
      plan: {type: 0..9 = 4, visible: viewer == it.holder}
      armies: 0..9 = 3
    members: {dale: {}, fen: {}}
variables: {rain: 0..9, wind: 0..9}
flow:
  setup: {do: fen.holder = last(players)}
  turn: {turns: players, do: 'choose r from realm "Where?": r.armies += r.plan'}
layout:
  variables:
    holder: {show: sheet}
    plan: {show: sheet, on: holder}
    armies: {show: sheet, on: holder}
    rain: {show: sheet, on: holder}
    wind: {show: sheet, on: holder}
"""
    (tmp_path / "game.yaml").write_text(realms, encoding="utf-8")
    sheet = scene(houserule.load(tmp_path).start(["Ann", "Bob"], seed=1), 1).region("#holder")
    columns = [one.title for one in sheet.columns]
    lines = [
        {columns[place.x]: place.title for place in sheet.places if place.y == at} for at in range(len(sheet.rows))
    ]
    assert lines[:2] == [{"holder": "Ann", "armies": "3"}, {"holder": "Bob", "plan": "4", "armies": "3"}]
    assert (sheet.title, lines[2:], [one.title for one in sheet.rows[2:]]) == (
        "realm",
        [{"": "0"}] * 2,
        ["rain", "wind"],
    )
