"""People in browsers: each bundled game on a phone, matches to their ends, with the keyboard alone, with a killed server in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import houserule
from tests.bundled import LARGE, load
from tests.serve.browsing import BROWSER_GONE, PHONE, Person, winners
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, served
from tests.table.test_all_is_shown import every_layout, heaps

pytestmark = [pytest.mark.browser, pytest.mark.flaky(reruns=1, only_rerun=BROWSER_GONE)]
"""A browser may crash or stand still without our doing, and one more is given to the test."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the tests of this file that neither kill theirs nor want other games."""
    with served(tmp_path_factory.mktemp("house"), *houserule.games(), str(PARLEY)) as made:
        yield made


SHORT = ("kuhn_poker", "leduc_poker", "liars_dice", "nim", "tic_tac_toe")
"""Games that are played to their end in each run. The others are begun, and played to their end under the mark `slow`: `make test-matches`."""


def begun(game: str, chromium: Any, house: Served) -> list[Person]:
    """Two people, one of them with a phone, at the table of a game that both of them see whole, with as many bots as it needs."""
    people = [Person(chromium, house, "Anna"), Person(chromium, house, "Ben", viewport=PHONE, color_scheme="dark")]
    bots = ["random"] * (load(game).players[0] - len(people))
    room = house.create(game=game, seats=[None, None, *bots], seed=4)
    for seat, person in enumerate(people):
        person.sit(room, seat)
    people[0].begin()
    for person in people:
        person.page.wait_for_selector(".table .region, .table .value")
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is too wide"
        person.photograph(f"{game}-{person.name}")
    return people


@pytest.mark.parametrize("game", [game for game in houserule.games() if game not in SHORT])
def test_two_people_begin_every_longer_game(game: str, chromium: Any, house: Served) -> None:
    people = begun(game, chromium, house)
    people[1].see_nothing_serious()
    for seed, person in enumerate(people, 1):
        person.play(seed)
    for person in people:
        person.page.wait_for_function(
            "() => document.querySelector('.sheet') || document.querySelectorAll('.events li').length > 20"
        )
        person.leave()


@pytest.mark.parametrize(
    "game",
    [
        one if one in SHORT else pytest.param(one, marks=pytest.mark.slow)
        for one in houserule.games()
        if one not in LARGE
    ],
)
def test_two_people_play_every_other_game_to_its_end(game: str, chromium: Any, house: Served) -> None:
    people = begun(game, chromium, house)
    for seed, person in enumerate(people, 1):
        person.play(seed)
    assert winners(people[0]) == winners(people[1])
    people[1].see_nothing_serious()
    for person in people:
        person.leave()


@pytest.mark.parametrize("game", ["parley", *(pytest.param(game, marks=pytest.mark.slow) for game in LARGE)])
def test_two_people_and_a_bot_play_to_the_end_with_a_killed_server_in_between(
    game: str, chromium: Any, tmp_path: Path
) -> None:
    path, wanted = (str(PARLEY), {"options": {"rounds": 5}}) if game == "parley" else (game, {})
    with served(tmp_path, path) as house:
        anna = Person(chromium, house, "Anna")
        ben = Person(chromium, house, "Ben", viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
        room = house.create(game=game, seats=[None, None, "random"], seed=4, **wanted)
        anna.sit(room, 0)
        ben.sit(room, 1)
        anna.begin()
        for person in (anna, ben):
            person.page.wait_for_selector(".table .region")
        anna.photograph(f"{game}-light")
        ben.photograph(f"{game}-phone")
        ben.see_nothing_serious()
        assert ben.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], (
            "the page is wider than a phone"
        )
        anna.play(1)
        ben.play(2)
        anna.page.wait_for_function("() => document.querySelectorAll('.events li').length > 10")
        house.kill()
        assert anna.page.query_selector(".sheet") is None, "it is killed before the end"
        anna.page.wait_for_selector("body.lost")
        house.start()
        assert winners(anna)
        assert winners(anna) == winners(ben)
        anna.see_nothing_serious()
        anna.photograph(f"{game}-end")
        anna.page.click("text=Replay step by step")
        anna.page.wait_for_selector(".table .region")
        anna.page.click("#forward")
        anna.page.wait_for_function("() => document.querySelector('.status').textContent.includes('Step 1 ')")
        record = tmp_path / "record.json"
        record.write_text(
            json.dumps(anna.page.evaluate(f"fetch('/api/rooms/{room}/record').then((found) => found.json())"))
        )
        anna.page.goto(house.address)
        anna.page.set_input_files("#record", record)
        anna.page.wait_for_url("**/replay*")
        anna.page.wait_for_selector(".table .region")
        assert "Step 0 " in str(anna.page.text_content(".status"))
        for person in (anna, ben):
            person.leave()


