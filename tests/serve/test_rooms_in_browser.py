"""What people see of a room beside its table: who may answer, who is away, what was chosen, and the way back. One server for all."""

from __future__ import annotations

import contextlib
import json
import signal
import time
import urllib.request
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.serve.browsing import BROWSER_GONE, PHONE, Person
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, Wire, served

pytestmark = [pytest.mark.browser, pytest.mark.flaky(reruns=1, only_rerun=BROWSER_GONE)]

MOST_TOUCHED = 400
"""The most answers of a match by touch: the end of each comes before."""
PARLOUR = PARLEY.parents[1] / "games" / "small" / "parlour"
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests of this file."""
    games = (str(PARLEY), str(PARLOUR), *TOUCHED)
    with served(tmp_path_factory.mktemp("house"), *games, options=("--away", "2")) as made:
        yield made


@contextlib.contextmanager
def table(
    chromium: Any, house: Served, *names: str, bots: tuple[str, ...] = (), game: str = "parley", **wishes: Any
) -> Iterator[tuple[str, list[Person]]]:
    """A room whose match has begun, and the people at its first seats; what is wished for their browsers apart from `wanted`."""
    wanted = {"seed": 4, **wishes.pop("wanted", {})}
    room = house.create(game=game, seats=[None] * len(names) + list(bots), **wanted)
    people = [Person(chromium, house, name, **wishes) for name in names]
    for seat, person in enumerate(people):
        person.sit(room, seat)
    people[0].begin()
    for person in people:
        person.page.wait_for_selector(".table .region, .table .value")
    yield room, people
    for person in people:
        person.leave()


def test_the_lobby_offers_bots_by_their_levels_and_each_of_them_takes_a_seat(chromium: Any, house: Served) -> None:
    anna = Person(chromium, house, "Anna")
    anna.page.goto(house.address)
    options = "select[name=seat1] option"
    anna.page.wait_for_selector(options, state="attached")
    texts = anna.page.locator(options).all_inner_texts()
    assert texts[1:4] == ["Easy bot (random)", "Medium bot (greedy)", "Hard bot (mcts:200)"]
    for word in anna.page.locator(options).evaluate_all("all => all.map((one) => one.value)"):
        assert house.create(game="parley", seats=[None, word or None])
    anna.page.select_option("#language", "de")
    anna.page.wait_for_selector("text=Räume >> nth=0")
    anna.page.select_option("select[name=seat1]", label="Schwerer Bot (mcts:200)")
    anna.page.click("#create")
    anna.page.wait_for_selector(".sitting >> text=Schwerer Bot (mcts:200)")
    anna.leave()


def test_the_first_page_shows_pieces_of_each_game_and_on_a_phone_leads_on_to_who_plays(
    chromium: Any, house: Served
) -> None:
    for wishes in ({}, TOUCH):
        anna = Person(chromium, house, "Anna", **wishes)
        anna.page.goto(house.address)
        anna.page.wait_for_selector(".card .cover .shape")
        anna.page.wait_for_selector(".credit >> text=game-icons.net")
        if wishes:
            assert anna.page.evaluate("document.querySelector('.wishes').getBoundingClientRect().top > innerHeight")
            anna.page.locator(".card").first.tap()
        anna.page.wait_for_function(
            "() => document.querySelector('.wishes h2').getBoundingClientRect().bottom < innerHeight"
        )
        anna.leave()


def test_a_link_with_a_key_takes_nobody_their_seat(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", "Ben") as (room, (anna, ben)):
        kept = f"localStorage.getItem('seat:{room}')"
        own, bens = anna.page.evaluate(kept), ben.page.evaluate(kept)
        for key, name in (("x", "Anna"), (bens, "Ben"), ("", "Anna")):
            anna.page.goto("about:blank")
            anna.page.goto(f"{house.address}/room/{room}#token={key}")
            anna.page.wait_for_selector("#ask-first", state="attached")  # only who sits may choose this
            assert anna.page.evaluate(kept) == own
            seat = anna.page.locator(".key input").get_attribute("value")
            assert seat.endswith(own if name == "Anna" else bens)
        again = Person(chromium, house, "Anna")
        again.page.goto(f"{house.address}/room/{room}#token={own}")
        again.page.wait_for_selector("#ask-first", state="attached")
        assert again.page.evaluate(kept) == own
        again.leave()


def test_the_log_stays_at_its_end_and_settings_are_in_a_menu(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("first",), wanted={"options": {"rounds": 9}}) as (_, (anna,)):
        page = anna.page
        anna.play(1)
        page.wait_for_selector(".sheet", timeout=120_000)
        for size in ({"width": 1280, "height": 600}, {"width": 1280, "height": 420}):
            page.set_viewport_size(size)
            page.wait_for_function(
                "() => { const {scrollHeight, scrollTop, clientHeight} = document.querySelector('.events');"
                " return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2; }"
            )
        assert page.locator("#wants-sounds").is_hidden()
        page.click(".menu > summary")
        assert page.locator("#wants-sounds").is_visible() and page.locator("#ask-first").is_visible()
        page.keyboard.press("Escape")
        assert page.locator("#wants-sounds").is_hidden()
        assert page.evaluate("document.activeElement.matches('.menu > summary')")


HIT = """() => {
  const sheet = document.querySelector('.question');
  return [...document.querySelectorAll('.pickable')].filter((made) => {
    const box = made.getBoundingClientRect(), there = sheet.getBoundingClientRect(), bar = document.querySelector('.status').getBoundingClientRect();
    const x = box.left + box.width / 2;
    return [there, bar].some((over) => [over.top + 3, over.bottom - 3].some((y) => y > box.top && y < box.bottom
      && x > over.left && x < over.right && y > 0 && y < innerHeight && made.contains(document.elementFromPoint(x, y))));
  }).length;
}"""
"""How many pickable things are touched where the question or the status bar lies over them."""


def test_no_piece_lies_above_the_question_or_the_status_bar_of_a_phone(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("first",) * 2, game="master_thieves", **TOUCH) as (_, (anna,)):
        anna.page.wait_for_selector(".table .pickable", state="attached")
        covered = 0
        for at in range(0, 1600, 40):
            anna.page.evaluate("at => scrollTo(0, at)", at)
            covered += anna.page.evaluate(HIT)
        assert covered == 0


def test_a_request_to_take_an_answer_back_stands_above_everything_on_a_phone(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", "Ben", wanted={"options": {"rounds": 1}}, **TOUCH) as (_, (anna, ben)):
        for person in (anna, ben):
            answer(person)
        answer(anna)
        anna.page.click("#undo")
        ben.page.wait_for_selector("#allow")
        box = ben.page.locator("#allow").bounding_box()
        assert 0 <= box["y"] <= 160, "seen without scrolling, at the top"
        ben.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert 0 <= ben.page.locator("#allow").bounding_box()["y"] <= 160
        ben.page.tap("#allow")
        anna.page.wait_for_selector(".question[data-number='1.1']")


def answer(person: Person, at: int = 0) -> str:
    """Answer with an option of the list, and wait until it is taken; the option's label."""
    page = person.page
    page.wait_for_selector(".question.asked")
    number = page.get_attribute(".question", "data-number")
    option = page.locator(".question .option").nth(at)
    label = str(option.locator("span").first.text_content())
    option.evaluate("made => made.click()")
    if page.locator("#confirm:enabled").count():
        page.locator("#confirm").evaluate("made => made.click()")
    page.wait_for_function(
        "number => document.querySelector('.sheet') || document.querySelector('.question').dataset.number !== number",
        arg=number,
    )
    return label


