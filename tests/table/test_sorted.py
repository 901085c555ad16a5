"""`sort` lays pieces out for whoever sees them and numbers options alike; it changes no rule, and nobody else learns of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.table.compose import scene

FANS = """\
edition: 2026
game: fans
players: 2
enums: {wind: [north, east, south]}
components:
  feather:
    attributes: {wind: wind, length: 1..4}
    each: {wind: wind, length: 1..4}
    starts_in: box
zones:
  box: {holds: feather, visible: none}
  hand(player): {holds: feather, visible: owner, KEYS}
  row: {holds: feather, visible: all}
flow:
  deal:
    do: |
      shuffle box
      for p in players: draw 5 from box to p.hand
  play:
    repeat: 2
    turns: players
    do: |
      choose f from me.hand "Play which?": move f to row
      choose 2 other from me.hand "And which two?": move other to row
      choose g from next(me).hand "Pull which?": move g to row
winner: {most: 1}
"""


def game(folder: Path, keys: str) -> houserule.Game:
    (folder / "game.yaml").write_text(FANS.replace("KEYS", keys), encoding="utf-8")
    return houserule.load(folder / "game.yaml")


def hand(match: houserule.Match, viewer: str) -> list[str]:
    return [thing.words for thing in scene(match, viewer).things if thing.region == "hand:0" and thing.is_face_up]


ORDERS = {
    "order: none, sort: [it.wind, it.length]": lambda words: (["north", "east", "south"].index(words[0]), words[1]),
    'sort: "[-it.length, it.wind]"': lambda words: (-int(words[1]), ["north", "east", "south"].index(words[0])),
}


@pytest.mark.parametrize("keys", ORDERS)
def test_the_table_and_the_options_have_one_order(keys: str, tmp_path: Path) -> None:
    match = game(tmp_path, keys).start(["Ann", "Bob"], seed=4)
    options = [option.key for option in match.pending[0].options]
    wanted = sorted(options, key=lambda key: ORDERS[keys](key.removeprefix("feather_").split("_")))
    assert options == wanted
    assert len(options) == 5
    assert [words.replace(" ", "_") for words in hand(match, "Ann")] == wanted
    assert hand(match, "Bob") == []


def test_what_is_hidden_keeps_its_order(tmp_path: Path) -> None:
    """Neither the options nor the table of somebody else depend on it, and a record plays on in the same way."""
    matches = []
    for name, keys in (("sorted", "order: none, sort: it.length"), ("plain", "order: none")):
        folder = tmp_path / name
        folder.mkdir()
        match = game(folder, keys).start(["Ann", "Bob"], seed=4)
        match.answer("Ann", sorted(option.key for option in match.pending[0].options)[0])
        match.answer("Ann", sorted(option.key for option in match.pending[0].single)[:2])
        matches.append(match)
    one, other = matches
    assert one.pending[0].site.name == "g"
    assert [option.label for option in one.pending[0].options] == [option.label for option in other.pending[0].options]
    hidden = [[t.as_dict() for t in scene(match, "Bob").things if t.region == "hand:0"] for match in matches]
    assert hidden[0] == hidden[1] and len(hidden[0]) == 2
    assert houserule.replay(one.record).view("Ann").to_json() == one.view("Ann").to_json()


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ("sort: it.colour", "HR502"),
        ("sort: count(box)", "HR515"),
        ("sort: it", "HR510"),
        ("sort: [it.wind, [1]]", "HR"),
    ],
)
def test_a_zone_is_sorted_by_what_is_printed(keys: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FANS.replace("KEYS", keys), encoding="utf-8")
    found = [one for one in houserule.validate(tmp_path / "game.yaml", rules_only=True) if one.severity == "error"]
    assert [one for one in found if one.code.startswith(code)]
