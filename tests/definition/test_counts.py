"""Numbers of players that the checker need not look at one by one, and mistakes that only one of them makes."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.bundled import bundled_game
from houserule.definition.check import Alike, Rules, alike, check_game
from houserule.definition.readings import Readings
from houserule.diagnostics import Report
from houserule.workshop.library import OPERATIONS, combinations_of, examine

GAME = """\
game: counted
edition: 2026
players: 2..6
variables:
  score(player): 0..60
  shared: {shared}
tables: {{prize: {prize}}}
flow:
  turn: {{repeat: 3, turns: players, do: "{effect}"}}
scoring: {{score: "me.score + shared + prize[0]"}}
"""


def write(folder: Path, effect: str = "me.score += 1", shared: str = "0..9", prize: str = "[1, 2, 3]") -> Path:
    path = folder / "game.yaml"
    path.write_text(GAME.format(effect=effect, shared=shared, prize=prize), encoding="utf-8")
    return path


def groups(path: Path) -> list[tuple[tuple[int, ...], bool]]:
    definition = houserule.load(path).definition
    return [(group.numbers, group.amounts) for group in alike(definition, OPERATIONS)]


@pytest.mark.parametrize(
    ("effect", "wanted"),
    [
        ("me.score += 1", [((2, 3, 4, 5, 6), False)]),
        ("if player_count == 4: me.score += 1", [((2, 3, 5, 6), False), ((4,), False)]),
        ("if player_count > 3 and me.score > 1: me.score += 1", [((2, 3), False), ((4, 5, 6), False)]),
        ("me.score = 2 if player_count < 5 else 1", [((2, 3, 4), False), ((5, 6), False)]),
        ("me.score += player_count % 2", [((2, 4, 6), False), ((3, 5), False)]),
        ("for n in 1..player_count: me.score += 1", [((2, 3, 4, 5, 6), True)]),
        ("for n in 1..2 * player_count - 1: me.score += 1", [((2, 3, 4, 5, 6), True)]),
        ("me.score += min(player_count, 4)", [((n,), False) for n in range(2, 7)]),
        ("if me.score > player_count: me.score = 0", [((n,), False) for n in range(2, 7)]),
    ],
)
def test_numbers_of_players_that_are_alike(
    tmp_path: Path, effect: str, wanted: list[tuple[tuple[int, ...], bool]]
) -> None:
    assert groups(write(tmp_path, effect)) == wanted


def test_declarations_count_as_well(tmp_path: Path) -> None:
    assert groups(write(tmp_path, shared="0..player_count")) == [((2, 3, 4, 5, 6), True)]
    assert groups(write(tmp_path, prize="[1, 2, player_count * player_count]")) == [((n,), False) for n in range(2, 7)]


def test_one_stands_for_all_and_two_do_where_lines_run_through() -> None:
    assert Alike((2, 3, 4), False).to_check == (2,)
    assert Alike((2, 3, 4), True).to_check == (2, 4)
    assert Alike((4,), True).to_check == (4,)


@pytest.mark.parametrize(
    ("effect", "number"),
    [
        ("shared = 12 // (4 - player_count)", 4),
        ("shared = prize[5 - player_count]", 2),
        ("shared = prize[player_count - 4]", 2),
        ("shared = 9 + player_count % 2", 3),
        ("shared = 3 * player_count - 6", 6),
        ("shared = 14 - 3 * player_count", 5),
        ("shared = 9 + (1 + player_count % 5) // 5", 4),
    ],
)
def test_a_mistake_is_found_whichever_number_makes_it(tmp_path: Path, effect: str, number: int) -> None:
    found = houserule.validate(write(tmp_path, effect))
    assert [d.message for d in found if d.message.startswith(f"with {number} players: ")], found


def test_what_is_wrong_with_every_number_of_players_is_found_once(tmp_path: Path) -> None:
    for effect, checked in (("me.scor += 1", [2]), ("me.scor += player_count % 2", [2, 3])):
        report = Report()
        assert list(examine(write(tmp_path, effect), report)[1]) == checked
        assert [d.code for d in report.found] == ["HR502"]
        assert not report.found[0].message.startswith("with ")
    report = Report()
    both = "me.scor += 12 // (4 - player_count)"
    assert list(examine(write(tmp_path, both), report)[1]) == [2, 3, 4, 5, 6]


PIECES = """\
game: counted
edition: 2026
players: 2..6
components:
  pawn: {attributes: {seat: player}, each: {seat: player}, starts_in: home}
  gem: {pieces: {ruby: {count: GEMS}}, starts_in: pot}
