"""Choices and options: their keys and labels, several at once, and what is offered face down."""

from __future__ import annotations

import cProfile
from itertools import combinations
from pathlib import Path

import pytest

import houserule
from houserule import Choice, Game, Match, replay
from houserule.telling.choices import Option, Selections, joined


def ask(match: Match, answer: str) -> Choice:
    """What Ann is asked after that answer."""
    match.answer("Ann", answer)
    return match.pending[0]


def lying(match: Match, zone: str) -> list[str]:
    """The ids of the pieces in a zone, from the bottom."""
    return [str(piece.id) for piece in match.view().zone(zone).pieces]


# --- what a question says of itself -----------------------------------------------------------------------------------


def test_a_menu_has_its_lines_as_keys_and_its_sentences_as_labels(match: Match) -> None:
    choice = match.pending[0]
    assert (choice.kind, choice.name, choice.step, choice.player) == ("menu", "", "turn", "Ann")
    assert choice.prompt == "What now, Ann?"
    assert choice.single[2] == Option("Discard 3 cards", "Discard {n} cards", False, 2)
    assert (choice.at_least, choice.at_most) == (1, 1)
    assert choice.site.span.file.endswith("parlour/game.yaml")


def test_a_pick_has_the_name_that_its_answer_gets(match: Match) -> None:
    choice = ask(match, "Steal")
    assert (choice.kind, choice.name, choice.prompt) == ("pick", "victim", "Whom?")
    assert [(o.key, o.label) for o in choice.options] == [("Bob", "Bob"), ("Cid", "Cid")]


def test_numbers_members_and_truth_are_offered_by_their_words(match: Match) -> None:
    stake = ask(match, "Bet")
    assert [o.key for o in stake.options] == [str(n) for n in range(10)]
    mood = ask(match, "3")
    assert [(o.key, o.label) for o in mood.options] == [("steal", "Steal"), ("swap", "Swap"), ("sleep", "Sleep")]
    sure = ask(match, "swap")
    assert [(o.key, o.label) for o in sure.options] == [("true", "yes"), ("false", "no")]


def test_a_pass_is_an_option_at_the_end(match: Match) -> None:
    choice = ask(match, "Name")
    assert [(o.key, o.is_pass) for o in choice.options] == [
        ("Ann", False),
        ("Bob", False),
        ("Cid", False),
        ("pass", True),
    ]
    assert choice.at_least == 0


def test_keys_are_unique_within_their_choice(match: Match) -> None:
    for _ in range(4):
        for answer in ("Draw", "Draw", "Draw"):
            match.answer(match.pending[0].player, answer)
    choice = ask(match, "Discard {n} cards")
    keys = [option.key for option in choice.single]
    assert len(keys) == 6
    assert len(set(keys)) == 6


# --- pieces -----------------------------------------------------------------------------------------------------------


def test_what_the_chooser_may_not_see_is_offered_face_down_by_position(match: Match) -> None:
    match.answer("Ann", "Steal")
    choice = ask(match, "Bob")
    assert [o.key for o in choice.options] == ["hidden#1", "hidden#2", "hidden#3"]
    assert [o.label for o in choice.options] == ["face-down card 1", "face-down card 2", "face-down card 3"]
    cards = lying(match, "Hand of Bob")
    match.answer("Ann", "hidden#2")
    assert lying(match, "Hand of Ann")[-1] == cards[1]


