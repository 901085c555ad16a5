"""How much strangers may ask of the server: sizes, rates and numbers."""

from __future__ import annotations

import time
from dataclasses import dataclass

LARGEST_MESSAGE = 16 * 1024
"""Bytes of a message or a form."""
LARGEST_RECORD = 1024 * 1024
"""Bytes of a record that somebody opens to look at its match."""
MOST_ADDRESSES = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; each is an option of `houserule serve`."""

    rooms: int = 1000  # kept at once
    new_rooms: int = 20  # from one address in a minute
    viewers: int = 40  # of a room at once
    lines: int = 200  # from one address at once
    rate: int = 20  # messages of one connection in a second
    keep_days: int = 30  # a room that nobody has opened


class Bucket:
    """How often something may happen: so often a second, and as much as `most` at once."""

    __slots__ = ("at", "each_second", "left", "most")

    def __init__(self, each_second: float, most: float) -> None:
        self.each_second = each_second
        self.most = most
        self.left = most
        self.at = time.monotonic()

    def take(self) -> bool:
        """Whether it may happen once more now; then it counts."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.each_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Addresses:
    """A bucket for each address; those that have not been used for longest are forgotten."""

    def __init__(self, each_minute: int) -> None:
        self.each_minute = each_minute
        self.buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Whether an address may ask once more now."""
        bucket = self.buckets.pop(address, None) or Bucket(self.each_minute / 60, self.each_minute)
        self.buckets[address] = bucket
        if len(self.buckets) > MOST_ADDRESSES:
            del self.buckets[next(iter(self.buckets))]
        return bucket.take()
