"""Limits on strangers' requests: sizes, rates and numbers."""

from __future__ import annotations

import time
from dataclasses import dataclass

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


class Bucket:
    """A token bucket: a rate in events per second, and bursts of `most`."""

    __slots__ = ("at", "each_second", "left", "most")

    def __init__(self, each_second: float, most: float) -> None:
        self.each_second = each_second
        self.most = most
        self.left = most
        self.at = time.monotonic()

    def take(self) -> bool:
        """Whether one more event is allowed now; if so, it counts."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.each_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Addresses:
    """A bucket for each address; the least recently used are dropped."""

    def __init__(self, each_minute: int) -> None:
        self.each_minute = each_minute
        self.buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Whether an address may send one more request now."""
        bucket = self.buckets.pop(address, None) or Bucket(self.each_minute / 60, self.each_minute)
        self.buckets[address] = bucket
        if len(self.buckets) > MOST_ADDRESSES:
            del self.buckets[next(iter(self.buckets))]
        return bucket.take()
