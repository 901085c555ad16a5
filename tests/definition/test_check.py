"""What is said of a whole game: what nothing uses, and names that become variables."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

import houserule

GAME = """\
game: whole
edition: 2026
players: 2..3
options: {speed: {type: 1..9, default: 3}}
enums: {colour: [red, blue]}
components:
  card:
    attributes: {colour: colour}
    effects: [shine, glow]
    starts_in: deck
    pieces: {rose: {colour: red, shine: me.score += 1}, sky: {colour: blue, glow: me.score += 1}}
zones:
  deck: {holds: card, visible: all}
  attic: {holds: card, visible: all}
variables:
  score(player): int
  fixed: int = 3
  dusty: int
  seen_by_nobody: int
tables: {prize: [1, 2], shelf: [1, 2]}
functions:
  good: me.score > fixed
  idle: 3
actions:
  play: |
    card = top(deck)
    if card: perform card.shine
    seen_by_nobody = prize[0]
  rest: me.score = 0
flow:
  turn: {repeat: 3, turns: players, do: perform play}
scoring: {score: "me.score if good else speed"}
"""


def said(folder: Path, text: str = GAME, *variants: str) -> list[str]:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        found = houserule.load(path, variants=variants).diagnostics
    except houserule.InvalidGame as error:
        found = error.diagnostics
    return [f"{d.code} {d.message}" for d in found]


def test_what_nothing_uses_is_said(tmp_path: Path) -> None:
    assert sorted(said(tmp_path)) == [
        "HR570 action 'rest' is never performed",
        "HR570 effect 'glow' of 'card' is never performed",
        "HR570 function 'idle' is never used",
        "HR571 table 'shelf' is never used",
        "HR571 variable 'dusty' is never used",
        "HR571 variable 'fixed' is read, but never set",
        "HR571 variable 'seen_by_nobody' is set, but never read",
        "HR571 zone 'attic' is never used",
    ]


def test_a_zone_that_nothing_enters_and_a_mark_that_nothing_sets_are_said(tmp_path: Path) -> None:
    marks = "starts_in: deck\n    variables: {lit: bool, warm: bool = it.colour == red}\n"
    reads = "good: any(c in deck where c.lit or c.warm) and empty(attic) and me.score > fixed"
    found = said(tmp_path, GAME.replace("starts_in: deck\n", marks).replace("good: me.score > fixed", reads))
    told = ["HR571 nothing ever enters zone 'attic'", "HR571 variable 'lit' is read, but never set"]
    assert [one for one in sorted(found) if "attic" in one or "lit" in one or "warm" in one] == told


LAID_OUT = """\
edition: 2026
game: laid_out
players: 2
options: {extra: {type: 0..3, default: 1}}
enums:
  sort:
    attributes: {amount: 0..60 = base * 2, big: bool = true}
    members: {low: {amount: 3}, high: {}, top: {big: false}}
components:
  card:
    attributes: {sort: sort, worth: 0..20 = 4 + extra, other: sort or none = top, likes: "list of sort = [low, high]"}
    starts_in: deck
    each: {sort: sort}
    count: copies(it)
    pieces: {joker: {sort: low, worth: 9, other: none, likes: []}}
  field:
    attributes: {row: 1..size, column: 1..size}
    each: {row: 1..size, column: 1..doubled(row)}
    where: is_light(it) and it.tone != 3
zones:
  deck: {holds: card, visible: all}
variables:
  score(player): int
functions:
  base: 2 + extra
  size: 4
  doubled(int n): min(n * 2, size)
  tone(field f): (f.row + f.column) % 4
  is_light(field f): f.tone % 2 == 0 or f.row == 1
  copies(card c): |
    if c.sort.amount == 3: finish with half(c.sort.amount)
    many = c.sort.amount
    finish with half(many)
  half(int n): n // 2 if n > 1 else 1
flow:
  look: {turns: players, do: "me.score += count(f in field where f.row > 1) + sum(c.worth for c in deck where c.other and c.sort in c.likes and c.sort.big)"}
