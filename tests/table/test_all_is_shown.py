"""Whatever a viewer may see, and whatever can be picked, is in the scene, and is painted or counted, in every layout and width."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import houserule
from houserule import Match
from houserule.cli.picture import picture_of
from houserule.table.compose import scene

TITLES = [f"{first}{second}" for first in "BDFGHJKLMN" for second in "aeiou"][:24]
HEAPS = """\
edition: 2026
game: heaps
players: 2
components:
{spots}  card:
    starts_in: supply
    pieces: {{{pieces}}}
zones:
  supply: {{holds: card, visible: none}}
  pile{index}: {{holds: card, visible: {look}}}
flow:
  deal:
    do: |
{deal}
  round:
    turns: players
    do: |
{round}
winner: {{most: 1}}
layout:
  zones:
    pile: {{arrange: {arrange}{at}}}
"""
SPOTS = "  spot: {attributes: {row: 1..2, column: 1..3}, each: {row: 1..2, column: 1..3}}\n"
AT = ", row: spot.row, column: spot.column"
ARRANGED = ("grid", "hex", "graph", "layers", "ring", "stack", "heap", "row", "fan", "hand", "box", "die", "piles")
DEALT = {
    "": ["draw 9 from supply to pile"],
    "(player)": ["for p in players:", "  draw 5 from supply to pile[p]"],
    "(spot)": [
        "for s in spot:",
        "  draw 4 from supply to pile[s]",
        "for s in first(spot, 2):",
        "  draw 4 from pile[s] to pile[last(spot)]",
    ],
    "(player, spot)": ["for p in players:", "  for s in spot:", "    draw 2 from supply to pile[p, s]"],
}
"""For each index of the zones what lies there: many cards in a place, and in one place none."""


EVERY = """\
edition: 2026
game: every
players: 2
components:
  spot: {{attributes: {{row: 1..2, column: 1..3}}, each: {{row: 1..2, column: 1..3}}}}
  square: {{grid: square}}
  hexagon: {{grid: hexagonal}}
  card: {{starts_in: supply, title: "Card {{it.number}}", attributes: {{number: 1..999}}, each: {{number: 1..{cards}}}}}
zones:
  supply: {{holds: card, visible: none}}
{zones}
flow:
  deal:
    do: |
{deal}
  round:
    turns: players
    do: choose taken from card "Which?"
