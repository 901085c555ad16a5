"""What a player imagines agrees with all that they were shown, and everything else takes every place that it could have."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Game, Match
from houserule.trial.unseen import an_answer, check_places, shown_to
from tests.bundled import LARGE, load
from tests.taking_long import but_later

ROOT = Path(__file__).parent.parent.parent
GAMES = [
    *LARGE,
    *(str(folder) for folder in sorted((ROOT / "tests" / "games" / "small").iterdir())),
    str(ROOT / "docs" / "mushrooms"),
    str(ROOT / "tests" / "match" / "parlour"),
]

CARDS = """\
edition: 2026
game: cards
players: 2..3
enums: {colour: [red, green, blue]}
components:
  card: {each: {rank: 1..8}, attributes: {rank: 1..8}, starts_in: deck}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner, order: none}
  gone: {holds: card, visible: none, order: none}
  shelf: {holds: card, visible: none, amount: none, order: none}
  attic: {holds: card, visible: none, amount: none, order: none}
variables:
  secret(player): {type: colour or none, visible: owner}
  mark(player): {type: card or none, visible: owner}
  luck(player): {type: 1..6 = 1, visible: owner}
flow:
  setup:
    do: |
      shuffle deck
      for p in players:
        draw 2 from deck to p.hand
        roll p.luck from [2, 4, 6]
  plan:
    together: players
    do: |
      choose c from colour: me.secret = c
      choose m from me.hand: me.mark = m
  turn:
    repeat: forever
    turns: players
    do: |
      choose "What?":
        "Look": show top(deck) to [me]
        "Give":
          choose c from me.hand: move c to hand[next(me)]
        "Back":
          choose c from me.hand: move c to deck
        "Away":
          choose c from me.hand: move c to gone
        "Put": move top(deck) to shelf
        "Carry":
          if not empty(shelf): move top(shelf) to attic
        "Shuffle": shuffle deck
        "End": end game
scoring: {cards: count(me.hand)}
"""


BIDS = """\
edition: 2026
game: bids
players: 2
enums:
  weather: [sun, rain]
  mood: [calm, cross, merry]
variables:
  coins(player): {type: 0..60, start: 2 if player == first(players) else 60}
  bid(player): {type: 0..60, visible: owner}
  guess(player): {type: weather or none, visible: owner}
  feeling: {type: mood, start: merry}
flow:
  bidding:
    together: players
    do: |
      choose n from 0..me.coins: me.bid = n
      choose w from weather: me.guess = w
  paying:
    turns: players
    do: |
      choose "Now?":
        "Pay": me.coins -= me.bid
      choose m from mood: feeling = m
scoring:
  coins: me.coins
  right: {when: me.guess == sun and feeling == calm, points: 1}