scoring: {score: me.score}
"""


def test_attributes_have_defaults_and_pieces_are_laid_out_by_functions(tmp_path: Path) -> None:
    assert said(tmp_path, LAID_OUT) == []
    game = houserule.load(tmp_path, options={"extra": 2})
    kinds = game.program(2, told=False).symbols.kinds
    assert kinds["sort"].attributes == {"amount": [3, 8, 8], "big": [1, 1, 0]}
    card = kinds["card"]
    assert card.ids == ["low", "high", "high", "high", "high", "top", "top", "top", "top", "joker"]
    assert card.attributes["worth"] == [6] * 9 + [9] and card.attributes["other"] == [2] * 9 + [-1]
    assert card.attributes["likes"] == [(0, 1)] * 9 + [()]
    assert kinds["field"].ids == [
        "field_1_1",
        "field_2_2",
        "field_2_4",
        "field_3_1",
        "field_3_3",
        "field_4_2",
        "field_4_4",
    ]


@pytest.mark.parametrize(
    ("was", "broken", "told"),
    [
        ("0..60 = base * 2", "0..5 = base * 2", "HR550 the default of 'amount' is 0..5"),
        ("bool = true", "bool = 3", "HR510 the default of 'big' is true or false"),
        ("size: 4", "size: 4 + count(deck)", "HR515 "),
        ("half(int n): n // 2 if n > 1 else 1", "half(int n): half(n)", "HR515 the count of 'card'"),
        ("half(int n): n // 2 if n > 1 else 1", "half(int n): n // (n - n)", "HR554 the count of 'card'"),
        ("half(int n): n // 2", "half(int n): n // tow", "HR501 there is nothing called 'tow'"),
        ("finish with half(many)", "finish with me.score + half(many)", "HR515 the count of 'card'"),
        (
            "many = c.sort.amount",
            "many = 1\n    repeat 2 times: many += 1",
            "HR515 the count of 'card' must be known before the game starts, but 'copies' has a loop",
        ),
        ("half(int n): n // 2", "half(int n): (count(deck) after move top(deck) to deck) + n // 2", "HR515 the count"),
    ],
)
def test_what_lays_pieces_out_is_known_before_the_game(was: str, broken: str, told: str, tmp_path: Path) -> None:
    found = said(tmp_path, LAID_OUT.replace(was, broken))
    assert any(one.startswith(told) for one in found), found


HEDGES = """\
edition: 2026
game: hedges
players: 2
components:
  acre: {grid: square, attributes: {row: 1..3, column: 1..2}, each: {row: 1..3, column: 1..2}}
  hedge: {attributes: {one: acre, other: acre}, each: {one: acre, other: one.neighbours}, where: it.one < it.other}
variables: {grown(hedge): bool}
flow:
  grow: {turns: players, do: "for h in hedge: grown[h] = not grown[h]"}
winner: {most: count(h in hedge where h.grown)}
"""


def test_each_goes_through_the_neighbours_on_a_board_and_names_what_is_known_only_later(tmp_path: Path) -> None:
    assert said(tmp_path, HEDGES) == []
    assert len(houserule.load(tmp_path).program(2, told=False).symbols.kinds["hedge"].ids) == 7
    later = HEDGES.replace("column: 1..2}, each", "column: 1..2, near: list of acre = it.neighbours}, each")
    found = said(tmp_path, later.replace("one.neighbours", "one.near"))
    assert found == [
        "HR554 what `each` goes through cannot be worked out: 'near' names pieces, so it is known only when all pieces are made"
    ]


STARTED = """\
edition: 2026
game: started
players: 2
enums: {spot: [north, south]}
variables:
  score(player): {type: 0..999, start: double(five)}
  worth(spot): {type: 0..99, start: far(it)}
functions:
  five: 5
  double(int n): n * 2
  far(spot s): 3 if s == north else double(4)
flow:
  turn:
    turns: players
    do: |
      for s in spot: me.score += worth[s]
      worth[north] += 1