def test_a_line_that_is_dead_without_being_closed_is_noticed_within_ten_seconds(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("first",)) as (_, (anna,)):
        anna.page.wait_for_selector(".question.asked")
        house.process.send_signal(signal.SIGSTOP)
        try:
            since = time.monotonic()
            anna.page.wait_for_selector("body.lost", timeout=10_000)
            assert time.monotonic() - since < 10
            assert "Connection lost" in str(anna.page.text_content("#notice"))
        finally:
            house.process.send_signal(signal.SIGCONT)
        anna.page.wait_for_selector("body:not(.lost)", timeout=10_000)
        answer(anna)


WATCHED = """
window.moves = {begun: 0, most: 0, running: 0, failed: []};
const begin = document.startViewTransition.bind(document);
document.startViewTransition = (change) => {
  const made = begin(change), {moves} = window;
  moves.begun += 1;
  moves.running += 1;
  made.ready.then(() => { moves.most = Math.max(moves.most, moves.running); }, (wrong) => moves.failed.push(String(wrong)));
  made.finished.finally(() => { moves.running -= 1; });
  return made;
};
"""
"""Counts transitions, those at the same time, and those that could not run."""


def test_pieces_move_in_one_transition_at_a_time_and_none_of_them_fails(chromium: Any, house: Served) -> None:
    room = house.create(game="hearts", seats=[None, "random", "random", "random"], seed=4)
    anna = Person(chromium, house, "Anna", reduced_motion="no-preference")
    said: list[str] = []
    anna.page.on("console", lambda message: said.append(message.text))
    anna.page.add_init_script(WATCHED)
    anna.sit(room, 0)
    anna.begin()
    anna.play(5)
    anna.page.wait_for_function("() => window.moves.begun >= 24 || document.querySelector('.sheet')", timeout=60_000)
    moves = anna.page.evaluate("window.moves")
    assert (moves["failed"], moves["most"], [one for one in said if "transition" in one]) == ([], 1, [])
    anna.leave()