winner: {{most: 1}}
layout:
  zones:
{looks}
"""
GROWN = {"on_squares(square)": "square", "on_hexagons(hexagon)": "hexagon"}


def every_layout(folder: Path) -> dict[str, int]:
    """A game with all arrangements of single zones, of families and of what lies before players, and how many cards lie in each."""
    zones, deal, looks, amounts = [], [], [], {}
    for arrange in ARRANGED:
        for name, index, block in (("one", "", 9), ("own", "(player)", 10), ("many", "(spot)", 24)):
            zone = f"{name}_{arrange}"
            amounts[zone] = block
            zones.append(f"  {zone}{index}: {{holds: card, visible: all}}")
            deal += [line.replace("pile", zone) for line in DEALT[index]]
            at = AT if name == "many" and arrange in ("grid", "hex", "graph", "layers") else ""
            looks.append(f"    {zone}: {{arrange: {arrange}{at}}}")
    for family, kind in GROWN.items():
        zone = family.partition("(")[0]
        amounts[zone] = 8
        zones.append(f"  {family}: {{holds: card, visible: all}}")
        deal += [f"draw 2 from supply to {zone}[{kind}[{y}, {x}]]" for y, x in ((0, 0), (0, 1), (1, 0), (-1, 0))]
    text = EVERY.format(cards=sum(amounts.values()), zones="\n".join(zones), deal=lines(deal), looks="\n".join(looks))
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return amounts


@pytest.mark.parametrize("width", [80, 120])
def test_every_layout_on_one_table_shows_or_counts_all_that_lies_and_can_be_picked(width: int, tmp_path: Path) -> None:
    amounts = every_layout(tmp_path)
    match = houserule.load(tmp_path).start(2, seed=1)
    seen = scene(match, 0)
    lying = {name: [t for t in seen.things if t.region.partition(":")[0] == name] for name in amounts}
    assert {name: sum(thing.count for thing in things) for name, things in lying.items()} == amounts
    assert seen.question is not None and len(seen.question.options) == sum(amounts.values())
    assert sorted(number for thing in seen.things for number in thing.options) == list(range(sum(amounts.values())))
    assert {option.at for option in seen.question.options} == {"thing"}
    assert len(set(re.findall(r"Card \d+", painted(match, width)))) > sum(amounts.values()) // 3


CARD = ['choose taken from pile "Which?":', "  move taken to supply"]
PLACE = ["choose there from spot", "draw 1 from supply to pile[there]"]
NOTHING_DEALT = [*PLACE, "draw 1 from pile[there] to supply"]


def lines(block: list[str]) -> str:
    return "\n".join(f"      {line}" for line in block)


def heaps(folder: Path, arrange: str, index: str, look: str, asks: list[str] = CARD) -> Match:
    """A match in which cards with titles of their own lie openly, many in a place."""
    is_placed = "spot" in index and arrange in ("grid", "hex", "graph", "layers")
    text = HEAPS.format(
        spots=SPOTS if "spot" in index else "",
        pieces=", ".join(f"{title.lower()}: {{title: {title}}}" for title in TITLES),
        index=index, look=look, arrange=arrange, at=AT if is_placed else "", round=lines(asks),
        deal=lines(["shuffle supply"] if asks == NOTHING_DEALT else DEALT[index]),
    )  # fmt: skip
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return houserule.load(folder).start(2, seed=1)


def painted(match: Match, width: int) -> str:
    file = StringIO()
    console = Console(file=file, width=width, highlight=False, markup=False, color_system=None)
    console.print(picture_of(scene(match, 0), width))
    return file.getvalue()


@pytest.mark.parametrize("look", ["all, order: none", "all"])
@pytest.mark.parametrize("index", list(DEALT))
@pytest.mark.parametrize("arrange", ARRANGED)
def test_what_lies_openly_is_painted_or_counted(arrange: str, index: str, look: str, tmp_path: Path) -> None:
    match = heaps(tmp_path, arrange, index, look)
    lying = [thing for thing in scene(match, 0).things if thing.region.startswith("pile")]
    amount = sum(thing.count for thing in lying)
    assert amount == {"": 9, "(player)": 10, "(spot)": 24, "(player, spot)": 24}[index]
    for width in (60, 80, 120):
        picture = re.sub(r"supply · \d+", "", painted(match, width))
        titles = {title for title in TITLES if re.search(rf"\b{title}\b", picture)}
        more = sum(int(number) for number in re.findall(r"\+(\d+)", picture))
        below = sum(int(number) - 1 for number in re.findall(r"· (\d+)", picture))
        assert len(titles) + more + below == amount, picture


@pytest.mark.parametrize("arrange", ARRANGED)
def test_closed_piles_of_a_family_are_all_counted(arrange: str, tmp_path: Path) -> None:
    match = heaps(tmp_path, arrange, "(spot)", "none", PLACE)
    lying = [thing for thing in scene(match, 0).things if thing.region == "pile"]
    assert sum(thing.count for thing in lying) == 24
    picture = re.sub(r"supply · \d+.*", "", painted(match, 80))
    assert sum(int(number) for number in re.findall(r"×(\d+)", picture)) == 24 or len(lying) == 24, picture


@pytest.mark.parametrize("arrange", ARRANGED)
def test_empty_places_that_can_be_picked_have_their_numbers(arrange: str, tmp_path: Path) -> None:
    match = heaps(tmp_path, arrange, "(spot)", "all", NOTHING_DEALT)
    assert [option.at for option in scene(match, 0).question.options] == ["place"] * 6  # type: ignore[union-attr]  # it is asked
    picture = re.sub(r"spot \d \d|supply.*|Player.*", "", painted(match, 80))
    assert sorted(re.findall(r"\d", picture)) == list("123456"), picture


WIDE = """\
edition: 2026
game: wide
players: 1
components:
  acre: {{attributes: {{across: 0..25, down: 0..25}}, each: {{across: 0..25, down: 0..25}}}}
  beacon: {{starts_in: shed, pieces: {{lit: {{count: 60, title: Beacon}}}}}}
zones:
  shed: {{holds: beacon, visible: all, order: none}}
  field(acre): {{holds: beacon, visible: all}}
flow:
  light:
    repeat: 9
    turns: players
    do: |
      {question}
winner: {{most: 1}}
layout:
  zones:
    field: {{arrange: {arrange}, row: acre.down, column: acre.across{joined}}}
"""
LIGHT = "move first(shed, 1) to field[acre[{}, {}]]"


def wide(folder: Path, arrange: str, lit: list[tuple[int, int]], joined: str = "") -> Match:
    asked = ['choose "What?":', '  "Light":', *(f"    {LIGHT.format(x, y)}" for x, y in lit), '  "Rest": nothing']
    text = WIDE.format(arrange=arrange, question="\n      ".join(asked), joined=joined)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    match = houserule.load(folder).start(1, seed=1)
    match.answer("Player 1", "Light")
    return match


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("arrange", ["grid", "hex", "graph"])
def test_of_many_hundred_places_those_in_use_are_painted_with_whole_titles(
    arrange: str, width: int, tmp_path: Path
) -> None:
    picture = painted(wide(tmp_path, arrange, [(11, 12), (13, 13)]), width)
    assert picture.count("Beacon") + picture.count("Bea") >= 2 and "of 676 places" in picture, picture
    for line in picture.splitlines():
        is_name = line.startswith("Player 1")  # nothing lies before anybody
        assert (is_name or len(line) == width) and "╮" not in line[1:-1], picture  # nothing is wrapped
    for across, down in [(10, 11), (14, 14), (12, 12)]:
        assert re.search(rf"\b{across} {down}\b", picture), picture
    assert not re.search(r"\b9 12\b|\b11 15\b", picture), picture


@pytest.mark.parametrize("arrange", ["grid", "hex", "graph"])
def test_places_that_lie_too_far_apart_for_a_picture_are_a_list(arrange: str, tmp_path: Path) -> None:
    picture = painted(wide(tmp_path, arrange, [(0, 0), (25, 25)]), 80)
    assert "acre 0 0 Beacon" in picture and "acre 25 25 Beacon" in picture, picture
    assert len(picture.splitlines()) < 12, picture


ALONE = """\
edition: 2026
game: alone
players: 1
components:
  acre: {{attributes: {{across: 0..9, down: 0..9}}, starts_in: field, pieces: {{barn: {{across: 4, down: 7}}, mill: {{across: 5, down: 7}}, inn: {{across: 5, down: 8}}}}}}