scoring: {points: me.score}
"""


def test_a_start_may_call_functions_of_constants(tmp_path: Path) -> None:
    assert said(tmp_path, STARTED) == []
    match = houserule.load(tmp_path).start(2, seed=1)
    assert [list(line.points.values()) for line in match.sheet] == [[10 + 3 + 8, 10 + 4 + 8]]


@pytest.mark.parametrize(
    ("was", "broken", "told"),
    [
        ("n * 2", "n * score[first(players)]", "HR515 the start of 'score'"),
        ("five: 5", "five: 5000", "HR5"),
        ("far(it)", "fra(it)", "HR503"),
        ("n * 2", "double(n)", "HR515 the start of 'score'"),
        ("five: 5", "five: 5 // 0", "HR553 this divides by zero"),
    ],
)
def test_a_start_that_is_not_known_before_the_game(was: str, broken: str, told: str, tmp_path: Path) -> None:
    found = said(tmp_path, STARTED.replace(was, broken))
    assert found[0].startswith(told) and {one[:5] for one in found} == {found[0][:5]}, found


def test_a_mark_for_people_needs_no_rule_that_reads_it(tmp_path: Path) -> None:
    unread = "HR571 variable 'seen_by_nobody' is set, but never read"
    marked = GAME.replace("seen_by_nobody: int", "seen_by_nobody: {type: int, for_people: true}")
    assert unread not in said(tmp_path, marked)
    assert unread in said(tmp_path, marked.replace("for_people: true", "for_people: false"))
    unset = marked.replace("    seen_by_nobody = prize[0]\n", "")
    assert "HR571 variable 'seen_by_nobody' is never set" in said(tmp_path, unset)
    assert any(one.startswith("HR2") for one in said(tmp_path, marked.replace("for_people: true", "for_people: 3")))


def test_what_is_used_with_some_number_of_players_is_used(tmp_path: Path) -> None:
    text = GAME.replace(
        "    seen_by_nobody = prize[0]\n", "    if player_count == 3: seen_by_nobody = prize[0] + dusty + shelf[1]\n"
    )
    assert "HR571 table 'shelf' is never used" not in said(tmp_path, text)
    assert "HR571 variable 'dusty' is read, but never set" in said(tmp_path, text)


def test_what_piles_are_refilled_from_and_what_a_trigger_watches_is_used(tmp_path: Path) -> None:
    text = GAME.replace(
        "zones:\n", "zones:\n  discard: {holds: card, visible: all}\n  watched: {holds: card, visible: all}\n"
    )
    assert {"HR571 zone 'discard' is never used", "HR571 zone 'watched' is never used"} <= {*said(tmp_path, text)}
    text = text.replace("deck: {", "deck: {refill: discard, ") + (
        "triggers:\n"
        "  come: {whenever: card enters watched, do: me.score = 0}\n"
        "  seen: {whenever: seen_by_nobody changes, do: me.score = 0}\n"
    )
    found = said(tmp_path, text)
    assert not [one for one in found if "discard" in one or "watched" in one or "seen_by_nobody" in one], found


def test_of_a_game_with_more_pieces_than_there_can_be_nothing_else_is_said(tmp_path: Path) -> None:
    text = """\
game: many
edition: 2026
players: 2..4
components:
  gem: {starts_in: bag, pieces: {ruby: {count: 6000}}}
  nut: {starts_in: bag, pieces: {acorn: {count: 6000}}}
zones: {bag: {holds: piece, visible: all}}
flow: {turn: {turns: players, do: move top(bag) to bag}}
scoring: {score: count(bag)}
"""
    assert said(tmp_path, text) == ["HR551 there are more than 10000 pieces"]
    assert said(tmp_path, text + "actions: {wait: nothing}\n") == ["HR551 there are more than 10000 pieces"]


def test_pieces_can_be_written_out_beside_combinations(tmp_path: Path) -> None:
    text = """\
game: beside
edition: 2026
players: 2
enums: {colour: [red, blue]}
components:
  card: {attributes: {colour: colour}, each: {colour: colour}, starts_in: deck, pieces: {rose: {colour: red}, joker: {}}}
zones: {deck: {holds: card, visible: none}}
flow: {turn: {turns: players, do: "if rose.colour == joker.colour: nothing"}}
scoring: {cards: "count(c in deck where c.colour == red)"}
"""
    assert said(tmp_path, text) == ["HR517 'joker' has no 'colour', and a colour cannot be left out"]
    assert said(tmp_path, text.replace("{}}}", "{colour: red}}}")) == []
    assert houserule.load(tmp_path).random_match(2, 1).scores == [3, 3]


def test_pieces_are_counted_by_what_is_printed_on_others_and_name_others_by_index(tmp_path: Path) -> None:
    text = """\
game: many
edition: 2026
players: 2
components:
  sort: {attributes: {number: 1..8}, pieces: {oak: {number: 1}, elm: {number: 3}}}
  tree: {attributes: {sort: sort}, each: {sort: sort}, count: it.sort.number, starts_in: wood}
  line: {attributes: {row: 1..3}, each: {row: 1..3}}
  box: {attributes: {row: 1..2, edges: "list of line = [line[it.row], line[it.row + 1]]"}, each: {row: 1..2}}
