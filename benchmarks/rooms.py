"""Measures how much `houserule serve` bears: many rooms of scripted players on the loopback in, latencies, errors and memory out.

`python -m benchmarks.rooms` starts the server, one process or several on one PostgreSQL, and plays. A decision is taken so many
seconds after somebody is asked. An answer counts as seen when the last of the four has been sent the table after it; of
a secret one, of which the others are told nothing, when whoever gave it is told that it is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

FOUR = 4
MARKET = Path(__file__).parent / "market"
SETTLING = 5.0
"""Seconds at the beginning that do not count: matches begin, programs are compiled."""


@dataclass
class Tally:
    """What came of it."""

    begun: float = 0.0
    seen: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    over: int = 0
    given: int = 0  # answers stored while work was measured
    work: float = 0.0
    bytes: int = 0

    def note(self, kind: list[float], took: float) -> None:
        """Note how long something took, if it counts already."""
        if time.monotonic() > self.begun + SETTLING:
            kind.append(took)


class Player:
    """A scripted player: answers whatever they are asked with any option."""

    def __init__(self, table: Table, seat: int, address: str) -> None:
        self.table = table
        self.seat = seat
        self.address = address
        self.question: str | None = None
        self.scene: dict[str, Any] = {}
        self.sent = 0.0
        self.tasks: set[asyncio.Task[None]] = set()

    async def play(self, room: str, ready: asyncio.Event) -> None:
        """Sit down and answer until the line closes."""
        url = f"{self.address}/api/rooms/{room}/line".replace("http", "ws", 1)
        async with connect(url, origin=Origin(self.address), compression=None, ping_interval=None) as line:
            self.line: ClientConnection = line
            await self.say("hello", version=1, token=None, language="en")
            await self.say("claim", seat=self.seat, name=f"Player {self.seat + 1}")
            async for text in line:
                await self.heard(str(text), ready)

    async def say(self, type: str, **rest: Any) -> None:
        """Send a message."""
        await self.line.send(json.dumps({"type": type, **rest}))

    async def heard(self, text: str, ready: asyncio.Event) -> None:
        """Take in a message."""
        tally = self.table.tally
        tally.bytes += len(text)
        if text.startswith('{"type":"room"'):
            if '"scene":{' in text or '"changes":{' in text:
                self.table.saw(self.seat)
                message = json.loads(text)
                self.scene |= message.get("scene") or {}
                self.scene |= message.get("changes", {})  # lists in it are of no use to us
                self.asked(message.get("question", self.question))
                tally.over += self.seat == 0 and '"is_over":true' in text
        elif text.startswith('{"type":"seated"'):
            ready.set()
        elif text.startswith('{"type":"accepted"'):
            tally.note(tally.stored, time.monotonic() - self.sent)
            if self.table.is_secret:
                tally.note(tally.seen, time.monotonic() - self.sent)
        elif text.startswith('{"type":"refused"'):
            tally.errors[json.loads(text)["code"]] += 1
        elif text.startswith('{"type":"ping"'):
            await self.say("pong", ping=json.loads(text)["ping"])

    def asked(self, number: str | None) -> None:
        """Take a question, and answer it after a while."""
        if number is None or number == self.question:
            return
        self.question = number
        task = asyncio.ensure_future(self.answer(self.scene["question"], len(self.scene["turn"]) > 1, number))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def answer(self, question: dict[str, Any], is_secret: bool, number: str) -> None:
        """Answer a question with any option."""
        await asyncio.sleep(self.table.every * random.uniform(0.75, 1.25))
        keys = [option["key"] for option in question["options"]]
        if question["kind"] == "several":
            low, high = question["at_least"], min(question["at_most"], len(keys))
            answer: Any = random.sample(keys, random.randint(low, high)) if low <= high else []
        else:
            answer = random.choice(keys)
        self.sent = time.monotonic()
        self.table.begin(is_secret)
        await self.say("answer", question=number, answer=answer)


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
        ready = [asyncio.Event() for _ in players]
        playing = [asyncio.ensure_future(one.play(room, sits)) for one, sits in zip(players, ready, strict=True)]
        try:
            await asyncio.gather(*(sits.wait() for sits in ready))
            if len(addresses) > 1:
                await asyncio.sleep(1.0)  # the other process has to hear of it
            await players[0].say("start")
            await asyncio.gather(*playing)
        except (OSError, WebSocketException) as wrong:
            self.tally.errors[f"{type(wrong).__name__}: {wrong}"] += 1
        finally:
            for one in playing:
                one.cancel()


def start(game: str, database: str, rooms: int) -> tuple[subprocess.Popen[str], str]:
    """A server, and its address."""
    call = [sys.executable, "-u", "-m", "houserule", "serve", game, "--port", "0", "--database", database]
    call += ["--rooms", str(rooms + 1000), "--new-rooms", "100000", "--rate", "100", "--pause", "0"]
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
    before, stored = work(), len(tally.stored)
    await asyncio.sleep(args.seconds)
    tally.work, tally.given = work() - before, len(tally.stored) - stored
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
    print(
        f"answers       {len(tally.stored)} ({len(tally.stored) / args.seconds:.0f} a second), {tally.over} matches over"
    )
    print(f"errors        {sum(tally.errors.values())} {dict(tally.errors) or ''}")
    for name, values in (("stored", tally.stored), ("seen by all", tally.seen)):
        shares = ", ".join(f"{int(share * 100)} % in {quantile(values, share):.0f} ms" for share in (0.5, 0.95, 0.99))
        print(f"{name:<13} {shares}")
    print(f"work          {1000 * tally.work / max(1, tally.given):.1f} ms of the servers' processors an answer")
    print(f"memory        {(full - empty) / args.rooms / 1024:.0f} KiB a room, {empty / 2**20:.0f} MiB without any")


if __name__ == "__main__":
    main()
