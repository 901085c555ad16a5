"""What is printed of a game: as many pieces as the rules count, backs behind their faces, and texts that can be read."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import houserule
from houserule.cli.application import application
from houserule.definition.schema import check_shape
from houserule.diagnostics import Report
from houserule.printing import (
    Item,
    Settings,
    Sheet,
    Stock,
    TooMuch,
    crafted,
    decks,
    kinds_of,
    only_new,
    products,
    sheets,
    single,
    stock,
)
from houserule.printing.aid import CHAPTERS
from houserule.printing.drawing import Inks, fitted, width
from houserule.printing.sheets import drawn
from houserule.rulebook import markdown, rulebook
from tests.bundled import load
from tests.reading import read_text

RULES = """\
edition: 2026
game: market
title: Market <b>&</b> more
players: 2..3
enums:
  fruit: {members: {apple: {title: "<script>Apple</script>", text: Sweet & sour.}, pear: {}}}
components:
  card:
    attributes: {fruit: fruit, price: 0..9}
    starts_in: deck
    pieces:
      basket: {fruit: apple, price: 3, count: 2 * player_count, text: "Take an apple, and pay {it.price}."}
      crate: {fruit: pear, price: 7}
  coin: {starts_in: purse, each: {owner: player}, attributes: {owner: player}, count: 4}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner}
  purse: {holds: coin, visible: all}
  stall(fruit): {holds: card, visible: all}
flow:
  round: {turns: players, do: "draw 1 from deck to me.hand"}
