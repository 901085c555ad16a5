"""Keeps other sites' pages out: the allowed hosts and origins, and what our own pages may load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    """The parts of an address; none if it is not one."""
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
