"""The table painted with characters, in every width; and what can be done with it while playing.

`make accept` writes the pictures in `pictures/` anew; read the diff.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console

import houserule
from houserule import Game, Match, games
from houserule.bots.mcts import GreedyBot
from houserule.bots.playing import answer
from houserule.bots.simple import FirstBot, RandomBot
from houserule.cli.picture import Canvas, picture_of
from houserule.cli.seats import Table, arrivals
from houserule.rulebook import rulebook
from houserule.table.compose import scene
from tests.bundled import load
from tests.golden import assert_golden

PICTURES = Path(__file__).parent / "pictures"
PLAYED = {"aladdin": 33, "ali_baba": 22, "master_thieves": 43, "rattlebones": 31}
"""How many answers have been given at random before the picture is painted."""


def after(game: str, answers: int, language: str = "en") -> Match:
    match = load(game).start(["Anna", "Ben", "Carla"], seed=4, language=language)
    random = Random(2)
    for _ in range(answers):
        choice = match.pending[0]
        match.answer(choice.player, choice.drawn(random))
    return match


def painted(match: Match, width: int, viewer: str | None = None, colours: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=width, highlight=False, markup=False, force_terminal=colours,
        color_system="standard" if colours else None,
    )  # fmt: skip
    console.print(picture_of(scene(match, viewer or match.pending[0].player), width))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("game", PLAYED)
def test_the_table_is_painted_as_it_was_accepted(game: str, width: int) -> None:
    picture = painted(after(game, PLAYED[game]), width)
    assert max(map(cell_len, picture.splitlines())) <= width
    assert_golden(PICTURES / f"{game}_{width}.txt", picture)


@pytest.mark.parametrize(("game", "language"), [("ali_baba", "ja"), ("rattlebones", "zh-Hant")])
def test_wide_characters_take_two_columns(game: str, language: str) -> None:
    match = after(game, PLAYED[game], language)
    for width in (60, 80):
        assert max(map(cell_len, painted(match, width).splitlines())) <= width


def test_colours_change_nothing_but_colours() -> None:
    match = after("rattlebones", 31)
    plain, coloured = painted(match, 80), painted(match, 80, colours=True)
    assert "\033[" in coloured and "\033[" not in plain
    without = re.sub(r"\033\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in without.splitlines()] == plain.splitlines()


def test_an_option_stands_where_it_lies() -> None:
    match = load("ali_baba").start(2, seed=3)
    picture = painted(match, 80)
    for number, option in enumerate(match.pending[0].single, 1):
        line = next(i for i, line in enumerate(picture.splitlines()) if f"{number}─" in line)
        assert option.label.split()[0] in picture.splitlines()[line + 1], option


def test_a_board_has_squares_with_what_stands_on_them_and_no_coordinates() -> None:
    picture = painted(load("tic_tac_toe").start(["Anna", "Ben"], seed=3), 80, "Anna")
    board = [line for line in picture.splitlines() if "┬" in line or "┼" in line]
    assert len(board) == 3 and all(number in picture for number in "123456789")
    assert "1-1" not in picture


def test_boxes_of_one_layer_share_their_borders_and_hide_those_below() -> None:
    canvas = Canvas(9, 4)
    canvas.box(0, 0, 5, 3)
    canvas.box(4, 0, 5, 3)
    canvas.put(1, 1, "山a")
    assert canvas.text().plain == "┌───┬───┐\n│山a│   │\n└───┴───┘\n"
    canvas.box(2, 1, 5, 3, layer=1)
    assert canvas.text().plain.splitlines()[1] == "│ ┌───┐ │"


MARKET = """\
edition: 2026
game: market
players: 2
components:
  field: {grid: square, attributes: {row: 1..2, column: 1..2}, each: {row: 1..2, column: 1..2}}
  gem: {starts_in: deck, pieces: {ruby: {count: 9}, opal: {count: 9}}}
zones:
  deck: {holds: gem, visible: none}
  stall(1..12 slot): {holds: gem, visible: all, capacity: 1}
  pile(field): {holds: gem, visible: all}