winner: {most: count(me.hand)}
"""
SVG = "{http://www.w3.org/2000/svg}"


def game(folder: Path, more: str = "", rules: str = RULES, variant: str = "") -> houserule.Game:
    (folder / "game.yaml").write_text(rules + more, "utf-8")
    if variant:
        (folder / "variants").mkdir(exist_ok=True)
        (folder / "variants" / "more.yaml").write_text(variant, "utf-8")
    return houserule.load(folder, ["more"] if variant else ())


@pytest.fixture(scope="module")
def ali_baba() -> Stock:
    return stock(load("ali_baba"))


def front(found: Stock, id: str) -> Item:
    return next(item for item in found.items if item.id == id)


def texts(item: Item) -> list[str]:
    drawn = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{item.front.drawn()}</svg>')
    return [one.text or "" for one in drawn.iter(f"{SVG}text")]


# --- how many -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["ali_baba", "aladdin", "master_thieves", "rattlebones", "hearts", "checkers", "reversi"]
)
def test_there_are_as_many_pieces_as_the_rules_count(name: str) -> None:
    loaded = load(name)
    symbols = loaded.checked(max(loaded.players)).symbols
    counted = {kind.name: len(kind.ids) for kind in symbols.kinds.values() if kind.is_piece and kind.lies}
    printed = Counter[str]()
    for item in stock(loaded).items:
        printed[item.kind] += item.copies
    assert {kind: printed[kind] for kind in counted} == counted


def test_a_set_has_its_tiles_with_one_back_and_its_texts(ali_baba: Stock) -> None:
    tiles = [item for item in ali_baba.items if item.kind == "tile"]
    assert sum(item.copies for item in tiles) == 60
    assert len({item.back.drawn() for item in tiles if item.back is not None}) == 1
    assert all(item.back is not None for item in tiles)
    assert not ali_baba.small
    blue = next(item for item in tiles if item.title == "Blue crown")
    assert " ".join(texts(blue)[1:]) == blue.text.strip()


def test_fewer_players_need_fewer_pieces(tmp_path: Path) -> None:
    loaded = game(tmp_path)
    assert front(stock(loaded), "basket").copies == 6
    assert front(stock(loaded, players=2), "basket").copies == 4


def test_a_game_without_a_layout_has_usual_designs(tmp_path: Path) -> None:
    found = stock(game(tmp_path))
    card, coin = front(found, "basket"), next(item for item in found.items if item.kind == "coin")
    assert (card.front.width, card.front.height, card.back is not None) == (63, 88, True)
    assert (coin.front.is_round, coin.copies, coin.back) == (True, 4, None)
    assert "Basket" in texts(card)
    assert "Take an apple, and pay 3." in " ".join(texts(card))
    assert kinds_of(found.items)["board"] == 1


def test_dice_are_nets(tmp_path: Path) -> None:
    found = {name: [item for item in stock(load(name)).items if item.shape == "die"] for name in ("pig", "yahtzee")}
    assert [item.copies for item in found["pig"]] == [1]
    assert [item.copies for item in found["yahtzee"]] == [5]
    assert found["pig"][0].front.drawn().count("<circle") == 21


def test_pieces_that_lie_nowhere_and_have_a_number_that_is_rolled_are_dice_of_their_own(tmp_path: Path) -> None:
    game = "edition: 2026\ngame: dice\nplayers: 2\ncomponents:\n  die: {variables: {pips: 1..6 = 1}, pieces: {red_die: {count: 3}}}\nvariables: {best(player): 0..18}\n"
    flow = "flow:\n  turn:\n    turns: players\n    do: |\n      for d in die: roll d.pips from 1..6\n      me.best = sum(d.pips for d in die)\n"
    (tmp_path / "game.yaml").write_text(game + flow, encoding="utf-8")
    (item,) = stock(houserule.load(tmp_path)).items
    assert (item.shape, item.copies, item.front.drawn().count("<circle")) == ("die", 3, 21)


def test_a_sheet_of_what_belongs_to_nobody_has_its_columns_written(tmp_path: Path) -> None:
    game = "edition: 2026\ngame: realms\nplayers: 2\nenums:\n  realm: {variables: {holder: player or none, armies: 0..9}, members: {dale: {}, fen: {}}}\n"
    flow = "flow:\n  turn: {turns: players, do: 'choose r from realm \"Where?\": r.holder = me; r.armies += 1'}\n"
    (tmp_path / "game.yaml").write_text(game + flow, encoding="utf-8")
    (item,) = stock(houserule.load(tmp_path)).items
    drawn = item.front.drawn()
    assert all(f">{word}<" in drawn for word in ("Realm", "Holder", "Armies", "dale", "fen"))


# --- what tells pieces apart --------------------------------------------------------------------------------------------


LOTS = """\
edition: 2026
game: lots
players: 2..4
enums: {face: {members: {flower: {}, skull: {}}}}
components:
  disc:
    each: {owner: player, face: face}
    attributes: {owner: player, face: face}
    count: 3 if it.face == flower else 1
    title: "{it.face}"
    starts_in: hand[it.owner]
  guest:
    attributes: {points: 0..5, rubies: 0..7, opals: {type: 0..7, title: Milky opals}}
    starts_in: hall
    pieces:
      anna: {title: Guest, points: 3, rubies: 4, opals: 0}
      bert: {title: Guest, points: 3, rubies: 0, opals: 4}
      carl: {title: Guest, points: 3, rubies: 0, opals: 4, count: 2}
zones:
  hand(player): {holds: disc, visible: owner}
  hall: {holds: guest, visible: all}
