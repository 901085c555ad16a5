"""Pages of somebody else get nothing, and our own may load nothing from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import houserule
from houserule.bundled import bundled
from houserule.icons import CREDIT
from houserule.serve.app import application
from houserule.serve.catalogue import Catalogue
from houserule.serve.limits import LOCAL, PAGES_OF_SEAT, Addresses, Bucket, Visitors
from houserule.serve.protocol import VERSION
from houserule.serve.room import RoomSettings
from houserule.site.playing import Sitting
from tests.serve.conftest import House


def test_a_request_that_changes_something_comes_from_a_page_of_ours(house: House) -> None:
    wanted = {"game": "parley", "seats": [None]}
    for origin in ("http://evil.example", "null", "http://testserver.evil.example", "http://testserver:81"):
        answer = house.client.post("/api/rooms", json=wanted, headers={"origin": origin})
        assert answer.status_code == 403
    bare = TestClient(house.client.app)
    assert bare.post("/api/rooms", json=wanted).status_code == 403
    room = house.create(None)
    for headers in ({"origin": "http://evil.example"}, {"origin": ""}):
        with (
            pytest.raises(WebSocketDisconnect),
            house.client.websocket_connect(f"/api/rooms/{room}/line", headers=headers),
        ):
            pass


def test_here_only_names_of_this_machine_lead_here(house: House) -> None:
    app = application(house.hub, Visitors(LOCAL, ["https://games.example"]))
    for host, status in (
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("games.example", 200),
        ("evil.example:8000", 403),
        ("", 403),
    ):
        assert TestClient(app).get("/", headers={"host": host}).status_code == status, host
    visitors = Visitors(LOCAL, ["https://games.example"])
    assert visitors.is_own("https://games.example", "localhost:8000")
    assert not visitors.is_own("https://other.example", "localhost:8000")


def test_no_word_of_a_page_is_given_twice() -> None:
    """The later one would stand in both places."""
    text = (Path(houserule.__file__).parent / "serve" / "pages" / "words.js").read_text(encoding="utf-8")
    for table in re.findall(r"^const \w+ = \{\n(.*?)^\};", text, re.MULTILINE | re.DOTALL):
        keys = re.findall(r"^  (\w+): ", table, re.MULTILINE)
        assert len(keys) > 10 and sorted(keys) == sorted(set(keys))


def test_pages_may_load_only_what_is_ours(house: House) -> None:
    for path in ("/", "/room/x", "/room/x/replay", "/rules/parley", "/pages/room.js", "/api/games", "/nothing"):
        headers = house.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/pages/../room.py", "/pages/%2e%2e/room.py", "/pages/..%2froom.py", "/pages//etc/passwd"]
)
def test_no_other_file_is_served(path: str, house: House) -> None:
    assert house.client.get(path).status_code == 404


def test_messages_have_a_size_and_a_rate(tmp_path: Path) -> None:
    house = House(tmp_path, rate=5)
    room = house.create(None)
    page = house.page(room)
    codes = [page.refused("answer", question="0.0", answer="x") for _ in range(30)]
    assert "too-fast" in codes
    page.socket.send_text(json.dumps({"type": "answer", "question": "x" * 40_000, "answer": ""}))
    with pytest.raises(WebSocketDisconnect):
        while True:
            page.receive()
    house.leave(page)
    house.close()


def test_rooms_and_viewers_have_a_number(tmp_path: Path) -> None:
    house = House(tmp_path, rooms=2, viewers=1, new_rooms=3)
    room, _ = house.match("Ann")
    house.page(room)
    assert not house.is_welcome(room)
    house.page(house.create(None))
    wanted = {"game": "parley", "seats": [None]}
    assert [house.client.post("/api/rooms", json=wanted).json()["code"] for _ in range(2)] == ["too-many", "too-fast"]
    with house.client.websocket_connect("/api/rooms/nowhere/line") as socket:
        assert socket.receive_json()["code"] == "no-room"
    house.close()


def test_spectators_take_no_place_from_the_players(tmp_path: Path) -> None:
    house = House(tmp_path, viewers=3)
    room, (ann, ben) = house.match("Ann", "Ben")
    for _ in range(3):
        house.page(room)
    assert not house.is_welcome(room)
    assert not house.is_welcome(room, "forged")
    house.leave(ann)
    again = house.page(room, ann.token)
    again.answer()
    assert again.refused("hello", version=VERSION, token=None, language="en") == "full"  # nobody looks on as well
    ben.answer()
    house.close()


def test_whoever_can_still_sit_down_gets_a_place(tmp_path: Path) -> None:
    house = House(tmp_path, viewers=3)
    room = house.create(None, None)
    watchers = [house.page(room) for _ in range(3)]
    ann = house.page(room)
    assert watchers[0].until("refused")["code"] == "full"
    with pytest.raises(WebSocketDisconnect):
        watchers[0].receive()
    ann.send("claim", seat=0, name="Ann")
    ann.until("seated")
    house.page(room)
    ann.send("leave")
    assert watchers[1].until("refused")["code"] == "full"
    assert len(house.hub.rooms[room].lines) == 3
    house.close()


def test_a_seat_has_so_many_pages_and_the_newest_stay(tmp_path: Path) -> None:
    house = House(tmp_path)
    room, (ann,) = house.match("Ann")
    pages = [house.page(room, ann.token) for _ in range(PAGES_OF_SEAT)]
    assert ann.until("refused")["code"] == "pages"
    number = pages[0].answer()
    pages[-1].shows(lambda parts: parts["question"] not in (None, number))
    pages[-1].answer()
    house.close()


def test_an_address_opens_no_more_than_so_many_lines(tmp_path: Path) -> None:
    house = House(tmp_path, lines=2)
    first, second = house.create(None), house.create(None)
    pages = [house.page(first), house.page(second)]
    with house.client.websocket_connect(f"/api/rooms/{first}/line") as socket:
        assert socket.receive_json()["code"] == "lines"
    house.leave(pages[0])
    house.page(second)
    house.close()


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bucket = Bucket(2, 2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_the_cover_of_a_game_has_a_few_pieces_unlike_each_other_and_the_icons_on_them_alone(house: House) -> None:
    house.hub.catalogue.folders["nim"] = bundled("games") / "classics" / "nim"
    found = house.client.get("/api/games/nim/cover").json()
    assert [one["icon"] for one in found["things"]] == list(found["icons"]) == ["match-tip"]
    assert found["credit"] == CREDIT
    looks = [(one["fill"], one["symbol"]) for one in house.client.get("/api/games/parley/cover").json()["things"]]
    assert 1 < len(looks) <= 5 and len(set(looks)) == len(looks)
    assert house.client.get("/api/games/nowhere/cover").status_code == 404


def test_the_icons_of_a_game_are_sent_with_their_credit(house: House) -> None:
    assert house.client.get("/api/games/parley/icons").json() == {"credit": "", "icons": {}}
    assert house.client.get("/api/games/nowhere/icons").status_code == 404
    house.hub.catalogue.folders["nim"] = bundled("games") / "classics" / "nim"
    found = house.client.get("/api/games/nim/icons").json()
    assert found["credit"] == CREDIT and list(found["icons"]) == ["match-tip"]


def test_what_costs_much_is_kept_or_asked_for_by_few(house: House) -> None:
    room = house.create(None)
    drawn = house.client.get(f"/room/{room}/code.svg")
    assert drawn.headers["content-type"] == "image/svg+xml" and drawn.text.startswith("<svg")
    assert house.client.get("/room/nowhere/code.svg").status_code == 404
    catalogue = Catalogue(house.hub.catalogue.folders)
    assert catalogue.offered("no language") is catalogue.offered("en")
    addresses = Addresses(60)
    assert [addresses.take("a", 50) for _ in range(3)] == [True, True, False]
    assert addresses.take("b")


SECRET = """\
edition: 2026
game: secret
players: 2
variables:
  hoard(player): {type: 0..9, visible: owner}
