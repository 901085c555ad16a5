"""House rules at the command line: `--with`, `--set`, and what is said about those that do not fit."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from houserule import games, load
from houserule.cli import shelf

Houserule = Callable[..., Result]

BUNDLED = games()

SUNNY = """\
variant: sunny
of: storms
title: {en: Sunny}
options: {rounds: 2}
change: {components: {card: {pieces: {high_sun: {worth: 5, was: {worth: 2}}}}}}
"""
GALE = """\
variant: gale
of: storms
title: {en: Gale}
change: {components: {card: {pieces: {storm: {count: 20}}}}}
"""


@pytest.fixture
def rules(storms: str) -> str:
    """A game with two house rules."""
    folder = Path(storms, "variants")
    folder.mkdir()
    (folder / "sunny.yaml").write_text(SUNNY, encoding="utf-8")
    (folder / "gale.yaml").write_text(GALE, encoding="utf-8")
    return storms


def figures(houserule: Houserule, game: str, *words: str) -> dict[str, object]:
    result = houserule("simulate", game, "-n", "120", "--seed", "3", "--json", *words)
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_house_rules_and_settings_change_what_is_simulated_in_every_process(houserule: Houserule, rules: str) -> None:
    plain = figures(houserule, rules)
    sunny = figures(houserule, rules, "--with", "sunny")
    assert sunny != plain
    assert sunny == figures(houserule, rules, "--with", f"{rules}/variants/sunny.yaml", "--workers", "2")
    assert figures(houserule, rules, "--with", "sunny", "--with", "gale") not in (plain, sunny)
    assert figures(houserule, rules, "--set", "rounds=2") not in (plain, sunny)
    assert figures(houserule, rules, "--with", "sunny", "--set", "rounds=3") not in (plain, sunny)


def test_a_match_under_house_rules_goes_on_under_them(houserule: Houserule, rules: str) -> None:
    words = ("--players", "anna,ben", "--seats", "random", "--seed", "3", "--save", "match.json")
    told = houserule("play", rules, *words, "--with", "sunny", "--set", "rounds=1")
    assert told.exit_code == 0
    record = json.loads(Path("match.json").read_text(encoding="utf-8"))
    assert (record["variants"], record["options"]) == (["sunny"], {"rounds": 1})
    assert houserule("replay", "match.json").exit_code == 0
    refused = houserule("play", "match.json", "--with", "gale")
    assert refused.exit_code == 2
    assert "it was played with 'sunny', not with 'gale'" in refused.stderr
    assert "a saved match keeps its options" in houserule("play", "match.json", "--set", "rounds=2").stderr


@pytest.mark.parametrize("seats", ["random", "human"])
def test_a_match_under_a_house_rule_in_a_file_is_found_by_the_command_that_is_printed(
    houserule: Houserule, rules: str, seats: str
) -> None:
    """A record may not name a file outside of its folder, so a person names it."""
    Path("breeze.yaml").write_text(SUNNY.replace("sunny", "breeze"), encoding="utf-8")
    Path("kept").mkdir()
    words = ("--players", "anna,ben", "--seats", seats, "--seed", "3", "--save", "kept/match.json")
    told = houserule("play", rules, *words, "--with", "breeze.yaml", "--with", "gale")
    found = re.search(
        r"houserule ((?:replay|play) kept/match\.json .*--with breeze\.yaml.*)$", told.stdout, re.MULTILINE
    )
    assert found is not None, told.stdout
    assert houserule(*found[1].split()).exit_code == 0
    lost = houserule("replay", "kept/match.json", rules)
    assert lost.exit_code == 2
    assert "there is no house rule in the folder of the record at 'breeze.yaml'" in lost.stderr
    assert "houserule replay FILE --with VARIANT" in lost.stderr
    Path("kept", "breeze.yaml").write_text(SUNNY.replace("sunny", "breeze"), encoding="utf-8")
    assert houserule("replay", "kept/match.json", rules).exit_code == 0


def test_scenarios_are_run_with_house_rules_beside_their_own(houserule: Houserule, rules: str) -> None:
    assert houserule("test", rules).stdout.splitlines()[-1] == "2 passed"
    changed = houserule("test", rules, "--with", "sunny")
    assert changed.exit_code == 1
    assert "points(anna) == 3" in changed.stdout
    assert houserule("test", rules, "--set", "rounds=1").exit_code == 0


def test_show_says_what_the_game_is_played_with(houserule: Houserule, rules: str) -> None:
    shown = houserule("show", rules, "--with", "sunny", "--with", "gale").stdout.splitlines()
    assert "with: sunny, gale" in shown
    assert "options: rounds: 2" in shown


@pytest.mark.parametrize("command", ["validate", "test", "play", "simulate", "show"])
def test_a_house_rule_that_is_not_there_has_a_suggestion(houserule: Houserule, rules: str, command: str) -> None:
    result = houserule(command, rules, "--with", "suny")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "no variant 'suny', and there is no such file" in result.stderr
    assert "did you mean 'sunny'?" in result.stderr
    assert "there are gale, sunny" in houserule(command, rules, "--with", "x").stderr


@pytest.mark.parametrize(
    "command", ["validate", "test", "check", "play", "simulate", "show", "compare", "diff", "rulebook"]
)
def test_a_setting_out_of_its_range_is_a_diagnostic(houserule: Houserule, rules: str, command: str) -> None:
    """It is a wrong call: nothing is wrong with the rules."""
    result = houserule(command, rules, "--set", "rounds=11")
    assert result.exit_code == 2
    assert "error HR603: option 'rounds' is a number 1..10, so it cannot be '11'" in result.stderr
    assert "so it cannot be '--5'" in houserule(command, rules, "--set", "rounds=--5").stderr
    assert "did you mean 'rounds'?" in houserule(command, rules, "--set", "ronds=2").stderr


def test_a_setting_that_no_game_has_names_those_that_there_are(houserule: Houserule, rules: str) -> None:
    shown = houserule("validate", rules, "--set", "ronds=2").stderr
    assert "game.yaml:8:1: error HR603" in shown
    assert "help: did you mean 'rounds'? its options: rounds\n" in shown
    shown = houserule("validate", rules, "--set", "weather=2").stderr
    assert "'storms' has no option 'weather'" in shown
    assert "\n    8 | options:\n" in shown
    assert "help: its options: rounds\n" in shown


def test_a_setting_out_of_its_range_shows_its_place_once(houserule: Houserule, rules: str) -> None:
    shown = houserule("validate", rules, "--set", "rounds=many").stderr
    assert "so it cannot be 'many'" in shown
    assert shown.count("rounds: {") == 1
    assert "declared here" not in shown


def test_a_setting_of_a_house_rule_is_told_at_its_place_there(houserule: Houserule, rules: str) -> None:
    file = Path(rules, "variants", "sunny.yaml")
    file.write_text(SUNNY.replace("rounds: 2", "rounds: 20"), encoding="utf-8")
    assert "sunny.yaml:4:19: error HR603" in houserule("validate", rules, "--with", "sunny").stderr
    assert "HR603" not in houserule("validate", rules, "--with", "sunny", "--set", "rounds=3").stderr
    file.write_text(SUNNY.replace("rounds: 2", "ronds: 2"), encoding="utf-8")
    assert "sunny.yaml:4:11: error HR603" in houserule("validate", rules, "--with", "sunny").stderr


@pytest.mark.parametrize("words", ["rounds", "rounds=", "=3"])
def test_a_setting_has_a_name_and_a_value(houserule: Houserule, rules: str, words: str) -> None:
    result = houserule("show", rules, "--set", words)
    assert result.exit_code == 2
    assert "--set expects an option and its value" in result.stderr


def test_an_option_is_set_once(houserule: Houserule, rules: str) -> None:
    result = houserule("show", rules, "--set", "rounds=3", "--set", "rounds=4")
    assert result.exit_code == 2
    assert "'rounds' is set to both 3 and 4" in result.stderr


def test_house_rules_of_no_game_are_asked_back(houserule: Houserule) -> None:
    assert "--with and --set need a game" in houserule("validate", "--with", "sunny").stderr


# --- validate ---------------------------------------------------------------------------------------------------------


def test_a_house_rule_is_validated_with_its_game(houserule: Houserule, rules: str) -> None:
    file = Path(rules, "variants", "sunny.yaml")
    assert houserule("validate", file).exit_code == 0
    file.write_text(SUNNY.replace("high_sun", "hihg_sun"), encoding="utf-8")
    result = houserule("validate", file)
    assert result.exit_code == 1
    assert "storms/variants/sunny.yaml:5:39: error HR707" in result.stderr
    assert "did you mean 'high_sun'?" in result.stderr
    assert houserule("validate", rules).stderr == result.stderr


def test_a_house_rule_that_lies_elsewhere_is_of_the_game_that_it_names(houserule: Houserule) -> None:
    game = BUNDLED[0]
    Path("mine.yaml").write_text(f"variant: mine\nof: {game}\nchange: {{winner: {{tie: shared}}}}\n", encoding="utf-8")
    assert houserule("validate", "mine.yaml").stderr == ""
    Path("mine.yaml").write_text(f"variant: mine\nof: {game}\nremove: [winer]\n", encoding="utf-8")
    assert "mine.yaml:3:10: error HR706" in houserule("validate", "mine.yaml").stderr
    Path("mine.yaml").write_text(f"variant: mine\nof: {game[:-1]}\n", encoding="utf-8")
    assert f"did you mean '{game}'?" in houserule("validate", "mine.yaml").stderr


def test_what_a_house_rule_requires_is_there_when_it_is_validated(houserule: Houserule, rules: str) -> None:
    file = Path(rules, "variants", "gale.yaml")
    file.write_text(GALE + "requires: [sunny]\n", encoding="utf-8")
    assert houserule("validate", file).stderr == ""
    assert houserule("validate", rules).stderr == ""
    assert houserule("validate", rules, "--with", "gale").stderr == ""
    assert "with: sunny, gale" in houserule("show", rules, "--with", "gale").stdout
    Path(rules, "variants", "sunny.yaml").write_text(SUNNY + "requires: [gale]\n", encoding="utf-8")
    assert "'sunny' requires 'gale', which requires it" in houserule("validate", file).stderr


def test_a_game_beside_another_one_is_validated_itself(houserule: Houserule, rules: str) -> None:
    other = Path(rules, "other.yaml")
    other.write_text("edition: 2026\ngame: other\nplayers: 2\nflow: {walk: {do: nohting}}\n", encoding="utf-8")
    assert "other.yaml:4:" in houserule("validate", other).stderr
    assert "other.yaml:4:" not in houserule("validate", rules, "--rules-only").stderr


def test_house_rules_have_the_name_of_their_file(houserule: Houserule, rules: str) -> None:
    Path(rules, "variants", "sunny.yaml").rename(Path(rules, "variants", "sun.yaml"))
    assert "variants/sun.yaml:1:10: error HR712" in houserule("validate", rules).stderr


def test_one_mistake_of_the_game_is_not_told_again_for_each_house_rule(houserule: Houserule, rules: str) -> None:
    file = Path(rules, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    assert houserule("validate", rules).stderr.endswith("\n1 error\n")
    assert houserule("validate", Path(rules, "variants", "gale.yaml")).stderr.endswith("\n1 error\n")


# --- diff and why -----------------------------------------------------------------------------------------------------

STORMIER = """\
variant: stormier
of: storms
add:
  enums: {sort: [hail]}
  components: {card: {pieces: {hailstone: {title: {en: Hailstone}, count: 2, sort: hail, worth: 1}}}}
  zones: {hand(player): {holds: card, visible: owner}}
  flow: {calm: {before: round, text: Nothing happens., do: nothing}}