zones: {wood: {holds: tree, visible: all}}
flow: {turn: {turns: players, do: "for b in box: say \\"{count(b.edges)}\\""}}
scoring: {trees: count(wood)}
"""
    assert said(tmp_path, text) == []
    kinds = houserule.load(tmp_path).program(2, told=False).symbols.kinds
    assert kinds["tree"].ids == ["tree_oak", *["tree_elm"] * 3]
    lines = kinds["line"].numbers
    assert kinds["box"].attributes["edges"] == [(lines[0], lines[1]), (lines[1], lines[2])]


# --- names that become variables ------------------------------------------------------------------------------------------

LAYERS = """\
game: layers
edition: 2026
players: 2
variables: {score(player): int}
flow:
  turn:
    turns: players
    do: |
      luck = 3
      me.score += luck
"""


MADE_OF_OTHERS = """\
game: whole
edition: 2026
players: 2
enums: {colour: [red, blue]}
components:
  peg:
    attributes: {seat: player, home: hole}
    each: {seat: player, home: hole}
    where: is_upper(it.home)
    starts_in: bag
  hole: {attributes: {row: 1..2, column: 1..2}, each: {row: 1..2, column: 1..2}}
  card: {attributes: {colour: colour, worth: 1..2}, each: {colour: colour, worth: 1..2}, starts_in: bag}
  tile: {attributes: {colour: colour, worth: 1..2}, each: {colour: colour, worth: 1..2}, starts_in: bag, pieces: {joker: {colour: red, worth: 2}}}
  coin: {starts_in: bag, pieces: {silver: {count: 2}, gold: {}}}
  slot: {attributes: {of: coin}, each: {of: coin}}
zones:
  bag: {holds: piece, visible: all, order: none}
  filled(slot): {holds: coin, visible: all}
functions:
  is_upper(hole h): h.row == 1
flow:
  fill:
    do: |
      move silver#2 to filled[slot[silver#2]]
      move [card_red_2, tile_blue_1, joker, peg_2_hole_1_1] to bag
winner: {most: "count(filled[slot_silver_2])"}
"""


def test_kinds_made_of_others_may_come_first_and_pieces_of_two_kinds_are_told_apart(tmp_path: Path) -> None:
    assert said(tmp_path, MADE_OF_OTHERS) == []
    for lines in (MADE_OF_OTHERS.split("\n"), sorted_kinds(MADE_OF_OTHERS)):
        (tmp_path / "game.yaml").write_text("\n".join(lines), encoding="utf-8")
        match = houserule.load(tmp_path).start(2, seed=1)
        kinds = match.program.symbols.kinds
        assert kinds["peg"].ids == ["peg_1_hole_1_1", "peg_1_hole_1_2", "peg_2_hole_1_1", "peg_2_hole_1_2"]
        assert kinds["card"].ids == ["card_red_1", "card_red_2", "card_blue_1", "card_blue_2"]
        assert kinds["tile"].ids == ["tile_red_1", "tile_red_2", "tile_blue_1", "tile_blue_2", "joker"]
        assert kinds["slot"].ids == ["slot_silver_1", "slot_silver_2", "slot_gold"]
        assert match.is_over and match.sheet is not None


def test_how_many_pieces_there_are_may_stand_in_a_table(tmp_path: Path) -> None:
    text = """\
game: whole
edition: 2026
players: 2
enums: {crop: [rye, oats]}
components:
  sack: {attributes: {crop: crop}, each: {crop: crop}, count: "amounts[it.crop]", starts_in: barn}
zones: {barn: {holds: sack, visible: all}}
tables: {amounts: {rye: 1, oats: 3}}
flow: {turn: {do: nothing}}
winner: {most: count(barn)}
"""
    assert said(tmp_path, text) == []
    kinds = houserule.load(tmp_path).start(2, seed=1).program.symbols.kinds
    assert kinds["sack"].ids == ["rye", "oats", "oats", "oats"]
    assert said(tmp_path, text.replace("oats: 3", "oats: count(every sack)")) != []


def sorted_kinds(text: str) -> list[str]:
    """The lines of a game in which each kind comes after those that it is made of."""
    lines = text.split("\n")
    start = lines.index("  peg:")
    peg, hole = lines[start : start + 5], lines[start + 5]
    return [*lines[:start], hole, *peg, *lines[start + 6 :]]


def test_kinds_have_the_article_that_they_take(tmp_path: Path) -> None:
    text = """\
