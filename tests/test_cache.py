"""The folder for what can be made again is the user's own, or it is not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.cache import cache_folder
from houserule.language import grammar


def test_it_lies_in_the_users_cache_and_is_theirs_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder("clean")
    assert folder == tmp_path / "houserule" / "clean"
    assert folder.stat().st_mode & 0o077 == 0


def test_a_folder_in_which_others_can_write_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "houserule").mkdir()
    (tmp_path / "houserule").chmod(0o777)
    assert cache_folder() is None


def test_where_nothing_can_be_made_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache_folder() is None


def test_each_python_and_each_lark_has_tables_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = {grammar.cache_path("a: b")}
    with monkeypatch.context() as other:
        other.setattr(grammar.sys, "version_info", (3, 99, 0))
        found.add(grammar.cache_path("a: b"))
    with monkeypatch.context() as other:
        other.setattr(grammar.lark, "__version__", "99")
        found.add(grammar.cache_path("a: b"))
    assert len(found) == 3