"""


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("cards") / "game.yaml"
    file.write_text(CARDS, encoding="utf-8")
    return houserule.load(file)


def planned(cards: Game, seed: int = 3) -> Match:
    """Ann and Bob have planned; Ann is asked what she does."""
    match = cards.start(["Ann", "Bob"], seed)
    for player in ("Ann", "Bob"):
        match.answer(player, "green")
        match.answer(player, match.pending[0].options[0])
    return match


def ids(match: Match, zone: str) -> list[str | None]:
    return [piece.id for piece in match.view(None).zone(zone).pieces]


def imagined(match: Match, player: str = "Ann", times: int = 60) -> list[Match]:
    return [match.imagine(player, seed) for seed in range(times)]


def is_even(counted: Counter[str], ways: int) -> bool:
    """Whether so many ways came up about as often as each other: chi-square below six deviations."""
    expected = counted.total() / ways
    chi = sum((counted[way] - expected) ** 2 / expected for way in counted) + (ways - len(counted)) * expected
    return len(counted) <= ways and chi < ways - 1 + 6 * (2 * (ways - 1)) ** 0.5


# --- every game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", but_later(GAMES, {*LARGE}))
def test_what_a_player_is_shown_stays_as_it_is(name: str) -> None:
    game = load(name)
    random = Random(4)
    for players in {game.players[0], game.players[-1]}:
        match = game.start(players, seed=5)
        for step in range(60):
            if match.is_over:
                break
            if step % 6 == 5:
                seat = random.randrange(players)
                before = shown_to(match, seat), match.events_for(seat)
                other = match.imagine(seat, step)
                check_places(other.state)
                assert (shown_to(other, seat), other.events_for(seat)) == before
                again = other.imagine(seat, step)
                assert (shown_to(again, seat), again.events_for(seat)) == before
                play_on(other, random, 10)
                assert (shown_to(match, seat), match.events_for(seat)) == before
            play_on(match, random, 1)


def play_on(match: Match, random: Random, answers: int) -> None:
    try:
        for _ in range(answers):
            if not match.is_over:
                choice, option = an_answer(match, random)
                match.answer(choice.player, option)
    except houserule.RuleFault:
        assert match.game.id == "parlour", "only the parlour game has faults"


@pytest.mark.parametrize("name", GAMES)
def test_hidden_pieces_take_every_place_that_they_could_have(name: str) -> None:
    game = load(name)
    match = game.start(game.players[-1], seed=1)
    imagination = match.imagination(0)
    assert imagination.is_nested
    looked_at = 0
    for pieces, places in imagination.classes:
        if len(pieces) > 1:
            random = Random(2)
            counted = Counter(
                place
                for _ in range(20 * len(places))
                for place, who in imagination.dealt(random).items()
                if who == pieces[0]
            )
            assert is_even(counted, len(places)), (name, counted)
            looked_at += 1
    assert looked_at or not any(sight == "none" for sight in match.program.zone_sight)


# --- what is known --------------------------------------------------------------------------------------------------


def test_what_nobody_has_shown_takes_every_place(cards: Game) -> None:
    match = planned(cards)
    hand = ids(match, "hand of Ann")
    worlds = imagined(match, times=300)
    assert all(sorted(ids(world, "hand of Ann")) == sorted(hand) for world in worlds)
    unseen = {f"card_{rank}" for rank in range(1, 9)}
    for place in range(4):
        counted = Counter(ids(world, "deck")[place] for world in worlds)
        assert is_even(counted, 6)
        assert len(unseen) - len(counted) == 2
    assert is_even(Counter(str(card) for world in worlds for card in ids(world, "hand of Bob")), 6)


def test_a_card_that_was_shown_is_known_until_it_is_shuffled(cards: Game) -> None:
    match = planned(cards)
    match.answer("Ann", "Look")
    top = ids(match, "deck")[-1]
    assert {ids(world, "deck")[-1] for world in imagined(match)} == {top}
    assert len({ids(world, "deck")[-1] for world in imagined(match, "Bob")}) > 2
    match.answer("Bob", "Shuffle")
    worlds = imagined(match, times=200)
    assert {top in ids(world, "deck") for world in worlds} == {True}
    assert is_even(Counter(str(ids(world, "deck").index(top)) for world in worlds), 4)


def test_a_card_that_was_given_away_stays_among_those_it_lies_with(cards: Game) -> None:
    match = planned(cards)
    given = match.view("Ann").zone("hand of Ann").pieces[0].id
    match.answer("Ann", "Give")
    match.answer("Ann", given)
    assert {given in ids(world, "hand of Bob") for world in imagined(match)} == {True}
    match.answer("Bob", "Away")
    match.answer("Bob", match.pending[0].options[0])
    where = Counter("gone" if given in ids(world, "gone") else "hand" for world in imagined(match, times=300))
    assert 60 < where["gone"] < 140
    assert where.total() == 300


def test_a_card_that_was_put_back_is_on_top(cards: Game) -> None:
    match = planned(cards)
    match.answer("Ann", "Back")
    match.answer("Ann", match.pending[0].options[0])
    top = ids(match, "deck")[-1]
    assert {ids(world, "deck")[-1] for world in imagined(match)} == {top}
    assert len({ids(world, "deck")[-1] for world in imagined(match, "Bob")}) > 2


def test_where_nobody_tells_how_many_lie_there_they_may_lie_elsewhere(cards: Game) -> None:
    match = planned(cards)
    for answer in ("Put", "Carry", "Put"):
        match.answer(match.pending[0].player, answer)
    lies = Counter(len(ids(world, "attic")) for world in imagined(match, times=100))
    assert set(lies) == {0, 1}
    assert min(lies.values()) > 25


def test_hidden_variables_and_secret_choices_are_imagined(cards: Game) -> None:
    match = planned(cards)
    slots = {v.name: v.base for v in match.program.symbols.variables.values()}
    worlds = imagined(match, times=300)
    for name, ways in (("secret", 3), ("luck", 3)):
        mine = {world.state.v[slots[name]] for world in worlds}
        theirs = Counter(str(world.state.v[slots[name] + 1]) for world in worlds)
        assert mine == {match.state.v[slots[name]]}
        assert is_even(theirs, ways)
        assert len(theirs) == ways
    bob = match.program.symbols.zones["hand"].base + 1
    assert all(world.state.w[world.state.v[slots["mark"] + 1]] == bob for world in worlds)
    assert is_even(Counter(str(world.state.v[slots["mark"] + 1]) for world in worlds), 6)


def test_a_number_that_was_chosen_is_one_that_its_own_player_was_offered(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(BIDS, encoding="utf-8")
    match = houserule.load(file).start(["Ann", "Bob"], 1)
    for player in ("Ann", "Bob"):
        match.answer(player, "1")
        match.answer(player, "sun")
    slots = {v.name: v.base for v in match.program.symbols.variables.values()}
    for player, most, other in (("Ann", 60, 1), ("Bob", 2, 0)):
        worlds = imagined(match, player, 150)
        bids = {world.state.v[slots["bid"] + other] for world in worlds}
        assert bids <= set(range(most + 1))
        assert len(bids) > min(most, 40)
        assert len({world.state.v[slots["guess"] + other] for world in worlds}) == 2
        for world in worlds:
            world.answer("Ann", "Pay")


def test_what_others_answer_at_the_same_time_is_imagined(cards: Game) -> None:
    match = cards.start(["Ann", "Bob"], 3)
    match.answer("Bob", "blue")
    match.answer("Bob", match.pending[-1].options[0])
    secret = match.program.symbols.variables["secret"].base + 1
    taken = Counter()
    for world in imagined(match, times=150):
        assert [choice.player for choice in world.pending] == ["Ann"]
        world.answer("Ann", "green")
        world.answer("Ann", world.pending[0].options[0])
        taken[str(world.state.v[secret])] += 1
    assert is_even(taken, 3)
    assert len(taken) == 3


def test_who_slapped_is_not_known_to_those_who_have_not(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob", "Cid"], seed=1)
    match.answer("Ann", "Race")
    match.answer("Bob", "slap")
    slapped = Counter(tuple(world.state.slapped) for world in imagined(match, "Ann"))
    assert set(slapped) == {(), (1,)}


# --- copies ---------------------------------------------------------------------------------------------------------


def test_a_copy_with_a_seed_has_another_future(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob"], seed=1)
    same, others = match.copy(), [match.copy(seed=seed) for seed in range(2)]
    assert same.state.random() == match.copy().state.random()
    assert len({one.state.random() for one in (same, *others)}) == 3
    assert match.copy(seed=1).state.random() == match.copy(seed=1).state.random()
    assert shown_to(others[0], 0) == shown_to(match, 0)
    with pytest.raises(ValueError, match="has no record"):
        _ = others[0].record
    with pytest.raises(ValueError, match="has no record"):
        _ = match.imagine("Ann", 1).copy().record
    assert same.record == match.record


def test_nothing_in_what_is_imagined_depends_on_what_is_hidden(cards: Game) -> None:
    """Matches that differ in what Ann does not see lead to the same imagined match, in all that it consists of."""
    truths: dict[str, set[str]] = {}
    worlds: dict[str, set[str]] = {}
    for seed in range(80):
        match = planned(cards, seed)
        shown = str((match.view("Ann").to_json(), match.program.zones))
        world = match.imagine("Ann", 7)
        s = world.state
        truths.setdefault(shown, set()).add(str((match.state.z, match.state.v)))
        worlds.setdefault(shown, set()).add(
            str((s.v, sorted(map(sorted, s.z)), s.log, s.frames, world.answers, world.seed))
        )
    assert max(map(len, truths.values())) > 1
    assert [found for found in worlds.values() if len(found) > 1] == []
