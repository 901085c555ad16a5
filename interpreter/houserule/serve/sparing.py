"""A log that says a thing once in a while: errors of one kind are counted instead of repeated."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field

WHILE = 60.0
"""Seconds."""
FEW = 10
"""Different sentences of one kind that are written in a while."""
COUNTED = "houserule.serve.counted"


@dataclass(slots=True)
class Kind:
    """A kind of message: since when it has been counted, which sentences were written, and how many were not."""

    since: float
    written: set[str] = field(default_factory=set)
    more: int = 0


class Sparing(logging.Filter):
    """Lets the first messages of a kind through. Of one kind are those from one line of code, with one kind of exception."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: dict[tuple[object, ...], Kind] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is written; what has been counted long enough is told first."""
        if record.name == COUNTED:
            return True
        now = time.monotonic()
        self.tell(now - WHILE)
        exception = record.exc_info[0] if record.exc_info else None
        kind = self.kinds.setdefault((record.pathname, record.lineno, exception), Kind(now))
        sentence = record.getMessage()
        is_new = sentence not in kind.written and len(kind.written) < FEW
        if is_new:
            kind.written.add(sentence)
        else:
            kind.more += 1
        return is_new

    def tell(self, before: float = float("inf")) -> None:
        """Tell how many were not written of the kinds that have been counted since before a moment."""
        for key, kind in list(self.kinds.items()):
            if kind.since < before:
                del self.kinds[key]
                if kind.more:
                    sentence = min(kind.written)
                    logging.getLogger(COUNTED).warning("%d more like this: %s", kind.more, sentence.splitlines()[0])


def write_sparingly() -> Sparing:
    """Have all messages of this process written to standard error, sparingly."""
    made = Sparing()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(made)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    return made
