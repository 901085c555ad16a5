"""What players see: zones and variables by their `visible` and `amount`, backs, events by who saw before or after, what comes to light."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import indent

import pytest

import houserule
from houserule import SPECTATOR, Match
from houserule.table.compose import scene
from houserule.telling.view import Eyes, make_view, surely_alike
from tests.games.every_game import load

GAME = """\
game: sight
edition: 2026
players: 3
enums:
  suit: [cups, swords]
  nook: [inner, outer]
components:
  card:
    title: Card
    attributes: {suit: suit, cost: 0..9}
    variables: {worn: 0..3, face_up: bool}
    back: [suit]
    starts_in: deck
    pieces:
      queen: {suit: cups, cost: 1}
      two: {suit: cups, cost: 2}
      three: {suit: swords, cost: 3}
      four: {suit: swords, cost: 4}
  box:
    attributes: {seat: player}
    each: {seat: player}
    starts_in: shelf
zones:
  deck: {holds: card, visible: none}
  open: {holds: card, visible: all}
  hand(player): {holds: card, visible: owner}
  secret(player): {holds: card, visible: none, amount: owner}
  cell(nook n): {holds: card, visible: it.face_up or n == outer}
  safe(player p): {holds: card, visible: viewer == p and it.cost < 3, amount: viewer == p}
  turned: {holds: card, visible: flag}
  drawer(nook): {holds: card, visible: nook == opened, amount: none}
  inside(box): {holds: card, visible: owner}
  heap: {holds: card, visible: all, order: none}
  shelf: {holds: box, visible: all}
variables:
  flag: bool
  opened: nook = inner
  pot: {type: int, visible: none}
  score(player): int
  plan(player): {type: 0..9, visible: owner}
  wish(player p): {type: 0..9, visible: viewer == p or flag}
flow:
  play:
    do: |
      ann = first(players)
      ben = next(ann)
      as ann:
EFFECT
        choose "On, {ben}?":
          "On": nothing
"""


def table(folder: Path, effect: str) -> Match:
    """The match after an effect of ann's."""
    path = folder / "game.yaml"
    path.write_text(GAME.replace("EFFECT", indent(effect, " " * 8)), encoding="utf-8")
    return houserule.load(path).start(["ann", "ben", "cem"], seed=1)


def seen(match: Match, viewer: str, zone: str) -> list[str | None]:
    """The pieces of a zone as somebody sees them: ids, None for a back."""
    return [p.id if p.face_up else None for p in match.view(viewer).zone(zone).pieces]


def told(match: Match, viewer: str | None = None) -> list[str]:
    """The events that somebody is told, without steps."""
    return [e.text for e in (match.events_for(viewer) if viewer else match.events) if e.kind != "step"]


# --- zones -------------------------------------------------------------------------------------------------------------


