"""The score sheet line by line, and who wins."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

import houserule

GAME = """\
game: scores
edition: 2026
players: 2..4
options: {worth: {type: 0..9, default: 5}}
enums: {metal: [copper, tin], stone: [ruby, opal, jade]}
tables: {bonus: {copper: 3, tin: 7}}
variables:
  score(player): int
  lost(player): int
  found(player, stone): int
  wins(player): bool
  shared_pot: int = 4
functions:
  stones(player p, stone s): p.found[s]
  my_stones: sum(me.found[s] for s in stone)
flow:
  setup:
    do: |
      a = first(players)
      b = next(a)
      a.score = 10
      b.score = 12
      b.lost = 2
      a.found[ruby] = 3
      b.found[ruby] = 1
      b.found[opal] = 2
      a.found[opal] = 2
      b.wins = true
"""


def match_of(folder: Path, scoring: str, winner: str, players: int = 2) -> houserule.Match:
    path = folder / "game.yaml"
    path.write_text(f"{GAME}scoring:\n{indent(scoring.strip(chr(10)), '  ')}\nwinner: {winner}\n", encoding="utf-8")
    return houserule.load(path).start(["ann", "ben", "cem", "dot"][:players], seed=1)


def sheet(match: houserule.Match) -> dict[str, list[int]]:
    return {line.key: list(line.points.values()) for line in match.sheet}


def wrong(folder: Path, scoring: str, winner: str = "{most: points}") -> list[str]:
    path = folder / "game.yaml"
    path.write_text(f"{GAME}scoring:\n{indent(scoring.strip(chr(10)), '  ')}\nwinner: {winner}\n", encoding="utf-8")
    return [f"{d.code} {d.message}" for d in houserule.validate(path) if d.code not in ("HR570", "HR571")]


def test_each_line_is_worked_out_for_each_player_as_me(tmp_path: Path) -> None:
    match = match_of(
        tmp_path, "points: me.score\nlost: {points: -me.lost}\nall: {points: shared_pot * worth}", "{most: points}"
    )
    assert sheet(match) == {"points": [10, 12], "lost": [0, -2], "all": [20, 20]}
    assert match.scores == {"ann": 30, "ben": 30}
    assert match.winners == ["ann", "ben"]


def test_a_line_for_each_member_has_a_line_of_its_own(tmp_path: Path) -> None:
    lines = """
    stones: {title: "Stones ({s})", for: s in stone, points: "me.found[s]"}
    """
    match = match_of(tmp_path, lines, "{most: points}")
    assert sheet(match) == {"stones[ruby]": [3, 1], "stones[opal]": [2, 2], "stones[jade]": [0, 0]}
    assert [line.title for line in match.sheet] == ["Stones (ruby)", "Stones (opal)", "Stones (jade)"]


def test_a_line_with_a_condition_counts_where_it_holds(tmp_path: Path) -> None:
    lines = """
    majority: {for: s in stone, when: "most(p in players by stones(p, s)) == [me]", points: worth}
    lucky: {when: me.wins, points: 9}
    """
    match = match_of(tmp_path, lines, "{most: points}")
    assert sheet(match) == {
        "majority[ruby]": [5, 0],
        "majority[opal]": [0, 0],
        "majority[jade]": [0, 0],
        "lucky": [0, 9],
    }


def test_a_line_over_what_changes_is_one_line(tmp_path: Path) -> None:
    match = match_of(tmp_path, 'kinds: {for: "s in stone where me.found[s] > 0", points: 2}', "{most: points}")
    assert sheet(match) == {"kinds": [4, 4]}


def test_a_line_over_some_members_is_one_line(tmp_path: Path) -> None:
    match = match_of(tmp_path, 'rings: {for: "m in metal where bonus[m] > 5", points: "bonus[m]"}', "{most: points}")
    assert sheet(match) == {"rings": [7, 7]}


def test_functions_of_me_can_score(tmp_path: Path) -> None:
    assert sheet(match_of(tmp_path, "stones: my_stones", "{most: points}")) == {"stones": [5, 3]}


@pytest.mark.parametrize(
    ("winner", "who"),
    [
        ("{most: points}", ["ben"]),
        ("{least: points}", ["cem"]),
        ("{most: me.lost}", ["ben"]),
        ("{least: me.lost}", ["ann", "cem"]),
        ("{least: me.lost, then: me.score}", ["ann"]),
        ("{least: me.lost, then: [-me.score, me.score]}", ["cem"]),
        ('{most: "count(s in stone where me.found[s] > 0)", then: [shared_pot]}', ["ann", "ben"]),
        ('{most: "count(s in stone where me.found[s] > 0)", then: [shared_pot, me.lost], tie: shared}', ["ben"]),
        ("{when: me.wins}", ["ben"]),
        ("{when: points > 9}", ["ann", "ben"]),
        ("{when: points > 90}", []),
    ],
)
def test_who_wins(winner: str, who: list[str], tmp_path: Path) -> None:
    match = match_of(tmp_path, "points: me.score", winner, players=3)
    assert match.is_over
    assert match.winners == who


def test_nobody_has_won_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    flow = (
        GAME
        + "  play: {turns: players, do: 'choose n from 1..3; me.score += n'}\nscoring: {points: me.score}\nwinner: {most: points}\n"
    )
    path.write_text(flow, encoding="utf-8")
    match = houserule.load(path).start(["ann", "ben"], seed=1)
    assert match.winners == []
    assert match.scores == {"ann": 10, "ben": 12}


def test_without_a_winner_the_most_points_win(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(f"{GAME}scoring: {{points: me.score}}\n", encoding="utf-8")
    assert houserule.load(path).start(["ann", "ben"], seed=1).winners == ["ben"]


def test_only_the_end_of_the_game_may_say_who_wins(tmp_path: Path) -> None:
    ends = GAME + "      if worth > 5: end game with victory of b\n"
    path = tmp_path / "game.yaml"
    for nobody, ending in (("", "undecided"), (", nobody: draw", "draw")):
        path.write_text(f"{ends}scoring: {{points: me.score}}\nwinner: {{by: end game{nobody}}}\n", encoding="utf-8")
        match = houserule.load(path).start(2, seed=1)
        assert (match.ending, match.winners) == (ending, [])
        match = houserule.load(path, options={"worth": 6}).start(["Ann", "Ben"], seed=1)
        assert (match.ending, match.winners) == ("win", ["Ben"])
    (told,) = wrong(tmp_path, "points: me.score", "{by: end game}")
    assert told.startswith("HR561 no rule ends the game")


def test_scoring_changes_nothing_and_asks_nobody(tmp_path: Path) -> None:
    assert wrong(tmp_path, "a: me.scroe") == ["HR502 a player has no 'scroe'"]
    assert wrong(tmp_path, "a: me.wins")[0].startswith("HR510")
    assert wrong(tmp_path, "a: {when: me.score, points: 1}")[0].startswith("HR521")
    assert wrong(tmp_path, "a: 1", "{most: me.wins}")[0].startswith("HR510")
    assert wrong(tmp_path, "a: 1", "{when: points}")[0].startswith("HR521")
