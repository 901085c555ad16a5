"""Files are written whole or not at all, and nothing is written through a link."""

from __future__ import annotations

import os
import resource
import select
import signal
import threading
from pathlib import Path

import pytest

from houserule.writing import make_folder, write_file


def test_a_file_is_written_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("one\n", encoding="utf-8")
    path.chmod(0o640)
    write_file(path, "zwei\r\n")
    assert path.read_bytes() == b"zwei\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("", encoding="utf-8")
    write_file(tmp_path / "new", "text")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    old = b"x" * 30_000
    path.write_bytes(old)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, before[1]))
        with pytest.raises(OSError, match="too large"):
            write_file(path, b"y" * 40_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_at_its_end_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.yaml"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_file(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("target", ["there.yaml", "missing.yaml"])
def test_a_link_is_refused_and_stays(tmp_path: Path, target: str) -> None:
    (tmp_path / "there.yaml").write_text("old", encoding="utf-8")
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / target)
    with pytest.raises(OSError, match="it is a link; name the file that it leads to"):
        write_file(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "there.yaml").read_text(encoding="utf-8") == "old"
    assert not (tmp_path / "missing.yaml").exists()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_file(tmp_path, "new")


def test_a_device_is_written_to_and_stays() -> None:
    before = os.lstat(os.devnull)
    write_file(Path(os.devnull), "new")
    assert os.lstat(os.devnull).st_ino == before.st_ino


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device"):
        write_file(pipe, "nobody reads")
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    read = bytearray()

    def take_all() -> None:
        while len(read) < 300_000:
            if select.select([reading], [], [], 1)[0]:
                read.extend(os.read(reading, 65_536))

    reader = threading.Thread(target=take_all)
    reader.start()
    write_file(pipe, "x" * 300_000)
    reader.join()
    os.close(reading)
    assert read == b"x" * 300_000
    assert pipe.is_fifo()


@pytest.mark.parametrize("root", ["the current folder", "a repository"])
def test_nothing_is_written_through_a_linked_folder_of_a_stranger(
    tmp_path: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, elsewhere = tmp_path / "checkout", tmp_path / "elsewhere"
    (checkout / "deep").mkdir(parents=True)
    (elsewhere / "inner").mkdir(parents=True)
    (checkout / "link").symlink_to(elsewhere)
    (checkout / "deep" / "link").symlink_to(elsewhere)
    if root == "a repository":
        (checkout / ".git").mkdir()
    monkeypatch.chdir(checkout if root == "the current folder" else tmp_path)
    for place in ("link/a", "link/inner/a", "deep/link/a", "deep/link/inner/a"):
        for path in (checkout / place, Path(os.path.relpath(checkout / place))):
            with pytest.raises(OSError, match="'link' is a link; name the folder that it leads to"):
                write_file(path, "text")
            with pytest.raises(OSError, match="'link' is a link"):
                make_folder(path)
    assert [file.name for file in elsewhere.rglob("*")] == ["inner"]
    write_file(checkout / "deep" / "a", "text")


def test_a_folder_around_the_current_one_may_be_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home" / "games").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "home")
    monkeypatch.chdir(tmp_path / "home" / "games")
    write_file(tmp_path / "link" / "games" / "a", "text")
    write_file(Path("b"), "text")
    assert sorted(file.name for file in (tmp_path / "home" / "games").iterdir()) == ["a", "b"]