def test_face_down_cards_are_called_so_in_every_language(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob"], seed=1, language="de")
    match.answer("Ann", "Steal")
    match.answer("Ann", "Bob")
    assert match.pending[0].single[0].label == "card (verdeckt) 1"


def test_copies_that_nothing_tells_apart_are_one_option_the_topmost_is_taken(match: Match) -> None:
    by_hand = {player: sorted(lying(match, f"Hand of {player}")) for player in match.players}
    thrown: list[str] = []
    for player in match.players:
        match.answer(player, "Discard 3 cards")
        match.answer(player, [option.key for option in match.pending[0].single])
        thrown += by_hand[player]
    offered = [option.key.split("#")[0] for option in ask(match, "Take back").single if not option.is_pass]
    assert sorted(lying(match, "Table")) == sorted(thrown)
    assert set(offered) == set(thrown)
    alike = [id for id in set(thrown) if id != "ace" and thrown.count(id) > 2]
    for id in alike:
        assert offered.count(id) <= 2  # bent or not: nothing else tells them apart


def test_copies_that_differ_are_told_apart_by_what_differs(match: Match) -> None:
    for player in match.players:
        match.answer(player, "Discard 3 cards")
        match.answer(player, [option.key for option in match.pending[0].single])
    labels = [option.label for option in ask(match, "Take back").single]
    assert len(set(labels)) == len(labels)
    twice = [label for label in labels if "bent" in label or "points" in label]
    assert all(label.endswith(")") for label in twice)


def test_an_id_without_a_number_means_any_of_its_copies(match: Match) -> None:
    choice = ask(match, "Discard {n} cards")
    key = choice.single[0].key
    found = choice.find(key.split("#")[0])
    assert found is not None
    assert found.key.split("#")[0] == key.split("#")[0]


# --- several at once --------------------------------------------------------------------------------------------------


def test_all_ways_to_choose_several_are_options_and_each_is_accepted(match: Match) -> None:
    choice = ask(match, "Discard {n} cards")
    assert (choice.kind, choice.at_least, choice.at_most) == ("several", 1, 3)
    keys = [option.key for option in choice.single]
    wanted = [", ".join(some) for size in (1, 2, 3) for some in combinations(keys, size)]
    assert [option.key for option in choice.options] == wanted
    assert len(choice.options) == 7
    for option in choice.options:
        copy = match.copy()
        copy.answer("Ann", option)
        assert copy.view().zone("Table").amount == len(option.key.split(", "))


def test_several_come_in_the_order_of_the_options_and_each_once(match: Match) -> None:
    choice = ask(match, "Discard {n} cards")
    a, b, c = choice.single
    found = choice.find([c.key, a.key])
    assert found is not None
    assert found.key == f"{a.key}, {c.key}"
    assert choice.find([b.key, b.key]) is None
    assert choice.find([]) is None
    assert choice.find([a, b, c, a]) is None


def test_of_fewer_than_are_wanted_all_are_taken(match: Match) -> None:
    match.answer("Ann", "Line up")
    match.answer("Bob", "Draw")
    match.answer("Cid", "Draw")
    choice = ask(match, "From the row")
    assert (choice.at_least, choice.at_most, len(choice.single)) == (2, 2, 3)
    assert [option.key for option in choice.options][-1] == "pass"
    assert len(choice.options) == 4
    assert choice.find("pass") == choice.options[-1]
    assert choice.find([]) == choice.options[-1]
    match.answer("Ann", choice.options[-1])
    assert match.view().zone("Hand of Ann").amount == 0


def options(count: int) -> list[Option]:
    return [Option(str(n), str(n), False, n) for n in range(count)]


@pytest.mark.parametrize("count", range(6))
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 2), (1, 1), (1, 3), (2, 5), (0, 5)])
def test_selections_are_counted_and_found_without_being_listed(count: int, low: int, high: int) -> None:
    single = options(count)
    found = Selections(single, low, high, "nothing", None)
    wanted = [tuple(some) for size in range(low, high + 1) for some in combinations(range(count), size)]
    assert [option.value for option in found] == wanted
    assert len(found) == len(wanted)
    assert found[:2] == [found[at] for at in range(min(2, len(wanted)))]
    with pytest.raises(IndexError):
        found[len(wanted)]
    if wanted:
        assert found[-1].value == wanted[-1]


def test_the_last_of_very_many_selections_is_found_at_once() -> None:
    found = Selections(options(60), 0, 60, "nothing", None)
    assert len(found).bit_length() == 61
    assert found[2**59].key.count(",") == 29
    assert found[0] == Option("nothing", "", False, ())


def test_several_options_joined_are_one_answer() -> None:
    assert joined(options(3)[1:], "nothing") == Option("1, 2", "1, 2", False, (1, 2))
    assert joined([], "nothing") == Option("nothing", "", False, ())


TWINS = """\
edition: 2026
game: twins
players: 2
components:
  pawn:
    title: {en: Pawn}
    attributes: {seat: player}
    each: {seat: player}
    count: 3
    starts_in: field[1]
zones:
  field(1..3 n): {holds: pawn, visible: all, order: none, title: Field}
  row: {holds: pawn, visible: all, title: Row}
  home: {holds: pawn, visible: all, title: Home}
flow:
  setup:
    do: |
      move (p in pawn where p.seat == first(players)) to row
      move first(row) to home
      move (p in pawn where p.seat != first(players)) to field[2]
      move last(field[2]) to field[3]
  one:
    do: |
      as first(players):
        choose a from row
        choose b from every pawn
        choose c from field
        for pawn_chosen in [a, b, c]: move pawn_chosen to row
"""


def test_pieces_of_one_name_are_told_apart_by_where_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(TWINS, encoding="utf-8")
    match = houserule.load(path).start(["Ann", "Bob"], seed=1)
    labels = []
    while not match.is_over:
        choice = match.pending[0]
        labels.append([option.label for option in choice.single])
        match.answer(choice.player, choice.options[0])
    assert labels == [
        ["Pawn (no. 1)", "Pawn (no. 2)"],
        ["Pawn (Home)", "Pawn (Row, no. 1)", "Pawn (Row, no. 2)", "Pawn (Field (2))", "Pawn (Field (3))"],
        ["Pawn (2)", "Pawn (3)"],
    ]