def test_looking_at_a_piece_moves_nothing_and_a_long_press_enlarges_it_without_answering(
    chromium: Any, house: Served
) -> None:
    with table(chromium, house, "Anna", bots=("first",)) as (_, (anna,)):
        page = anna.page
        page.wait_for_selector(".table .thing.pickable")
        tops = "() => [...document.querySelectorAll('.seat, .common')].map((made) => made.getBoundingClientRect().top)"
        page.mouse.move(0, 0)
        before = page.evaluate(tops)
        for at in range(page.locator(".table .thing").count()):
            page.locator(".table .thing").nth(at).hover()
            assert page.evaluate(tops) == before
    with table(chromium, house, "Anna", bots=("first",), wanted={"seed": 1}, **TOUCH) as (_, (anna,)):
        page = anna.page
        thing = page.locator(".table .thing.pickable[title*=Tasty]").first
        box = thing.bounding_box()
        touch = page.context.new_cdp_session(page)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.wait_for_selector("dialog.look[open]")
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert "Boletus" in page.inner_text("dialog.look") and "Tasty." in page.inner_text("dialog.look")
        assert page.locator(".question .chosen").count() == 0, "a long press picks nothing"
        page.tap("dialog.look button")
        assert page.get_attribute(".question", "data-number") == "0.0"
        thing.tap()
        page.wait_for_selector("#confirm:enabled")
        assert page.get_attribute(".question", "data-number") == "0.0", "touch does not answer at once"
        page.tap("#confirm")
        page.wait_for_selector(".question[data-number='0.1']")
        page.tap(".table .thing:not(.pickable) >> nth=0")
        page.wait_for_selector("dialog.look[open]")


def test_a_replay_has_a_list_that_can_be_focused_and_goes_on_by_itself(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("first",), wanted={"options": {"rounds": 1}}) as (room, (anna,)):
        anna.play(1)
        anna.page.wait_for_selector(".sheet")
        anna.page.goto(f"{house.address}/room/{room}/replay")
        anna.page.wait_for_selector(".table .region")
        anna.see_nothing_serious()
        assert anna.page.get_attribute(".side .events", "tabindex") == "0"
        anna.page.click("#play")
        anna.page.wait_for_function("() => location.hash === '#2'")
        anna.page.click("#play")
        at = anna.page.evaluate("location.hash")
        anna.page.wait_for_timeout(1500)
        assert anna.page.evaluate("location.hash") == at, "it stops"


def test_a_secret_choice_is_shown_to_who_made_it_and_changed_without_anybody_learning_of_it(
    chromium: Any, house: Served
) -> None:
    with table(chromium, house, "Anna", "Ben", "Cleo") as (_, (anna, ben, cleo)):
        before = ben.page.inner_text("body")
        first = answer(anna, 0)
        anna.page.wait_for_selector(f".my-choice >> text=You chose {first}.")
        assert str(anna.page.text_content(".status")).endswith("Waiting for Ben and Cleo")
        assert anna.page.locator("#undo").is_hidden()
        assert anna.page.locator(".seat.own.next").count() == 0
        anna.page.click("#change")
        anna.page.wait_for_selector(".question[data-number='1.0']")
        assert anna.page.locator(".my-choice").inner_text() == ""
        second = answer(anna, 1)
        anna.page.wait_for_selector(f".my-choice >> text=You chose {second}.")
        assert ben.page.inner_text("body") == before
        answer(ben)
        answer(cleo)
        answer(anna)
        ben.page.wait_for_selector(".question.asked")
        assert anna.page.locator(".my-choice").inner_text() == ""


