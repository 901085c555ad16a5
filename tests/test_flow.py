"""The flow: steps in the order and as often as `when`, repetition, `for`, `turns` and `together` say, from the outside in."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

import houserule

GAME = """\
game: flows
edition: 2026
players: 2..3
enums:
  metal: [copper, tin, iron]
variables:
  n: int
  limit: int = 3
  flag: bool
  starter: player or none
  out(player): bool
  mark(player): int
  tally(metal): int
actions:
  one_more: n += 1
  ask: |
    choose "Go on?":
      "Yes": flag = true
      "No": flag = false
functions:
  my_mark: me.mark
"""


def game_of(folder: Path, flow: str, more: str = "") -> Path:
    path = folder / "game.yaml"
    flow = re.sub(r'do: (say "[^"]*")', r"do: '\1'", flow)
    path.write_text(f"{GAME}{more}\nflow:\n{indent(flow.strip(chr(10)), '  ')}\n", encoding="utf-8")
    return path


class Table:
    """A match of a flow: what it says, and how to answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, flow: str, more: str = "", players: int = 2) -> houserule.Match:
        game = houserule.load(game_of(self.folder, flow, more))
        return game.start(["ann", "ben", "cem"][:players], seed=1)

    def said(self, flow: str, *answers: tuple[str, object], more: str = "", players: int = 2) -> list[str]:
        """What `say` told by the end, with these answers on the way."""
        match = self.start(flow, more, players)
        for player, answer in answers:
            match.answer(player, answer)
        assert match.is_over, match.pending
        return [e.text for e in match.events if e.kind == "say"]

    def wrong(self, flow: str, more: str = "") -> list[str]:
        """What the checker says: code and message, without warnings of what nothing uses."""
        found = houserule.validate(game_of(self.folder, flow, more))
        return [f"{d.code} {d.message}" for d in found if d.code not in ("HR570", "HR571")]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


# --- steps in order ----------------------------------------------------------------------------------------------------


def test_steps_follow_each_other_and_the_game_ends_after_the_last(table: Table) -> None:
    flow = """
    setup: {do: say "set up"}
    round:
      steps:
        first: {do: say "one"}
        second:
          steps:
            inner: {do: say "two"}
            last: {do: say "three"}
    close: {do: say "four"}
    """
    assert table.said(flow) == ["set up", "one", "two", "three", "four"]


def test_setup_may_choose(table: Table) -> None:
    flow = """
    setup:
      do: |
        ann = first(players)
        ann chooses m from metal
        tally[m] = 1
    play: {for: "m in metal where tally[m] > 0", do: say "{m}"}
    """
    assert table.said(flow, ("ann", "tin")) == ["tin"]


def test_a_step_with_when_runs_only_where_it_holds(table: Table) -> None:
    flow = """
    no: {when: n > 0, do: say "no"}
    yes_: {when: n == 0, steps: {a: {do: say "a"}, b: {when: flag, do: say "b"}, c: {do: say "c"}}}
    """
    assert table.said(flow) == ["a", "c"]


# --- repetition --------------------------------------------------------------------------------------------------------


def test_until_is_tested_after_each_whole_pass(table: Table) -> None:
    flow = """
    round:
      until: n >= 2
      steps:
        a: {do: "n += 1; say \\"{n}\\""}
        b: {do: say "b"}
    """
    assert table.said(flow) == ["1", "b", "2", "b"]


def test_while_is_tested_before_each_pass(table: Table) -> None:
    assert table.said('a: {while: n < 2, do: "n += 1; say \\"{n}\\""}\nb: {while: n < 0, do: say "never"}') == [
        "1",
        "2",
    ]


def test_while_and_until_together(table: Table) -> None:
    flow = 'a: {while: n < 9, until: n == 3, do: "n += 1; say \\"{n}\\""}\nb: {while: n < 5, until: n == 30, do: "n += 1; say \\"{n}\\""}'
    assert table.said(flow) == ["1", "2", "3", "4", "5"]


def test_repeat_works_out_its_number_once(table: Table) -> None:
    assert table.said('a: {repeat: limit, do: "limit -= 1; say \\"{limit}\\""}\nb: {repeat: n, do: say "never"}') == [
        "2",
        "1",
        "0",
    ]


def test_repeat_forever_goes_on_to_the_end_of_the_game(table: Table) -> None:
    flow = """
    round:
      repeat: forever
      do: |
        n += 1
        say "{n}"
        if n == 3: end game
    never: {do: say "never"}
    """
    assert table.said(flow) == ["1", "2", "3"]


