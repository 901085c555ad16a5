"""Limits: how many connections, rooms and messages anybody may have, and who is let in."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import os
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_MESSAGE = 16 * 1024
"""The most bytes in a message or a form."""
LARGEST_RECORD = 1024 * 1024
"""The most bytes in a record that somebody opens."""
MOST_ADDRESSES = 10_000
PAGES_OF_SEAT = 10
"""The most pages of one seat at the same time; the newest have it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; each is an option of `houserule serve`."""

    rooms: int = 1000  # kept at once
    new_rooms: int = 20  # from one address per minute
    viewers: int = 40  # spectators of a room at the same time
    lines: int = 200  # from one address at the same time
    rate: int = 20  # messages of one connection per second
    keep_days: int = 30  # a room that nobody has opened
    connections: int | None = None  # from one address at the same time
    patience: float = 10.0  # seconds for a request, and for hello
    away: float = 20.0  # seconds without a page, until a player counts as away


class Bucket:
    """A token bucket: a rate in events per second, and bursts of `most`."""

    __slots__ = ("at", "each_second", "left", "most")

    def __init__(self, each_second: float, most: float) -> None:
        self.each_second = each_second
        self.most = most
        self.left = most
        self.at = time.monotonic()

    def take(self, events: int = 1) -> bool:
        """Whether one more event is allowed now; if so, it counts as so many."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.each_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= events
        return True


class Addresses:
    """A bucket for each address; the least recently used are dropped."""

    def __init__(self, each_minute: int) -> None:
        self.each_minute = each_minute
        self.buckets: dict[str, Bucket] = {}

    def take(self, address: str, requests: int = 1) -> bool:
        """Whether an address may send one more request now; if so, it counts as so many."""
        bucket = self.buckets.pop(address, None) or Bucket(self.each_minute / 60, self.each_minute)
        self.buckets[address] = bucket
        if len(self.buckets) > MOST_ADDRESSES:
            del self.buckets[next(iter(self.buckets))]
        return bucket.take(requests)


LOCAL = ("localhost", "127.0.0.1", "::1")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True)
class Visitors:
    """The addresses that lead here. Without `hosts` any; `origins` are those of a reverse proxy."""

    hosts: Sequence[str] = ()
    origins: Sequence[str] = ()

    def is_known(self, host: str) -> bool:
        """Whether a request names a host that leads here; otherwise it may come from another site's page."""
        if not self.hosts:
            return True
        name = parts_of(f"//{host}").hostname or ""
        return name in self.hosts or any(parts_of(origin).netloc == host for origin in self.origins)

    def is_own(self, origin: str | None, host: str) -> bool:
        """Whether a request that changes something comes from one of our pages."""
        if origin is None:
            return False
        return origin in self.origins or (
            parts_of(origin).scheme in ("http", "https") and parts_of(origin).netloc == host
        )


