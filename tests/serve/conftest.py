"""A server in this process, with a small game, and pages that talk to it as a program does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from houserule.serve.app import application
from houserule.serve.catalogue import Catalogue
from houserule.serve.hub import Hub
from houserule.serve.limits import Limits, Visitors
from houserule.serve.protocol import VERSION
from houserule.serve.storage import Store
from tests.serve.browsing import Browser
from tests.serve.served import with_changes

PARLEY = Path(__file__).parent / "parley"
ORIGIN = "http://testserver"
CATALOGUE = Catalogue({"parley": PARLEY})


class Page:
    """A page at its line: what it sends, and what it was last shown."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.parts: dict[str, Any] = {}
        self.log: list[dict[str, str]] = []
        self.texts: list[str] = []  # all that has been received of the table, as it came
        self.token: str | None = None

    def send(self, type: str, **rest: Any) -> None:
        """Send a message."""
        self.socket.send_text(json.dumps({"type": type, **rest}))

    def hello(self, token: str | None = None, language: str = "en") -> dict[str, Any]:
        """Say who it is; the answer."""
        self.send("hello", version=VERSION, token=token, language=language)
        return self.until("welcome", "refused")

    def until(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; what is shown on the way is taken in."""
        while True:
            message = self.receive()
            if message["type"] in types:
                return message

    def receive(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.receive_text()
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "room":
            self.texts.append(text)
            log = message.pop("log", None)
            if log is not None:
                self.log[log["from"] :] = log["events"]
            if "changes" in message:
                message["scene"] = with_changes(self.parts["scene"], message.pop("changes"))
            self.parts |= message
        elif message["type"] == "seated":
            self.token = message["token"]
        return message

    def shows(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What the page shows, once it shows what is wanted."""
        while not (self.parts and wanted(self.parts)):
            self.receive()
        return self.parts

    def asked(self) -> dict[str, Any]:
        """The question to this page, once it is asked."""
        question = self.shows(lambda parts: parts.get("question") is not None)["scene"]["question"]
        assert isinstance(question, dict)
        return question

    def answer(self, at: int = 0) -> str:
        """Answer the question with one of its options, and see that it is taken; its number."""
        question = self.asked()
        number = str(self.parts["question"])
        self.send("answer", question=number, answer=question["options"][at]["key"])
        assert self.until("accepted", "refused") == {"type": "accepted", "question": number}
        self.shows(lambda parts: parts["question"] != number)
        return number

    def refused(self, type: str, **rest: Any) -> str:
        """Send what is refused; the code."""
        self.send(type, **rest)
        return str(self.until("refused", "accepted", "seated", "welcome").get("code"))


class House:
    """A server, its rooms in a file, and its pages."""

    def __init__(self, folder: Path, **limits: int) -> None:
        self.file = folder / "rooms.sqlite"
        self.limits = Limits(**{"new_rooms": 1000, "rate": 1000, **limits})
        self.open()

    def open(self) -> None:
        """Start."""
        self.hub = Hub(CATALOGUE, Store(f"sqlite:///{self.file}"), self.limits, pause=0.0)
        self.client = TestClient(application(self.hub, Visitors()), headers={"origin": ORIGIN})
        self.client.__enter__()
        self.pages: list[Page] = []

    def close(self) -> None:
        """Stop."""
        for page in self.pages:
            page.socket.__exit__(None, None, None)
        self.client.__exit__(None, None, None)

    def create(self, *seats: str | None, **wanted: Any) -> str:
        """A new room; its id."""
        answer = self.client.post("/api/rooms", json={"game": "parley", "seats": list(seats), "seed": 1, **wanted})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["room"])

    def page(self, room: str, token: str | None = None, language: str = "en") -> Page:
        """A page that looks at a room."""
        page = Page(self.client.websocket_connect(f"/api/rooms/{room}/line").__enter__())
        self.pages.append(page)
        assert page.hello(token, language)["type"] == "welcome"
        return page

    def is_there(self, room: str) -> bool:
        """Whether there is such a room."""
        return self.client.get(f"/api/rooms/{room}/record").json().get("code") != "no-room"

    def is_welcome(self, room: str, token: str | None = None) -> bool:
        """Whether one more page is let into a room."""
        with self.client.websocket_connect(f"/api/rooms/{room}/line") as socket:
            return Page(socket).hello(token)["type"] == "welcome"

    def leave(self, page: Page) -> None:
        """A page goes."""
        self.pages.remove(page)
        page.socket.__exit__(None, None, None)

    def seated(self, room: str, *names: str) -> list[Page]:
        """A page for each of these people, at the first seats."""
        pages = [self.page(room) for _ in names]
        for seat, (page, name) in enumerate(zip(pages, names, strict=True)):
            page.send("claim", seat=seat, name=name)
            page.until("seated")
        return pages

    def match(self, *names: str, bots: tuple[str, ...] = (), **wanted: Any) -> tuple[str, list[Page]]:
        """A match that has begun, and the pages of its people."""
        room = self.create(*[None] * len(names), *bots, **wanted)
        pages = self.seated(room, *names)
        pages[0].send("start")
        for page in pages:
            page.shows(lambda parts: parts["scene"] is not None)
        return room, pages


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    made = House(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests, as it takes seconds to start."""
    found = Browser()
    yield found
    found.end()


@pytest.fixture
def chromium(browser: Browser) -> Iterator[Any]:
    """Chromium, for one test."""
    with browser.watched() as found:
        yield found
