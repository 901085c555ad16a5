"""What is chosen from a menu is told to everybody, in words that the author may give, unless somebody may not know it."""

from __future__ import annotations

import pytest

import houserule
from houserule import Match

PORT = """\
edition: 2026
game: port
title: {en: Port, de: Hafen, ja: 港}
players: 2
components:
  crate: {starts_in: quay, pieces: {spice: {count: 9}}}
zones:
  quay: {holds: crate, visible: all}
  hold(player): {holds: crate, visible: owner}
  fog(player): {holds: crate, visible: owner, amount: owner}
variables:
  secret(player): {type: 0..9, visible: owner}
  open: 0..9
  seen(player): {type: 0..9, start: 3}
  tell: 0..9
functions:
  heaviest: max(secret[first(players)], 1)
actions:
ACTIONS
  hide: me.secret = 1
  bury: move top(quay) to me.hold
flow:
  day:
    turns: players
    do: |
PERFORMS
triggers:
  echo:
    whenever: tell changes
    do: secret[first(players)] = 3
"""
TOLD = {
    "plain": ['choose "?":', '  "A": open = 1', '  "B": nothing'],
    "drawn": ['choose "?":', '  "A": draw 1 from quay to me.hold', '  "B": nothing'],
    "seen_to_be_moved": ['choose "?":', '  "A": move top(quay) to me.hold', '  "B": move top(me.hold) to quay'],
    "seen_to_be_chosen": [
        'choose "?":',
        '  "A": nothing',
        '  "B":',
        '    choose c from me.hold "Which?":',
        "      move c to first(players).hold",
    ],
    "performing_move": ['choose "?":', '  "A": perform bury', '  "B": nothing'],
    "counted": ['choose "?":', '  "A {open}": open = 1', '  "B": nothing'],
    "of_mine": ['choose "?":', '  "A {n * me.seen}" for n in 1..me.seen when me.seen > 2: open = 1', '  "B": nothing'],
    "before": ["me.secret = 1", 'choose "?":', '  "A": open = 1', '  "B": nothing'],
    "jumping_nowhere": [
        "repeat 2 times:",
        '  choose "?":',
        '    "A": leave',
        '    "B": nothing',
        "perform hide",
    ],
}
KEPT = {
    "of_my_own": ['choose "?":', '  "A {n}" for n in 1..max(1, me.secret): open = 1', '  "B": nothing'],
    "hiding": ['choose "?":', '  "A": me.secret = 1', '  "B": nothing'],
    "burying": ['choose "?":', '  "A": move top(quay) to me.fog', '  "B": nothing'],
    "burying_one_of_two": ['choose "?":', '  "A": move top(quay) to me.hold', '  "B": move first(quay) to me.hold'],
    "burying_and_hiding": ['choose "?":', '  "A": move top(quay) to me.hold; me.secret = 1', '  "B": nothing'],
    "uncounted": ['choose "?":', '  "A": draw 1 from quay to me.fog', '  "B": nothing'],
    "performing": ['choose "?":', '  "A": perform hide', '  "B": nothing'],
    "performing_two_moves": ['choose "?":', '  "A": perform bury', '  "B": perform bury'],
    "setting_off": ['choose "?":', '  "A": tell = 1', '  "B": nothing'],
    "naming": ["n = 1", 'choose "?":', '  "A": n = 2', '  "B": nothing', "me.secret = n"],
    "ending": ['choose "?":', '  "A": finish', '  "B": nothing', "me.secret = 3"],
    "leaving": ["repeat 2 times:", '  choose "?":', '    "A": leave', '    "B": nothing', "  me.secret = 4"],
    "answering": ['choose "?":', '  "A": finish with 1', '  "B": finish with 2'],
    "worded": ['choose "?":', '  "A {secret[me]}": open = 1', '  "B": nothing'],
    "tested": ['choose "?":', '  "A" when me.secret > 2: open = 1', '  "B": nothing'],
    "at_once": ["together players:", '  choose "?":', '    "A": nothing', '    "B": me.secret = 5'],
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> houserule.Game:
    folder = tmp_path_factory.mktemp("made") / "port"
    folder.mkdir()
    actions, performs = "", ""
    for name, lines in {**TOLD, **KEPT}.items():
        actions += f"  {name}: |\n" + "".join(f"    {line.replace('?', name)}\n" for line in lines)
        performs += "      " + ("got = " if name == "answering" else "") + f"perform {name}\n"
    performs += "      open = got\n"
    text = PORT.replace("ACTIONS\n", actions).replace("PERFORMS\n", performs)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return houserule.load(folder)


@pytest.mark.parametrize("name", [*TOLD, *KEPT])
def test_an_answer_that_may_decide_what_is_hidden_is_not_told(port: houserule.Game, name: str) -> None:
    checked = port.program(2, told=True).game
    assert any(site.raw == name for site in checked.sites)
    assert any(site.raw == name for site in checked.secrets.told) is (name in TOLD)


COVE = """\
edition: 2026
game: cove
title: {en: Cove, de: Bucht, ja: 入り江}
players: 2
variables: {depth: 0..9 = 4}
actions:
  whisper: |
    choose "At once?":
      "Aloud": nothing
flow:
  day:
    repeat: 3
    turns: players
    do: |
      choose "Where?" or pass:
        "Dive to {depth}": depth -= 1
        "Swim" tell "{me} swims at {depth}.": depth += 1
        "Hide" tell "": nothing
        "Shout": say "{me} shouts."
      next(me) chooses "Follow?":
        "Yes": nothing
      together players:
        perform whisper
winner: {most: depth}
"""


@pytest.fixture(scope="module")
def cove(tmp_path_factory: pytest.TempPathFactory) -> houserule.Game:
    folder = tmp_path_factory.mktemp("made") / "cove"
    folder.mkdir()
    (folder / "game.yaml").write_text(COVE, encoding="utf-8")
    return houserule.load(folder)


def told(match: Match, *answers: tuple[str, str]) -> list[str]:
    before = len(match.events_for("Bob"))
    for player, answer in answers:
        match.answer(player, answer)
    return [event.text for event in match.events_for("Bob")[before:] if event.kind in ("answer", "say")]


def test_everybody_is_told_in_the_words_of_the_line_or_of_the_author(cove: houserule.Game) -> None:
    match = cove.start(["Ann", "Bob"], seed=1)
    follow, at_once = (("Bob", "Yes"), ("Ann", "Yes")), (("Ann", "Aloud"), ("Bob", "Aloud"))
    assert told(match, ("Ann", "Dive to {depth}"), follow[0]) == ["Ann: Dive to 4", "Bob: Yes"]
    assert told(match, *at_once) == []
    assert told(match, ("Bob", "Swim")) == ["Bob swims at 3."]
    assert told(match, follow[1], *at_once) == ["Ann: Yes"]
    assert told(match, ("Ann", "Hide")) == []
    assert told(match, follow[0], *at_once) == ["Bob: Yes"]
    assert told(match, ("Bob", "Shout")) == ["Bob shouts."]
    assert told(match, follow[1], *at_once) == ["Ann: Yes"]
    assert told(match, ("Ann", "pass")) == ["Ann: pass"]


def test_the_sentence_is_in_the_language_of_the_match(cove: houserule.Game) -> None:
    match = cove.start(["Ann", "Bob"], seed=1, language="ja")
    assert told(match, ("Ann", "pass")) == ["Ann：パス"]


def test_what_an_imagined_match_is_told_is_the_same(cove: houserule.Game) -> None:
    match = cove.start(["Ann", "Bob"], seed=1)
    match.answer("Ann", "Dive to {depth}")
    assert match.imagine("Bob", 3).events_for("Bob") == match.events_for("Bob")
