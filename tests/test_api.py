"""The page of the library is what the docstrings say, and its examples and those of the notebook run."""

from __future__ import annotations

import ast
import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest

import houserule
from tests.bundled import load

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
SETUP, *EXAMPLES = re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL)


def test_every_public_name_has_its_entry() -> None:
    assert {name for name in houserule.__all__ if f"\n### {name}\n" not in PAGE} == set()
    assert len(EXAMPLES) >= 12


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_the_library_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(SETUP + EXAMPLES[number], {}, f"example {number}", "docs/api.md", 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


def test_the_notebook_runs_and_shows_what_it_should() -> None:
    book = json.loads((ROOT / "docs" / "tour.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = []
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "docs/tour.ipynb", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "docs/tour.ipynb", "eval"), names)
            as_html = getattr(value, "_repr_html_", None)
            shown.append(as_html() if as_html is not None else repr(value))
    assert shown[0] == "<Game aladdin, 2 to 5 players>"
    assert shown[1].startswith("<figure") and "<svg" in shown[1]
    assert shown[4].startswith("<table") and "Maya" in shown[4]
    assert "60 matches" in shown[5]


def test_values_of_a_sheet_are_drawn_in_their_cells() -> None:
    match = load("yahtzee").start(1, seed=2)
    while not match.is_over:
        match.answer(0, match.pending[0].options[-1])
    drawn = str(match._repr_html_())
    assert "<tr><th>chance</th><td>" in drawn and str(match.scores["Player 1"]) not in ("", "0")


def test_a_drawn_match_shows_no_secret_and_no_markup_of_names() -> None:
    match = load("hearts").start(["<b>", "Ben", "Cleo", "Dan"], seed=1)
    drawn = match._repr_html_()
    assert drawn is not None and "<b>" not in drawn and "&lt;b&gt;" in drawn
    assert drawn.index("Ben") < drawn.index("Cleo") < drawn.rindex("points"), "what lies before whom"
    assert "aria-label" in drawn and load("kuhn_poker").start(2, seed=1)._repr_html_().count("jack") == 0