edition: 2026
game: orchard
players: 2
components:
  apple: {starts_in: barn, pieces: {russet: {count: 2}}}
  pear: {starts_in: barn, pieces: {conference: {count: 2}}}
zones: {barn: {holds: piece, visible: all}}
actions:
  peel(apple a, pear p): say "{a} {p}"
flow: {turn: {do: "perform peel(conference#1, russet#1)"}}
"""
    assert said(tmp_path, text) == [
        "HR510 'a' of 'peel' is an apple, but 'conference#1' is a pear",
        "HR510 'p' of 'peel' is a pear, but 'russet#1' is an apple",
    ]


@pytest.mark.parametrize("bad", ["to", "while", "when", "choose"])
def test_a_word_of_the_language_as_a_name_is_told_once_and_nothing_follows_from_it(bad: str, tmp_path: Path) -> None:
    text = f"""\
game: whole
edition: 2026
players: 2
functions:
  more(int n): |
    {bad} = n + 1
    if {bad} > 2: finish with {bad}
    finish with {bad} + 1
flow: {{turn: {{do: nothing}}}}
winner: {{most: more(2)}}
"""
    assert said(tmp_path, text) == [f"HR410 '{bad}' is a word of the language, so nothing can be called that"]


def test_a_local_name_does_not_become_a_variable_through_a_variant(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "lucky.yaml").write_text(
        "variant: lucky\nof: layers\nadd: {variables: {luck: int}}\n", encoding="utf-8"
    )
    assert said(tmp_path, LAYERS) == []
    path = tmp_path / "game.yaml"
    try:
        houserule.load(path, variants=["lucky"])
        raise AssertionError("the variant fits")
    except houserule.InvalidGame as error:
        (found,) = [d for d in error.diagnostics if d.severity == "error"]
    assert (found.code, Path(found.span.file).name, found.span.line) == ("HR526", "lucky.yaml", 3)
    assert (Path(found.related[0].span.file).name, found.related[0].span.line) == ("game.yaml", 9)


def test_a_variant_sets_the_variables_it_brings_and_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    own = "variant: {name}\nof: layers\nadd: {{variables: {{{brings}: int}}, triggers: {{{name}_set: {{whenever: score of p changes, do: '{does}'}}}}}}\n"
    (tmp_path / "variants" / "one.yaml").write_text(
        own.format(name="one", brings="pot", does="pot = old + pot"), encoding="utf-8"
    )
    (tmp_path / "variants" / "two.yaml").write_text(
        own.format(name="two", brings="jar", does="pot = jar; jar = 3"), encoding="utf-8"
    )
    assert said(tmp_path, LAYERS, "one") == []
    assert said(tmp_path, LAYERS, "one", "two") == []
    assert [f.split()[0] for f in said(tmp_path, LAYERS, "two", "one")] == ["HR526"]


# --- names that mean two things --------------------------------------------------------------------------------------------

NAMES = """\
game: names
edition: 2026
players: 2
options: {{limit: {{type: 1..9, default: 3}}}}
enums: {{colour: [red, {member}]}}
components:
  card:
    attributes: {{cost: 0..5}}
    effects: [{effect}]
    starts_in: deck
    pieces: {{{piece}: {{cost: 1, {effect}: nothing}}}}
zones:
  deck: {{holds: card, visible: none}}
  {zone}: {{holds: card, visible: owner}}
variables:
  score(player): int
  worth(card): int
functions:
  {function}: 1
flow:
  turn: {{turns: players, do: "me.score += count(deck)"}}