def test_a_match_is_made_and_played_with_the_keyboard_alone(chromium: Any, tmp_path: Path) -> None:
    with served(tmp_path, str(PARLEY)) as house:
        anna = Person(chromium, house, "Anna")
        page, keys = anna.page, anna.page.keyboard

        def go_to(wanted: str) -> None:
            """Press the tabulator until the focus is on what fits a selector."""
            for _ in range(60):
                if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                    return
                keys.press("Tab")
            raise AssertionError(f"the keyboard does not lead to {wanted}")

        page.goto(house.address)
        page.wait_for_selector("#create")
        anna.see_nothing_serious()
        go_to("input[name=players]")
        for _ in range(10):
            if page.evaluate("document.querySelector('input[name=players]:checked').value") == "1":
                break
            keys.press("ArrowLeft")
        go_to("#create")
        keys.press("Enter")
        page.wait_for_selector("#name")
        anna.see_nothing_serious()
        go_to("#name")
        keys.type("Anna")
        keys.press("Enter")
        page.wait_for_selector("#start:enabled")
        go_to("#start")
        keys.press("Enter")
        page.wait_for_selector(".question.asked")
        keys.press("Tab")
        go_to(".option")
        first = page.evaluate("document.activeElement.dataset.at")
        keys.press("ArrowRight")
        assert page.evaluate("document.activeElement.matches('.option')")
        assert page.evaluate("document.activeElement.dataset.at") != first, "the arrow keys lead to the next option"
        for turn in range(6):
            page.wait_for_selector(".question.asked")
            number = page.get_attribute(".question", "data-number")
            go_to(".table .pickable" if turn % 3 == 0 else ".option")
            keys.press("Enter")
            page.wait_for_function(
                "number => document.querySelector('.sheet') || document.querySelector('.question').dataset.number !== number",
                arg=number,
            )
        assert "Anna wins" in winners(anna) or "Nobody" in winners(anna)
        anna.leave()


def test_what_is_chosen_together_is_picked_one_after_the_other_on_the_table(chromium: Any, house: Served) -> None:
    room = house.create(game="checkers", seats=[None, "first"], seed=4)
    anna = Person(chromium, house, "Anna")
    anna.sit(room, 0)
    anna.begin()
    anna.page.click(".table .thing.pickable[data-options*=' '] >> nth=0")
    anna.page.wait_for_selector(".table .thing.chosen")
    assert anna.page.locator(".table .place.pickable:not(.other)").count() == 2, "two squares are open to this man"
    anna.photograph("checkers-half")
    anna.page.click(".table .place.pickable:not(.other) >> nth=0")
    anna.page.wait_for_function("() => document.querySelector('.question').dataset.number === '0.1'")
    anna.leave()


TOUCHED = """() => [...document.querySelectorAll('[data-region=pile] .thing')].filter((thing) => {
  thing.scrollIntoView({ block: "center" });
  const box = thing.getBoundingClientRect();
  const steps = [...Array(20).keys()].map((step) => (step + 0.5) / 20);
  return steps.some((x) => steps.some((y) =>
    thing.contains(document.elementFromPoint(box.left + x * box.width, box.top + y * box.height))));
}).length"""
"""How many cards can be touched somewhere."""


def test_cards_in_one_place_hide_no_other_and_the_lowest_are_counted(chromium: Any, tmp_path: Path) -> None:
    for look in ("all", "all, order: none"):
        heaps(tmp_path, "grid", "(spot)", look)
        with served(tmp_path, str(tmp_path)) as house:
            room = house.create(game="heaps", seats=[None, "first"], seed=1)
            anna = Person(chromium, house, "Anna")
            anna.sit(room, 0)
            anna.begin()
            anna.page.wait_for_selector(".question.asked")
            below = [int(text) for text in anna.page.locator("[data-region=pile] .below").all_inner_texts()]
            assert (below, anna.page.evaluate(TOUCHED)) == ([3], 21)  # twelve lie in one place
            anna.photograph(f"heaps-{len(look)}")
            anna.leave()


