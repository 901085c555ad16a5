"""How matches end besides by the score: draws, defeats, victories of all; and players who are out."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Game, InvalidGame, Match, simulate
from houserule.trial.check import Wanted, check

HEAD = "edition: 2026\ngame: walk\nplayers: 1..4\n"
MENU = """\
variables: {baskets(player): 0..9}
flow:
  day:
    turns: players
    do: |
      choose "How does it end?":
        "Together": end game with victory
        "Storm": end game with defeat
        "Dusk": end game with draw
        "Mine": end game with victory of me
        "Others": end game with defeat of me
        "Both": end game with victory of [me, next(me)]
        "Count": end game
        "One more": me.baskets += 1
"""


def game_of(folder: Path, rules: str) -> Game:
    (folder / "game.yaml").write_text(HEAD + rules, encoding="utf-8")
    return houserule.load(folder)


def match_of(game: Game, players: str = "Ann Bob Cid") -> Match:
    return game.start(players.split(), seed=1)


@pytest.mark.parametrize(
    ("answer", "ending", "winners"),
    [
        ("Together", "victory", ["Ann", "Bob", "Cid"]),
        ("Storm", "defeat", []),
        ("Dusk", "draw", []),
        ("Mine", "win", ["Ann"]),
        ("Others", "shared", ["Bob", "Cid"]),
        ("Both", "shared", ["Ann", "Bob"]),
    ],
)
def test_an_effect_says_how_the_game_ends_whatever_the_score(
    tmp_path: Path, answer: str, ending: str, winners: list[str]
) -> None:
    game = game_of(tmp_path, MENU + "scoring: {baskets: me.baskets}\nwinner: {most: points}\n")
    match = match_of(game)
    assert match.ending is None
    match.answer("Ann", answer)
    assert (match.is_over, match.ending, match.winners) == (True, ending, winners)
    again = houserule.replay(match.record, game)
    assert (again.ending, again.winners, match.copy().ending) == (ending, winners, ending)


@pytest.mark.parametrize(
    ("winner", "mores", "ending", "winners"),
    [
        ("{most: me.baskets}", "", "shared", ["Ann", "Bob", "Cid"]),
        ("{most: me.baskets}", "Bob", "win", ["Bob"]),
        ("{most: me.baskets, tie: draw}", "", "draw", []),
        ("{most: me.baskets, tie: draw}", "Ann Cid", "draw", []),
        ("{least: me.baskets, tie: draw}", "Ann Cid", "win", ["Bob"]),
        ("{when: me.baskets > 0, nobody: draw}", "", "draw", []),
        ("{when: me.baskets > 0, nobody: defeat}", "", "defeat", []),
        ("{when: me.baskets > 0, nobody: defeat, tie: draw}", "Ann Bob", "draw", []),
        ("{when: me.baskets > 0}", "", "undecided", []),
        ("{all: me.baskets > 0}", "Ann Bob Cid", "victory", ["Ann", "Bob", "Cid"]),
        ("{all: me.baskets > 0}", "Ann Bob", "defeat", []),
        ("{all: me.baskets > 0, nobody: draw}", "Ann Bob", "draw", []),
    ],
)
def test_the_key_winner_says_what_it_is_if_several_or_none_win(
    tmp_path: Path, winner: str, mores: str, ending: str, winners: list[str]
) -> None:
    rules = MENU.replace('        "Count": end game\n', '        "Count": nothing\n')
    match = match_of(game_of(tmp_path, f"{rules}winner: {winner}\n"))
    for player in match.players:
        match.answer(player, "One more" if player in mores else "Count")
    assert (match.ending, match.winners) == (ending, winners)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("end game with me", "a game ends with victory, defeat or draw, not with 'me'"),
        ("end game with victroy", "a game ends with victory, defeat or draw, not with 'victroy'"),
        ("end game with draw of me", "a draw is nobody's: it has no 'of'"),
        ("end game with victory of 3", "who wins is a player, but '3' is the number 3"),
    ],
)
def test_another_ending_is_refused_with_its_place(tmp_path: Path, effect: str, message: str) -> None:
    with pytest.raises(InvalidGame) as raised:
        game_of(tmp_path, f"flow: {{day: {{turns: players, do: {effect}}}}}\n")
    assert message in str(raised.value)
    assert "HR" in str(raised.value)


COOPERATIVE = """\
variables: {steps_left: 0..30 = 20, thunder: 0..2}
flow:
  walk:
    repeat: 3
    turns: players
    do: |
      roll n from 1..6
      if n == 1: thunder += 1
      if thunder == 2: end game with defeat
      steps_left = max(0, steps_left - n)
