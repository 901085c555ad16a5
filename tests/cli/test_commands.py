"""The commands, as somebody types them: what they print, and with what they leave."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import Result

from houserule import games, load
from houserule.bundled import bundled_game
from houserule.cli.serve import folders_of
from houserule.codes import CODES

Houserule = Callable[..., Result]

BUNDLED = games()


# --- games, validate, explain, show -----------------------------------------------------------------------------------


def test_games_lists_every_bundled_game(houserule: Houserule) -> None:
    lines = houserule("games").stdout.splitlines()
    assert [line.split()[0] for line in lines] == BUNDLED


def test_games_keeps_a_line_for_each_game_whole_in_a_narrow_terminal(
    houserule: Houserule, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = houserule("games").stdout
    monkeypatch.setenv("COLUMNS", "30")
    assert houserule("games").stdout == shown


def test_a_game_here_with_the_id_of_a_bundled_one_is_no_bundled_one(houserule: Houserule) -> None:
    shown = houserule("games").stdout
    Path("pig").mkdir()
    Path("pig/game.yaml").write_text("game: pig\n")
    assert houserule("games").stdout == shown
    assert folders_of([])["pig"] == bundled_game("pig")


@pytest.mark.long
def test_validate_says_nothing_about_the_bundled_games(houserule: Houserule) -> None:
    result = houserule("validate", "--bundled")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_validate_says_what_is_wrong_where_and_what_to_type(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    result = houserule("validate", storms)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "storms/game.yaml:" in result.stderr
    assert "'dekc'" in result.stderr
    assert "^^^^" in result.stderr
    assert "help: " in result.stderr
    assert "deck" in result.stderr
    assert "see:  houserule explain HR" in result.stderr
    assert result.stderr.endswith("1 error\n")


def test_validate_reads_a_file_of_any_name(houserule: Houserule) -> None:
    Path("notes.txt").write_text("Shuffle the deck\n", encoding="utf-8")
    result = houserule("validate", "notes.txt")
    assert result.exit_code == 1
    assert result.stderr.startswith("notes.txt:1:1: error HR116: a file of rules is a map of keys and values")


def test_validate_says_that_a_house_rule_has_no_id(houserule: Houserule, storms: str) -> None:
    houserule("new", "variant", storms, "longer")
    file = Path(storms, "variants", "longer.yaml")
    file.write_text("of: storms\ntitle: Longer\noptions: {rounds: 4}\n", encoding="utf-8")
    result = houserule("validate", str(file))
    assert "error HR203: the file has no 'variant'" in result.stderr
    assert result.stderr.endswith("1 error\n")


def test_the_version_is_told_from_a_checkout_as_well(houserule: Houserule, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)
    result = houserule("--version")
    assert (result.exit_code, result.stdout) == (0, "houserule (not installed, so it has no version)\n")


def test_validate_as_json_is_json_and_nothing_else(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    result = houserule("validate", storms, "--format", "json")
    assert result.exit_code == 1
    assert result.stderr == ""
    (found,) = json.loads(result.stdout)["diagnostics"]
    assert found["severity"] == "error"
    assert found["file"] == "storms/game.yaml"
    assert "dekc" in found["message"]
    assert json.loads(houserule("validate", BUNDLED[0], "--rules-only", "--format", "json").stdout) == {
        "diagnostics": []
    }


@pytest.mark.parametrize("game", BUNDLED)
def test_validate_lists_what_the_rulebook_does_not_say(houserule: Houserule, game: str) -> None:
    result = houserule("validate", game, "--rules-only", "--assumed")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(load(game).assumptions)
    assert all(": assumed: " in line for line in result.stdout.splitlines())
    listed = json.loads(houserule("validate", game, "--rules-only", "--assumed", "--format", "json").stdout)["assumed"]
    assert len(listed) == len(result.stdout.splitlines())


@pytest.mark.parametrize("game", BUNDLED)
def test_validate_lists_what_comes_to_light_on_purpose(houserule: Houserule, game: str) -> None:
    result = houserule("validate", game, "--rules-only", "--revealed")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(load(game).revelations)
    assert all(": revealed: " in line for line in result.stdout.splitlines())
    listed = json.loads(houserule("validate", game, "--rules-only", "--revealed", "--format", "json").stdout)[
        "revealed"
    ]
    assert len(listed) == len(result.stdout.splitlines())


@pytest.mark.parametrize("command", ["validate", "test", "play", "simulate", "show"])
def test_a_wrong_id_gets_a_did_you_mean(houserule: Houserule, command: str) -> None:
    game = BUNDLED[0]
    result = houserule(command, game[:-1] + "x")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"did you mean '{game}'?" in result.stderr


def test_a_folder_of_games_is_validated_as_a_whole(houserule: Houserule) -> None:
    for name in ("suns", "moons"):
        houserule("new", "game", f"mine/{name}")
    Path("mine/moons/game.yaml").write_text("edition: 2026\ngame: moons\n", encoding="utf-8")
    result = houserule("validate", "mine", "--assumed")
    assert result.exit_code == 1
    assert "mine/moons/game.yaml" in result.stderr
    assert "mine/suns" not in result.stderr
    assert houserule("test", "mine/suns").stdout.splitlines()[-1] == "2 passed"


@pytest.mark.parametrize("command", ["play", "simulate", "show"])
def test_a_folder_without_a_game_is_said_to_be_one(houserule: Houserule, command: str) -> None:
    Path("empty").mkdir()
    result = houserule(command, "empty")
    assert result.exit_code == 2
    assert "there is no game in the folder 'empty'" in result.stderr


@pytest.mark.parametrize(
    ("command", "what"),
    [("validate", "rule files"), ("test", "scenarios"), ("format", "rule files"), ("check", "rule files")],
)
def test_where_there_is_nothing_to_do_the_command_says_so(houserule: Houserule, command: str, what: str) -> None:
    Path("empty").mkdir()
    Path("empty/other.yaml").write_text("on: [push]\n", encoding="utf-8")
    here, there = houserule(command), houserule(command, "empty")
    assert (here.exit_code, there.exit_code) == (2, 2)
    assert f"there are no {what} at or below the current folder" in here.stderr
    assert f"there are no {what} in empty" in there.stderr
    assert "--bundled" in here.stderr


def test_without_an_argument_a_command_means_what_lies_at_and_below_the_current_folder(houserule: Houserule) -> None:
    houserule("new", "game", "mine/deep/suns")
    houserule("new", "variant", "mine/deep/suns", "longer")
    houserule("new", "game", ".hidden/moons")
    houserule("new", "game", "environment/stars")
    Path("environment/pyvenv.cfg").touch()
    Path("mine/alone.yaml").write_text("variant: alone\nof: suns\n", encoding="utf-8")
    file = Path("mine/deep/suns/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("draw 1 from", "draw  1 from"), encoding="utf-8")
    assert "mine/alone.yaml:2:5: error HR701" in houserule("validate").stderr
    assert houserule("validate").stderr.endswith("\n1 error\n")
    assert houserule("test").stdout.splitlines()[-1] == "2 passed"
    assert houserule("check", "-n", "1", "--close", "0").stdout.count(" scenarios hold; ") == 1
    assert houserule("format").stdout == "mine/deep/suns/game.yaml has been formatted\n"


@pytest.mark.parametrize("inside", ["variants/longer.yaml", "scenarios/first.yaml", "scenarios/deep/more.yaml"])
@pytest.mark.parametrize("spoilt", ["game.yaml", ""])
def test_everything_in_the_folder_of_a_game_is_checked(
    houserule: Houserule, storms: str, inside: str, spoilt: str
) -> None:
    file = Path(storms, inside)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("a: [\n", encoding="utf-8")
    if spoilt:
        rules = Path(storms, spoilt)
        rules.write_text(rules.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    for words in ((storms,), ()):
        result = houserule("validate", *words)
        assert result.exit_code == 1
        assert f"storms/{inside}:1:" in result.stderr
        assert ("'dekc'" in result.stderr) == bool(spoilt)
    assert houserule("validate", storms, "--rules-only").exit_code == bool(spoilt)


def test_a_folder_of_games_is_tried_game_by_game(houserule: Houserule) -> None:
    for name in ("suns", "moons"):
        houserule("new", "game", f"mine/{name}")
    words = ["-n", "1", "--close", "0"]
    lines = houserule("check", "mine", *words).stdout.splitlines()
    assert [line.partition(":")[0] for line in lines if " scenarios hold; " in line] == ["moons", "suns"]
    assert [found["game"] for found in json.loads(houserule("check", "mine", *words, "--json").stdout)] == [
        "moons",
        "suns",
    ]
    file = Path("mine/moons/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    result = houserule("check", "mine", *words)
    assert result.exit_code == 1
    first, suns, *_ = [line for line in result.stdout.splitlines() if "was never" not in line]
    assert first == "moons: nothing was tried, because its rules cannot be read"
    assert suns.startswith("suns: 2 of 2 scenarios hold; ")


def test_explain_prints_the_page_of_a_code(houserule: Houserule) -> None:
    code = min(CODES)
    result = houserule("explain", code)
    assert result.exit_code == 0
    assert code in result.stdout
    assert houserule("explain", code.removeprefix("HR")).stdout == result.stdout
    assert houserule("explain", code.lower()).stdout == result.stdout


def test_explain_knows_no_other_code(houserule: Houserule) -> None:
    result = houserule("explain", "HR999")
    assert result.exit_code == 2
    assert "there is no code 'HR999'" in result.stderr


def test_show_tells_what_a_game_is(houserule: Houserule, storms: str) -> None:
    shown = houserule("show", storms).stdout
    assert "Storms (storms)" in shown
    assert "2 to 4 players" in shown


def test_show_lists_what_can_be_set_and_the_house_rules(houserule: Houserule, storms: str) -> None:
    houserule("new", "variant", storms, "calm")
    shown = houserule("show", storms).stdout
    assert "  rounds=3  How many rounds are played." in shown
    assert "house rules, for --with:\n  calm  Calm\n" in shown


def test_show_lists_a_house_rule_that_is_broken_by_its_name(houserule: Houserule, storms: str) -> None:
    houserule("new", "variant", storms, "calm")
    Path(storms, "variants", "mist.yaml").write_text("variant: [\n", encoding="utf-8")
    assert "house rules, for --with:\n  calm  Calm\n  mist\n" in houserule("show", storms).stdout


@pytest.mark.parametrize("command", ["validate", "test"])
def test_scenarios_of_another_game_are_one_mistake_where_the_game_is_named(
    houserule: Houserule, storms: str, command: str
) -> None:
    file = Path(storms, "scenarios", "first.yaml")
    text = file.read_text(encoding="utf-8")
    assert text.count("scenario: ") == 2
    file.write_text(text.replace("of: storms", "of: calms"), encoding="utf-8")
    result = houserule(command, str(file) if command == "validate" else storms)
    assert result.exit_code == 1
    assert "first.yaml:2:5: error HR606" in result.stderr
    assert result.stderr.endswith("1 error\n")


@pytest.mark.parametrize(
    ("written", "meant"), [("no", "none"), ("nobody", "none"), ("yes", "all"), ("everyone", "all")]
)
def test_who_sees_something_is_not_advised_to_be_true_or_false(
    houserule: Houserule, storms: str, written: str, meant: str
) -> None:
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("visible: none", f"visible: {written}"), encoding="utf-8")
    result = houserule("validate", storms)
    assert f"there is nothing called '{written}' here" in result.stderr
    assert f"help: write {meant}\n" in result.stderr
    assert result.stderr.endswith("1 error\n")


def test_a_misspelt_function_that_only_scenarios_have_is_told_which_was_meant(
    houserule: Houserule, storms: str
) -> None:
    file = Path(storms, "scenarios", "first.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("points(anna)", "pionts(anna)"), encoding="utf-8")
    said = houserule("validate", file).stderr
    assert "error HR503: there is no function 'pionts'" in said
    assert "help: did you mean 'points'?" in said


def test_a_misspelt_answer_of_a_scenario_is_told_what_was_meant(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "scenarios", "first.yaml")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("anna: Stop", "anna: Stpo"), encoding="utf-8")
    shown = houserule("test", storms).stdout
    assert "'Stpo' is not among the options of anna; did you mean 'Stop'?" in shown
    file.write_text(text.replace("anna: Stop", "anna: Weather"), encoding="utf-8")
    shown = houserule("test", storms).stdout
    assert "'Weather' is not among the options of anna\n" in shown


def test_check_speaks_of_secrets_only_where_it_has_looked_for_them(houserule: Houserule) -> None:
    for game, close, is_told in (("pig", 1, False), ("kuhn_poker", 1, True), ("kuhn_poker", 0, False)):
        told = houserule("check", game, "-n", "1", "--close", str(close)).stdout
        assert ("no question was met" in told or "after changing" in told) is is_told


@pytest.mark.parametrize("stage", ["merged", "tree", "check", "segments"])
def test_show_prints_what_each_stage_made(houserule: Houserule, storms: str, stage: str) -> None:
    result = houserule("show", storms, "--stage", stage)
    assert result.exit_code == 0
    assert len(result.stdout) > 100


def test_a_game_with_errors_is_not_shown_played_or_simulated(houserule: Houserule, storms: str) -> None:
    Path(storms, "game.yaml").write_text("edition: 2026\ngame: storms\n", encoding="utf-8")
    for command in ("show", "play", "simulate"):
        result = houserule(command, storms)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "error HR" in result.stderr


@pytest.mark.parametrize(
    "words", [["fly"], ["validate", "--format", "xml"], ["simulate"], ["show", "x", "--stage", "y"]]
)
def test_a_wrong_call_leaves_with_two(houserule: Houserule, words: list[str]) -> None:
    assert houserule(*words).exit_code == 2


# --- test, new --------------------------------------------------------------------------------------------------------


def test_a_new_game_is_valid_and_its_scenarios_hold(houserule: Houserule, storms: str) -> None:
    result = houserule("validate", storms)
    assert result.stderr == ""
    assert houserule("test", storms).stdout.splitlines()[-1] == "2 passed"


def test_a_new_scenario_holds(houserule: Houserule, storms: str) -> None:
    assert houserule("new", "scenario", storms, "no_luck").exit_code == 0
    assert houserule("test", f"{storms}/scenarios/no_luck.yaml").stdout.splitlines()[-1] == "1 passed"
    assert houserule("validate", f"{storms}/scenarios/no_luck.yaml").stderr == ""


def test_new_never_writes_over_anything(houserule: Houserule, storms: str) -> None:
    assert houserule("new", "game", storms).exit_code == 2
    assert houserule("new", "scenario", storms, "first").exit_code == 2


def test_a_name_that_cannot_be_an_id_gets_one_to_type(houserule: Houserule) -> None:
    result = houserule("new", "game", "My Game!")
    assert result.exit_code == 2
    assert "try 'my_game'" in result.stderr


def test_a_scenario_that_fails_says_what_was_expected(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "scenarios", "first.yaml")
    file.write_text(
        file.read_text(encoding="utf-8").replace("points(anna) == 3", "points(anna) == 4"), encoding="utf-8"
    )
    result = houserule("test", storms)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert "points(anna) == 4" in result.stdout
    suites = ElementTree.fromstring(houserule("test", storms, "--format", "junit").stdout)
    assert [suite.attrib["failures"] for suite in suites] == ["1"]
    assert len(suites.findall("*/testcase")) == 2


def test_a_scenario_file_that_cannot_be_read_is_counted(houserule: Houserule, storms: str) -> None:
    houserule("new", "scenario", storms, "broken")
    Path(storms, "scenarios", "broken.yaml").write_text("of: storms\nscenario: No luck\nplya: []\n", encoding="utf-8")
    result = houserule("test", storms)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "2 passed, 1 file with errors"


# --- play, replay -----------------------------------------------------------------------------------------------------


def test_as_many_play_as_seats_are_named(houserule: Houserule, storms: str) -> None:
    three = houserule("play", storms, "--seats", "random,random,random", "--seed", "7")
    assert three.exit_code == 0 and "Player 3 (bot)" in three.stdout


def test_bots_alone_are_told(houserule: Houserule, storms: str) -> None:
    result = houserule("play", storms, "--players", "Maya,Margot", "--seats", "random", "--seed", "7")
    assert result.exit_code == 0
    assert "Score sheet" in result.stdout
    assert "Maya" in result.stdout
    assert "wins." in result.stdout or "share the victory." in result.stdout
    assert (
        houserule("play", storms, "--players", "Maya,Margot", "--seats", "random", "--seed", "7").stdout
        == result.stdout
    )
    assert not list(Path().glob("*.json"))


def test_a_match_in_which_nobody_chooses_is_told(houserule: Houserule) -> None:
    Path("luck").mkdir()
    Path("luck/game.yaml").write_text(
        "edition: 2026\ngame: luck\nplayers: 2\nvariables: {score(player): int, n: 1..6 = 1}\n"
        "flow: {go: {turns: players, do: roll n from 1..6; me.score += n}}\n"
        "scoring: {luck: me.score}\nwinner: {most: points}\n",
        encoding="utf-8",
    )
    told = houserule("play", "./luck", "--players", "Maya,Margot", "--seats", "random", "--seed", "7").stdout
    assert told.index("Maya's turn") < told.index("Margot's turn") < told.index("Score sheet")


@pytest.mark.parametrize(
    ("words", "opening"), [((), "Player 1, Player 2 (bot) · "), (("--players", "1"), "Player 1 · ")]
)
def test_a_game_that_one_can_play_alone_begins_as_all_others_do(
    houserule: Houserule, words: tuple[str, ...], opening: str
) -> None:
    result = houserule("play", "yahtzee", "--seed", "1", *words, typed="q\n")
    assert result.exit_code == 0, result.stderr
    assert opening in result.stdout


def test_a_person_plays_against_a_bot(houserule: Houserule, storms: str) -> None:
    result = houserule("play", storms, "--seed", "3", typed="?\nt\nx\ndraw\nstop\n" + "2\n" * 20)
    assert result.exit_code == 0
    assert "1  Draw" in result.stdout
    assert "Type the number of an option" in result.stdout
    assert "no option begins with 'x'" in result.stdout
    assert "Score sheet" in result.stdout


@pytest.mark.parametrize("typed", ["1\n", "1\nq\n"])
def test_whoever_leaves_finds_the_match_again(houserule: Houserule, storms: str, typed: str) -> None:
    result = houserule("play", storms, "--seed", "3", typed=typed)
    assert result.exit_code == 0
    file = "storms-3.record.json"
    assert f"houserule play {file}" in result.stdout
    replayed = houserule("replay", file)
    assert replayed.exit_code == 0
    assert "The record ends here" in replayed.stdout
    resumed = houserule("play", file, typed="2\n" * 20)
    assert resumed.exit_code == 0
    assert "Score sheet" in resumed.stdout
    assert [path.name for path in Path().glob("*.json")] == [file]
    assert "Score sheet" in houserule("replay", file).stdout


def test_a_saved_match_replays_to_the_same_end(houserule: Houserule, storms: str) -> None:
    played = houserule("play", storms, "--seats", "random", "--seed", "5", "--save", "match.json")
    replayed = houserule("replay", "match.json")
    assert replayed.exit_code == 0
    sheet = played.stdout[played.stdout.index("Score sheet") :].split("The record")[0]
    assert sheet in replayed.stdout


def test_a_saved_match_keeps_what_it_was_begun_with(houserule: Houserule, storms: str) -> None:
    houserule("play", storms, "--seats", "random", "--seed", "5", "--save", "match.json")
    for words, left_out in (
        (["--players", "2"], "--players and --seed"),
        (["--set", "depth=3"], "--set"),
        (["--lang", "de"], "--lang"),
    ):
        result = houserule("play", "match.json", *words)
        assert result.exit_code == 2
        assert f"leave out {left_out}" in result.stderr


@pytest.mark.parametrize("text", ["", "{}", "[1, 2", '{"game": 3}', "\0"])
def test_what_is_no_record_is_not_replayed(houserule: Houserule, text: str) -> None:
    Path("broken.json").write_text(text, encoding="utf-8")
    result = houserule("replay", "broken.json")
    assert result.exit_code == 2
    assert "cannot be played: this is not the record of a match" in result.stderr
    assert houserule("replay", "gone.json").exit_code == 2


@pytest.mark.parametrize(
    ("named", "said", "help"),
    [
        (".", "'.' is a folder, not the record of a match", "houserule replay FILE"),
        ("storms", "'storms' is a game, not the record of a match", "houserule play storms"),
        ("storms/game.yaml", "'storms/game.yaml' is a game, not the record", "houserule play storms/game.yaml"),
        (
            "storms/scenarios/first.yaml",
            "this is not the record of a match",
            "`houserule play GAME --save FILE` writes",
        ),
    ],
)
def test_what_is_named_instead_of_a_record_is_said(
    houserule: Houserule, storms: str, named: str, said: str, help: str
) -> None:
    assert Path(storms).is_dir()
    result = houserule("replay", named)
    assert result.stdout == ""
    assert said in result.stderr.splitlines()[0]
    assert help in result.stderr.splitlines()[1]


@pytest.mark.parametrize("file", ["kept.json", "storms/kept.json", "kept"])
def test_a_record_instead_of_rules_is_said_to_be_one(houserule: Houserule, storms: str, file: str) -> None:
    assert houserule("play", storms, "--seats", "random", "--seed", "5", "--save", file).exit_code == 0
    for command in ("validate", "format", "test", "show", "simulate"):
        result = houserule(command, file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"houserule: '{file}' is the record of a match, not a game\n   help: `houserule replay {file}` shows it\n"
        )
    assert houserule("validate", "--skip-others", file).exit_code == 0
    assert "Score sheet" in houserule("play", file).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "9"], "storms is for 2 to 4 players, not for 9"),
        (["--players", "Maya,Maya"], "the same name"),
        (["--seats", "humna"], "did you mean 'human'?"),
        (["--players", "2", "--seats", "human,human,human"], "3 seats are named"),
        (["--lang", "dee"], "does not speak 'dee'"),
    ],
)
def test_a_seat_that_cannot_be_taken_is_said(houserule: Houserule, storms: str, words: list[str], said: str) -> None:
    result = houserule("play", storms, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_for_how_many_a_house_rule_is_goes_without_a_range_where_it_is_one_number(houserule: Houserule) -> None:
    for command in ("play", "simulate"):
        result = houserule(command, "ali_baba", "--with", "small_cave", "--players", "3")
        assert result.exit_code == 2
        assert "ali_baba is for 2 players, not for 3" in result.stderr


def test_two_people_hand_the_keyboard_over(houserule: Houserule, storms: str) -> None:
    words = ["play", storms, "--players", "Maya,Margot", "--seats", "human", "--seed", "1"]
    result = houserule(*words, typed="\nstop\n\n\nstop\nq\n")
    assert result.exit_code == 0
    assert "hand the keyboard to Margot" in result.stdout
    assert "houserule play storms-1.record.json --seats human\n" in result.stdout


def test_before_a_race_at_one_keyboard_all_are_told_only_what_is_new(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    race = """  grab:
    do: |
      race players must true as order
      if not empty(order): say "{first(order)} was first."
  round:
