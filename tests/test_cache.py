"""The folder for what can be made again is the user's own, or it is not used."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from houserule.language import grammar
from houserule.operations import PREPOSITIONS
from houserule.writing import cache_folder, kept_file


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


def test_a_relative_folder_of_caches_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert cache_folder() == tmp_path / "home" / ".cache" / "houserule"
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("linked", ["cache", "cache/houserule", "cache/houserule/clean"])
def test_a_link_on_the_way_is_not_followed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, linked: str) -> None:
    (tmp_path / "other" / "houserule" / "clean").mkdir(parents=True, mode=0o700)
    (tmp_path / linked).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    (tmp_path / linked).symlink_to(tmp_path / "other", target_is_directory=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder("clean") is None


def test_a_folder_whose_parent_others_can_change_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "open" / "cache"))
    assert cache_folder() is None
    (tmp_path / "open").chmod(0o1777)
    assert cache_folder() is not None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only the superuser gives files away")
def test_what_another_user_owns_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = kept_file("tables")
    assert file is not None
    file.write_bytes(b"a stranger's")
    os.chown(file, 12_345, 12_345)
    assert kept_file("tables") == file
    assert not file.exists()
    os.chown(tmp_path / "houserule", 12_345, 12_345)
    assert kept_file("tables") is None


@pytest.mark.parametrize("rights", [0o622, 0o602])
def test_a_file_that_others_can_write_to_is_not_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rights: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = kept_file("tables")
    assert file is not None
    file.write_bytes(b"anybody's")
    file.chmod(rights)
    assert kept_file("tables") == file
    assert not file.exists()


def test_tables_are_kept_though_new_files_are_for_a_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = os.umask(0o002)
    try:
        for _ in range(2):
            path = grammar.cache_path("kept")
            grammar.Grammar(PREPOSITIONS, lambda _builder, _token: None, cache=path)  # type: ignore[arg-type, return-value]  # no sentence is parsed
            assert path is not None
            assert Path(path).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_link_in_the_place_of_a_file_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = kept_file("tables")
    assert file is not None
    (tmp_path / "theirs").write_bytes(b"a stranger's")
    file.symlink_to(tmp_path / "theirs")
    assert kept_file("tables") == file
    assert not file.is_symlink()
    assert (tmp_path / "theirs").exists()


def test_no_pickle_of_a_stranger_is_opened(tmp_path: Path) -> None:
    """Tables of the grammar in a checkout that sets its own folder for caches: what they would do is not done."""
    planted, done = tmp_path / "cache" / "houserule", tmp_path / "done"
    planted.mkdir(parents=True)
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": "cache"}
    name = Path(grammar.cache_path(grammar.grammar_text(PREPOSITIONS)) or "").name
    trap = pickle.dumps(Trap(str(done)))
    (planted / name).write_bytes(b"0\n" + trap)
    subprocess.run(
        [sys.executable, "-m", "houserule", "validate", "--no-cache", "pig"],
        cwd=tmp_path,
        env=environment,
        check=True,
    )
    assert not done.exists()


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.path,)