flow: {round: {turns: players, do: "choose d from me.hand; move d to next(me).hand"}}
winner: {most: count(me.hand)}
"""


def test_pieces_that_differ_are_not_copies_of_one(tmp_path: Path) -> None:
    found = stock(game(tmp_path, rules=LOTS))
    discs = [item for item in found.items if item.kind == "disc"]
    assert [(item.title, item.copies) for item in discs] == [("Flower", 3), ("Skull", 1)] * 4
    assert all(texts(item) == [item.title] for item in discs)
    assert len({item.front.drawn() for item in discs}) == 8
    assert not found.small


@pytest.mark.parametrize(
    "layout", ["", "guest: {shape: card, fill: red}", "guest: {shape: disc, letter: g, print: 35 x 35}"]
)
def test_what_nothing_else_tells_apart_has_its_printed_values_on_it(tmp_path: Path, layout: str) -> None:
    found = stock(game(tmp_path, f"layout: {{pieces: {{{layout}}}}}\n" if layout else "", LOTS))
    guests = [item for item in found.items if item.kind == "guest"]
    assert [item.copies for item in guests] == [1, 3]
    said = [" ".join(texts(item)).replace("\u00a0", " ") for item in guests]
    assert "Guest" in said[0] and "Points 3, Rubies 4" in said[0] and "opals" not in said[0]
    assert "Guest" in said[1] and "Points 3, Milky opals 4" in said[1]
    assert not found.small


def test_a_layout_that_tells_pieces_apart_is_enough(tmp_path: Path) -> None:
    layout = "layout: {pieces: {guest: {shape: disc, fill: it.rubies, symbol: it.points}, disc: {fill: it.owner, print: {title: none}}}}\n"
    found = stock(game(tmp_path, layout, LOTS))
    assert {(item.kind, *texts(item)) for item in found.items} == {("disc",), ("guest", "3")}
    assert [item.copies for item in found.items if item.kind == "guest"] == [1, 3]
    assert [item.copies for item in found.items if item.kind == "disc"] == [4] * 4


def test_what_can_lie_face_down_has_a_back_behind_its_face(tmp_path: Path) -> None:
    found = stock(game(tmp_path, rules=LOTS))
    assert {(item.kind, item.back is not None) for item in found.items} == {("disc", True), ("guest", False)}
    made = sheets(found, Settings())
    assert [(one.title, one.is_back, len(one.placed)) for one in made if one.title == "disc"] == [
        ("disc", False, 16),
        ("disc", True, 16),
    ]


def test_a_token_whose_back_shows_something_has_a_back(tmp_path: Path) -> None:
    rules = LOTS.replace("  guest:\n", "  guest:\n    back: [points]\n")
    assert all(item.back is not None for item in stock(game(tmp_path, rules=rules)).items)


def test_one_more_of_what_looks_like_others_is_new(tmp_path: Path) -> None:
    layout = "layout: {pieces: {guest: {print: {title: none, symbol: none}}}}\n"
    base, more = (stock(game(tmp_path, layout, LOTS.replace("count: 2", f"count: {n}"))) for n in (2, 3))
    assert sum(item.copies for item in only_new(base, more).items) == 1


# --- house rules --------------------------------------------------------------------------------------------------------


VARIANT = """\
variant: more
of: market
title: More
add: {components: {card: {pieces: {ladder: {fruit: pear, price: 1, text: Climb.}}}}}
"""


def test_a_card_that_a_house_rule_adds_is_the_only_new_one(tmp_path: Path) -> None:
    base = stock(game(tmp_path))
    found = only_new(base, stock(game(tmp_path, variant=VARIANT)))
    assert [(item.id, item.copies) for item in found.items] == [("ladder", 1)]


def test_a_card_that_a_house_rule_changes_is_new_in_all_its_copies(tmp_path: Path) -> None:
    base = stock(game(tmp_path))
    variant = "variant: more\nof: market\ntitle: More\nchange: {components: {card: {pieces: {basket: {price: 4}}}}}\n"
    found = only_new(base, stock(game(tmp_path, variant=variant)))
    assert [(item.id, item.copies) for item in found.items] == [("basket", 6)]
    assert not only_new(base, base).items


def test_more_copies_are_new_by_their_number() -> None:
    base, changed = (stock(load("aladdin", variants)) for variants in ((), ("desert_wind",)))
    assert sum(item.copies for item in only_new(base, changed).items) == 5


# --- sheets -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("bleed", [0, 1.5])
def test_backs_lie_behind_their_faces(ali_baba: Stock, paper: str, flip: str, bleed: float) -> None:
    settings = Settings(paper, bleed, flip)
    made = [one for one in sheets(ali_baba, settings) if one.title == "tile"]
    assert [one.is_back for one in made] == [False, True] * (len(made) // 2)
    wide, high = settings.size
    for face, back in zip(made[::2], made[1::2], strict=True):
        behind = {(round(one.x, 2), round(one.y, 2)): one for one in back.placed}
        for one in face.placed:
            x, y = one.x, one.y
            if flip == "long":
                x = wide - one.x - one.face.width
            else:
                y = high - one.y - one.face.height
            other = behind[round(x, 2), round(y, 2)]
            assert other.item is one.item
            assert one.item is not None and other.face is one.item.back
    assert sum(len(one.placed) for one in made[::2]) == 60


def test_cards_that_are_turned_on_the_sheet_have_their_backs_the_same_way_up(tmp_path: Path) -> None:
    layout = "layout: {pieces: {card: {print: 100 x 60}}}\n"
    made = sheets(stock(game(tmp_path, layout)), Settings())
    turned = {(one.is_back, placed.rotation) for one in made if one.title == "card" for placed in one.placed}
    assert turned in ({(False, 90), (True, 270)}, {(False, 0), (True, 0)})


def test_marks_are_where_pieces_are_cut(ali_baba: Stock) -> None:
    for one in sheets(ali_baba, Settings()):
        for placed in one.placed:
            if placed.rotation == 0 and one.window is None:
                edges = placed.x, placed.x + placed.face.width
                assert all(any(abs(edge - cut) < 0.01 for cut in one.cuts[0]) for edge in edges)


def test_without_a_bleed_pieces_lie_edge_to_edge(ali_baba: Stock) -> None:
    first = sheets(ali_baba, Settings(bleed=0))[0]
    lefts = sorted({one.x for one in first.placed})
    assert {round(b - a, 3) for a, b in pairwise(lefts)} == {46.0}
    assert len(first.cuts[0]) == len(lefts) + 1


def test_there_are_no_more_on_a_sheet_than_are_wanted(ali_baba: Stock) -> None:
    made: list[Sheet] = [one for one in sheets(ali_baba, Settings(most=4)) if one.title == "tile"]
    assert {len(one.placed) for one in made} == {4}
    assert len(made) == 30


def test_a_board_that_is_larger_than_the_paper_comes_in_parts(tmp_path: Path) -> None:
    layout = "layout: {zones: {stall: {arrange: grid, print: 250}}}\n"
    made = [one for one in sheets(stock(game(tmp_path, layout)), Settings()) if one.title == "board"]
    assert len(made) >= 3
    assert all(one.window is not None for one in made)


# --- designs ------------------------------------------------------------------------------------------------------------


def test_a_layout_says_what_stands_where(tmp_path: Path) -> None:
    layout = """\