SHOWN = """() => {
  const found = {};
  for (const region of document.querySelectorAll("[data-region]")) {
    const name = region.dataset.region.split(":")[0];
    for (const thing of region.querySelectorAll(".thing")) {
      thing.scrollIntoView({ block: "center", inline: "center" });
      const box = thing.getBoundingClientRect();
      const steps = [...Array(20).keys()].map((step) => (step + 0.5) / 20);
      const isSeen = steps.some((x) => steps.some((y) =>
        thing.contains(document.elementFromPoint(box.left + x * box.width, box.top + y * box.height))));
      const number = (of) => Number((thing.querySelector(of)?.textContent ?? "").replace(/[^0-9]/g, ""));
      found[name] = (found[name] ?? 0) + (isSeen ? number(".count") || 1 : 0) + number(".below");
      if (isSeen && !thing.classList.contains("pickable")) found[`${name} without a choice`] = thing.textContent;
    }
  }
  return found;
}"""
"""How many cards can be touched or are counted, by region."""


def test_every_layout_shows_or_counts_all_that_lies_and_can_be_picked(chromium: Any, tmp_path: Path) -> None:
    amounts = every_layout(tmp_path)
    with served(tmp_path, str(tmp_path)) as house:
        room = house.create(game="every", seats=[None, "first"], seed=1)
        anna = Person(chromium, house, "Anna")
        anna.sit(room, 0)
        anna.begin()
        anna.page.wait_for_selector(".question.asked")
        shown = anna.page.evaluate(SHOWN)
        anna.photograph("every-layout")
        assert {name: amount for name, amount in shown.items() if name in amounts} == amounts
        assert not [name for name in shown if "without" in name]
        assert anna.page.locator("[data-region=on_hexagons] .place").count() == 4
        anna.leave()


def test_a_page_that_loses_its_line_or_is_loaded_again_goes_on(chromium: Any, house: Served) -> None:
    room = house.create(game="parley", seats=[None, "first"])
    anna = Person(chromium, house, "Anna")
    anna.sit(room, 0)
    anna.begin()
    anna.page.wait_for_selector(".question.asked")
    anna.page.click(".option >> nth=0")
    anna.page.wait_for_function("() => document.querySelector('.question').dataset.number === '0.1'")
    anna.page.reload()
    anna.page.wait_for_function("() => document.querySelector('.question')?.dataset.number === '0.1'")
    other = Person(chromium, house, "Ben")
    other.page.goto(f"{house.address}/room/{room}")
    other.page.wait_for_selector(".table .region")
    assert "You are watching" in str(other.page.text_content(".status"))
    assert other.page.query_selector(".question.asked") is None
    anna.play(3)
    assert winners(anna) == winners(other)
    for person in (anna, other):
        person.leave()


def test_pieces_move_and_pages_speak_other_languages(chromium: Any, house: Served) -> None:
    room = house.create(game="parley", seats=[None, "random"])
    anna = Person(chromium, house, "Anna", reduced_motion="no-preference", locale="de")
    anna.page.add_init_script(
        "window.moves = 0; const begin = document.startViewTransition.bind(document);"
        "document.startViewTransition = (change) => { window.moves += 1; return begin(change); };"
    )
    anna.sit(room, 0)
    anna.begin()
    anna.page.wait_for_selector("text=Welche behältst du? >> nth=0")
    assert anna.page.get_attribute("html", "lang") == "de"
    anna.play(5)
    assert "gewinn" in winners(anna).casefold() or "teilen" in winners(anna)
    assert anna.page.evaluate("window.moves") > 0, "pieces that move are seen to move"
    anna.page.click(".menu > summary")
    anna.page.select_option("#language", "en")
    anna.page.wait_for_selector("text=Score sheet >> nth=0")
    anna.page.goto(f"{house.address}/rules/parley")
    anna.page.wait_for_selector("h2 >> nth=0")
    assert "Boletus" in anna.page.inner_text("main")
    anna.see_nothing_serious()
    anna.leave()
