"""What a stranger's rules say of how things are shown is worked out within bounds, and faults in it hide what they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Match
from houserule.operations import fuel
from houserule.table import looks
from houserule.table.compose import scene

GAME = """\
edition: 2026
game: shown
players: 2
functions:
  deep(int depth): deep(depth)
components:
  card:
    title: TITLE
    attributes: {no: 1..30}
    starts_in: deck
    each: {no: 1..30}
zones:
  deck: {holds: card, visible: SIGHT, amount: AMOUNT}
  hand(player): {holds: card, visible: owner}
variables:
  n: {type: 0..9, visible: SIGHT_OF_N}
flow:
  deal:
    do: |
      n = 3
      for p in players: draw 2 from deck to p.hand
  round: {turns: players, do: "choose c from me.hand: move c to deck"}
winner: {most: count(me.hand)}
"""


def started(folder: Path, layout: str = "", **named: str) -> Match:
    """A match of the game with these rules in it."""
    text = GAME.replace("SIGHT_OF_N", named.get("sight_of_n", "all"))
    for name in ("title", "sight", "amount"):
        text = text.replace(name.upper(), named.get(name, "card" if name == "title" else "all"))
    (folder / "game.yaml").write_text(text + layout, encoding="utf-8")
    return houserule.load(folder).start(2, seed=1)


def shown(match: Match) -> str:
    """Everything that a player and a spectator are shown, at the beginning and after an answer."""
    found = []
    for _ in range(2):
        found += [str(match.view(0).to_json()), str(match.events_for(0)), str(scene(match, 0)), str(scene(match, 1))]
        choice = match.pending[0]
        match.answer(choice.player, choice.options[0])
    return "\n".join(found)


@pytest.mark.parametrize("rule", ["deep(1) == 2", "1 // (n - 3) == 1", "deep(1) == 1 // (n - 3)"])
def test_what_cannot_be_worked_out_is_seen_by_nobody(tmp_path: Path, rule: str) -> None:
    match = started(tmp_path, sight=rule, amount=rule, sight_of_n=rule.replace("n - 3", "count(deck) - 26"))
    assert shown(match)
    assert not any(match.program.sees(match.state, seat, piece) for seat in (0, 1) for piece in match.state.z[0])


def test_who_sees_what_is_found_out_within_the_work_between_two_answers(tmp_path: Path) -> None:
    slow = "any(a in deck where any(b in deck where a.no + b.no > 99)) or true"
    match = started(tmp_path, sight=slow)
    piece = match.state.z[0][0]
    assert match.program.sees(match.state, 0, piece)
    match.state.between = 2 * fuel.FUEL
    seen = [match.program.sees(match.state, 0, piece) for _ in range(1000)]
    assert seen[0] and not seen[-1]
    told = match.events_for(0)
    match.answer("Player 1", match.pending[0].options[0])
    assert match.program.sees(match.state, 0, piece) and len(match.events_for(0)) > len(told)


def test_titles_stop_where_their_values_take_too_long(tmp_path: Path) -> None:
    match = started(tmp_path, title="'{it.no} and {count(a in card where a.no > it.no)}'")
    assert match.labels.pieces[0] == "1 and 29"
    match.labels.budget.left = -1
    assert match.labels.pieces[1] == "?"


def test_a_layout_has_no_more_values_where_it_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = "layout: {pieces: {card: {words: {en: '{it.no}: {count(card)}'}}}}\n"
    words = {thing.words for thing in scene(started(tmp_path, layout), None).things}
    assert {"1: 30", "30: 30"} <= words
    monkeypatch.setattr(looks, "MOST_UNITS", 40)
    words = {thing.words for thing in scene(started(tmp_path, layout), None).things}
    assert "1: 30" in words and "30: 30" not in words
