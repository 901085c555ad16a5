"""A server in a process of its own, as people start it, for tests that kill it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Served:
    """`houserule serve` at work; `kill` ends it as a power cut would, `start` begins anew at the same address."""

    def __init__(self, database: str, *games: str, port: int = 0) -> None:
        self.database = database
        self.games = games
        self.port = port
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        call = [sys.executable, "-u", "-m", "houserule", "serve", *self.games, "--port", str(self.port)]
        call += ["--database", self.database, "--pause", "0", "--new-rooms", "1000", "--rate", "200"]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=os.environ)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://localhost:(\d+)/", line):
                self.port = int(found[1])
                return
        raise AssertionError("the server ended before it said where it is")

    def kill(self) -> None:
        """End it at once."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://localhost:{self.port}"

    def create(self, **wanted: Any) -> str:
        """A new room; its id."""
        headers = {"content-type": "application/json", "origin": self.address}
        request = urllib.request.Request(f"{self.address}/api/rooms", json.dumps(wanted).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return str(json.load(answer)["room"])


@contextlib.contextmanager
def served(folder: Path, *games: str) -> Iterator[Served]:
    """A server with its rooms in a folder; killed at the end."""
    made = Served(f"sqlite:///{folder / 'rooms.sqlite'}", *games)
    try:
        yield made
    finally:
        made.kill()
