"""Chromium for tests: started when first asked for, and ended where a page stands still, since Playwright waits for a page for ever."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import psutil

from tests.serve.served import Served

LONGEST_TEST = 240.0
"""Seconds that a test may take. The longest takes 30 on two free cores."""
LONGEST_ANSWER = 20.0
BROWSER_GONE = "has been closed|[Cc]rashed"
"""What Playwright says of a browser that is no more."""


class Browser:
    """A Chromium of this machine, started anew where the last one has ended."""

    def __init__(self) -> None:
        self.standing = ""
        """Where a server stood still. No browser is to blame, and no other one is given."""
        self._playwright: Any = None
        self._chromium: Any = None

    def running(self) -> Any:
        """Chromium, by Playwright."""
        if self._chromium is not None and not self._chromium.is_connected():
            self.end()
        if self._chromium is None:
            from playwright.sync_api import sync_playwright

            found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
            assert found, "there is no Chromium here: `apt-get install chromium`, then run `make test-browser` again"
            self._playwright = sync_playwright().start()
            self._chromium = self._playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        return self._chromium

    def end(self) -> None:
        """End it."""
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._chromium = None

    @contextlib.contextmanager
    def watched(self) -> Iterator[Any]:
        """Chromium for one test. What stands still for too long is killed, with all that this process has started."""
        assert not self.standing, self.standing
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            self.standing = "\n".join(map(where_it_stands, list(Served.running)))
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()

        watch = threading.Timer(LONGEST_TEST, kill)
        watch.start()
        try:
            chromium = self.running()
            yield chromium
            for context in [] if killed.is_set() else chromium.contexts:
                context.close()
        finally:
            watch.cancel()
            if killed.is_set():
                self.end()


def where_it_stands(server: Served) -> str:
    """Where each thread of a server stands that does not answer; nothing of one that does."""
    if answers(server):
        return ""
    server.process.send_signal(signal.SIGABRT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(5.0)
    server.errors.seek(0)
    return f"a server has stood still for {LONGEST_ANSWER:.0f} seconds\n{server.errors.read()}"


def answers(server: Served) -> bool:
    """Whether a server answers, or is not there to be asked."""
    try:
        with urllib.request.urlopen(f"{server.address}/api/games", timeout=LONGEST_ANSWER):
            return True
    except TimeoutError:
        return False
    except OSError as wrong:
        return not isinstance(getattr(wrong, "reason", None), TimeoutError)
