"""The commands that play many matches: what they print, write and refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from houserule.cli.streams import OutputLost
from houserule.cli.studies import as_meant
from houserule.extras import MissingExtra

Houserule = Callable[..., Result]


def test_a_study_is_written_and_goes_on_and_is_refused_where_it_is_another(houserule: Houserule, storms: str) -> None:
    words = ["simulate", storms, "-n", "60", "--seats", "first,random", "--rotate", "--out", "kept", "--csv"]
    shown = houserule(*words)
    assert shown.exit_code == 0, shown.stderr
    assert "seats: first, random" in shown.stdout and "Wins by bot" in shown.stdout
    assert {"matches.parquet", "options.parquet", "matches.csv", "options.csv", "study.json"} == {
        file.name for file in Path("kept").iterdir()
    }
    before = Path("kept/matches.parquet").read_bytes()
    assert houserule(*words).exit_code == 0
    assert Path("kept/matches.parquet").read_bytes() == before
    for more, sentence in (
        (["--seed", "2"], "'kept' holds another study: seed 0 there, 2 here"),
        (["-n", "10"], "'kept' holds 60 matches already, more than 10"),
    ):
        refused = houserule(*words, *more)
        assert refused.exit_code == 2
        assert sentence in refused.stderr and "Traceback" not in refused.stderr


@pytest.mark.usefixtures("undrawn")
def test_sides_that_are_the_same_are_said_to_be_so_and_a_house_rule_stands_in_the_title(
    houserule: Houserule, storms: str
) -> None:
    same = "both sides have the same rules"
    assert same in houserule("compare", storms, "-n", "4").stderr
    assert same not in houserule("compare", "ali_baba", "--with", "small_cave", "-n", "2").stderr
    shown = houserule("simulate", "aladdin", "--with", "my_precious", "-n", "4", "--report", "report.html").stdout
    assert "with My Precious: 4 random matches" in " ".join(shown.split())
    assert "with My Precious: a playtest" in Path("report.html").read_text(encoding="utf-8")


SLOW = """\
edition: 2026
game: slow
players: 2
variables:
  total(player): int
functions:
  laborious(int n): sum(a % 7 for a in 1..40 for b in 1..n)
flow:
  count:
    repeat: 20
    turns: players
    do: |
      choose n from 1..9
      me.total = laborious(n * 3)
      me.total += n
