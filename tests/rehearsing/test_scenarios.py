"""Every item of a scenario holds and fails as it says, in a small game of our own: tests/rehearsing/orchard.

A file in `chunks/` is a list of chunks. One begins with a line `--- what it shows`, or `--- and` for more of the same, and holds a scenario of
ann, bob and cid, or after `of:` a whole file of scenarios. It is to pass, unless it says otherwise:

- `### HR609 its message` beside a line is a diagnostic about that line, and several stand one after another;
- `### its message` in lines of their own, at the end, is why the scenario fails; after a last line `### …` it may say more.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from typer.testing import CliRunner

from houserule import InvalidGame, ScenarioResult, rehearse, validate
from houserule.cli.application import application

ORCHARD = Path(__file__).parent / "orchard" / "game.yaml"
Run = Callable[[str], list[ScenarioResult]]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of scenarios in the folder of the game, which is checked once, since it stays as it is."""
    folder = tmp_path_factory.mktemp("rehearsing") / "orchard"
    (folder / "scenarios").mkdir(parents=True)
    shutil.copy(ORCHARD, folder)
    return folder / "scenarios" / "some.yaml"


@pytest.fixture
def run(file: Path) -> Run:
    """Runs scenarios as they are written."""

    def run(text: str) -> list[ScenarioResult]:
        file.write_text(dedent(text), encoding="utf-8")
        return rehearse(file)

    return run


@pytest.fixture
def mistakes(run: Run) -> Callable[[str], list[str]]:
    """Runs a scenario that is written wrong; what is said about it."""

    def mistakes(text: str) -> list[str]:
        with pytest.raises(InvalidGame) as found:
            run("of: orchard\nplayers: [ann, bob, cid]\nscenario: some sentence\n" + dedent(text))
        return [f"{diagnostic.code} {diagnostic.message}" for diagnostic in found.value.diagnostics]

    return mistakes


Mistakes = Callable[[str], list[str]]

PICK = "from: round.pick\n"

CHUNKS = sorted((Path(__file__).parent / "chunks").glob("*.scenarios"))
HEAD = """\
of: orchard
players: [ann, bob, cid]
scenario: a chunk
setup: [roll: {starter: ann}, ann: {bet: 3}, bob: {bet: 5}, cid: {bet: 7}]
"""