def test_who_is_away_is_marked_and_a_bot_plays_on_until_they_are_back(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", "Ben", "Cleo", wanted={"options": {"rounds": 4}}) as (room, (anna, ben, cleo)):
        cleo.page.goto("about:blank")
        for person in (anna, ben):
            person.page.wait_for_selector(".banner >> text=Cleo is away.")
        assert "Cleo · away" in anna.page.inner_text(".seats")
        for person in (anna, ben):
            answer(person)
        anna.page.click(".relieve")
        ben.page.wait_for_selector(".banner >> text=For a bot: Anna.")
        assert ben.page.locator(".question.asked").count() == 0, "nobody has played for Cleo yet"
        ben.page.click(".relieve")
        anna.page.wait_for_selector(".question.asked")
        assert "A bot plays for Cleo" in anna.page.inner_text(".banner")
        cleo.page.goto(f"{house.address}/room/{room}")
        anna.page.wait_for_selector(".banner:empty", state="attached")
        for person in (anna, ben):
            answer(person)
        cleo.page.wait_for_selector(".question.asked")


def test_when_the_time_is_over_a_bot_answers_and_the_others_see_nobodys_clock(chromium: Any, house: Served) -> None:
    clock = {"per": "turn", "seconds": 10}
    with table(chromium, house, "Anna", "Ben", wanted={"clock": clock, "options": {"rounds": 1}}) as (_, (anna, ben)):
        anna.page.wait_for_function("() => /^0:0[0-9]$/.test(document.querySelector('.time').textContent)")
        answer(anna)
        assert anna.page.inner_text(".time") == ""
        anna.page.wait_for_selector(".question.asked", timeout=30_000)  # on a busy machine a bot takes long to start
        assert ben.page.locator(".question.asked").count() == 0


def test_rooms_are_found_again_shared_and_played_once_more_with_the_seats_moved_on(
    chromium: Any, house: Served, tmp_path: Any
) -> None:
    anna, ben = Person(chromium, house, "Anna"), Person(chromium, house, "Ben")
    anna.page.goto(house.address)
    anna.page.click("text=Parley >> nth=0")
    anna.page.check("input[name=open]")
    anna.page.select_option("select[name=clock]", label="10 minutes for the match")
    anna.page.click("#create")
    anna.page.wait_for_selector("#name")
    anna.page.fill("#name", "Anna")
    anna.page.click(".sit[data-seat='0']")
    anna.page.wait_for_selector("#start")
    assert "10 minutes for the match" in anna.page.inner_text(".invite")
    anna.page.click(".code summary")
    anna.page.wait_for_function("() => document.querySelector('.code img').naturalWidth > 0")
    anna.see_nothing_serious()
    room = anna.page.url.rpartition("/")[2]
    ben.page.goto(house.address)
    ben.page.click("#open a")
    ben.page.wait_for_url(f"**/room/{room}")
    ben.page.fill("#name", "Ben")
    ben.page.click(".sit[data-seat='1']")
    ben.page.wait_for_selector("#start")
    ben.page.goto(house.address)
    ben.page.click("#mine a")
    ben.page.wait_for_url(f"**/room/{room}")
    anna.begin()
    for seed, person in enumerate((anna, ben), 1):
        person.play(seed)
    for person in (anna, ben):
        person.page.wait_for_selector(".sheet")
    anna.page.click("#rematch")
    ben.page.click("#next")
    for person in (anna, ben):
        person.page.wait_for_selector("#start:enabled")
    assert ben.page.locator(".sitting .who").all_inner_texts()[0].startswith("Ben (you)")
    assert anna.page.locator(".sitting .who").all_inner_texts()[1].startswith("Anna (you)")
    ben.begin()
    for person in (anna, ben):
        person.page.wait_for_selector(".question.asked")
        person.leave()


def test_the_link_of_a_room_that_is_gone_says_so_and_leads_on(chromium: Any, house: Served) -> None:
    anna = Person(chromium, house, "Anna")
    anna.page.goto(f"{house.address}/room/nothing-here")
    anna.page.wait_for_selector("main >> text=there is no such room")
    anna.page.wait_for_timeout(500)
    assert "Reconnecting" not in anna.page.inner_text("body"), "it does not try again"
    anna.see_nothing_serious()
    anna.page.click("main a")
    anna.page.wait_for_selector(".card")
    anna.leave()


def test_an_invitation_names_house_rules_by_their_titles(chromium: Any, house: Served) -> None:
    with urllib.request.urlopen(f"{house.address}/api/games") as found:
        games = json.load(found)["games"]
    game = next(one for one in games if one["house_rules"])
    rule = game["house_rules"][0]
    room = house.create(game=game["id"], seats=[None] * max(2, game["players"][0]), house_rules=[rule["id"]])
    anna = Person(chromium, house, "Anna")
    anna.page.goto(f"{house.address}/room/{room}")
    anna.page.wait_for_selector(f".invite >> text={rule['title']}")
    anna.leave()


def test_the_end_of_a_match_is_seen_with_what_to_do_next_on_a_phone(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="goofspiel", **TOUCH) as (_, (anna,)):
        anna.page.wait_for_selector(".question.asked")
        assert not anna.page.is_visible("#undo"), "there is nothing to take back yet"
        anna.play(1)
        anna.page.wait_for_selector(".sheet", timeout=60_000)
        for seen in (".celebration", "#rematch"):
            box = anna.page.locator(seen).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]
        assert anna.page.locator(".sheet tbody tr").count() == 1
        assert anna.page.locator(".sheet tfoot").count() == 0, "one line is its own total"


