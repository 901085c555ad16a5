"""The messages between pages and the server: JSON, versioned, and read strictly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from houserule.serve.refused import Refused

VERSION = 1
"""The version of the protocol; a page of another version is told to load itself again."""
MOST_PICKED = 400
LONGEST_TEXT = 200


def is_text(value: Any) -> bool:
    """Whether a value is a short text."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def is_number(value: Any) -> bool:
    """Whether a value is a small whole number."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def is_answer(value: Any) -> bool:
    """Whether a value can be an answer: the key of an option, or a list of keys."""
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT * 10
    return isinstance(value, list) and len(value) <= MOST_PICKED and all(is_text(one) for one in value)


def is_truth(value: Any) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool)


def is_token(value: Any) -> bool:
    """Whether a value is a token, or none."""
    return value is None or is_text(value)


Shape = Mapping[str, Callable[[Any], bool]]
SHAPES: Mapping[str, Shape] = {
    "hello": {"version": is_number, "token": is_token, "language": is_text},
    "claim": {"seat": is_number, "name": is_text},
    "leave": {},
    "start": {},
    "answer": {"question": is_text, "answer": is_answer},
    "undo": {},
    "consent": {"consents": is_truth},
    "language": {"language": is_text},
    "pong": {"ping": is_number},
}
"""What pages may send: the type of a message, and its other keys. No message names the seat that it answers for: a token does."""


def read_message(text: str) -> dict[str, Any]:
    """The message in a text, of a known shape. Raises Refused."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise Refused("malformed") from wrong
    shape = SHAPES.get(found["type"]) if isinstance(found, dict) and isinstance(found.get("type"), str) else None
    if shape is None or set(found) != {"type", *shape}:
        raise Refused("malformed")
    if not all(fits(found[key]) for key, fits in shape.items()):
        raise Refused("malformed")
    return dict(found)


LISTED = ("regions", "things", "variables")
"""The parts of a scene that are lists of things with an id, of which only those go over the line that have changed."""


def scene_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes one scene of another: the parts that have changed; of lists, all ids in order and what is new under them."""
    found: dict[str, Any] = {}
    for name, part in after.items():
        old = before[name]
        if old == part:
            continue
        if name in LISTED:
            known = {one["id"]: one for one in old}
            new = [one for one in part if known.get(one["id"]) != one]
            found[name] = {"ids": [one["id"] for one in part], "new": new}
        else:
            found[name] = part
    return found


def with_changes(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The scene after changes, as whoever receives them makes it."""
    found = {**before, **changes}
    for name in LISTED:
        if name in changes:
            known = {one["id"]: one for one in (*before[name], *changes[name]["new"])}
            found[name] = [known[id] for id in changes[name]["ids"]]
    return found


def written(message: Mapping[str, Any]) -> str:
    """A message as text; the same message gives the same text."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