"""


def clashes(folder: Path, **names: str) -> list[str]:
    given = {"member": "blue", "effect": "glow", "piece": "rose", "zone": "hand(player)", "function": "f", **names}
    found = said(folder, NAMES.format(**given))
    return [f.partition(" ")[2] for f in found if f.startswith("HR504")]


def test_values_do_not_share_a_name(tmp_path: Path) -> None:
    assert clashes(tmp_path) == []
    assert clashes(tmp_path, zone="limit(player)") == ["'limit' is already the name of a zone"]
    assert clashes(tmp_path, member="deck") == ["'deck' is already the name of a zone"]
    assert clashes(tmp_path, piece="deck") == ["'deck' is already the name of a zone"]
    assert clashes(tmp_path, function="limit") == ["'limit' is already the name of an option"]
    assert clashes(tmp_path, piece="card") == ["a piece cannot be called 'card': that is the name of a kind"]


def test_a_kind_that_repeats_the_pieces_of_another_is_told_once(tmp_path: Path) -> None:
    """Texts of cards may stand in a file of their own, and the word for the cards may be misspelt there."""
    pieces = ", ".join(f"{name}: {{title: {{en: X}}}}" for name in ("morel", "truffle", "ink_cap", "puffball"))
    text = (
        "edition: 2026\ngame: mushrooms\nplayers: 2\ncomponents:\n"
        f"  mushroom: {{starts_in: wood, pieces: {{{pieces}}}}}\n"
        f"  mushrom: {{pieces: {{{pieces}}}}}\n"
        "zones: {wood: {holds: mushroom, visible: none}}\nflow: {s: {do: shuffle wood}}\n"
    )
    assert [one for one in said(tmp_path, text) if one.startswith("HR504")] == [
        "HR504 4 pieces of 'mushrom' have names of pieces of 'mushroom', such as 'morel'"
    ]


def test_what_follows_a_dot_means_one_thing(tmp_path: Path) -> None:
    assert clashes(tmp_path, function="cost(card c)") == [
        "'.cost' of a card would mean two things: its attribute and this function"
    ]
    assert clashes(tmp_path, function="worth(piece p)") == [
        "'.worth' of a card would mean two things: its variable and this function"
    ]
    assert clashes(tmp_path, function="hand(player p)") == [
        "'.hand' of a player would mean two things: its zone and this function"
    ]
    assert clashes(tmp_path, zone="cost(card)") == [
        "'.cost' of a card would mean two things: its attribute and this zone"
    ]
    assert clashes(tmp_path, effect="cost") == [
        "'.cost' of a card would mean two things: its attribute and this effect"
    ]


def test_the_three_worlds_of_names_do_not_clash(tmp_path: Path) -> None:
    assert clashes(tmp_path, function="hand(card c)") == []
    assert clashes(tmp_path, function="cost(player p)") == []
    assert clashes(tmp_path, function="deck(int n)") == []
    assert clashes(tmp_path, piece="red") == []
    assert clashes(tmp_path, member="card") == []


def test_words_of_the_language_are_nobodys_name(tmp_path: Path) -> None:
    assert clashes(tmp_path, member="me") == ["'me' is a word of the language, so nothing can be called that"]
    assert clashes(tmp_path, function="count(card c)") == [
        "'count' is a word of the language, so no function can be called that"
    ]
    assert clashes(tmp_path, zone="move(player)") != []


def test_functions_that_call_functions_that_call_functions_are_checked_at_once(tmp_path: Path) -> None:
    chain = "\n".join(f"  f{i}(int n): f{i + 1}(n) + f{i + 1}(n + 1)" for i in range(30))
    text = f"""\
game: deep
edition: 2026
players: 2
variables: {{score(player): int}}
functions:
{chain}
  f30(int n): n
flow:
  turn:
    turns: players
    do: |
      choose n from k in 1..3 where f0(k) > 3:
        me.score += n
"""
    assert said(tmp_path, text) == []


TABLES = """\
game: tables
edition: 2026
players: 2
enums: {{colour: [red, blue], size: [big, small]}}
variables: {{score(player): int, n: 0..1}}
tables: {{t: {table}}}
flow:
  turn:
    turns: players
    do: n = 1; me.score += {look_up}
