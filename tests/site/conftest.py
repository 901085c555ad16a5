"""A site of two games, written without the packages that a browser runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from houserule.site import build
from houserule.site.build import Site, site_of
from houserule.site.desk import Desk
from tests.serve.conftest import PARLEY

ROOT = Path(__file__).parent.parent.parent
Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games, one of them in a folder of a group."""
    folder = tmp_path_factory.mktemp("games")
    shutil.copytree(PARLEY, folder / "parley")
    shutil.copytree(ROOT / "games" / "classics" / "pig", folder / "group" / "pig")
    (folder / "group" / "pig" / "variants").mkdir(exist_ok=True)
    rule = "variant: short_way\nof: pig\ntitle: A short way\noptions: {goal: 20}\n"
    (folder / "group" / "pig" / "variants" / "short_way.yaml").write_text(rule, "utf-8")
    return folder


@pytest.fixture(scope="session")
def site(games: Path) -> Site:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "EDITOR", ())
        patch.setattr(build, "engine", lambda _: {})
        return site_of(games, "Our games")


@pytest.fixture
def ask(games: Path, tmp_path: Path) -> Ask:
    """Asks the desk of a page with these games; a refusal is its code."""
    shutil.copytree(games / "parley", tmp_path / "games" / "parley")
    shutil.copytree(games / "group" / "pig", tmp_path / "games" / "pig")
    desk = Desk(tmp_path / "games", tmp_path / "work")

    def ask(do: str, /, **asked: Any) -> Any:
        answer = json.loads(desk.ask(json.dumps({"do": do, **asked})))
        return answer["found"] if answer["ok"] else answer["found"]["code"]

    return ask
