"""What is told of pieces whose back alone is seen, and of steps that come once or again."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule

CELLAR = """\
edition: 2026
game: cellar
title: {{en: The cellar, de: Der Keller}}
players: 2
options: {{evenings: {{type: 1..3, default: 1}}}}
enums: {{year: [old, new]}}
components:
  bottle:
    {titles}
    attributes: {{year: year}}
    each: {{year: year}}
    starts_in: rack
zones:
  rack: {{holds: bottle, visible: none, title: {{en: Rack, de: Regal}}}}
  bin: {{holds: bottle, visible: none, title: {{en: Bin, de: Kiste}}}}
flow:
  evening:
    title: {{en: Evening, de: Abend}}
    repeat: evenings
    do: draw 1 from rack to bin
"""


def told(folder: Path, titles: str, language: str, **options: int) -> list[str]:
    """What the first player is told."""
    (folder / "game.yaml").write_text(CELLAR.format(titles=titles), encoding="utf-8")
    match = houserule.load(folder, options=options).start(2, seed=1, language=language)
    return [event.text for event in match.events_for(0)]


@pytest.mark.parametrize(
    ("titles", "english", "german"),
    [
        ('title: {en: "{it.year} wine", de: "Wein: {it.year}"}', "face-down bottle", "bottle (verdeckt)"),
        ("title: {en: wine, de: Wein}", "face-down wine", "Wein (verdeckt)"),
        (
            'title: {en: "{it.year} wine", de: "Wein: {it.year}"}\n    back_title: {en: flask, de: Flasche}',
            "face-down flask",
            "Flasche (verdeckt)",
        ),
    ],
)
def test_a_piece_from_behind_is_called_by_its_back_title_else_by_what_all_are_called(
    tmp_path: Path, titles: str, english: str, german: str
) -> None:
    assert f"{english}: Rack → Bin" in told(tmp_path, titles, "en")
    assert f"{german}: Regal → Kiste" in told(tmp_path, titles, "de")


def test_a_back_title_is_asked_for_in_every_language_and_shows_no_value(tmp_path: Path) -> None:
    titles = 'title: {en: "{it.year} wine", de: "Wein: {it.year}"}\n    back_title: {en: "flask {it.year}"}'
    (tmp_path / "game.yaml").write_text(CELLAR.format(titles=titles), encoding="utf-8")
    assert {"HR585", "HR590"} <= {found.code for found in houserule.validate(tmp_path)}


def test_passes_are_numbered_where_there_may_be_a_second(tmp_path: Path) -> None:
    titles = "title: {en: wine, de: Wein}"
    once, twice = told(tmp_path, titles, "en"), told(tmp_path, titles, "en", evenings=2)
    assert [text for text in once if "Evening" in text] == ["Evening"]
    assert [text for text in twice if "Evening" in text] == ["Evening 1", "Evening 2"]


@pytest.mark.parametrize("value", ["{12 // (age - 3)}", "{mood}"])
def test_a_value_that_cannot_be_worked_out_is_a_question_mark(tmp_path: Path, value: str) -> None:
    rules = CELLAR.format(titles=f'title: {{en: "wine {value}", de: "Wein {value}"}}')
    rules = rules.replace("attributes: {year: year}", "attributes: {age: 0..9}").replace(
        "each: {year: year}", "pieces: {a: {age: 3}}"
    )
    rules = rules.replace("visible: none", "visible: all") + "variables: {mood: {type: 0..9, start: 5}}\n"
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    match = houserule.load(tmp_path).start(2, seed=1)
    assert "wine ?: Rack → Bin" in [event.text for event in match.events_for(0)]


def test_a_place_below_zero_has_a_minus_sign_for_people(tmp_path: Path) -> None:
    rules = (
        "edition: 2026\ngame: yard\nplayers: 2\n"
        "components:\n  cell: {grid: square, attributes: {row: -1..1, column: -1..1}, each: {row: -1..1, column: -1..1}}\n"
        "  post: {starts_in: store, pieces: {oak: {}}}\n"
        "zones: {store: {holds: post, visible: all}, on(cell): {holds: post, visible: all}}\n"
        'flow: {build: {turns: players, do: "choose c from cell: move oak to on[c]"}}\n'
    )
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    options = houserule.load(tmp_path).start(2, seed=1).pending[0].options
    assert {(one.key, one.label) for one in options} >= {("minus1_0", "cell -1 0"), ("cell_0_minus1", "cell 0 -1")}
