"""Measures how much `houserule serve` bears: many rooms of scripted players on the loopback in, latencies, errors and memory out.

`python -m benchmarks.rooms` starts the server, one process or several on one PostgreSQL, and plays. A decision is taken so many
seconds after somebody is asked. An answer counts as seen when the last of the four has been sent the table after it; of
a secret one, of which the others are told nothing, when whoever gave it is told that it is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOUR = 4
MARKET = Path(__file__).parent / "market"
SETTLING = 5.0
"""Seconds at the beginning that do not count: matches begin, programs are compiled."""


@dataclass
class Tally:
    """What came of it."""

    begun: float = math.inf
    seen: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    over: int = 0
    given: int = 0  # answers stored while work was measured
    work: float = 0.0
    own_work: float = 0.0
    bytes: int = 0

    def note(self, kind: list[float], took: float) -> None:
        """Note how long something took, if it counts already."""
        if time.monotonic() > self.begun + SETTLING:
            kind.append(took)


class Player(asyncio.Protocol):
    """A scripted player: answers whatever they are asked with any option.

    Client and server share the processors, so that it reads no more of a message than it needs: frames are told apart here, and
    only those that ask are read as JSON.
    """

    def __init__(self, table: Table, seat: int, address: str) -> None:
        self.table = table
        self.seat = seat
        self.address = address
        self.question: str | None = None
        self.scene: dict[str, Any] = {}
        self.sent = 0.0
        self.received = bytearray()
        self.is_open = False
        self.ready = asyncio.Event()
        self.closed = asyncio.Event()

    async def connect(self, room: str) -> None:
        """Open a line to a room, and sit down."""
        host, _, port = self.address.removeprefix("http://").partition(":")
        await asyncio.get_running_loop().create_connection(lambda: self, host, int(port))
        self.transport.write(
            f"GET /api/rooms/{room}/line HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {self.address}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n".encode()
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The line stands."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is lost."""
        if exc is not None:
            self.table.tally.errors[str(exc)] += 1
        self.closed.set()

    def data_received(self, data: bytes) -> None:
        """Take in what has come: first the answer to the handshake, then frames."""
        received = self.received
        received += data
        if not self.is_open:
            end = received.find(b"\r\n\r\n")
            if end < 0:
                return
            if not received.startswith(b"HTTP/1.1 101 "):
                self.table.tally.errors[bytes(received[:40]).decode("latin-1")] += 1
                self.transport.close()
                return
            del received[: end + 4]
            self.is_open = True
            self.say("hello", version=1, token=None, language="en")
            self.say("claim", seat=self.seat, name=f"Player {self.seat + 1}")
        start = 0
        while (found := frame(received, start)) is not None:
            kind, begin, start = found
            if kind == TEXT:
                self.heard(bytes(received[begin:start]))
            elif kind == PING:
                self.transport.write(bytes((0x80 | PONG, 0x80 | (start - begin))) + b"\0\0\0\0" + received[begin:start])
            elif kind == CLOSE:
                self.transport.close()
        del received[:start]

    def say(self, type: str, **rest: Any) -> None:
        """Send a message, in one frame whose mask changes nothing."""
        content = json.dumps({"type": type, **rest}).encode()
        size = len(content)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(b"\x81" + length + b"\0\0\0\0" + content)

    def heard(self, text: bytes) -> None:
        """Take in a message."""
        tally = self.table.tally
        tally.bytes += len(text)
        if text.startswith(b'{"type":"room"'):
            if b'"scene":{' in text or b'"changes":{' in text:
                self.table.saw(self.seat)
                if b'"question":' in text:
                    self.asked(json.loads(text))
                tally.over += self.seat == 0 and b'"is_over":true' in text
        elif text.startswith(b'{"type":"seated"'):
            self.ready.set()
        elif text.startswith(b'{"type":"accepted"'):
            tally.note(tally.stored, time.monotonic() - self.sent)
            if self.table.is_secret:
                tally.note(tally.seen, time.monotonic() - self.sent)
        elif text.startswith(b'{"type":"refused"'):
            tally.errors[json.loads(text)["code"]] += 1
        elif text.startswith(b'{"type":"ping"'):
            self.say("pong", ping=json.loads(text)["ping"])

    def asked(self, message: dict[str, Any]) -> None:
        """Take a question, and answer it after a while."""
        for part in ("scene", "changes"):
            self.scene |= message.get(part) or {}  # lists in it are of no use to us
        number = message.get("question", self.question)
        if number is not None and number != self.question:
            pause = self.table.every * random.uniform(0.75, 1.25)
            asyncio.get_running_loop().call_later(pause, self.answer, self.scene["question"], number)
        self.question = number

    def answer(self, question: dict[str, Any], number: str) -> None:
        """Answer a question with any option."""
        if self.transport.is_closing():
            return
        keys = [option["key"] for option in question["options"]]
        if question["kind"] == "several":
            low, high = question["at_least"], min(question["at_most"], len(keys))
            answer: Any = random.sample(keys, random.randint(low, high)) if low <= high else []
        else:
            answer = random.choice(keys)
        self.sent = time.monotonic()
        self.table.begin(len(self.scene["turn"]) > 1)
        self.say("answer", question=number, answer=answer)


TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def frame(received: bytearray, start: int) -> tuple[int, int, int] | None:
    """The kind of the frame there, and where its content begins and ends; None until all of it has come."""
    if len(received) < start + 4:
        return None
    size, begin = received[start + 1], start + 2
    if size == 126:
        size, begin = int.from_bytes(received[begin : begin + 2], "big"), begin + 2
    elif size == 127:
        size, begin = int.from_bytes(received[begin : begin + 8], "big"), begin + 8
    return (received[start] & 15, begin, begin + size) if len(received) >= begin + size else None


class Table:
    """A room with its four."""

    def __init__(self, tally: Tally, every: float) -> None:
        self.tally = tally
        self.every = every
        self.is_secret = False
        self.waiting: set[int] = set()
        self.sent = 0.0

    def begin(self, is_secret: bool) -> None:
        """Somebody answers."""
        self.is_secret = is_secret
        self.waiting = set() if is_secret else set(range(FOUR))
        self.sent = time.monotonic()

    def saw(self, seat: int) -> None:
        """Somebody has been sent the table."""
        if seat in self.waiting:
            self.waiting.discard(seat)
            if not self.waiting:
                self.tally.note(self.tally.seen, time.monotonic() - self.sent)

    async def play(self, room: str, addresses: list[str]) -> None:
        """Everybody sits down, the match begins, and goes on until it is stopped."""
        players = [Player(self, seat, addresses[seat % len(addresses)]) for seat in range(FOUR)]
        try:
            for one in players:
                await one.connect(room)
            await asyncio.gather(*(one.ready.wait() for one in players))
            if len(addresses) > 1:
                await asyncio.sleep(1.0)  # the other process has to hear of it
            players[0].say("start")
            await asyncio.wait(
                [asyncio.ensure_future(one.closed.wait()) for one in players], return_when="FIRST_COMPLETED"
            )
            self.tally.errors["a line was lost"] += 1
        except OSError as wrong:
            self.tally.errors[f"{type(wrong).__name__}: {wrong}"] += 1
        finally:
            for one in players:
                if hasattr(one, "transport"):
                    one.transport.abort()


def start(game: str, database: str, rooms: int) -> tuple[subprocess.Popen[str], str]:
    """A server, and its address."""
    call = [sys.executable, "-u", "-m", "houserule", "serve", game, "--port", "0", "--database", database]
    call += [
        "--rooms",
        str(rooms + 1000),
        "--new-rooms",
        "100000",
        "--lines",
        "1000000",
        "--rate",
        "100",
        "--pause",
        "0",
    ]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"(http://localhost:\d+)/", line):
            return process, found[1]
    raise SystemExit("the server ended before it said where it is")