def test_a_zone_is_visible_to_all_to_none_or_to_its_owner(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to open\nmove two to me.hand\nmove three to ben.hand")
    assert seen(match, "ben", "open") == ["queen"]
    assert seen(match, "ann", "hand of ann") == ["two"]
    assert seen(match, "ben", "hand of ann") == [None]
    assert seen(match, "ann", "hand of ben") == [None]
    assert seen(match, "cem", "deck") == [None]


def test_what_is_not_seen_shows_its_back(tmp_path: Path) -> None:
    match = table(tmp_path, "move two to me.hand")
    (piece,) = match.view("ben").zone("hand of ann").pieces
    assert "cups" in piece.label
    assert "two" not in piece.label
    assert (piece.id, piece.face_up) == (None, False)


def test_how_many_there_are_is_known_to_all_unless_the_amount_is_not(tmp_path: Path) -> None:
    match = table(tmp_path, "move two to me.secret\nmove three to me.hand\nmove four to drawer[outer]")
    assert match.view("ben").zone("hand of ann").amount == 1
    assert match.view("ann").zone("secret of ann").amount == 1
    assert match.view("ben").zone("secret of ann").amount is None
    assert match.view("ben").zone("secret of ann").pieces == []
    assert match.view("ben").zone("drawer (outer)").amount is None
    assert match.view(None).zone("drawer (outer)").amount == 1


def test_an_expression_over_it_and_the_index_says_who_sees(tmp_path: Path) -> None:
    match = table(
        tmp_path, "move queen to cell[inner]\nmove two to cell[inner]\nmove three to cell[outer]\ntwo.face_up = true"
    )
    assert seen(match, "ben", "cell (inner)") == [None, "two"]
    assert seen(match, "ben", "cell (outer)") == ["three"]


def test_an_expression_over_the_viewer(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to me.safe\nmove four to me.safe")
    assert seen(match, "ann", "safe of ann") == ["queen", None]
    assert seen(match, "ben", "safe of ann") == []
    assert match.view("ann").zone("safe of ann").amount == 2
    assert match.view("ben").zone("safe of ann").amount is None


def test_pieces_say_by_their_seat_whose_zone_it_is(tmp_path: Path) -> None:
    match = table(tmp_path, "for b in box where b.seat == ben: move queen to inside[b]")
    assert [z.pieces[0].id for z in match.view("ben").zones if z.name.startswith("inside") and z.pieces] == ["queen"]
    assert [z.pieces[0].id for z in match.view("ann").zones if z.name.startswith("inside") and z.pieces] == [None]


def test_a_zone_without_order_does_not_tell_the_order(tmp_path: Path) -> None:
    one = table(tmp_path, "move [queen, two, four] to heap")
    other = table(tmp_path, "move [four, queen, two] to heap")
    assert one.view("ben").zone("heap").pieces == other.view("ben").zone("heap").pieces


def test_what_certainly_looks_the_same_is_drawn_alike(tmp_path: Path) -> None:
    hidden = (
        "flag: {type: bool, visible: none}\n  opened: {type: nook, start: inner, visible: none}\n  prize: card = two"
    )
    game = GAME.replace("flag: bool\n  opened: nook = inner", hidden).replace("EFFECT", "        nothing")
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    match, random = houserule.load(tmp_path).start(["ann", "ben", "cem"], seed=1), Random(5)
    program, labels, s = match.program, match.labels, match.state
    cards = [piece for piece, kind in enumerate(program.kind_of) if kind.name == "card"]
    places = [slot for slot, zone in enumerate(program.zone_of) if zone.name != "shelf"]
    alike = 0
    for _ in range(300):
        before, piece, slot = s.copy(), random.choice(cards), random.randrange(len(s.v))
        if random.random() < 0.7:
            s.z[s.w[piece]].remove(piece)
            s.w[piece] = random.choice([s.w[piece], *places])
            s.z[s.w[piece]].insert(random.randrange(len(s.z[s.w[piece]]) + 1), piece)
        else:
            s.v[slot] = random.randrange(2)
        for viewer in (SPECTATOR, 0, 1, 2):
            one, two = (Eyes(program, state, viewer) for state in (before, s))
            is_alike = make_view(one, labels).to_json() == make_view(two, labels).to_json()
            assert is_alike or not surely_alike(one, two, labels)
            alike += surely_alike(one, two, labels)
    assert alike > 200


# --- variables ----------------------------------------------------------------------------------------------------------


def variables(match: Match, viewer: str) -> dict[str, int]:
    return {f"{v.name} of {v.owner}" if v.owner else v.name: v.value for v in match.view(viewer).variables}


def test_variables_are_seen_by_all_unless_they_say_otherwise(tmp_path: Path) -> None:
    match = table(tmp_path, "pot = 5\nme.score = 3\nme.plan = 4\nme.wish = 6")
    ann, ben = variables(match, "ann"), variables(match, "ben")
    assert "pot" not in ann
    assert ben["score of ann"] == 3
    assert ann["plan of ann"] == 4
    assert "plan of ann" not in ben
    assert ann["wish of ann"] == 6
    assert "wish of ann" not in ben
    assert "wish of ben" in ben


def test_a_variable_with_an_expression_comes_to_be_seen(tmp_path: Path) -> None:
    match = table(tmp_path, "me.wish = 6\nflag = true")
    assert variables(match, "ben")["wish of ann"] == 6


def test_a_variable_of_a_piece_is_seen_with_the_piece(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to me.hand\nqueen.worn = 2")
    (mine,) = match.view("ann").zone("hand of ann").pieces
    (other,) = match.view("ben").zone("hand of ann").pieces
    assert mine.variables == {"worn": "2"}
    assert other.variables == {}
    assert any("worn" in text for text in told(match, "ann"))
    assert not any("worn" in text for text in told(match, "ben"))


# --- events --------------------------------------------------------------------------------------------------------------


def test_a_move_is_told_with_the_piece_to_those_who_see_it_before_or_after(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to me.hand\nmove queen to open\nmove queen to ben.hand\nmove queen to deck")
    ann, ben, cem = (told(match, name) for name in ("ann", "ben", "cem"))
    assert ["queen" in text for text in ann] == [True, True, True, False]
    assert ["queen" in text for text in ben] == [False, True, True, True]
    assert ["queen" in text for text in cem] == [False, True, True, False]
    assert all("cups" in text for text in cem if "queen" not in text)
    assert all("queen" in text for text in told(match))


def test_a_move_is_not_told_to_those_who_do_not_know_the_amounts(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to me.hand\nmove queen to me.secret")
    assert len(told(match, "ann")) == 2
    assert len(told(match, "ben")) == 1
    assert len(told(match)) == 2


def test_a_variable_is_told_to_those_who_see_it(tmp_path: Path) -> None:
    match = table(tmp_path, "me.plan = 4\npot = 3\nme.score = 1")
    assert [sum(word in text for text in told(match, "ann")) for word in ("plan", "pot", "score")] == [1, 0, 1]
    assert [sum(word in text for text in told(match, "ben")) for word in ("plan", "pot", "score")] == [0, 0, 1]


def test_show_tells_some_and_the_rest_hear_of_backs(tmp_path: Path) -> None:
    match = table(tmp_path, "move [queen, three] to me.hand\nshow me.hand to ben")
    (ben,) = [e.text for e in match.events_for("ben") if e.kind == "show"]
    (cem,) = [e.text for e in match.events_for("cem") if e.kind == "show"]
    assert "queen" in ben
    assert "three" in ben
    assert "queen" not in cem
    assert "cups" in cem
    assert seen(match, "ben", "hand of ann") == [None, None]


def test_what_all_are_shown_is_revealed_where_it_lies(tmp_path: Path) -> None:
    match = table(tmp_path, "move [queen, three] to me.hand\nmove two to ben.hand\nshow [queen, two, three] to players")
    shown = [e.text for e in match.events_for("cem") if e.kind == "show"]
    assert shown == ["Revealed in hand of ann: queen, three", "Revealed in hand of ben: two"]
    assert seen(match, "ben", "hand of ann") == [None, None]


def test_say_to_one_player_is_heard_by_that_one(tmp_path: Path) -> None:
    match = table(tmp_path, 'say "All."\nsay to ben "Psst."')
    assert told(match, "ann") == ["All."]
    assert told(match, "ben") == ["All.", "Psst."]


def test_what_comes_to_light_is_told(tmp_path: Path) -> None:
    match = table(
        tmp_path,
        "move [queen, two] to turned\nmove three to cell[inner]\nflag = true\nthree.face_up = true\nflag = false",
    )
    light = [e.text for e in match.events_for("ben") if e.kind == "light" and "wish" not in e.text]
    assert len(light) == 3
    assert "queen" in light[0]
    assert "two" in light[1]
    assert "three" in light[2]
    assert not [e for e in match.events_for("ben") if e.kind == "move" and "queen" in e.text]


def test_a_variable_that_comes_to_light_is_told(tmp_path: Path) -> None:
    match = table(tmp_path, "me.wish = 6\nflag = true")
    assert [e.text for e in match.events_for("ben") if e.kind == "light" and "6" in e.text]
    assert not [e for e in match.events_for("ann") if e.kind == "light" and "6" in e.text]


def test_drawers_that_open_show_what_is_in_them(tmp_path: Path) -> None:
    match = table(tmp_path, "move queen to drawer[inner]\nmove two to drawer[outer]\nopened = outer")
    assert seen(match, "cem", "drawer (outer)") == ["two"]
    assert seen(match, "cem", "drawer (inner)") == []
    assert [e.text for e in match.events_for("cem") if e.kind == "light" and "two" in e.text]


def test_a_shuffle_is_told_and_not_its_order(tmp_path: Path) -> None:
    match = table(tmp_path, "shuffle deck\nshuffle me.secret")
    assert len(told(match, "ann")) == 2
    assert len(told(match, "ben")) == 1


def test_a_roll_is_told_to_all(tmp_path: Path) -> None:
    match = table(tmp_path, "roll n from 1..6\nme.score = n")
    assert [e.kind for e in match.events_for("ben") if e.kind != "step"] == ["roll", "set"]


# --- spectators ----------------------------------------------------------------------------------------------------------


def test_a_spectator_sees_what_every_player_sees(tmp_path: Path) -> None:
    match = table(
        tmp_path,
        "move queen to me.safe\nmove two to open\nmove three to ben.hand\nme.wish = 3\nmove four to cell[outer]\n"
        "show ben.hand to me",
    )
    view = match.view(SPECTATOR)
    assert view.viewer is None
    faces = {zone.name: [p.id for p in zone.pieces] for zone in view.zones if zone.pieces}
    assert faces == {"open": ["two"], "hand": [None], "cell": ["four"], "shelf": faces["shelf"]}
    assert view.zone("safe of ann").amount is None
    assert {v.name for v in view.variables} == {"flag", "opened", "score"}
    said = [event.text for event in match.events_for(SPECTATOR) if event.kind != "step"]
    assert set(said) <= set(told(match, "cem"))
    assert not any("queen" in text or "three" in text or "wish" in text for text in said)
    assert any("two" in text for text in said)


# --- options -------------------------------------------------------------------------------------------------------------


def test_options_that_the_chooser_may_not_see_lie_face_down(tmp_path: Path) -> None:
    match = table(tmp_path, "move [queen, three] to ben.hand\nchoose c from ben.hand:\n  move c to me.hand")
    (choice,) = match.pending
    assert [o.key for o in choice.options] == ["hidden#1", "hidden#2"]
    assert all("queen" not in o.label and "three" not in o.label for o in choice.options)
    match.answer("ann", "hidden#2")
    assert seen(match, "ann", "hand of ann") == ["three"]


# --- what the checker says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "code"),
    [
        ("bad: {holds: card, visible: owner}", "HR523"),
        ("bad(player): {holds: card, visible: me == player}", "HR530"),
        ("bad(player): {holds: card, visible: it.cots < 2}", "HR502"),
        ("bad(player): {holds: card, visible: it.cost}", "HR521"),
        ("bad(player): {holds: card, visible: all, amount: viewr == player}", "HR501"),
    ],
)
def test_who_sees_is_checked(zone: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        GAME.replace("EFFECT", " " * 8 + "nothing").replace("  deck: {", f"  {zone}\n  deck: {{"), encoding="utf-8"
    )
    assert [d.code for d in houserule.validate(path) if d.severity == "error"] == [code]


def test_sight_may_depend_on_whose_a_piece_is(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    text = GAME.replace("visible: flag}", "visible: viewer == keeper}").replace(
        "flow:\n", "functions:\n  keeper: owner(queen)\nflow:\n"
    )
    effect = "move two to turned\nmove queen to ben.hand"
    path.write_text(text.replace("EFFECT", indent(effect, " " * 8)), encoding="utf-8")
    match = houserule.load(path).start(["ann", "ben", "cem"], seed=1)
    assert [seen(match, viewer, "turned") for viewer in ("ann", "ben", "cem")] == [[None], ["two"], [None]]
    assert any("two" in event.text for event in match.events_for("ben") if event.kind == "light")
    assert not any("two" in event.text for event in match.events_for("ann"))


def test_nobody_is_shown_a_value_of_each_position() -> None:
    match = load("floes").start(2, seed=1)
    for _ in range(4):
        match.answer(match.pending[0].player, match.pending[0].options[0])
    assert "seen" not in [variable.name for variable in match.view(0).variables]
    assert not scene(match, 0).variables


BEANS = """\
edition: 2026
game: beans
players: 2..3
components:
  bean: {attributes: {worth: 1..9}, each: {worth: 1..9}, title: "bean {it.worth}", back_title: bean, starts_in: deck}
zones:
  deck: {holds: bean, visible: none}
  hand(player): {holds: bean, visible: ownerORDER}
"""
SHOWN = """\
flow:
  deal:
    do: |
      for p in players: draw 2 from deck to p.hand
  trade:
    turns: players
    do: |
      choose offer from me.hand "Offer which?":
        show offer to next(me)
        say "{me} offers {offer}."
        next(me) chooses "Take the {offer}?":
          "Take the {offer}": nothing
          "Later": nothing
        next(me) chooses taken from me.hand "Which?"
"""


def test_who_was_shown_a_piece_reads_what_it_is_until_the_turn_is_over(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(BEANS.replace("ORDER", "") + SHOWN, encoding="utf-8")
    match = houserule.load(tmp_path).start(["ann", "ben", "cem"], seed=1)
    offered = match.pending[0].single[0]
    match.answer("ann", offered)
    (choice,) = match.pending
    assert choice.prompt == f"Take the {offered.label}?"
    assert choice.single[0].label == f"Take the {offered.label}"
    for viewer, said in (("ben", offered.label), ("cem", "face-down bean")):
        assert [e.text for e in match.events_for(viewer) if e.kind == "say"] == [f"ann offers {said}."]
    match.answer("ben", "Later")
    labels = [option.label for option in match.pending[0].single]
    assert [label for label in labels if "face-down" not in label] == [offered.label]
    assert not any(offered.label in option.key for option in match.pending[0].single)
    assert match.imagine("ben", seed=1).pending[0].single[0].label == match.pending[0].single[0].label
    match.answer("ben", match.pending[0].single[0])
    assert match.shown_to(1) == set()


TAKEN = """\
flow:
  deal:
    do: |
      for p in players: draw 3 from deck to p.hand
  look:
    do: |
      as first(players):
        show me.hand to next(me)
        choose put from me.hand "Put away?": move put to deck
        next(me) chooses guess from me.hand "Which?"
"""


@pytest.mark.parametrize(("order", "known"), [("", 2), (", order: none", 0)])
def test_what_leaves_a_hand_without_order_is_not_told_by_what_is_left(tmp_path: Path, order: str, known: int) -> None:
    (tmp_path / "game.yaml").write_text(BEANS.replace("ORDER", order) + TAKEN, encoding="utf-8")
    match = houserule.load(tmp_path).start(["ann", "ben"], seed=1)
    match.answer("ann", match.pending[0].single[0])
    assert sum("face-down" not in option.label for option in match.pending[0].single) == known
