"""What was found clean is believed as long as nothing that it rests on has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import houserule
from houserule.cli.validate import hash_of, keep_clean, was_clean

Houserule = Callable[..., Result]


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were really validated, in order."""
    found: list[str] = []
    really = houserule.validate

    def validate(path: Path, *more: object) -> list[houserule.Diagnostic]:
        found.append(Path(path).name)
        return really(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(houserule, "validate", validate)
    return found


def test_a_clean_game_is_looked_at_once(houserule: Houserule, storms: str, looked_at: list[str]) -> None:
    assert [houserule("validate", storms).exit_code for _ in range(3)] == [0, 0, 0]
    assert looked_at == ["storms"]
    houserule("validate", storms, "--no-cache")
    assert looked_at == ["storms"] * 2


def test_a_changed_file_is_looked_at_again(houserule: Houserule, storms: str, looked_at: list[str]) -> None:
    houserule("validate", storms)
    file = Path(storms, "game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("from deck to", "from dekc to"), encoding="utf-8")
    assert houserule("validate", storms).exit_code == 1
    assert houserule("validate", storms).exit_code == 1
    assert looked_at == ["storms"] * 3


def test_a_verdict_is_about_house_rules_and_settings_too(houserule: Houserule, storms: str) -> None:
    houserule("new", "variant", storms, "long_night")
    inside = Path(storms, "variants", "long_night.yaml")
    outside = Path("long_night.yaml")
    outside.write_bytes(inside.read_bytes())
    path = Path(storms)
    names = [
        hash_of(path, (), {}, False),
        hash_of(path, (), {}, True),
        hash_of(path, (), {"rounds": "2"}, False),
        hash_of(path, ["long_night"], {}, False),
        hash_of(path, [str(outside)], {}, False),
    ]
    outside.write_bytes(inside.read_bytes() + b"\n")
    names.append(hash_of(path, [str(outside)], {}, False))
    assert None not in names
    assert len(set(names)) == len(names)


def test_what_is_no_plain_folder_of_a_game_is_always_looked_at(houserule: Houserule, storms: str) -> None:
    path = Path(storms)
    assert hash_of(path / "game.yaml", (), {}, False) is not None
    assert hash_of(path.parent, (), {}, False) is None
    assert hash_of(path / "scenarios" / "first.yaml", (), {}, False) is None
    (path / "dangling").symlink_to("nowhere")
    assert hash_of(path, (), {}, False) is None
    assert houserule("validate", storms).exit_code == 0
    (path / "dangling").unlink()
    (path / "linked").symlink_to(path.absolute() / "game.yaml")
    assert hash_of(path, (), {}, False) is None


def test_old_verdicts_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houserule.cli.validate.MOST_VERDICTS", 10)
    for number in range(15):
        keep_clean(f"{number:064}")
    assert was_clean(f"{14:064}")
    folder = Path(os.environ["XDG_CACHE_HOME"], "houserule", "clean")
    assert len(list(folder.iterdir())) == 10
    assert not list(tmp_path.iterdir())
