"""The story of a match: what goes together is one event, passes are numbered, nobody is told what they may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Match


@pytest.fixture(scope="session")
def game() -> houserule.Game:
    return houserule.load(Path(__file__).parent / "attic")


@pytest.fixture
def attic(game: houserule.Game) -> Match:
    return game.start(["Ann", "Bob"], seed=1)


def told(match: Match, *answers: str, to: str | None = None) -> list[str]:
    """What is told after these answers, steps and turns left out."""
    before = len(match.events_for(to) if to else match.events)
    for answer in answers:
        match.answer("Ann", answer)
    events = match.events_for(to) if to else match.events
    return [event.text for event in events[before:] if event.kind not in ("step", "turn")]


def test_pieces_that_go_the_same_way_are_one_event(attic: Match) -> None:
    (text,) = told(attic.copy(), "Carry")
    assert text.endswith(": heap → room of Ann")
    assert told(attic.copy(), "Carry", to="Ann") == [text]
    assert told(attic, "Carry", to="Bob") == ["3 × face-down box: heap → room of Ann"]


def test_an_answer_comes_between_and_parts_them(attic: Match) -> None:
    assert len(told(attic, "Sort", "Sort")) == 2


def test_a_story_does_not_depend_on_when_it_is_told(attic: Match) -> None:
    answers = ["Carry", "Drop", "Open", "Lower", "Light", "Paint"]
    other = attic.copy()
    read = []
    for answer in answers:
        attic.answer("Ann", answer)
        read = attic.events_for("Bob")
        other.answer("Ann", answer)
    assert other.events_for("Bob") == read
    assert other.events == attic.events


def test_within_a_zone_pieces_are_moved(attic: Match) -> None:
    assert told(attic, "Sort", to="Bob") == ["face-down box: moved within heap"]


def test_who_does_not_know_the_amounts_is_told_nothing_of_what_is_hidden(attic: Match) -> None:
    assert told(attic.copy(), "Lower", to="Bob") == []
    assert len(told(attic, "Lower")) == 1


def test_what_comes_to_light_is_told_once_to_those_who_did_not_see_it(attic: Match) -> None:
    attic.answer("Ann", "Carry")
    attic.answer("Ann", "Drop")
    texts = told(attic, "Open", to="Bob")
    assert len([text for text in texts if text.startswith("Revealed in floor: ")]) == 3
    assert not any("·" in text for text in texts[:1])
    assert told(attic, "Wait", to="Bob") == []


def test_a_variable_that_comes_to_light_is_told(attic: Match) -> None:
    assert told(attic, "Paint", to="Bob") == []
    (lamp, sign) = told(attic, "Light", to="Bob")
    assert lamp == "lamp"
    assert sign.startswith("sign: ")


def test_a_roll_into_what_is_hidden_is_told_to_its_owner_alone(attic: Match) -> None:
    assert told(attic.copy(), "Write", to="Bob") == []
    copy = attic.copy()
    (text,) = told(copy, "Write", to="Ann")
    assert text.startswith("Ann · note: ")
    assert copy.events_for("Ann")[-1].kind in ("roll", "step", "turn")


def test_a_roll_into_a_name_is_told_to_all(attic: Match) -> None:
    assert told(attic, "Count", to="Bob") == ["Rolled 4 (n)", "ghosts: 4"]


def test_what_stays_as_it_is_is_not_told(attic: Match) -> None:
    assert told(attic, "Same") == []


def test_a_piece_that_is_shown_is_told_by_name_to_whom_it_is_shown(attic: Match) -> None:
    attic.answer("Ann", "Carry")
    (told_to_bob,) = told(attic, "Show", to="Bob")
    assert told_to_bob.startswith("Shown to Bob: ")
    assert "face-down" not in told_to_bob


def test_passes_of_a_step_are_numbered_anew_in_each_pass_around_it(attic: Match) -> None:
    while not attic.is_over:
        attic.answer("Ann", "Wait")
    assert [event.text for event in attic.events if event.kind == "step"] == [
        "Night 1", "Hour 1", "Hour 2",
        "Night 2", "Hour 1", "Hour 2",
        "Night 3", "Hour 1", "Hour 2",
    ]  # fmt: skip


def test_a_turn_is_told_with_the_player_whose_it_is(attic: Match) -> None:
    assert [event.text for event in attic.events_for("Bob")] == ["Night 1", "Hour 1", "Ann's turn"]


def test_what_all_see_already_is_not_told_as_shown(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: shelf
players: 2
components: {jar: {starts_in: shelf, pieces: {plum: {}, pear: {}, fig: {}}}}
zones: {shelf: {holds: jar, visible: all}, box(player): {holds: jar, visible: owner}}
flow:
  look:
    do: |
      move plum to box[first(players)!]
      first(players)! chooses "Which?":
        "All": show [plum, pear] to players
        "Pear": show pear to players
winner: {most: count(me.box)}
""",
        encoding="utf-8",
    )
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    assert told(match.copy(), "All", to="Bob") == ["Ann: All", "Revealed in box of Ann: plum"]
    assert told(match, "Pear", to="Bob") == ["Ann: Pear"]


PASSING = """\
edition: 2026
game: passing
players: 2
components: {card: {title: card, attributes: {n: 1..9}, each: {n: 1..9}, starts_in: deck}}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: owner}
  bid(player): {holds: card, visible: owner}
  spare(player): {holds: card, visible: owner, amount: owner}
variables: {score(player): int, mark(player): {type: 0..9, visible: owner}}
flow:
  setup: {do: "for p in players: draw 3 from deck to p.hand"}
  play:
    turns: players
    do: |
      QUESTION
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("choose x or pass from 1..3: me.score += x", ["Ann: pass"]),
        ("choose x or pass when me.score == 0 from 1..3: me.score += x", ["Ann: pass"]),
        ("choose 1..2 some or pass from 1..3: me.score += count(some)", ["Ann: pass"]),
        # Everybody sees how many cards lie there.
        ("choose c or pass from me.hand: move c to me.bid", ["Ann: pass"]),
        ("choose c or pass from me.hand: move c to me.spare", []),
        ("choose x or pass from 1..3: me.mark = x", []),
        ('choose x or pass from 1..3 "Which?"\n      y = x\n      if y: me.mark = y', []),
        ('choose x or pass from 1..3:\n        me.score += x\n      else:\n        say "Not {me}."', ["Not Ann."]),
        ("choose x or pass from 1..3: me.score += x\n      me.mark = 1", ["Ann: pass"]),
    ],
)
def test_all_are_told_who_passes_unless_that_is_a_secret_or_said(
    question: str, said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(PASSING.replace("QUESTION", question), "utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    match.answer("Ann", "pass")
    told = match.told(1).tables[1]
    assert [event.text for event in told if event.kind in ("answer", "say")] == said