TOO_SMALL = """() => [...document.querySelectorAll('a, button, summary, select, input:not([type=file], .unseen)')].filter((made) => made.checkVisibility() && !made.closest('p > a, label.check, .skip, .rooms')).map((made) => [made, made.getBoundingClientRect()]).filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([made, box]) => `${made.outerHTML.slice(0, 80)} ${box.width} x ${box.height}`)"""


def test_whatever_fingers_touch_beside_the_table_is_large_enough(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="goofspiel", **TOUCH) as (_, (anna,)):
        anna.page.wait_for_selector(".question.asked")
        anna.page.click(".menu summary")
        anna.page.click(".question .list summary")
        assert anna.page.evaluate(TOO_SMALL) == []
        for path in ("", f"/room/{house.create(game='parley', seats=[None, None])}", "/rules/parley"):
            anna.page.goto(f"{house.address}{path}")
            anna.page.wait_for_selector("main h2")
            assert anna.page.evaluate(TOO_SMALL) == []


def test_a_phone_says_below_whose_turn_it_is_what_has_happened_last(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", "Ben", game="reversi", **TOUCH) as (_, (anna, ben)):
        answer(anna)
        ben.page.wait_for_selector(".question.asked")
        assert ben.page.is_visible(".news")
        assert ben.page.inner_text(".news") == ben.page.locator(".events li:not(.turn, .step)").last.inner_text()


LOGGED = """async (texts) => {
  const { EventLog } = await import("/pages/log.js");
  const log = new EventLog();
  for (let at = 0; at < texts.length; at += 3) { log.add(at, texts.slice(at, at + 3).map((text) => ({ kind: "move", text }))); log.draw(); }
  const lines = () => [...log.list.children].map((line) => line.textContent);
  const all = lines();
  log.seen();
  log.add(2, [{ kind: "move", text: "b" }]); // as after an undo
  log.draw();
  return [all, lines()];
}"""


def test_what_happens_several_times_in_a_row_is_one_line_of_the_log(chromium: Any, house: Served) -> None:
    anna = Person(chromium, house, "Anna")
    anna.page.goto(house.address)
    assert anna.page.evaluate(LOGGED, list("aaaabba")) == [["a ×4", "b ×2", "a"], ["a ×2", "b"]]
    anna.leave()


SHARES = (
    "() => [...document.querySelectorAll('.count')].map((count) => count.offsetWidth / count.parentNode.offsetWidth)"
)


def test_counts_leave_most_of_a_small_piece_to_be_seen(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="rattlebones", **TOUCH) as (_, (anna,)):
        shares = anna.page.evaluate(SHARES)
        assert shares and max(shares) < 0.55, shares


def test_the_page_of_the_rules_is_there_before_they_are_written(chromium: Any, house: Served) -> None:
    anna = Person(chromium, house, "Anna")
    asked: list[Any] = []
    anna.page.route("**/api/games/*/rules?*", lambda route: asked.append(route))
    anna.page.goto(f"{house.address}/rules/parley")
    anna.page.wait_for_selector("header >> text=Rules")
    asked[0].continue_()
    anna.page.wait_for_selector("main h2")
    assert anna.page.locator("main").count() == 1
    anna.leave()


def test_an_option_of_the_list_shows_on_the_table_what_it_is_about(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="checkers") as (_, (anna,)):
        anna.page.hover(".question .option >> nth=0")
        assert anna.page.locator(".table .pointed").count() == 2, "the man and where it goes"
        anna.page.hover("h1")
        assert anna.page.locator(".table .pointed").count() == 0
        anna.page.focus(".question .option >> nth=1")
        assert anna.page.locator(".table .pointed").count() == 2


ROOM_TO_TOUCH = """() => {
  const cards = [...document.querySelectorAll('.seat.own .thing')].map((card) => card.getBoundingClientRect());
  return cards.map((card) => Math.min(card.width, ...cards.filter((other) => other.left > card.left && Math.abs(other.top - card.top) < card.height / 2).map((other) => other.left - card.left)));
}"""
"""How much of each card of one's own is not under the next one, in pixels."""
OVER_THE_EDGE = """() => [...document.querySelectorAll('.corner text')].filter((text) => {
  const [inside, card] = [text, text.closest('.shape').querySelector('.rim')].map((made) => made.getBoundingClientRect());
  return inside.left < card.left || inside.right > card.right;
}).map((text) => text.textContent)"""


def test_a_large_hand_can_be_read_and_touched_on_a_phone(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="goofspiel", **TOUCH) as (_, (anna,)):
        anna.page.wait_for_selector(".question.asked")
        found = anna.page.evaluate(ROOM_TO_TOUCH)
        assert len(found) == 13 and min(found) >= 36, found
        assert anna.page.evaluate("document.querySelectorAll('.corner text').length") > 20
        assert anna.page.evaluate(OVER_THE_EDGE) == []


TITLES_OVER_THE_EDGE = """() => [...document.querySelectorAll('.shape-card .title')].filter((made) => made.checkVisibility()).map((made) => {
  const words = document.createRange();
  words.selectNodeContents(made);
  const [inside, card] = [words, made.parentNode.querySelector('.body')].map((one) => one.getBoundingClientRect());
  return [made.textContent, Math.min(inside.left - card.left, card.right - inside.right, card.bottom - inside.bottom)];
})"""
"""The title of each card, and how far it is from the edge of its face, in pixels."""


def test_the_title_of_a_card_stays_on_its_face(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("random",), game="parlour", wanted={"seed": 3}) as (_, (anna,)):
        anna.page.wait_for_selector(".question.asked")
        titles = anna.page.evaluate(TITLES_OVER_THE_EDGE)
        assert "4 of swords" in dict(titles) and min(room for _, room in titles) > 0, titles


def test_a_race_has_a_big_button_and_a_countdown_and_says_who_was_first_by_how_much(
    chromium: Any, house: Served
) -> None:
    with table(chromium, house, "Anna", "Ben", wanted={"options": {"rounds": 2}}, **TOUCH) as (_, (anna, ben)):
        for person in (anna, ben):
            answer(person)
        for person in (anna, ben):
            answer(person)
        for person in (anna, ben):
            person.page.wait_for_selector(".question.slap.asked")
        box = anna.page.locator(".slap .option:not(.pass)").bounding_box()
        assert box["width"] >= 140 and box["y"] + box["height"] <= PHONE["height"], "seen whole, without scrolling"
        assert 1 <= int(anna.page.inner_text(".slap .seconds")) <= 10
        for person in (anna, ben):
            person.page.tap(".slap .option:not(.pass)")
        for person in (anna, ben):
            person.page.wait_for_selector("#notice.race >> text=/Anna was first after .* before Ben/")
        notice, sheet = (anna.page.locator(one).bounding_box() for one in ("#notice", ".question"))
        assert notice["y"] + notice["height"] < sheet["y"], "it does not lie on the next question"


def test_the_button_that_confirms_is_in_view_under_many_options_that_say_what_they_share_once(
    chromium: Any, house: Served
) -> None:
    with table(chromium, house, "Anna", bots=("random",) * 5, game="liars_dice", **TOUCH) as (_, (anna,)):
        page = anna.page
        page.wait_for_selector(".question.asked")
        assert page.locator(".option").count() > 30
        assert page.inner_text(".question").count("How many dice are bid") == 1
        page.tap(".option >> nth=0")
        box = page.locator("#confirm").bounding_box()
        assert box is not None and box["y"] + box["height"] <= PHONE["height"]


CAN_BE_TOUCHED = """() => [...document.querySelectorAll('.table .pickable:not(.chosen):not(.other), .question .option:enabled:not(.chosen), #confirm:enabled')]
  .map((made) => {
    const box = made.getBoundingClientRect();
    const parts = [0.5, 0.08, 0.92];
    const spots = parts.flatMap((x) => parts.map((y) => ({ x: box.left + box.width * x, y: box.top + box.height * y })));
    const spot = spots.find(({ x, y }) => x > 0 && x < innerWidth && y > 0 && y < innerHeight && made.contains(document.elementFromPoint(x, y)));
    return { ...spot, confirms: made.id === 'confirm' };
  }).filter(({ y }) => y !== undefined)"""
"""Where a finger can answer now, without scrolling."""


TOUCHED = {
    "hearts": 3, "connect_four": 1, "yahtzee": 1, "checkers": 1, "aladdin": 2, "ali_baba": 1, "master_thieves": 2, "rattlebones": 1,
    "reversi": 1, "tic_tac_toe": 1, "goofspiel": 1, "liars_dice": 1,
}  # fmt: skip
"""The games that people know, with as many bots as play along."""
OFTEN = ("hearts", "connect_four")
"""Those of which a match is played in each run; the others take minutes, and carry the mark `slow`: `make test-matches`."""


@pytest.mark.parametrize(
    "game", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.slow) for one in TOUCHED]
)
def test_a_match_is_played_on_a_phone_by_touch_alone_without_scrolling_to_answer(
    game: str, chromium: Any, house: Served
) -> None:
    random, answers = Random(4), 0
    bots = ("random",) * TOUCHED[game]
    with table(chromium, house, "Anna", bots=bots, game=game, **TOUCH) as (_, (anna,)):
        page = anna.page
        while answers < MOST_TOUCHED:
            page.wait_for_selector(".question.asked, .sheet")
            if page.locator(".sheet").count():
                break
            touch_an_answer(page, random)
            answers += 1
        assert answers > 2