layout:
  pieces:
    card:
      fill: it.fruit
      symbol: it.fruit
      print:
        size: mini
        border: 2
        title: bottom
        text: none
        fields:
          price: {at: top right, symbol: it.price, fill: gold, when: it.price > 5}
          kind: {at: 2 30 40 8, words: "A {it.fruit}"}
    coin: {print: none}
"""
    found = stock(game(tmp_path, layout))
    basket, crate = front(found, "basket"), front(found, "crate")
    assert (basket.front.width, basket.front.height) == (44, 63)
    assert not any(item.kind == "coin" for item in found.items)
    assert "Take an apple" not in " ".join(texts(basket))
    assert "A <script>Apple</script>" in " ".join(texts(basket))
    assert "7" in texts(crate)
    assert "3" not in texts(basket)


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("print: huge", "a piece cannot be printed in the size 'huge'"),
        ("print: 2 x 900", "a piece cannot be printed in the size '2 x 900'"),
        ("print: {title: {at: above}}", "nothing can stand at 'above'"),
        ("print: {size: 40 x 40, text: {at: 10 10 40 5}}", "nothing can stand at '10 10 40 5' on this piece"),
        ("print: {fields: {title: top}}", "'title' stands on every piece"),
        ("print: {fields: {price: {symbol: it.worth}}}", "'worth'"),
    ],
)
def test_a_design_that_cannot_be_is_told(tmp_path: Path, layout: str, said: str) -> None:
    with pytest.raises(houserule.InvalidGame) as raised:
        game(tmp_path, f"layout: {{pieces: {{card: {{{layout}}}}}}}\n")
    assert any(said in one.message for one in raised.value.diagnostics)


def test_in_black_and_white_no_two_colours_look_alike() -> None:
    from houserule.definition.looks import FILLS

    paints = [Inks(is_grey=True).paint(fill) for fill in FILLS]
    assert len({(paint.ground, paint.pattern) for paint in paints}) == len(FILLS)
    grounds = {paint.ground for paint in paints} | {paint.ink for paint in paints}
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in grounds)


def test_a_whole_set_in_black_and_white_has_no_colour() -> None:
    found = stock(load("ali_baba"), is_grey=True)
    drawn = "".join(item.front.drawn() for item in found.items)
    colours = {part[:6] for part in drawn.split('"#')[1:]}
    assert colours <= {"ffffff", "000000", "14191a"} | {c for c in colours if c[:2] == c[2:4] == c[4:6]}


def test_a_players_aid_has_what_rulebooks_say_of_the_turn_and_the_score() -> None:
    assert {chapter.anchor for chapter in rulebook(load("aladdin")).chapters} >= set(CHAPTERS)


def test_the_page_about_printing_is_right() -> None:
    text = (Path(__file__).parents[2] / "docs" / "print.md").read_text("utf-8")
    report = Report()
    tree = read_text(text.split("```yaml\n")[1].split("```")[0], "print.md", report)
    assert tree is not None
    assert check_shape(tree, "part", report), report.diagnostics
    shown = " ".join(CliRunner().invoke(application, ["print", "--help"], env={"COLUMNS": "120"}).output.split())
    assert all(option in shown for option in re.findall(r"--[a-z][a-z-]+", text))


# --- texts --------------------------------------------------------------------------------------------------------------


WORDS = "Everyone hands a gem of their own choice to the next player; Übermäßiges ändert nichts: 100 % WWW."


@pytest.mark.parametrize(
    "text", [WORDS, "每個人暗中把骰子放上寶箱。要得最少的人才能開箱，數字與別人相同的人搶著碰神燈。", "x" * 70]
)
@pytest.mark.parametrize("box", [(55.0, 30.0), (20.0, 20.0), (30.0, 6.0)])
def test_a_text_stays_in_its_box(text: str, box: tuple[float, float]) -> None:
    made = fitted(text, box, 12, "it")
    assert "".join("".join(line for line, _ in made.lines).split()) == "".join(text.split())
    assert made.height <= box[1] + 0.05
    assert all(wide <= box[0] + 0.05 for _, wide in made.lines)


def test_no_text_is_wider_than_it_is_taken_to_be() -> None:
    from matplotlib import font_manager, ft2font

    for weight, is_bold in (("normal", False), ("bold", True)):
        font = ft2font.FT2Font(font_manager.findfont(font_manager.FontProperties(family="DejaVu Sans", weight=weight)))
        font.set_size(100, 72)
        for text in (WORDS, "Illegal filling of the lily", "MAGIC LAMP", "0123456789", "(a) [b] {c} – “d”"):
            font.set_text(text)
            assert font.get_width_height()[0] / 64 / 100 <= width(text, is_bold) * 1.01, text


def test_small_letters_are_told_with_the_name_of_the_piece(tmp_path: Path) -> None:
    rules = RULES.replace("Take an apple, and pay {it.price}.", "Take an apple, and pay. " * 80)
    found = stock(game(tmp_path, rules=rules))
    assert [one.rpartition(" (")[0] for one in found.small] == ["Basket"]
    assert "".join(texts(front(found, "basket"))).count("apple") == 80


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2 * player_count", "2500", "has 2513 pieces"),
        ("Take an apple, and pay {it.price}.", "word " * 1500, "the text of 'Basket' has"),
    ],
)
def test_more_than_can_be_printed_is_told_in_a_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    rules = RULES.replace(old, new).replace("count: 4}", "count: 4}" if new != "2500" else "count: 1000}")
    said = said.replace("2513", str(2500 + 1 + 3000))
    with pytest.raises(TooMuch, match=said):
        stock(game(tmp_path, rules=rules))


def test_boards_and_titles_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = game(tmp_path)
    monkeypatch.setattr("houserule.printing.boards.MOST_PLACES", 1)
    with pytest.raises(TooMuch, match=r"'stall' has 2 places, and 1 is the most .*`print: none`"):
        stock(loaded)
    monkeypatch.setattr("houserule.printing.design.MOST_CHARACTERS", 30)
    with pytest.raises(TooMuch, match="more than 30 characters are written"):
        stock(loaded)


def test_a_text_that_fits_in_no_size_is_refused() -> None:
    with pytest.raises(TooMuch, match="the text of 'Epic' does not fit on it in any size"):
        fitted("W" * 3900, (8, 8), 9, "Epic")


def test_markup_of_strangers_is_text(tmp_path: Path) -> None:
    found = stock(game(tmp_path))
    settings = Settings()
    for one in sheets(found, settings):
        page = ElementTree.fromstring(drawn(one, settings))
        assert {element.tag.removeprefix(SVG) for element in page.iter()} <= {
            "svg", "defs", "pattern", "g", "rect", "ellipse", "circle", "path", "text", "polygon", "clipPath",
        }  # fmt: skip
    assert any("<script>" in text for item in found.items for text in texts(item))


# --- pictures -----------------------------------------------------------------------------------------------------------


def test_pictures_have_a_table_without_formulas(tmp_path: Path) -> None:
    rules = RULES.replace('text: "Take an apple, and pay {it.price}."', 'text: "=HYPERLINK(1)"')
    album = single(stock(game(tmp_path, rules=rules)), Settings(bleed=0), "svg")
    lines = album.table().splitlines()
    assert lines[0] == "kind,id,title,text,copies,front,back,width_mm,height_mm"
    assert lines[1].startswith("card,basket,Basket,'=HYPERLINK(1),6,card-basket.svg,card-basket-back.svg,63,88")
    assert {picture.name for picture in album.pictures} >= {"card-basket", "card-basket-back", "card-crate"}
    assert len({picture.name.lower() for picture in album.pictures}) == len(album.pictures)


def test_decks_have_ten_cards_in_a_row_and_the_back_in_the_last_place() -> None:
    album = decks(stock(load("hearts")))
    deck = album.pictures[0]
    assert len(album.rows) == 52
    assert {(row["columns"], row["rows"], row["cards"]) for row in album.rows} == {(10, 6, 52)}
    assert len(deck.faces) == 53
    assert max(deck.dots) <= 4096
    assert deck.size == (630, 528)


def test_a_picture_of_a_huge_board_has_fewer_dots_in_an_inch(tmp_path: Path) -> None:
    made = single(stock(game(tmp_path, "layout: {zones: {stall: {arrange: grid, print: 400}}}\n")), Settings(), "png")
    cards, boards = ([one for one in made.pictures if ("board" in one.name) is is_board] for is_board in (False, True))
    assert all(one.scale == pytest.approx(300 / 25.4) for one in cards)
    assert [max(one.dots) for one in boards] == [8192]


def test_products_have_the_sizes_that_are_wanted() -> None:
    album = products(stock(load("hearts"), resized=crafted))
    assert {row["product"] for row in album.rows if row["kind"] == "card"} == {"PokerDeck"}
    assert album.pictures[0].dots == (825, 1125)


TURNED = """\
edition: 2026
game: turned
players: 2
enums: {level: {members: [low, high]}}
components:
  leaf:
    each: {number: 1..4}
    attributes: {number: 1..4}
    starts_in: trunk[low] if it.number < 3 else trunk[high]
    variables: {dry: bool, colour: 0..2}