scoring: {total: me.total}
"""


def test_a_profile_says_which_line_takes_the_time(houserule: Houserule) -> None:
    file = Path("game.yaml")
    file.write_text(SLOW, encoding="utf-8")
    found = json.loads(houserule("simulate", "game.yaml", "-n", "40", "--profile", "--json").stdout)
    profile, lines = found["profile"], SLOW.split("\n")
    worst, *_ = profile["lines"]
    assert found["matches"] == 40 and profile["looks"] > 10
    assert "laborious" in worst["text"] and lines[worst["line"] - 1].strip() == worst["text"]
    assert worst["file"] == "game.yaml" and 0.5 < worst["share"] <= worst["with_calls"] <= 1
    assert sum(line["share"] for line in profile["lines"]) + profile["elsewhere"] == pytest.approx(1)
    shown = houserule("simulate", "game.yaml", "-n", "40", "--profile").stdout
    assert all(
        words in shown for words in ("Time by line of the rules", f"game.yaml:{worst['line']}", "outside the rules")
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["simulate", "--seats", "rondom"], "'rondom' cannot take a seat"),
        (["simulate", "--players", "2", "--seats", "first,first,first"], "3 seats are named for 2 players"),
        (["simulate", "--csv"], "--csv writes to the folder of --out"),
        (["simulate", "--profile", "--workers", "2"], "--profile covers a single process"),
        (["simulate", "--profile", "--engine", "native"], "--profile covers rules played in Python"),
        (["simulate", "--out", "storms/game.yaml/kept"], "cannot be written"),
        (["compare", "--against", "sunnny"], "no variant 'sunnny', and there is no such file"),
        (["compare", "--precision", "0"], "--precision expects a number"),
        (["sweep"], "a sweep needs one option with several values, or two"),
        (["sweep", "--set", "rounds=9..3"], "'9..3' has no values"),
        (["sweep", "--set", "rounds=1..2", "--set", "rounds=3"], "'rounds' is set twice"),
        (["sweep", "--set", "rounds=1..900"], "a sweep has at most 200"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(
    houserule: Houserule, storms: str, words: list[str], sentence: str
) -> None:
    result = houserule(words[0], storms, "-n", "5", *words[1:])
    assert result.exit_code == 2, result.output
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("undrawn")
def test_what_stands_behind_against_is_of_the_other_side(houserule: Houserule, storms: str) -> None:
    words = "--with a --set x=1 --against b --set=y=2 --with c".split()
    assert as_meant(words) == "--with a --set x=1 --against b --against-set=y=2 --against c".split()
    result = houserule(
        "compare", storms, "--set", "rounds=1", "--against", storms, "--set", "rounds=3", "-n", "60", "--json"
    )
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert [side["options"]["rounds"] for side in found["sides"]] == [1, 3]
    length = next(one for one in found["differences"] if one["measure"] == "decisions")
    assert length["difference"]["high"] < 0 and length["is_told"]
    assert found["matches"] == 60 and len(found["verdict"]) == 4
    shown = houserule("compare", storms, "--set", "rounds=1", "-n", "60", "--report", "r.html").stdout
    assert "60 matches of each side" in shown
    assert re.search(r"<h1>Rounds=1 against|<h1>rounds=1 against", Path("r.html").read_text(encoding="utf-8"))


def test_a_sweep_has_a_row_for_each_setting(houserule: Houserule, storms: str) -> None:
    words = ["sweep", storms, "--set", "rounds=1..3", "-n", "40"]
    shown = houserule(*words, "--report", "sweep.html")
    assert shown.exit_code == 0, shown.stderr
    assert "rounds = 1, 2, 3" in shown.stdout
    assert Path("sweep.html").read_text(encoding="utf-8").count("<svg") > 3
    points = json.loads(houserule(*words, "--json").stdout)["points"]
    lengths = [point["estimate"] for point in points if point["measure"] == "decisions"]
    assert lengths == sorted(lengths) and lengths[0] < lengths[-1]


def test_a_sweep_of_far_too_many_settings_is_refused_in_a_sentence(houserule: Houserule, storms: str) -> None:
    result = houserule("sweep", storms, "--set", "rounds=1..999999999999999")
    assert (result.exit_code, "houserule: " in result.stderr) == (2, True), result.stderr


@pytest.mark.usefixtures("undrawn")
def test_figures_are_printed_where_the_report_cannot_be_written(
    houserule: Houserule, storms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("houserule.study.report.write_file", full)
    for words in (["simulate"], ["compare", "--set", "rounds=3"], ["sweep", "--set", "rounds=1..2"]):
        result = houserule(words[0], storms, *words[1:], "-n", "20", "--report", "report.html")
        assert result.exit_code == 2
        assert result.stderr.endswith("cannot be written: No space left on device\n")
        assert "20" in result.stdout


@pytest.mark.parametrize("words", [["compare", "--set", "rounds=3"], ["sweep", "--set", "rounds=1..2"]])
def test_what_a_verdict_needs_is_missed_before_the_first_match(
    houserule: Houserule, storms: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str, extra: str) -> None:
        raise MissingExtra(module, extra)

    monkeypatch.setattr("houserule.study.figures.library", missing)
    result = houserule(words[0], storms, *words[1:])
    assert result.exit_code == 2
    assert "houserule[study]" in result.stderr
    assert "Traceback" not in result.stderr


MARKET = Path(__file__).parents[1] / "study" / "market"


@pytest.mark.usefixtures("undrawn")
def test_a_ladder_resumes_and_is_printed(houserule: Houserule, tmp_path: Path) -> None:
    words = ["ladder", str(MARKET / "game.yaml"), "--bots", "first,random", "-n", "20", "--out", str(tmp_path / "kept")]
    first = houserule(*words, "--json")
    assert first.exit_code == 0, first.stderr
    assert (tmp_path / "kept" / "side_1" / "1_random" / "matches.parquet").exists()
    assert json.loads(houserule(*words, "--json").stdout) == json.loads(first.stdout)
    files = ["--csv", str(tmp_path / "rungs.csv"), "--report", str(tmp_path / "page.html")]
    shown = houserule(*words, *files)
    assert shown.exit_code == 0 and "duels" in shown.stdout
    assert (tmp_path / "rungs.csv").read_text(encoding="utf-8").startswith("side,weaker,stronger,duels,low,high,seat_1")
    assert "How often the stronger wins" in (tmp_path / "page.html").read_text(encoding="utf-8")
    for bots, sentence in (("random", "needs two bots or more"), ("random,knight", "cannot take a seat")):
        refused = houserule("ladder", str(MARKET / "game.yaml"), "--bots", bots)
        assert refused.exit_code == 2 and sentence in refused.stderr


def test_what_differs_and_what_is_swept_is_written_as_csv(houserule: Houserule) -> None:
    game = str(MARKET / "game.yaml")
    words = ["compare", game, "--with", str(MARKET / "variants" / "dead.yaml"), "-n", "40", "--csv", "differences.csv"]
    assert houserule(*words).exit_code == 0
    assert (
        Path("differences.csv")
        .read_text("utf-8")
        .startswith("measure,title,unit,first,second,difference,is_told,low,high")
    )
    lost = houserule(*words[:-1], "nowhere/differences.csv")
    assert lost.exit_code == 2 and "cannot be written" in lost.stderr


@pytest.mark.usefixtures("undrawn")
def test_a_sweep_says_what_was_swept_in_eighty_columns(houserule: Houserule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = (MARKET / "game.yaml").read_text("utf-8")
    text = text.replace(
        "components:", "options: {points_for_the_whole_majority: {type: 1..9, default: 1}}\ncomponents:", 1
    )
    Path("game.yaml").write_text(text, "utf-8")
    files = ["--csv", "points.csv", "--report", "page.html"]
    shown = houserule("sweep", "game.yaml", "-n", "30", "--set", "points_for_the_whole_majority=1,9", *files)
    assert shown.exit_code == 0, shown.stderr
    rows = [line.split("│")[1].strip() for line in shown.stdout.splitlines() if line.startswith("│")]
    assert rows == ["1", "9"]
    assert "points_for_the_whole_majority" in "".join(shown.stdout.split())
    assert Path("points.csv").read_text("utf-8").startswith("points_for_the_whole_majority,measure,title,unit,estimate")
    assert "points_for_the_whole_majority = 1, 9</h1>" in Path("page.html").read_text("utf-8")


@pytest.mark.usefixtures("undrawn")
def test_a_report_is_written_though_nobody_reads_the_figures(
    houserule: Houserule, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise OutputLost("nobody reads this output any more")

    monkeypatch.setattr("houserule.cli.studies.print_figures", lost)
    with pytest.raises(OutputLost):
        houserule("simulate", str(MARKET / "game.yaml"), "-n", "30", "--report", "page.html")
    assert "a playtest" in Path("page.html").read_text("utf-8")