def touch_an_answer(page: Any, random: Random) -> None:
    """Answer the question by touch, as far as can be seen without scrolling."""
    number = page.get_attribute(".question", "data-number")
    is_over = (
        "number => document.querySelector('.sheet') || document.querySelector('.question').dataset.number !== number"
    )
    for _ in range(12):
        if page.locator("dialog.look[open]").count():  # a piece that was no option any more when it was touched
            page.tap("dialog.look button")
        spots = page.evaluate(CAN_BE_TOUCHED)
        if page.evaluate(is_over, number):
            return
        assert spots, f"nothing can be answered without scrolling: {page.inner_text('.question')}"
        confirming = [spot for spot in spots if spot["confirms"]]
        spot = random.choice(confirming or spots)
        page.touchscreen.tap(spot["x"], spot["y"])
        if confirming:
            page.wait_for_function(is_over, arg=number)
            return
        page.wait_for_timeout(20)
    assert page.evaluate(is_over, number), f"twelve touches do not answer: {page.inner_text('.question')}"


@pytest.mark.parametrize(
    "game",
    [one if one in ("tic_tac_toe", "liars_dice") else pytest.param(one, marks=pytest.mark.slow) for one in TOUCHED],
)
def test_nothing_is_wrong_in_the_console_in_a_whole_match(game: str, chromium: Any, house: Served) -> None:
    said: list[str] = []
    room = house.create(game=game, seats=[None, *["random"] * TOUCHED[game]], seed=6)
    anna = Person(chromium, house, "Anna", reduced_motion="no-preference")
    anna.page.on("console", lambda one: said.append(one.text) if one.type in ("error", "warning") else None)
    anna.sit(room, 0)
    anna.begin()
    anna.play(7)
    anna.page.wait_for_selector(".sheet", timeout=200_000)
    assert said == []
    anna.leave()


