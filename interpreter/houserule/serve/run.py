"""Runs the server: a socket, a database, the games, and uvicorn until it is stopped."""

from __future__ import annotations

import gc
import os
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from houserule.serve.app import application
from houserule.serve.catalogue import Catalogue
from houserule.serve.door import Attended, Door
from houserule.serve.hub import Hub
from houserule.serve.limits import LARGEST_MESSAGE, LOCAL, Limits, Visitors, write_sparingly
from houserule.serve.storage import Store

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
        """The address to type into a browser."""
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
        catalogue = Catalogue(serving.games)
        hub = Hub(catalogue, store, serving.limits, serving.pause, serving.seed)
        site: Any = application(hub, serving.address.visitors)  # ASGI has one type here and another there
        site = ProxyHeadersMiddleware(site, os.environ.get(PROXIES, "127.0.0.1"))
        config = uvicorn.Config(
            Attended(site, door),
            loop="asyncio",  # others accept connections by themselves, without asking the door
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
