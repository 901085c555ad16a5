"""The application: its pages and lines, and how it is run."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import os
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from houserule import Game
from houserule.serve.catalogue import Catalogue, Replays, cover, house_rules_in, icons_shown, rules_shown
from houserule.serve.hub import Hub
from houserule.serve.limits import (
    LARGEST_MESSAGE,
    LARGEST_RECORD,
    LOCAL,
    Addresses,
    Attended,
    Door,
    Guard,
    Limits,
    Visitors,
    network_of,
    write_sparingly,
)
from houserule.serve.line import POLICY, Line, refusal
from houserule.serve.protocol import Refused, is_number, is_text, written
from houserule.serve.room import Room
from houserule.serve.storage import NotStored, Store

PAGES = Path(__file__).parent / "pages"
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Board games and card games, played together in the browser">
<title>Houserule</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages/palette.css">
<link rel="stylesheet" href="/pages/style.css">
<link rel="stylesheet" href="/pages/pieces.css">
<script type="module" src="/pages/NAME.js"></script>
</head>
<body class="NAME">
<noscript>Rooms need JavaScript.</noscript>
</body>
</html>
"""
"""A page; the module with its name fills it."""
LISTED_SECONDS = 3.0
"""How old the list of open rooms may be."""
MOST_CODES = 256
"""Codes that are kept: drawing one takes some milliseconds."""
OPENING = 5
"""As many requests as one for a line, since a page is sent all that has happened, or for a code."""
LONGEST_LINK = 300
STEPS_AT_ONCE = 4
"""The steps of replays that one address may wait for."""
STEP = re.compile("[0-9]{1,9}")
STATUS = {
    "no-room": 404,
    "game": 404,
    "step": 404,
    "too-many": 503,
    "too-fast": 429,
    "not-stored": 503,
    "not-over": 403,
}


def application(hub: Hub, visitors: Visitors) -> Starlette:
    site = Site(hub, visitors.origins)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hub.open()
        try:
            yield
        finally:
            hub.close()

    return Starlette(
        lifespan=lifespan,
        middleware=[Middleware(Guard, visitors=visitors)],
        routes=[
            Route("/", page("lobby")),
            Route("/room/{room}", page("room")),
            Route("/room/{room}/replay", page("replay")),
            Route("/replay", page("replay")),
            Route("/rules/{game}", page("rules")),
            Route("/favicon.ico", lambda _: RedirectResponse("/pages/icon.svg")),
            Route("/api/games", answered(site.games)),
            Route("/api/games/{game}/cover", answered(site.cover)),
            Route("/api/games/{game}/icons", answered(site.icons)),
            Route("/api/games/{game}/rules", answered(site.rules)),
            Route("/api/rooms", answered(site.create), methods=["POST"]),
            Route("/api/rooms", answered(site.open_rooms)),
            Route("/room/{room}/code.svg", answered(site.code)),
            Route("/api/replay", answered(site.replay_record), methods=["POST"]),
            Route("/api/rooms/{room}/record", answered(site.record)),
            Route("/api/rooms/{room}/replay/{step}", answered(site.replay)),
            WebSocketRoute("/api/rooms/{room}/line", site.line),
            Mount("/pages", StaticFiles(directory=PAGES)),
        ],
    )


def page(name: str) -> Callable[[Request], Awaitable[Response]]:
    """One of our pages; it requests its content itself."""

    text = PAGE.replace("NAME", name)

    async def show(_: Request) -> Response:
        return HTMLResponse(text, headers={"cache-control": "no-cache"})

    return show


