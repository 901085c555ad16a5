"""The site in Chromium, as people visit it: below a path of a host of files, and without a network. It needs npm, or its packages in the cache."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import houserule
from houserule.native.blueprint import Blueprint
from houserule.native.module import Written
from houserule.site.build import site_of, write
from houserule.site.desk import as_csv
from tests.bundled import load
from tests.modules import ROOT
from tests.serve.browsing import BROWSER_GONE, PHONE
from tests.serve.conftest import browser, chromium

pytestmark = [pytest.mark.browser, pytest.mark.flaky(reruns=1, only_rerun=BROWSER_GONE)]
__all__ = ["browser", "chromium"]
LONGEST_FIRST_VISIT = 10.0
"""Seconds from the first page to a table, on two free cores."""
CARD = "      spyglass: {wish: perform peek(5)}\n"
AFTER = "forced_gift: {wish: perform give}"
HOSTILE = """\
edition: 2026
game: trap
title: "<img src=x onerror=alert(1)>"
players: 2
variables: {score(player): int}
flow:
  spin:
    turns: players
    do: |
      choose "On?":
        "Yes":
          while me.score >= 0:
            me.score += 1
scoring:
  points: {points: me.score}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site below a path of a host."""
    host = tmp_path_factory.mktemp("host")
    games = tmp_path_factory.mktemp("games")
    for name in ("aladdin", "classics/pig"):  # the second one is quick
        shutil.copytree(ROOT / "games" / name, games / Path(name).name)
    for rule in sorted((games / "aladdin" / "variants").iterdir())[1:]:  # one shows it, and each has pages of its own
        rule.unlink()
    (games / "aladdin" / "scenarios" / "house_rules.yaml").unlink()
    for _ in write(site_of(games, "Our games"), host / "deep" / "site"):
        pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(host)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/deep/site/"
    server.shutdown()
    server.server_close()


def patience() -> float:
    """How many times as long as on a free machine something may take now."""
    return max(1.0, 4 * os.getloadavg()[0] / (os.cpu_count() or 1) - 3)


class Visitor:
    """Somebody with nothing but a browser, in a profile of their own."""

    def __init__(self, chromium: Any, address: str, **wishes: Any) -> None:
        self.address = address
        self.context = chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **wishes})
        self.asked: set[str] = set()
        self.wrong: list[str] = []
        self.context.on("request", lambda request: self.asked.add(request.url))
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"a dialog: {dialog.message}") or dialog.dismiss())

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    @property
    def frame(self) -> Any:
        return self.page.frame_locator("#frame")

    def see_table(self) -> None:
        self.frame.locator(".table .region, .table .value").first.wait_for()

    def photograph(self, name: str) -> None:
        if folder := os.environ.get("HOUSERULE_PICTURES"):
            self.page.screenshot(path=f"{folder}/site-{name}.png")

    def see_nothing_serious(self) -> None:
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        serious = [
            f"{one['id']}: {node['html'][:160]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]
        assert not serious, "\n".join(serious)

    def leave(self) -> None:
        """Nothing went wrong, and nobody else was asked for anything."""
        origin = self.address.split("/deep/")[0]
        elsewhere = [one for one in self.asked if not one.startswith((origin, "data:", "blob:", "about:"))]
        self.context.close()
        assert not elsewhere
        assert not self.wrong


def change(visitor: Visitor, file: str, old: str, new: str) -> None:
    """Change a text in the editor, as typing it would."""
    page = visitor.page
    page.click(f'[id="file-{file}"]')
    page.locator(".cm-line", has_text=old).first.click()
    page.keyboard.press("End")
    page.keyboard.insert_text(new)


def test_a_first_visit_leads_to_a_match_and_later_ones_need_no_network(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address)
    began = time.monotonic()
    visitor.go("index.html")
    visitor.page.wait_for_selector(".card .cover .shape")
    visitor.see_nothing_serious()
    visitor.photograph("front")
    visitor.page.click(".card .main >> nth=0")
    visitor.frame.locator("#create").click()  # against a bot, as whoever comes is mostly alone
    visitor.see_table()
    took = time.monotonic() - began
    assert took < LONGEST_FIRST_VISIT * patience(), took
    visitor.frame.locator(".question .option").first.click()
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.page.wait_for_function(
        "async () => { const [name] = await caches.keys(); return name && (await (await caches.open(name)).keys()).length > 60 && (await navigator.serviceWorker.ready).active.state === 'activated'; }"
    )
    events = visitor.frame.locator(".events li").count()
    visitor.context.set_offline(True)
    visitor.page.reload()
    visitor.see_table()
    assert visitor.frame.locator(".events li").count() >= events, "the match goes on where it was"
    visitor.go("games/aladdin/rules.de.html")
    assert visitor.page.locator("h2").count() > 3
    visitor.go("index.html")
    visitor.page.fill("#search", "lamp")
    visitor.page.wait_for_selector("#found li")
    visitor.leave()


def test_a_card_is_added_played_and_sent_to_somebody_else(chromium: Any, address: str) -> None:
    anna = Visitor(chromium, address)
    anna.go("playground.html#aladdin")
    anna.see_table()
    assert "25" in anna.frame.locator(".table").inner_text()
    change(anna, "lamp.yaml", AFTER, f"\n{CARD.rstrip()}")
    anna.frame.locator(".table >> text=/Lamp.*26/").first.wait_for()
    assert int(anna.page.evaluate("document.body.dataset.looked")) < 300 * patience()
    assert int(anna.page.evaluate("document.body.dataset.used")) < 2000 * patience()
    anna.page.click("#share")
    anna.page.wait_for_selector("#sharing[open]")
    link = anna.page.input_value("#link")
    assert "#aladdin+" in link and len(link) < 500
    anna.page.wait_for_selector("#qr:not([hidden])")
    anna.photograph("share")
    anna.page.click("#close")
    anna.leave()
    ben = Visitor(chromium, address, color_scheme="dark")
    ben.page.goto(link)
    ben.see_table()
    ben.frame.locator(".table >> text=/Lamp.*26/").first.wait_for()
    assert "spyglass" in ben.page.text_content(".cm-content") or ben.page.click('[id="file-lamp.yaml"]') is None
    ben.photograph("playground-dark")
    ben.see_nothing_serious()
    ben.frame.locator(".table .pickable").first.click()
    for view in ("rulebook", "scenarios", "study"):
        ben.page.click(f"#view-{view}")
        if view == "rulebook":
            ben.page.frame_locator("#book").locator("h2").first.wait_for()
        elif view == "scenarios":
            ben.page.wait_for_function("() => /of [1-9].* hold/.test(document.querySelector('#tally').textContent)")
        else:
            ben.page.fill("#matches", "30")
            ben.page.click("#run")
            ben.page.wait_for_selector("#figures table")
            assert ben.page.locator("#figures tbody th").all_inner_texts() == ["1", "2"]
        ben.photograph(view)
        ben.see_nothing_serious()
    ben.leave()


def test_a_study_is_played_by_the_browsers_own_webassembly_as_python_plays_it(chromium: Any, address: str) -> None:
    """Match by match: here, in the page natively, and in the page in Python."""
    visitor = Visitor(chromium, address)
    visitor.go("playground.html#aladdin")
    visitor.see_table()
    study = "(engine) => houserule.engine.ask('study', {matches: 60, players: 3, seats: 'random', seed: 7, engine, csv: true})"
    found = [visitor.page.evaluate(study, engine) for engine in ("native", "python")]
    assert found[0] == found[1]
    assert found[0]["csv"] == as_csv(houserule.simulate(load("aladdin"), 60, 3, seed=7, engine="python"))
    for name in ("rattlebones", "checkers", "goofspiel"):
        text = Written(Blueprint.of(load(name).program(2, told=False))).text
        is_module = "async (text) => WebAssembly.validate((await import('./app/assembler.js')).assembled(text).bytes)"
        assert visitor.page.evaluate(is_module, text), name
    visitor.leave()


def test_a_mistake_is_shown_where_it_is_typed_and_fixed_with_the_keyboard_alone(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address)
    visitor.go("playground.html#pig")
    visitor.see_table()
    page = visitor.page
    page.focus("#file-game\\.yaml")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('cm-content')")
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nflwo: {}\n")
    page.wait_for_selector("#wrong .error")
    assert int(page.evaluate("document.body.dataset.looked")) < 300 * patience()
    assert "flwo" in page.text_content("#wrong")
    page.wait_for_selector(".cm-lintRange-error")
    visitor.photograph("mistake")
    visitor.see_nothing_serious()
    page.keyboard.press("Control+z")
    page.wait_for_function("() => document.querySelector('#count').textContent === 'Nothing is wrong.'")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.activeElement.classList.contains('cm-content')"), (
        "the keyboard leaves the editor"
    )
    page.focus("#view-table")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "view-scenarios"
    visitor.leave()


def test_the_playground_and_a_hot_seat_fit_a_phone(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.go("playground.html#pig")
    visitor.see_table()
    visitor.page.tap("#view-editor")
    visitor.page.wait_for_selector(".cm-content")
    visitor.photograph("phone-editor")
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.page.tap("#view-table")
    visitor.see_table()
    visitor.photograph("phone-table")
    visitor.see_nothing_serious()
    visitor.go("play.html?game=pig")
    visitor.frame.locator("[name=name0]").fill("Anna")
    visitor.frame.locator("select[name=seat1]").select_option("")
    visitor.frame.locator("[name=name1]").fill("Ben")
    visitor.frame.locator("#create").tap()
    visitor.see_table()
    visitor.frame.get_by_role("button", name="Hold").first.tap()
    visitor.frame.get_by_role("button", name="Confirm").first.tap()
    visitor.frame.locator(".curtain").wait_for()
    assert "Ben" in visitor.frame.locator(".curtain").inner_text()
    assert not visitor.frame.locator("main").is_visible(), "nothing of the table is seen behind the curtain"
    visitor.photograph("curtain")
    visitor.frame.locator("#reveal").tap()
    visitor.frame.locator(".question .option").first.wait_for()
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.leave()


@pytest.mark.parametrize(
    "path", ["games/aladdin/index.html", "games/pig/index.ja.html", "manual/language.html", "manual/messages.html"]
)
def test_what_is_read_is_for_everybody(path: str, chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address, viewport=PHONE, color_scheme="dark")
    visitor.go(path)
    visitor.see_nothing_serious()
    visitor.photograph(path.replace("/", "-"))
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.leave()


def test_a_link_of_a_stranger_runs_nothing_and_an_endless_one_is_stopped(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address)
    visitor.go("playground.html#g=AAAA")
    visitor.page.wait_for_selector("#notes:not([hidden])")
    assert "could not be opened" in visitor.page.text_content("#notes")
    link = visitor.page.evaluate(
        "async (files) => { const { fragment } = await import('./app/sharing.js'); return fragment(files, null, 'game.yaml'); }",
        {"game.yaml": HOSTILE},
    )
    visitor.go("index.html")
    visitor.go(f"playground.html#{link}")
    visitor.frame.locator(".question .option").first.click()
    visitor.frame.locator(".status", has_text="A rule has failed").wait_for()
    assert "<img" in visitor.frame.locator("h1").inner_text()
    assert not visitor.page.evaluate("document.querySelectorAll('img[src=x]').length")
    outside = visitor.page.evaluate(
        "async (files) => { const { fragment } = await import('./app/sharing.js'); return fragment(files, null, 'game.yaml'); }",
        {"game.yaml": "game: x", "../out.yaml": ""},
    )
    visitor.go("index.html")
    visitor.go(f"playground.html#{outside}")
    visitor.page.wait_for_function(
        "() => document.querySelector('#said').textContent.includes('no name of a rule file')"
    )
    visitor.leave()


def test_changes_in_a_link_find_their_place_or_say_that_they_have_none(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address)
    visitor.go("games/aladdin/index.html")
    assert (
        visitor.page.evaluate(
            """async () => {
        const { applied, changedBy, differences, packed, unpacked } = await import('../../app/sharing.js');
        let seed = 7;
        const chance = (most) => (seed = (seed * 48271) % 2147483647) % most;
        for (let turn = 0; turn < 200; turn += 1) {
            const before = Array.from({ length: chance(30) }, () => `line ${chance(6)}`);
            const after = before.flatMap((line) => [[line], [], [line, `new ${chance(9)}`], [line]][chance(4)]);
            const [one, other] = [before.join("\\n"), after.join("\\n")];
            const made = applied(one, differences(one, other));
            if (made.text !== other || made.lost.length) return [one, other, made];
        }
        if (JSON.stringify(await unpacked(await packed({ v: 1, x: ["ü", 2] }))) !== '{"v":1,"x":["ü",2]}') return "packed";
        const base = ["a: 1", "b: 2", "c: 3", "d: 4"].join("\\n");
        const link = { v: 1, c: { "game.yaml": ["old", differences(base, base.replace("b: 2", "b: 20"))] } };
        const moved = changedBy(link, { "game.yaml": ["new: 0", "a: 1", "b: 2", "c: 3", "d: 4"].join("\\n") });
        if (!moved.files["game.yaml"].includes("b: 20") || moved.said.length !== 1 || !moved.said[0].includes("all changes still fit")) return moved;
        const gone = changedBy(link, { "game.yaml": "quite: another" });
        return gone.files["game.yaml"] === "quite: another" && gone.said.length === 2 && gone.said[1].includes("b: 20") ? "good" : gone;
    }"""
        )
        == "good"
    )
    visitor.page.click(".rule a[href*='with='] >> nth=0")
    visitor.frame.locator("#create").wait_for()
    assert visitor.frame.locator("fieldset input[type=checkbox]:checked").count() == 1
    visitor.leave()


def test_a_worker_that_does_not_answer_is_stopped_and_says_so(chromium: Any, address: str) -> None:
    visitor = Visitor(chromium, address)
    visitor.go("playground.html#pig")
    visitor.see_table()
    visitor.page.evaluate("() => { houserule.engine.stop('study'); }")
    visitor.page.wait_for_selector("#status[data-state=stopped]")
    assert "did not answer in time" in visitor.page.text_content("#status")
    visitor.page.wait_for_selector("body[data-engine=ready]")
    visitor.frame.locator(".question .option").first.wait_for()
    visitor.leave()


def test_two_people_play_by_letters_and_nobody_takes_an_answer_back_unseen(chromium: Any, address: str) -> None:
    anna, ben = Visitor(chromium, address), Visitor(chromium, address)

    def letter_of(visitor: Visitor) -> str:
        visitor.page.wait_for_selector("#letter-link")
        return str(visitor.page.input_value("#letter-link"))

    def hold(visitor: Visitor) -> None:
        visitor.page.wait_for_selector("#letter", state="hidden")
        visitor.frame.get_by_role("button", name="Hold").first.click()

    anna.go("play.html?game=pig")
    anna.page.click("#by-letters")
    anna.page.fill("#letter-from", "Anna")
    anna.page.click("#letter-begin")
    ben.page.goto(letter_of(anna))
    ben.page.fill("#letter-name", "Ben")
    ben.page.click("#letter-join")
    answer = letter_of(ben)
    anna.go("index.html")
    anna.page.goto(answer)
    anna.see_table()
    hold(anna)
    first = letter_of(anna)
    anna.photograph("letter")
    anna.see_nothing_serious()
    ben.go("index.html")
    ben.page.goto(first)
    ben.see_table()
    assert "Ben (you)" in ben.frame.locator(".table").inner_text()
    hold(ben)
    second = letter_of(ben)
    assert len(second) > len(first)
    anna.go("index.html")
    anna.page.goto(second)
    anna.see_table()
    hold(anna)
    letter_of(anna)
    anna.go("index.html")
    anna.page.goto(second)  # an older letter changes nothing
    anna.page.wait_for_selector("#letter-link")
    anna.page.goto(anna.address + "play.html#letter=nothing")
    anna.page.wait_for_selector("text=holds no letter")
    anna.leave()
    ben.leave()


def test_the_playground_speaks_the_language_of_the_browser_and_another_one_when_asked(
    chromium: Any, address: str
) -> None:
    visitor = Visitor(chromium, address, locale="de-DE")
    visitor.go("playground.html#pig")
    page = visitor.page
    page.wait_for_function("() => document.querySelector('#share').textContent === 'Teilen'")
    visitor.see_table()
    page.wait_for_function("() => document.querySelector('#count').textContent === 'Alles stimmt.'")
    page.select_option("#language", "ja")
    page.wait_for_function("() => document.querySelector('#view-table').textContent === 'テーブル'")
    assert page.evaluate("document.documentElement.lang") == "ja"
    visitor.see_table()
    visitor.frame.locator("h1", has_text="ピッグ").wait_for()
    visitor.see_nothing_serious()
    visitor.frame.locator(".menu > summary").click()  # the table has a choice of its own, and the page goes with it
    visitor.frame.locator("#language").select_option("de")
    page.wait_for_selector("#share:has-text('Teilen')")
    page.set_viewport_size(PHONE)
    rows = "() => new Set([...document.querySelectorAll('.tools button')].map((one) => one.offsetTop)).size"
    assert page.evaluate(rows) == 2, "the tools take two rows on a phone, also in German"
    page.set_viewport_size({"width": 1400, "height": 900})
    page.select_option("#language", "ja")
    page.wait_for_selector("#share:has-text('共有')")
    with page.expect_download() as saved:
        page.click("#view-study")
        page.fill("#matches", "40")
        page.click("#run")
        page.wait_for_selector("#save:enabled")
        page.click("#save")
    assert Path(saved.value.path()).read_text("utf-8").count("\n") == 41
    visitor.leave()
    visitor = Visitor(chromium, address, locale="en-GB")
    visitor.go("games/pig/index.de.html")  # who reads a page in German goes on in German
    visitor.page.click("text=Spielen")
    visitor.page.wait_for_selector("#frame")
    visitor.frame.locator("html[lang=de]").wait_for()
    visitor.leave()
