"""Crowds of connections that want nothing: a server with 1,024 descriptors goes on, says little, and recovers when they leave."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import resource
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from houserule.serve.limits import Sparing, network_of
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, Wire, served

CROWD = 1100
PATIENCE = 2
LONG = 60.0
"""Seconds after which a server that still does not answer, or shows nobody out, never will; a busy machine takes less."""
MOST_SAID = 4000
"""Characters in the log after all these crowds."""


@pytest.fixture(scope="module", autouse=True)
def enough_descriptors() -> Iterator[None]:
    """The crowd is in this process."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] < 3 * CROWD:
        pytest.skip("this process may not open so many connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that may open 1,024 descriptors and waits two seconds for a request."""
    with served(
        tmp_path_factory.mktemp("rooms"), str(PARLEY), options=("--patience", str(PATIENCE)), descriptors=1024
    ) as made:
        yield made


class Crowd:
    """Connections to a server that have sent something, and send no more."""

    def __init__(self, house: Served, number: int, sends: bytes = b"", source: str = "127.0.0.1") -> None:
        self.members = []
        for _ in range(number):
            member = socket.create_connection(("localhost", house.port), 20, source_address=(source, 0))
            self.members.append(member)
            with contextlib.suppress(OSError):  # shown out already
                member.sendall(sends)

    def still_in(self) -> int:
        """How many of them the server has not closed."""
        found = 0
        for member in self.members:
            member.setblocking(False)
            try:
                while member.recv(65536):
                    pass
            except BlockingIOError:
                found += 1
            except OSError:
                pass
        return found

    def leave(self) -> None:
        """They go."""
        for member in self.members:
            member.close()


def gets_a_page(house: Served) -> bool:
    """Whether somebody is shown the list of games."""
    end = time.monotonic() + LONG
    while True:
        try:
            with urllib.request.urlopen(f"{house.address}/api/games", timeout=LONG) as answer:
                return bool(json.load(answer)["games"][0]["id"] == "parley")
        except ConnectionError:  # turned away; a browser asks again
            if time.monotonic() > end:
                raise


def shrinks_to(most: int, crowd: Crowd) -> bool:
    """Whether no more of a crowd are left after a while."""
    end = time.monotonic() + LONG
    while crowd.still_in() > most and time.monotonic() < end:
        time.sleep(0.2)
    return crowd.still_in() <= most


def plays_on(house: Served, page: Wire) -> bool:
    """Whether somebody at a table can still answer and is shown what follows."""
    page.answer()
    return page.asked() is not None


def at_a_table(house: Served) -> Wire:
    """Somebody who plays alone."""
    room = house.create(game="parley", seats=[None], options={"rounds": 9})
    page = Wire(house, room)
    page.say("claim", seat=0, name="Ann")
    page.until("seated")
    page.say("start")
    page.asked()
    return page


UPGRADE = (
    "GET /api/rooms/{room}/line HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n"
)


@pytest.mark.long
@pytest.mark.parametrize(
    "sends",
    [
        pytest.param("", id="silent"),
        pytest.param("GET / HTTP/1.1\r\nHost: loc", id="half a request"),
        pytest.param(UPGRADE, id="half an upgrade"),
        pytest.param(UPGRADE + "\r\n", id="no hello"),
        pytest.param("GET /pages/style.css HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", id="answered and kept"),
        pytest.param("nonsense\r\n\r\n", id="nonsense"),
    ],
)
def test_a_crowd_that_says_nothing_stops_nobody(sends: str, house: Served) -> None:
    page = at_a_table(house)
    room = house.create(game="parley", seats=[None])
    crowd = Crowd(house, CROWD, sends.format(room=room, port=house.port).encode())
    assert gets_a_page(house)
    assert plays_on(house, page)
    assert shrinks_to(0, crowd)
    assert plays_on(house, page)
    assert len(house.said()) < MOST_SAID
    crowd.leave()
    page.opened.close()


def test_crowds_from_many_addresses_leave_descriptors_for_the_others(house: Served) -> None:
    page = at_a_table(house)
    crowds = [Crowd(house, 250, source=f"127.0.0.{number}") for number in range(2, 9)]
    assert gets_a_page(house)
    assert plays_on(house, page)
    assert sum(crowd.still_in() for crowd in crowds) < 1024
    for crowd in crowds:
        crowd.leave()
    assert gets_a_page(house)
    assert len(house.said()) < MOST_SAID
    page.opened.close()


@pytest.mark.long
def test_a_request_byte_by_byte_has_its_time(house: Served) -> None:
    crowd = Crowd(house, 20, b"GET / HTTP/1.1\r\nX-Slow: ")
    post = f"POST /api/rooms HTTP/1.1\r\nHost: localhost:{house.port}\r\nOrigin: {house.address}\r\n"
    post += "Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n"
    bodies = Crowd(house, 20, post.encode())
    end = time.monotonic() + LONG
    while (crowd.still_in() or bodies.still_in()) and time.monotonic() < end:
        for member in (*crowd.members, *bodies.members):
            with contextlib.suppress(OSError):
                member.sendall(b" ")
        time.sleep(0.2)
    assert len(house.said()) < MOST_SAID
    assert (crowd.still_in(), bodies.still_in()) == (0, 0)
    crowd.leave()
    bodies.leave()


@pytest.mark.long
def test_a_page_that_says_hello_in_time_stays(house: Served) -> None:
    page = at_a_table(house)
    time.sleep(2 * PATIENCE)
    assert plays_on(house, page)
    page.opened.close()


def test_spectators_of_one_address_leave_places_for_others(house: Served) -> None:
    room = house.create(game="parley", seats=[None])
    ann = Wire(house, room, comes_from="192.0.2.1")
    ann.say("claim", seat=0, name="Ann")
    ann.until("seated")
    ann.say("start")
    crowd = [Wire(house, room, comes_from="192.0.2.2") for _ in range(45)]
    assert [page.until("welcome", "refused")["type"] for page in crowd].count("refused") == 5
    other = Wire(house, room, comes_from="192.0.2.3")
    assert other.until("welcome", "refused")["type"] == "welcome"
    assert plays_on(house, ann)
    for page in (ann, other, *crowd):
        page.opened.close()


def test_a_head_of_a_request_that_does_not_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is installed beside the server, such as the parser that has no limit."""
    (tmp_path / "httptools.py").write_text("", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with served(tmp_path, str(PARLEY)) as house:
        with urllib.request.urlopen(f"{house.address}/api/rooms", timeout=LONG) as answer:
            assert json.load(answer) == {"rooms": []}
        visitor = socket.create_connection(("localhost", house.port), LONG)
        with visitor, contextlib.suppress(ConnectionResetError):  # it has closed before all was sent
            visitor.sendall(b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 15_000)
            assert visitor.recv(12) == b"HTTP/1.1 400"


def test_a_text_that_is_none_closes_its_line_without_a_traceback(tmp_path: Path) -> None:
    with served(tmp_path, str(PARLEY)) as house:
        page = Wire(house, house.create(game="parley", seats=[None]))
        page.until("room")
        page.connection.send(b"\xff{", text=True)
        with pytest.raises(ConnectionClosed, match="1007"):
            page.until("refused")
        assert "UTF-8" in house.said() and "Traceback" not in house.said()


def test_errors_of_one_kind_are_counted(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    sparing = Sparing()
    caplog.handler.addFilter(sparing)
    log = logging.getLogger("test")
    for _ in range(1000):
        log.error("no descriptors")
    for number in range(1000):
        log.error("a line from %d", number)
    assert [record.getMessage() for record in caplog.records] == [
        "no descriptors",
        *(f"a line from {n}" for n in range(10)),
    ]
    now[0] = 100.0
    log.error("something else")
    counted = ["999 more like this: no descriptors", "990 more like this: a line from 0", "something else"]
    assert [record.getMessage() for record in caplog.records[11:]] == counted
    caplog.handler.removeFilter(sparing)


def test_an_address_is_a_network() -> None:
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("2001:db8:1:2::3") == network_of("2001:db8:1:2:ffff::9") != network_of("2001:db8:1:3::3")
    assert network_of("testclient") == "testclient"