zones:
  home: {holds: pawn, visible: all}
  pot: {holds: gem, visible: all, capacity: 12}
variables: {gems(player): int}
flow:
  turn: {repeat: 3, turns: players, do: "gems[me] += count(pot) + count(home)"}
scoring: {gems: me.gems}
"""


@pytest.mark.parametrize(
    ("gems", "checked"),
    [("9", [2, 6]), ("count(players)", [2, 3, 4, 5, 6]), ("9 if count(players) == 4 else 3", [2, 4, 6])],
)
def test_what_is_there_for_each_player_is_checked_for_the_most_as_well(
    tmp_path: Path, gems: str, checked: list[int]
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(PIECES.replace("GEMS", gems), encoding="utf-8")
    report = Report()
    assert list(examine(path, report)[1]) == checked
    assert not report.found


def test_what_comes_to_light_is_looked_for_once_in_each_group(tmp_path: Path) -> None:
    path = write(tmp_path, "me.score += shared", "{type: 0..player_count, visible: none}")
    report = Report()
    assert list(examine(path, report, readings=Readings(tells_secrets=True))[1]) == [2, 6]
    assert [d.code for d in report.found] == ["HR571", "HR582"]
    assert not any(d.message.startswith("with ") for d in report.found)


@pytest.mark.long
def test_bundled_rules_have_nothing_wrong_with_any_number_of_players() -> None:
    for folder in map(bundled_game, houserule.games()):
        assert folder is not None
        for variants in combinations_of(folder):
            loaded, checked, settings = examine(folder, Report(), None, variants)
            assert loaded.definition is not None
            low, high = loaded.definition.players
            for players in range(low, high + 1):
                own = Report()
                check_game(Rules(loaded.definition, OPERATIONS, settings), players, own)
                assert not own.found, (folder.name, variants, players)
            assert checked


BOARD = """\
game: crowd
edition: 2026
players: {players}
components:
  field: {{attributes: {{row: 1..6}}, each: {{row: 1..6}}}}
  man: {{attributes: {{seat: player, home: field}}, each: {{seat: player, home: field}}, where: {where}, starts_in: "board[it.home]"}}
  coin: {{starts_in: purse, pieces: {{gold: {{count: {coins}}}}}}}
zones:
  board(field): {{holds: man, visible: all, capacity: 1}}
  purse: {{holds: coin, visible: all, capacity: 4}}
flow:
  turn: {{turns: players, do: nothing}}
winner: {{most: 0}}
"""


@pytest.mark.parametrize(
    ("players", "where", "coins", "told"),
    [
        (
            "2..3",
            '"it.home.row <= 3 if it.seat == first(players) else it.home.row >= 4"',
            4,
            ["with 3 players 2 pieces begin in one place of 'board', which holds 1"],
        ),
        ("2", '"it.home.row <= 3 if it.seat == first(players) else it.home.row >= 4"', 4, []),
        (
            "2..3",
            "it.home.row == 1",
            9,
            ["2 pieces begin in one place of 'board', which holds 1", "9 pieces begin in 'purse', which holds 4"],
        ),
    ],
)
def test_more_pieces_than_a_zone_holds_do_not_begin_there_unbeknown(
    tmp_path: Path, players: str, where: str, coins: int, told: list[str]
) -> None:
    (tmp_path / "game.yaml").write_text(BOARD.format(players=players, where=where, coins=coins), encoding="utf-8")
    assert [one.message for one in houserule.validate(tmp_path) if one.code == "HR529"] == told