winner: {all: steps_left == 0, nobody: draw}
"""


def test_simulation_and_check_count_each_ending_apart(tmp_path: Path) -> None:
    game = game_of(tmp_path, COOPERATIVE)
    summary = simulate(game, 300, 2).summary
    endings = summary.endings
    assert (endings["win"], endings["shared"], endings["undecided"]) == (0, 0, 0)
    assert all(endings[ending] > 0 for ending in ("victory", "draw", "defeat"))
    assert sum(endings.values()) == 300
    assert {(seat.wins.alone, seat.wins.shared) for seat in summary.seats} == {(0, endings["victory"])}
    assert {seat.wins.share for seat in summary.seats} == {endings["victory"] / 300}
    found = check(tmp_path, Wanted(matches=10, close=2))
    assert not found.failed
    assert sum(found.endings.values()) == found.matches == 48
    assert found.endings["defeat"] > 0 and found.endings["undecided"] == 0


def test_check_still_finds_a_match_of_which_no_rule_says_who_has_won(tmp_path: Path) -> None:
    game_of(tmp_path, "flow: {day: {turns: players, do: nothing}}\nwinner: {when: player_count > 4}\n")
    found = check(tmp_path, Wanted(matches=1, close=1))
    assert {violation.message.split(",")[0] for violation in found.violations} == {"nobody has won"}


SCENARIOS = """\
of: walk
players: [anna, ben]
---
scenario: All win
play: [{anna: Together}]
ending: victory
expect: winners == [anna, ben]
---
scenario: Nobody wins
play: [{anna: One more}]
ending: draw
---
scenario: It does not end so
play: [{anna: Storm}]
ending: draw
"""


def test_a_scenario_says_how_the_game_must_end(tmp_path: Path) -> None:
    game_of(tmp_path, MENU + "winner: {most: 0, tie: draw}\n")
    (tmp_path / "scenarios").mkdir()
    file = tmp_path / "scenarios" / "ends.yaml"
    file.write_text(SCENARIOS.replace("One more}", "One more}, {ben: One more}"), encoding="utf-8")
    results = houserule.rehearse(file)
    assert [result.passed for result in results] == [True, True, False]
    assert results[2].message.startswith("the game ends with 'defeat', not with 'draw'")
    assert results[2].line == 15


# --- players who are out ------------------------------------------------------------------------------------------------

LAST_ONE = """\
variables:
  courage(player): 0..3 = 1
  asked(player): int
flow:
  night:
    until: count(p in players where not p.eliminated) <= 1
    steps:
      fright:
        turns: players
        do: |
          me.asked += 1
          choose scared or pass from opponents "Whom?":
            scared.courage -= 1
      rest:
        together: players
        do: |
          choose "Sleep?":
            "Yes": me.courage = min(3, me.courage + 0)
            "No": nothing
      run: {do: race players as order}
scoring: {turns: -me.asked}
winner: {most: points}
eliminated: me.courage == 0
"""


def test_a_round_in_which_everybody_is_out_is_told_as_such(tmp_path: Path) -> None:
    game = game_of(tmp_path, LAST_ONE.replace("not p.eliminated) <= 1", "p.eliminated) > 9").replace("= 1", "= 0", 1))
    with pytest.raises(houserule.RuleFault, match="if everybody is eliminated, nobody has a turn"):
        match_of(game, "Ann Bob")


def test_who_is_out_has_no_turns_no_part_in_what_all_do_and_is_nobodys_opponent(tmp_path: Path) -> None:
    match = match_of(game_of(tmp_path, LAST_ONE), "Ann Bob Cid Dan")
    assert [option.key for option in match.pending[0].single] == ["Bob", "Cid", "Dan", "pass"]
    match.answer("Ann", "Bob")
    assert match.view("Cid").out == ["Bob"]
    assert match.view().to_json()["out"] == ["Bob"]
    assert [choice.player for choice in match.pending] == ["Cid"]  # Bob is passed over in the step at hand
    assert [option.key for option in match.pending[0].single] == ["Dan", "Ann", "pass"]
    match.answer("Cid", "pass")
    match.answer("Dan", "pass")
    assert [choice.player for choice in match.pending] == ["Ann", "Cid", "Dan"]  # all at once
    for player in ("Ann", "Cid", "Dan"):
        match.answer(player, "No")
    assert [choice.player for choice in match.pending] == ["Ann", "Cid", "Dan"]  # the race
    for player in ("Ann", "Cid", "Dan"):
        match.answer(player, "pass")
    match.answer("Ann", "Cid")
    match.answer("Dan", "Ann")
    match.answer("Dan", "No")
    match.answer("Dan", "pass")
    # Bob has the most points, and is out.
    assert match.scores["Bob"] == 0 > match.scores["Dan"]
    assert (match.ending, match.winners) == ("win", ["Dan"])
    assert houserule.replay(match.record, match.game).winners == ["Dan"]


@pytest.mark.parametrize(
    ("winner", "winners"),
    [
        ("", ["Bob"]),
        ("winner: {when: true}", ["Bob"]),
        ("winner: {least: points}", ["Bob"]),
        ("winner: {all: me.in_wood}", None),
    ],
)
def test_who_is_out_comes_after_all_others(tmp_path: Path, winner: str, winners: list[str] | None) -> None:
    rules = (
        "variables: {in_wood(player): bool}\n"
        "flow: {day: {do: 'for p in players where p != first(players): p.in_wood = true'}}\n"
        f"scoring: {{points: 3 if me.in_wood else 9}}\n{winner}\neliminated: not me.in_wood\n"
    )
    match = match_of(game_of(tmp_path, rules), "Ann Bob")
    assert match.winners == (["Ann", "Bob"] if winners is None else winners)


def test_games_with_players_who_are_out_keep_the_laws_of_all_games(tmp_path: Path) -> None:
    (tmp_path / "walk").mkdir()
    game_of(tmp_path / "walk", LAST_ONE.replace("players: 1..4", "players: 2..4"))
    found = check(tmp_path / "walk", Wanted(matches=5, close=2))
    assert [violation.message for violation in found.violations] == []
    assert [diagnostic.message for diagnostic in found.diagnostics] == []


def test_a_function_of_ones_own_may_be_called_eliminated_where_the_key_is_not_used(tmp_path: Path) -> None:
    rules = "functions: {eliminated(player p): p == first(players)}\nflow: {day: {turns: players, do: 'if me.eliminated: end game with draw'}}\n"
    assert match_of(game_of(tmp_path, rules)).ending == "draw"
    with pytest.raises(InvalidGame, match="'eliminated' is a function already"):
        game_of(tmp_path, rules + "eliminated: false\n")