def memory(process: subprocess.Popen[str]) -> int:
    """The bytes that a process holds in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def worked(process: subprocess.Popen[str]) -> float:
    """The seconds that a process has kept processors busy."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def create(address: str, game: str) -> str:
    """A new room for four."""
    body = json.dumps({"game": game, "seats": [None] * FOUR}).encode()
    headers = {"content-type": "application/json", "origin": address}
    with urllib.request.urlopen(urllib.request.Request(f"{address}/api/rooms", body, headers)) as answer:
        return str(json.load(answer)["room"])


async def measure(
    args: argparse.Namespace, addresses: list[str], tally: Tally, id: str, work: Callable[[], float]
) -> None:
    """Play in all rooms for as long as wished."""
    rooms = [await asyncio.to_thread(create, addresses[0], id) for _ in range(args.rooms)]
    tables = []
    for room in rooms:
        tables.append(asyncio.ensure_future(Table(tally, args.every).play(room, addresses)))
        await asyncio.sleep(0.02)
    tally.begun = time.monotonic()
    await asyncio.sleep(SETTLING)
    before, own, stored = work(), time.process_time(), len(tally.stored)
    await asyncio.sleep(args.seconds)
    tally.work, tally.own_work, tally.given = work() - before, time.process_time() - own, len(tally.stored) - stored
    for table in tables:
        table.cancel()
    await asyncio.gather(*tables, return_exceptions=True)


def quantile(values: list[float], share: float) -> float:
    """The value that a share of all does not exceed, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main() -> None:
    """Start, play, report."""
    parser = argparse.ArgumentParser(description="Plays in many rooms at once and measures how long answers take.")
    parser.add_argument("--game", default=str(MARKET), help="a bundled id or a folder; by default a small game")
    parser.add_argument("--rooms", type=int, default=500)
    parser.add_argument("--every", type=float, default=2.0, help="seconds until somebody who is asked answers")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to measure")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--database", help="by default a new SQLite file; several processes need postgresql://…")
    args = parser.parse_args()
    if args.processes > 1 and not args.database:
        parser.error("several processes need --database postgresql://…")
    import houserule

    id = houserule.load(args.game).id
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder:
        database = args.database or f"sqlite:///{folder}/rooms.sqlite"
        servers = [start(args.game, database, args.rooms) for _ in range(args.processes)]
        addresses = [address for _, address in servers]
        create(addresses[0], id)  # the game is loaded and compiled
        empty = sum(memory(process) for process, _ in servers)
        tally = Tally()
        try:
            asyncio.run(measure(args, addresses, tally, id, lambda: sum(worked(process) for process, _ in servers)))
            full = sum(memory(process) for process, _ in servers)
        finally:
            for process, _ in servers:
                process.kill()
                process.wait()
    print(
        f"{args.rooms} rooms of four at {id}, {args.processes} process(es), {args.seconds:.0f} s, an answer after {args.every} s"
    )
    print(f"answers       {tally.given} ({tally.given / args.seconds:.0f} a second), {tally.over} matches over")
    print(f"errors        {sum(tally.errors.values())} {dict(tally.errors) or ''}")
    for name, values in (("stored", tally.stored), ("seen by all", tally.seen)):
        shares = ", ".join(f"{int(share * 100)} % in {quantile(values, share):.0f} ms" for share in (0.5, 0.95, 0.99))
        print(f"{name:<13} {shares}")
    each, own = (1000 * work / max(1, tally.given) for work in (tally.work, tally.own_work))
    print(f"work          {each:.2f} ms of a processor an answer, and {own:.2f} ms of the players")
    print(f"memory        {(full - empty) / args.rooms / 1024:.0f} KiB a room, {empty / 2**20:.0f} MiB without any")


if __name__ == "__main__":
    main()
