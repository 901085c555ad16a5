"""What happens moves on the table, ends when somebody touches it, and stays still for those who want it so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.browsing import BROWSER_GONE, Browser
from tests.serve.served import served
from tests.serve.test_browser import Person

pytestmark = [pytest.mark.browser, pytest.mark.flaky(reruns=1, only_rerun=BROWSER_GONE)]

DICE = "[...document.querySelectorAll('.shape-die .sign')].map((one) => one.childElementCount).join()"
TUMBLING = "document.getAnimations().filter((one) => !(one instanceof CSSAnimation) && one.effect?.target?.classList?.contains('shape-die')).length"
MOVING = "document.getAnimations().filter((one) => !(one instanceof CSSAnimation)).length"
COUNTS = """() => {
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) { window.moved += 1; return animate.apply(this, given); };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = Browser()
    yield found
    found.end()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_tumble_until_somebody_touches_the_page(motion: str, browser: Browser, tmp_path: Path) -> None:
    with browser.watched() as chromium, served(tmp_path, "yahtzee") as house:
        room = house.create(game="yahtzee", seats=[None, "random"], seed=4)
        anna = Person(chromium, house, "Anna", reduced_motion=motion)
        anna.sit(room, 0)
        anna.begin()
        page = anna.page
        page.wait_for_selector(".question.asked")
        assert page.evaluate("document.querySelectorAll('.shape-die .sign circle').length") >= 5, "dice have pips"
        assert page.evaluate("localStorage.getItem('wants:sounds')") is None and not page.is_checked("#wants-sounds")
        page.evaluate(COUNTS)
        shown = page.evaluate(DICE)
        for die in page.query_selector_all(".table .thing.pickable"):
            die.click()
        page.evaluate("document.querySelector('#confirm').click()")
        until(lambda: page.evaluate(DICE) != shown or page.evaluate("window.moved") > 0, page)
        if motion == "reduce":
            page.wait_for_timeout(50)
            assert page.evaluate("window.moved") == 0 and page.evaluate(MOVING) == 0
        else:
            until(lambda: page.evaluate("window.moved") > 0, page)
            page.keyboard.press("Shift")
            until(lambda: page.evaluate(TUMBLING) == 0, page, 400)
        anna.leave()


def until(holds: Callable[[], bool], page: Any, most: int = 5000) -> None:
    """Wait for a condition; the pages' policy lets no browser poll for it."""
    for _ in range(most // 20):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it does not come to that")
