"""One mistake makes one message, whatever leans on what it breaks, and does not hide the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import houserule
from houserule import codes
from houserule.definition import check
from houserule.definition.model import GameDefinition
from houserule.diagnostics import EFFECTS, LINE, USES, Diagnostic, Report, Span

SOUND = """\
edition: 2026
game: tiny
players: 2..4
include: [cards.yaml]
variables:
  score(player): int
  goal: 0..9 = 3
tables:
  price: [1, 2, 4]
functions:
  worth(card c): c.rank * price[1]
actions:
  gain(int n): me.score += n
flow:
  round:
    repeat: 3
    turns: players
    do: |
      choose card from me.hand "Which card?":
        perform gain(worth(card))
        perform card.wish
        move card to deck at bottom
      draw 1 from deck to me.hand
      draw 1 from deck to me.hand
      if me.score > goal: goal = 5
winner: {most: me.score}
"""
CARDS = """\
components:
  card:
    attributes: {rank: 1..9}
    effects: [wish]
    starts_in: deck
    pieces:
      low: {count: 6, rank: 1, wish: me.score += 1}
      high: {count: 6, rank: 9}
zones:
  deck: {holds: card, visible: none}
  hand(player): {holds: card, visible: all}
"""


def found_after(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """The codes of what is found after some changes to a sound game."""
    files = {"game.yaml": SOUND, "cards.yaml": CARDS}
    for old, new in changes:
        name = next(name for name, text in files.items() if old in text)
        files[name] = files[name].replace(old, new, 1)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [diagnostic.code for diagnostic in houserule.validate(folder)]


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert found_after(tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("variables:", "vairables:", "HR201"),
        ("actions:", "acitons:", "HR201"),
        ("components:", "components", "HR135"),
        ("pieces:", "peices:", "HR201"),
        ("score(player): int", "score(player: int", "HR204"),
        ("score(player): int", "score(player): itn", "HR501"),
        ("score(player): int", "score(player):", "HR206"),
        ("goal: 0..9 = 3", "goal: 0..9 == 3", "HR413"),
        ("goal: 0..9 = 3", "goal: 0..9 = 30", "HR550"),
        ("price: [1, 2, 4]", "price: @1", "HR124"),
        ("price: [1, 2, 4]", "price: *prices", "HR110"),
        ("worth(card c): c.rank", "worth(card c): c.rank)", "HR403"),
        ("worth(card c): c", "worth(crad c): c", "HR501"),
        ("gain(int n): me.score += n", "gain(int n): me.score := n", "HR414"),
        ("turns: players", "turns: players where", "HR402"),
        ("turns: players", "turns: plyers", "HR501"),
        ("    turns: players\n", "", "HR530"),
        ("choose card from me.hand", "choose card form me.hand", "HR401"),
        ("if me.score > goal: goal = 5", "if me.score > goal goal = 5", "HR407"),
        ("holds: card, visible: all", "holds: crad, visible: owner", "HR501"),
        ("holds: card, visible: all", "hold: card, visible: all", "HR201"),
        ("rank: 9}", "rnak: 9}", "HR502"),
        ("rank: 9}", "rank: 1 +}", "HR402"),
        ("effects: [wish]", "effects: [wihs]", "HR502"),
        ("wish: me.score += 1", "wish: me.score ++ 1", "HR414"),
        ("attributes: {rank: 1..9}", "attributes: {rank 1..9}", "HR121"),
        ("include: [cards.yaml]", "include: [card.yaml]", "HR101"),
        ("visible: none}", "visible: none", "HR126"),
        ("deck: {holds: card", "deck: {holds: card, holds: card", "HR113"),
    ],
)
def test_one_mistake_makes_messages_of_one_code(tmp_path: Path, old: str, new: str, code: str) -> None:
    found = found_after(tmp_path, (old, new))
    assert code in found
    assert len(found) <= (1 if code < "HR500" else 3), found


def test_two_mistakes_make_two_messages(tmp_path: Path) -> None:
    assert found_after(tmp_path, ("turns: players", "turns: plyers"), ("rank: 9}", "rnak: 9}")) == ["HR502", "HR501"]
    assert found_after(tmp_path, ("visible: none}", "visble: none}"), ("goal = 5", "goal = 50")) == [
        "HR201",
        "HR550",
    ]


def test_what_stands_in_a_line_that_cannot_be_read_is_no_unused_thing(tmp_path: Path) -> None:
    assert found_after(tmp_path, ("perform gain(worth(card))", "perfrom gain(worth(card))")) == ["HR412"]


def test_what_is_said_of_many_places_in_the_same_words_is_said_once(tmp_path: Path) -> None:
    many = "".join(f"      me.score = totl + {n}\n" for n in range(9))
    diagnostics = found_after(tmp_path, ("      draw 1", many + "      draw 1"))
    assert diagnostics == ["HR501"]


MADE_UP = "HR599 (error): A deck that is too plain\n\nNobody wants to draw from it.\n"


@pytest.fixture
def plain_deck(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the checker say something of `deck` that no table, list or set of the interpreter knows."""

    def say(times: int, **fields: object) -> None:
        def check_resets(game: GameDefinition, *given: object) -> None:
            report = given[-1]
            assert isinstance(report, Report)
            for line in range(1, times + 1):
                span = Span(game.span.file, line, 1, line, 2)
                report.add(Diagnostic("HR599", "error", "the deck is too plain", span, **fields))  # type: ignore[arg-type]

        monkeypatch.setattr(check, "check_resets", check_resets)

    monkeypatch.setitem(codes.CODES, "HR599", codes.code_of(MADE_UP))
    return say


def test_a_diagnostic_takes_a_page_and_a_call(tmp_path: Path, plain_deck: Callable[..., None]) -> None:
    plain_deck(1)
    assert found_after(tmp_path) == ["HR599"]
    assert "Nobody wants to draw from it." in codes.page(codes.CODES["HR599"])
    plain_deck(3, subject="plain")
    assert found_after(tmp_path) == ["HR599"]


@pytest.mark.parametrize(
    ("mark", "old", "new", "is_told"),
    [
        ("deck", "deck: {holds: card, visible: none}", "deck: [card]", False),
        ("hand", "deck: {holds: card, visible: none}", "deck: [card]", True),
        (USES, "goal = 5", "goal = 50", False),
        (LINE, "goal = 5", "goal = 50", True),
        (LINE, "edition: 2026", "edition: 1026", False),
        (EFFECTS, "goal = 5", "goal := 5", False),
        (EFFECTS, "goal = 5", "goal = 50", True),
        ("", "include: [cards.yaml]", "include: [card.yaml]", False),
    ],
)
def test_a_diagnostic_that_leans_on_what_cannot_be_read_says_nothing(
    tmp_path: Path, plain_deck: Callable[..., None], mark: str, old: str, new: str, is_told: bool
) -> None:
    plain_deck(1, follows_from=(mark,))
    found = found_after(tmp_path, (old, new))
    assert ("HR599" in found) is is_told
    assert found != ["HR599"]
