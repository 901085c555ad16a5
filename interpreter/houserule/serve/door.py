"""The door: lets in so many connections of each address, and shows out those that do not say in time what they want."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import os
import socket
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        """It has so many seconds from now."""
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