def chunks() -> list[Any]:
    """The chunks of all files as parameters, by file, number and what they show."""
    found = []
    for path in CHUNKS:
        title = ""
        parts = re.split(r"^--- (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        for number, (first, body) in enumerate(zip(parts[::2], parts[1::2], strict=True), 1):
            title = title if first == "and" else first
            found.append(pytest.param(body, id=f"{path.stem} {number}: {title}"))
    return found


@pytest.mark.parametrize("body", chunks())
def test_scenarios_pass_and_fail_as_their_chunks_say(body: str, run: Run) -> None:
    message = re.findall(r"^### (.*)$", body, re.MULTILINE)
    text = re.sub(r"^### .*$", "", body, flags=re.MULTILINE)
    head = "" if text.startswith("of:") else HEAD
    wanted = [
        (number, said) for number, line in enumerate((head + text).split("\n"), 1) for said in line.split("  ### ")[1:]
    ]
    try:
        results = run(head + re.sub(r"  ### .*$", "", text, flags=re.MULTILINE))
    except InvalidGame as wrong:
        assert [(d.span.line, f"{d.code} {d.message}") for d in wrong.diagnostics] == wanted
        return
    assert not wanted
    assert [result.passed for result in results] == [not message] * len(results)
    said = results[-1].message
    if message[-1:] == ["…"]:
        assert said.startswith("\n".join(message[:-1]))
    else:
        assert said == "\n".join(message)


def test_a_rule_that_cannot_be_carried_out_fails_with_its_place(run: Run) -> None:
    (result,) = run(
        """
        of: orchard
        scenario: Too many coins
        players: [ann, bob]
        play:
          - expect: sales == 0
          - do: |
              for f in fruit: coins[ann] += 20
        """
    )
    assert not result.passed
    assert result.line == 7
    assert ":8:23: 'coins' would become 100, and its range is 0..99" in result.message


@pytest.mark.parametrize("times", ["0", "1001", "often"])
def test_times_is_a_number_from_1_to_1000(mistakes: Mistakes, times: str) -> None:
    (said,) = mistakes(PICK + f"play: [{{ann: Pick, times: {times}}}]")
    assert "a whole number from 1 to 1000" in said


@pytest.mark.parametrize(
    ("begin", "is_lost"),
    [
        ("round.market\nplay: [roll: {wind: 3}, pending: ann]", True),
        ("round.market\nuntil: end", True),
        ("round.market\nexpect: visits[ann] == 4", False),
        ("round.market\nplay:\n  - expect: visits[ann] == 4\n  - pending: ann", False),
        ("round.market.trade\npending: ann", False),
        ("round.pick\npending: ann", False),
    ],
)
def test_a_given_that_the_step_to_begin_with_resets_is_warned_of(file: Path, begin: str, is_lost: bool) -> None:
    file.write_text(
        "of: orchard\nplayers: [ann, bob]\nscenario: Ann was there\n"
        f"given: |\n  coins[ann] = 1\n  visits[ann] = 4\nfrom: {begin}\n",
        encoding="utf-8",
    )
    said = [(d.code, d.message, d.span.line) for d in validate(file)]
    message = "'visits' goes back to its start before 'round.market', so what 'given' sets is lost"
    assert said == ([("HR612", message, 6)] if is_lost else [])


def test_an_answer_that_the_set_up_never_asks_for_fails(run: Run) -> None:
    (result,) = run("of: orchard\nscenario: One\nplayers: [ann, bob]\nsetup: [ann: {wager: 2}]\n")
    assert result.message == "the set-up was over before this\nnobody is asked anything yet"


def test_functions_that_only_scenarios_use(run: Run, file: Path) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        functions:
          held(player p): count(p.crate) + count(p.sack)
          rich: any(p in players where riches(p) > 3)
          riches(player p): |
            n = held(p) + coins[p]
            finish with n
        ---
        scenario: They can be expected and changed by
        given: |
          coins[ann] = held(ann)
        expect: held(ann) == 1 and coins[ann] == 1 and not rich and ann.riches == 2
        """
    )
    assert [(result.passed, result.message) for result in results] == [(True, "")]
    assert not validate(file)


def test_what_would_be_can_be_expected_and_triggers_have_their_turn_in_it(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        ---
        scenario: Nothing of what is imagined stays
        given: |
          move plum to ann.crate
          if (empty(ann.crate) after move plum to compost): coins[bob] = 4
        expect:
          - coins[bob] == 4 and count(ann.crate) == 1
          - (sales == 1 and empty(ann.crate) after move plum to compost)
          - (coins[ann] == 2 after coins[ann] += 1; coins[ann] *= 2)
          - sales == 0 and coins[ann] == 0
        ---
        scenario: It may not hold
        expect: [(sales == 2 after move plum to compost)]
        """
    )
    assert [result.passed for result in results] == [True, False]
    assert "sales" in results[1].message


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ("full(player p): true", "HR504 'full' is already the name of a function"),
        ("sales: 3", "HR504 'sales' is already the name of a variable"),
        ("held(gamer p): 3", "HR501 there is no type 'gamer'"),
        ("held(player p): count(p.crat)", "HR502 a player has no 'crat'"),
    ],
)
def test_functions_of_scenarios_are_checked(mistakes: Mistakes, functions: str, said: str) -> None:
    assert said in mistakes(f"functions: {{'{functions.split(': ')[0]}': {functions.split(': ')[1]}}}")


def test_a_result_says_where_it_failed(run: Run, file: Path) -> None:
    (result,) = run(
        "of: orchard\nplayers: [ann, bob]\nscenario: One\nplay:\n  - expect: sales == 0\n  - expect: sales == 1\n"
    )
    assert (result.name, Path(result.path).name, result.line) == ("One", file.name, 6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("options: {rooom: 2}", "HR603 'orchard' has no option 'rooom'"),
        ("with: [late_frost]", "HR607 there is no variant 'late_frost'"),
        ("play: [dan: Pick]", "HR610 nobody is called 'dan'"),
        ("play: [race: [ann, dan]]", "HR610 nobody is called 'dan'"),
        ("play: [refuse: {dan: Pick}]", "HR610 nobody is called 'dan'"),
        ("play: [unseen: {dan: tree}]", "HR610 nobody is called 'dan'"),
        ("play: [do: {as: dan, effect: me.coins = 1}]", "HR610 nobody is called 'dan'"),
        ("pending: dan", "HR610 nobody is called 'dan'"),
        ("play: [exepct: sales == 0]", "HR610 nobody is called 'exepct'"),
        ("expect: sales + 1", "HR521 a condition is expected, but 'sales + 1' is a number 1..100"),
        ("expect: points == 2", "HR501 there is nothing called 'points' here"),
        ("expect: points(ann, bob) == 2", "HR511 'points' expects a player, got 2 arguments"),
    ],
)
def test_what_does_not_fit_the_game_is_a_mistake(mistakes: Mistakes, text: str, said: str) -> None:
    assert mistakes(text) == [said]


