"""What visitors of `houserule serve` send: none of it ends in a traceback, grows without bounds or shows a seat to another."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from houserule import SPECTATOR
from houserule.serve.catalogue import Replays
from houserule.serve.protocol import Refused
from houserule.serve.room import seen
from tests.serve.conftest import CATALOGUE, House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("address", ["[", "http://[", "http://[::1", "http://a]b"])
def test_what_is_no_address_is_somebody_elses(address: str, house: House) -> None:
    asked = house.client.post("/api/rooms", json={}, headers={"origin": address})
    assert asked.status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        house.client.websocket_connect("/api/rooms/x/line", headers={"origin": address}),
    ):
        pass


@pytest.mark.parametrize("step", ["9" * 5000, "-1", "²", "1.0"])
def test_what_is_no_step_is_not_looked_for(step: str, house: House) -> None:
    assert house.client.get(f"/api/rooms/nowhere/replay/{step}").json()["code"] == "step"


def test_a_line_outlives_halves_of_signs_and_bytes(house: House) -> None:
    page = house.page(house.create(None))
    half = chr(0xD800)
    for wrong in (
        {"type": "answer", "question": half, "answer": "x"},
        {"type": "claim", "seat": 0, "name": half},
        {"type": "language", "language": half},
        {"type": "hello", "version": 1, "token": half, "language": "en"},
    ):
        page.socket.send_text(json.dumps(wrong))
        assert page.until("refused")["code"] == "malformed"
    page.socket.send_bytes(b"\xff\xfe")
    assert page.until("refused")["code"] == "malformed"


def test_a_seat_given_up_in_one_window_is_given_up_in_all(house: House) -> None:
    room = house.create(None)
    [first] = house.seated(room, "Ann")
    second = house.page(room, first.token)
    first.send("leave")
    assert second.until("welcome")["seat"] is None
    [other] = house.seated(room, "Ben")
    other.send("start")
    hand = {option["label"] for option in other.asked()["options"]}
    assert second.refused("answer", question="0.0", answer="pass") == "not-seated"
    assert second.parts["scene"]["question"] is None
    assert not any(label in text for label in hand for text in second.texts)


def test_an_answer_that_is_taken_back_while_a_bot_takes_its_time_ends_in_no_traceback(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    room, (ann,) = house.match("Ann", bots=("first",))
    ann.answer()
    house.hub.pause = 0.3
    ann.answer()  # and now the bot is asked
    ann.send("undo")
    ann.shows(lambda parts: parts["question"] == "1.1")
    time.sleep(0.6)
    assert caplog.text == ""
    house.hub.pause = 0.0
    ann.answer()
    match = house.hub.rooms[room].room.match
    assert match is not None
    with pytest.raises(Refused):
        asyncio.run(house.hub.thinkers.answer(room, match, SPECTATOR, "greedy"))
    assert house.hub.thinkers.pool is None, "nobody thinks about what is not asked"


def test_no_more_is_kept_for_languages_that_the_game_does_not_speak(house: House) -> None:
    room, (ann,) = house.match("Ann")
    for number in range(20):
        ann.send("language", language=f"x{number}")
        assert ann.refused("answer", question="0.0", answer="no such card") == "illegal"
    live = house.hub.rooms[room]
    assert live.room.match is not None
    assert len(live._shown) + len(live.room.match._spoken) <= 3


def test_no_more_look_on_than_may_though_they_say_hello_late(tmp_path: Path) -> None:
    house = House(tmp_path, viewers=1)
    room = house.create(None)
    with (
        house.client.websocket_connect(f"/api/rooms/{room}/line") as first,
        house.client.websocket_connect(f"/api/rooms/{room}/line") as second,
    ):
        hello = json.dumps({"type": "hello", "version": 1, "token": None, "language": "en"})
        first.send_text(hello)
        assert first.receive_json()["type"] == "welcome"
        second.send_text(hello)
        assert second.receive_json()["type"] == "welcome"
        while "code" not in (said := first.receive_json()):
            pass
        assert said["code"] == "full"  # while a seat is free, somebody new may look at the room
    house.close()


def test_what_is_new_work_counts_as_a_new_room(tmp_path: Path) -> None:
    house = House(tmp_path, new_rooms=2)
    codes = [house.client.get(f"/api/games/parley/rules?with=none{number}").json()["code"] for number in range(3)]
    assert codes == ["house-rule", "house-rule", "too-fast"]
    assert house.client.get("/api/games/parley/rules").status_code == 200
    house.close()


def test_people_can_tell_names_apart() -> None:
    assert seen("A\u200dnn\ufe0f") == seen("ａｎｎ") == "ann"
    assert not any(map(seen, ("\u200d", "\u3164", "\u115f", "\u2800", "\ufe0f", "\u00ad", "\u0300", "\U000e0041")))
    assert seen("กิ") != seen("กุ")


def test_replays_are_those_of_their_own_matches() -> None:
    replays, game = Replays(), CATALOGUE.game("parley")
    one, other = (game.start(["Ann", "Ben"], seed) for seed in (1, 2))
    for match in (one, other):
        match.answer("Ann", match.pending[0].single[0])
    replays.step(one, 1, "en")
    kept = replays._kept.pop((id(one), "en"))
    replays._kept[id(other), "en"] = kept  # as if it had the place in memory that the other has now
    assert replays.step(other, 1, "en") == Replays().step(other, 1, "en") != Replays().step(one, 1, "en")
