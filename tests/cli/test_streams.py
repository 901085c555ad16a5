"""What a process prints, whatever its streams are, and how it ends when they or its folder are gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from houserule.extras import STOPPING
from tests.taking_long import but_later

FULL = Path("/dev/full")
NO_TRACEBACK = "Traceback"


def run(*words: str, **named: object) -> subprocess.CompletedProcess[bytes]:
    """What the command does in a process of its own."""
    environment = {**os.environ, **named.pop("environment", {})}  # type: ignore[dict-item]  # a mapping of words
    return subprocess.run(
        [sys.executable, "-m", "houserule", *words],
        env=environment,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **named},  # type: ignore[call-overload]  # as named
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_stream_that_cannot_show_everything_shows_replacements(encoding: str) -> None:
    words = ["play", "pig", "--seats", "random", "--seed", "1"]
    done = run(*words, environment={"PYTHONIOENCODING": encoding})
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert done.stderr == b""


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
@pytest.mark.parametrize("words", [["explain", "HR101"], ["show", "aladdin", "--stage", "merged"]])
def test_a_full_disk_is_said_in_a_sentence(words: list[str]) -> None:
    with FULL.open("wb") as full:
        done = run(*words, stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"houserule: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
def test_a_record_that_cannot_be_written_is_said_in_a_sentence() -> None:
    done = run("play", "pig", "--seats", "random", "--save", str(FULL))
    assert done.returncode == 2
    assert done.stderr == b"houserule: the record could not be saved in '/dev/full': No space left on device\n"


def test_a_reader_who_leaves_is_said_in_a_sentence() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run("explain", "HR101", stdout=writing)
    os.close(writing)
    assert done.returncode == 2
    assert done.stderr == b"houserule: nobody reads this output any more\n"


@pytest.mark.parametrize("closed", but_later(["<&-", ">&-", "2>&-", "<&- >&- 2>&-"], {">&-", "2>&-"}))
def test_closed_streams_are_no_traceback(closed: str, tmp_path: Path) -> None:
    words = "play nim --seed 1 --save /dev/null"
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m houserule {words} {closed}"],
        capture_output=True,
        check=False,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode in (0, 1), done.stderr
    assert NO_TRACEBACK not in done.stderr + done.stdout


@pytest.mark.parametrize("words", [["validate", "x.yaml"], ["test"]])
def test_a_folder_that_is_gone_is_no_traceback(words: list[str], tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    script = (
        f"import os, sys; os.rmdir({str(here)!r}); sys.argv[0] = 'houserule'; from houserule.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], cwd=here, capture_output=True, check=False, text=True)
    assert NO_TRACEBACK not in done.stderr
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize("number", STOPPING)
def test_who_is_told_to_stop_at_the_table_keeps_the_record(number: int, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", "play", "pig", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # it is ignored below `nohup`
    ) as process:
        assert process.stdout is not None
        seen = b""
        while b"> " not in seen:
            seen += os.read(process.stdout.fileno(), 65_536)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert said == b""
    assert process.returncode == 128 + number
    assert (tmp_path / "pig-1.record.json").is_file()


def test_a_language_server_that_is_told_to_stop_does_not_wait_for_its_editor() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        request = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(request), request))
        process.stdin.flush()
        assert process.stdout.read(15) == b"Content-Length:"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 128 + signal.SIGTERM


def test_a_signal_is_heeded_while_the_main_thread_runs_no_code() -> None:
    busy = "import hashlib\nfrom houserule.cli.streams import leaving_when_told\nwith leaving_when_told():\n  print(flush=True)\n"
    busy += "  hashlib.pbkdf2_hmac('sha256', b'', b'', 2_000_000_000)"
    with subprocess.Popen([sys.executable, "-c", busy], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(timeout=20) == 128 + signal.SIGTERM
        finally:
            process.kill()


def test_a_signal_that_others_handle_meanwhile_does_not_end_the_process() -> None:
    handled = "import signal, time\nfrom houserule.cli.streams import leaving_when_told\nwith leaving_when_told():\n"
    handled += (
        "  signal.signal(signal.SIGTERM, lambda *_: None)\n  signal.raise_signal(signal.SIGTERM)\n  time.sleep(0.3)"
    )
    assert subprocess.run([sys.executable, "-c", handled], check=False, timeout=60).returncode == 0