zones: {trunk(level): {holds: leaf, visible: all}}
flow: {round: {turns: players, do: "leaf[1].dry = true"}}
winner: {most: 1}
layout:
  zones: {trunk: {arrange: solid, fill: brown}}
  pieces:
    leaf: {shape: disc, fill: green, cases: [{when: it.dry, fill: brown}], print: {sides: dry}}
"""


def test_what_is_turned_over_has_both_faces(tmp_path: Path) -> None:
    found = stock(game(tmp_path, rules=TURNED))
    [leaf] = [item for item in found.items if item.kind == "leaf"]
    assert leaf.copies == 4 and leaf.back is not None
    green, brown = (Inks(False).paint(name, None).ground for name in ("green", "brown"))
    assert green in leaf.front.drawn() and brown in leaf.back.drawn() and green not in leaf.back.drawn()


def test_the_levels_of_a_box_are_nets_with_a_window_for_each_piece(tmp_path: Path) -> None:
    nets = [item for item in stock(game(tmp_path, rules=TURNED)).items if item.kind == "box"]
    assert [(item.title, item.copies) for item in nets] == [("Low", 1), ("High", 1)]
    assert [words for words in ("Low 1", "Low 2", "Low 3") if words in nets[0].front.body] == ["Low 1", "Low 2"]


@pytest.mark.parametrize("name, said", [("colour", "cannot show 'colour'"), ("wet", "no variable 'wet'")])
def test_two_sides_need_a_variable_with_two_values(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(houserule.InvalidGame, match=re.escape(said)):
        game(tmp_path, rules=TURNED.replace("sides: dry", f"sides: {name}"))


MINES = """\
edition: 2026
game: mines
players: 2
enums:
  jewel: {members: {diamond: {title: white diamond}, sapphire: {}, emerald: {}, ruby: {}, gold: {}}}