CUPS = """\
edition: 2026
game: cups
players: 2
components:
  cup: {{starts_in: row, variables: {{ball: {{type: bool, visible: {seen}}}}}, pieces: {{pot: {{count: 3}}}}}}
zones:
  row: {{holds: cup, visible: all{order}}}
flow:
  hide:
    do: |
      roll c from row
      c!.ball = true
  guess:
    turns: players
    do: |
      choose c from row "Under which pot?"
"""


@pytest.mark.parametrize("order", ["", ", order: none"])
def test_neither_labels_nor_the_number_of_options_tell_what_a_variable_of_a_copy_hides(
    tmp_path: Path, order: str
) -> None:
    path = tmp_path / "game.yaml"
    for seen, is_said in (("none", False), ("viewer == first(players)", True)):
        path.write_text(CUPS.format(seen=seen, order=order), encoding="utf-8")
        for seed in range(4):
            match = houserule.load(path).start(["Ann", "Bob"], seed=seed)
            labels = [option.label for option in match.pending[0].single]
            assert len(labels) == 3
            assert any("ball" in label for label in labels) == is_said
            match.answer("Ann", match.pending[0].single[0])
            assert [option.label for option in match.pending[0].single] == [f"pot (no. {n})" for n in (1, 2, 3)]


ALIKE = """\
edition: 2026
game: alike
players: 2
enums:
  space:
    members: {start: {title: Start}, bonus_1: {title: Bonus}, bonus_2: {title: Bonus}}
  call:
    members: {high: {title: Call}, low: {title: Call}, none_at_all: {title: Call (no. 1)}}
components:
  pawn: {starts_in: box, title: Pawn, pieces: {meeple: {count: 3, title: Pawn}}}
zones:
  box: {holds: pawn, visible: all}
  on(space): {holds: pawn, visible: all, order: none}
flow:
  setup:
    do: |
      move first(box) to on[bonus_1]
      move box to on[bonus_2]
  one:
    do: |
      as first(players):
        choose runner from every pawn
        choose said from call
        choose "Which way?":
          "Run": nothing
          "Walk": nothing
"""


@pytest.mark.parametrize(
    ("language", "places"),
    [
        ("en", ["no. 1", "no. 2"]),
        ("de", ["Nr. 1", "Nr. 2"]),
        ("zh-Hant", ["第 1 個", "第 2 個"]),
        ("ja", ["1番目", "2番目"]),
    ],
)
def test_no_two_options_of_a_question_read_alike(tmp_path: Path, language: str, places: list[str]) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ALIKE, encoding="utf-8")
    match = houserule.load(path).start(["Ann", "Bob"], seed=1, language=language)
    labels = []
    while not match.is_over:
        choice = match.pending[0]
        labels.append([option.label for option in choice.single])
        match.answer(choice.player, choice.options[0])
    one, two = places
    comma = "、" if language in ("zh-Hant", "ja") else ", "
    runners, calls, ways = labels
    assert runners == [f"Pawn (Bonus{comma}{one})", f"Pawn (Bonus{comma}{two})"]
    assert calls == (
        ["Call (no. 2)", "Call (no. 3)", "Call (no. 1)"]
        if language == "en"
        else [f"Call ({one})", f"Call ({two})", "Call (no. 1)"]
    )
    assert ways == ["Run", "Walk"]


# --- face down where order means nothing ----------------------------------------------------------------------------------

KNOWN = """\
edition: 2026
game: known
players: 2
components:
  card: {attributes: {no: 1..20}, starts_in: deck, each: {no: 1..20}}
zones:
  deck: {holds: card, visible: none}
  pile: {holds: card, visible: all}
  hand(player): {holds: card, visible: owner, order: ORDER}
variables: {seen: card or none}
flow:
  setup:
    do: |
      shuffle deck
      for p in players: draw 5 from deck to p.hand
  round:
    repeat: 2
    turns: players
    do: |
      draw 1 from deck to pile as card
      if card:
        seen = card
        move card to next(me).hand
        choose x from next(me).hand "Which card do you take blind?":
          move x to me.hand
"""


def known(folder: Path, order: str) -> Game:
    """A game in which a card that all saw goes into a hand from which one is taken blind."""
    path = folder / "game.yaml"
    path.write_text(KNOWN.replace(", order: ORDER", f", order: {order}" if order else ""), encoding="utf-8")
    return houserule.load(path)


def place_of_the_seen_card(match: Match) -> int:
    """At which place among the options the card lies that all saw."""
    (choice,) = match.pending
    seen = match.state.v[match.program.symbols.variables["seen"].base]
    return [option.value for option in choice.single].index(seen)


def test_a_card_seen_on_its_way_into_a_hand_without_order_may_be_any_of_the_face_down_ones(tmp_path: Path) -> None:
    game = known(tmp_path, "none")
    places = {place_of_the_seen_card(game.start(2, seed)) for seed in range(60)}
    assert places == {0, 1, 2, 3, 4, 5}


