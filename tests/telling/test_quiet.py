"""What is quiet is bookkeeping: people are not told of it and do not see it, but rules and programs do."""

from __future__ import annotations

import pytest

import houserule
from houserule import Match
from houserule.rulebook import rulebook
from houserule.table.compose import scene

YARD = """\
edition: 2026
game: yard
players: 2
components:
  tally: {variables: {seen: bool}, starts_in: drawer, pieces: {notch: {count: 4}}QUIET}
  crate: {starts_in: heap, pieces: {box: {count: 4}}}
zones:
  drawer: {holds: tally, visible: all}
  heap: {holds: crate, visible: all}
  yard(player): {holds: piece, visible: all, order: none}
  limbo: {holds: crate, visible: allQUIET}
  attic: {holds: crate, visible: noneQUIET}
variables:
  visits: {type: int, title: VisitsQUIET}
  open: {type: boolQUIET}
  lamp: bool
flow:
  day:
    repeat: 2
    turns: players
    do: |
      choose c from heap
      move c to limbo
      visits += 1
      roll visits from 2..4
      if not open: open = true
      lamp = not lamp
      draw 1 from drawer to me.yard as notches
      if notches: notches.seen = true
      move c to attic
      shuffle attic
      swap attic with limbo
      move top(limbo) to me.yard
      say "{visits} visits"
winner: {most: visits}
"""


def made(factory: pytest.TempPathFactory, quiet: str) -> Match:
    folder = factory.mktemp("made") / "yard"
    folder.mkdir()
    (folder / "game.yaml").write_text(YARD.replace("QUIET", quiet), encoding="utf-8")
    match = houserule.load(folder).start(["Ann", "Bob"], seed=1)
    match.answer("Ann", "box#1")
    return match


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Match:
    return made(tmp_path_factory, ", quiet: true")


@pytest.fixture(scope="module")
def loud(tmp_path_factory: pytest.TempPathFactory) -> Match:
    return made(tmp_path_factory, "")


def told(match: Match) -> list[str]:
    return [event.text for event in match.events_for("Bob") if event.kind not in ("step", "turn", "say")]


def test_the_log_tells_only_what_is_more_than_bookkeeping(quiet: Match, loud: Match) -> None:
    assert told(quiet) == ["box: heap → limbo", "lamp", "box: limbo → yard of Ann"]
    assert len(told(loud)) == 12


def test_the_table_does_not_show_bookkeeping(quiet: Match, loud: Match) -> None:
    seen, other = scene(quiet, "Bob"), scene(loud, "Bob")
    assert [region.id for region in seen.regions] == ["heap", "yard:0", "yard:1"]
    assert [value.id for value in seen.variables] == ["=lamp"]
    assert {thing.words for thing in seen.things} == {"box"}
    assert seen.regions[1].amount == 1 and other.regions[2].amount == 2
    assert "limbo" in [region.id for region in other.regions]


def test_what_is_picked_in_a_quiet_zone_can_be_answered(quiet: Match) -> None:
    assert [option.label for option in quiet.pending[0].options] == ["box (no. 1)", "box (no. 2)", "box (no. 3)"]


def test_the_rulebook_does_not_list_bookkeeping(quiet: Match, loud: Match) -> None:
    titles = [section.title for chapter in rulebook(quiet.game).chapters for section in chapter.sections]
    before = [section.title for chapter in rulebook(loud.game).chapters for section in chapter.sections]
    assert set(before) - set(titles) == {"Drawer", "Limbo", "Attic", "Tally", "Visits", "Open", "Seen"}


def test_rules_and_programs_know_it_all_the_same(quiet: Match, loud: Match) -> None:
    assert quiet.view("Bob").to_json() == loud.view("Bob").to_json()
    assert [event.text for event in quiet.events_for("Bob") if event.kind == "say"] == ["2 visits"]