def parts_of(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


class Guard:
    """Rejects foreign hosts and origins, and adds HEADERS to every response."""

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self.app = app
        self.visitors = visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if not self.visitors.is_known(host) or (changes and not self.visitors.is_own(headers.get("origin"), host)):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await PlainTextResponse("This request comes from a page of somebody else.", 403)(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    found[name] = value
                if "cache-control" not in found:
                    found["cache-control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_guarded)


WHILE = 60.0
"""Seconds."""
FEW = 10
"""Different sentences of one kind that are written in a while."""
COUNTED = "houserule.serve.counted"
LIBRARY = "uvicorn.error"
"""It tells with a traceback that somebody sent a text that is none, although the sentence says all."""


@dataclass(slots=True)
class Kind:
    """A kind of message: since when it has been counted, which sentences were written, and how many were not."""

    since: float
    written: set[str] = field(default_factory=set)
    more: int = 0


class Sparing(logging.Filter):
    """Lets the first messages of a kind through. Of one kind are those from one line of code, with one kind of exception."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: dict[tuple[object, ...], Kind] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is written; what has been counted long enough is told first."""
        if record.name == COUNTED:
            return True
        now = time.monotonic()
        self.tell(now - WHILE)
        exception = record.exc_info[0] if record.exc_info else None
        if record.name == LIBRARY and exception is UnicodeDecodeError:
            record.exc_info = None
        kind = self.kinds.setdefault((record.pathname, record.lineno, exception), Kind(now))
        sentence = record.getMessage()
        is_new = sentence not in kind.written and len(kind.written) < FEW
        if is_new:
            kind.written.add(sentence)
        else:
            kind.more += 1
        return is_new

    def tell(self, before: float = float("inf")) -> None:
        """Tell how many were not written of the kinds that have been counted since before a moment."""
        for key, kind in list(self.kinds.items()):
            if kind.since < before:
                del self.kinds[key]
                if kind.more:
                    sentence = min(kind.written)
                    logging.getLogger(COUNTED).warning("%d more like this: %s", kind.more, sentence.splitlines()[0])


def write_sparingly() -> Sparing:
    """Have all messages of this process written to standard error, sparingly."""
    made = Sparing()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(made)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    return made


log = logging.getLogger("houserule.serve")
RESERVED = 128
"""Descriptors that are kept for the database, pages and bots."""
ANSWER_SECONDS = 60.0
"""How long an answer to a request may take."""
BODY = 3
"""A request with a body may take so many times the time of one without."""


class Visit(socket.socket):
    """A connection that was let in. It has until a moment; while it is idle, it is shown out when others need its place."""

    def __init__(self, made: socket.socket, door: Door, key: tuple[str, int]) -> None:
        super().__init__(fileno=made.detach())
        self.door = door
        self.key = key
        self.is_idle = True
        self.until = time.monotonic() + door.patience

    def wait(self, seconds: float, is_idle: bool) -> None:
        self.is_idle = is_idle
        self.until = time.monotonic() + seconds

    def stay(self) -> None:
        self.wait(float("inf"), is_idle=False)

    def dismiss(self) -> None:
        """Show it out: its transport finds the connection ended, and closes it."""
        self.door.crowd(self).pop(self, None)
        self.wait(ANSWER_SECONDS, is_idle=False)
        with contextlib.suppress(OSError):  # it has gone already
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give its descriptor back."""
        crowd = self.door.crowd(self)
        crowd.pop(self, None)
        if not crowd:
            self.door.crowds.pop(network_of(self.key[0]), None)
        if self.door.visits.get(self.key) is self:  # not the next one from there
            del self.door.visits[self.key]
        super().close()


class Door(socket.socket):
    """A listening socket. The event loop accepts connections from it and closes them, which is how they are counted."""

    def __init__(self, family: int, kind: int, protocol: int, patience: float, each: int | None) -> None:
        super().__init__(family, kind, protocol)
        self.patience = patience
        self.most = most_descriptors() - RESERVED
        self.each = self.most if each is None else each
        self.visits: dict[tuple[str, int], Visit] = {}
        """All connections, by host and port."""
        self.crowds: dict[str, dict[Visit, None]] = {}
        """By network those that have not been shown out, in the order in which they came."""
        self._spare = os.open(os.devnull, os.O_RDONLY)

    def crowd(self, visit: Visit) -> dict[Visit, None]:
        return self.crowds.setdefault(network_of(visit.key[0]), {})

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection that there is a place for. If there is none, one that says nothing gives up its own."""
        while True:
            try:
                made, where = super().accept()
            except OSError as wrong:
                if wrong.errno not in (errno.EMFILE, errno.ENFILE):
                    raise
                self._refuse()
                continue
            crowd = self.crowds.get(network_of(where[0]), {})
            is_full = len(self.visits) >= self.most
            if is_full or len(crowd) >= self.each:
                log.warning("too many connections; the last one comes from %s", where[0])
                has_place = show_one_out(max(self.crowds.values(), key=len, default={}) if is_full else crowd)
                if is_full or not has_place:
                    made.close()
                    continue
            visit = Visit(made, self, where[:2])
            self.visits[visit.key] = visit
            self.crowd(visit)[visit] = None
            return visit, where

    def _refuse(self) -> None:
        """Refuse a connection although no descriptor is left, by means of the spare one."""
        log.error("no descriptors are left for connections")
        os.close(self._spare)
        with contextlib.suppress(OSError):
            super().accept()[0].close()
        self._spare = os.open(os.devnull, os.O_RDONLY)

    async def watch(self) -> None:
        """Show out those whose time is over."""
        while True:
            await asyncio.sleep(min(1.0, self.patience / 4))
            now = time.monotonic()
            for visit in list(self.visits.values()):
                if visit.until < now:
                    visit.dismiss()


def show_one_out(crowd: dict[Visit, None]) -> bool:
    """Show out the one that has been idle since it came first; False if all have business."""
    found = next((visit for visit in crowd if visit.is_idle), None)
    if found is not None:
        found.dismiss()
    return found is not None


def most_descriptors() -> int:
    """How many descriptors this process may have."""
    try:
        import resource
    except ModuleNotFoundError:  # not on Windows
        return 8192
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(2 * RESERVED, 1 << 20 if soft == resource.RLIM_INFINITY else soft)


def network_of(host: str) -> str:
    """What counts as one address: of IPv6 the first half, since everybody has all addresses of a network."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return host
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))


class Attended:
    """Tells the visits of a door what they may do: wait for a request, send its body, get the answer, say hello."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; a line tells its visit itself that it may stay."""
        if scope["type"] == "lifespan":
            watching = asyncio.ensure_future(self.door.watch())
            await self.app(scope, receive, send)
            watching.cancel()
            return
        visit = self.door.visits.get(tuple(scope.get("client") or ()))
        if visit is None:  # this event loop does not ask the door
            await self.app(scope, receive, send)
            return

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                visit.wait(ANSWER_SECONDS, is_idle=False)
            return message

        patience = self.door.patience
        scope["visit"] = visit
        if scope["type"] == "websocket":
            visit.wait(patience, is_idle=True)
        elif scope["method"] in ("GET", "HEAD"):
            visit.wait(ANSWER_SECONDS, is_idle=False)
        else:
            visit.wait(BODY * patience, is_idle=True)
        try:
            await self.app(scope, received, send)
        finally:
            visit.wait(BODY * patience, is_idle=True)  # until the next request, or its end
