"""A server in a process of its own, as people start it, for tests that kill it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from websockets.sync.client import connect
from websockets.typing import Origin

from houserule.serve.protocol import LISTED, VERSION


class Served:
    """`houserule serve` at work; `kill` ends it as a power cut would, `start` begins anew at the same address."""

    running: ClassVar[set[Served]] = set()

    def __init__(
        self, database: str, *games: str, port: int = 0, options: tuple[str, ...] = (), descriptors: int | None = None
    ) -> None:
        self.database = database
        self.games = games
        self.port = port
        self.options = options
        self.descriptors = descriptors
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        call = [
            sys.executable,
            "-u",
            "-X",
            "faulthandler",
            "-m",
            "houserule",
            "serve",
            *self.games,
            "--port",
            str(self.port),
        ]
        call += ["--database", self.database, "--pause", "0", "--new-rooms", "1000", "--rate", "200", *self.options]
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed when killed
        self.process = subprocess.Popen(
            call, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=os.environ, preexec_fn=self.limit
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://localhost:(\d+)/", line):
                self.port = int(found[1])
                self.running.add(self)
                return
        self.errors.seek(0)
        raise AssertionError(f"the server ended before it said where it is\n{self.errors.read()}")

    def limit(self) -> None:
        """In the process of the server: allow it only so many descriptors."""
        if self.descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def said(self) -> str:
        """What it has written to its log so far."""
        return os.pread(self.errors.fileno(), 1 << 20, 0).decode()

    def kill(self) -> None:
        """End it at once."""
        self.running.discard(self)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.seek(0)
        sys.stderr.write(self.errors.read())
        self.errors.close()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://localhost:{self.port}"

    def create(self, **wanted: Any) -> str:
        """A new room; its id."""
        headers = {"content-type": "application/json", "origin": self.address}
        request = urllib.request.Request(f"{self.address}/api/rooms", json.dumps(wanted).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(json.load(answer)["room"])


class Wire:
    """A page at a server in another process."""

    def __init__(self, house: Served, room: str, token: str | None = None, comes_from: str = "") -> None:
        address = f"{house.address}/api/rooms/{room}/line".replace("http", "ws", 1)
        self.opened = contextlib.ExitStack()
        headers = {"x-forwarded-for": comes_from} if comes_from else {}
        self.connection = self.opened.enter_context(
            connect(address, origin=Origin(house.address), additional_headers=headers)
        )
        self.token = token
        self.shown: dict[str, Any] = {}
        self.say("hello", version=VERSION, token=token, language="en")

    def say(self, type: str, **rest: object) -> None:
        """Send a message."""
        self.connection.send(json.dumps({"type": type, **rest}))

    def until(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types, within half a minute; pings come all the time."""
        end = time.monotonic() + 30
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(timeout=max(0, end - time.monotonic())))
            if message["type"] == "room":
                if "changes" in message:
                    message["scene"] = with_changes(self.shown["scene"], message.pop("changes"))
                self.shown |= message
            if message["type"] in types:
                return message

    def scene(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The scene, once it is as wanted."""
        while not (self.shown.get("scene") and wanted(self.shown["scene"])):
            self.until("room")
        found: dict[str, Any] = self.shown["scene"]
        return found

    def asked(self) -> dict[str, Any]:
        """The question, once there is one."""
        while not (self.shown.get("scene") and self.shown.get("question")):
            self.until("room")
        found: dict[str, Any] = self.shown["scene"]["question"]
        return found

    def answer(self, at: int = 0) -> str:
        """Answer with one of the options, and see that the answer is taken; the key."""
        key = str(self.asked()["options"][at]["key"])
        number = self.shown["question"]
        self.say("answer", question=number, answer=key)
        assert self.until("accepted", "refused")["type"] == "accepted"
        while self.shown["question"] == number:
            self.until("room")
        return key


@contextlib.contextmanager
def served(
    folder: Path, *games: str, options: tuple[str, ...] = (), descriptors: int | None = None
) -> Iterator[Served]:
    """A server with its rooms in a folder; killed at the end."""
    made = Served(f"sqlite:///{folder / 'rooms.sqlite'}", *games, options=options, descriptors=descriptors)
    try:
        yield made
    finally:
        made.kill()


def with_changes(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A scene, or a part of it, after changes, as the recipient computes it."""
    found = {**before, **changes}
    for name, id in LISTED.items():
        if name in changes:
            known = {one[id]: one for one in before[name]}
            for one in changes[name]["new"]:
                known[one[id]] = with_changes(known[one[id]], one) if one[id] in known else one
            found[name] = [known[key] for key in changes[name].get("ids", known)]
    return found