change:
  flow:
    round:
      do: |
        while count(drawn) < 6:
          choose "Draw another card?":
            "Draw": draw 2 from deck to drawn
            "Stop": leave
        move drawn to kept[me]
remove: [components.card.pieces.low_sun, text]
"""


def test_diff_tells_in_words_what_house_rules_make_different(houserule: Houserule, rules: str) -> None:
    Path(rules, "variants", "stormier.yaml").write_text(STORMIER, encoding="utf-8")
    result = houserule("diff", rules, "--with", "stormier", "--with", "gale", "--set", "rounds=2")
    assert result.exit_code == 0, result.stderr
    at = "storms/variants/stormier.yaml"
    assert result.stdout.splitlines() == [
        "removed: text",
        f"added: hail to enum sort, after storm ({at}:4)",
        'removed: card low_sun "Low sun"',
        "changed: card storm.count: 8 -> 20 (storms/variants/gale.yaml:4)",
        f'added: card hailstone "Hailstone", 2 of them ({at}:5)',
        "  + hailstone: {count: 2, sort: hail, worth: 1}",
        f"added: zone hand ({at}:6)",
        "  + hand(player): {holds: card, visible: owner}",
        f"added: step calm, after setup ({at}:7)",
        "  + calm: {do: nothing}",
        f"rewritten: step round.do ({at}:11)",
        "    while count(drawn) < 6:",
        '      choose "Draw another card?":',
        '  -     "Draw": draw 1 from deck to drawn',
        '  +     "Draw": draw 2 from deck to drawn',
        '        "Stop": leave',
        "  -   if count(c in drawn where c.sort == storm) == 3:",
        '  -     say "{me} draws a third storm and loses everything drawn this turn."',
        "  -     move drawn to discard",
        "  -     finish",
        "    move drawn to kept[me]",
        "option rounds: 3 -> 2",
    ]


def test_an_option_that_a_house_rule_sets_for_another_is_told(houserule: Houserule, rules: str) -> None:
    more = Path(rules, "variants", "more.yaml")
    more.parent.mkdir(exist_ok=True)
    more.write_text(
        f"variant: more\nof: {Path(rules).name}\nadd: {{options: {{luck: {{type: 0..9, default: 2}}}}}}\n", "utf-8"
    )
    much = Path("much.yaml")
    much.write_text(f"variant: much\nof: {Path(rules).name}\nrequires: [more]\noptions: {{luck: 5}}\n", "utf-8")
    assert "option luck: 2 -> 5" in houserule("diff", rules, "--with", "much.yaml").stdout.splitlines()


def test_where_a_new_member_of_an_enum_stands_is_told(houserule: Houserule, rules: str) -> None:
    file = Path(rules, "game.yaml")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("sort: [sun, storm]", "sort: {members: {sun: {}, storm: {}}}"), encoding="utf-8")
    members = "add: {enums: {sort: {members: {fog: {after: sun}, dawn: {before: sun}}}}}\n"
    Path(rules, "variants", "hazy.yaml").write_text(f"variant: hazy\nof: storms\n{members}", encoding="utf-8")
    told = houserule("diff", rules, "--with", "hazy").stdout
    assert "added: sort fog, after sun (" in told
    assert "added: sort dawn, at the beginning (" in told


def test_a_game_does_not_differ_from_itself(houserule: Houserule, rules: str) -> None:
    assert houserule("diff", rules).exit_code == 2


def test_house_rules_that_change_nothing_are_said_to_change_nothing(houserule: Houserule, rules: str) -> None:
    result = houserule("diff", rules, "--set", "rounds=3")
    assert result.exit_code == 0
    assert result.stdout == "nothing differs: every rule and option is as in 'storms'\n"


def test_why_names_the_files_and_lines_that_made_a_value(houserule: Houserule, rules: str) -> None:
    path = "components.card.pieces.high_sun.worth"
    own = "storms says: 2 (storms/game.yaml:20)"
    assert houserule("why", rules, path).stdout.splitlines() == [own]
    sunny = "sunny changes it to: 5 (storms/variants/sunny.yaml:5)"
    assert houserule("why", rules, path, "--with", "sunny", "--with", "gale").stdout.splitlines() == [own, sunny]
    around = houserule("why", rules, "components.card", "--with", "sunny").stdout.splitlines()
    assert around[1:3] == ["sunny changes pieces.high_sun.worth in it (storms/variants/sunny.yaml:5)", ""]
    assert "components.card.pieces.high_sun.worth: 5" in around[3:]


def test_why_places_an_effect_that_a_house_rule_rewrites_in_the_house_rule(houserule: Houserule, rules: str) -> None:
    Path(rules, "variants", "stormier.yaml").write_text(STORMIER, encoding="utf-8")
    own, rewritten = houserule("why", rules, "flow.round.do", "--with", "stormier").stdout.splitlines()
    assert own == "storms says this (storms/game.yaml:36)"
    assert rewritten == "stormier changes it to this (storms/variants/stormier.yaml:11)"


def test_why_knows_what_is_added_removed_and_set(houserule: Houserule, rules: str) -> None:
    Path(rules, "variants", "stormier.yaml").write_text(STORMIER, encoding="utf-8")
    words = ("--with", "sunny", "--with", "stormier")
    assert (
        "stormier adds: {holds: card, visible: owner} (storms/variants/stormier.yaml:6)"
        in houserule("why", rules, "zones.hand", *words).stdout
    )
    removed = houserule("why", rules, "components.card.pieces.low_sun", *words).stdout
    assert "stormier removes it (storms/variants/stormier.yaml:17)" in removed
    assert (
        "sunny sets it to 2 (storms/variants/sunny.yaml:4)" in houserule("why", rules, "options.rounds", *words).stdout
    )
    assert "it is set to 1" in houserule("why", rules, "options.rounds", *words, "--set", "rounds=1").stdout


def test_why_of_nothing_has_a_suggestion(houserule: Houserule, rules: str) -> None:
    result = houserule("why", rules, "components.crad.pieces")
    assert result.exit_code == 2
    assert "did you mean 'card'?" in result.stderr


# --- new variant ------------------------------------------------------------------------------------------------------


def test_a_new_house_rule_lies_with_its_game_and_is_valid(houserule: Houserule, rules: str) -> None:
    made = houserule("new", "variant", rules, "long_night")
    assert made.exit_code == 0, made.stderr
    assert "houserule validate storms/variants/long_night.yaml" in made.stdout
    assert houserule("validate", Path(rules, "variants", "long_night.yaml")).stderr == ""
    assert houserule("play", rules, "--with", "long_night", "--seats", "random", "--seed", "1").exit_code == 0
    assert "already exists" in houserule("new", "variant", rules, "long_night").stderr
    assert "try 'long_night'" in houserule("new", "variant", rules, "Long Night").stderr


@pytest.mark.parametrize("game", BUNDLED)
def test_a_new_house_rule_of_a_bundled_game_lies_where_one_stands(houserule: Houserule, game: str) -> None:
    made = houserule("new", "variant", game, "mine")
    assert made.exit_code == 0, made.stderr
    assert houserule("validate", "mine.yaml").stderr == ""
    text = Path("mine.yaml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^# (options:|change:|add:|  )", r"\1", text)  # what it shows has names of this game
    Path("mine.yaml").write_text(text, encoding="utf-8")
    assert houserule("validate", game, "--with", "mine.yaml").exit_code == 0
    assert "some_" not in text


def test_a_new_house_rule_changes_the_paths_that_are_named(houserule: Houserule, rules: str) -> None:
    words = ("--change", "components.card.pieces.storm", "--change", "scoring.cards.points")
    assert houserule("new", "variant", rules, "mine", *words).exit_code == 0
    file = Path(rules, "variants", "mine.yaml")
    made = file.read_text(encoding="utf-8")
    assert "        storm:\n          was: {count: 8, sort: storm, worth: 0}\n          count: 8\n" in made
    assert "points: sum(c.worth for c in me.kept)" in made and "Storm" not in made
    assert houserule("validate", file).stderr == ""
    wrong = houserule("new", "variant", rules, "other", "--change", "components.crad")
    assert wrong.exit_code == 2 and "did you mean 'card'?" in wrong.stderr


def test_what_may_be_changed_is_listed_with_its_value(houserule: Houserule, rules: str) -> None:
    listed = houserule("show", rules, "--changeable").stdout.splitlines()
    assert "components.card.pieces.storm.count: 8" in listed
    assert "flow.round.do: while count(drawn) < 6: …" in listed
    assert "title: Storms" in listed and not [line for line in listed if line.startswith(("game", "edition"))]
    data = json.loads(houserule("show", rules, "--changeable", "--json", "--with", "sunny").stdout)
    (found,) = [one for one in data if one["path"] == "components.card.pieces.high_sun.worth"]
    assert (found["value"], found["file"], found["line"]) == (5, "storms/variants/sunny.yaml", 5)
    # Whatever is listed can be changed.
    paths = [word for one in data for word in ("--change", one["path"])]
    assert houserule("new", "variant", rules, "everything", *paths).exit_code == 0
    assert houserule("validate", Path(rules, "variants", "everything.yaml")).stderr == ""


def test_what_may_be_changed_is_found_by_a_word_and_says_what_it_is_given(houserule: Houserule) -> None:
    found = houserule("show", "aladdin", "--changeable", "actions.steal").stdout
    assert "\nactions.steal.do: (sort s) choose victim" in found
    assert "lamp_card" in houserule("show", "aladdin", "--changeable", "lamp").stdout
    assert "nothing that may be changed is called 'lmap'" in houserule("show", "aladdin", "--changeable", "lmap").stderr
    assert "houserule show aladdin --changeable lamp" in houserule("show", "aladdin", "lamp").stderr
    for path, meant in (("tables.set_bonus.gold", "'tables.set_bonus.values.gold'"), ("options.depth=4", "{depth: 4}")):
        assert meant in houserule("new", "variant", "aladdin", "more", "--change", path).stderr


@pytest.mark.parametrize("game", ["aladdin", "ali_baba", "goofspiel", "pig", "yahtzee"])
def test_every_line_of_a_new_house_rule_is_valid(houserule: Houserule, game: str) -> None:
    houserule("new", "variant", game, "mine")
    lines = Path("mine.yaml").read_text(encoding="utf-8").split("\n")
    begun = ("# text:", "# options:", "# change:", "# add:", "# remove:", "#   ")
    meant = [line.removeprefix("# ") if line.startswith(begun) else line for line in lines]
    Path("mine.yaml").write_text("\n".join(meant), encoding="utf-8")
    assert {"change:", "add:"} < set(meant)
    assert houserule("validate", game, "--with", "mine.yaml").stderr == ""


@pytest.mark.parametrize("what", ["variant", "scenario"])
def test_nothing_is_written_into_an_installed_package(
    houserule: Houserule, rules: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "PACKAGE", Path(rules).resolve())
    assert houserule("new", what, Path(rules), "mine").exit_code == 0
    assert Path("mine.yaml").is_file()
    if what == "scenario":
        Path("mine.yaml").unlink()
        assert houserule("new", what, "nim", "mine", "--with", Path(rules, "variants", "sunny.yaml")).exit_code == 1
        assert houserule("new", what, "nim", "mine").exit_code == 0
        assert houserule("test", "mine.yaml").exit_code == 0


def test_a_new_scenario_of_a_house_rule_names_its_file(houserule: Houserule) -> None:
    houserule("new", "variant", "nim", "odd")
    assert houserule("new", "scenario", "nim", "first", "--with", "odd.yaml").exit_code == 0
    assert "with: [odd.yaml]" in Path("first.yaml").read_text(encoding="utf-8")
    assert houserule("test", "first.yaml").exit_code == 0


def test_a_new_scenario_of_a_house_rule_elsewhere_is_run_with_it(houserule: Houserule) -> None:
    """A scenario names no file above its folder, so that the command which tests it does."""
    houserule("new", "variant", "nim", "odd")
    Path("below").mkdir()
    Path("odd.yaml").rename("below/odd.yaml")
    Path("inner").mkdir()
    os.chdir("inner")
    made = houserule("new", "scenario", "nim", "first", "--with", "../below/odd.yaml")
    assert "houserule test first.yaml --with ../below/odd.yaml" in made.stdout
    assert "with:" not in Path("first.yaml").read_text(encoding="utf-8")
    assert houserule("test", "first.yaml", "--with", "../below/odd.yaml").exit_code == 0


def test_a_house_rule_or_scenarios_instead_of_a_game_are_said_to_be_that(houserule: Houserule) -> None:
    houserule("new", "variant", "aladdin", "longer")
    houserule("new", "game", "storms")
    for command in ("play", "show", "simulate", "diff"):
        result = houserule(command, "longer.yaml")
        assert result.exit_code == 2
        assert "'longer.yaml' is a house rule, not a game" in result.stderr
        assert "--with longer.yaml" in result.stderr
    assert "houserule test storms/scenarios/first.yaml" in houserule("play", "storms/scenarios/first.yaml").stderr


def test_a_house_rule_that_is_named_without_its_ending_is_found_to_be_a_file(houserule: Houserule) -> None:
    houserule("new", "variant", "aladdin", "longer")
    result = houserule("diff", "aladdin", "--with", "longer")
    assert "did you mean the file: --with longer.yaml" in result.stderr
    houserule("new", "game", "storms")
    Path("longer.yaml").rename(Path("storms", "longer.yaml"))
    beside = houserule("simulate", "storms", "--with", "longer").stderr
    assert "did you mean the file: --with storms/longer.yaml" in " ".join(beside.split())


def test_why_lists_what_is_below_a_path_or_a_word(houserule: Houserule) -> None:
    said = houserule("why", "aladdin", "set_bonus").stdout.splitlines()
    assert "tables.set_bonus.values.bronze: 6" in said
    assert [line for line in said if not line.startswith("tables.set_bonus.")] == []
    assert "tables.set_bonus.values.gold: 10" in houserule("why", "aladdin", "tables").stdout
    assert "did you mean 'set_bonus'?" in houserule("why", "aladdin", "tables.set_bonsu").stderr
    assert "did you mean 'set_bonus'?" in houserule("why", "aladdin", "set_bonsu").stderr


@pytest.mark.parametrize("name", ["goofspiel", "nim"])
def test_whatever_may_be_changed_can_be_changed_by_itself(name: str, tmp_path: Path) -> None:
    game, rule = load(name), tmp_path / "same.yaml"
    for one in game.changeable():
        rule.write_text(f"variant: same\nof: {name}\ntitle: The same\n{game.change_of([one.path])}\n", encoding="utf-8")
        assert load(name, rule).rules_hash, one.path