def test_where_order_means_something_cards_are_offered_as_they_lie(tmp_path: Path) -> None:
    game = known(tmp_path, "")
    assert {place_of_the_seen_card(game.start(2, seed)) for seed in range(20)} == {5}


def test_face_down_options_stay_as_they_are_and_replay(tmp_path: Path) -> None:
    game = known(tmp_path, "none")
    match = game.start(2, seed=5)
    while not match.is_over:
        (choice,) = match.pending
        values = [option.value for option in choice.single]
        assert [option.value for option in match.copy().pending[0].single] == values
        match.answer(choice.player, "hidden#3")
    again = replay(match.record, game)
    assert again.view() == match.view()


TOGETHER = """\
edition: 2026
game: together
title: {en: Together, de: Zusammen, zh-Hant: 一起, ja: 一緒}
players: 2
components:
  card:
    starts_in: box
    pieces: {ace: {count: 3, title: {en: Ace, de: Ass, zh-Hant: 王牌, ja: エース}}, king: {title: {en: King, de: König, zh-Hant: 國王, ja: キング}}}
zones:
  box: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner, order: none, title: {en: Hand, de: Hand, zh-Hant: 手牌, ja: 手札}}
  pile: {holds: card, visible: all}
flow:
  setup:
    do: |
      shuffle box
      move every card to hand[first(players)]
  one:
    do: |
      as first(players):
        choose given from me.hand, n from 1..2 "Which, and how often?": move given to pile
      as last(players):
        choose n from 1..2, taken from hand[first(players)] "How often, and which?": move taken to pile
"""


@pytest.mark.parametrize(
    ("language", "mine", "hidden"),
    [
        ("en", {"Ace → 1", "King → 2"}, "1 → face-down card"),
        ("de", {"Ass → 1", "König → 2"}, "1 → card (verdeckt)"),
        ("zh-Hant", {"王牌 → 1", "國王 → 2"}, "1 → card（背面）"),
        ("ja", {"エース → 1", "キング → 2"}, "1 → card（裏向き）"),
    ],
)
def test_things_chosen_together_are_one_option_with_one_label_and_one_key(
    language: str, mine: set[str], hidden: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(TOGETHER, encoding="utf-8")
    match = houserule.load(path).start(["Ann", "Bob"], seed=1, language=language)
    choice = match.pending[0]
    assert (choice.kind, choice.name, choice.names) == ("pick", "given, n", ("given", "n"))
    assert {option.key for option in choice.single} == {"ace, 1", "ace, 2", "king, 1", "king, 2"}
    assert mine < {option.label for option in choice.single}
    found = choice.find(["king", 2])
    assert found is not None and found.key == "king, 2" and [part.key for part in found.parts] == ["king", "2"]
    assert choice.find("king, 2") == choice.find(found.label) == choice.find(found) == found
    assert choice.find(["king"]) is choice.find("king") is choice.find(["king", 3]) is choice.find(7) is None
    match.answer("Ann", "ace, 1")
    other = match.pending[0]
    assert [option.key for option in other.single] == [f"{n}, hidden#{k}" for n in (1, 2) for k in (1, 2, 3)]
    assert sum(option.label.startswith(hidden) for option in other.single) == 3
    match.answer("Bob", ["2", "hidden#3"])
    assert match.is_over and replay(match.record).events == match.events


def test_many_pairs_are_offered_in_a_few_calls_each(tmp_path: Path) -> None:
    pairs = "choose a from 1..60, b from 1..60\n      n += a * b"
    (tmp_path / "game.yaml").write_text(
        f"edition: 2026\ngame: pairs\nplayers: 2\nvariables: {{n: int}}\nflow:\n  turn:\n    turns: players\n    do: |\n      {pairs}\n",
        encoding="utf-8",
    )
    (choice,) = houserule.load(tmp_path).start(2, seed=1).pending
    with cProfile.Profile(builtins=False) as profile:
        offered = choice.single
    assert (offered[61].key, offered[61].value, len(offered)) == ("2, 2", 61, 3600)
    assert sum(entry.callcount for entry in profile.getstats()) < 8 * len(offered)


def test_what_lies_face_down_is_offered_in_an_order_that_tells_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(TOGETHER.replace("shuffle box", "nothing"), encoding="utf-8")
    game = houserule.load(path)
    firsts = set()
    for seed in range(12):
        match = game.start(["Ann", "Bob"], seed=seed)
        match.answer("Ann", ["ace", 1])
        options = match.pending[0].single
        firsts.add(options[0].parts[1].value)
        assert [option.parts[1].value for option in options[:3]] == [option.parts[1].value for option in options[3:]]
    assert len(firsts) > 1
