"""Icons: their names, the drawings that travel with a game, and what of a stranger's drawings is believed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houserule import games
from houserule.bundled import bundled_game
from houserule.icons import (
    CREDIT,
    LONGEST_DRAWING,
    MOST_DRAWINGS,
    WrongPackage,
    drawings,
    known,
    library,
    matching,
    named_in,
    names,
    valid,
    written,
)
from tests.cli.conftest import Houserule


@pytest.mark.parametrize("game", games())
def test_a_bundled_game_brings_the_icons_that_its_layouts_name_and_no_others(game: str) -> None:
    folder = bundled_game(game)
    assert folder is not None
    named = named_in(path.read_text("utf-8") for path in folder.rglob("*.yaml"))
    assert list(drawings(folder)) == named
    if named:
        assert CREDIT in (folder / "icons.LICENSE.txt").read_text("utf-8")
        assert json.loads((folder / "icons.json").read_text("utf-8"))["credit"] == CREDIT


def test_names_are_found_by_their_words() -> None:
    assert {"game-icons/magic-lamp", "pips/6", "suit/spade"} <= known()
    assert matching(["lamp"]).index("magic-lamp") < matching(["lamp"]).index("clamp")
    assert matching(["lamp", "magic"]) == ["magic-lamp"] and not matching(["xyzzy"])


@pytest.mark.parametrize(
    "drawing",
    [
        '"/><script>alert(1)</script>', "M0 0 url(#x)", "M0 0\u0000", "javascript:alert(1)", "", " M0 0", "M", "0 0", 5, None,
        ["M0 0"], "M0 0&#x22;", "M0\n0", "M" + "0" * LONGEST_DRAWING, "M0 0 e", "M0 0 %", "M0 0\u0660",
    ],
)  # fmt: skip
def test_a_drawing_is_the_data_of_a_path_and_nothing_else(drawing: object, tmp_path: Path) -> None:
    (tmp_path / "icons.json").write_text(json.dumps({"icons": {"magic-lamp": drawing, "crown": "M0 0h5v5z"}}), "utf-8")
    assert drawings(tmp_path) == {"crown": "M0 0h5v5z"}


@pytest.mark.parametrize("text", ["", "[", "[]", "{}", '{"icons": []}', "[" * 100_000, '{"icons": {"<b>": "M0 0"}}'])
def test_a_file_that_is_none_of_drawings_has_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "icons.json").write_text(text, "utf-8")
    assert drawings(tmp_path) == {}


def test_a_page_loads_only_so_many_drawings() -> None:
    assert len(valid(dict.fromkeys(names(), "M0 0z"))) == MOST_DRAWINGS
    long = "M" + "0" * (LONGEST_DRAWING - 1)
    assert len(written(valid(dict.fromkeys(names(), long)))) < 300_000


def test_another_file_is_not_the_package(tmp_path: Path, houserule: Houserule) -> None:
    (tmp_path / "p.tgz").write_bytes(b"no package")
    with pytest.raises(WrongPackage):
        library(tmp_path / "p.tgz")
    (tmp_path / "layout.yaml").write_text("layout: {pieces: {a: {icon: game-icons/crown}}}\n", "utf-8")
    said = houserule("icons", "--game", str(tmp_path))
    assert said.exit_code == 2 and "has no drawing of crown" in said.output and "npm pack" in said.output
    said = houserule("icons", "--game", str(tmp_path), "--from", str(tmp_path / "p.tgz"))
    assert said.exit_code == 2 and "is not the package of icons" in said.output
    assert "game-icons/magic-lamp\n" in houserule("icons", "lamp").output
    assert houserule("icons", "xyzzy").exit_code == 2


def test_icons_are_written_into_a_folder_that_is_there(houserule: Houserule) -> None:
    said = houserule("icons", "--game", "nowhere")
    assert (said.exit_code, said.stdout) == (2, "") and "there is no folder 'nowhere'" in said.stderr
    said = houserule("icons", "--from", "p.tgz")
    assert (said.exit_code, said.stdout) == (2, "") and "--game FOLDER --from p.tgz" in said.stderr
