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

CHEST = """\
edition: 2026
game: chest
players: 2
enums:
  tier: [top, bottom]
  side: [moon, star]
components:
  drawer:
    attributes: {tier: tier, name: 1..4}
    each: {tier: tier, name: 1..4}
    starts_in: cabinet[it.tier]
zones:
  cabinet(tier): {holds: drawer, visible: all}
variables:
  up: {type: side, start: moon}
  score(player): {type: 0..9, start: 0}
flow:
  round:
    turns: players
    do: |
      choose "What do you do?":
        "Turn": move top(cabinet[top]) to cabinet[top] at bottom
        "Tip": up = next(up, 1)
      me.score += 1
    until: all(p.score > 4 for p in players)
scoring: {points: {points: me.score}}
winner: {most: points}
layout:
  enums: {tier: {top: {fill: red, letter: T}, bottom: {fill: blue, letter: B}}}
  pieces: {drawer: {shape: tile, fill: it.tier, symbol: it.name}}
  zones: {cabinet: {arrange: solid, fill: brown, lid: up}}
"""
SPINS = """() => {
  window.spun = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, ...given) {
    if (this.closest(".solid")) window.spun.push(`${this.className} ${frames[0].rotate}`);
    return animate.apply(this, [frames, ...given]);
  };
}"""
SIGNALS = """
window.played = 0;
window.told = [];
window.asked = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) { window.played += 1; return start.apply(this, given); };
window.Notification = class { constructor(title, more) { window.told.push([title, more.body]); } close() {} };
window.Notification.permission = "granted";
window.Notification.requestPermission = () => { window.asked += 1; return Promise.resolve("granted"); };
window.isAway = false;
Object.defineProperty(document, "hidden", { get: () => window.isAway });
"""


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


@pytest.fixture
def chest(tmp_path: Path) -> Path:
    """A game with a box."""
    (tmp_path / "chest").mkdir()
    (tmp_path / "chest" / "game.yaml").write_text(CHEST, encoding="utf-8")
    return tmp_path / "chest"


def turn_of(page: Any) -> float:
    """By how many degrees people have turned the box."""
    return float(page.evaluate("document.querySelector('.solid .body').style.getPropertyValue('--turn')")[:-3])


def test_a_box_is_turned_by_people_and_turned_and_tipped_by_the_match_and_unfolded_when_asked(
    browser: Browser, chest: Path, tmp_path: Path
) -> None:
    with browser.watched() as chromium, served(tmp_path, str(chest)) as house:
        room = house.create(game="chest", seats=[None, "first"], seed=4)
        anna = Person(chromium, house, "Anna", reduced_motion="no-preference", has_touch=True)
        anna.sit(room, 0)
        anna.begin()
        page = anna.page
        view = page.wait_for_selector(".solid .view")
        assert page.evaluate("document.querySelectorAll('.solid .level').length") == 2
        assert page.evaluate("document.querySelectorAll('.solid .face').length") == 8
        begun = turn_of(page)
        page.click(".solid .turns button:first-child")
        assert turn_of(page) == begun + 90
        page.focus(".solid .turns button:last-child")
        page.keyboard.press("Enter")
        assert turn_of(page) == begun, "the keyboard turns it back"
        box = view.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=4)
        page.mouse.up()
        dragged = turn_of(page)
        assert dragged == pytest.approx(begun + 28)
        touch = page.context.new_cdp_session(page)
        for kind, at in (("touchStart", x), ("touchMove", x - 30), ("touchMove", x - 60), ("touchEnd", None)):
            points = [] if at is None else [{"x": at, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        until(lambda: turn_of(page) < dragged, page)
        assert page.evaluate("document.querySelector('.region.box > .cells').hidden")
        page.click(".region.box > .unfold")
        assert page.is_visible(".region.box > .cells") and page.locator(".region.box > .cells .thing").count() == 8
        page.click(".region.box > .unfold")
        assert page.is_hidden(".region.box > .cells")
        page.evaluate(SPINS)
        page.click(".option:has-text('Turn')")
        page.click("#confirm")  # it is on where people touch
        until(lambda: any(one.startswith("level y ") for one in page.evaluate("window.spun")), page)
        page.wait_for_selector(".question.asked")
        page.click(".option:has-text('Tip')")
        page.click("#confirm")
        until(lambda: "body x 180deg" in page.evaluate("window.spun"), page)
        anna.leave()


def test_sounds_and_notices_are_off_until_somebody_wants_them(browser: Browser, chest: Path, tmp_path: Path) -> None:
    with browser.watched() as chromium, served(tmp_path, str(chest)) as house:
        room = house.create(game="chest", seats=[None, None], seed=4)
        anna, ben = (Person(chromium, house, name) for name in ("Anna", "Ben"))
        anna.context.add_init_script(SIGNALS)
        for seat, person in enumerate((anna, ben)):
            person.sit(room, seat)
        anna.begin()
        page = anna.page

        def once_more() -> None:
            for person in (anna, ben):
                person.page.wait_for_selector(".question.asked")
                person.page.click(".option:has-text('Turn')")
                person.page.wait_for_selector(".question:not(.asked)", state="attached")
            page.wait_for_selector(".question.asked")

        once_more()
        assert page.evaluate("[window.played, window.told, window.asked]") == [0, [], 0]
        page.click(".menu > summary")
        page.check("#wants-notices")
        page.check("#wants-sounds")
        page.keyboard.press("Escape")
        assert page.evaluate("window.asked") == 1
        heard = page.evaluate("window.played")
        assert heard > 0, "one hears what one has chosen"
        once_more()
        until(lambda: page.evaluate("window.played") > heard, page)
        assert page.evaluate("window.told") == [], "who looks at the page needs no notice"
        page.evaluate("window.isAway = true")
        once_more()
        until(lambda: page.evaluate("window.told") != [], page)
        assert page.evaluate("window.told") == [["Your turn", "chest: What do you do?"]]
        anna.leave()
        ben.leave()


def until(holds: Callable[[], bool], page: Any, most: int = 5000) -> None:
    """Wait for a condition; the pages' policy lets no browser poll for it."""
    for _ in range(most // 20):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it does not come to that")
