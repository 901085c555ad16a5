"""A verb takes a row, its function and its phrases: made-up ones are added here, and every stage knows them by their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

import houserule
from houserule.language.types import Mixes, Moves, Shows
from houserule.operations import PREPOSITIONS, RUNTIME, VERBS
from houserule.operations.table import Verb
from houserule.operations.zones import move, show, shuffle
from houserule.rulebook import LANGUAGES, markdown, rulebook
from houserule.rulebook.phrasebook import phrasebook

GAME = """\
edition: 2026
game: made_up
players: 2..3
components:
  card:
    attributes: {{no: 1..9, copy: 1..3}}
    each: {{no: 1..9, copy: 1..3}}
    starts_in: deck
zones:
  deck: {{holds: card, visible: none}}
  hand(player): {{holds: card, visible: owner}}
  row(player): {{holds: card, visible: all}}
variables:
  score(player): int
actions:
  act: |
{action}
{triggers}
flow:
  deal:
    do: |
      shuffle deck
      for p in players: draw 4 from deck to p.hand
  turn:
    repeat: 3
    turns: players
    do: |
{effect}
scoring: {{points: me.score}}
"""
TOGETHER = "together players:\n  choose c from me.hand: {}\nperform act"


def expose(s: Any, pieces: list[int], players: list[int]) -> None:
    """Show everybody what pieces are."""
    show(s, pieces, players)


ROWS: dict[str, dict[str, Any]] = {
    "expose": {
        "argument": "pieces",
        "prepositions": {},
        "python": {
            "piece": "expose({s}, [{argument}], SEATING[0])",
            "list": "expose({s}, {argument}, SEATING[0])",
            "pile": "expose({s}, {s}.z[{argument}], SEATING[0])",
        },
        "says": "Shows everybody what pieces are.",
        "does": (Shows("argument"),),
        "uses_chance": False,
        "seen": "what is exposed here",
        "example": "expose top(deck)",
    },
    "stir": {
        "argument": "pile",
        "prepositions": {},
        "python": {"any": "stir({s}, {argument})"},
        "says": "Brings a pile into a random order.",
        "does": (Mixes("argument"),),
        "uses_chance": True,
        "seen": "what is stirred here",
        "example": "stir deck",
    },
    "lay": {
        "argument": "pieces",
        "prepositions": {"onto": "pile"},
        "python": {
            "piece": "lay({s}, {argument}, {onto})",
            "list": "move_all({s}, {argument}, {onto})",
            "pile": "move_pile({s}, {argument}, {onto})",
        },
        "says": "Puts pieces on a pile.",
        "does": (Moves("argument", "onto"),),
        "uses_chance": False,
        "seen": "what is laid here",
        "example": "lay top(deck) onto me.row",
    },
}


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, columns in ROWS.items():
        verb = Verb(name, **columns)
        monkeypatch.setitem(VERBS, name, verb)
        monkeypatch.setitem(PREPOSITIONS, name, tuple(verb.prepositions))
    for function, code in {"expose": expose, "stir": shuffle, "lay": move}.items():
        monkeypatch.setitem(RUNTIME, function, code)
    for language in LANGUAGES:
        verbs = phrasebook(language).tables["verbs"]
        monkeypatch.setitem(verbs, "expose", "Expose {argument}!")
        monkeypatch.setitem(verbs, "expose_all", "Expose all of {argument}!")


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(effect: str, action: str = "me.score += 1", triggers: str = "") -> Path:
        texts = {"effect": indent(effect, " " * 6), "action": indent(action, " " * 4), "triggers": triggers}
        (tmp_path / "game.yaml").write_text(GAME.format(**texts), encoding="utf-8")
        return tmp_path

    return written


def said(path: Path) -> list[tuple[str, str]]:
    """What is said about a game, apart from what it does not use."""
    return [(one.code, one.message) for one in houserule.validate(path) if one.code not in ("HR570", "HR571")]


@pytest.mark.parametrize("name", ROWS)
def test_it_is_read_checked_compiled_and_played(name: str, write: Write) -> None:
    path = write(ROWS[name]["example"] + "\nperform act")
    assert said(path) == []
    game = houserule.load(path)
    assert game.random_match(2, 1).scores == [3, 3]
    match = game.start(2, seed=1)
    assert match.is_over
    kinds = [event.kind for event in match.events]
    assert kinds.count({"expose": "show", "stir": "shuffle", "lay": "move"}[name]) >= 6
    native = houserule.simulate(game, 20, players=2, seed=1, engine="native")
    assert native.summary.seats[0].score.mean == 3


@pytest.mark.parametrize(
    ("name", "does"), [("expose", "expose top(deck)"), ("stir", "stir deck"), ("lay", "lay top(deck) onto me.row")]
)
def test_what_it_tells_is_found_in_its_own_words(name: str, does: str, write: Write) -> None:
    (found,) = said(write(f"if any(c in next(me).hand where c.no > 8): {does}\nperform act"))
    assert found == ("HR582", f"{ROWS[name]['seen']} depends on what not everybody may see of 'hand'")


def test_what_everybody_has_been_shown_is_no_secret(write: Write) -> None:
    assert said(write("card = top(deck)\nif card:\n  expose card\n  me.score += card.no\nperform act")) == []
    (found,) = said(write("card = top(deck)\nif card: me.score += card.no\nperform act"))
    assert found[0] == "HR582"


def test_after_chance_nobody_knows_where_a_piece_lies(write: Write) -> None:
    known = "card = top(me.row)\nif card:\n  move card to deck\n  {}\n  if top(deck) == card: perform act"
    assert said(write(known.format("nothing"))) == []
    assert [code for code, _ in said(write(known.format("stir deck")))] == ["HR582"]


def test_in_a_together_there_is_no_chance(write: Write) -> None:
    why = "it is not one player's own action"
    (found,) = said(write(TOGETHER.format("stir me.hand")))
    assert found == ("HR532", f"'stir' is not allowed in a together: {why}")
    (found,) = said(write("together players: perform act", action="stir me.hand\nme.score += 1"))
    assert found == ("HR531", "in a together nobody can stir: that is not one player's own action")


def test_in_a_together_pieces_are_laid_from_own_zones_into_own_or_shared_ones(write: Write) -> None:
    assert said(write(TOGETHER.format("lay c onto me.row"))) == []
    found = said(write(TOGETHER.format("lay top(next(me).hand) onto me.row")))
    assert ("HR531", "in a together players lay only pieces of their own zones") in found
    found = said(write(TOGETHER.format("lay c onto next(me).hand")))
    assert found == [("HR531", "in a together nobody puts pieces into a zone that may be another's")]


def test_parts_that_lay_an_own_piece_share_one_state(write: Write) -> None:
    assert houserule.load(write(TOGETHER.format("lay c onto me.row"))).program(3, told=False).final
    looking = TOGETHER.format("lay c onto me.row; me.score += count(next(me).row)")
    assert not houserule.load(write(looking)).program(3, told=False).final


def test_what_is_imagined_leaves_nothing_to_chance(write: Write) -> None:
    assert said(write("me.score = (1 + count(me.row) after lay top(me.row) onto deck)\nperform act")) == []
    found = said(write("me.score = (1 after stir deck)\nperform act"))
    assert found[0] == ("HR544", "this cannot be imagined: 'stir' leaves it to chance")


def test_triggers_wait_for_what_it_moves_and_for_nothing_that_it_shows(write: Write) -> None:
    trigger = "triggers:\n  counted: {whenever: card enters row of p, do: p.score += 10}"
    laid = houserule.load(write("lay top(deck) onto me.row\nperform act", triggers=trigger))
    assert laid.random_match(2, 1).scores == [33, 33]
    shown = houserule.load(write("expose me.row\nperform act", triggers=trigger))
    assert shown.random_match(2, 1).scores == [3, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebook_speaks_of_it(language: str, write: Write) -> None:
    game = houserule.load(write("expose top(deck)\nexpose me.row\nperform act"))
    text = markdown(rulebook(game, language=language))
    assert "Expose all of " in text
    assert text.count("Expose ") == 2


REQUIRED = [one.name for one in fields(Verb) if one.name in ROWS["expose"]]


@pytest.mark.parametrize("column", REQUIRED)
def test_a_row_without_a_column_is_refused(column: str) -> None:
    with pytest.raises(TypeError, match=column):
        Verb("expose", **{name: value for name, value in ROWS["expose"].items() if name != column})


@pytest.mark.parametrize(
    "wrong",
    [
        {"does": ()},
        {"does": (Shows("pieces"),)},
        {"does": (Mixes("argument"),)},
        {"seen": ""},
        {"example": ""},
        {"python": {"piece": "show({s}, [{argument}], SEATING[0])"}},
    ],
    ids=str,
)
def test_a_row_with_an_empty_or_wrong_column_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'expose'"):
        Verb("expose", **{**ROWS["expose"], **wrong})


def test_no_stage_knows_a_verb_by_its_name() -> None:
    stages = ["secrecy/*.py", "language/*.py", "definition/routines.py", "compiler/sharing.py", "rulebook/wording.py"]
    package = Path(houserule.__file__).parent
    modules = [path for stage in stages for path in package.glob(stage)]
    quoted = {f'"{name}"' for name in VERBS}
    found = {(path.name, one) for path in modules for one in quoted if one in path.read_text(encoding="utf-8")}
    assert found == {("control.py", '"draw"'), ("words.py", '"draw"')}  # an ending of a match
