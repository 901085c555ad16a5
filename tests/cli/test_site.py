"""`houserule site`, without the packages that a browser runs."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from houserule.site import build
from tests.cli.conftest import Houserule
from tests.modules import ROOT


def test_the_command_writes_a_folder_of_its_own_alone(
    houserule: Houserule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "games" / "classics" / "pig", tmp_path / "games" / "pig")
    games = tmp_path / "games"
    monkeypatch.setattr(build, "PARTS", ())
    monkeypatch.setattr(build, "EDITOR", ())
    monkeypatch.setattr(build, "engine", lambda _: {})
    monkeypatch.setattr(build, "put_manual", lambda *_: None)
    out = tmp_path / "page"
    done = houserule("site", str(games), "--out", str(out), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["files"] == sum(1 for file in out.rglob("*") if file.is_file() and file.name != ".houserule-site")
    (out / "old.html").write_text("of an older version")
    assert "1 old ones are gone" in houserule("site", str(games), "-o", str(out)).output
    (tmp_path / "file").write_text("")
    assert "is a file" in houserule("site", str(games), "--out", str(tmp_path / "file")).output
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    done = houserule("site", str(games), "--out", str(mine))
    assert done.exit_code == 2 and "is not empty" in done.output
    assert houserule("site", str(mine), "--out", str(tmp_path / "no")).exit_code == 2


def test_what_is_not_there_is_told_before_the_games_are_written(
    houserule: Houserule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = houserule("site", "--out", "page", "--parts", str(tmp_path))
    assert done.exit_code == 2 and "as npm packs it" in done.stderr
    assert done.stdout == "  the interpreter\n" and not Path("page").exists()
    monkeypatch.setitem(sys.modules, "segno", None)
    done = houserule("site", "--out", "page")
    assert done.exit_code == 2 and "houserule[site]" in done.stderr
    assert done.stdout == "" and not Path("page").exists()