def test_axe_finds_nothing_serious_on_any_page_by_day_and_by_night(chromium: Any, house: Served) -> None:
    with table(chromium, house, "Anna", bots=("first",), wanted={"options": {"rounds": 1}}) as (room, (anna,)):
        watching = Person(chromium, house, "Wanda")
        watching.page.goto(f"{house.address}/room/{room}")
        watching.page.wait_for_selector(".table .region")
        anna.page.wait_for_selector(".question.asked")
        watching.see_nothing_serious_by_day_and_by_night()
        anna.see_nothing_serious_by_day_and_by_night()
        anna.play(1)
        anna.page.wait_for_selector(".sheet")
        anna.see_nothing_serious_by_day_and_by_night()
        for path in (f"/room/{room}/replay", "/", "/rules/parley"):
            watching.page.goto(house.address + path)
            watching.page.wait_for_selector("main :is(h2, .region, fieldset)")
            watching.see_nothing_serious_by_day_and_by_night()
        record = watching.page.request.get(f"{house.address}/api/rooms/{room}/record").text()
        watching.page.goto(house.address)
        watching.page.evaluate("record => sessionStorage.setItem('record', record)", record)
        watching.page.goto(f"{house.address}/replay")
        watching.page.wait_for_selector(".table .region, .table .value")
        watching.see_nothing_serious_by_day_and_by_night()
        watching.leave()
    for game in ("checkers", "yahtzee", "rattlebones", "master_thieves"):
        bots = ("first",) * (3 if game in ("rattlebones", "master_thieves") else 1)
        with table(chromium, house, "Anna", bots=bots, game=game) as (_, (anna,)):
            anna.page.wait_for_selector(".question.asked")
            anna.see_nothing_serious_by_day_and_by_night()