def test_repeat_forever_ends_where_something_leaves_it(table: Table) -> None:
    flow = """
    round:
      repeat: forever
      do: |
        n += 1
        if n == 3: leave round
        say "{n}"
    after: {do: say "after"}
    """
    assert table.said(flow) == ["1", "2", "after"]


def test_when_stands_outside_repetition(table: Table) -> None:
    flow = 'a: {when: n == 0, repeat: 3, do: "n += 1; say \\"{n}\\""}\nb: {when: n == 0, until: n > 9, do: say "never"}'
    assert table.said(flow) == ["1", "2", "3"]


def test_repetition_stands_outside_for_and_turns(table: Table) -> None:
    flow = 'a: {repeat: 2, for: m in metal where m != tin, turns: players, do: say "{m} {me}"}'
    once = ["copper ann", "copper ben", "iron ann", "iron ben"]
    assert table.said(flow) == once + once


# --- for and turns ----------------------------------------------------------------------------------------------------


def test_the_lists_of_for_and_turns_are_worked_out_once(table: Table) -> None:
    flow = """
    a: {for: "m in metal where tally[m] == 0", do: "tally[iron] = 1; say \\"{m}\\""}
    b:
      turns: players where not it.out
      do: |
        for p in players: p.out = true
        say "{me}"
    """
    assert table.said(flow) == ["copper", "tin", "iron", "ann", "ben"]


def test_turns_go_round_from_someone(table: Table) -> None:
    flow = """
    setup: {do: starter = last(players)}
    a: {when: starter, turns: players from starter, do: say "{me}"}
    """
    assert table.said(flow, players=3) == ["cem", "ann", "ben"]


def test_who_is_out_has_no_turn(table: Table) -> None:
    flow = """
    setup: {do: next(first(players)).out = true}
    a: {turns: players from last(players) where not it.out, do: say "{me}"}
    c:
      turns: players
      do: |
        if me.out: finish
        say "{me} as well"
    """
    assert table.said(flow, players=3) == ["cem", "ann", "ann as well", "cem as well"]


def test_turns_have_a_name_and_me(table: Table) -> None:
    assert table.said('a: {turns: p in players, do: say "{p} {me}"}') == ["ann ann", "ben ben"]


def test_steps_inside_turns_belong_to_the_turn(table: Table) -> None:
    flow = """
    turn:
      turns: players
      steps:
        roll: {do: me.mark += 1}
        act: {when: me.mark > 0, repeat: 2, do: say "{me} {me.mark}"}
    """
    assert table.said(flow) == ["ann 1", "ann 1", "ben 1", "ben 1"]


def test_a_when_that_reads_me_is_tested_for_each_turn(table: Table) -> None:
    flow = """
    setup: {do: last(players).mark = 1}
    a: {when: me.mark == 1, turns: players, do: say "{me}"}
    b: {when: my_mark == 1, turns: players, do: say "{me} again"}
    c: {when: p.mark == 1, turns: p in players, do: say "{p} once more"}
    """
    assert table.said(flow) == ["ben", "ben again", "ben once more"]


def test_a_when_that_reads_the_name_of_for_is_tested_for_each_member(table: Table) -> None:
    flow = """
    a:
      for: m in metal
      when: tally[m] == 0
      do: |
        say "{m}"
        for k in metal where k > tin: tally[k] = 1
    """
    assert table.said(flow) == ["copper", "tin"]


def test_a_when_that_reads_neither_is_tested_once(table: Table) -> None:
    flow = 'a: {for: m in metal, when: n == 0, do: "n += 1; say \\"{m}\\""}'
    assert table.said(flow) == ["copper", "tin", "iron"]


def test_a_turn_that_asks_and_loops(table: Table) -> None:
    flow = """
    round:
      until: n >= 3
      steps:
        turn:
          turns: players
          do: |
            choose k from 1..2
            n += k
            say "{me} {k}"
        close: {do: say "{n}"}
    """
    answers = (("ann", 1), ("ben", 1), ("ann", 2), ("ben", 1))
    assert table.said(flow, *answers) == ["ann 1", "ben 1", "2", "ann 2", "ben 1", "5"]


# --- together ----------------------------------------------------------------------------------------------------------


def test_a_step_in_which_everyone_acts_at_once(table: Table) -> None:
    flow = """
    a:
      together: players
      do: |
        choose k from 1..3
        me.mark = k
    b: {turns: players, do: say "{me} {me.mark}"}
    """
    assert table.said(flow, ("ben", 3), ("ann", 2)) == ["ann 2", "ben 3"]


def test_a_when_that_reads_me_leaves_players_out_of_a_together(table: Table) -> None:
    flow = """
    setup: {do: last(players).mark = 1}
    a:
      together: players
      when: me.mark == 1
      do: |
        choose k from 1..3
        me.mark = k
    b: {together: p in players, when: p.mark == 0, do: p.mark = 9}
    c: {turns: players, do: say "{me} {me.mark}"}
    """
    assert table.said(flow, ("ben", 3)) == ["ann 9", "ben 3"]


