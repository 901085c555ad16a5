"""Races are decided by the server's clock, which runs for those too who had no page open when the race began."""

from __future__ import annotations

import time
from pathlib import Path

from houserule.serve.protocol import VERSION
from tests.serve.conftest import House, Page

WATCHED = 0.6
"""How many seconds the race is watched before Ann reacts."""


def until_the_race(house: House, is_ann_here: bool = False) -> tuple[str, Page, Page]:
    """A match up to its race, which begins with Ben's answer; Ann has a page then, or none."""
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    for page in (ann, ben, ann):
        page.answer()
    if not is_ann_here:
        house.leave(ann)
    ben.answer()
    assert ben.asked()["kind"] == "slap"
    return room, ann, ben


def slap_in_one_burst(house: House, room: str, token: str | None) -> Page:
    """A page says hello and reacts before it is shown anything."""
    page = Page(house.client.websocket_connect(f"/api/rooms/{room}/line").__enter__())
    house.pages.append(page)
    page.send("hello", version=VERSION, token=token, language="en")
    page.send("answer", question="0.2", answer="slap")
    assert page.until("accepted", "refused")["type"] == "accepted"
    return page


def reaction(house: House, room: str, seat: int = 0) -> float:
    """The milliseconds that a seat is said to have taken."""
    return house.hub.rooms[room].room.reactions[seat][0]


def test_a_race_is_not_won_after_watching_it(house: House) -> None:
    room, ann, _ = until_the_race(house)
    time.sleep(WATCHED)
    slap_in_one_burst(house, room, ann.token)
    assert 1000 * WATCHED <= reaction(house, room) < 10_000


def test_a_page_that_looks_on_and_then_says_who_it_is_gains_nothing(house: House) -> None:
    room, ann, _ = until_the_race(house)
    page = house.page(room)
    page.shows(lambda parts: parts["scene"] is not None)
    time.sleep(WATCHED)
    page.send("hello", version=VERSION, token=ann.token, language="en")
    page.send("answer", question="0.2", answer="slap")
    page.until("accepted")
    assert reaction(house, room) >= 1000 * WATCHED


def test_a_second_page_that_never_reacts_changes_nothing(house: House) -> None:
    room, ann, _ = until_the_race(house, is_ann_here=True)
    time.sleep(WATCHED)
    slap_in_one_burst(house, room, ann.token)
    assert reaction(house, room) >= 1000 * WATCHED


def test_a_page_that_reconnects_in_the_middle_gains_nothing(house: House) -> None:
    room, ann, _ = until_the_race(house, is_ann_here=True)
    ann.asked()
    house.leave(ann)
    time.sleep(WATCHED)
    slap_in_one_burst(house, room, ann.token)
    assert reaction(house, room) >= 1000 * WATCHED


def test_a_page_that_delays_its_messages_gains_no_more_than_a_slow_line(house: House) -> None:
    room, ann, _ = until_the_race(house, is_ann_here=True)
    line = next(line for line in house.hub.rooms[room].lines if line.seat == 0)
    line.trips.extend([9000.0] * 8)
    time.sleep(WATCHED)
    ann.answer(1)
    assert reaction(house, room) >= 1000 * WATCHED - 400


def test_a_server_that_was_restarted_knows_when_the_race_began(house: House) -> None:
    room, ann, _ = until_the_race(house)
    house.close()
    time.sleep(WATCHED)
    house.open()
    slap_in_one_burst(house, room, ann.token)
    assert reaction(house, room) >= 1000 * WATCHED


def test_another_process_knows_when_the_race_began(house: House, tmp_path: Path) -> None:
    room, ann, _ = until_the_race(house)
    time.sleep(WATCHED)
    elsewhere = House(tmp_path)
    slap_in_one_burst(elsewhere, room, ann.token)
    assert reaction(elsewhere, room) >= 1000 * WATCHED
    elsewhere.close()


def test_whoever_has_the_race_on_their_page_is_timed_from_seeing_it(house: House) -> None:
    room, ann, ben = until_the_race(house, is_ann_here=True)
    ann.asked()
    ann.answer(1)
    assert reaction(house, room) < 1000 * WATCHED
    time.sleep(WATCHED)
    ben.answer(1)
    ben.shows(lambda parts: parts["scene"]["is_over"])
    assert ben.parts["scene"]["winners"] == [0]