MOST_LOADED = 300_000
MOST_SENT = 5_000
"""The most bytes of the first load of a room, as files, and of what an answer leads to, on a line that is compressed."""


@pytest.mark.parametrize("game", ["rattlebones", "master_thieves", "ali_baba", "aladdin"])
def test_a_room_loads_little_sends_little_and_asks_nobody_else(game: str, chromium: Any, house: Served) -> None:
    room = house.create(game=game, seats=[None, "random", "random"], seed=4)
    anna = Person(chromium, house, "Anna")
    page, files, frames = anna.page, [], []
    page.on("response", lambda response: files.append((response.url, len(response.body()))))
    page.on("console", lambda said: anna.wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("websocket", lambda line: line.on("framereceived", lambda text: frames.append(str(text).encode())))
    anna.sit(room, 0)
    anna.begin()
    page.wait_for_selector(".question.asked")
    assert sum(size for _, size in files) + sum(map(len, frames)) < MOST_LOADED
    assert {url.split("/")[2] for url, _ in files} == {house.address.split("/")[2]}
    frames.clear()
    anna.play(3)
    page.wait_for_function(
        "() => document.querySelector('.sheet') || document.querySelectorAll('.events li').length > 120"
    )
    assert len(frames) > 20
    assert max(len(zlib.compress(text)) for text in frames) < MOST_SENT
    assert Wire(house, room).connection.protocol.extensions, "the line is compressed"
    anna.leave()


IN_VIEW = """() => {
  const top = document.querySelector('.status').getBoundingClientRect().bottom, sheet = document.querySelector('.question').getBoundingClientRect();
  const bottom = innerWidth < 960 ? sheet.top : innerHeight;
  const boxes = [...document.querySelectorAll('.table .pickable')].map((made) => made.getBoundingClientRect());
  return [boxes.length, boxes.filter((box) => box.top >= top - 1 && box.bottom <= bottom + 1).length, sheet.top, sheet.bottom];
}"""


@pytest.mark.parametrize("game", ["rattlebones", "master_thieves", "hearts"])
def test_what_is_asked_about_and_the_question_are_in_view_on_a_phone_and_on_a_desk(
    game: str, chromium: Any, house: Served
) -> None:
    for wishes in (TOUCH, {"viewport": {"width": 1280, "height": 800}}):
        with table(chromium, house, "Anna", bots=("first",) * 3, game=game, **wishes) as (_, (anna,)):
            anna.page.wait_for_selector(".question.asked")
            pickable, seen, top, bottom = anna.page.evaluate(IN_VIEW)
            assert pickable == seen > 0
            assert 0 <= top < bottom <= wishes["viewport"]["height"]
            if wishes is TOUCH:
                assert bottom == PHONE["height"], "the sheet is at the very bottom"
                assert bottom - top < 100, "a sheet of a line or two"
                assert anna.page.locator(".region.track .cells:visible").count() == 0, "long tracks are folded"
            assert anna.page.locator("h4:text-matches(' · 0$')").count() == 0, "empty zones take no room"