def answered(ask: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """A response in JSON, if it is not one already; a refusal has its code and sentence."""

    async def show(request: Request) -> Response:
        try:
            found = await ask(request)
        except Refused as refused:
            return JSONResponse(refused.to_json(), STATUS.get(refused.code, 400))
        except NotStored:
            return JSONResponse(Refused("not-stored").to_json(), 503)
        return found if isinstance(found, Response) else Response(written(found), media_type="application/json")

    return show


class Site:
    """The handlers of requests."""

    def __init__(self, hub: Hub, origins: Sequence[str]) -> None:
        self.hub = hub
        self.origins = origins
        self.listed: tuple[float, list[Room]] = (0.0, [])  # when, and the open rooms
        self.replays = Replays()
        self.replaying: Counter[str] = Counter()  # by address: its steps that wait to be played
        self.replayer = ThreadPoolExecutor(1)  # visitors' matches may take long, but nobody else waits for them
        self.readers = Addresses(hub.limits.rate * 60)
        self.lines: Counter[str] = Counter()  # by address

    def see(self, addresses: Addresses, request: Request, requests: int = 1) -> None:
        """Check that an address does not send too many requests of one kind, of which this one may count as several. Raises Refused."""
        if not addresses.take(address_of(request), requests):
            raise Refused("too-fast")

    async def games(self, request: Request) -> dict[str, Any]:
        self.see(self.readers, request)
        language = request.query_params.get("language", "en")
        return await asyncio.to_thread(self.hub.catalogue.offered, language)

    async def open_rooms(self, request: Request) -> dict[str, Any]:
        """The rooms that are open to all. Raises Refused, NotStored."""
        self.see(self.readers, request)
        if time.monotonic() > self.listed[0] + LISTED_SECONDS:
            found = await asyncio.to_thread(self.hub.open_rooms)
            self.listed = time.monotonic(), found
        language = request.query_params.get("language", "en")
        return {"rooms": [room.invitation(language) for room in self.listed[1]]}

    async def code(self, request: Request) -> Response:
        """The link of a room as a QR code, for those who sit at the same table. Raises Refused, NotStored."""
        self.see(self.readers, request, OPENING)
        id = request.path_params["room"]
        await self.hub.room(id)
        link = f"{next(iter(self.origins), f'{request.url.scheme}://{request.url.netloc}')}/room/{quote(id)}"
        if len(link) > LONGEST_LINK:
            raise Refused("malformed")
        drawn = await asyncio.to_thread(qr_code, link)
        return Response(drawn, media_type="image/svg+xml")

    async def rules(self, request: Request) -> dict[str, Any]:
        """The description of a game. Raises Refused."""
        self.see(self.readers, request)
        language = request.query_params.get("language", "en")
        used = house_rules_in(request.query_params)
        id, catalogue = request.path_params["game"], self.hub.catalogue
        if used and not catalogue.has(id, used):
            self.see(self.hub.makers, request)
        game = await asyncio.to_thread(catalogue.game, id, used)
        return await asyncio.to_thread(rules_shown, game, language)

    async def game_of(self, request: Request) -> Game:
        self.see(self.readers, request)
        return await asyncio.to_thread(self.hub.catalogue.game, request.path_params["game"])

    async def cover(self, request: Request) -> dict[str, Any]:
        """A few pieces of a game, for the list of games. Raises Refused."""
        game = await self.game_of(request)
        return await asyncio.to_thread(cover, game)

    async def icons(self, request: Request) -> dict[str, Any]:
        return icons_shown(await self.game_of(request))

    async def create(self, request: Request) -> dict[str, Any]:
        """Make a room. Raises Refused, NotStored."""
        self.see(self.hub.makers, request)
        wanted = await form(request)
        return {"room": await self.hub.create(wanted)}

    async def record(self, request: Request) -> dict[str, Any]:
        """The record of a finished match: earlier, its seed would reveal everything. It names no folder of this machine. Raises Refused, NotStored."""
        room = await self.room(request)
        record, house_rules = room.finished().record, list(room.settings.house_rules)
        return replace(record, path=None, variants=house_rules).to_json()

    async def room(self, request: Request) -> Room:
        self.see(self.readers, request)
        return (await self.hub.room(request.path_params["room"])).room

    async def replay(self, request: Request) -> dict[str, Any]:
        """A finished match after a number of answers, fully visible. Raises Refused, NotStored."""
        step = request.path_params["step"]
        if not STEP.fullmatch(step):
            raise Refused("step")
        match = (await self.room(request)).finished()
        language = request.query_params.get("language", "en")
        return await self.replayed(request, self.replays.step, match, int(step), language)

    async def replayed(self, request: Request, play: Callable[..., dict[str, Any]], *what: Any) -> dict[str, Any]:
        """Play to a step, one after the other, and few of each address at once. Raises Refused."""
        address = address_of(request)
        if self.replaying[address] >= STEPS_AT_ONCE:
            raise Refused("too-fast")
        self.replaying[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.replayer, play, *what)
        finally:
            self.replaying[address] -= 1
            self.replaying += Counter()  # forget who waits for nothing

    async def replay_record(self, request: Request) -> dict[str, Any]:
        """The match of a visitor's record after a number of answers; it is not stored. Raises Refused."""
        self.see(self.readers, request)
        wanted = await form(request, LARGEST_RECORD)
        record, step, language = (wanted.pop(name, None) for name in ("record", "step", "language"))
        if wanted or not is_number(step) or not is_text(language):
            raise Refused("malformed")
        if not self.replays.has(record):
            self.see(self.hub.makers, request)
        play = partial(self.replays.step_of_record, self.hub.catalogue, record)
        return await self.replayed(request, play, int(step or 0), str(language))

    async def line(self, socket: WebSocket) -> None:
        """Serve a page that watches a room."""
        address = address_of(socket)
        self.lines[address] += 1
        try:
            await self._open(socket, address)
        finally:
            self.lines[address] -= 1
            if not self.lines[address]:
                del self.lines[address]

    async def _open(self, socket: WebSocket, address: str) -> None:
        try:
            if self.lines[address] > self.hub.limits.lines:
                raise Refused("lines")
            while not self.readers.take(address, OPENING):
                await asyncio.sleep(OPENING / self.hub.limits.rate)  # its page waits
            room = await self.hub.room(socket.path_params["room"])
            line = Line(socket, room, address)
        except (Refused, NotStored) as wrong:
            await socket.accept()
            await socket.send_text(written(refusal(wrong)))
            await socket.close(POLICY)
            return
        await socket.accept()
        await line.run()


@lru_cache(MOST_CODES)
def qr_code(link: str) -> bytes:
    """A link as a picture in SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(drawn, kind="svg", border=3, light="#fff", xmldecl=False)
    return drawn.getvalue()


def address_of(asks: HTTPConnection) -> str:
    return network_of(asks.client.host) if asks.client else ""


async def form(request: Request, largest: int = LARGEST_MESSAGE) -> dict[str, Any]:
    """The object in the body of a request, if it is JSON and not too large. Raises Refused."""
    body = bytearray()
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("malformed")
    try:
        async for part in request.stream():
            body += part
            if len(body) > largest:
                raise Refused("malformed")
        found = json.loads(body)
    except (ValueError, RecursionError, ClientDisconnect) as wrong:
        raise Refused("malformed") from wrong
    if not isinstance(found, dict):
        raise Refused("malformed")
    return found


LONGEST_END = 3
"""Seconds for connections to close when the server stops."""
PROXIES = "FORWARDED_ALLOW_IPS"
"""The environment variable that names the proxies which are believed whose request they pass on."""
BESIDE_LINES = 100
"""Connections of an address for requests, beside its lines."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address that the server listens on, and other addresses for browsers."""

    host: str = "localhost"
    port: int = 8000
    origins: Sequence[str] = ()

    @property
    def visitors(self) -> Visitors:
        return Visitors(LOCAL if self.host in LOCAL else (), self.origins)

    def shown(self, port: int) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{'localhost' if self.host in ('0.0.0.0', '::') else host}:{port}/"


@dataclass(frozen=True, slots=True)
class Serving:
    """The settings of a server."""

    games: Mapping[str, Path]
    database: str
    address: Address = field(default_factory=Address)
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    pause: float = 0.7  # delay of bots in seconds, so that people can follow
    loose: Mapping[str, Mapping[str, Path]] = field(
        default_factory=dict
    )  # house rules outside of their games, by game and id


def default_database() -> str:
    """The database of this user: a file in the data folder. Raises OSError."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    folder = (named if named.is_absolute() else Path.home() / ".local" / "share") / "houserule"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'rooms.sqlite'}"


def listening(address: Address, limits: Limits) -> Door:
    """A door at an address. Behind a proxy, all connections come from one address. Raises OSError."""
    each = limits.connections or (None if address.origins else limits.lines + BESIDE_LINES)
    found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, where = sorted(found)[0]
    made = Door(family, kind, protocol, limits.patience, each)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(where)
        made.listen(512)
    except OSError:
        made.close()
        raise
    return made


def serve(serving: Serving, opened: Callable[[str], None]) -> None:
    """Serve until stopped; `opened` is called with the address once connections are accepted.

    Raises UnknownDatabase if the rooms cannot be stored, and OSError if the address is in use.
    """
    with listening(serving.address, serving.limits) as door:
        store = Store(serving.database)
        store.claim()
        catalogue = Catalogue(serving.games, serving.loose)
        hub = Hub(catalogue, store, serving.limits, serving.pause, serving.seed)
        site: Any = application(hub, serving.address.visitors)  # ASGI has one type here and another there
        site = ProxyHeadersMiddleware(site, os.environ.get(PROXIES, "127.0.0.1"))
        config = uvicorn.Config(
            Attended(site, door),
            loop="asyncio",  # others accept connections by themselves, without asking the door
            http="h11",  # the other, taken wherever it is installed, reads headers without end
            proxy_headers=False,  # the door knows connections by their own addresses
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws_max_size=LARGEST_MESSAGE * 2,
            timeout_graceful_shutdown=LONGEST_END,
        )
        threading.Thread(target=warm, args=(catalogue,), daemon=True).start()
        opened(serving.address.shown(door.getsockname()[1]))
        gc.disable()  # an answer creates no cycles, and everybody would wait; `Hub` collects when rooms are dropped
        sparing = write_sparingly()
        uvicorn.Server(config).run(sockets=[door])
        sparing.tell()


def warm(catalogue: Catalogue) -> None:
    for id in catalogue.folders:
        catalogue.game(id)
