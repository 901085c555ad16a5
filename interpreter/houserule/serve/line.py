"""The connection of one page: reads its messages, and sends it changes of what its viewer may see."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import deque
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from houserule import SPECTATOR
from houserule.serve.catalogue import Shown
from houserule.serve.hub import LiveRoom
from houserule.serve.limits import LARGEST_MESSAGE, Bucket, Visit
from houserule.serve.protocol import VERSION, Refused, read_message, written
from houserule.serve.storage import NotStored

PING_SECONDS = 15.0
QUIET_SECONDS = 5.0
"""A line on which nothing was sent for this long is pinged as well: its page takes a longer silence for a dead line."""
FIRST_PINGS = 3
LEAVING_SECONDS = 5.0
WHOLE_SCENE = 20
"""As many messages as one that asks for the whole scene anew."""
TOO_LARGE, POLICY = 1009, 1008


def refusal(wrong: Refused | NotStored, question: str | None = None) -> dict[str, Any]:
    """The message that something was refused."""
    refused = wrong if isinstance(wrong, Refused) else Refused("not-stored")
    return {"type": "refused", "question": question, **refused.to_json()}


class Line:
    """A page that watches a room: its seat, its language, and what it has been sent."""

    def __init__(self, socket: WebSocket, room: LiveRoom, address: str) -> None:
        self.socket = socket
        self.address = address
        self.visit: Visit | None = socket.scope.get("visit")
        self.room = room
        self.language = "en"
        self.is_welcome = False
        self.is_dismissed = False
        self._token: str | None = None
        self.sent = Shown()
        self.trips: deque[float] = deque(maxlen=8)  # round-trip time in milliseconds
        self._pinged: dict[int, float] = {}
        self._pings = 0
        self._spoke = self._measured = time.monotonic()
        self._has_news = asyncio.Event()
        self._sending = asyncio.Lock()
        self._bucket = Bucket(room.hub.limits.rate, room.hub.limits.rate * 2)

    @property
    def seat(self) -> int:
        """The seat of its token; a spectator's as soon as the seat has been given up, on whatever connection."""
        with contextlib.suppress(Refused):
            return self.room.hub.viewer(self.room, self._token)
        return SPECTATOR

    def wake(self) -> None:
        self._has_news.set()

    def dismiss(self, code: str) -> None:
        """Show the page out, for a reason; what it still says is not heard."""
        self.is_dismissed = True
        self.room.lines.pop(self, None)
        self.room.hub.begin(self._leave(code))

    async def _leave(self, code: str) -> None:
        if self.visit is not None:  # the page may not read what it is told
            self.visit.wait(LEAVING_SECONDS, is_idle=True)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.send(refusal(Refused(code)))
            await self.socket.close(POLICY)

    async def run(self) -> None:
        """Serve the page until it disconnects."""
        sender = asyncio.ensure_future(self._send_news())
        pinger = asyncio.ensure_future(self._ping())
        try:
            await self._receive()
        except (WebSocketDisconnect, RuntimeError):
            pass  # it has disconnected
        finally:
            sender.cancel()
            pinger.cancel()
            self.room.lines.pop(self, None)
            self.room.hub.has_let_go = True
            self.room.seat_anew()

    # --- sending ------------------------------------------------------------------------------------------------------

    async def send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self.socket.send_text(written(message))
            self._spoke = time.monotonic()

    async def _send_news(self) -> None:
        """Send changes whenever there are any. Changes during a transmission are sent together."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._has_news.wait()
                self._has_news.clear()
                if self._token is not None and self.seat == SPECTATOR:  # given up on another connection
                    self._look_on()
                    await self.send({"type": "welcome", "version": VERSION, "seat": None})
                shown = self.room.shown(self.seat, self.language)
                changes = shown.since(self.sent)
                self.sent = shown
                if changes:
                    if shown.parts.get("question") is not None and self.room.room.is_race:
                        self.room.note_shown(self.seat)
                    await self.send({"type": "room", **changes})

    async def _ping(self) -> None:
        """Measure the latency, at once and periodically, and be heard on a quiet line."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await asyncio.sleep(0.3 if self._pings < FIRST_PINGS else QUIET_SECONDS)
                while (quiet := self._spoke + QUIET_SECONDS - time.monotonic()) > 0 and self._is_measured():
                    await asyncio.sleep(quiet)
                self._pings += 1
                self._measured = time.monotonic()
                self._pinged = {self._pings: time.monotonic()}
                await self.send({"type": "ping", "ping": self._pings})

    def _is_measured(self) -> bool:
        """Whether the latency was measured lately."""
        return self._pings >= FIRST_PINGS and time.monotonic() - self._measured < PING_SECONDS

    # --- receiving ----------------------------------------------------------------------------------------------------

    async def _receive(self) -> None:
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect" or self.is_dismissed:
                return
            text = received.get("text") or ""
            if len(text) > LARGEST_MESSAGE:
                await self.socket.close(TOO_LARGE)
                return
            question = None
            try:
                if not self._bucket.take():
                    await asyncio.sleep(1 / self.room.hub.limits.rate)  # its later messages wait
                    raise Refused("too-fast")
                message = read_message(text)
                question = message.get("question")
                await self._carry_out(message)
            except (Refused, NotStored) as wrong:
                await self.send(refusal(wrong, question))

    async def _carry_out(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "hello":
            self._bucket.take(WHOLE_SCENE if self.is_welcome else 0)
            await self._welcome(message)
            return
        if not self.is_welcome:
            raise Refused("malformed")
        match kind:
            case "pong":
                if (sent := self._pinged.pop(message["ping"], None)) is not None:
                    self.trips.append((time.monotonic() - sent) * 1000)
            case "language":
                self._bucket.take(WHOLE_SCENE)
                self.language = self.room.room.spoken(message["language"])
                self.sent = Shown({"room": self.sent.parts.get("room")})
                self.wake()
            case "claim":
                await self._claim(message["seat"], message["name"])
            case _ if (seat := self.seat) != SPECTATOR:
                await self._act(kind, seat, message)
            case _:
                raise Refused("not-seated")

    async def _act(self, kind: str, seat: int, message: dict[str, Any]) -> None:
        """What only those can do who have a seat."""
        room = self.room.room
        match kind:
            case "leave":
                await self.room.do(lambda: room.decided("leave", seat=seat))
                self._look_on()
            case "start":
                await asyncio.to_thread(room.game.program, len(room.seats), True)
                await self.room.do(lambda: room.decided("start"))
            case "answer":
                await self._answer(seat, message["question"], message["answer"])
            case "change":
                await self.room.do(lambda: room.change(seat, message["question"]))
            case "relieve":
                await self.room.do(lambda: room.relieve(seat, message["seat"], self.room.absent))
            case "rematch":
                await self.room.hub.rematch(self.room, self.address)
            case "undo":
                await self.room.do(lambda: room.ask_undo(seat))
            case "consent":
                await self.room.do(lambda: room.decided("consent", seat=seat, consents=message["consents"]))

    def _sit(self, token: str | None) -> None:
        self._token = token
        self.sent = Shown()
        self.room.seat_anew()

    def _look_on(self) -> None:
        """Become a spectator, if there is a place."""
        self._sit(None)
        try:
            self.room.make_place(self, SPECTATOR)
        except Refused as refused:
            self.dismiss(refused.code)

    async def _welcome(self, message: dict[str, Any]) -> None:
        if message["version"] != VERSION:
            raise Refused("version")
        seat = self.room.hub.viewer(self.room, message["token"])
        self.room.make_place(self, seat)
        self.language = self.room.room.spoken(message["language"])
        self.is_welcome = True
        if self.visit is not None:
            self.visit.stay()
        await self.send({"type": "welcome", "version": VERSION, "seat": seat if seat != SPECTATOR else None})
        self.room.lines[self] = None
        self._sit(message["token"])

    async def _claim(self, seat: int, name: str) -> None:
        if self.seat != SPECTATOR:
            raise Refused("seated")
        token = secrets.token_urlsafe(24)
        await self.room.do(lambda: self.room.room.claim(seat, name, token))
        await self.send({"type": "seated", "seat": seat, "token": token})
        self._sit(token)

    async def _answer(self, seat: int, question: str, answer: Any) -> None:
        """Store an answer, and only then acknowledge it."""
        arrived = time.monotonic()
        room = self.room.room
        if room.is_race:
            room.choice(seat, question)
            after = self.room.reaction_time(seat, arrived, min(self.trips, default=0.0))
            await self.room.react(seat, question, answer, after)
        else:
            took = self.room.took(seat)
            await self.room.do(lambda: room.answer(seat, question, answer, self.language, took))
        await self.send({"type": "accepted", "question": question})