scoring: {{score: me.score}}
"""


def test_calls_that_go_too_deep_are_told_where_they_begin(tmp_path: Path) -> None:
    deep = "".join(f"      deep_{number}: {{do: 0, bonuses: pile}}\n" for number in range(301))
    bonus = ", ".join(f"deep_{number}: it.deep_{number + 1}" for number in range(300))
    text = (
        "edition: 2026\ngame: deep\nplayers: 2\nvariables: {score: int}\nzones: {pile: {holds: card, visible: all}}\n"
        f"components:\n  card:\n    starts_in: pile\n    functions:\n{deep}"
        f"    pieces: {{king: {{bonus: {{{bonus}}}}}}}\nflow: {{turn: {{do: score = king.deep_0}}}}\n"
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    (found,) = [found for found in houserule.validate(tmp_path) if found.severity == "error"]
    said = "actions and functions call one another too deeply, starting with 'card.deep_0 of each'"
    assert (found.code, found.message) == ("HR420", said)


@pytest.mark.parametrize("is_backwards", [False, True])
@pytest.mark.parametrize(
    ("section", "of", "body", "last", "effect"),
    [
        ("functions", "", "deep_{} + 1", "0", "score = deep_0"),
        ("functions", "(player p)", "p.deep_{} + 1", "0", "score = first(players).deep_0"),
        ("actions", "", "score += 1; perform deep_{}", "score = 0", "perform deep_0"),
        ("enums:\n  hue:\n    members: [red]\n    functions", "", "this.deep_{} + 1", "0", "score = red.deep_0"),
    ],
)
def test_long_chains_of_calls_are_checked_in_whatever_order_they_are_declared(
    section: str, of: str, body: str, last: str, effect: str, is_backwards: bool, tmp_path: Path
) -> None:
    deep = [f"deep_{number}{of}: {body.format(number + 1)}\n" for number in range(500)] + [f"deep_500{of}: {last}\n"]
    declared = indent("".join(reversed(deep) if is_backwards else deep), "  " if "\n" not in section else "      ")
    text = f"edition: 2026\ngame: deep\nplayers: 2\nvariables: {{score: int}}\n{section}:\n{declared}flow: {{turn: {{do: {effect}}}}}\n"
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert not [found for found in houserule.validate(tmp_path) if found.severity == "error"]


def test_rows_of_a_table_are_alike(tmp_path: Path) -> None:
    def of(table: str, look_up: str) -> list[str]:
        found = said(tmp_path, TABLES.format(table=table, look_up=look_up))
        return [one for one in found if not one.startswith("HR571")]

    assert of("[[1, 2], [3, 4]]", "t[n, 1]") == []
    assert of("{red: {big: 1, small: 2}, blue: {big: 3, small: 4}}", "t[red, big]") == []
    assert of("[[1, 2], [3]]", "t[1, 1]") == ["HR524 the rows of table 't' must be of one length: 2 and 1 entries"]
    assert of("{red: {red: 1, blue: 2}, blue: {big: 3, small: 4}}", "t[red, big]") == [
        "HR524 the rows of table 't' must be alike: the index of one is a colour, of another a size"
    ]
    assert of("[[1, 2], [true, false]]", "t[0, n]") == [
        "HR510 the entries of table 't' must be alike: a number 1..2 and true or false"
    ]
    assert of("[[[1, 2], [3, 4]]]", "t[0, 0]") == ["HR524 the rows of table 't' have rows in them"]


PRINTED_ON_MEMBERS = """\
game: counted
edition: 2026
players: 2..3
options: {wealth: {type: 1..9, default: 3}}
enums:
  metal:
    attributes: {coins: 0..20, rare: bool, first: token or none}
    members:
      copper: {coins: 2 * player_count, first: penny}
      gold: {coins: wealth, rare: true}
components:
  token: {starts_in: bag, pieces: [penny]}
  coin:
    attributes: {metal: metal}
    each: {metal: metal}
    count: it.metal.coins
    starts_in: bag
  medal:
    attributes: {metal: metal, number: 1..20}
    each: {metal: metal, number: 1..metal.coins}
    where: not it.metal.rare
    starts_in: bag
zones: {bag: {holds: piece, visible: all}}
flow:
  look:
    turns: players
    do: |
      if copper.first: move copper.first to bag
scoring:
  coins: count(c in coin where c.metal == copper) + 10 * count(c in coin where c.metal.rare)
  medals: 100 * count(every medal)
"""


def test_how_many_pieces_there_are_may_be_printed_on_a_member(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(PRINTED_ON_MEMBERS, encoding="utf-8")
    assert houserule.validate(path) == []
    for players, points in ((2, 4 + 30 + 400), (3, 6 + 30 + 600)):
        assert houserule.load(path).random_match(players, 1).scores == [points] * players
    assert houserule.load(path, options={"wealth": 9}).random_match(2, 1).scores == [4 + 90 + 400] * 2