flow:
  bid:
    repeat: 3
    do: |
      together players:
        choose n from 8..9 "How many in secret?"
        me.hoard += n
scoring: {hoard: me.hoard}
"""


def test_a_rule_that_fails_tells_nobody_what_is_hidden(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "game.yaml").write_text(SECRET, encoding="utf-8")
    house.hub.catalogue.folders["secret"] = tmp_path / "secret"
    try:
        room, (first, second) = house.match("Ann", "Ben", game="secret")
        for page in (first, second, first):
            page.answer()
        question = second.asked()
        second.send("answer", question=str(second.parts["question"]), answer=question["options"][0]["key"])
        assert first.shows(lambda parts: bool(parts.get("fault")))["fault"] == "bid (game.yaml:12)"
        assert "16" not in str(first.texts).replace(room, ""), "the id of a room may have any signs"
        assert "'hoard' would become 16" in caplog.text
    finally:
        del house.hub.catalogue.folders["secret"]


def test_where_all_play_at_one_device_they_are_told_why_a_rule_has_failed(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(SECRET, encoding="utf-8")
    game = houserule.load(tmp_path)
    sitting = Sitting.begun("r", RoomSettings(game.id, game.rules_hash, (None, None), 1), game, ["Ann", "Ben"])
    room = sitting.room
    for seat in (0, 1, 0, 1):
        sitting.do(room.answer(seat, room.question(seat), "8", "en"))
    assert room.fault == "'hoard' would become 16, and its range is 0..9"
