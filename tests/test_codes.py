"""Every row of the table of codes: its broken example breaks as it says, its mended one does not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import houserule
from houserule.codes import CHANGED_GAME, CODES, PLAYED_GAME, ROWS, Code, code_of
from houserule.definition.schema import check_shape
from houserule.diagnostics import Diagnostic, Report
from tests.reading import read_text

# Only a file that is not there, not readable or not text can show these.
WITHOUT_EXAMPLE = {"HR101", "HR102", "HR103", "HR104", "HR105", "HR107", "HR588", "HR109", "HR712"}


def found_in(text: str, row: Code) -> list[Diagnostic]:
    report = Report()
    node = read_text(text, "game.yaml", report)
    if node is not None and row.document != "text":
        check_shape(node, row.document, report)
    return report.diagnostics


def found_in_variants(text: str, folder: Path) -> list[Diagnostic]:
    (folder / "variants").mkdir()
    (folder / "game.yaml").write_text(CHANGED_GAME, encoding="utf-8")
    names = []
    for document in text.split("---\n"):
        names.append(document.split("\n")[0].removeprefix("variant: "))
        (folder / "variants" / f"{names[-1]}.yaml").write_text(document, encoding="utf-8")
    return houserule.validate(folder, names)


def found_in_game(text: str, folder: Path) -> list[Diagnostic]:
    """What is found in a game whose parts, if it has any, say their names in their first lines."""
    folder.mkdir()
    game, *parts = text.split("---\n")
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    for part in parts:
        (folder / part.split("\n")[0].removeprefix("# ")).write_text(part, encoding="utf-8")
    return houserule.validate(folder)


def found_in_scenario(text: str, folder: Path) -> list[Diagnostic]:
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text(PLAYED_GAME, encoding="utf-8")
    file = folder / "scenarios" / "short.yaml"
    file.write_text(text, encoding="utf-8")
    return houserule.validate(file)


def by_code(*begun: str) -> list[object]:
    """The codes that begin so and have an example, which is no variant or scenario."""
    kept = (row for row in ROWS if row.document in ("game", "text"))
    return [pytest.param(row, id=row.code) for row in kept if row.broken and row.code.startswith(begun)]


def by_document(document: str) -> list[object]:
    """The codes whose example is a variant or a scenario."""
    return [pytest.param(row, id=row.code) for row in ROWS if row.document == document]


@pytest.mark.parametrize("row", by_code("HR1", "HR20"))
def test_the_broken_example_breaks_as_it_says(row: Code) -> None:
    found = found_in(row.broken, row)
    assert row.code in {d.code for d in found}
    assert {d.severity for d in found if d.code == row.code} == {row.severity}
    if row.code != "HR140":
        assert {d.code for d in found} == {row.code}


@pytest.mark.parametrize("row", by_code("HR1", "HR2"))
def test_the_mended_example_is_clean(row: Code) -> None:
    assert found_in(row.mended, row) == []


@pytest.mark.parametrize("row", by_document("variant"))
def test_the_broken_variant_breaks_as_it_says_and_the_mended_one_is_clean(row: Code, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "mended").mkdir()
    found = found_in_variants(row.broken, tmp_path / "broken")
    assert [(d.code, d.severity) for d in found] == [(row.code, row.severity)]
    assert found_in_variants(row.mended, tmp_path / "mended") == []


@pytest.mark.parametrize("row", by_code("HR212", "HR213", "HR3", "HR4", "HR5"))
def test_the_broken_game_breaks_as_it_says_and_the_mended_one_is_clean(row: Code, tmp_path: Path) -> None:
    found = found_in_game(row.broken, tmp_path / "broken")
    assert [(d.code, d.severity) for d in found] == [(row.code, row.severity)]
    assert found_in_game(row.mended, tmp_path / "mended") == []


@pytest.mark.parametrize("row", by_document("scenario"))
def test_the_broken_scenario_breaks_as_it_says_and_the_mended_one_is_clean(row: Code, tmp_path: Path) -> None:
    found = found_in_scenario(row.broken, tmp_path / "broken" / "tiny")
    assert [(d.code, d.severity) for d in found] == [(row.code, row.severity)]
    assert found_in_scenario(row.mended, tmp_path / "mended" / "tiny") == []


def test_every_code_that_is_reported_has_a_row_and_every_row_is_reported() -> None:
    package = Path(houserule.__file__).parent
    sources = [path for path in package.rglob("*.py") if path.parent.name != "codes"]
    reported = {code for path in sources for code in re.findall(r'"(HR\d{3})"', path.read_text(encoding="utf-8"))}
    stages = {"HR200", "HR400", "HR500"}  # where the codes of a stage begin
    assert reported - stages == set(CODES)


def test_codes_are_used_once() -> None:
    assert [code for code, times in Counter(row.code for row in ROWS).items() if times > 1] == []
    assert all(re.fullmatch(r"HR[1-9]\d\d", code) for code in CODES)


def test_the_file_of_a_code_has_its_name_and_nothing_else_is_a_code() -> None:
    folder = Path(houserule.__file__).parent / "codes"
    assert [path.stem for path in sorted(folder.glob("*.txt"))] == [row.code for row in ROWS]
    text = (folder / "HR501.txt").read_text(encoding="utf-8")
    assert code_of(text) == CODES["HR501"]
    for wrong in (text.replace("error", "mistake", 1), text.replace("=== fixed", "=== mended"), text.split("\n")[0]):
        with pytest.raises(ValueError, match="no page of a code"):
            code_of(wrong)


def test_every_row_has_an_example_unless_no_text_can_show_it() -> None:
    assert {row.code for row in ROWS if not row.broken} == WITHOUT_EXAMPLE


def test_sentences_of_the_table_end_as_sentences_do() -> None:
    for row in ROWS:
        assert row.title
        assert not row.title.endswith(".")
        assert row.why.endswith(".")
        assert bool(row.broken) == bool(row.mended), row.code
