"""Chromium for tests: started when first asked for, and ended where a page stands still, since Playwright waits for a page for ever."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from tests.serve.served import Served

LONGEST_TEST = 240.0
"""Seconds that a test may take. The longest takes 30 on two free cores."""
LONGEST_ANSWER = 20.0
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The commands to look for. The first has no window, and takes three fifths of the time of the second."""
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

            found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
            assert found, (
                f"there is no Chromium here: `apt-get install {CHROMIUMS[0]}`, then run `make test-browser` again"
            )
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


PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
SHOTS = os.environ.get("HOUSERULE_SCREENSHOTS")
"""A folder for pictures of what the tests come by, for people to look at."""

PLAYS_BY_ITSELF = """seed => {
  let state = seed;
  const chance = (n) => { state = (state * 48271) % 2147483647; return state % n; };
  const act = () => {
    if (document.querySelector(".sheet")) return;
    const question = document.querySelector(".question.asked");
    if (question) {
      const onTable = [...document.querySelectorAll(".table .pickable:not(.chosen)")];
      const listed = [...question.querySelectorAll(".option:enabled:not(.chosen)")];
      const confirm = question.querySelector("#confirm:enabled");
      const from = onTable.length && chance(2) ? onTable : listed;
      if (confirm && (chance(2) || !from.length)) confirm.click();
      else if (from.length) from[chance(from.length)].click();
      else question.querySelector(".actions button:not(#confirm)")?.click();
    }
    setTimeout(act, 1);
  };
  act();
}"""
"""A person who picks now on the table, now from the list, without thinking."""


class Person:
    """Somebody with a browser of their own. What goes wrong in their pages fails the test."""

    def __init__(self, browser: Any, house: Served, name: str, **wishes: Any) -> None:
        self.house = house
        self.name = name
        self.wrong: list[str] = []
        self.context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **wishes})
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if "Content Security" in said.text else None)

    def sit(self, room: str, seat: int) -> None:
        """Open the link of a room, and sit down."""
        self.page.goto(f"{self.house.address}/room/{room}")
        self.page.fill("#name", self.name)
        self.page.click(f".sit[data-seat='{seat}']")
        self.page.wait_for_selector("#start")

    def begin(self) -> None:
        """Begin the match."""
        self.page.click("#start:enabled")

    def play(self, seed: int) -> None:
        """Play on by oneself, until the score sheet is there."""
        self.page.wait_for_selector(".table")
        self.page.evaluate(PLAYS_BY_ITSELF, seed)

    def photograph(self, name: str) -> None:
        """A picture of the page, if somebody wants pictures."""
        if SHOTS:
            self.page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)

    def see_nothing_serious(self, **wanted: Any) -> None:
        """axe-core finds nothing serious on the page."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, options={"resultTypes": ["violations"], **wanted}).response["violations"]
        serious = [
            f"{one['id']}: {node['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]
        assert not serious, "\n".join(serious)

    def see_nothing_serious_by_day_and_by_night(self) -> None:
        """axe-core finds nothing serious in light colours, and in dark ones nothing that depends on them."""
        self.see_nothing_serious()
        self.page.emulate_media(color_scheme="dark")
        self.see_nothing_serious(runOnly=["color-contrast"])
        self.page.emulate_media(color_scheme="light")

    def leave(self) -> None:
        """Close the browser; nothing went wrong in it."""
        self.context.close()
        assert not self.wrong, "\n".join(self.wrong)


def winners(person: Person) -> str:
    """The sentence about who has won."""
    person.page.wait_for_selector(".sheet", timeout=180_000)
    told = str(person.page.text_content(".status"))
    assert person.page.text_content(".celebration h2") == told
    return told