zones:
  field: {{holds: acre, visible: all, order: none}}
flow:
  look:
    turns: players
    do: choose seen from field
winner: {{most: 1}}
layout:
  zones:
    field: {{arrange: {arrange}, row: it.down, column: it.across}}
"""


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("arrange", ["grid", "hex", "graph", "layers"])
def test_a_single_zone_by_rows_and_columns_is_a_picture(arrange: str, width: int, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(ALONE.format(arrange=arrange), encoding="utf-8")
    lines = painted(houserule.load(tmp_path).start(1, seed=1), width).splitlines()
    at = {
        name: next((n, line.index(name)) for n, line in enumerate(lines) if name in line)
        for name in ("barn", "mill", "inn")
    }
    assert at["barn"][0] == at["mill"][0] < at["inn"][0], lines
    assert at["barn"][1] < at["mill"][1] and abs(at["mill"][1] - at["inn"][1]) < width // 4, lines
    assert sorted(re.findall(r"[┌┬┼┴]([123])─", "".join(lines))) == ["1", "2", "3"], lines


def test_long_titles_of_places_are_abbreviated_and_explained(tmp_path: Path) -> None:
    titles = ["old granary", "northern meadow", "burnt orchard", "lower mill pond", "upper mill pond", "sheepfold"] * 2
    ids = [f"{title.replace(' ', '_')}_{at}" for at, title in enumerate(titles)]
    spots = f"  spot: {{pieces: [{', '.join(ids)}]}}\n"
    text = HEAPS.format(
        spots=spots, pieces="a: {}", index="(spot)", look="all", arrange="grid", at="", deal=lines(["nothing"]), round=lines(["nothing"]),
    )  # fmt: skip
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    picture = painted(houserule.load(tmp_path).start(2, seed=1), 80)
    for id in ids:
        assert id.replace("_", " ") in picture, picture


CELLS = """\
edition: 2026
game: cells
players: 1
components:
  bead: {starts_in: pot, pieces: {red: {count: 3}, blue: {count: 2}}}
zones:
  pot: {holds: bead, visible: all}
  cell(1..3 row, 1..2 column): {holds: bead, visible: all}
flow:
  fill:
    do: |
      for b in pot: move b to cell[2, 1]
  end: {turns: players, do: "choose n from 1..2"}
layout: {zones: {cell: {arrange: hex}}}
"""


def test_rows_and_columns_of_two_indices_need_not_be_said_and_what_lies_in_a_cell_is_counted(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(CELLS, encoding="utf-8")
    picture = painted(houserule.load(tmp_path).start(1, seed=1), 80)
    rows = [
        next(at for at, line in enumerate(picture.splitlines()) if word in line) for word in ("1, 1", "2, 2", "3, 1")
    ]
    assert rows == sorted(set(rows)), picture
    assert "red×3" in picture and "blue×2" in picture, picture


@pytest.mark.parametrize("arrange", ["", *ARRANGED, "upon", "track"])
def test_a_family_over_a_kind_without_pieces_shows_nothing(arrange: str, tmp_path: Path) -> None:
    text = "edition: 2026\ngame: bare\nplayers: 2\ncomponents:\n  spot: {attributes: {row: 1..2}}\n  card: {starts_in: box, pieces: {red: {count: 3}}}\n"
    text += 'zones:\n  box: {holds: card, visible: all}\n  field(spot): {holds: card, visible: all}\n  "own(player, spot)": {holds: card, visible: owner}\n'
    text += "variables: {hot(spot): bool}\nflow: {go: {turns: players, do: nothing}}\nwinner: {most: 1}\n"
    text += f"layout: {{zones: {{field: {{arrange: {arrange}}}}}}}\n" if arrange else ""
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    try:
        match = houserule.load(tmp_path).start(2, seed=1)
    except houserule.InvalidGame:
        assert arrange in ("upon", "track", "graph", "ring")  # what these need is not said
        return
    shown = scene(match, houserule.SPECTATOR)
    assert [region.id for region in shown.regions] == ["box"]
    assert "red" in painted(match, 80)