flow:
  setup:
    do: |
      move [ruby#1, opal#1] to pile[field[1, 1]]
      for s in 1..12: draw 1 from deck to stall[s]
  round: {turns: players, do: "choose g from stall: move g to deck"}
winner: {most: count(deck)}
"""


def test_pieces_without_a_look_are_told_apart_in_narrow_boxes_and_mixed_piles_join_their_neighbours(
    tmp_path: Path,
) -> None:
    (tmp_path / "game.yaml").write_text(MARKET, encoding="utf-8")
    lines = painted(houserule.load(tmp_path).start(["Anna", "Ben"], seed=1), 80, "Anna").splitlines()
    slots = next(line for line in lines if line.count("│") == 15)
    assert slots.count("ruby") + slots.count("opal") == 12
    first = next(number for number, line in enumerate(lines) if "pile" in line)
    assert lines[first + 1].count("┬") == 1 and "opal" in lines[first + 2] and "ruby" in lines[first + 3]


FERRIES = """\
edition: 2026
game: ferries
players: 2
enums:
  town: [ashby, brill, corfe]
components:
  ferry: {starts_in: dock, pieces: {red: {}, blue: {}, green: {}}}
zones:
  dock: {holds: ferry, visible: all}
  pier(town): {holds: ferry, visible: all}
flow:
  setup: {do: "move [red, blue] to pier[ashby]; move green to pier[brill]"}
  day: {turns: players, do: "choose t from town: move pier[t] to dock"}
winner: {most: count(dock)}
layout: {table: [[pier]], zones: {pier: {arrange: grid}}}
"""


def test_pieces_do_not_hide_which_place_they_are_in(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FERRIES, encoding="utf-8")
    picture = painted(houserule.load(tmp_path).start(["Anna", "Ben"], seed=1), 80, "Anna")
    assert "green" in picture and "red" in picture
    assert any("ashby" in line and "brill" in line and "corfe" in line for line in picture.splitlines())


# --- playing ------------------------------------------------------------------------------------------------------------


class Keyboard(Console):
    """A console at which these lines are typed."""

    def __init__(self, *lines: str) -> None:
        super().__init__(file=io.StringIO(), width=80, highlight=False, markup=False, color_system=None)
        self.typed = iter(lines)

    def input(self, *_: object, **__: object) -> str:  # type: ignore[override]  # of Rich's many parameters none is used
        line = next(self.typed, None)
        if line is None:
            raise EOFError
        return line

    @property
    def shown(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def played(match: Match, *lines: str, **more: object) -> tuple[Table, Keyboard]:
    keyboard = Keyboard(*lines)
    table = Table(match, dict.fromkeys(match.players), 1, keyboard, **more)  # type: ignore[arg-type]  # as the caller says
    with pytest.raises((EOFError, StopIteration)):
        table.play()
    return table, keyboard


@pytest.fixture
def patches(tmp_path: Path) -> Game:
    """A game in which some answers bring something to light, and some do not."""
    (tmp_path / "game.yaml").write_text(
        """\
edition: 2026
game: patches
players: 1..2
components: {morel: {starts_in: bag, pieces: {young: {count: 5, text: Still firm.}, old: {count: 5}}}}
zones:
  bag: {holds: morel, visible: none}
  basket(player): {holds: morel, visible: owner}
variables: {score(player): int}
flow:
  round:
    repeat: 9
    turns: players
    do: |
      choose "What now?":
        "Rest": me.score += 1
        "Pick": draw 1 from bag to me.basket
      if any(me.basket):
        choose kept from me.basket "Keep which?": me.score += 1
winner: {most: me.score}
""",
        encoding="utf-8",
    )
    return houserule.load(tmp_path)


def test_an_answer_is_taken_back_as_long_as_nothing_has_come_to_light(patches: Game) -> None:
    table, keyboard = played(patches.start(["Ann"], seed=1), "undo", "Rest", "undo", "Rest", "Rest", "undo")
    assert [answer for _, answer in table.match.answers] == ["Rest"]
    assert "there is no answer to take back" in keyboard.shown
    assert keyboard.shown.count("The last answer is taken back.") == 2
    table, keyboard = played(patches.start(["Ann"], seed=1), "Pick", "undo", "1", "undo")
    assert [answer for _, answer in table.match.answers] == ["Pick"]
    assert "it cannot be taken back" in keyboard.shown


def test_the_table_is_shown_before_each_decision_with_what_things_do(patches: Game) -> None:
    _, keyboard = played(patches.start(["Ann"], seed=1), "Rest", "Pick")
    assert keyboard.shown.count("╭─ Ann (you)") == 3
    question = keyboard.shown.split("Keep which?")[1]
    assert "Still firm." in question or "old" in question


def test_forced_answers_are_given_by_themselves_where_that_is_wanted(patches: Game) -> None:
    table, keyboard = played(patches.start(["Ann"], seed=1), "Pick", "Rest", takes_forced=True)
    assert len(table.match.answers) == 4
    assert "Keep which?" not in keyboard.shown


def test_the_record_is_written_after_every_answer(patches: Game, tmp_path: Path) -> None:
    lengths: list[int] = []
    file = tmp_path / "kept.json"

    def keep(match: Match) -> None:
        match.record.save(file)
        lengths.append(len(houserule.replay(file_of(file)).answers))

    played(patches.start(["Ann", "Bob"], seed=1), "", "", "Rest", "", "", "Rest", keep=keep)
    assert lengths and lengths[-1] == len(lengths)


def file_of(file: Path) -> houserule.Record:
    return houserule.Record.load(file)


def test_rules_and_reasons_are_shown_while_playing(patches: Game) -> None:
    _, keyboard = played(patches.start(["Ann"], seed=1), "rules", "why", "why zones.bag", "why zones.bog")
    assert keyboard.shown.count("What now?") > 1
    chapters = [one for one in rulebook(patches).chapters if not all(section.is_picture for section in one.sections)]
    assert chapters and all(chapter.title in keyboard.shown for chapter in chapters)
    assert re.search(
        r"game\.yaml,line\d+asksthis", re.sub(r"\s+", "", keyboard.shown)
    )  # a long path is broken anywhere
    assert "bog" in keyboard.shown


def test_whoever_is_faster_than_the_bots_comes_first() -> None:
    assert arrivals("Ann", 0.1, ["Bob", "Cid"], Random(1))[0] == "Ann"
    assert arrivals("Ann", 1.9, ["Bob", "Cid"], Random(1))[-1] == "Ann"
    assert arrivals("Ann", None, ["Bob"], Random(1)) == ["Bob", "Ann"]


def questions(game: str) -> Iterator[Match]:
    for variants in ((), tuple(load(game).house_rules[:1])):
        chosen = load(game, variants)
        match = chosen.start(chosen.players[-1], seed=11)
        random = Random(11)
        while not match.is_over:
            yield match
            choice = match.pending[0]
            match.answer(choice.player, choice.drawn(random))


@pytest.mark.parametrize("game", games())
def test_no_two_options_of_a_question_have_the_same_words(game: str) -> None:
    asked = 0
    for match in questions(game):
        for choice in match.pending:
            labels = [option.label for option in choice.single]
            assert len(set(labels)) == len(labels), choice
            asked += 1
    assert asked > (50 if game in PLAYED else 1)


@pytest.mark.parametrize(("ben", "waits"), [(FirstBot, False), (GreedyBot, True)])
def test_a_clock_is_started_for_bots_that_think_and_for_no_others(
    ben: type[RandomBot] | type[GreedyBot], waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houserule.cli.seats.PATIENCE", 0.0)
    monkeypatch.setattr("houserule.cli.seats.answer", partial(after_a_while, answer))
    match = houserule.load("tic_tac_toe").start(["Ann", "Ben"], seed=1)
    keyboard = Keyboard()
    Table(match, {"Ann": RandomBot(), "Ben": ben()}, 1, keyboard).play()
    assert ("Ben is still thinking" in keyboard.shown) == waits
    assert "Ann is still thinking" not in keyboard.shown


def after_a_while(give: Callable[..., None], *given: object) -> None:
    time.sleep(0.05)
    give(*given)
