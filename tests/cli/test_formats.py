"""The formats of reports: what each says of the same findings, and that it is what readers of that format expect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator
from typer.testing import Result

from houserule import validate
from houserule.cli.reports import Findings, Format, to_annotations, to_json, to_junit, to_sarif, write
from houserule.codes import CODES
from houserule.diagnostics import Diagnostic, Fix, Related, Span

Houserule = Callable[..., Result]

# As published for SARIF 2.1.0.
SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
BROKEN = sorted((Path(__file__).parents[1] / "broken" / "files").glob("*.yaml"))
ANNOTATION = re.compile(r"::(error|warning) ((?:\w+=[^,:]*,?)+)::(.*)")
WEIRD = "50 % of it, <b>: \n\x00\udc80 ende"


@cache
def findings_of_broken_files() -> Findings:
    """Everything that is wrong with all broken files."""
    return Findings("validate", [(file.name, validate(file)) for file in BROKEN])


def sarif(text: str) -> Any:
    """A report that fits the schema of SARIF."""
    log = json.loads(text)
    faults = [f"{list(fault.absolute_path)}: {fault.message}" for fault in Draft4Validator(SCHEMA).iter_errors(log)]
    assert not faults
    return log["runs"][0]


def annotations(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """The level, the properties and the message of each line, as GitHub takes them apart."""
    for line in text.splitlines():
        found = ANNOTATION.fullmatch(line)
        assert found, line
        yield found[1], dict(part.split("=", 1) for part in found[2].split(",")), found[3]


def oddity(severity: Any = "error") -> Findings:
    """A diagnostic with everything in it that a format could trip over."""
    place = Span("a folder/ä,b:c.yaml", 3, 5, 4, 2)
    found = Diagnostic("HR501", severity, WEIRD, place, WEIRD, (Related(WEIRD, place),), Fix(place, WEIRD))
    return Findings("validate", [(WEIRD, [found])])


@pytest.fixture
def broken_storms(storms: str) -> str:
    """The small game with a name that is not there, and one of its scenarios with an expectation that does not hold."""
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    return storms


@pytest.fixture
def wrong_scenario(storms: str) -> str:
    file = Path(storms, "scenarios", "wrong.yaml")
    text = "of: storms\nplayers: [maya, margot]\n---\nscenario: One is two\nexpect:\n  - 1 == 2\n"
    file.write_text(text, encoding="utf-8")
    return str(file)


# --- sarif ------------------------------------------------------------------------------------------------------------


def test_sarif_of_everything_that_can_be_wrong_fits_its_schema() -> None:
    run = sarif(to_sarif(findings_of_broken_files()))
    diagnostics = findings_of_broken_files().diagnostics
    assert len(run["results"]) == len(diagnostics) > 100
    for result, diagnostic in zip(run["results"], diagnostics, strict=True):
        assert result["ruleId"] == diagnostic.code == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]
        assert len(result.get("relatedLocations", ())) == len(diagnostic.related)


def test_each_rule_of_sarif_explains_itself_with_the_row_of_its_code() -> None:
    run = sarif(to_sarif(findings_of_broken_files()))
    for rule in run["tool"]["driver"]["rules"]:
        row = CODES[rule["id"]]
        assert rule["shortDescription"]["text"] == row.title
        assert rule["defaultConfiguration"]["level"] == row.severity
        for text in rule["help"].values():
            assert row.why in text
            assert row.broken.rstrip("\n") in text
            assert row.mended.rstrip("\n") in text


def test_sarif_points_at_the_words_as_seen_from_the_current_folder(houserule: Houserule, broken_storms: str) -> None:
    result = houserule("validate", broken_storms, "--format", "sarif")
    assert (result.exit_code, result.stderr) == (1, "")
    run = sarif(result.stdout)
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    (found,) = run["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "storms/game.yaml"
    region = place["region"]
    line = Path(broken_storms, "game.yaml").read_text(encoding="utf-8").split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "dekc"


def test_sarif_and_json_have_what_certainly_mends_a_mistake() -> None:
    findings = oddity()
    (fix,) = sarif(to_sarif(findings))["results"][0]["fixes"]
    ((change,),) = [fix["artifactChanges"]]
    assert change["artifactLocation"]["uri"] == "a%20folder/%C3%A4%2Cb%3Ac.yaml"
    (replacement,) = change["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 3, "startColumn": 5, "endLine": 4, "endColumn": 2}
    assert replacement["insertedContent"]["text"].startswith("50 % of it")
    (found,) = json.loads(to_json(findings))["diagnostics"]
    ((place, text),) = [({key: fix[key] for key in ("line", "column")}, fix["text"]) for fix in found["fixes"]]
    assert (place, text) == ({"line": 3, "column": 5}, WEIRD)


def test_sarif_of_a_sound_game_has_no_results(houserule: Houserule, storms: str) -> None:
    result = houserule("validate", storms, "--format", "sarif")
    assert result.exit_code == 0
    assert sarif(result.stdout)["results"] == []


def test_a_scenario_that_does_not_hold_is_a_result_at_its_line(houserule: Houserule, wrong_scenario: str) -> None:
    result = houserule("test", wrong_scenario, "--format", "sarif")
    assert result.exit_code == 1
    (found,) = sarif(result.stdout)["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "storms/scenarios/wrong.yaml"
    assert place["region"] == {"startLine": 6}
    assert "One is two" in found["message"]["text"]


# --- github -----------------------------------------------------------------------------------------------------------


def test_annotations_stand_at_the_words(houserule: Houserule, broken_storms: str) -> None:
    result = houserule("validate", broken_storms, "--format", "github")
    assert (result.exit_code, result.stderr) == (1, "")
    ((level, properties, message),) = annotations(result.stdout)
    assert (level, properties["file"], properties["title"]) == ("error", "storms/game.yaml", "HR501")
    assert "'dekc'" in message
    assert "%0Ahelp: did you mean 'deck'?" in message
    (found,) = validate(broken_storms)
    assert int(properties["line"]) == int(properties["endLine"]) == found.span.line
    assert (int(properties["col"]), int(properties["endColumn"])) == (found.span.column, found.span.end_column)


def test_a_scenario_that_does_not_hold_is_annotated(houserule: Houserule, wrong_scenario: str) -> None:
    ((level, properties, _),) = annotations(houserule("test", wrong_scenario, "--format", "github").stdout)
    assert level == "error"
    assert properties == {"file": "storms/scenarios/wrong.yaml", "line": "6", "title": "One is two"}


def test_there_are_no_annotations_when_all_is_well(houserule: Houserule, storms: str) -> None:
    assert houserule("validate", storms, "--format", "github").stdout == ""
    assert houserule("test", storms, "--format", "github").stdout == ""


# --- junit ------------------------------------------------------------------------------------------------------------


def test_junit_counts_what_fails(houserule: Houserule, broken_storms: str) -> None:
    result = houserule("validate", broken_storms, "--format", "junit")
    assert result.exit_code == 1
    (suite,) = ElementTree.fromstring(result.stdout)
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("./storms", "1", "1")
    (case,) = suite
    assert case.get("file") == "storms/game.yaml"
    failure = case[0]
    assert (failure.tag, failure.get("type")) == ("failure", "HR501")
    assert "^^^^" in str(failure.text)


def test_junit_of_a_sound_game_is_a_case_that_passes(houserule: Houserule, storms: str) -> None:
    ((case,),) = ElementTree.fromstring(houserule("validate", storms, "--format", "junit").stdout)
    assert len(case) == 0


def test_junit_of_scenarios_has_files_with_errors_in_it(houserule: Houserule, broken_storms: str) -> None:
    result = houserule("test", broken_storms, "--format", "junit")
    assert (result.exit_code, result.stderr) == (1, "")
    cases = [case for suite in ElementTree.fromstring(result.stdout) for case in suite]
    assert cases
    assert all(case[0].get("type") == "HR501" for case in cases)


# --- json, and all of them --------------------------------------------------------------------------------------------


def test_json_of_scenarios_says_which_hold(houserule: Houserule, wrong_scenario: str) -> None:
    found = json.loads(houserule("test", wrong_scenario, "--format", "json").stdout)
    assert (found["passed"], found["failed"], found["diagnostics"]) == (0, 1, [])
    (scenario,) = found["scenarios"]
    assert (scenario["name"], scenario["file"], scenario["line"]) == ("One is two", "storms/scenarios/wrong.yaml", 6)
    assert scenario["message"]


@pytest.mark.parametrize("format", [format for format in Format if format is not Format.text])
def test_every_format_can_write_whatever_a_file_says(format: Format) -> None:
    for findings in (findings_of_broken_files(), oddity()):
        assert write(findings, format).encode("utf-8")


def test_signs_that_mean_something_to_a_format_are_escaped() -> None:
    uri = sarif(to_sarif(oddity()))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20folder/%C3%A4%2Cb%3Ac.yaml"
    ((_, properties, message),) = annotations(to_annotations(oddity()))
    assert properties == {"file": "a folder/ä%2Cb%3Ac.yaml", "line": "3", "endLine": "4", "title": "HR501"}
    assert message.startswith("50 %25 of it, <b>: %0A")
    ((case,),) = ElementTree.fromstring(to_junit(oddity()))
    assert "<b>" in str(case.get("name"))


# --- strict -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", Format)
def test_a_warning_fails_only_where_that_is_wanted(houserule: Houserule, storms: str, format: Format) -> None:
    file = Path(storms, "game.yaml")
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text.rstrip()}\n\ntables:\n  nobody_uses_this: [1, 2]\n", encoding="utf-8")
    (found,) = validate(storms)
    assert found.severity == "warning"
    for command in ("validate", "test"):
        assert houserule(command, storms, "--format", format).exit_code == 0
        strict = houserule(command, storms, "--format", format, "--strict")
        assert strict.exit_code == 1
        assert found.code in strict.stdout + strict.stderr


def test_a_warning_that_may_stand_does_not_look_like_an_error() -> None:
    findings = oddity("warning")
    assert next(annotations(to_annotations(findings)))[0] == "warning"
    ((case,),) = ElementTree.fromstring(to_junit(findings))
    assert [part.tag for part in case] == ["system-out"]
    findings.is_strict = True
    assert next(annotations(to_annotations(findings)))[0] == "error"
    ((case,),) = ElementTree.fromstring(to_junit(findings))
    assert [part.tag for part in case] == ["failure"]
    assert sarif(to_sarif(findings))["results"][0]["level"] == "warning"