def test_a_variant_that_is_not_there_is_told_where_the_scenario_names_it(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run("of: orchard\nplayers: [ann, bob]\nwith: [late_frost]\n---\nscenario: Frost\n")
    (said,) = found.value.diagnostics
    assert (said.code, said.span.line, said.span.column) == ("HR607", 3, 8)


def test_a_number_of_players_is_told_that_they_have_names(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run("of: orchard\nplayers: 3\nscenario: Three\n")
    (said,) = found.value.diagnostics
    assert (said.code, said.help) == ("HR202", "players: [anna, ben]")


def test_an_option_is_told_where_the_scenario_sets_it(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run(
            """
            of: orchard
            players: [ann, bob]
            options: {rian: true}
            ---
            scenario: Another option
            ---
            scenario: The same option
            ---
            scenario: Another value
            options:
              room: 11
            ---
            scenario: The same value
            options: {room: 11}
            ---
            scenario: No value
            options: {rain: 2}
            """
        )
    said = found.value.diagnostics
    assert [(one.code, one.span.line, one.span.column, one.message) for one in said] == [
        ("HR603", 4, 11, "'orchard' has no option 'rian'"),
        ("HR603", 12, 9, "option 'room' is a number 1..9, so it cannot be '11'"),
        ("HR603", 15, 17, "option 'room' is a number 1..9, so it cannot be '11'"),
        ("HR603", 18, 17, "option 'rain' is true or false, so it cannot be '2'"),
    ]
    assert said[0].help == "did you mean 'rain'?" and said[0].fix is not None
    assert {Path(one.span.file).name for one in said} == {"some.yaml"}
    (declared,) = said[1].related
    assert (declared.message, Path(declared.span.file).name, declared.span.line) == ("declared here", "game.yaml", 7)


def test_what_some_of_those_that_share_it_cannot_have_names_these(run: Run, file: Path) -> None:
    (file.parent.parent / "variants").mkdir()
    fair = "variant: fair\nof: orchard\nchange:\n  options: {room: {type: 1..20, default: 3}}\n"
    (file.parent.parent / "variants" / "fair.yaml").write_text(fair, encoding="utf-8")
    head = "of: orchard\nplayers: [ann, bob]\noptions: {room: 11}\n"
    small, large = "---\nscenario: Small\n", "---\nscenario: Large\nwith: [fair]\n"
    with pytest.raises(InvalidGame) as found:
        run(head + small + large)
    (said,) = found.value.diagnostics
    assert (said.code, Path(said.span.file).name, said.span.line) == ("HR603", "some.yaml", 3)
    assert [(one.message, one.span.line) for one in said.related] == [("in this scenario", 5), ("declared here", 7)]
    with pytest.raises(InvalidGame) as found:
        run(head + small + small.replace("Small", "As small"))
    (said,) = found.value.diagnostics
    assert [one.message for one in said.related] == ["declared here"]


def test_players_fit_the_game(run: Run) -> None:
    for players in ("[ann]", "[ann, ann]", "[ann, bob, cid, dan]"):
        with pytest.raises(InvalidGame) as found:
            run(f"of: orchard\nscenario: One\nplayers: {players}\n")
        assert found.value.diagnostics[0].message.startswith("'orchard' is for 2 to 3 players with names of their own")


def test_a_scenario_of_another_game_is_a_mistake(run: Run) -> None:
    with pytest.raises(InvalidGame, match=r"this scenario is of 'vineyard', but lies in the folder of 'orchard'"):
        run("of: vineyard\nscenario: One\nplayers: [ann, bob]\n")


def test_a_file_of_no_game_says_so(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("of: vineyard\nscenario: One\nplayers: [ann, bob]\n", encoding="utf-8")
    with pytest.raises(InvalidGame, match="HR607: there is no game 'vineyard'"):
        rehearse(file)


def test_validate_says_what_is_wrong_with_a_file_without_running_it(file: Path) -> None:
    file.write_text("of: orchard\nplayers: [ann, bob]\nscenario: One\nexpect: sales == 1\n", encoding="utf-8")
    assert validate(file) == []
    file.write_text("of: orchard\nplayers: [ann, bob]\nscenario: One\nexpect: sale == 1\n", encoding="utf-8")
    assert [diagnostic.code for diagnostic in validate(file)] == ["HR501"]


DICE = """\
edition: 2026
game: dice
players: 2
enums: {hue: [red, blue]}
components: {die: {attributes: {hue: hue}, each: {hue: hue}, starts_in: cup}}
zones: {cup: {holds: die, visible: all, order: none}, out: {holds: die, visible: all, order: none}}
flow:
  play:
    turns: players
    do: |
      roll d from cup
      if d: move d to out
      choose e or pass from cup: move e to out
"""
ROLLED = """of: dice
players: [ann, bob]
scenario: A piece of `each` is rolled by its name in the rules
play: [roll: {d: "die[red]"}, ann: {e: "die[blue]"}]
"""


def test_a_roll_names_a_piece_as_rules_do(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(DICE, encoding="utf-8")
    (tmp_path / "some.yaml").write_text(ROLLED, encoding="utf-8")
    assert [result.message for result in rehearse(tmp_path / "some.yaml")] == [""]


EMPTY_HANDS = Path(__file__).parents[1] / "match" / "last_leaves" / "scenarios" / "empty_hands.yaml"


def test_a_scenario_that_passes_only_as_older_versions_asked_says_what_nobody_asks_for_any_more() -> None:
    said = [(result.passed, result.outdated) for result in rehearse(EMPTY_HANDS)]
    assert said == [(True, ""), (True, "line 18: bruno is not asked anything")]
    runner = CliRunner()
    made = runner.invoke(application, ["test", str(EMPTY_HANDS)])
    assert made.exit_code == 0
    assert (
        "warning: A scenario from when they were asked still holds: line 18: bruno is not asked anything" in made.stdout
    )
    found = json.loads(runner.invoke(application, ["test", str(EMPTY_HANDS), "--format", "json"]).stdout)
    assert [scenario["outdated"] for scenario in found["scenarios"]] == [outdated for _, outdated in said]


def test_a_scenario_names_a_house_rule_that_lies_beside_it(tmp_path: Path) -> None:
    rule = "variant: slow\nof: nim\nadd: {variables: {turns_taken: {type: 0..99, title: turns}}}\n"
    (tmp_path / "slow.yaml").write_text(rule, encoding="utf-8")
    scenario = (
        "of: nim\nplayers: [anna, ben]\nwith: [slow]\n---\nscenario: Nobody has moved\nexpect: turns_taken == 0\n"
    )
    (tmp_path / "slowly.yaml").write_text(scenario, encoding="utf-8")
    assert [result.passed for result in rehearse(tmp_path / "slowly.yaml")] == [True]
    (tmp_path / "slowly.yaml").write_text(scenario.replace("slow]", "fast]"), encoding="utf-8")
    with pytest.raises(InvalidGame, match="HR607"):
        rehearse(tmp_path / "slowly.yaml")


LINES = """edition: 2026
game: lines
players: 2
components:
  line: {title: "down {it.row}-{it.column}", attributes: {row: 1..3, column: 1..3}, each: {row: 1..3, column: 1..3}}
  spot: {attributes: {row: 1..3}, each: {row: 1..3}}
flow:
  play:
    turns: players
    do: |
      choose l from x in line where x.row > 1, s from x in spot where x.row >= l.column "Which?"
"""


def test_a_pair_of_things_with_several_indices_is_refused_and_a_title_hints_at_its_id(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(LINES, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    scenarios = tmp_path / "scenarios" / "some.yaml"
    head = "of: lines\nplayers: [ann, ben]\n---\nscenario: Lines\nplay:\n"
    scenarios.write_text(f'{head}  - refuse: {{ann: ["line[2, 3]", "spot[1]"]}}\n', encoding="utf-8")
    (result,) = rehearse(scenarios)
    assert result.passed
    (tmp_path / "game.yaml").write_text(
        LINES.replace(", s from x in spot where x.row >= l.column", ""), encoding="utf-8"
    )
    scenarios.write_text(f"{head}  - ann: {{l: down 2-1}}\n", encoding="utf-8")
    (result,) = rehearse(scenarios)
    assert "did you mean 'line_2_1'?" in result.message


NESTED = """edition: 2026
game: nested
players: 2
components:
  field: {attributes: {row: 1..2, column: 1..2}, each: {row: 1..2, column: 1..2}}
  man: {attributes: {seat: player, begins: field}, each: {seat: player, begins: field}, starts_in: board}
zones: {board: {holds: man, visible: all}}
flow:
  play:
    turns: players
    do: choose m from x in man where x.seat == me and x.begins.row == 2, f from field "Which?"
"""


def test_a_piece_is_named_by_others_in_its_index(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(NESTED, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    scenarios = tmp_path / "scenarios" / "some.yaml"
    play = 'of: nested\nplayers: [ann, ben]\n---\nscenario: Men\nplay:\n  - refuse: {ann: {m: "man[ann, field[1, 1]]", f: "field[1, 2]"}}\n'
    scenarios.write_text(f'{play}  - ann: {{m: "man[ann, field[2, 1]]", f: "field[1, 2]"}}\n', encoding="utf-8")
    (result,) = rehearse(scenarios)
    assert result.passed, result.message