def test_steps_inside_a_together(table: Table) -> None:
    flow = """
    a:
      repeat: 2
      together: players
      steps:
        one: {do: me.mark += 1}
        two: {repeat: 2, do: "choose k from 1..2; me.mark += k"}
    b: {turns: players, do: say "{me} {me.mark}"}
    """
    answers = [("ann", 1), ("ben", 2), ("ben", 2), ("ann", 1)] * 2
    assert table.said(flow, *answers) == ["ann 6", "ben 10"]


# --- finish and leave --------------------------------------------------------------------------------------------------


def test_finish_ends_this_players_turn(table: Table) -> None:
    flow = """
    a:
      turns: players
      do: |
        if me == first(players): finish
        say "{me}"
    b: {do: say "b"}
    """
    assert table.said(flow) == ["ben", "b"]


def test_finish_and_leave_of_a_step_around(table: Table) -> None:
    flow = """
    round:
      repeat: 3
      steps:
        count: {do: n += 1}
        turn:
          turns: players
          do: |
            if n == 1: finish round
            if n == 3: leave round
            say "{me} {n}"
        close: {do: say "close {n}"}
    after: {do: say "after"}
    """
    assert table.said(flow) == ["ann 2", "ben 2", "close 2", "after"]


def test_finish_of_a_step_by_its_path_and_out_of_loops(table: Table) -> None:
    flow = """
    round:
      repeat: 2
      steps:
        turn:
          steps:
            act:
              do: |
                for m in metal:
                  while true:
                    say "{m}"
                    if m == tin: finish round.turn
                    leave
                say "never"
            rest: {do: say "never"}
        close: {do: say "close"}
    """
    assert table.said(flow.replace("finish round.turn", "finish turn")) == ["copper", "tin", "close"] * 2


def test_finish_of_a_step_after_a_question(table: Table) -> None:
    flow = """
    round:
      until: n > 1
      steps:
        turn:
          turns: players
          do: |
            n += 1
            choose "Go on?":
              "Yes": say "{me} goes on"
              "No": finish round
        close: {do: say "close"}
    """
    assert table.said(flow, ("ann", "No"), ("ann", "Yes"), ("ben", "Yes")) == ["ann goes on", "ben goes on", "close"]


def test_only_a_step_around_can_be_finished(table: Table) -> None:
    found = table.wrong(
        "a: {do: finish b}\nb: {do: nothing}\nc: {together: players, do: finish c}",
        "triggers: {t: {whenever: n changes, do: leave a}}",
    )
    assert [f.split()[0] for f in found] == ["HR541"] * 3


# --- names ---------------------------------------------------------------------------------------------------------------


def test_names_of_a_step_are_known_to_the_steps_after_it(table: Table) -> None:
    flow = """
    round:
      repeat: 2
      steps:
        a: {do: "n += 1; k = n * 10"}
        b: {do: say "{k}"}
        c: {repeat: 2, do: k += 1}
        d: {steps: {e: {do: say "{k}"}}}
    """
    assert table.said(flow) == ["10", "12", "20", "22"]


def test_names_live_across_questions_of_later_steps(table: Table) -> None:
    flow = """
    round:
      steps:
        a: {do: "k = 7; who = last(players)"}
        b: {turns: players, do: "choose j from 1..3; me.mark = j + k"}
        c: {do: say "{k} {who} {who.mark}"}
    """
    assert table.said(flow, ("ann", 1), ("ben", 2)) == ["7 ben 9"]


def test_names_of_a_step_with_when_are_optional(table: Table) -> None:
    flow = """
    round:
      repeat: 2
      steps:
        a: {when: n == 0, do: "k = 7; found = first(metal); n = 1"}
        b:
          do: |
            if k: say "{k} {found}"
            else: say "none {found}"
    """
    assert table.said(flow) == ["7 copper", "none none"]
    assert table.wrong("a: {when: flag, do: k = 7}\nb: {do: n = k}") == [
        "HR520 'k' may be none here: it is the number 7 or none"
    ]


def test_names_of_a_step_that_can_finish_early_are_optional(table: Table) -> None:
    flow = """
    round:
      repeat: 2
      steps:
        a:
          do: |
            n += 1
            if n == 2: finish
            k = 7
        b:
          do: |
            if k: say "{k}"
            else: say "none"
    """
    assert table.said(flow) == ["7", "none"]