"""
    text = file.read_text(encoding="utf-8").replace("  round:\n", race, 1)
    file.write_text(text, encoding="utf-8")
    words = ["play", storms, "--players", "Maya,Margot", "--seats", "human", "--seed", "1"]
    shown = houserule(*words, typed="nobody\nmar\n\nstop\nq\n").stdout
    assert "'nobody' is not one of them" in shown
    assert "Margot was first." in shown
    assert shown.count("The deck is shuffled.") == 1


def test_what_one_has_chosen_in_secret_is_shown_until_all_have_chosen(houserule: Houserule) -> None:
    words = ["play", "goofspiel", "--players", "Maya,Margot", "--seats", "human", "--seed", "1"]
    shown = houserule(*words, typed="\n3\n\n\n5\n\n\nq\n").stdout
    assert shown.count("You chose 3; the others do not know it yet.") == 1
    assert "You chose 5" not in shown, "whoever chooses last reveals it"


def test_the_table_speaks_the_language_of_the_match(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("title: {en: Storms}", "title: {en: Storms, de: Stürme}"))
    result = houserule("play", storms, "--seed", "3", "--lang", "de", typed="?\nx\n" + "2\n" * 20)
    for words in ("q zum Aufhören", "Tippe die Nummer", "keine Möglichkeit beginnt mit „x“", "Wertung", "Summe"):
        assert words in result.stdout
    assert "Score sheet" not in result.stdout


def test_in_a_player_s_own_place_nothing_says_whose_it_is(houserule: Houserule, storms: str) -> None:
    result = houserule("play", storms, "--seed", "3", typed="draw\nstop\nt\n")
    assert "│ Kept" in result.stdout
    assert "Kept of" not in "".join(line for line in result.stdout.splitlines() if "│" in line)


def test_what_is_read_on_a_card_can_be_asked_for(houserule: Houserule) -> None:
    shown = houserule("play", "aladdin", "--seed", "3", typed="? light fing\n?nothing like it\nq\n").stdout
    assert re.search(r"> Light fingers: \w+ .*\.", shown)
    assert "nothing called 'nothing like it' has a text" in shown
    assert "> Brown: " in houserule("play", "ali_baba", "--seed", "3", typed="? Brown sword\nq\n").stdout
    shown = houserule("play", "aladdin", "--seed", "3", "--lang", "de", typed="? Gauner\n?\nq\n").stdout
    assert "auf nichts, was „Gauner“ heißt, steht ein Text" in shown


def test_what_an_option_says_can_be_asked_for_by_its_number(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    typed = "? 1\n? 2\n? 3\nq\n"
    shown = houserule("play", storms, "--seed", "3", typed=typed).stdout
    assert "> 1 is 'Draw', which has no text" in shown
    assert "> there is no option 3; the options are 1 to 2" in shown
    text = text.replace("  sort: [sun, storm]", "  sort: {members: {sun: {text: {en: It shines.}}, storm: {}}}")
    text = text.replace(
        "while count(drawn) < 6:", 'choose wish from sort "Which?": say "{wish}"\n      while count(drawn) < 6:'
    )
    file.write_text(text, encoding="utf-8")
    shown = houserule("play", storms, "--seed", "3", typed=typed).stdout
    assert "> sun: It shines." in shown
    assert "> 2 is 'storm', which has no text" in shown
    shown = houserule("play", "aladdin", "--seed", "3", typed="? 1\nq\n").stdout
    assert "> 1 is 'Bronze', which has no text" in shown  # and not what is read on "Bronze tribute"


# --- simulate ---------------------------------------------------------------------------------------------------------


def test_simulate_counts_random_matches(houserule: Houserule, storms: str) -> None:
    shown = houserule("simulate", storms, "-n", "60", "--players", "3", "--seed", "4").stdout
    assert "60 random matches for 3" in shown
    assert "Cards kept" in shown


def test_check_takes_a_game_in_a_file_of_any_name(houserule: Houserule, storms: str) -> None:
    rules = Path(storms, "game.yaml").rename("my_storms.yaml")
    result = houserule("check", str(rules), "-n", "1", "--close", "0")
    assert result.exit_code == 0
    assert "none of them failed" in result.stdout
    assert houserule("check", "/dev/stdin").exit_code == 2


def test_check_of_rules_that_cannot_be_read_says_that_nothing_was_tried(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    result = houserule("check", storms)
    assert (result.exit_code, result.stdout) == (1, "storms: nothing was tried, because its rules cannot be read\n")


def test_a_missing_blank_is_put_in(houserule: Houserule, storms: str) -> None:
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("      storm: {", "      storm:{"), encoding="utf-8")
    assert "fixed HR122: now a space" in houserule("validate", storms, "--fix").stderr
    assert file.read_text(encoding="utf-8") == text


def unending(storms: str) -> None:
    """Take the choice out of the loop."""
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    loop = text[text.index("        choose ") : text.index("        if count(")]
    file.write_text(text.replace(loop, "        nothing\n"), encoding="utf-8")


def short_of_prizes(storms: str) -> None:
    """Score by a table that has too few entries."""
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8").replace("sum(c.worth for c in me.kept)", '"prize[count(me.kept)]"')
    file.write_text(text.replace("\nzones:", "\ntables:\n  prize: [0]\n\nzones:"), encoding="utf-8")


@pytest.mark.parametrize(
    ("workers", "spoil", "message"),
    [
        ("1", unending, "37:7: fault: this loop went through 10000 passes without a choice"),
        ("1", short_of_prizes, "51:45: fault: the table has no entry"),
        ("2", short_of_prizes, "51:45: fault: the table has no entry"),
    ],
)
def test_a_fault_of_the_rules_ends_a_simulation_with_its_place(
    houserule: Houserule, storms: str, workers: str, spoil: Callable[[str], None], message: str
) -> None:
    spoil(storms)
    result = houserule("simulate", storms, "-n", "120", "--workers", workers)
    assert result.exit_code == 1
    assert f"storms/game.yaml:{message}" in result.stderr
    assert "Traceback" not in result.stderr
    found = re.search(r"\nmatch 1 for 2 players, seed \d+\n  houserule replay (storms-2-\d+\.json)\n", result.stderr)
    assert found is not None, result.stderr
    replayed = houserule("replay", found[1])
    assert replayed.exit_code == 1
    assert f"storms/game.yaml:{message}" in replayed.stderr


@pytest.mark.parametrize("place", ["shuffle deck", "move drawn to kept[me]"])
def test_what_happened_before_a_fault_is_told(houserule: Houserule, storms: str, place: str) -> None:
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8").replace("do: shuffle deck", "do: |\n      shuffle deck")
    fault = f'{place}\n      say "Look out."\n      repeat 3 // (count(deck) - count(deck)) times: nothing'
    file.write_text(text.replace(place, fault), encoding="utf-8")
    result = houserule("play", storms, "--seats", "random", "--seed", "3")
    assert result.exit_code == 1
    assert "seed 3" in result.stdout
    assert result.stdout.count("The deck is shuffled.") == 1
    assert result.stdout.count("Look out.") == 1
    assert "fault: this divides by zero" in result.stderr


def test_a_score_sheet_that_cannot_be_worked_out_is_the_rules_fault(houserule: Houserule, storms: str) -> None:
    short_of_prizes(storms)
    words = ["--seats", "random", "--seed", "3", "--save", "kept.record.json"]
    for command in (["play", storms, *words], ["replay", "kept.record.json"]):
        result = houserule(*command)
        assert result.exit_code == 1
        assert "storms/game.yaml:51:45: fault: the table has no entry" in result.stderr
    checked = houserule("check", storms, "-n", "5", "--close", "0").stdout
    assert "(in 'scoring.cards')" in checked
    assert "Houserule's own" not in checked


def test_a_worker_that_is_lost_is_said_in_a_sentence(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise EOFError

    monkeypatch.setattr("houserule.study.run.in_their_order", lost)
    result = houserule("simulate", storms, "-n", "120", "--workers", "2")
    assert result.exit_code == 1
    assert result.stderr.startswith("houserule: a worker process ended early")


def test_figures_do_not_depend_on_the_number_of_workers(houserule: Houserule, storms: str) -> None:
    words = ["simulate", storms, "-n", "170", "--seed", "4", "--json"]
    alone = houserule(*words)
    assert alone.stderr == ""
    figures = json.loads(alone.stdout)
    assert figures["matches"] == 170
    assert json.loads(houserule(*words, "--workers", "2").stdout) == figures
    assert json.loads(houserule(*words[:-2], "5", "--json").stdout) != figures


def test_scripts_may_still_ask_for_variants(houserule: Houserule) -> None:
    assert houserule("validate", "nim", "--variants").exit_code == 0
    result = houserule("validate", "nim", "--variants", "--rules-only")
    assert result.exit_code == 2
    assert "--variants and --rules-only contradict each other" in result.stderr