components:
  mine:
    attributes: {level: 1..3, cost: list of jewel}
    back: [level]
    starts_in: deck
    pieces:
      deep: {level: 1, cost: [ruby, diamond, ruby]}
      wide: {level: 2, cost: [emerald, emerald, emerald, emerald, gold]}
      free: {level: 3, cost: []}
  chip: {attributes: {colour: jewel}, each: {colour: jewel}, starts_in: purse}
zones:
  deck: {holds: mine, visible: none}
  purse: {holds: chip, visible: all}
flow:
  round: {turns: players, do: "draw 1 from deck to purse"}
winner: {most: 0}
""".replace("holds: chip", "holds: piece")


def test_lists_are_printed_with_the_titles_of_their_members(tmp_path: Path) -> None:
    found = stock(game(tmp_path, rules=MINES))
    said = {id: " ".join(texts(front(found, id))).replace("\u00a0", " ") for id in ("deep", "wide", "free")}
    assert "Level 1; Cost: ruby, white diamond, ruby" in said["deep"]  # their order may count
    assert "Level 2; Cost: 4 × emerald, gold" in said["wide"]
    assert "Level 3" in said["free"] and "Cost" not in said["free"]

    deep = front(found, "deep")
    assert deep.back is not None and "Level\u00a01" in deep.back.body  # a number says what it stands for


def test_members_without_a_colour_do_not_get_one_that_is_taken(tmp_path: Path) -> None:
    found = stock(game(tmp_path, rules=MINES))
    grounds = {item.front.ground.ground for item in found.items if item.kind == "chip"}
    assert len(grounds) == 5


def test_the_box_says_what_a_number_on_a_back_stands_for(tmp_path: Path) -> None:
    text = markdown(rulebook(game(tmp_path, rules=MINES)))
    assert "back: level 1" in text