def test_names_of_a_loop_of_steps_stay_inside(table: Table) -> None:
    found = table.wrong(
        "a: {turns: players, do: k = me.mark}\nb: {do: n = k}\nc: {repeat: 2, do: j = 1}\nd: {do: n = j}"
    )
    assert "HR501 there is nothing called 'k' here" in found
    assert "HR501 there is nothing called 'j' here" in found


def test_names_of_for_and_turns_are_known_inside_alone(table: Table) -> None:
    flow = """
    a: {for: m in metal, steps: {b: {turns: p in players, do: say "{m} {p}"}, c: {do: say "{m}"}}}
    """
    assert table.said(flow)[:3] == ["copper ann", "copper ben", "copper"]
    assert table.wrong("a: {for: m in metal, do: 'tally[m] = 1'}\nb: {do: 'tally[m] = 1'}") == [
        "HR501 there is nothing called 'm' here"
    ]


# --- reset ---------------------------------------------------------------------------------------------------------------


def test_a_variable_is_reset_before_each_pass_of_its_step(table: Table) -> None:
    more = "  spent: {type: int, reset: round}\n  taken(player): {type: 2..9, start: 2, reset: turn}\n"
    flow = """
    setup: {do: spent = 5}
    before: {do: say "{spent}"}
    round:
      repeat: 2
      steps:
        a: {do: "spent += 1; say \\"{spent}\\""}
        turn: {turns: players, do: "me.taken += 1; say \\"{sum(p.taken for p in players)}\\""}
        b: {do: say "{spent}"}
    after: {do: say "{spent}"}
    """
    path = game_of(table.folder, flow)
    path.write_text(path.read_text(encoding="utf-8").replace("actions:\n", f"{more}actions:\n"), encoding="utf-8")
    match = houserule.load(path).start(2, seed=1)
    assert [e.text for e in match.events if e.kind == "say"] == ["5", "1", "5", "5", "1", "1", "5", "5", "1", "1"]


# --- use ------------------------------------------------------------------------------------------------------------------


def test_use_is_that_step_again(table: Table) -> None:
    flow = """
    round:
      steps:
        explore: {title: Explore, for: m in metal where m != tin, do: say "{m}"}
        again: {repeat: 2, use: round.explore}
    last: {use: explore}
    """
    assert table.said(flow) == ["copper", "iron"] * 4


def test_a_step_cannot_use_itself_or_what_is_not_there(table: Table) -> None:
    flow = "a: {steps: {b: {use: a}, c: {use: c}}}\nd: {use: explroe}\nexplore: {do: n += 1}"
    assert [f.split()[0] for f in table.wrong(flow)] == ["HR562", "HR562", "HR501"]


# --- what the checker says ------------------------------------------------------------------------------------------------


def test_a_step_that_repeats_forever_wants_an_end(table: Table) -> None:
    assert [f.split()[0] for f in table.wrong("a: {repeat: forever, do: n += 1}")] == ["HR561"]
    assert table.wrong(
        "a: {repeat: forever, turns: players, do: perform stop}", "triggers: {t: {whenever: n changes, do: end game}}\n"
    ) == ["HR503 there is no action 'stop'"]


def test_nobody_is_me_outside_turns(table: Table) -> None:
    assert table.wrong("a: {do: me.mark = 1}")[0].startswith("HR530")
    assert table.wrong("a: {when: me.mark == 1, do: nothing}")[0].startswith("HR530")


def test_a_step_behind_the_end_is_never_reached(table: Table) -> None:
    assert table.wrong("a: {do: end game}\nb: {do: n += 1}") == ["HR560 step 'b' can never be reached"]
    assert table.wrong("r: {steps: {a: {do: end game}, b: {do: n += 1}}}") == ["HR560 step 'b' can never be reached"]


def test_what_differs_by_the_number_of_players_is_said(table: Table) -> None:
    found = table.wrong("a: {do: n = 6 // (player_count - 2)}")
    assert found == ["HR553 with 2 players: this divides by zero: 'player_count - 2' is 0"]


def test_a_reset_before_a_step_that_is_not_there(table: Table) -> None:
    path = game_of(table.folder, "round: {do: n += 1}")
    path.write_text(
        path.read_text(encoding="utf-8").replace("  limit: int = 3", "  limit: {type: int, reset: ruond}"),
        encoding="utf-8",
    )
    found = [d for d in houserule.validate(path) if d.severity == "error"]
    assert [(d.code, d.help) for d in found] == [("HR501", "did you mean 'round'?")]


def test_turns_and_together_want_players(table: Table) -> None:
    found = table.wrong("a: {turns: metal, do: nothing}\nb: {together: metal, do: nothing}\nc: {for: n, do: nothing}")
    assert [f.split()[0] for f in found] == ["HR510"] * 3
